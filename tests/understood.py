"""What a sentence is taken for, be it read by a frame or heard by the ears."""

from dataclasses import replace

from situ.language import Vocabulary
from situ.language.reading import LEAST_READING, Reading, heard, read
from situ.language.times import Clock
from situ.language.understanding import LEAST_HEARD, taken


def understood(sentence: str, words: Vocabulary, clock: Clock) -> Reading | None:
    """The reading of a sentence; None where it would be asked back or refused."""
    found = read(sentence, words, clock)
    if found is not None and (found.unknown or found.certainty >= LEAST_READING):
        return found
    sounds = heard(sentence, words, clock)
    best = sounds.heard[0] if sounds.heard else None
    if best is None or best.share < max(LEAST_HEARD, sounds.outside):
        return None
    reading = taken(best)
    return None if reading is None else replace(reading, certainty=min(best.share, reading.certainty))
