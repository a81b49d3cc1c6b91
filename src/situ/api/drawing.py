"""`situ.home` and `situ.render`: worlds with exact truth, and pictures of them."""

import numpy as np

from situ.geometry.camera import Camera
from situ.geometry.pose import Matrix
from situ.rendering.renderer import Frame, Renderer
from situ.worlds.homes import Home, HomeSpec, build_home
from situ.worlds.scene import Scene


def home(seed: int, rooms: int = 4) -> Home:
    """A furnished home; the same seed gives the same home. Its `scene` can be drawn.

    >>> import situ
    >>> len({thing.id for thing in situ.home(seed=1).scene.objects}) > 20
    True
    """
    return build_home(HomeSpec(rooms), np.random.default_rng(seed))


def render(scene: Scene, camera: Camera, T_world_camera: Matrix) -> Frame:
    """One picture of a scene: `rgb`, metric `depth` along the optical axis, and the object `ids` of pixels.

    For many pictures of one scene keep a `situ.rendering.Renderer`: building it is what takes time.

    >>> import situ
    >>> pose = situ.camera_pose((0, 0, 1.6), yaw_deg=90)
    >>> frame = situ.render(situ.home(seed=1).scene, situ.Camera.from_fov(64, 48, 90), pose)
    >>> frame.rgb.shape, frame.depth.shape, frame.ids.shape
    ((48, 64, 3), (48, 64), (48, 64))
    """
    return Renderer(scene, camera).render(T_world_camera)
