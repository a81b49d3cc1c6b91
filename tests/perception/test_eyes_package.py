"""Networks in a package of their own: each has its licence and hash, and one line says how to get them."""

import hashlib
import re
from pathlib import Path

import pytest

from situ.errors import MissingExtra
from situ.perception import eyes_package
from situ.perception.eyes_package import packaged_eyes
from situ.perception.homes import network
from situ.perception.homes.network import Network

EYES = Path(__file__).parents[2] / "eyes"


def test_every_network_is_listed_with_licence_and_hash() -> None:
    rows = re.findall(
        r"^\| `(\S+\.onnx)` \|.*\| (\S+) \| `([0-9a-f]{64})` \|$", (EYES / "README.md").read_text(), re.M
    )
    files = sorted((EYES / "situ_eyes").glob("*.onnx"))
    assert sorted(name for name, _, _ in rows) == [file.name for file in files]
    for name, licence, known in rows:
        assert licence in ("Apache-2.0", "MIT", "BSD-3-Clause")
        assert hashlib.sha256((EYES / "situ_eyes" / name).read_bytes()).hexdigest() == known


def test_without_the_package_one_line_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delenv(network.ANOTHER, raising=False)
    monkeypatch.setattr(eyes_package, "_PACKAGE", "situ_eyes_of_nobody")
    monkeypatch.setattr(eyes_package, "_CHECKOUT", tmp_path)
    assert packaged_eyes(network.FILE) is None
    with pytest.raises(MissingExtra, match=r"pip install 'situ\[eyes\]'"):
        Network()
