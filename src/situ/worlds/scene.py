"""Scene description for the renderer: objects made of simple parts, ground, sky and sun."""

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from situ.geometry.box import Box
from situ.geometry.pose import Matrix, Vector, product

Shape = Literal["box", "sphere", "cone", "cylinder", "wedge"]
Texture = Literal[
    "plain",
    "checker",
    "tiles",
    "planks",
    "bricks",
    "noise",
    "grass",
    "asphalt",
    "carpet",
    "fabric",
    "poster",
    "stripes",
]
Vec3 = tuple[float, float, float]
BACKGROUND_ID = 0


@dataclass(frozen=True)
class Material:
    """Surface: linear RGB in 0..1, and a procedural texture that mixes `color` with `second_color`.

    `scale` is the feature size in metres; `seed` makes surfaces of one texture differ.
    """

    color: Vec3
    texture: Texture = "plain"
    second_color: Vec3 = (0.0, 0.0, 0.0)
    scale: float = 1.0
    seed: int = 0
    gloss: float = 0.0


@dataclass(frozen=True)
class Part:
    """One convex solid in the frame of its object. `size`: full extents along the part's own axes.

    Round shapes fill their extents: a cone of size (1, 1, 1) has radius 0.5 and its tip up. A wedge is a box
    cut along the diagonal, with full height at its -x side. `center` is the middle of the extents. The part
    turns about its centre: yaw about z, then tilt about its own y axis.
    """

    shape: Shape
    size: Vec3
    center: Vec3
    material: Material
    yaw_deg: float = 0.0
    tilt_deg: float = 0.0


@dataclass(frozen=True)
class SceneObject:
    """An object. `id` is unique in the scene and greater than 0 (0 is ground and sky).

    The origin of its frame is the centre of its footprint, on the surface below it. `structural` marks walls,
    floors and doors: they occlude and have an id, but no question is about them.
    """

    id: int
    category: str
    position: Vec3
    parts: tuple[Part, ...]
    yaw_deg: float = 0.0
    attributes: Mapping[str, str] = field(default_factory=dict)
    structural: bool = False

    @property
    def box(self) -> Box:
        """Smallest box along the object's own axes that contains all parts."""
        corners = np.concatenate([part_box(part).corners() for part in self.parts])
        low, high = corners.min(axis=0), corners.max(axis=0)
        middle = (low + high) / 2
        yaw = np.radians(self.yaw_deg)
        x = self.position[0] + middle[0] * np.cos(yaw) - middle[1] * np.sin(yaw)
        y = self.position[1] + middle[0] * np.sin(yaw) + middle[1] * np.cos(yaw)
        size = high - low
        return Box(
            (float(x), float(y), float(self.position[2] + middle[2])),
            (float(size[0]), float(size[1]), float(size[2])),
            self.yaw_deg,
        )


def part_box(part: Part) -> Box:
    """An upright box around a part, in the object's frame (larger for a tilted part)."""
    if part.tilt_deg == 0.0:
        return Box(part.center, part.size, part.yaw_deg)
    c, s = abs(np.cos(np.radians(part.tilt_deg))), abs(np.sin(np.radians(part.tilt_deg)))
    sx, sy, sz = part.size
    return Box(part.center, (float(sx * c + sz * s), sy, float(sx * s + sz * c)), part.yaw_deg)


@dataclass(frozen=True)
class Sun:
    """Direct light. `azimuth_deg` is the direction it comes from, counter-clockwise from +x."""

    azimuth_deg: float = -45.0
    elevation_deg: float = 40.0
    strength: float = 1.0


@dataclass(frozen=True)
class Scene:
    """Complete input of the renderer. `ground` is None for scenes with their own floors."""

    objects: tuple[SceneObject, ...]
    ground: Material | None = Material((0.30, 0.31, 0.33), "noise", (0.24, 0.25, 0.27), 0.5)
    sky: tuple[Vec3, Vec3] = ((0.30, 0.50, 0.80), (0.72, 0.80, 0.88))  # zenith, horizon
    sun: Sun | None = Sun()
    ambient: float = 0.45

    def __post_init__(self) -> None:
        ids = [o.id for o in self.objects]
        if len(set(ids)) != len(ids) or any(i <= BACKGROUND_ID for i in ids):
            raise ValueError(f"object ids must be unique and greater than 0, got {sorted(ids)[:10]}...")

    def with_objects(self, objects: Iterable[SceneObject]) -> "Scene":
        return Scene(tuple(objects), self.ground, self.sky, self.sun, self.ambient)


