"""Frames with a red circle around what a question names."""

from collections.abc import Mapping, Sequence

import cv2
import numpy as np

from situ.questions.scene.pairs import sightings_in
from situ.recording import Recording
from situ.recording.codec import Rgb
from situ.state import ObjectView, SpatialState

RED = (235, 20, 20)
RADIUS_SHARE = 0.045  # of the picture's width
EDGE_SHARE = 0.01  # a mark's centre stays this far inside the picture


def marked_frames(
    recording: Recording, state: SpatialState, things: Sequence[ObjectView], frames: Sequence[int]
) -> tuple[Rgb, ...]:
    """The frames in order; where one shows a thing, a hollow circle surrounds its projected centre."""
    marks = mark_pixels(recording, state, things, frames)
    pictures = []
    for frame, picture in zip(frames, recording.images(list(frames)), strict=True):
        shown = picture.copy()
        for x, y in marks.get(frame, ()):
            _circle(shown, x, y)
        pictures.append(shown)
    return tuple(pictures)


def mark_pixels(
    recording: Recording, state: SpatialState, things: Sequence[ObjectView], frames: Sequence[int]
) -> Mapping[int, tuple[tuple[float, float], ...]]:
    """For each frame the pixels of the centres of the things that the state saw there.

    A centre just outside the picture is drawn at its border: the thing is in view, its middle is not.
    """
    camera = recording.camera
    border = EDGE_SHARE * camera.width
    low, high = np.array([border, border]), np.array([camera.width - border, camera.height - border])
    marks: dict[int, tuple[tuple[float, float], ...]] = {}
    for thing in things:
        for sighting in sightings_in(state, thing.id, frames):
            pixel = camera.project_world(state.path.poses[sighting.frame], thing.box.center)
            if np.isfinite(pixel).all():
                x, y = np.clip(pixel, low, high)
                marks[sighting.frame] = (*marks.get(sighting.frame, ()), (float(x), float(y)))
    return marks


def _circle(picture: Rgb, x: float, y: float) -> None:
    radius = round(RADIUS_SHARE * picture.shape[1])
    thick = max(2, round(picture.shape[1] / 200))
    cv2.circle(picture, (round(x), round(y)), radius, RED, thick, cv2.LINE_AA)
