"""SSDLite-MobileNetV2 on COCO (Apache-2.0) as ONNX: `fetch_weights.py` calls this after its package came.

The weights come as a TensorFlow.js graph. Its convolutions are written as ONNX with `logits` and
`pred_boxes`, as `situ watch --models FOLDER/cocossd.onnx` takes them. Needs the package `onnx`.
"""

import base64
import json
import tarfile
from pathlib import Path
from typing import Any

import numpy as np

SIDE, CLASSES = 300, 91
# By COCO's numbers from 1 on; some were never used.
_NAMES = """
person bicycle car motorcycle airplane bus train truck boat traffic_light fire_hydrant - stop_sign
parking_meter bench bird cat dog horse sheep cow elephant bear zebra giraffe - backpack umbrella - -
handbag tie suitcase frisbee skis snowboard sports_ball kite baseball_bat baseball_glove skateboard
surfboard tennis_racket bottle - wine_glass cup fork knife spoon bowl banana apple sandwich orange
broccoli carrot hot_dog pizza donut cake chair couch potted_plant bed - dining_table - - toilet - tv
laptop mouse remote keyboard cell_phone microwave oven toaster sink refrigerator - book clock vase
scissors teddy_bear hair_drier toothbrush
"""
NAMES = _NAMES.split()


def convert(archive: Path, folder: Path) -> Path:
    """Write `cocossd.onnx` and its labels from the npm package."""
    import onnx

    with tarfile.open(archive) as packed:
        read = {Path(m.name).name: packed.extractfile(m) for m in packed.getmembers() if "coco-ssd" in m.name}
        data = {name: file.read() for name, file in read.items() if file is not None}
    onnx.save(converted(json.loads(data["model.json"]), data), folder / "cocossd.onnx")
    names = [("" if name == "-" else name.replace("_", " ")) for name in NAMES]
    (folder / "labels.txt").write_text("\n".join(names) + "\n", encoding="utf-8")
    return folder / "cocossd.onnx"


def weights_of(model: dict[str, Any], data: dict[str, bytes]) -> dict[str, np.ndarray]:
    found: dict[str, np.ndarray] = {}
    for group in model["weightsManifest"]:
        packed, at = b"".join(data[name] for name in group["paths"]), 0
        for entry in group["weights"]:
            kind = np.dtype({"float32": "<f4", "int32": "<i4"}[entry["dtype"]])
            count = int(np.prod(entry["shape"], dtype=int))
            found[entry["name"]] = np.frombuffer(packed, kind, count, at).reshape(entry["shape"])
            at += count * kind.itemsize
    return found


class Converter:
    """Convolutions of a TensorFlow graph as ONNX. Pictures are channels first in ONNX, last in TensorFlow."""

    def __init__(self, model: dict[str, Any], weights: dict[str, np.ndarray]) -> None:
        from onnx import helper, numpy_helper

        self._helper, self._to_tensor = helper, numpy_helper.from_array
        self._nodes = {node["name"]: node for node in model["modelTopology"]["node"]}
        self.weights, self.made, self.constants = weights, [], {}

    def constant(self, name: str, value: np.ndarray) -> str:
        if name not in self.constants:
            self.constants[name] = self._to_tensor(np.ascontiguousarray(value), name)
        return name

    def add(self, op: str, inputs: list[str], name: str, **attributes: Any) -> str:
        self.made.append(self._helper.make_node(op, inputs, [name], **attributes))
        return name

    def tensor(self, name: str) -> str:
        """An output of the TensorFlow graph, channels first; what it needs is converted on the way."""
        name = name.split(":")[0].lstrip("^")
        if any(name in node.output for node in self.made):
            return name
        if name in self.weights:
            value = self.weights[name].astype(np.float32)
            return self.constant(name, value.reshape(-1, 1, 1) if value.ndim == 1 else value)
        node = self._nodes[name]
        op, inputs = node["op"], [one for one in node.get("input", []) if not one.startswith("^")]
        if name.startswith("Preprocessor/"):
            return self._prepared()
        if op in ("Conv2D", "DepthwiseConv2dNative"):
            return self._convolution(node, inputs, name, op != "Conv2D")
        if op == "FusedBatchNorm":
            parts = [self.constant(one, self.weights[one].astype(np.float32)) for one in inputs[1:5]]
            epsilon = float(node["attr"]["epsilon"]["f"])
            return self.add("BatchNormalization", [self.tensor(inputs[0]), *parts], name, epsilon=epsilon)
        if op == "Relu6":
            limits = [self.constant(f"clip{k}", np.array(k, np.float32)) for k in (0, 6)]
            return self.add("Clip", [self.tensor(inputs[0]), *limits], name)
        if op in ("Add", "AddN", "BiasAdd", "Mul"):
            return self.add("Mul" if op == "Mul" else "Add", [self.tensor(one) for one in inputs[:2]], name)
        if op in ("Squeeze", "Identity"):
            return self.tensor(inputs[0])
        if op == "Reshape":
            width = CLASSES if "Class" in str(inputs[0]) else 4
            last = self.add("Transpose", [self.tensor(inputs[0])], f"{name}/last", perm=[0, 2, 3, 1])
            shape = self.constant(f"shape{width}", np.array([1, -1, width], np.int64))
            return self.add("Reshape", [last, shape], name)
        if op == "ConcatV2":
            return self.add("Concat", [self.tensor(one) for one in inputs[:-1]], name, axis=1)
        raise SystemExit(f"no rule for the operation {op} of {name}")

    def _prepared(self) -> str:
        if any("prepared" in node.output for node in self.made):
            return "prepared"
        two, one = (self.constant(f"number{k}", np.array(k, np.float32)) for k in (2, 1))
        doubled = self.add("Mul", ["pixel_values", two], "doubled")
        return self.add("Sub", [doubled, one], "prepared")

    def _convolution(self, node: dict[str, Any], inputs: list[str], name: str, depthwise: bool) -> str:
        kernel = self.weights[inputs[1]].astype(np.float32)  # rows, columns, in, out
        rows, columns, channels, many = kernel.shape
        order = kernel.transpose(2, 3, 0, 1).reshape(channels * many, 1, rows, columns)
        filters = order if depthwise else kernel.transpose(3, 2, 0, 1)
        strides = [int(k) for k in node["attr"]["strides"]["list"]["i"]][1:3]
        same = _text(node["attr"]["padding"]["s"]) == "SAME"
        return self.add(
            "Conv", [self.tensor(inputs[0]), self.constant(inputs[1], filters)], name,
            strides=strides, group=channels if depthwise else 1, kernel_shape=[rows, columns],
            auto_pad="SAME_UPPER" if same else "VALID",
        )  # fmt: skip


