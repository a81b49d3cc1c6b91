"""ONNX files: opened by onnxruntime alone, and known by what they give out."""

from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import Any

from situ.errors import BadInput, MissingExtra
from situ.perception.models.runtime import loading
from situ.perception.onnx_options import session_options

MOGE, DETECTOR = "moge_onnx", "onnx_detector"
# Names of outputs that a file of a kind has, all of them, in lower case.
_KINDS: tuple[tuple[str, frozenset[str]], ...] = (
    (MOGE, frozenset({"points", "metric_scale"})),
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


def kind_of(name: str, session: Any) -> str:
    """What a model is, by the names of its outputs."""
    outputs = {entry.name.lower().split(":")[0] for entry in session.get_outputs()}
    for kind, needed in _KINDS:
        if needed <= outputs:
            return kind
    known = "; ".join(", ".join(sorted(needed)) for _, needed in _KINDS)
    raise BadInput(
        f"'{name}' gives {', '.join(sorted(outputs))}, by which no model is known; known outputs: {known}"
    )
