"""Export of the network to one ONNX file in 8-bit arithmetic, with all metadata for its outputs."""

import json
import logging
import tempfile
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from situ.errors import MissingExtra
from situ.perception.homes.channels import (
    CENTRE_PX,
    COLORED,
    COLORS,
    FIELDS,
    FOCAL,
    HEIGHT,
    MATERIALS,
    NAMES,
    ROOMS,
    SHELL,
    STRIDE,
    SURFACES,
    WIDTH,
)
from situ.train.eyes.network import Exported, HomeEyes

OPSET = 17  # ONNX version
HEADS = (
    "names",
    "fields",
    "rooms",
)  # their convolutions stay in floating point: they are cheap, and quantisation would be visible
ROUNDED = ("Conv", "Relu", "Add", "Resize", "Slice")


def export(
    eyes: HomeEyes, file: Path, about: dict[str, Any], frames: NDArray[np.uint8], rounded: bool = True
) -> None:
    """Write the network. `frames` (n, h, w, 3) calibrate the quantisation."""
    try:
        import onnx
        import onnxruntime  # noqa: F401
    except ImportError as error:
        raise MissingExtra("teach", "writing a network as ONNX") from error
    with tempfile.TemporaryDirectory() as folder:
        plain = Path(folder) / "plain.onnx"
        _write(eyes, plain)
        if rounded:
            whole, plain = plain, Path(folder) / "rounded.onnx"
            _round(whole, plain, frames)
        model = onnx.load(str(plain))
    meaning = {
        "names": NAMES, "shell": len(SHELL), "colored": COLORED, "colors": COLORS, "materials": MATERIALS,
        "surfaces": SURFACES, "fields": FIELDS, "rooms": ROOMS, "stride": STRIDE, "focal": FOCAL,
        "centre_px": CENTRE_PX, **about,
    }  # fmt: skip
    entry = model.metadata_props.add()
    entry.key, entry.value = "situ", json.dumps(meaning)
    part = file.with_suffix(".part")
    part.write_bytes(model.SerializeToString())
    part.replace(file)


def _write(eyes: HomeEyes, file: Path) -> None:
    whole = Exported(eyes.to("cpu").float().eval()).eval()
    with warnings.catch_warnings():
        # The newer exporter requires another package and gives the same graph.
        warnings.simplefilter("ignore")
        torch.onnx.export(
            whole,
            (torch.zeros((1, HEIGHT, WIDTH, 3), dtype=torch.uint8),),
            str(file),
            input_names=["rgb"],
            output_names=["label", "sure", "fields", "rooms"],
            opset_version=OPSET,
            dynamo=False,
        )


def _round(whole: Path, file: Path, frames: NDArray[np.uint8]) -> None:
    """Quantise weights per channel and activations to bytes: a third of the time and a quarter of the
    size."""
    import onnx
    from onnxruntime.quantization import CalibrationDataReader, QuantFormat, QuantType, quantize_static

    class Frames(CalibrationDataReader):  # type: ignore[misc]
        def __init__(self) -> None:
            self.rest = iter(frames)

        def get_next(self) -> dict[str, NDArray[np.uint8]] | None:
            frame = next(self.rest, None)
            return None if frame is None else {"rgb": frame[None]}

    floats = [
        node.name
        for node in onnx.load(str(whole)).graph.node
        if node.op_type not in ROUNDED or any(f"/eyes/{head}/" in node.name for head in HEADS)
    ]
    logging.disable(logging.WARNING)  # it recommends a step that changes nothing here
    try:
        quantize_static(
            str(whole),
            str(file),
            Frames(),
            quant_format=QuantFormat.QDQ,
            op_types_to_quantize=list(ROUNDED),
            nodes_to_exclude=[name for name in floats if name],
            per_channel=True,
            activation_type=QuantType.QUInt8,
            weight_type=QuantType.QInt8,
        )
    finally:
        logging.disable(logging.NOTSET)