def _text(value: Any) -> str:
    """Strings are base64 or lists of bytes in these files."""
    return bytes(value).decode() if isinstance(value, list) else base64.b64decode(value).decode()


def converted(model: dict[str, Any], data: dict[str, bytes]) -> Any:
    """The whole detector: picture in 0..1, chances of names before the sigmoid, boxes as centre and size."""
    from onnx import TensorProto, helper

    weights = weights_of(model, data)
    graph = Converter(model, weights)
    codes, scores = graph.tensor("concat"), graph.tensor("concat_1")
    anchors = (
        weights["Postprocessor/ExpandDims"].reshape(-1, 4).astype(np.float32)
    )  # top, left, bottom, right
    size = anchors[:, 2:] - anchors[:, :2]
    middle = (anchors[:, 2:] + anchors[:, :2]) / 2

    def part(name: str, of: str, axis: int, start: int, stop: int) -> str:
        bounds = enumerate((start, stop, axis))
        return graph.add(
            "Slice", [of, *(graph.constant(f"{name}{k}", np.array([v], np.int64)) for k, v in bounds)], name
        )

    tenth = graph.constant("tenth", np.array(0.1, np.float32))
    fifth = graph.constant("fifth", np.array(0.2, np.float32))
    sizes, middles = graph.constant("sizes", size[None]), graph.constant("middles", middle[None])
    shift = graph.add("Mul", [part("shift_code", codes, 2, 0, 2), tenth], "shift_share")
    centre = graph.add("Add", [graph.add("Mul", [shift, sizes], "shift"), middles], "centre_yx")
    logs = graph.add("Mul", [part("size_code", codes, 2, 2, 4), fifth], "log_size")
    grown = graph.add("Exp", [logs], "grown")
    extent = graph.add("Mul", [grown, sizes], "extent_yx")
    order = graph.constant("order", np.array([1, 0], np.int64))
    flipped = [graph.add("Gather", [one, order], f"{one}_xy", axis=2) for one in (centre, extent)]
    graph.add("Concat", flipped, "pred_boxes", axis=2)
    part("logits", scores, 2, 1, CLASSES)  # the first is "nothing"
    count = len(anchors)
    shapes = (
        ("pixel_values", [1, 3, SIDE, SIDE]),
        ("logits", [1, count, CLASSES - 1]),
        ("pred_boxes", [1, count, 4]),
    )
    ends = [helper.make_tensor_value_info(name, TensorProto.FLOAT, shape) for name, shape in shapes]
    made = helper.make_graph(graph.made, "cocossd", ends[:1], ends[1:], list(graph.constants.values()))
    return helper.make_model(made, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
