"""What an answer rests on, in a form that anyone can run again: the program, the times and the numbers."""

import json
import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from situ.ask.focus import decide
from situ.errors import BadFormat, Unanswerable
from situ.questions.base import Answer, Question, Value, from_program, to_program
from situ.state.protocol import SpatialState

FORMAT = "situ-certificate"
VERSION = 1
_CLOSE = 1e-6


@dataclass(frozen=True)
class Certificate:
    """A question program, when it was asked, what was known by then, and what came out."""

    program: Mapping[str, Any]
    at: float
    known_at: float
    value: Value
    margin: float
    evidence: tuple[int, ...] = ()
    numbers: Mapping[str, float] = field(default_factory=dict)

    @classmethod
    def of(cls, question: Question, state: SpatialState, answer: Answer) -> "Certificate":
        known = float(getattr(state, "known_at", state.now))
        numbers = dict(answer.numbers or {})
        return cls(
            to_program(question), state.now, known, answer.value, answer.margin, answer.evidence, numbers
        )

    def to_json(self) -> dict[str, Any]:
        return {"format": FORMAT, "version": VERSION, **asdict(self)}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "Certificate":
        if data.get("format") != FORMAT or data.get("version", 0) > VERSION:
            raise BadFormat(
                f"this is not a {FORMAT} of version {VERSION} or lower; `situ ask --json` writes one"
            )
        try:
            fields = {
                name: data[name] for name in ("program", "at", "known_at", "value", "margin", "numbers")
            }
            return cls(**fields, evidence=tuple(data["evidence"]))
        except KeyError as error:
            raise BadFormat(f"the certificate lacks {error}; make it again with `situ ask --json`") from error

    @classmethod
    def read(cls, path: Path) -> "Certificate":
        """From a file: a certificate, or a whole answer of `situ ask --json` that holds one."""
        try:
            data = json.loads(path.read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            raise BadFormat(f"{path} cannot be read as JSON ({error})") from error
        inner = data.get("certificate", data) if isinstance(data, dict) else None
        if not isinstance(inner, dict):
            raise BadFormat(
                f"{path} holds no certificate: the answer was an abstention, or it is another file"
            )
        return cls.from_json(inner)


@dataclass(frozen=True)
class Check:
    """Whether running a certificate again gave what it says; `reason` says what differs."""

    holds: bool
    value: Value | None
    reason: str = ""


def verify(certificate: Certificate, state: SpatialState, exactly: bool = True) -> Check:
    """Run the program again on a state as of the certificate's time.

    On the same memory every number must come out again; on the truth (`exactly` False) the value must.
    """
    try:
        answer = decide(from_program(certificate.program), state).answer
    except Unanswerable as error:
        return Check(False, None, f"the question cannot be answered here: {error}")
    if answer.value != certificate.value:
        return Check(
            False, answer.value, f"the value is {answer.value!r}, the certificate says {certificate.value!r}"
        )
    if exactly:
        found = dict(answer.numbers or {})
        for name, number in certificate.numbers.items():
            if name not in found or not math.isclose(found[name], number, rel_tol=_CLOSE, abs_tol=_CLOSE):
                return Check(
                    False, answer.value, f"{name} is {found.get(name)}, the certificate says {number}"
                )
    return Check(True, answer.value)
