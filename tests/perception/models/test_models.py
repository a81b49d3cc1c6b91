"""Every adapter on a tiny random instance of its architecture: built, saved, loaded as users load it, run."""

import numpy as np
import pytest

from perception.models import tiny, tiny_followers
from perception.models.tiny import needs_torchvision, torch
from perception.tabletop import CAMERA, view
from situ.errors import BadInput
from situ.geometry.camera import Camera
from situ.memory import SpatialMemory
from situ.memory.sink import MemorySink
from situ.perception.detection_eye import DetectedThings
from situ.perception.detections import Detections
from situ.perception.models import load_models, sam3
from situ.perception.models.captions import Captions
from situ.perception.models.depth import TransformersDepth
from situ.perception.models.detect import NamedThings, without_doubles
from situ.perception.models.places import PictureWords
from situ.perception.models.prompts import token_owners
from situ.perception.models.runtime import Place, loading, running, transformers
from situ.perception.models.track import MaskTracker
from situ.perception.pipeline import Stages, Watch
from situ.perception.posing import GivenPoses
from situ.perception.sources import Source
from situ.perception.stages import InputFrame

WORDS = ("cup", "red chair", "table")
TOKENS = ["a", "photo", "of", "this", "is", "cup", "red", "chair", "table", "kitchen", "street"]
SIZE = (CAMERA.height, CAMERA.width)


@pytest.fixture(scope="module")
def pictures():
    return [view((0.3, 0.2 - 0.1 * i, 1.6), 0.0, -25.0, seed=i)[0] for i in range(3)]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("models")


@pytest.fixture(scope="module")
def depth_folder(folder):
    return str(tiny.depth_anything(folder / "da"))


def test_depth_comes_back_in_the_grid_of_the_picture_one_by_one_or_in_a_batch(depth_folder, pictures) -> None:
    stage = TransformersDepth(depth_folder, "cpu", longest_side=56)
    alone = [stage.depth(InputFrame(i, i, rgb)) for i, rgb in enumerate(pictures)]
    together = stage.depths(pictures)
    for one, other in zip(alone, together, strict=True):
        assert one.shape == SIZE
        assert one.dtype == np.float32
        assert np.isfinite(one).all()
        assert np.allclose(one, other, atol=1e-4)
    stage.prepare([InputFrame(7, 7.0, pictures[0])])
    assert np.array_equal(stage.depth(InputFrame(7, 7.0, pictures[1])), together[0])  # what was prepared


def test_relative_depth_is_refused(folder) -> None:
    with pytest.raises(BadInput, match="relative depth"):
        TransformersDepth(str(tiny.depth_anything(folder / "relative", "relative")), "cpu")


def test_depth_pro_uses_the_lens_that_it_is_given(folder, pictures) -> None:
    name = str(tiny.depth_pro(folder / "pro"))
    wide, narrow = (Camera.from_fov(320, 240, fov) for fov in (90, 45))
    near = TransformersDepth(name, "cpu", wide).depths(pictures[:1])[0]
    far = TransformersDepth(name, "cpu", narrow).depths(pictures[:1])[0]
    guessed = TransformersDepth(name, "cpu").depths(pictures)
    assert near.shape == SIZE
    known = (near > 0.02) & (far < 50)  # elsewhere random weights see nothing, which is put at 10 km
    assert known.any()
    assert np.median(far[known] / near[known]) == pytest.approx(narrow.fx / wide.fx, rel=0.02)
    assert len(guessed) == 3


@pytest.mark.parametrize(
    "family", [pytest.param("grounding-dino", marks=pytest.mark.slow), "mm-grounding-dino", "owlv2"]
)
def test_detectors_find_names_and_boxes_in_the_grid(folder, pictures, family) -> None:
    make = tiny.owlv2 if family == "owlv2" else lambda f, words: tiny.grounding_dino(f, words, family)
    stage = NamedThings(str(make(folder / family, TOKENS)), WORDS, "cpu", least_score=0.0)
    found = stage.detect_all(pictures)
    assert len(found) == 3
    assert any(len(one) for one in found)
    for one in found:
        assert set(one.labels) <= set(WORDS)
        assert (one.boxes_xyxy[:, :2] >= 0).all()
        assert (one.boxes_xyxy[:, 2:] <= (CAMERA.width, CAMERA.height)).all()
    alone = stage.detect(pictures[1])
    assert alone.labels == found[1].labels
    assert np.allclose(alone.boxes_xyxy, found[1].boxes_xyxy, atol=0.05)


