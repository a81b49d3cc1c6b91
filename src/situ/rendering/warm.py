"""Compiling the renderer's kernels once, before several processes would each do it."""

from situ.geometry.camera import Camera
from situ.geometry.pose import camera_pose
from situ.rendering.renderer import Renderer
from situ.worlds.scene import Material, Part, Scene, SceneObject

# A thing that stands on the ground in the sun, so that it has shade and shadow; each kind of surface has
# kernels of its own.
_SURFACES = (
    Material((0.5, 0.5, 0.5)),
    Material((0.5, 0.5, 0.5), "checker"),
    Material((0.5, 0.5, 0.5), "poster"),
)


def compile_kernels() -> None:
    """Draw a tiny picture with all that pictures have. Kernels that are compiled already are only loaded."""
    parts = tuple(Part("box", (1.0, 1.0, 1.0), (0.0, y, 0.5), m) for y, m in enumerate(_SURFACES, -1))
    scene = Scene((SceneObject(1, "box", (3.0, 0.0, 0.0), parts),))
    Renderer(scene, Camera.from_fov(16, 12, 90)).render(camera_pose((0.0, 0.0, 1.6), 0.0))
