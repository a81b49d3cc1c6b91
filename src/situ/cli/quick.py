"""`situ ask FILE SENTENCE` and `situ serve --mcp FILE…` without the parser of all options.

The parser takes longer to load than these two take to answer."""

import logging
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from situ.errors import SituError

if TYPE_CHECKING:
    from situ.language.answering import Told


def ask_plainly() -> None:
    """Answer `situ ask FILE SENTENCE`."""
    logging.basicConfig(level=logging.WARNING, format="%(message)s")
    from situ.language.answering import ask
    from situ.memory.memory import SpatialMemory

    path = sys.argv[2]
    if path == "--example":
        from situ.api.example import example

        path = str(example())
    try:
        with SpatialMemory.open(path, read_only=True) as memory:
            show(ask(memory.state(), sys.argv[3]))
    except SituError as error:
        from situ.cli.app import fail

        fail(error)
    except KeyboardInterrupt:
        sys.exit(130)


def show(told: "Told") -> None:
    """An answer for people: the sentence, and in a second line what it rests on."""
    print(told.text)
    if told.certificate is not None and not told.abstained:
        frames = ", ".join(map(str, told.evidence[:8]))
        seen = f"; seen in frame{'s' * (len(told.evidence) > 1)} {frames}" if frames else ""
        words = f"confidence {100 * told.confidence:.0f} %{seen}"
        print(f"\x1b[2m{words}\x1b[0m" if sys.stdout.isatty() else words)


def serve_mcp() -> None:
    """Run `situ serve --mcp FILE…`; failures look as those of other verbs."""
    logging.basicConfig(level=logging.WARNING, format="%(message)s")
    logging.getLogger("situ").setLevel(logging.INFO)  # such as: kernels are being compiled
    from situ.serve.stdio import serve_stdio

    try:
        serve_stdio([Path(word) for word in sys.argv[3:]])
    except SituError as error:
        print(f"situ: {error}", file=sys.stderr)
        sys.exit(error.exit_code)
    except KeyboardInterrupt:
        sys.exit(130)
