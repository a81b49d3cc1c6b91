"""The command line: parses, calls, prints. No logic lives here."""

import atexit
import gc
import sys

# Most verbs end before there is any garbage; looking for it while modules load takes a tenth of `situ ask`.
gc.set_threshold(100_000, 50, 50)
atexit.register(gc.freeze)  # nor at the end, when all memory goes back at once


def main() -> None:
    """Run the command line. An assistant that starts `situ serve --mcp FILE…` waits for the first hello, so
    that one way of calling goes past the parser of all others, which takes longer to load than to answer."""
    if sys.argv[1:3] == ["serve", "--mcp"] and not any(word.startswith("-") for word in sys.argv[3:]):
        from situ.cli.mcp import main as run
    else:
        from situ.cli.app import main as run
    run()


__all__ = ["main"]
