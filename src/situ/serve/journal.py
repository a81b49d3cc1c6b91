"""One JSON line for each request on stderr, and spans where OpenTelemetry is installed.

What was asked and what was seen is private: neither is written, unless questions are asked to be.
"""

import json
import sys
import threading
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any, TextIO

_WRITING = threading.Lock()


class Journal:
    """Where the lines go. `questions`: whether the text of questions may be in them."""

    def __init__(self, out: TextIO | None = None, questions: bool = False) -> None:
        self._out, self.questions = out, questions

    def line(self, **parts: Any) -> None:
        row = {"time": datetime.now(UTC).isoformat(timespec="milliseconds"), **parts}
        text = json.dumps(row)
        with _WRITING:
            print(text, file=self._out or sys.stderr, flush=True)

    def fault(self, error: BaseException) -> None:
        """A mistake of our own: where it happened. Its message may hold what was asked, so it stays here."""
        places = [f"{f.filename}:{f.lineno} {f.name}" for f in traceback.extract_tb(error.__traceback__)]
        said = str(error)[:200] if self.questions else ""
        self.line(level="error", error=type(error).__name__, message=said, at=places[-6:])


@contextmanager
def span(name: str, **attributes: str) -> Iterator[None]:
    try:
        from opentelemetry import trace
    except ImportError:
        yield
        return
    with trace.get_tracer("situ").start_as_current_span(name, attributes=attributes):
        yield