def test_each_token_of_a_prompt_belongs_to_one_name(folder) -> None:
    tiny.grounding_dino(folder / "owners", TOKENS)
    tokenizer = transformers().AutoTokenizer.from_pretrained(folder / "owners")
    owners = token_owners(tokenizer, "cup. red chair. table.", WORDS)
    assert owners == [-1, 0, -1, 1, 1, -1, 2, -1, -1]


def test_a_sentence_is_answered_the_same_beside_a_longer_one(folder, pictures) -> None:
    """Forty names and one more make two sentences of unlike length, asked as one batch and read once."""
    name = str(tiny.grounding_dino(folder / "two", TOKENS, "mm-grounding-dino"))
    words = ("cup", *[f"red {word}" for word in TOKENS * 4][:39], "table")
    both, alone = NamedThings(name, words, "cpu"), NamedThings(name, ("table",), "cpu")
    assert next(both._model.parameters()) is next(alone._model.parameters())  # read once a process
    with torch.inference_mode():
        for count in (1, 3):
            pixels = both._pixels(pictures[:count], *SIZE)
            scores, names, boxes = both._ask_dino(pixels)
            expected, _, where = alone._ask_dino(pixels)
            half = scores.shape[1] // 2
            assert set(names[:, half:].unique().tolist()) == {40}
            assert torch.allclose(scores[:, half:], expected, atol=1e-4)
            assert torch.allclose(boxes[:, half:], where, atol=1e-4)


def test_of_boxes_that_overlap_the_surest_stays() -> None:
    boxes = np.array([[0, 0, 10, 10], [1, 1, 10, 10], [20, 20, 30, 30.0]])
    kept = without_doubles(Detections(("cup", "mug", "cup"), (0.4, 0.9, 0.5), boxes))
    assert kept.labels == ("mug", "cup")


def test_masks_are_followed_under_one_number(folder, pictures) -> None:
    stage = MaskTracker(str(tiny_followers.sam2_video(folder / "sam2")), "cpu")
    assert len(stage.track(pictures[0], None)) == 0
    boxes = np.array([[100, 60, 180, 140], [200, 100, 300, 200.0]])
    found = Detections(("cup", "table"), (0.9, 0.8), boxes)
    first, second = stage.track(pictures[0], found), stage.track(pictures[1], None)
    assert first.masks.shape[1:] == SIZE
    assert first.track_ids is not None
    assert set(second.track_ids) <= {1, 2}
    assert set(first.labels) <= {"cup", "table"}
    # A fresh look that finds the same things where they were gives them their old numbers.
    same = Detections(first.labels, first.scores, first.boxes_xyxy)
    stage._last = dict(zip(first.track_ids, first.boxes_xyxy, strict=True))
    assert set(stage.track(pictures[2], same).track_ids) <= set(first.track_ids)
    moved = Detections(("cup",), (0.9,), np.array([[0, 0, 5, 5.0]]))
    fresh = stage.track(pictures[2], moved)
    assert set(fresh.track_ids) <= {3}


@needs_torchvision
def test_names_become_followed_masks_in_one_model(folder, pictures, monkeypatch) -> None:
    monkeypatch.setattr(sam3, "_SESSION_FRAMES", 2)
    stage = load_models(
        [str(tiny_followers.sam3_video(folder / "sam3", TOKENS))], ("cup", "table"), "cpu"
    ).detector
    first, second, third = (stage.detect(rgb) for rgb in pictures)
    for found in (first, second, third):
        assert len(found)
        assert set(found.labels) <= {"cup", "table"}
        assert found.masks.shape[1:] == SIZE
        assert (found.boxes_xyxy[:, 2:] <= (CAMERA.width, CAMERA.height)).all()
    named = dict(zip(first.track_ids, first.labels, strict=True))
    assert set(second.track_ids) & set(named)  # what is followed keeps its number, and with it its name
    assert all(named.get(n, label) == label for n, label in zip(second.track_ids, second.labels, strict=True))
    assert not set(third.track_ids) & set(named)  # a new session gives no number twice


