"""Pictures of coloured solids on open ground turned into observations. No model: colours and outlines."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from situ.errors import BadInput
from situ.geometry.camera import Camera
from situ.geometry.heading import Heading
from situ.geometry.pose import Matrix, inverse, transform, yaw_deg
from situ.perception.observation import Observation, ObservedFrame
from situ.perception.solids.clear import clear_view
from situ.perception.solids.egomotion import after, level_pose
from situ.perception.solids.explain import APART, Picture, Solid, explain
from situ.perception.solids.palette import Palette
from situ.perception.solids.silhouette import SHAPES, view_of
from situ.state.protocol import ObjectView
from situ.state.visibility import Visibility

# A solid whose shape could as well be another one, give or take this many pixels, is in doubt.
_DOUBT_PIXELS = 8.0
_UPRIGHT_SIGMA_M = 0.05
_NEARLY = 0.8  # mixed pixels at its border may hide this much of what counts as clearly seen
_GUESS_LEAD = 4.0
_LEAST_SHARE = 0.12  # of its outline in the picture, if it borders on its like
# Outlines are made of chords and pixels: a fit is never better than this, and a share of the distance.
_LEAST_SIGMA_M, _LEAST_SIGMA_SHARE = 0.04, 0.01


@dataclass(frozen=True)
class SolidWorld:
    """What is known beforehand: linear colours by name, the solids' size and the camera's height in metres.

    Boxes stand square to the first heading.
    """

    colors: Mapping[str, tuple[float, float, float]]
    size: float = 1.0
    camera_height: float = 1.25


class SolidEye:
    """Looks at one frame after the other of a walk that is told in words."""

    def __init__(self, world: SolidWorld, camera: Camera, visibility: Visibility | None = None) -> None:
        if world.size >= world.camera_height:
            raise BadInput(
                f"the camera at {world.camera_height} m must be higher than the solids of {world.size} m, "
                "so that all of them lie below the horizon"
            )
        self._world, self._camera = world, camera
        self._palette = Palette(world.colors)
        self._visibility = visibility or Visibility()
        pixels = camera.width * camera.height
        self._clear = _NEARLY * self._visibility.clear_share * pixels
        # Nothing may hinge on what lies between the two shares, so the middle is the safest border.
        self._seen = math.sqrt(self._visibility.clear_share * self._visibility.unseen_share) * pixels
        self._here = Heading(0.0, 0.0, 0.0, 0.0)
        self._doubted: list[Observation] = []

    def walk(self, action: str) -> None:
        """Do an action without looking."""
        self._here = after(self._here, action)

    def look(
        self,
        rgb: NDArray[np.uint8],
        action: str,
        time: float,
        known: Sequence[ObjectView] = (),
        eager: bool = False,
    ) -> ObservedFrame:
        """One frame, after an action. `known` are the solids remembered so far: what one expects to see.

        A new solid is reported once its shape and place are beyond doubt, or as soon as it is out of the
        picture and no better view of it came; an `eager` look reports every solid in clear view, in doubt
        or not.
        """
        self.walk(action)
        pose = level_pose(self._here, self._world.camera_height)
        view = view_of(self._camera, self._world.camera_height, self._world.size, yaw_deg(pose))
        classes = self._palette.classify(rgb[round(self._camera.cy) :])
        picture = Picture(classes, view)
        solids = explain(picture, list(self._expected(pose, known)))
        told = [solid for solid in solids if solid.known or self._is_new(solid, eager)]
        guesses = [solid for solid in solids if not solid.known and self._is_new(solid, eager=True)]
        seen = self._observations(pose, told)
        taken = [thing.box.center for thing in known] + [one.position for one in seen]
        seen += self._left_in_doubt(pose, picture, taken)
        self._doubted += [] if eager else self._observations(pose, [s for s in guesses if s not in told])
        free = clear_view(picture, self._camera)
        return ObservedFrame(time, pose, tuple(seen), self._camera, free)

    def _left_in_doubt(
        self, pose: Matrix, picture: Picture, taken: Sequence[Sequence[float]]
    ) -> list[Observation]:
        """What was in doubt and is out of the picture now, where nothing else is known to stand.

        What could be seen in this picture is judged by it. What something hides waits. Of two that cannot
        both stand there, one guess at a thing from here and another from there, it is the better placed one.
        """
        to_camera, waiting, left = inverse(pose), list[Observation](), list[Observation]()
        for doubt in sorted(self._doubted, key=_spread):
            if any(math.dist(doubt.position[:2], center[:2]) < self._world.size for center in taken):
                continue
            least = APART * self._world.size
            if any(math.dist(doubt.position[:2], o.position[:2]) < least for o in (*waiting, *left)):
                continue
            x, _, z = transform(to_camera, doubt.position)
            hidden = picture.hides(float(x), float(z))
            if hidden is None:
                left.append(doubt)
            elif hidden:
                waiting.append(doubt)
        self._doubted = waiting
        return left

    def _is_new(self, solid: Solid, eager: bool) -> bool:
        """Whether to report a solid that was not expected."""
        if solid.beside and solid.share < _LEAST_SHARE:
            return False  # more likely the rim of the other thing of its colour, not placed to a hair
        guess = solid.visible >= self._clear or (solid.visible >= self._seen and solid.lead > _GUESS_LEAD)
        return solid.sure or (eager and guess)

    def _expected(self, pose: Matrix, known: Sequence[ObjectView]) -> Iterator[Solid]:
        to_camera = inverse(pose)
        reach = self._camera.horizontal_fov_deg / 2
        # Of two that cannot both stand there, the better placed one stands.
        for thing in sorted(known, key=lambda thing: (thing.spread_m, -getattr(thing, "seen_count", 1))):
            color = thing.attributes.get("color", "")
            if thing.category in SHAPES and color in self._palette.names:
                x, _, z = transform(to_camera, thing.box.center)
                near = math.hypot(x, z) < 2 * self._world.size
                if z > 0 and (near or abs(math.degrees(math.atan2(x, z))) < reach + 15):
                    yield Solid(
                        1 + self._palette.names.index(color),
                        SHAPES.index(thing.category),
                        float(x),
                        float(z),
                        known=True,
                    )

    def _observations(self, pose: Matrix, solids: Sequence[Solid]) -> list[Observation]:
        seen = (self._observation(pose, solid) for solid in solids)
        return [one for one in seen if one is not None]

    def _observation(self, pose: Matrix, solid: Solid) -> Observation | None:
        if solid.visible < self._visibility.unseen_share * self._camera.width * self._camera.height:
            return None
        weights = [math.exp(-loss / _DOUBT_PIXELS) for loss in solid.rivals]
        center = np.array([solid.x, self._world.camera_height - self._world.size / 2, solid.z])
        x, y, z = (float(v) for v in transform(pose, center))
        return Observation(
            SHAPES[solid.shape],
            (x, y, z),
            weights[solid.shape] / sum(weights),
            covariance=_covariance(pose, solid),
            size=(self._world.size,) * 3,
            attributes={"color": self._palette.names[solid.color - 1]},
            clarity=1.0 if solid.visible >= self._seen else 0.5,
        )


def _spread(seen: Observation) -> float:
    """How badly it is placed."""
    return 0.0 if seen.covariance is None else float(np.trace(seen.covariance))


def _covariance(pose: Matrix, solid: Solid) -> NDArray[np.float64]:
    """Wide along the line of sight, narrow across it."""
    length = solid.distance
    ahead = np.array([solid.x / length, 0.0, solid.z / length])
    across = np.array([ahead[2], 0.0, -ahead[0]])
    least = _LEAST_SIGMA_M + _LEAST_SIGMA_SHARE * length
    local = (
        (solid.sigma_along**2 + least**2) * np.outer(ahead, ahead)
        + (solid.sigma_across**2 + least**2) * np.outer(across, across)
        + _UPRIGHT_SIGMA_M**2 * np.outer([0.0, 1.0, 0.0], [0.0, 1.0, 0.0])
    )
    matrix: NDArray[np.float64] = pose[:3, :3] @ local @ pose[:3, :3].T
    return (matrix + matrix.T) / 2