def scene_to_json(scene: Scene) -> dict[str, Any]:
    """Plain data from which `scene_from_json` makes an equal scene.

    Written field by field: `asdict` copies every number, which takes longer than rendering a small image.
    """
    return {
        **vars(scene),
        "objects": [_object_to_json(o) for o in scene.objects],
        "ground": None if scene.ground is None else vars(scene.ground),
        "sun": None if scene.sun is None else vars(scene.sun),
    }


def _object_to_json(obj: SceneObject) -> dict[str, Any]:
    parts = [{**vars(part), "material": vars(part.material)} for part in obj.parts]
    return {**vars(obj), "parts": parts, "attributes": dict(obj.attributes)}


def world_hash(scene: Scene) -> str:
    """Hash of everything in a world, which identifies it: training and test worlds must differ."""
    return hashlib.sha256(json.dumps(scene_to_json(scene), sort_keys=True).encode()).hexdigest()


def scene_from_json(data: Mapping[str, Any]) -> Scene:
    ground = data["ground"]
    sky = data["sky"]
    return Scene(
        tuple(_object_from_json(o) for o in data["objects"]),
        _material_from_json(ground) if ground is not None else None,
        (_vec3(sky[0]), _vec3(sky[1])),
        Sun(**data["sun"]) if data["sun"] is not None else None,
        data["ambient"],
    )


def _object_from_json(data: Mapping[str, Any]) -> SceneObject:
    parts = tuple(
        Part(
            p["shape"],
            _vec3(p["size"]),
            _vec3(p["center"]),
            _material_from_json(p["material"]),
            p["yaw_deg"],
            p["tilt_deg"],
        )
        for p in data["parts"]
    )
    return SceneObject(
        data["id"],
        data["category"],
        _vec3(data["position"]),
        parts,
        data["yaw_deg"],
        dict(data["attributes"]),
        data["structural"],
    )


def _material_from_json(data: Mapping[str, Any]) -> Material:
    return Material(
        _vec3(data["color"]),
        data["texture"],
        _vec3(data["second_color"]),
        data["scale"],
        data["seed"],
        data["gloss"],
    )


def _vec3(values: Iterable[float]) -> Vec3:
    x, y, z = values
    return (x, y, z)


def part_transform(scene_object: SceneObject, part: Part) -> Matrix:
    """`T_world_part` of one part of an object."""
    pose: Matrix = part_transforms([(scene_object, part)])[0]
    return pose


def part_transforms(pairs: Sequence[tuple[SceneObject, Part]]) -> Matrix:
    """`T_world_part` (n, 4, 4) of many parts at once, much faster than one by one."""
    upright = np.zeros(len(pairs))
    T_world_object = _yaw_tilt(
        np.array([o.yaw_deg for o, _ in pairs]),
        upright,
        np.array([o.position for o, _ in pairs]).reshape(-1, 3),
    )
    T_object_part = _yaw_tilt(
        np.array([p.yaw_deg for _, p in pairs]),
        np.array([p.tilt_deg for _, p in pairs]),
        np.array([p.center for _, p in pairs]).reshape(-1, 3),
    )
    return product(T_world_object, T_object_part)


def _yaw_tilt(yaw_deg: Vector, tilt_deg: Vector, translation: Matrix) -> Matrix:
    """Poses (n, 4, 4) that tilt about y, turn about z, then translate."""
    (cy, sy), (ct, st) = _cos_sin(yaw_deg), _cos_sin(tilt_deg)
    poses = np.zeros((len(yaw_deg), 4, 4))
    poses[:, 0, :3] = np.stack([cy * ct, -sy, cy * st], axis=1)
    poses[:, 1, :3] = np.stack([sy * ct, cy, sy * st], axis=1)
    poses[:, 2, 0], poses[:, 2, 2] = -st, ct
    poses[:, :3, 3] = translation
    poses[:, 3, 3] = 1.0
    return poses


def _cos_sin(angle_deg: Vector) -> tuple[Vector, Vector]:
    """To a billionth: processors differ in the last bit, and a right angle is one exactly."""
    angle = np.radians(angle_deg)
    return np.cos(angle).round(9), np.sin(angle).round(9)
