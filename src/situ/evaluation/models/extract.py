"""A small model reads a reply that no rule can read: which option does it settle on?

Rules come first; the extractor is asked only where they find nothing, or would draw lots.
"""

from situ.benchmarks.dataset import QuestionRow
from situ.benchmarks.saw.parse import RANDOM
from situ.evaluation.protocols.base import read_strictly
from situ.evaluation.records.answer import Reading

EXTRACTOR_SYSTEM = (
    "You are given a question, its possible answers, and somebody's reply. Say which of the possible "
    "answers "
    "the reply settles on. Do not answer the question yourself."
)


def needs_extractor(reading: Reading) -> bool:
    return reading.claim is None or reading.rule == RANDOM


def extractor_prompt(row: QuestionRow, reply: str) -> str:
    options = "".join(f"{chr(ord('A') + i)}. {option}\n" for i, option in enumerate(row.options))
    kind = "LETTER" if row.options else "NUMBER"
    return (
        f"Question: {row.text}\n{options}\nReply:\n{reply}\n\nEnd with one line of the form "
        f"<answer>{kind}</answer>, or <answer>none</answer> if the reply settles on none of them."
    )


def read_extracted(row: QuestionRow, found: Reading, extracted: str) -> Reading:
    """What the extractor read, or the first reading where it read nothing either."""
    reading = read_strictly(row, extracted)
    return found if reading.claim is None else Reading(reading.claim, "extractor")
