"""What the extractor and the judge are told about a reply, and what the extractor read.

A small model may read a reply that no rule can read: which option does it settle on?

Rules come first; the extractor is asked only where they find nothing, or would draw lots.
"""

from situ.benchmarks.dataset import QuestionRow
from situ.evaluation.models.stages import Stage
from situ.evaluation.protocols.base import BY_LOT, read_strictly
from situ.evaluation.records.answer import Reading


def needs_extractor(reading: Reading) -> bool:
    return reading.claim is None or reading.rule == BY_LOT


def extractor_words(stage: Stage, row: QuestionRow, reply: str) -> tuple[str, str]:
    """What the extractor is told, as the system and as the user."""
    options = "".join(f"{chr(ord('A') + i)}. {option}\n" for i, option in enumerate(row.options))
    kind = "LETTER" if row.options else "NUMBER"
    return stage.said(question=row.text, options=options, reply=reply, kind=kind)


def judge_words(stage: Stage, row: QuestionRow, reply: str) -> tuple[str, str]:
    """What the judge is told, as the system and as the user."""
    extra = row.strata.get("extra_answers")
    also_right = f"\nAlso right: {extra}" if extra else ""
    return stage.said(question=row.text, answer=row.answer, also_right=also_right, reply=reply)


def read_extracted(row: QuestionRow, found: Reading, extracted: str) -> Reading:
    """What the extractor read, or the first reading where it read nothing either."""
    reading = read_strictly(row, extracted)
    return found if reading.claim is None else Reading(reading.claim, "extractor")
