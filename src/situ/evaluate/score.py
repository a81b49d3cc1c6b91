"""From a reply to a record: read it, score it."""

from situ.benchmarks.dataset import QuestionRow
from situ.errors import BadInput
from situ.evaluate.answer import AnswerRecord, Effort, Reading, Reply, Status
from situ.evaluate.protocols.base import Protocol


def parser_name(protocol: Protocol, wanted: str = "") -> str:
    """The parser asked for, or the protocol's own."""
    name = wanted or next(iter(protocol.parsers))
    if name not in protocol.parsers:
        raise BadInput(f"{protocol.title} has no parser '{name}'; it has {', '.join(protocol.parsers)}")
    return name


def read(protocol: Protocol, parser: str, row: QuestionRow, reply: str) -> Reading:
    """What a reply claims. The very words of an option need no parser."""
    if reply in row.options:
        return Reading(reply, "exact")
    return protocol.parsers[parser](row, reply)


def scored(
    protocol: Protocol,
    parser: str,
    row: QuestionRow,
    reply: Reply,
    frames: int = 0,
    frames_hash: str = "",
    prompt_hash: str = "",
    effort: Effort | None = None,
) -> AnswerRecord:
    """The record of a reply."""
    if reply.abstained:
        reading, status, reason = Reading(None, ""), Status.ABSTAINED, reply.abstained
    else:
        reading = read(protocol, parser, row, reply.text)
        status = Status.UNREADABLE if reading.claim is None else Status.ANSWERED
        reason = reading.rule if reading.claim is None else ""
    return AnswerRecord(
        row.id,
        row.item,
        row.task,
        row.answer,
        reply.text,
        reading.claim,
        reading.rule,
        status,
        reason,
        protocol.points(row, reading.claim) if reading.claim is not None else 0.0,
        frames,
        frames_hash,
        prompt_hash,
        effort or Effort(seconds=reply.seconds),
        dict(row.strata),
    )
