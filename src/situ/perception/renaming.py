"""What a detector's words mean to you: other names for them, and how far to believe each."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from situ.errors import BadFormat
from situ.perception.detections import Detections
from situ.perception.stages import Detector
from situ.recording.codec import Rgb
from situ.text_files import read_table


@dataclass(frozen=True)
class Meaning:
    """The name of a thing, "" to leave it out, and how often a detector that is sure of it is right."""

    name: str
    trust: float = 1.0


class Names:
    """Meanings by the words of a detector; a word that is not among them means itself.

    >>> import numpy as np
    >>> names = Names({"couch": Meaning("sofa"), "tv": Meaning("television", 0.5), "bird": Meaning("")})
    >>> found = Detections(("couch", "tv", "bird", "cup"), (0.9, 0.8, 0.7, 0.6), np.zeros((4, 4)))
    >>> names.of(found).labels, names.of(found).scores
    (('sofa', 'television', 'cup'), (0.9, 0.4, 0.6))
    """

    def __init__(self, meanings: Mapping[str, Meaning]) -> None:
        self._meanings = {word.casefold(): meaning for word, meaning in meanings.items()}

    def of(self, found: Detections) -> Detections:
        """The same detections in your words."""
        meant = [self._meanings.get(label.casefold(), Meaning(label)) for label in found.labels]
        kept = [i for i, meaning in enumerate(meant) if meaning.name]
        rows = np.array(kept, dtype=np.intp)
        return replace(
            found,
            labels=tuple(meant[i].name for i in kept),
            scores=tuple(found.scores[i] * meant[i].trust for i in kept),
            boxes_xyxy=found.boxes_xyxy[rows],
            masks=None if found.masks is None else found.masks[rows],
            track_ids=None if found.track_ids is None else tuple(found.track_ids[i] for i in kept),
            embeddings=None if found.embeddings is None else found.embeddings[rows],
        )


class RenamingDetector:
    """A detector that speaks your words."""

    def __init__(self, detector: Detector, names: Names) -> None:
        self._detector, self._names = detector, names

    def prepare(self, pictures: Sequence[Rgb]) -> None:
        ahead = getattr(self._detector, "prepare", None)
        if ahead is not None:
            ahead(pictures)

    def detect(self, rgb: Rgb) -> Detections:
        return self._names.of(self._detector.detect(rgb))


def read_names(file: Path) -> Names:
    """From a CSV file: `word,name` and if wanted `trust`; a word without a name is left out."""
    rows = read_table(file, skipinitialspace=True)
    meanings: dict[str, Meaning] = {}
    for number, row in enumerate(rows, 2):
        word, name, trust = ((row.get(key) or "").strip() for key in ("word", "name", "trust"))
        try:
            share = float(trust) if trust else 1.0
        except ValueError:
            share = -1.0
        if not word or "name" not in row or not 0 < share <= 1:
            raise BadFormat(
                f"{file}, line {number}: must hold word and name, and if wanted a trust above 0 and up to 1; "
                f"the first line is 'word,name' or 'word,name,trust'"
            )
        meanings[word] = Meaning(name, share)
    if not meanings:
        raise BadFormat(f"{file} holds no words; its first line is 'word,name' or 'word,name,trust'")
    return Names(meanings)
