"""OpenEQA: open answers about episodes, graded from 1 to 5 by a model; exact matches beside it."""

import re

from situ.benchmarks.dataset import QuestionRow
from situ.benchmarks.openeqa import ALSO
from situ.evaluation.protocols.base import Analysis, Protocol, Published, stratum_value
from situ.evaluation.protocols.disjoint import read_answer

_DATA = "OpenEQA, 1,636 questions, LLM-Match"


def matches(row: QuestionRow, claim: str) -> float:
    """1 if the claim is the answer or one of the other right answers, letter by letter."""
    right = [row.answer, *str(row.strata.get(ALSO) or "").splitlines()]
    return float(_plain(claim) in {_plain(answer) for answer in right})


def _plain(text: str) -> str:
    return re.sub(r"^(?:an?|the) ", "", re.sub(r"[^\w ]", "", text.lower()).strip())


OPENEQA = Protocol(
    benchmark="openeqa",
    title="OpenEQA",
    scene="You are shown {shown}, taken on a way through a building.",
    contract=lambda row: "Answer in a few words.",
    frames="uniform:50",
    parsers={"strict": read_answer},
    points=matches,
    points_formula="1 if the claim is the key or another right answer, word by word, else 0",
    analyses=(Analysis("source", stratum_value("source")),),
    published=(Published("blind GPT-4", 36.2, {}, _DATA),),
    note="The published score is LLM-Match: give --judge. The exact match is far below it.",
)
