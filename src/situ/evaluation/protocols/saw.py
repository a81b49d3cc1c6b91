"""SAW-Bench: multiple choice from video; micro over questions."""

import hashlib

import numpy as np

from situ.benchmarks.dataset import QuestionRow
from situ.benchmarks.published import OVERALL, table
from situ.benchmarks.saw.parse import official_choice
from situ.evaluation.protocols.base import (
    Analysis,
    Crossed,
    Protocol,
    Published,
    Tendency,
    read_strictly,
    stratum_value,
)
from situ.evaluation.records.answer import AnswerRecord, Reading
from situ.evaluation.replies.unwrap import untagged


def read_as_published(row: QuestionRow, reply: str) -> Reading:
    """The published cascade, which ends in a random option: the same one for a question every time."""
    seed = int.from_bytes(hashlib.sha256(row.id.encode()).digest()[:8], "little")
    choice = official_choice(untagged(reply), row.options, np.random.default_rng(seed))
    return Reading(None if choice.option is None else row.options[choice.option], choice.by)


def _turns(record: AnswerRecord) -> str | None:
    return stratum_value("turns")(record) if record.task == "direction" else None


def _straight_with_head_turns(record: AnswerRecord) -> bool:
    return record.task == "shape" and record.strata.get("head") == "turning"


def _frames_shown(record: AnswerRecord) -> str | None:
    return next((name for name, most in _FRAMES_SHOWN.items() if record.frames <= most), None)


def _change(record: AnswerRecord) -> str | None:
    """What had changed, by the words of the key."""
    if record.task != "memory":
        return None
    return next((name for name, words in _CHANGES.items() if any(w in record.key for w in words)), None)


def _called_new(record: AnswerRecord) -> bool:
    """A thing that was there all the time is said to have come: the trap of things behind the shoulder."""
    claim = (record.claim or "").lower()
    return record.claim != record.key and any(word in claim for word in _CHANGES["added"])


_CHANGES = {
    "moved": ("was moved",),
    "added": ("was added", "is new in"),
    "removed": ("was taken away",),
    "swapped": ("changed places",),
    "nothing": ("nothing,",),
}
_BY_TURNS = table("saw", "Table 3")
_TURNS = _BY_TURNS.columns
_FRAMES_SHOWN = {"1–8": 8, "9–16": 16, "17–32": 32, "33–64": 64, "65–128": 128, "129+": 10**9}
_DATA = "SAW-Bench, 2,071 questions"
SAW = Protocol(
    benchmark="saw",
    title="SAW-Bench",
    scene="You are shown {shown}: frames of one video filmed at head height by a "
    "person who stands or walks. Go by the pictures alone.",
    frames="fps:2",
    parsers={"strict": read_strictly, "official": read_as_published},
    analyses=(
        Analysis(
            "direction by turns on the way",
            _turns,
            _TURNS,
            relative=True,
            published={system: _BY_TURNS.row(system) for system in _BY_TURNS.rows},
        ),
        Analysis("route", stratum_value("route"), by_task=True),
        Analysis("shape by head", lambda r: stratum_value("head")(r) if r.task == "shape" else None),
        Analysis("setting", stratum_value("setting"), ("indoor", "outdoor"), by_task=True),
        Analysis("frames shown", _frames_shown, tuple(_FRAMES_SHOWN)),
    ),
    crossed=(
        Crossed(
            "right (%), task by frames shown",
            "task",
            lambda record: record.task,
            _frames_shown,
            column_order=tuple(_FRAMES_SHOWN),
        ),
        Crossed(
            "memory: right (%), by what changed",
            "change",
            _change,
            lambda record: "mean",
            row_order=tuple(_CHANGES),
        ),
    ),
    tendencies=(
        Tendency(
            "what was out of view before called new",
            lambda record: record.task == "memory",
            _called_new,
        ),
        Tendency(
            "straight walk with head turns called zigzag",
            _straight_with_head_turns,
            lambda record: "zigzag" in (record.claim or "").lower(),
            table("saw", "Figure 5").column("called zigzag"),
        ),
    ),
    published=Published.of(table("saw", "Table 2")),
    published_by_frames={"Gemini 3 Flash": table("saw", "Table 11").column(OVERALL)},
    note="Strict parser: a reply without a readable choice is wrong. The official one fills in a random "
    "option and so gives such replies the credit of chance.",
)
