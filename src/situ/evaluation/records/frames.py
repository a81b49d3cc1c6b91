"""Which frames a participant sees, and their exact bytes.

A policy is a list of steps, written as on the command line:

    all              every frame up to the moment of asking
    given            the frames that the question names, or all where it names none
    fps:2            at most two frames per second
    uniform:32       32 frames, evenly spread, first and last included
    recent:64        the last 64
    window:60        those of the last 60 seconds
    first, last, middle   one frame
    ends             the first and the last frame
    evidence         those that decide the question: an oracle, and no fair way to be asked
    decay:128        128 frames, 60 % of them of the last 30 s, 30 % of the last 5 minutes, the rest earlier
    shuffled         the frames in an order of no meaning (the same for every question of a recording)
    twice            the frames, and then all of them again

Steps are joined by commas and applied from left to right; `@512` at the end makes the longer side at most
512 pixels, `@960x640` makes every picture of that size: "fps:1,recent:64@512". No policy ever shows a
frame from after the moment of asking.
"""

import hashlib
import math
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from threading import RLock
from typing import TypeVar

import cv2
import numpy as np

from situ.benchmarks.dataset import QuestionRow
from situ.errors import BadInput
from situ.recording import Recording
from situ.recording.codec import Rgb, encode_jpeg

_TIME_SLACK_S = 1e-6
KEPT_FRAMES = 1024  # of one recording in one size
MOST_SIDE = 16384
# Ages of frames when a question is asked, and how many of the frames shown are of that age.
DECAY_S = ((0.0, 30.0, 0.6), (30.0, 300.0, 0.3), (300.0, math.inf, 0.1))
Size = int | tuple[int, int] | None  # the longer side at most, or width and height; None: as stored
Key = TypeVar("Key")
Value = TypeVar("Value")
_COUNTED = ("fps", "uniform", "recent", "window", "decay")
_WHOLE = ("uniform", "recent", "decay")
_PLAIN = ("all", "given", "evidence", "first", "last", "middle", "ends", "shuffled", "twice")


@dataclass(frozen=True)
class FramePolicy:
    """Steps with their numbers (0 for those that take none), and the size of pictures if it is said: the
    longer side at most, or width and height."""

    steps: tuple[tuple[str, float], ...] = (("all", 0.0),)
    size: Size = None

    @classmethod
    def parse(cls, text: str) -> "FramePolicy":
        words, _, said = text.strip().partition("@")
        sides = said.split("x") if said else []
        if said and not (len(sides) <= 2 and all(s.isdigit() and 0 < int(s) <= MOST_SIDE for s in sides)):
            raise BadInput(
                f"frame policy '{text}': after @ comes a longer side or WIDTHxHEIGHT in pixels, not '{said}'"
            )
        size: Size = (int(sides[0]), int(sides[1])) if len(sides) == 2 else int(said) if said else None
        steps = tuple(_step(word.strip(), text) for word in words.split(",")) if words else (("all", 0.0),)
        return cls(steps, size)

    def __str__(self) -> str:
        words = ",".join(f"{name}:{number:g}" if number else name for name, number in self.steps)
        if isinstance(self.size, tuple):
            return f"{words}@{self.size[0]}x{self.size[1]}"
        return f"{words}@{self.size}" if self.size else words

    def then(self, step: str) -> "FramePolicy":
        """The same policy with one more step."""
        return FramePolicy((*self.steps, _step(step, step)), self.size)

    def pick(self, recording: Recording, row: QuestionRow) -> tuple[int, ...]:
        """Numbers of the frames that are shown for a question, in the order shown."""
        times = recording.path.times
        until = math.inf if row.time is None else row.time + _TIME_SLACK_S
        shown = list(range(int(np.searchsorted(times, until, side="right"))))
        for name, number in self.steps:
            if name == "given":
                given = [int(i) for i in row.program.get("frames", ())]
                shown = [i for i in given if i in set(shown)] if given else shown
            elif name == "evidence":
                shown = [i for i in shown if i in set(row.evidence)]
            else:
                shown = _apply(name, number, shown, times, recording.folder.name)
        return tuple(shown)


def _step(word: str, whole: str) -> tuple[str, float]:
    name, _, number = word.partition(":")
    if name in _PLAIN and not number:
        return name, 0.0
    try:
        value = float(number)
    except ValueError:
        value = math.nan
    if name not in _COUNTED or not (0 < value < math.inf) or (name in _WHOLE and value != int(value)):
        known = ", ".join((*_PLAIN, *(f"{name}:N" for name in _COUNTED)))
        raise BadInput(f"frame policy '{whole}': unknown step '{word}'; steps are {known}")
    return name, value


