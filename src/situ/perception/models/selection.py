"""Names on the command line turned into stages."""

import importlib
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from situ.errors import BadInput
from situ.geometry.camera import Camera
from situ.perception.models.captions import Captions
from situ.perception.models.catalogue import BY_NAME, ROLE_OF_FAMILY
from situ.perception.models.depth import TransformersDepth
from situ.perception.models.detect import NamedThings
from situ.perception.models.fast_depth import FastDepth
from situ.perception.models.moge import MogeDepth
from situ.perception.models.onnx_detect import OnnxDetector
from situ.perception.models.onnx_session import (
    DEPTH_MAP,
    DETECTOR,
    MOGE,
    YOLOX,
    file_of,
    kind_of,
    open_session,
)
from situ.perception.models.places import PictureWords
from situ.perception.models.runtime import loading, transformers
from situ.perception.models.sam3 import NamedMasks
from situ.perception.models.signs import SignReader
from situ.perception.models.track import MaskTracker
from situ.perception.models.views import DepthAnything3, ManyViews
from situ.perception.models.vocabulary import THINGS
from situ.perception.models.yolox import Yolox
from situ.perception.photos.eye import PhotoEye
from situ.perception.photos.network import PhotoNetwork
from situ.perception.stages import Captioner, DepthStage, Detector, Embedder, Eye, PlaceTagger, Tracker
from situ.registry import Registry

DETECT_EVERY = 5  # looks between two detections while a tracker follows
# Detectors of other packages: each is made from the names that it is to look for.
DETECTORS: Registry[Callable[[Sequence[str]], Detector]] = Registry("detector")


@dataclass(frozen=True, eq=False)
class Chosen:
    """The stages that the chosen models make."""

    depth: DepthStage | None = None
    detector: Detector | None = None
    tracker: Tracker | None = None
    embedder: Embedder | None = None
    places: PlaceTagger | None = None
    captions: Captioner | None = None
    views: ManyViews | None = None
    signs: Detector | None = None
    detect_every: int = 1
    eye: Eye | None = None


def load_models(
    names: Sequence[str], vocabulary: Sequence[str] = (), device: str = "auto", camera: Camera | None = None
) -> Chosen:
    """Load models by their short name, hub id or folder. Two for one role is an error."""
    words = tuple(vocabulary) or THINGS
    chosen = Chosen()
    for name in names:
        own = _detector_of_others(name)
        if own is not None:
            chosen = _with(chosen, name, {"detector": own(words)})
            continue
        hub_id, family = _known(name)
        role = ROLE_OF_FAMILY.get(family)
        if role is None:
            raise BadInput(
                f"'{name}' is a model of the kind '{family}', for which situ has no adapter; "
                f"kinds: {', '.join(sorted(ROLE_OF_FAMILY))}"
            )
        chosen = _with(chosen, name, _MAKERS[role](hub_id, family, words, device, camera))
    if chosen.tracker is not None and chosen.detector is None:
        raise BadInput("a tracker follows what a detector finds; add one, such as mm-gdino-tiny")
    return replace(chosen, detect_every=DETECT_EVERY) if chosen.tracker is not None else chosen


def _detector_of_others(name: str) -> Callable[[Sequence[str]], Detector] | None:
    """A detector that a plugin registered, or that is named as `package.module:factory`."""
    module, colon, factory = name.partition(":")
    if not colon or not factory.isidentifier():
        return DETECTORS.get(name) if name not in BY_NAME else None
    try:
        found: Callable[[Sequence[str]], Detector] = getattr(importlib.import_module(module), factory)
    except (ImportError, AttributeError) as error:
        raise BadInput(f"the detector '{name}' cannot be imported: {error}") from error
    return found


def _with(chosen: Chosen, name: str, stages: dict[str, Any]) -> Chosen:
    taken = [stage for stage in stages if getattr(chosen, stage) is not None]
    if taken:
        raise BadInput(f"'{name}' is a second model for {', '.join(taken)}; choose one")
    return replace(chosen, **stages)


def _known(name: str) -> tuple[str, str]:
    """Hub id or folder, and the kind of model found there."""
    if name in BY_NAME:
        return BY_NAME[name].hub_id, BY_NAME[name].family
    card = next((card for card in BY_NAME.values() if card.hub_id == name), None)
    if card is not None:
        return name, card.family
    path = Path(name)
    if path.suffix == ".onnx" or (path.is_dir() and any(path.glob("*.onnx"))):
        return name, kind_of(name, open_session(name, "an ONNX model"))
    if (path / "config.json").is_file():
        return name, str(json.loads((path / "config.json").read_text(encoding="utf-8")).get("model_type", ""))
    with loading(name):
        return name, str(transformers().AutoConfig.from_pretrained(name).model_type)


def _depth(
    name: str, family: str, words: Sequence[str], device: str, camera: Camera | None
) -> dict[str, Any]:
    if family == MOGE:
        return {"depth": MogeDepth(name, camera)}
    if family == DEPTH_MAP:
        return {"depth": FastDepth(name, camera)}
    return {"depth": TransformersDepth(name, device, camera)}


def _objects(
    name: str, family: str, words: Sequence[str], device: str, camera: Camera | None
) -> dict[str, Any]:
    if family == DETECTOR:  # it knows its own names: a list that nobody gave is none
        return {"detector": OnnxDetector(name, () if words is THINGS else words)}
    if family == YOLOX:
        return {"detector": Yolox(name, () if words is THINGS else words)}
    return {"detector": NamedThings(name, words, device)}


def _photo_eyes(
    name: str, family: str, words: Sequence[str], device: str, camera: Camera | None
) -> dict[str, Any]:
    if camera is None:
        raise BadInput(f"'{name}' needs the lens of the pictures that it looks at")
    eye = PhotoEye(PhotoNetwork(file_of(name)), camera)
    return {"depth": eye, "eye": eye, "places": eye}


def _many_views(
    name: str, family: str, words: Sequence[str], device: str, camera: Camera | None
) -> dict[str, Any]:
    return {"views": DepthAnything3(name, device)}


def _picture_words(
    name: str, family: str, words: Sequence[str], device: str, camera: Camera | None
) -> dict[str, Any]:
    both = PictureWords(name, device)
    return {"places": both, "embedder": both}


_MAKERS: dict[str, Callable[..., dict[str, Any]]] = {
    "depth": _depth,
    "depth and pose": _many_views,
    "objects": _objects,
    "eyes": _photo_eyes,
    "tracks": lambda name, family, words, device, camera: {"tracker": MaskTracker(name, device)},
    "objects and tracks": lambda name, family, words, device, camera: {
        "detector": NamedMasks(name, words, device)
    },
    "places": _picture_words,
    "signs": lambda name, family, words, device, camera: {"signs": SignReader()},
    "captions": lambda name, family, words, device, camera: {"captions": Captions(name, device)},
}
