"""The command line: parses, calls, prints. No logic lives here."""

from situ.cli.app import main

__all__ = ["main"]
