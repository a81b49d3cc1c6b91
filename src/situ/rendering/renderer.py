"""Default renderer: colour, depth and instance ids on one CPU core, deterministic to the byte."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from situ.errors import BadInput
from situ.geometry.camera import Camera
from situ.geometry.pose import Matrix, camera_pose
from situ.rendering.fragments import Drawn, fragment_table
from situ.rendering.image import SceneArrays, fill_colors, fill_ids_and_depth, tone_table
from situ.rendering.light import Light, build_light
from situ.rendering.posing import pose_solids, posed_for
from situ.rendering.solids import build_solids
from situ.rendering.views import View, camera_view
from situ.rendering.visibility import draw_background, draw_solids
from situ.worlds.scene import Material, Part, Scene, SceneObject

_TONES = tone_table()


@dataclass(frozen=True, eq=False)
class Frame:
    """One rendered image.

    `rgb` is 8-bit sRGB with antialiasing. `depth` is in metres along the optical axis, 0 for the sky. `ids`
    is the object at the pixel centre, 0 for ground and sky, never blended.
    """

    rgb: NDArray[np.uint8]
    depth: NDArray[np.float32]
    ids: NDArray[np.uint16]


class Renderer:
    """Renders one scene for one camera from any pose. The first image also renders the shadow map.

    Not thread-safe: buffers are reused between frames.
    """

    def __init__(self, scene: Scene, camera: Camera) -> None:
        self.scene = scene
        self.camera = camera
        self._solids, self._materials = build_solids(scene)
        self._posed = posed_for(len(self._solids.kind))
        self._nearness = np.zeros((camera.height, camera.width), dtype=np.float32)
        self._surface = np.zeros((camera.height, camera.width), dtype=np.int32)
        self._fragments = fragment_table(camera.width)

    @cached_property
    def _light(self) -> Light:
        return build_light(self.scene, self._solids)

    def render(self, T_world_camera: Matrix) -> Frame:
        """Colour, depth and ids from a pose."""
        view, ground = self._look(T_world_camera)
        ids, depth = self._ids_and_depth()
        rgb = np.empty((self.camera.height, self.camera.width, 3), dtype=np.uint8)
        scene = SceneArrays(self._solids.rows, self._materials, self._light, _TONES)
        drawn = Drawn(self._nearness, self._surface)
        fill_colors(view, scene, self._posed.rows, ground, drawn, self._fragments, rgb)
        return Frame(rgb, depth, ids)

    def render_ids(self, T_world_camera: Matrix) -> tuple[NDArray[np.uint16], NDArray[np.float32]]:
        """Ids and depth alone: the same as in a frame, at a fraction of the cost."""
        self._look(T_world_camera)
        return self._ids_and_depth()

    def _look(self, T_world_camera: Matrix) -> tuple[View, NDArray[np.float64]]:
        """Find the visible surfaces; returns the view and the ground as a plane of nearness over pixels."""
        pose = np.ascontiguousarray(T_world_camera, dtype=np.float64)
        if pose.shape != (4, 4) or not np.isfinite(pose).all():
            raise BadInput(f"a camera pose is a finite 4x4 matrix, got shape {pose.shape}")
        view = camera_view(self.camera, pose)
        height = pose[2, 3]
        has_ground = self.scene.ground is not None and height > 1e-6
        ground = -view.rays[2, :3] / height if has_ground else np.zeros(3)
        draw_background(ground, self._nearness, self._surface)
        count = pose_solids(self._solids, view, self._posed)
        draw_solids(self._solids, view, self._posed, count, self._nearness, self._surface)
        return view, ground

    def _ids_and_depth(self) -> tuple[NDArray[np.uint16], NDArray[np.float32]]:
        ids = np.empty((self.camera.height, self.camera.width), dtype=np.uint16)
        depth = np.empty((self.camera.height, self.camera.width), dtype=np.float32)
        fill_ids_and_depth(self._solids.ids, self._nearness, self._surface, ids, depth)
        return ids, depth


# An object on the ground in the sun, with shading and shadow; each kind of surface has its own kernels.
_SURFACES = (
    Material((0.5, 0.5, 0.5)),
    Material((0.5, 0.5, 0.5), "checker"),
    Material((0.5, 0.5, 0.5), "poster"),
)


def compile_kernels() -> None:
    """Compile all kernels by rendering a tiny image; compiled ones are only loaded."""
    parts = tuple(Part("box", (1.0, 1.0, 1.0), (0.0, y, 0.5), m) for y, m in enumerate(_SURFACES, -1))
    scene = Scene((SceneObject(1, "box", (3.0, 0.0, 0.0), parts),))
    Renderer(scene, Camera.from_fov(16, 12, 90)).render(camera_pose((0.0, 0.0, 1.6), 0.0))
