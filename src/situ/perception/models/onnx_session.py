"""ONNX files: opened by onnxruntime alone, and known by what they give out."""

from pathlib import Path
from typing import Any

from situ.errors import BadInput, MissingExtra
from situ.perception.models.runtime import loading

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
    """A session of a file, of the file in a folder, or of a model on the hub."""
    try:
        import onnxruntime
    except ModuleNotFoundError as error:
        raise MissingExtra("models", f"{what} (onnxruntime)") from error
    with loading(name):
        providers = onnxruntime.get_available_providers()
        return onnxruntime.InferenceSession(str(file_of(name)), providers=providers)


def file_of(name: str) -> Path:
    path = Path(name)
    if path.is_file():
        return path
    if path.is_dir():
        return next(iter(sorted(path.glob("*.onnx"))), path / "model.onnx")
    from huggingface_hub import hf_hub_download

    return Path(hf_hub_download(name, "model.onnx"))


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
