"""`situ watch --names`: what it would fetch is told and asked for once; what is in the cache is used."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from situ.cli import watch as verb
from situ.cli.app import app
from situ.cli.lazy_verbs import completed
from situ.errors import BadInput
from situ.perception.models import onnx_session
from situ.perception.models.defaults import default_names, is_here, offer
from situ.perception.models.onnx_detect import read_labels

pytest.importorskip("huggingface_hub")


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path / "hub"))
    return tmp_path / "hub"


def put_into(cache: Path) -> Path:
    """A stand-in for the weights, laid out as the hub's own cache lays them out."""
    folder = cache / ("models--" + default_names().hub_id.replace("/", "--"))
    (folder / "refs").mkdir(parents=True)
    (folder / "refs" / "main").write_text("1234")
    snapshot = folder / "snapshots" / "1234"
    (snapshot / "onnx").mkdir(parents=True)
    (snapshot / "onnx" / "model.onnx").write_bytes(b"a network")
    (snapshot / "config.json").write_text(json.dumps({"id2label": {"0": "person", "56": "chair"}}))
    return snapshot


def test_names_alone_and_names_of_ones_own() -> None:
    alone = {"--names": "default"}
    assert completed(["c.mp4", "--names"], alone) == ["c.mp4", "--names", "default"]
    assert completed(["--names", "--into", "m"], alone) == ["--names", "default", "--into", "m"]
    assert completed(["--names", "n.csv", "--into", "m"], alone) == ["--names", "n.csv", "--into", "m"]
    assert completed([], alone) == []  # a verb by itself


def test_what_would_be_fetched_is_told_before_anything_is(cache: Path, tmp_path: Path) -> None:
    card = default_names()
    assert card.commercial
    assert card.megabytes
    assert not is_here(card)
    for part in (card.licence, card.hub_id, f"{card.megabytes} MB"):
        assert part in offer(card)
    with pytest.raises(BadInput, match=f"{card.megabytes} MB.*Apache.*--models {card.name}"):
        CliRunner().invoke(
            app, ["watch", "c.mp4", "--into", str(tmp_path / "m.situ"), "--names"], catch_exceptions=False
        )


def test_nobody_is_asked_about_what_is_here(cache: Path) -> None:
    snapshot = put_into(cache)
    assert is_here(default_names())
    assert verb._agreed(as_json=True) == default_names().name
    found = onnx_session.file_of(default_names().hub_id)
    assert found == snapshot / "onnx" / "model.onnx"
    assert read_labels(found) == {0: "person", 56: "chair"}


@pytest.mark.parametrize("yes", [True, False])
def test_somebody_at_a_terminal_is_asked(cache: Path, monkeypatch: pytest.MonkeyPatch, yes: bool) -> None:
    class Terminal:
        def isatty(self) -> bool:
            return True

    asked: list[str] = []

    def confirm(text: str, **_: Any) -> bool:
        asked.append(text)
        return yes

    monkeypatch.setattr(sys, "stdin", Terminal())
    monkeypatch.setattr("typer.confirm", confirm)
    if yes:
        assert verb._agreed(as_json=False) == default_names().name
    else:
        with pytest.raises(BadInput, match="nothing was fetched"):
            verb._agreed(as_json=False)
    assert len(asked) == 1
    assert "Apache-2.0" in asked[0]