def _apply(name: str, number: float, shown: list[int], times: np.ndarray, key: str) -> list[int]:
    if not shown or name == "all":
        return shown
    if name == "fps":
        return _thinned(shown, times, number)
    if name == "uniform":
        count = min(int(number), len(shown))
        places = (
            [len(shown) // 2] if count == 1 else np.linspace(0, len(shown) - 1, count).round().astype(int)
        )
        return [shown[i] for i in places]
    if name == "decay":
        return _decaying(shown, times, int(number))
    if name == "window":
        return [i for i in shown if times[i] >= times[shown[-1]] - number - _TIME_SLACK_S]
    if name == "shuffled":
        seed = int.from_bytes(hashlib.sha256(key.encode()).digest()[:8], "little")
        return [shown[i] for i in np.random.default_rng(seed).permutation(len(shown))]
    return {
        "recent": lambda: shown[-int(number) :],
        "first": lambda: shown[:1],
        "last": lambda: shown[-1:],
        "middle": lambda: [shown[len(shown) // 2]],
        "ends": lambda: [shown[0], shown[-1]] if len(shown) > 1 else shown,
        "twice": lambda: shown + shown,
    }[name]()


def _decaying(shown: list[int], times: np.ndarray, count: int) -> list[int]:
    """Evenly spread within each band; what a band cannot fill goes to the next, farther back."""
    ages, kept, wanted = times[shown[-1]] - times[shown], list[int](), 0.0
    for start, end, share in DECAY_S:
        band = [i for i, age in zip(shown, ages, strict=True) if start <= age < end]
        wanted += share * count
        take = min(len(band), round(wanted) - len(kept))
        kept += [band[i] for i in np.linspace(0, len(band) - 1, take).round().astype(int)]
    return sorted(kept)


def _thinned(shown: list[int], times: np.ndarray, fps: float) -> list[int]:
    """The first frame of every period of 1/fps seconds, counted from the first frame shown."""
    start = times[shown[0]]
    kept: list[int] = []
    last_period = -1
    for index in shown:
        period = math.floor((times[index] - start) * fps + _TIME_SLACK_S)
        if period > last_period:
            kept.append(index)
            last_period = period
    return kept


@dataclass(frozen=True)
class Pictures:
    """Frames as they are sent: numbers, JPEG bytes, and one hash over the bytes in order."""

    indices: tuple[int, ...]
    jpegs: tuple[bytes, ...]

    @cached_property
    def hash(self) -> str:
        digest = hashlib.sha256()
        for jpeg in self.jpegs:
            digest.update(hashlib.sha256(jpeg).digest())
        return digest.hexdigest()[:16] if self.jpegs else ""


class PictureStore:
    """Reads frames of one question set and keeps those of the last few recordings.

    Questions come recording by recording, so that most of them find their frames here: a frame is decoded and
    encoded once, whatever other frames a question is shown with it. Threads wait for each other.
    """

    def __init__(self, recording_of: Callable[[str], Recording], keep: int = 4) -> None:
        self._recording_of = recording_of
        self._keep = keep
        self._recordings: OrderedDict[str, Recording] = OrderedDict()
        self._jpegs: OrderedDict[tuple[str, Size], OrderedDict[int, bytes]] = OrderedDict()
        self._lock = RLock()

    def recording(self, item: str) -> Recording:
        with self._lock:
            if item not in self._recordings:
                self._recordings[item] = self._recording_of(item)
                _trim(self._recordings, self._keep)
            self._recordings.move_to_end(item)
            return self._recordings[item]

    def images(self, item: str, indices: Sequence[int]) -> list[Rgb]:
        with self._lock:
            return list(self.recording(item).images(indices))

    def pictures(self, item: str, indices: tuple[int, ...], size: Size = None) -> Pictures:
        with self._lock:
            known = self._jpegs.setdefault((item, size), OrderedDict())
            self._jpegs.move_to_end((item, size))
            _trim(self._jpegs, self._keep)
            missing = sorted(set(indices) - known.keys())
            if missing:
                known.update(zip(missing, jpegs(self.recording(item), missing, size), strict=True))
            found = Pictures(indices, tuple(known[index] for index in indices))
            _trim(known, max(KEPT_FRAMES, len(missing)))
            return found


def _trim(store: OrderedDict[Key, Value], keep: int) -> None:
    while len(store) > keep:
        store.popitem(last=False)


def jpegs(recording: Recording, indices: Sequence[int], size: Size = None) -> list[bytes]:
    """The stored bytes of frames, or those of frames made to size."""
    camera = recording.camera
    if isinstance(size, tuple) and size != (camera.width, camera.height):
        images = recording.images(indices)
        return [encode_jpeg(cv2.resize(image, size, interpolation=cv2.INTER_LANCZOS4)) for image in images]
    if isinstance(size, int) and max(camera.width, camera.height) > size:
        return [encode_jpeg(smaller(image, size)) for image in recording.images(indices)]
    return [recording.jpeg(index) for index in indices]


def smaller(image: Rgb, longer_side: int) -> Rgb:
    scale = longer_side / max(image.shape[:2])
    size = (max(1, round(image.shape[1] * scale)), max(1, round(image.shape[0] * scale)))
    shrunk: Rgb = cv2.resize(image, size, interpolation=cv2.INTER_AREA)
    return shrunk


def contact_sheets(images: Sequence[Rgb], per_sheet: int = 16, cell_width: int = 320) -> list[bytes]:
    """Frames tiled in reading order onto square-ish sheets, as JPEG."""
    columns = math.ceil(math.sqrt(per_sheet))
    sheets = []
    for start in range(0, len(images), per_sheet):
        cells = [smaller(image, cell_width) for image in images[start : start + per_sheet]]
        height, width = cells[0].shape[:2]
        rows = math.ceil(len(cells) / columns)
        sheet = np.zeros((rows * height, columns * width, 3), np.uint8)
        for place, cell in enumerate(cells):
            y, x = place // columns * height, place % columns * width
            sheet[y : y + height, x : x + width] = cell
        sheets.append(encode_jpeg(sheet))
    return sheets
