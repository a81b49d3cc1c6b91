"""How far the view is clear, from the solids found and the ground between them."""

import numpy as np

from situ.geometry.camera import Camera
from situ.perception.freespace import FreeSpace
from situ.perception.solids.explain import Picture
from situ.perception.solids.silhouette import FOCAL, HALF, HEIGHT, MIDDLE

_STRIDE = 5
_ROWS, _COLUMNS = 32, 48
_SKY_M = 60.0


def clear_view(picture: Picture, camera: Camera) -> FreeSpace:
    """Free space of a picture that has been explained."""
    view, near = picture.view, picture.depths[::_STRIDE, ::_STRIDE]
    columns = (np.arange(near.shape[1]) * _STRIDE + 0.5 - view[MIDDLE]) / view[FOCAL]
    rows = np.arange(near.shape[0]) * _STRIDE + 0.5
    # The map holds the distance of a solid's middle over the ground; along the axis, up to its near side:
    solid = np.maximum(near - view[HALF], 0.05) / np.hypot(1.0, columns)
    ground = np.minimum(view[FOCAL] * view[HEIGHT] / rows, _SKY_M)
    below = np.minimum(solid, ground[:, None])
    above = np.full((round(camera.cy / _STRIDE), near.shape[1]), _SKY_M)
    return FreeSpace.from_depth(np.concatenate([above, below]), _ROWS, _COLUMNS)
