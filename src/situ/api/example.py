"""`situ.example`: the memory that comes with the package, so that the first answer takes seconds."""

from pathlib import Path

QUESTIONS = (
    "where is the blue sphere?",
    "which way did I come?",
    "how many red cones did I see?",
)


def example() -> Path:
    """The file of a small memory to try things on: a walk of 32 s among coloured solids.

    >>> import situ
    >>> print(situ.ask(situ.example(), "where is the blue sphere?").text)
    The blue sphere is behind you, 12.7 m away, seen 17 seconds ago.
    """
    return Path(__file__).with_name("example.situ")
