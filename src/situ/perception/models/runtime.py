"""Loading models and feeding them: devices, number types, pictures as tensors, failures in clear words."""

import copy
import json
import math
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from situ.errors import BadInput, MissingExtra
from situ.recording.codec import Rgb

EXTRA = "models"
_TURN, _THREAD = threading.RLock(), threading.local()


def torch() -> Any:
    """The torch module, or the line that installs it."""
    try:
        import torch as found
    except ModuleNotFoundError as error:
        raise MissingExtra(EXTRA, "running a model") from error
    return found


def transformers() -> Any:
    try:
        import transformers as found
    except ModuleNotFoundError as error:
        raise MissingExtra(EXTRA, "running a model") from error
    found.utils.logging.disable_progress_bar()
    found.utils.logging.set_verbosity_error()
    return found


@dataclass(frozen=True)
class Optics:
    """How a model wants its pictures: the size where it is fixed, and the colours' mean and deviation."""

    mean: tuple[float, ...]
    std: tuple[float, ...]
    height: int = 0
    width: int = 0


def optics(name: str) -> Optics:
    """From the model's own preprocessing file, whichever way it is laid out; no image library is needed."""
    from transformers.utils import cached_file

    found: dict[str, Any] = {}
    for file in ("preprocessor_config.json", "processor_config.json"):
        path = cached_file(name, file, _raise_exceptions_for_missing_entries=False)
        if path is not None:
            entries = json.loads(Path(path).read_text(encoding="utf-8"))
            found = entries.get("image_processor", entries) | found
    size = found.get("size") or {}
    return Optics(
        tuple(found.get("image_mean", (0.5, 0.5, 0.5))),
        tuple(found.get("image_std", (0.5, 0.5, 0.5))),
        int(size.get("height", 0)),
        int(size.get("width", 0)),
    )


@dataclass(frozen=True)
class Place:
    """Where a model runs and with which numbers: bfloat16 on a GPU, float32 on a CPU."""

    device: str
    dtype: Any

    @classmethod
    def choose(cls, device: str = "auto") -> "Place":
        t = torch()
        if device == "auto":
            device = "cuda" if t.cuda.is_available() else "cpu"
        if device.startswith("cuda") and not t.cuda.is_available():
            raise BadInput("--device cuda was asked for, but torch sees no GPU; use --device cpu")
        return cls(device, t.bfloat16 if device.startswith("cuda") else t.float32)


def pretrained(kind: Any, name: str, place: Place) -> Any:
    """A model of a class of transformers, on its device and ready to look.

    Weights are read once a process: whoever watches a thousand recordings with the same models waits for them
    once. Each caller gets modules of its own around them, as some are given hooks.
    """
    whole = _loaded(kind, name, place)
    weights = {id(tensor): tensor for tensor in (*whole.parameters(), *whole.buffers())}
    return copy.deepcopy(whole, weights)


@lru_cache(maxsize=8)  # more than anybody looks through at once
def _loaded(kind: Any, name: str, place: Place) -> Any:
    return kind.from_pretrained(name, dtype=place.dtype).to(place.device).eval()


@contextmanager
def loading(name: str) -> Iterator[None]:
    """Failures while a model is loaded, in words that say what to do."""
    try:
        yield
    except MissingExtra:
        raise
    except ImportError as error:
        raise MissingExtra(EXTRA, f"the model '{name}' ({_brief(error)})") from error
    except (OSError, ValueError, RuntimeError, KeyError) as error:
        raise BadInput(f"the model '{name}' could not be loaded: {_reason(error)}") from error


@contextmanager
def running(name: str) -> Iterator[None]:
    """A model that runs, and its failures. Nothing that was seen before is lost by them."""
    try:
        with _side_by_side():
            yield
    except (MemoryError, RuntimeError) as error:
        if not _is_out_of_memory(error):
            raise
        raise BadInput(
            f"the model '{name}' does not fit in memory ({_brief(error)}); choose a smaller one, fewer "
            "models at once, or --device cpu"
        ) from error


@contextmanager
def _side_by_side() -> Iterator[None]:
    """On a GPU each thread works on a line (stream) of its own: a look does not wait for all that the thread
    ahead has put into one. What was made is ready at the end, so that other threads may use it and drop it.
    On a CPU networks take turns: each has threads for all of its cores."""
    t = sys.modules.get("torch")
    if t is None or not t.cuda.is_initialized():
        with _TURN:
            yield
        return
    if not hasattr(_THREAD, "line"):
        _THREAD.line = t.cuda.Stream()
    _THREAD.line.wait_stream(t.cuda.default_stream())  # on which weights were loaded
    with t.cuda.stream(_THREAD.line):
        yield
    _THREAD.line.synchronize()


def _reason(error: Exception) -> str:
    text = _brief(error)
    low = text.lower()
    if _is_out_of_memory(error):
        return f"it does not fit in memory ({text}); choose a smaller one or --device cpu"
    if any(
        sign in low for sign in ("offline mode", "couldn't connect", "connection error", "name resolution")
    ):
        return (
            f"there is no network and it is not on this machine ({text}); download it once where there is "
            "one, and give the folder"
        )
    if "gated" in low or "401" in low or "403" in low:
        return f"its owner wants you to ask for access first ({text})"
    if "not a valid model identifier" in low or "404" in low or "not found" in low:
        return f"there is no such id on the hub and no such folder here ({text}); `situ doctor --models`"
    return text


def _brief(error: BaseException) -> str:
    return " ".join(str(error).split())[:200] or type(error).__name__


def _is_out_of_memory(error: BaseException) -> bool:
    return (
        isinstance(error, MemoryError)
        or "out of memory" in str(error).lower()
        or ("can't allocate memory" in str(error).lower())
    )


def to_tensor(pictures: Sequence[Rgb], place: Place) -> Any:
    """Pictures of one size as (n, 3, height, width) in 0..1 on the device; bytes travel, not floats."""
    t = torch()
    stacked = t.from_numpy(np.ascontiguousarray(np.stack(pictures)))
    if place.device.startswith("cuda"):
        stacked = stacked.pin_memory().to(place.device, non_blocking=True)
    return stacked.permute(0, 3, 1, 2).float() / 255


def resized(pictures: Any, size: tuple[int, int]) -> Any:
    """To (height, width), smoothly, without ringing when made smaller."""
    if tuple(pictures.shape[-2:]) == size:
        return pictures
    functional = torch().nn.functional
    return functional.interpolate(pictures, size=size, mode="bicubic", align_corners=False, antialias=True)


def normalised(pictures: Any, mean: Sequence[float], std: Sequence[float], place: Place) -> Any:
    """With the colours that the model knows, in its number type (resizing was done in full precision)."""
    t = torch()
    shape = (1, 3, 1, 1)
    mean_t = t.tensor(mean, device=pictures.device, dtype=pictures.dtype).view(shape)
    std_t = t.tensor(std, device=pictures.device, dtype=pictures.dtype).view(shape)
    return ((pictures - mean_t) / std_t).to(place.dtype)


def fitting_size(height: int, width: int, longest: int, multiple: int) -> tuple[int, int]:
    """(height, width) of the same shape with the longer side at most `longest`, both multiples."""
    scale = longest / max(height, width)
    return (
        max(multiple, math.floor(height * scale / multiple + 0.5) * multiple),
        max(multiple, math.floor(width * scale / multiple + 0.5) * multiple),
    )
