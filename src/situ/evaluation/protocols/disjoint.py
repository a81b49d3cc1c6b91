"""DISJOINT-3DQA: objects never seen together; judged answers, and an exact verifier."""

import re

from situ.benchmarks.dataset import QuestionRow
from situ.benchmarks.published import table
from situ.evaluation.protocols.base import (
    Analysis,
    Protocol,
    Published,
    binned,
    equal_to_key,
    letter_contract,
    stratum_value,
)
from situ.evaluation.records.answer import Reading
from situ.evaluation.replies.choice import read_choice
from situ.evaluation.replies.unwrap import final_part


def _contract(row: QuestionRow) -> str:
    if row.options:
        return f"Give a reason of at most 20 words. {letter_contract(row)}"
    return "Write one line 'Reason:' of at most 20 words and one line 'Answer:' of at most 20 words."


def read_answer(row: QuestionRow, reply: str) -> Reading:
    """A choice as everywhere; an open answer is what stands after the last 'Answer:', or all of it."""
    if row.options:
        return read_choice(reply, row.options)
    text = final_part(reply)
    if not text:
        return Reading(None, "unfinished reasoning" if text is None else "empty")
    marked = re.findall(r"answer:[ \t]*(.+)", text, re.IGNORECASE)
    return Reading(marked[-1].strip(), "answer line") if marked else Reading(text.strip(), "whole reply")


def verified(row: QuestionRow, claim: str) -> float:
    """A choice by equality; a list by the same things in any order."""
    if row.options:
        return equal_to_key(row, claim)
    return float(_things(claim) == _things(row.answer))


def _things(text: str) -> frozenset[str]:
    parts = re.split(r",|;|\band\b|\n", text.lower())
    return frozenset(words for part in parts if (words := re.sub(r"^(?:an?|the) ", "", part.strip(" .-*"))))


def _cues(name: str) -> tuple[Published, ...]:
    """Every cell of a table as a row of its own: one run has one cue."""
    told = table("disjoint", name)
    cells = ((system, cue, score) for system in told.rows for cue, score in told.row(system).items())
    return tuple(Published(f"{system}, {cue}", score, {}, told.data) for system, cue, score in cells)


DISJOINT = Protocol(
    benchmark="disjoint",
    title="DISJOINT-3DQA",
    scene="You are shown {shown}, taken by one camera on its way through a home. "
    "The two things asked about are never in the same picture.",
    contract=_contract,
    frames="given",
    parsers={"strict": read_answer},
    points=verified,
    points_formula="1 if the claim is the key (for lists: the same things in any order), else 0",
    analyses=(
        Analysis("category", stratum_value("category")),
        binned("distance_m", (0.0, 2.0, 4.0, 6.0, 10.0, 20.0), " m"),
        binned("frame_gap", (1, 2, 4, 8, 16, 32)),
    ),
    published=tuple({row.system: row for row in (*_cues("Table 3a"), *_cues("Table 4a"))}.values()),
    note="The score is that of the exact verifier. With a judge, "
    "LLM-Match = 100 · mean((s − 1) / 4) is given beside it.",
)
