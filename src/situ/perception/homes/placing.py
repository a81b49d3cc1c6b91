"""Where each picture was taken, by what the eyes see in it: for streams whose views hardly overlap.

Odometry follows points from picture to picture. Here up comes from the floor and from all that stands
upright, and the heading from the walls, but for quarter turns; which of the four it is, and the spot, is
where walls, things, earlier views and their corners fall on what is known of the place. Nothing drifts in
yaw, and who comes back finds the same map.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace

import numpy as np

from situ.geometry.camera import Camera
from situ.geometry.path_uncertainty import PathUncertainty
from situ.geometry.pose import Matrix, camera_pose
from situ.perception.homes.eye import HomesEye
from situ.perception.homes.guesses import Guess, Step, likeliest, within
from situ.perception.homes.instances import instances
from situ.perception.homes.pictures import Matches, Picture
from situ.perception.homes.place_map import PlaceMap
from situ.perception.homes.searching import Search
from situ.perception.homes.sight import USUAL_EYES_M, USUAL_UP, Array, Sight, sight_of
from situ.perception.odometry.visual_map import VisualMap
from situ.perception.stages import InputFrame, Posed

# Logs of odds that are asked for: of a place at all; of one where the last picture had none, as there are
# many more to choose from; and of the best against the next.
LEAST_FIT, FOUND_FIT, LEAST_LEAD = 0.5, 4.0, 1.0
_NOWHERE = camera_pose([0.0, 0.0, 0.0], 0.0)


class HomesPoses:
    """Poses by what is seen. A picture that fits two ways, or nowhere, is lost and not guessed; but both ways
    are followed, and if the other one fits better later the poses since are revised."""

    scale_from, gravity_from, complaint = "depth", "floor", ""
    doubt: PathUncertainty | None = None
    visual_map: VisualMap | None = None
    wants_depth = False  # it takes what the eyes see at first hand
    resumes = False  # its map is not kept: an interrupted watch sees the first frames again

    def __init__(self, eye: HomesEye, camera: Camera) -> None:
        self._eye, self._camera = eye, camera
        self._up, self._eyes_m = USUAL_UP, USUAL_EYES_M
        self._guesses: list[Guess] = []  # the best first
        self._changed = False  # whether another than before has become the best

    def locate(self, frame: InputFrame) -> Posed:
        glance, network = self._eye.glance(frame.rgb), self._eye.network
        sight, self._up = sight_of(
            glance, instances(glance, network), frame.rgb, network, self._up, self._eyes_m
        )
        self._eyes_m = sight.eyes_m
        picture = Picture.of(frame.rgb, glance, self._camera)
        matches = Matches(picture, self._camera)
        if self._guesses:
            grown = [
                child for one in self._guesses for child in self._continued(one, sight, matches, frame.time)
            ]
        elif sight.quarter is None:
            return Posed(_NOWHERE, "no walls are seen that would tell the heading")
        else:
            start = self._pose(np.zeros(2), sight.quarter)
            grown = [Guess(PlaceMap(self._camera), start, sight.quarter, 0.0, frame.time, 0.0)]
        way = self._guesses[0].way if self._guesses else None
        self._guesses = [_learnt(guess, sight, picture, frame.index) for guess in likeliest(grown)]
        best, *others = self._guesses
        before = best.way.before if best.placed and best.way is not None else best.way
        self._changed |= before is not way
        if not best.placed:
            return Posed(_NOWHERE, "what is seen fits nowhere")
        if any(_sibling(one, best) and one.score > best.score - LEAST_LEAD for one in others):
            return Posed(_NOWHERE, "what is seen fits two ways")
        return Posed(best.pose)

    def _pose(self, spot: Array, yaw: float) -> Matrix:
        pitch = float(np.degrees(np.arcsin(np.clip(self._up[2], -1.0, 1.0))))
        return camera_pose([*spot, self._eyes_m], float(np.degrees(yaw)), pitch)

    def _continued(self, guess: Guess, sight: Sight, matches: Matches, time: float) -> Iterator[Guess]:
        """Where the picture may have been taken, by a guess about those before; or somewhere unknown."""
        search, least = Search(guess, sight, time), LEAST_FIT if guess.placed else FOUND_FIT
        for spot, yaw, fit in search.found(matches):
            if fit >= least:
                turned = within(yaw - guess.yaw) if search.seconds < 1.5 else 0.0
                pose = self._pose(spot, yaw)
                yield Guess(guess.map, pose, yaw, turned, time, guess.score + fit, guess.way)
        yield replace(guess, score=guess.score + LEAST_FIT, placed=False)

    def revised(self, told: Mapping[int, Matrix]) -> Mapping[int, Matrix]:
        """Poses that were told by a guess which is no longer the best."""
        if not self._changed or not self._guesses:
            return {}
        self._changed = False
        better, step = {}, self._guesses[0].way
        while step is not None:
            if step.frame in told and not np.allclose(step.pose, told[step.frame]):
                better[step.frame] = step.pose
            step = step.before
        return better


def _sibling(one: Guess, best: Guess) -> bool:
    """Whether both place this picture, and elsewhere, but agree on all before it."""
    if one.way is None or best.way is None or not one.placed:
        return False
    return one.way.before is best.way.before and one.differs(best)


def _learnt(guess: Guess, sight: Sight, picture: Picture, frame: int) -> Guess:
    if not guess.placed:
        return guess
    guess.map.learn(sight, picture, guess.pose, guess.yaw)
    return replace(guess, way=Step(frame, guess.pose, guess.way))
