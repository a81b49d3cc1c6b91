"""`situ.ask`: one question put to a memory."""

from pathlib import Path

from situ.language.answering import Told
from situ.language.memory import Memory


def ask(memory: Memory | str | Path, sentence: str, at: float | None = None) -> Told:
    """Answer a sentence from a memory, open or by its file; as of a time in seconds, by default the last.

    The answer has its words in `text`, the value, its confidence, and the frames that are evidence for it. A
    question that cannot be answered has the reason in `abstained`.

    >>> import situ
    >>> with situ.Memory.create(":memory:") as memory:
    ...     for second in range(3):
    ...         pose = situ.camera_pose((0, 0, 1.6), yaw_deg=0)
    ...         kettle = situ.Observation("kettle", (2.0, 0.0, 1.0))
    ...         memory.observe(situ.ObservedFrame(float(second), pose, (kettle,)))
    ...     situ.ask(memory, "where is the kettle?").value
    'front'
    """
    if isinstance(memory, Memory):
        return memory.ask(sentence, at)
    with Memory.open(memory, read_only=True) as opened:
        return opened.ask(sentence, at)
