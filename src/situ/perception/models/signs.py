"""Signs, door numbers and labels, read by RapidOCR: what they say becomes their name ("room 204 sign")."""

import re
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from situ.errors import MissingExtra
from situ.perception.detections import Detections
from situ.recording.codec import Rgb

LEAST_SCORE = 0.75
_FEWEST_SIGNS, _MOST_SIGNS = 2, 40  # letters and digits of one line
_LOWEST_PX, _EDGE_SHARE = 9.0, 0.012
_LONGEST_SIDE = 960
# What printed letters and digits are taken for each other.
_DIGITS, _LETTERS = str.maketrans("OoIl", "0011"), str.maketrans("01", "OI")
Lines = list[tuple[str, float, NDArray[np.float64]]]  # text, score, corners (4, 2)


class SignReader:
    """Finds written words in a picture. `read` may stand in for the network."""

    def __init__(self, read: Callable[[Rgb], Lines] | None = None) -> None:
        self._read = read or _rapidocr()

    def detect(self, rgb: Rgb) -> Detections:
        """Words that the picture's edge may have cut are left out: half of one is another."""
        labels, scores, boxes = [], [], []
        edge, width = max(3.0, _EDGE_SHARE * rgb.shape[1]), rgb.shape[1]
        for text, score, corners in self._read(rgb):
            name = sign_name(text)
            left, top = np.min(corners, axis=0)
            right, bottom = np.max(corners, axis=0)
            whole = left > edge and right < width - edge and right > left
            if name and whole and score >= LEAST_SCORE and bottom - top >= _LOWEST_PX:
                labels.append(name)
                scores.append(float(score))
                boxes.append([left, top, right, bottom])
        return Detections(tuple(labels), tuple(scores), np.array(boxes, dtype=float).reshape(-1, 4))


def sign_name(text: str) -> str:
    """What a thing with such words on it is called; "" for what is no word.

    >>> sign_name("R00M 2O4")
    'room 204 sign'
    """
    words = [_mended(word) for word in re.findall(r"[^\W_]+(?:[.'&-][^\W_]+)*", text)]
    if not _FEWEST_SIGNS <= sum(len(word) for word in words) <= _MOST_SIGNS:
        return ""
    return f"{' '.join(words).lower()} sign"


def _mended(word: str) -> str:
    """Zeros in a word of letters are letters, and letters in a number are digits."""
    letters, digits = sum(c.isalpha() for c in word), sum(c.isdigit() for c in word)
    if letters >= digits and not set(word) & set("23456789"):
        return word.translate(_LETTERS) if letters else word
    if digits > letters and word.translate(_DIGITS).isdigit():
        return word.translate(_DIGITS)
    return word


def _rapidocr() -> Callable[[Rgb], Lines]:
    try:
        from rapidocr import RapidOCR
    except ModuleNotFoundError as error:
        raise MissingExtra("signs", "reading signs (rapidocr)") from error
    limits = {"Det.limit_type": "max", "Det.limit_side_len": _LONGEST_SIDE, "Global.log_level": "error"}
    engine: Any = RapidOCR(params=limits)

    def read(rgb: Rgb) -> Lines:
        found = engine(np.ascontiguousarray(rgb[:, :, ::-1]))  # it takes blue first
        if found.boxes is None or found.txts is None:
            return []
        return [
            (str(text), float(score), np.asarray(box, dtype=float))
            for text, score, box in zip(found.txts, found.scores, found.boxes, strict=True)
        ]

    return read
