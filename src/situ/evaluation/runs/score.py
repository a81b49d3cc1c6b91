"""From a reply to a record: read it, score it."""

from dataclasses import replace

from situ.benchmarks.dataset import QuestionRow
from situ.errors import BadInput
from situ.evaluation.protocols.base import Protocol
from situ.evaluation.records.answer import AnswerRecord, Effort, Reading, Reply, Status
from situ.evaluation.replies.choice import refuses


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


def scored(protocol: Protocol, parser: str, row: QuestionRow, reply: Reply, frames: int = 0) -> AnswerRecord:
    """The record of a participant's reply."""
    if reply.abstained:
        record = scored_reading(protocol, row, "", Reading(None, ""), frames)
        record = replace(record, status=Status.REFUSED, reason=reply.abstained)
    else:
        reading = read(protocol, parser, row, reply.text)
        record = scored_reading(protocol, row, reply.text, reading, frames)
    return replace(record, effort=Effort(seconds=reply.seconds))


def scored_reading(
    protocol: Protocol,
    row: QuestionRow,
    reply: str,
    reading: Reading,
    frames: int = 0,
    frames_hash: str = "",
    prompt_hash: str = "",
) -> AnswerRecord:
    """The record of a reply that has been read."""
    unread = reading.claim is None
    why = Status.REFUSED if refuses(reply) else Status.UNREADABLE
    return AnswerRecord(
        row.id,
        row.item,
        row.task,
        row.answer,
        reply,
        reading.claim,
        reading.rule,
        why if unread else Status.ANSWERED,
        reading.rule if unread else "",
        0.0 if reading.claim is None else protocol.points(row, reading.claim),
        frames,
        frames_hash,
        prompt_hash,
        strata=dict(row.strata),
    )
