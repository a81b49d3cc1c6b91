"""A watch with these eyes: what a source knows of depth is left aside, its poses are taken if wanted."""

from collections.abc import Iterator
from dataclasses import replace

from situ.perception.homes.eye import HomesEye
from situ.perception.homes.network import Network
from situ.perception.homes.placing import HomesPoses
from situ.perception.pipeline import Stages
from situ.perception.posing import GivenPoses
from situ.perception.sources import Source
from situ.perception.stages import InputFrame


def homes_watch(source: Source, network: Network, estimate_poses: bool = False) -> tuple[Source, Stages]:
    """The source as pictures alone (and poses, unless they are to be found), and the stages for it."""
    given = source.has_poses and not estimate_poses

    def read(after: int) -> Iterator[InputFrame]:
        for frame in source.read(after):
            yield InputFrame(
                frame.index, frame.time, frame.rgb, None, frame.T_world_camera if given else None
            )

    eye = HomesEye(network, source.camera)
    poses = GivenPoses() if given else HomesPoses(eye, source.camera)
    seen = replace(source, read=read, has_depth=False, has_poses=given)
    return seen, Stages(poses, eyes=(eye,), depth=eye, places=eye)
