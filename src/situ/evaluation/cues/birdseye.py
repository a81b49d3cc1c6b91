"""A picture from above: what the frames measured, where the things of a question are, how the camera went."""

from collections.abc import Callable, Sequence
from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import NDArray

from situ.errors import Unanswerable
from situ.geometry.pose import Matrix, transform
from situ.recording import Recording
from situ.recording.codec import Depth, Rgb
from situ.rendering import Renderer
from situ.state import ObjectView, SpatialState

FARTHEST_M = 7.0  # beyond, a depth map is too coarse to draw
FLOOR_M = -0.1  # what lies lower is outdoors, seen through a window
HEADROOM_M = 0.25  # points higher than the camera by more than this are ceiling and hide the room
MARGIN_M = 0.8
PAPER = (250, 250, 250)
MAGENTA, GREEN, BLUE, RED, INK = (225, 0, 200), (0, 150, 40), (20, 60, 230), (220, 20, 20), (20, 20, 20)


def bird_eye(
    recording: Recording,
    state: SpatialState,
    things: Sequence[ObjectView],
    frames: Sequence[int],
    size: int = 768,
) -> Rgb:
    """North is +y. The cloud of the frames, outlines of the things with their names, the camera's way as
    magenta arrows from a green triangle to a blue cross."""
    points, colors = _cloud(recording, state, frames)
    way = state.path.positions[list(frames)]
    outlines = [thing.box.corners()[[0, 1, 3, 2], :2] for thing in things]
    everything = np.concatenate([way[:, :2], *outlines, *([points[:, :2]] if len(points) else [])])
    chart = _Chart(everything, size)
    _draw_cloud(chart, points, colors)
    for outline in outlines:
        chart.outline(outline)
    _draw_way(chart, way)
    for thing, outline in zip(things, outlines, strict=True):
        chart.name(outline, _name(thing))
    _draw_ends(chart, way)
    chart.scale_bar()
    return chart.picture


class _Chart:
    """A square sheet over a part of the floor."""

    def __init__(self, points: Matrix, size: int) -> None:
        low, high = points.min(axis=0), points.max(axis=0)
        self._scale = size / float(max(high - low) + 2 * MARGIN_M)
        self._middle = (low + high) / 2
        self.size = size
        self.picture: Rgb = np.full((size, size, 3), PAPER, dtype=np.uint8)

    def pixel(self, points: Matrix) -> NDArray[np.int64]:
        xy = (np.asarray(points)[..., :2] - self._middle) * self._scale
        return np.stack([self.size / 2 + xy[..., 0], self.size / 2 - xy[..., 1]], axis=-1).round().astype(int)

    def outline(self, corners: Matrix) -> None:
        cv2.polylines(self.picture, [self.pixel(corners).astype(np.int32)], True, RED, 3, cv2.LINE_AA)

    def name(self, corners: Matrix, text: str) -> None:
        """Beside an outline, a little above it."""
        pixels = self.pixel(corners)
        self.label(text, (int(pixels[:, 0].max()) + 6, int(pixels[:, 1].min()) - 4), RED)

    def label(self, text: str, at: tuple[int, int], color: tuple[int, int, int]) -> None:
        """Words on a white ground, kept inside the sheet."""
        scale = self.size / 1400
        (width, height), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, scale, 1)
        x = min(max(at[0], 2), self.size - width - 2)
        y = min(max(at[1], height + 2), self.size - 4)
        cv2.rectangle(self.picture, (x - 2, y - height - 2), (x + width + 2, y + 4), PAPER, -1)
        cv2.putText(self.picture, text, (x, y), cv2.FONT_HERSHEY_SIMPLEX, scale, color, 1, cv2.LINE_AA)

    def scale_bar(self) -> None:
        y, x = self.size - 18, 16
        cv2.line(self.picture, (x, y), (x + round(self._scale), y), INK, 3)
        self.label("1 m", (x + round(self._scale) + 8, y + 4), INK)


def _cloud(
    recording: Recording, state: SpatialState, frames: Sequence[int]
) -> tuple[Matrix, NDArray[np.uint8]]:
    """World points and colours of all frames, without the ceiling."""
    measure = depth_source(recording)
    camera = recording.camera
    points, colors = [], []
    for frame, picture in zip(frames, recording.images(list(frames)), strict=True):
        pose = state.path.poses[frame]
        local = camera.points(measure(frame).astype(float)).reshape(-1, 3)
        known = local[:, 2] < FARTHEST_M  # False for NaN
        world = transform(pose, local[known])
        kept = (world[:, 2] < pose[2, 3] + HEADROOM_M) & (world[:, 2] > FLOOR_M)
        points.append(world[kept])
        colors.append(picture.reshape(-1, 3)[known][kept])
    return np.concatenate(points), np.concatenate(colors)


def depth_source(recording: Recording) -> Callable[[int], Depth]:
    """Depth by frame: as stored, or drawn again from the world that the recording was made in."""
    if recording.has_depth:
        return recording.depth
    if recording.scene is None:
        raise Unanswerable(f"{recording.folder} has neither depth nor a world to measure it in")
    renderer = Renderer(recording.scene, recording.camera)
    return lambda frame: renderer.render_ids(recording.path.poses[frame])[1]


def _draw_cloud(chart: _Chart, points: Matrix, colors: NDArray[np.uint8]) -> None:
    """The highest point at each pixel wins; each covers two pixels each way, to close small gaps."""
    if not len(points):
        return
    order = np.argsort(points[:, 2], kind="stable")
    pixels = chart.pixel(points[order])
    inside = ((pixels >= 0) & (pixels < chart.size - 1)).all(axis=1)
    pixels, faded = pixels[inside], (0.75 * colors[order][inside] + 0.25 * np.array(PAPER)).astype(np.uint8)
    for right, down in ((1, 1), (1, 0), (0, 1), (0, 0)):
        chart.picture[pixels[:, 1] + down, pixels[:, 0] + right] = faded


def _draw_way(chart: _Chart, way: Matrix) -> None:
    pixels = chart.pixel(way)
    for start, end in pairwise(pixels):
        length = float(np.hypot(*(end - start)))
        if length >= 2:
            tip = min(0.5, 12 / length)
            cv2.arrowedLine(chart.picture, _pair(start), _pair(end), MAGENTA, 2, cv2.LINE_AA, tipLength=tip)


def _draw_ends(chart: _Chart, way: Matrix) -> None:
    pixels = chart.pixel(way)
    arm = max(9, chart.size // 64)
    x, y = _pair(pixels[0])
    triangle = np.array([[x, y - arm], [x - arm, y + arm], [x + arm, y + arm]], dtype=np.int32)
    cv2.fillPoly(chart.picture, [triangle], GREEN, cv2.LINE_AA)
    x, y = _pair(pixels[-1])
    for sign in (-1, 1):
        cv2.line(chart.picture, (x - arm, y - sign * arm), (x + arm, y + sign * arm), BLUE, 4, cv2.LINE_AA)


def _pair(pixel: NDArray[np.int64]) -> tuple[int, int]:
    return int(pixel[0]), int(pixel[1])


def _name(thing: ObjectView) -> str:
    return f"{thing.attributes.get('color', '')} {thing.category}".strip()