def test_places_and_looks(folder, pictures) -> None:
    stage = PictureWords(str(tiny.siglip(folder / "siglip", TOKENS)), "cpu", ("kitchen", "street"))
    assert stage.tag(pictures[0]) in (None, "kitchen", "street")
    tags = [stage.tag(picture) for picture in pictures]
    stage.prepare([InputFrame(i, float(i), picture) for i, picture in enumerate(pictures)])
    assert [stage.tag(picture) for picture in pictures] == tags == stage.tag_all(pictures)
    vectors = stage.embed(pictures[0], np.array([[0, 0, 50, 40], [310, 230, 320, 240.0]]))
    assert np.linalg.norm(vectors, axis=1) == pytest.approx([1.0, 1.0])
    assert stage.embed(pictures[0], np.zeros((0, 4))).shape[0] == 0
    boxes = [np.array([[0, 0, 50, 40.0]]), np.zeros((0, 4)), np.array([[9, 9, 60, 50.0], [5, 0, 90, 99.0]])]
    shown = [pictures[0], pictures[1], pictures[0]]
    for many, picture, some in zip(stage.embed_all(shown, boxes), shown, boxes, strict=True):
        assert len(many) == len(some)
        if len(some):
            assert many == pytest.approx(stage.embed(picture, some), abs=1e-5)


@needs_torchvision
@pytest.mark.parametrize("family", ["qwen_vl", "qwen3_vl"])
def test_captions_are_one_line(folder, pictures, family) -> None:
    stage = Captions(str(getattr(tiny, family)(folder / family)), "cpu", most_tokens=4)
    for rgb in pictures:
        assert "\n" not in stage.caption(rgb)


def test_three_frames_through_the_pipeline_with_models(folder, depth_folder, pictures) -> None:
    """Random depth puts things anywhere; that they come out placed, named and tracked is what counts."""
    detector = NamedThings(str(tiny.owlv2(folder / "owl3", TOKENS)), WORDS, "cpu", least_score=0.0)
    poses = [view((0.3, 0.2 - 0.1 * i, 1.6), 0.0, -25.0)[2] for i in range(3)]
    frames = [InputFrame(i, i / 2, rgb, None, poses[i]) for i, rgb in enumerate(pictures)]
    source = Source("clip", CAMERA, lambda after: iter(frames[after + 1 :]), False, True, SIZE[::-1], 3)
    depth = TransformersDepth(depth_folder, "cpu", longest_side=56)
    stages = Stages(GivenPoses(), (DetectedThings(detector),), depth, batch=2)
    with SpatialMemory.create(":memory:") as memory:
        watch = Watch(source, stages, MemorySink(memory))
        report = watch.run()
        assert (report.looked, report.fault) == (3, "")
        assert watch.timings.stages["transformersdepth ahead"].calls == 2
        assert {v.category for v in memory.state().objects()} <= set(WORDS)


def test_models_find_their_role_by_what_lies_in_the_folder(folder, depth_folder) -> None:
    owl = str(tiny.owlv2(folder / "owl2", TOKENS))
    chosen = load_models([depth_folder, owl], WORDS, "cpu")
    assert isinstance(chosen.depth, TransformersDepth)
    assert isinstance(chosen.detector, NamedThings)
    with pytest.raises(BadInput, match="second model for depth"):
        load_models([depth_folder, depth_folder], WORDS, "cpu")
    sam = str(tiny_followers.sam2_video(folder / "sam2b"))
    with pytest.raises(BadInput, match="follows what a detector finds"):
        load_models([sam], WORDS, "cpu")
    assert load_models([sam, owl], WORDS, "cpu").detect_every > 1
    (folder / "other").mkdir()
    (folder / "other/config.json").write_text('{"model_type": "bert"}')
    with pytest.raises(BadInput, match="no adapter"):
        load_models([str(folder / "other")], (), "cpu")


def test_a_model_that_is_not_there_is_named_and_nothing_is_traced(monkeypatch) -> None:
    import huggingface_hub.constants

    monkeypatch.setattr(huggingface_hub.constants, "HF_HUB_OFFLINE", True)
    with pytest.raises(BadInput, match=r"'nobody/nothing' could not be loaded"):
        load_models(["nobody/nothing"], (), "cpu")
    with pytest.raises(BadInput, match=r"Depth-Anything-V2"):
        load_models(["da2-indoor-small"], (), "cpu")


def test_what_does_not_fit_in_memory_says_so() -> None:
    for context in (loading("giant"), running("giant")):
        with pytest.raises(BadInput, match="does not fit in memory"), context:
            raise RuntimeError("CUDA out of memory. Tried to allocate 80 GiB")
    with pytest.raises(RuntimeError, match="shape"), running("giant"):
        raise RuntimeError("shape mismatch")


@pytest.mark.skipif(torch.cuda.is_available(), reason="there is a GPU here")
def test_a_gpu_that_is_not_there_is_missed() -> None:
    assert Place.choose("auto") == Place("cpu", torch.float32)
    with pytest.raises(BadInput, match="no GPU"):
        Place.choose("cuda")
