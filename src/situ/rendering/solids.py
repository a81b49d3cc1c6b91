"""Solids of a scene as flat arrays for the kernels.

Every part is a convex solid in its *unit frame*, where it fills the cube [-1, 1]^3. There it is the
intersection of half-spaces `n . u + d <= 0` and at most one quadric, so it is ray-cast exactly: round parts
are round at every distance, without triangulation.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from situ.errors import BadInput
from situ.geometry.pose import Matrix, product
from situ.rendering.materials import Materials, MaterialTable
from situ.worlds.scene import Part, Scene, SceneObject, part_transforms

BOX, WEDGE, SPHERE, CYLINDER, CONE = range(5)
KINDS = {"box": BOX, "wedge": WEDGE, "sphere": SPHERE, "cylinder": CYLINDER, "cone": CONE}
FACES = 6  # planes per part
CURVED_FACE = 6  # face number of a curved side
CODE_BITS = 3  # bits of a surface code for the face
CODES_PER_PART = 1 << CODE_BITS  # a surface's code is CODES_PER_PART * (part + 1) + face
SKY, GROUND = 0, 1  # codes that belong to no part
LARGEST_ID = 65535  # of a 16-bit id image

_CUBE = np.array(
    [[1, 0, 0, -1], [-1, 0, 0, -1], [0, 1, 0, -1], [0, -1, 0, -1], [0, 0, 1, -1], [0, 0, -1, -1]], dtype=float
)
_RAMP = _CUBE.copy()
_RAMP[4] = [1, 0, 1, 0]  # the slope of a wedge, which has no +x side
UNIT_PLANES = np.stack([_CUBE, _RAMP, _CUBE, _CUBE, _CUBE])
# First planar face of each kind: +x, -x, +y, -y, +z, -z for a box; a cone has only its base.
FIRST_PLANE = np.array([0, 1, 6, 4, 5])
_CORNERS = np.array([[x, y, z] for z in (-1, 1) for y in (-1, 1) for x in (-1, 1)], dtype=float)


# Columns of `Solids.rows`, which shading reads.
PART_MATERIAL, CENTER, AXES, ORIGIN, HALF, ROW_WIDTH = 1, 2, 5, 14, 17, 20


class Solids(NamedTuple):
    """One row per part.

    `rows` holds the kind, the material, the centre (in the part's axes, from the object's origin), the axes
    in the world as columns (3x3), the object's origin in the world, and the half extents.
    """

    kind: NDArray[np.int64]
    to_unit: NDArray[np.float64]  # (n, 4, 4) world to unit frame
    corners: NDArray[np.float64]  # (n, 8, 3) of the extents, in the world
    ids: NDArray[np.uint16]
    rows: NDArray[np.float64]  # (n, ROW_WIDTH)


def build_solids(scene: Scene) -> tuple[Solids, Materials]:
    """All parts of a scene and its material table, whose row 0 is the ground's."""
    table = MaterialTable(scene.ground)
    pairs = [(o, p) for o in scene.objects for p in o.parts]
    _check(pairs)
    poses = part_transforms(pairs)
    half = np.array([p.size for _, p in pairs], dtype=float).reshape(-1, 3) / 2
    kind = np.array([KINDS[p.shape] for _, p in pairs], dtype=np.int64)
    to_unit = _to_unit(poses, half)
    rows = np.empty((len(pairs), ROW_WIDTH))
    rows[:, 0] = kind
    rows[:, PART_MATERIAL] = [table.index(p.material) for _, p in pairs]
    origin = np.array([o.position for o, _ in pairs], dtype=float).reshape(-1, 3)
    rows[:, CENTER:AXES] = (poses[:, :3, :3] * (poses[:, :3, 3] - origin)[:, :, None]).sum(axis=1)
    rows[:, AXES:ORIGIN] = poses[:, :3, :3].reshape(-1, 9)
    rows[:, ORIGIN:HALF], rows[:, HALF:] = origin, half
    turned = product(_CORNERS * half[:, None, :], poses[:, :3, :3].transpose(0, 2, 1))
    corners = turned + poses[:, None, :3, 3]
    ids = np.array([o.id for o, _ in pairs], dtype=np.uint16)
    solids = Solids(kind, to_unit, np.ascontiguousarray(corners), ids, rows)
    return solids, table.arrays()


def _to_unit(poses: Matrix, half: Matrix) -> Matrix:
    inverse_rotation = poses[:, :3, :3].transpose(0, 2, 1) / half[:, :, None]
    to_unit = np.zeros_like(poses)
    to_unit[:, :3, :3] = inverse_rotation
    to_unit[:, :3, 3] = -(inverse_rotation * poses[:, None, :3, 3]).sum(axis=2)
    to_unit[:, 3, 3] = 1.0
    return to_unit


def _check(pairs: list[tuple[SceneObject, Part]]) -> None:
    for scene_object, part in pairs:
        if scene_object.id > LARGEST_ID:
            raise BadInput(
                f"the id image holds ids up to {LARGEST_ID}, got {scene_object.id}; renumber the objects"
            )
        if min(part.size) <= 0.0:
            raise BadInput(
                f"object {scene_object.id} ({scene_object.category}) has a {part.shape} of size {part.size}; "
                "every extent must be greater than 0"
            )
