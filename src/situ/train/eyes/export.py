"""The network as one ONNX file with everything that is needed to read what it says."""

import io
import json
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import torch

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
    SHELL,
    STRIDE,
    SURFACES,
    WIDTH,
)
from situ.train.eyes.network import Exported, HomeEyes

OPSET = 17


def export(eyes: HomeEyes, file: Path, about: dict[str, Any]) -> None:
    """Write the network. Weights are stored as 16-bit floats and read as 32-bit ones: half the size."""
    try:
        import onnx
        from onnx import helper, numpy_helper
    except ImportError as error:
        raise MissingExtra("eyes", "writing a network as ONNX") from error
    whole = Exported(eyes.to("cpu").float().eval()).eval()
    rgb = torch.zeros((1, HEIGHT, WIDTH, 3), dtype=torch.uint8)
    buffer = io.BytesIO()
    with warnings.catch_warnings():
        # The newer exporter needs one more package and gives the same graph.
        warnings.simplefilter("ignore")
        torch.onnx.export(
            whole,
            (rgb,),
            buffer,
            input_names=["rgb"],
            output_names=["label", "sure", "fields"],
            opset_version=OPSET,
            dynamo=False,
        )
    model = onnx.load_model_from_string(buffer.getvalue())
    graph = model.graph
    casts = []
    for tensor in graph.initializer:
        values = numpy_helper.to_array(tensor)
        if values.dtype == np.float32 and values.size > 64:
            name = tensor.name
            tensor.CopyFrom(numpy_helper.from_array(values.astype(np.float16), f"{name}.half"))
            casts.append(helper.make_node("Cast", [f"{name}.half"], [name], to=onnx.TensorProto.FLOAT))
    for node in reversed(casts):
        graph.node.insert(0, node)
    meaning = {
        "names": NAMES, "shell": len(SHELL), "colored": COLORED, "colors": COLORS, "materials": MATERIALS,
        "surfaces": SURFACES, "fields": FIELDS, "stride": STRIDE, "focal": FOCAL, "centre_px": CENTRE_PX,
        **about,
    }  # fmt: skip
    entry = model.metadata_props.add()
    entry.key, entry.value = "situ", json.dumps(meaning)
    part = file.with_suffix(".part")
    part.write_bytes(model.SerializeToString())
    part.replace(file)
