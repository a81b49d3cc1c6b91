"""What an answer rests on, in a form that anyone can run again: the program, the times and the numbers."""

import json
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from situ.errors import BadFormat, Unanswerable
from situ.language.focus import decide
from situ.questions.base import Answer, Question, Value, from_program, to_program
from situ.questions.programs import evaluate
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
        parts = {part.name: getattr(self, part.name) for part in fields(self)}
        parts["program"], parts["numbers"] = dict(self.program), dict(self.numbers)
        return {"format": FORMAT, "version": VERSION, **parts}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "Certificate":
        version = data.get("version")
        if data.get("format") != FORMAT or type(version) is not int or not 0 < version <= VERSION:
            raise BadFormat(
                f"this is not a {FORMAT} of version {VERSION} or lower; `situ ask --json` writes one"
            )
        for name, (fits, wanted) in _PARTS.items():
            if name not in data:
                raise BadFormat(f"the certificate lacks '{name}'; make it again with `situ ask --json`")
            if not fits(data[name]):
                raise BadFormat(f"'{name}' of the certificate is no {wanted}: {str(data[name])[:60]}")
        parts = {name: data[name] for name in _PARTS}
        return cls(**{**parts, "evidence": tuple(data["evidence"])})

    @classmethod
    def read(cls, path: Path) -> "Certificate":
        """From a file: a certificate, or a whole answer of `situ ask --json` that holds one."""
        try:
            data = json.loads(path.read_text(encoding="utf-8"))
        except (OSError, ValueError, RecursionError) as error:
            raise BadFormat(f"{path} cannot be read as JSON ({str(error)[:100]})") from error
        inner = data.get("certificate", data) if isinstance(data, dict) else None
        if not isinstance(inner, dict):
            raise BadFormat(
                f"{path} holds no certificate: the answer was an abstention, or it is another file"
            )
        certificate = cls.from_json(inner)
        if data is not inner:
            _check_answer(path, data, certificate)
        return certificate


def _check_answer(path: Path, told: Mapping[str, Any], certificate: Certificate) -> None:
    """What stands around a certificate must not say something else."""
    inside = {"value": certificate.value, "evidence": list(certificate.evidence)}
    for name, value in inside.items():
        if told.get(name) is not None and told[name] != value:
            raise BadFormat(
                f"{path} says {name} {str(told[name])[:60]}, but its certificate says {str(value)[:60]}"
            )


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and not math.isnan(value)


def _is_time(value: object) -> bool:
    return _is_number(value) and abs(value) < 1e300  # type: ignore[arg-type]


def _is_value(value: object) -> bool:
    return isinstance(value, str) or _is_number(value)


def _are_numbers(value: object) -> bool:
    return isinstance(value, dict) and all(_is_number(number) for number in value.values())


def _are_frames(value: object) -> bool:
    return isinstance(value, list | tuple) and all(type(frame) is int and frame >= 0 for frame in value)


_PARTS: Mapping[str, tuple[Callable[[object], bool], str]] = {
    "program": (lambda value: isinstance(value, dict), "program of a question"),
    "at": (_is_time, "time in seconds"),
    "known_at": (_is_time, "time in seconds"),
    "value": (_is_value, "text or number"),
    "margin": (_is_number, "number"),
    "evidence": (_are_frames, "list of frames"),
    "numbers": (_are_numbers, "mapping of names to numbers"),
}


@dataclass(frozen=True)
class Check:
    """Whether running a certificate again gave what it says; `reason` says what differs."""

    holds: bool
    value: Value | None
    reason: str = ""


def verify(certificate: Certificate, state: SpatialState, exactly: bool = True) -> Check:
    """Run the program again on a state as of the certificate's time.

    On the same memory everything must come out again: value, margin, evidence and every number. On the truth
    (`exactly` False) the value must.
    """
    try:
        answer = _run_again(certificate, state)
    except Unanswerable as error:
        return Check(False, None, f"the question cannot be answered here: {error}")
    said, found = _parts(certificate), _parts(answer)
    for name in said | found if exactly else ("value",):
        if name not in said or name not in found or not _same(said[name], found[name]):
            shown = [str(parts.get(name, "not stated"))[:60] for parts in (found, said)]
            return Check(False, answer.value, f"the {name} is {shown[0]}, the certificate says {shown[1]}")
    return Check(True, answer.value)


def _run_again(certificate: Certificate, state: SpatialState) -> Answer:
    """The answer of a program that may have been written by anybody."""
    try:
        if "kind" in certificate.program:
            return decide(from_program(certificate.program), state).answer
        (found,) = evaluate(certificate.program, state)
        return Answer(found.value, found.margin, found.evidence, found.numbers)
    except (
        TypeError,
        ValueError,
        KeyError,
        AttributeError,
        IndexError,
        OverflowError,
        RecursionError,
    ) as error:
        raise BadFormat(
            f"the certificate's program cannot be run ({str(error)[:100]}): {str(certificate.program)[:80]}"
        ) from error


def _parts(claim: Certificate | Answer) -> dict[str, object]:
    """All that an answer claims, by name."""
    numbers: dict[str, object] = dict(claim.numbers or {})
    return {"value": claim.value, "margin": claim.margin, "evidence": tuple(claim.evidence), **numbers}


def _same(a: object, b: object) -> bool:
    if isinstance(a, int | float) and isinstance(b, int | float):
        return a == b or math.isclose(a, b, rel_tol=_CLOSE, abs_tol=_CLOSE)
    return a == b
