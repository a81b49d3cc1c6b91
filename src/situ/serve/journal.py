"""One JSON line for each request on stderr, and spans where OpenTelemetry is installed.

What was asked and what was seen is private: neither is written, unless questions are asked to be.
"""

import json
import sys
import threading
import traceback
from contextlib import AbstractContextManager, nullcontext
from datetime import UTC, datetime
from functools import cache
from typing import Any, TextIO

_WRITING = threading.Lock()
_encode = json.JSONEncoder().encode


class Journal:
    """Where the lines go. `questions`: whether the text of questions may be in them."""

    def __init__(self, out: TextIO | None = None, questions: bool = False) -> None:
        self._out, self.questions = out, questions

    def line(self, **parts: Any) -> None:
        self._write(within(**parts))

    def request(self, told: str, ms: float, question: str) -> None:
        """The line of a request: what is `told` of many alike (see `within`), and what is its own."""
        asked = f', "question": {_encode(question)}' if question and self.questions else ""
        self._write(f'{told}, "ms": {ms:.1f}{asked}')

    def _write(self, inner: str) -> None:
        when = datetime.now(UTC).isoformat(timespec="milliseconds")
        text, out = f'{{"time": "{when}", {inner}}}\n', self._out or sys.stderr
        with _WRITING:
            out.write(text)
            out.flush()

    def fault(self, error: BaseException) -> None:
        """A mistake of our own: where it happened. Its message may hold what was asked, so it stays here."""
        places = [f"{f.filename}:{f.lineno} {f.name}" for f in traceback.extract_tb(error.__traceback__)]
        said = str(error)[:200] if self.questions else ""
        self.line(level="error", error=type(error).__name__, message=said, at=places[-6:])


def within(**parts: Any) -> str:
    """What stands between the braces of a line."""
    return _encode(parts)[1:-1]


def span(name: str) -> AbstractContextManager[Any]:
    """A span where somebody collects them. OpenTelemetry without a provider would make one for nobody, at a
    tenth of what a request costs besides its answer."""
    trace = _tracing()
    if trace is None or isinstance(trace.get_tracer_provider(), trace.ProxyTracerProvider):
        return nullcontext()
    found: AbstractContextManager[Any] = trace.get_tracer("situ").start_as_current_span(name)
    return found


@cache
def _tracing() -> Any:
    try:
        from opentelemetry import trace
    except ImportError:
        return None
    return trace
