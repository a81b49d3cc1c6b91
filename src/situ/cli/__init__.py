"""The command line: parses, calls, prints. No logic lives here."""

import gc

# Most verbs end before there is any garbage; looking for it while modules load takes a tenth of `situ ask`.
gc.set_threshold(100_000, 50, 50)

from situ.cli.app import main  # noqa: E402

__all__ = ["main"]
