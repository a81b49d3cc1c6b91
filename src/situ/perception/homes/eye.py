"""The network as stages of a watch: depth for odometry and free space, and an eye that places things."""

import math
from dataclasses import replace

import cv2
import numpy as np

from situ.geometry.camera import Camera
from situ.geometry.pose import Matrix, transform, yaw_deg
from situ.perception.homes.channels import KNOWN
from situ.perception.homes.instances import CLEAR_EVIDENCE, Instance, instances
from situ.perception.homes.network import Glance, Network
from situ.perception.observation import Observation
from situ.perception.stages import InputFrame, Look
from situ.recording.codec import Depth, Rgb

_SURE_LOOKS = 0.5  # colours and materials that are less likely are not told
# Middles are off along the view by about what the network says, and across it by a fifth of that.
_ALONG, _ACROSS, _LEAST_SIGMA_M = 1.0, 0.2, 0.03
_SURE_ROOM = 0.7  # a picture that leaves more doubt says nothing new about where it was taken


class HomesEye:
    """Depth stage, eye and tagger of rooms in one, since one look of the network serves all."""

    metric = True

    def __init__(self, network: Network, camera: Camera) -> None:
        self.network, self._camera = network, camera
        self._last: tuple[Rgb, Glance] | None = None
        self._room: str | None = None

    @property
    def known_names(self) -> frozenset[str]:
        return frozenset(self.network.names[self.network.shell :])

    def depth(self, frame: InputFrame) -> Depth:
        glance = self.glance(frame.rgb)
        size = (self._camera.width, self._camera.height)
        return np.asarray(cv2.resize(glance.metres, size, interpolation=cv2.INTER_LINEAR), dtype=np.float32)

    def look(self, look: Look) -> tuple[Observation, ...]:
        return self.observations(self.glance(look.frame.rgb), look.T_world_camera)

    def tag(self, rgb: Rgb) -> str | None:
        """The room where the picture was taken, or where the last sure one was; none outdoors."""
        rooms = self.glance(rgb).rooms
        if rooms.max() >= _SURE_ROOM:
            self._room = self.network.rooms[int(rooms.argmax())] or None
        return self._room

    def observations(self, glance: Glance, T_world_camera: Matrix) -> tuple[Observation, ...]:
        heading = yaw_deg(T_world_camera)
        return tuple(
            replace(
                _observation(thing, self.network, T_world_camera, heading, self._camera),
                score=self.score_of(thing),
                attributes=self.attributes_of(thing),
            )
            for thing in instances(glance, self.network)
        )

    def score_of(self, thing: Instance) -> float:
        return min(1.0, thing.score)

    def attributes_of(self, thing: Instance) -> dict[str, str]:
        """What is known of every object of that name, and its colour and material where they are likely."""
        name = self.network.names[thing.name]
        known = dict(KNOWN.get(name, {}))
        if name in self.network.colored:
            for kind, chances, words in (
                ("color", thing.color, self.network.colors),
                ("material", thing.material, self.network.materials),
            ):
                if chances.max() >= _SURE_LOOKS:
                    known[kind] = words[int(chances.argmax())]
        return known

    def glance(self, rgb: Rgb) -> Glance:
        if self._last is None or self._last[0] is not rgb:
            self._last = rgb, self.network.glance(rgb, self._camera)
        return self._last[1]


def _observation(
    thing: Instance, network: Network, T_world_camera: Matrix, heading_deg: float, camera: Camera
) -> Observation:
    name = network.names[thing.name]
    x, y, z = (float(v) for v in transform(T_world_camera, thing.middle))
    longer, shorter, height = (float(v) for v in thing.size)
    turn = math.radians(heading_deg + thing.turn_deg)
    c, s = abs(math.cos(turn)), abs(math.sin(turn))
    rows, columns = np.flatnonzero(thing.cells.any(axis=1)), np.flatnonzero(thing.cells.any(axis=0))
    down, across = camera.height / thing.cells.shape[0], camera.width / thing.cells.shape[1]
    box = (columns[0] * across, rows[0] * down, (columns[-1] + 1) * across, (rows[-1] + 1) * down)
    along, across = (max(_LEAST_SIGMA_M, share * thing.spread_m) for share in (_ALONG, _ACROSS))
    away = T_world_camera[:3, :3] @ (thing.middle / max(1e-6, float(np.linalg.norm(thing.middle))))
    return Observation(
        name,
        (x, y, z),
        thing.score,
        along,
        across**2 * np.eye(3) + (along**2 - across**2) * np.outer(away, away),
        size=(longer * c + shorter * s, longer * s + shorter * c, height),
        embedding=thing.look,
        box2d=box,
        clarity=1.0 if thing.evidence >= CLEAR_EVIDENCE else 0.5,
    )
