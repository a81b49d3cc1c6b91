"""The command line: parses, calls, prints. No logic lives here."""

import atexit
import gc
import os
import sys

# Most verbs end before there is any garbage; looking for it while modules load takes a tenth of `situ ask`.
gc.set_threshold(100_000, 50, 50)
atexit.register(gc.freeze)  # nor at the end, when all memory goes back at once


def main() -> None:
    """Run the command line. Two ways of calling go past the parser of all others, which takes longer to load
    than they to answer: an assistant that starts `situ serve --mcp FILE…` waits for the first hello, and a
    person who asks a memory for the reply."""
    plain = not any(word.startswith("-") for word in sys.argv[3:])
    if sys.argv[1:3] == ["serve", "--mcp"] and plain:
        from situ.cli.quick import serve_mcp as run
    elif sys.argv[1:2] == ["ask"] and len(sys.argv) == 4 and plain and _is_memory(sys.argv[2]):
        from situ.cli.quick import ask_plainly as run
    else:
        from situ.cli.app import main as run
    run()


def _is_memory(word: str) -> bool:
    return word == "--example" or os.path.isfile(word)


__all__ = ["main"]
