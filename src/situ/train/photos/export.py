"""The network as one ONNX file in 8-bit arithmetic, with everything that is needed to read what it says."""

import json
import logging
import tempfile
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from situ.errors import MissingExtra
from situ.perception.homes.channels import COLORED, COLORS, MATERIALS, ROOMS, SHELL
from situ.perception.photos.channels import (
    CENTRE_PX,
    FIELDS,
    FOCAL,
    LONG,
    PATCH,
    STRIDE,
    TOLD,
    WHOLE,
    WORDS,
)
from situ.train.photos.network import PhotoEyes, lens_of

OPSET = 17
OUTPUTS = ("label", "sure", "fields", "rooms", "whole", "five", "chances")
LIKELIEST = 5  # names of a cell that are told
# Layers that write the answers stay in floats: they are cheap, and rounding would be seen.
ANSWERS = ("/names/", "/words/", "/fields/", "/up/", "/scale/", "/rooms/", "/readable/")


class Exported(nn.Module):  # type: ignore[misc]
    """Takes pictures as bytes and `lens_of`; gives `OUTPUTS`."""

    def __init__(self, eyes: PhotoEyes) -> None:
        super().__init__()
        self.eyes = eyes
        self.words = nn.Linear(len(WORDS), len(TOLD), bias=False)  # adds up the chances of one word
        self.words.weight.data = torch.tensor([[float(word == told) for word in WORDS] for told in TOLD])

    def forward(self, rgb: Tensor, lens: Tensor) -> tuple[Tensor, ...]:
        names, fields, rooms, whole = self.eyes.answers(rgb.permute(0, 3, 1, 2).float() / 255.0, lens)
        by_rows = names.permute(0, 2, 3, 1).softmax(dim=-1)  # three times as fast as by columns
        chances, five = self.words(by_rows).topk(LIKELIEST, dim=-1)
        five = five.to(torch.int32)
        return five[..., 0], chances[..., 0], fields, rooms.softmax(dim=-1), whole, five, chances


def export(
    eyes: PhotoEyes,
    file: Path,
    about: dict[str, Any],
    frames: Sequence[tuple[NDArray[np.uint8], float]],
    rounded: bool = True,
) -> None:
    """Write the network. `frames`, pictures of one size with their focal lengths, show how large its inner
    numbers get, for rounding them."""
    try:
        import onnx
        import onnxruntime  # noqa: F401
    except ImportError as error:
        raise MissingExtra("teach", "writing a network as ONNX") from error
    with tempfile.TemporaryDirectory() as folder:
        plain = Path(folder) / "plain.onnx"
        _write(eyes, plain, frames[0][0].shape[:2])
        if rounded:
            plain = _rounded(plain, frames)
        model = onnx.load(str(plain))
    meaning = {
        "names": TOLD, "shell": len(SHELL), "colored": COLORED, "colors": COLORS, "materials": MATERIALS,
        "surfaces": (), "fields": FIELDS, "rooms": ROOMS, "stride": STRIDE, "patch": PATCH, "focal": FOCAL,
        "long": LONG, "centre_px": CENTRE_PX, "whole": WHOLE, **about,
    }  # fmt: skip
    entry = model.metadata_props.add()
    entry.key, entry.value = "situ", json.dumps(meaning)
    part = file.with_suffix(".part")
    part.write_bytes(model.SerializeToString())
    part.replace(file)


def _write(eyes: PhotoEyes, file: Path, size: tuple[int, int]) -> None:
    whole = Exported(eyes.to("cpu").float().eval()).eval()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the newer exporter needs one more package and gives the same graph
        torch.onnx.export(
            whole,
            (torch.zeros((1, *size, 3), dtype=torch.uint8), torch.zeros((1, 2))),
            str(file),
            input_names=["rgb", "lens"],
            output_names=list(OUTPUTS),
            opset_version=OPSET,
            dynamo=False,
            dynamic_axes={"rgb": {1: "height", 2: "width"}},
        )


def _rounded(plain: Path, frames: Sequence[tuple[NDArray[np.uint8], float]]) -> Path:
    """Convolutions of the heads by what frames show; products of the backbone by what each picture shows."""
    import onnx
    from onnxruntime.quantization import (
        CalibrationDataReader,
        QuantFormat,
        QuantType,
        quantize_dynamic,
        quantize_static,
    )

    class Frames(CalibrationDataReader):  # type: ignore[misc]
        def __init__(self) -> None:
            self.rest = iter(frames)

        def get_next(self) -> dict[str, NDArray[Any]] | None:
            rgb, focal = next(self.rest, (None, 0.0))
            if rgb is None:
                return None
            lens = lens_of(torch.empty((1, 3, *rgb.shape[:2])), torch.tensor([focal]))
            return {"rgb": rgb[None], "lens": lens.numpy()}

    nodes = onnx.load(str(plain)).graph.node
    answers = [node.name for node in nodes if any(part in node.name for part in ANSWERS)]
    embeds = [node.name for node in nodes if "/patch_embed/" in node.name]
    positions = [node.name for node in nodes if node.name.startswith("/MatMul")]  # of no layer: `ViT.embed`
    first, second = plain.with_name("convolutions.onnx"), plain.with_name("rounded.onnx")
    logging.disable(logging.WARNING)  # it advises a step that changes nothing here
    try:
        quantize_static(
            str(plain), str(first), Frames(), quant_format=QuantFormat.QDQ, op_types_to_quantize=["Conv"],
            nodes_to_exclude=answers + embeds, per_channel=True, activation_type=QuantType.QUInt8,
            weight_type=QuantType.QInt8,
        )  # fmt: skip
        quantize_dynamic(
            str(first), str(second), op_types_to_quantize=["MatMul"],
            nodes_to_exclude=answers + positions, per_channel=True, weight_type=QuantType.QInt8,
        )  # fmt: skip
    finally:
        logging.disable(logging.NOTSET)
    return second
