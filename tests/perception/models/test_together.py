"""Following many things as one batch gives what transformers gives when it follows them one by one."""

import sys

import numpy as np
import pytest

from perception.models import tiny_followers
from perception.models.tiny import needs_torchvision, torch
from situ.perception.detections import Detections
from situ.perception.models.track import MaskTracker

BOXES = np.array([[100, 60, 180, 140], [200, 100, 300, 200], [20, 30, 90, 230.0]])
SHAPE = (240, 320)


def one_by_one(tracker, pictures):
    """Mask logits (frames, things, height, width) of the library's own session."""
    model = tracker._model
    module = sys.modules[type(model).__module__]
    kind = next(getattr(module, name) for name in dir(module) if name.endswith("InferenceSession"))
    session = kind(video_height=SHAPE[0], video_width=SHAPE[1], dtype=tracker._place.dtype)
    side = tracker._side
    for number, box in enumerate(BOXES, 1):
        corners = torch.tensor(box.reshape(2, 2) * (side / SHAPE[1], side / SHAPE[0]), dtype=torch.float32)
        prompt = {
            "point_coords": corners.reshape(1, 1, 2, 2),
            "point_labels": torch.tensor([[[2, 3]]], dtype=torch.int32),
        }
        session.add_point_inputs(session.obj_id_to_idx(number), 0, prompt)
    session.obj_with_new_inputs = [1, 2, 3]
    with torch.inference_mode():
        return [
            model(inference_session=session, frame=_pixels(tracker, rgb)).pred_masks[:, 0].numpy()
            for rgb in pictures
        ]


def _pixels(tracker, rgb):
    from situ.perception.models import track

    small = track.resized(track.to_tensor([rgb], tracker._place), (tracker._side, tracker._side))
    return track.normalised(small, track._MEAN, track._STD, tracker._place)[0]


def repvit(folder):
    pytest.importorskip("timm", reason="EdgeTAM's own eye comes from timm: pip install timm")
    return tiny_followers.edgetam_video(folder, own_eye=True)


@pytest.mark.parametrize(
    "make",
    [tiny_followers.sam2_video, tiny_followers.edgetam_video, pytest.param(repvit, marks=needs_torchvision)],
    ids=["sam2", "edgetam", "edgetam with its own eye"],
)
def test_a_batch_of_things_is_followed_as_each_would_be_alone(tmp_path, make) -> None:
    tracker = MaskTracker(str(make(tmp_path)), "cpu")
    with torch.no_grad():  # fresh weights are so small that all things look alike
        for weights in tracker._model.parameters():
            weights.mul_(3.0 if weights.ndim > 1 else 1.0)
    rng = np.random.default_rng(3)
    pictures = [rng.integers(0, 255, (*SHAPE, 3), dtype=np.uint8) for _ in range(4)]
    expected = one_by_one(tracker, pictures)
    tracker.prepare(pictures[:2])
    tracker._start(Detections(("cup", "chair", "table"), (0.9, 0.8, 0.7), BOXES), *SHAPE)
    with torch.inference_mode():
        for picture, truth in zip(pictures, expected, strict=True):
            encoded = tracker._encoded.get(picture) or tracker._features([picture])[0]
            found = tracker._together.step(*encoded).numpy()
            apart = np.ptp(truth, axis=0).max()
            assert apart > 0.002 * np.abs(truth).max()  # so a mixture of things would show
            assert np.abs(found - truth).max() < 0.01 * apart
