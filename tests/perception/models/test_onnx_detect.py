"""Detectors in ONNX: known by their outputs, read whatever their family, with the names beside the file."""

from types import SimpleNamespace

import numpy as np
import pytest

from situ.errors import BadInput
from situ.perception.models.onnx_detect import OnnxDetector, read_labels
from situ.perception.models.onnx_session import DETECTOR, MOGE, kind_of

NAMES = {0: "person", 1: "cup", 2: "chair"}
CUP = (100.0, 50.0, 180.0, 110.0)  # in a picture of 400 x 200
RGB = np.zeros((200, 400, 3), np.uint8)


class FakeSession:
    """What onnxruntime gives: inputs and outputs by name, and a run."""

    def __init__(self, outputs, inputs=(("pixel_values", [1, 3, 64, 96], "tensor(float)"),)):
        self._outputs, self.fed = outputs, {}
        self._inputs = [SimpleNamespace(name=n, shape=s, type=t) for n, s, t in inputs]

    def get_inputs(self):
        return self._inputs

    def get_outputs(self):
        return [SimpleNamespace(name=name, shape=[1, 512]) for name in self._outputs]

    def run(self, names, feed):
        self.fed = feed
        return [self._outputs[name] for name in names]


def logit(p):
    return np.log(p / (1 - p))


def detr():
    centred = [[0.35, 0.4, 0.2, 0.3], [0.35, 0.41, 0.2, 0.3], [0.8, 0.5, 0.1, 0.1]]
    logits = logit(np.array([[0.02, 0.9, 0.05], [0.02, 0.6, 0.05], [0.01, 0.1, 0.2]]))
    return {"logits": logits[None], "pred_boxes": np.array(centred)[None]}


def exported():
    return {
        "labels": np.array([[1, 2]]),
        "boxes": np.array([[CUP, (0, 0, 5, 5)]]),
        "scores": np.array([[0.9, 0.1]]),
    }


def zoo():
    left, top, right, bottom = np.array(CUP) / (400, 200, 400, 200)
    return {
        "detection_boxes:0": np.array([[[top, left, bottom, right]]]),
        "detection_scores:0": np.array([[0.9]]),
        "detection_classes:0": np.array([[1.0]]),
        "num_detections:0": np.array([1.0]),
    }


def with_scores():
    return {"dets": np.array([[[*CUP, 0.9]]]), "labels": np.array([[1]])}


@pytest.mark.parametrize("family", [detr, exported, zoo, with_scores])
def test_every_family_gives_the_same_cup(family) -> None:
    session = FakeSession(family())
    assert kind_of("x.onnx", session) == DETECTOR
    found = OnnxDetector("x.onnx", session=session, labels=NAMES).detect(RGB)
    assert found.labels == ("cup",)
    assert found.scores[0] == pytest.approx(0.9)
    assert np.allclose(found.boxes_xyxy, [CUP])


def test_pictures_come_in_the_shape_that_is_asked_for() -> None:
    rgb = np.full((200, 400, 3), 255, np.uint8)
    for shape, kind, expected in (
        ([1, 3, 64, 96], "tensor(float)", (1, 3, 64, 96)),
        ([1, "height", "width", 3], "tensor(uint8)", (1, 640, 640, 3)),
    ):
        inputs = (("images", shape, kind), ("orig_target_sizes", [1, 2], "tensor(int64)"))
        session = FakeSession(exported(), inputs)
        OnnxDetector("x.onnx", session=session, labels=NAMES).detect(rgb)
        assert session.fed["images"].shape == expected
        assert session.fed["images"].max() == (255 if "uint8" in kind else 1.0)
        assert session.fed["orig_target_sizes"].tolist() == [[400, 200]]


def test_only_wanted_names_are_told_and_unknown_ones_refused() -> None:
    assert len(OnnxDetector("x", ["chair"], session=FakeSession(detr()), labels=NAMES).detect(RGB)) == 0
    assert OnnxDetector("x", ["Cup"], session=FakeSession(detr()), labels=NAMES).detect(RGB).labels == (
        "cup",
    )
    with pytest.raises(BadInput, match="knows none of the names"):
        OnnxDetector("x", ["zebra"], session=FakeSession(detr()), labels=NAMES)


def test_a_file_is_known_by_its_outputs() -> None:
    assert kind_of("m.onnx", FakeSession({"points": 0, "metric_scale": 0, "mask": 0})) == MOGE
    with pytest.raises(BadInput, match="embedding"):
        kind_of("m.onnx", FakeSession({"embedding": 0}))


def test_names_stand_beside_the_file(tmp_path) -> None:
    with pytest.raises(BadInput, match=r"labels\.txt"):
        read_labels(tmp_path / "model.onnx")
    (tmp_path / "config.json").write_text('{"id2label": {"0": "mug", "7": "bin"}}')
    assert read_labels(tmp_path / "model.onnx") == {0: "mug", 7: "bin"}
    (tmp_path / "labels.txt").write_text("person\n\ncup\n")
    assert read_labels(tmp_path / "model.onnx") == {0: "person", 2: "cup"}


def test_a_real_file_through_onnxruntime(tmp_path) -> None:
    """A graph that finds one cup whatever it sees, chosen by `--models file.onnx`."""
    onnx = pytest.importorskip("onnx")
    pytest.importorskip("onnxruntime")
    from situ.perception.models import load_models

    h = onnx.helper
    made = detr()
    nodes = [
        h.make_node("Constant", [], [name], value=onnx.numpy_helper.from_array(value.astype(np.float32)))
        for name, value in made.items()
    ]
    floats = onnx.TensorProto.FLOAT
    graph = h.make_graph(
        nodes,
        "cup",
        [h.make_tensor_value_info("pixel_values", floats, [1, 3, 32, 32])],
        [h.make_tensor_value_info(name, floats, list(value.shape)) for name, value in made.items()],
    )
    model = h.make_model(graph, opset_imports=[h.make_opsetid("", 17)], ir_version=9)
    onnx.save(model, tmp_path / "cup.onnx")
    (tmp_path / "labels.txt").write_text("\n".join(NAMES.values()))
    chosen = load_models([str(tmp_path / "cup.onnx")])
    assert chosen.detector is not None
    assert chosen.detector.detect(RGB).labels == ("cup",)
