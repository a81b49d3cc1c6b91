"""What a stream says of itself before its first frame, and what each frame says."""

import math
import re
from dataclasses import dataclass

import numpy as np

from situ.errors import BadInput
from situ.geometry.axes import z_up_from
from situ.geometry.camera import Camera
from situ.geometry.pose import Matrix
from situ.serve.body import Fields, number_of, read_json

DEPTHS = ("u16mm-png",)
ALIGN_SAME, ALIGN_HERE = "same", "here"
_SESSION = re.compile(r"^[A-Za-z0-9_-]{8,64}$")


@dataclass(frozen=True)
class Hello:
    """The lens, in pixels of the upright picture, and what comes with the pictures.

    `session` names the stream: whoever comes back with it goes on where it broke off. `align` says where
    another stream begins in the world of a memory that has frames already: "same" world, "here" where the
    last one stopped, or X,Y,YAW.
    """

    session: str
    camera: Camera
    orientation: int = 0
    depth: bool = False
    poses: bool = False
    T_z_up: Matrix | None = None  # what turns its poses upright
    eye_height: float | None = None
    align: str = ALIGN_HERE

    @classmethod
    def read(cls, text: str, max_pixels: int) -> "Hello":
        fields = Fields(read_json(text))
        session = fields.text("session", 64)
        if not _SESSION.match(session):
            raise BadInput("'session' is 8 to 64 letters, digits, '_' or '-', made by the client at random")
        width, height = fields.whole("width", 16, 16384, 0), fields.whole("height", 16, 16384, 0)
        if not width or not height or width * height > max_pixels:
            raise BadInput(f"'width' and 'height' are needed, of at most {max_pixels} pixels together")
        camera = _camera(fields, width, height)
        orientation = fields.whole("orientation", 0, 270, 0)
        if orientation % 90:
            raise BadInput("'orientation' is 0, 90, 180 or 270: how far pictures are to be turned clockwise")
        depth, poses = fields.optional_text("depth", 40), fields.optional_text("poses", 40)
        if depth is not None and depth not in DEPTHS:
            raise BadInput(f"'depth' is null or one of {', '.join(DEPTHS)}")
        if poses not in (None, "T_world_camera"):
            raise BadInput("'poses' is null or T_world_camera")
        up = fields.text("up", 2, "z")
        eye_height = fields.number("eye_height", 0.1, 10.0)
        align = fields.text("align", 60, ALIGN_SAME if poses else ALIGN_HERE)
        fields.text("clock", 20, "device")
        fields.done()
        turn = z_up_from(up)
        return cls(
            session, camera, orientation, depth is not None, poses is not None, turn, eye_height, align
        )


def _camera(fields: Fields, width: int, height: int) -> Camera:
    fov = fields.number("fov_deg", 10.0, 160.0)
    lens = [fields.number(name, 0.0, 1e6) for name in ("fx", "fy", "cx", "cy")]
    known = [number for number in lens if number is not None]
    if len(known) == 4 and known[0] > 1.0 and known[1] > 1.0:
        return Camera(width, height, *known)
    if fov is None or known:
        raise BadInput("the lens is 'fov_deg' (horizontal), or 'fx', 'fy', 'cx' and 'cy' in pixels")
    return Camera.from_fov(width, height, fov)


@dataclass(frozen=True, eq=False)
class FrameHeader:
    """When a picture was taken, and what else is known: the pose, and which way is down in camera axes."""

    seq: int
    time: float
    T_world_camera: Matrix | None = None
    gravity: tuple[float, ...] | None = None

    @classmethod
    def read(cls, text: str, hello: Hello) -> "FrameHeader":
        fields = Fields(read_json(text))
        time = fields.number("t")
        if time is None:
            raise BadInput("'t' is missing: the time of the frame in seconds")
        seq = fields.whole("seq", 0, 1 << 50, 0)
        flat = fields.numbers("T", 16)
        gravity = fields.numbers("gravity", 3)
        fields.done()
        if gravity is not None:
            length = math.sqrt(sum(part * part for part in gravity))
            number_of("gravity", length, 1e-3, 1e3)
        return cls(seq, time, None if flat is None else _pose(flat, hello), gravity)


@dataclass(frozen=True, eq=False)
class RawFrame:
    """A frame as it came over the wire."""

    header: FrameHeader
    jpeg: bytes
    depth: bytes | None = None


def _pose(flat: tuple[float, ...], hello: Hello) -> Matrix:
    pose = np.array(flat).reshape(4, 4)
    turn = pose[:3, :3]
    rigid = np.allclose(turn @ turn.T, np.eye(3), atol=1e-3) and np.linalg.det(turn) > 0
    if not rigid or not np.allclose(pose[3], (0, 0, 0, 1)):
        raise BadInput("'T' is a rigid 4x4 transform T_world_camera, row by row")
    return pose if hello.T_z_up is None else np.asarray(hello.T_z_up @ pose)
