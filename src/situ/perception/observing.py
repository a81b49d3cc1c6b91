"""A look and what was seen in it, as a memory takes it in."""

import math

import cv2

from situ.perception.freespace import FreeSpace
from situ.perception.observation import Observation, ObservedFrame
from situ.perception.odometry.depth_sampling import DepthUncertainty
from situ.perception.stages import Blur, Look
from situ.recording.codec import Rgb

THUMBNAIL_WIDTH = 320  # pixels


def _surely(doubt: DepthUncertainty) -> float:
    """The part of a depth that is clear for all that is known: two deviations nearer."""
    return max(0.0, 1.0 - 2.0 * math.hypot(doubt.together, doubt.each))


def observed(
    look: Look, observations: tuple[Observation, ...], place: str | None, blur: Blur | None
) -> ObservedFrame:
    """What was seen, how far the view was clear, and a small picture of it."""
    free = (
        None
        if look.depth is None
        else FreeSpace.from_depth(look.depth * _surely(look.frame.depth_uncertainty))
    )
    return ObservedFrame(
        look.frame.time,
        look.T_world_camera,
        observations,
        look.camera,
        free,
        place,
        thumbnail=thumbnail(
            look.frame.rgb if blur is None else blur.blur(look.frame.rgb, observations),
            look.camera.width,
            look.camera.height,
        ),
    )


def thumbnail(rgb: Rgb, width: int, height: int, most: int = THUMBNAIL_WIDTH) -> bytes | None:
    """A JPEG, at most `most` pixels wide, of a picture that shows `width` x `height` pixels of a camera."""
    small_width = min(most, width)
    size = small_width, round(height * small_width / width)
    small = cv2.resize(rgb, size, interpolation=cv2.INTER_AREA)
    done, data = cv2.imencode(".jpg", cv2.cvtColor(small, cv2.COLOR_RGB2BGR), [cv2.IMWRITE_JPEG_QUALITY, 80])
    return data.tobytes() if done else None
