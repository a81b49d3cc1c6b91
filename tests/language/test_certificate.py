"""A certificate holds if running it again gives all that it says, and any other one does not."""

import copy
import json
import math
from pathlib import Path
from typing import Any

import pytest

from desk import frame
from situ.errors import BadFormat, SituError
from situ.language import Memory
from situ.language.certificate import Certificate, verify
from situ.state.protocol import SpatialState

ASKED = (
    "where is the cup?",
    "how many cups are there?",
    "how far is the lamp?",
    "can I see the lamp?",
)


@pytest.fixture(scope="module")
def state() -> SpatialState:
    memory = Memory.create(":memory:")
    for second in range(6):
        memory.observe(
            frame(float(second), {"cup": [(2.0, -0.5, 1.2), (2.5, 0.8, 1.2)], "lamp": [(3.0, 0.2, 1.8)]})
        )
    return memory.state()


def certificates(state: SpatialState) -> list[dict[str, Any]]:
    from situ.language import ask

    told = [ask(state, sentence, least_confidence=0.0) for sentence in ASKED]
    return [json.loads(json.dumps(t.certificate.to_json())) for t in told if t.certificate is not None]


def test_what_was_answered_holds(state: SpatialState) -> None:
    given = certificates(state)
    assert len(given) == len(ASKED)
    for data in given:
        assert verify(Certificate.from_json(data), state).holds


def test_any_forged_part_fails(state: SpatialState) -> None:
    for data in certificates(state):
        forged: list[dict[str, Any]] = [
            {"evidence": [999]},
            {"evidence": []},
            {"margin": 99.0},
            {"value": "nowhere"},
        ]
        if data["numbers"]:
            name = next(iter(data["numbers"]))
            forged += [{"numbers": {}}, {"numbers": {**data["numbers"], name: 1e3}}]
        forged.append({"numbers": {**data["numbers"], "made_up": 1.0}})
        for change in forged:
            if data["evidence"] or change.get("evidence") != []:
                check = verify(Certificate.from_json({**data, **change}), state)
                assert not check.holds, change
                assert check.reason


BAD: tuple[tuple[str, Any], ...] = (
    ("version", "1"), ("version", 99), ("version", True), ("program", 5), ("program", {"kind": "count"}),
    ("program", {"kind": ["count"]}), ("program", {"kind": None}), ("program", {}),
    ("program", {"kind": "count", "which": "x"}),
    ("program", {"kind": "count", "which": {"category": "cup", "attributes": 7}}),
    ("program", {"kind": "count", "which": {"category": ["cup"], "attributes": []}}),
    ("at", "x"), ("at", None), ("at", math.nan), ("at", 1e400), ("known_at", True), ("numbers", [1]),
    ("numbers", {"count": "a"}), ("numbers", {"count": None}), ("evidence", 5), ("evidence", [1.5]),
    ("evidence", ["a"]), ("evidence", [-1]), ("margin", "big"), ("margin", math.nan), ("value", None),
    ("value", [1]), ("format", "other"),
)  # fmt: skip


@pytest.mark.parametrize(("part", "value"), BAD)
def test_malformed_ones_get_one_line(state: SpatialState, tmp_path: Path, part: str, value: Any) -> None:
    data = copy.deepcopy(certificates(state)[1])
    data[part] = value
    file = tmp_path / "c.json"
    file.write_text(json.dumps(data))
    with pytest.raises(SituError) as caught:
        verify(Certificate.read(file), state)
    assert "\n" not in str(caught.value)
    del data[part]
    if part != "format":
        with pytest.raises(BadFormat):
            Certificate.from_json(data)


@pytest.mark.parametrize(
    "text", ["", "[]", "5", "null", "{}", '{"certificate": null}', "[" * 100_000, "\ud800"]
)
def test_files_that_hold_none_get_one_line(tmp_path: Path, text: str) -> None:
    file = tmp_path / "c.json"
    file.write_text(text, encoding="utf-8", errors="surrogatepass")
    with pytest.raises(BadFormat):
        Certificate.read(file)


def test_an_answer_that_says_something_else_than_its_certificate_is_refused(
    state: SpatialState, tmp_path: Path
) -> None:
    data = certificates(state)[0]
    file = tmp_path / "a.json"
    file.write_text(json.dumps({"value": "left", "certificate": {**data, "value": "right"}}))
    with pytest.raises(BadFormat, match="its certificate says"):
        Certificate.read(file)
