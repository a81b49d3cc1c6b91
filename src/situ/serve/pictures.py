"""Pictures that strangers send: their size is read before a pixel is unpacked."""

import struct

import cv2
import numpy as np

from situ.errors import BadFormat, BadInput
from situ.recording.codec import Depth, Rgb

_START_OF_FRAME = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
_ALONE = frozenset({0x01, *range(0xD0, 0xD9)})  # markers without a length
_PNG = b"\x89PNG\r\n\x1a\n"


def jpeg_size(data: bytes) -> tuple[int, int]:
    """Width and height as the header of a JPEG says them."""
    if data[:2] != b"\xff\xd8":
        raise BadFormat("a picture must be a JPEG")
    at = 2
    while at + 9 < len(data):
        if data[at] != 0xFF:
            break
        marker = data[at + 1]
        if marker == 0xFF:
            at += 1
        elif marker in _ALONE:
            at += 2
        elif marker in _START_OF_FRAME:
            height, width = struct.unpack(">HH", data[at + 5 : at + 9])
            return int(width), int(height)
        else:
            at += 2 + int.from_bytes(data[at + 2 : at + 4], "big")
    raise BadFormat("the JPEG has no frame header")


def decode_jpeg(data: bytes, max_pixels: int) -> Rgb:
    width, height = jpeg_size(data)
    if not 0 < width * height <= max_pixels:
        raise BadFormat(f"a picture may have {max_pixels} pixels, this one says {width}x{height}")
    found = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR | cv2.IMREAD_IGNORE_ORIENTATION)
    if found is None:
        raise BadFormat("the JPEG cannot be decoded")
    return np.asarray(cv2.cvtColor(found, cv2.COLOR_BGR2RGB), dtype=np.uint8)


def decode_depth(data: bytes, max_pixels: int) -> Depth:
    """Metres from a PNG of 16-bit millimetres; 0 where nothing is known."""
    if data[:8] != _PNG or len(data) < 26 or data[12:16] != b"IHDR":
        raise BadFormat("depth must be a PNG")
    width, height, bits, colour = struct.unpack(">IIBB", data[16:26])
    if not 0 < width * height <= max_pixels or bits != 16 or colour != 0:
        raise BadFormat(f"depth is a grey PNG of 16 bits and at most {max_pixels} pixels")
    found = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_UNCHANGED)
    if found is None or found.ndim != 2:
        raise BadFormat("the depth picture cannot be decoded")
    return np.asarray(found, dtype=np.float32) / np.float32(1000.0)


def fitted(picture: Rgb, orientation: int, width: int, height: int) -> Rgb:
    """Upright and in the grid of the stream's camera. Another size of the same shape is scaled; another shape
    is another lens."""
    upright = np.rot90(picture, -orientation // 90) if orientation else picture
    found = (upright.shape[1], upright.shape[0])
    if abs(found[0] * height - found[1] * width) > 0.02 * found[0] * height:
        raise BadInput(
            f"the picture is {found[0]}x{found[1]}, the stream said {width}x{height}: say hello again, with "
            "another session and the lens of this picture"
        )
    if found != (width, height):
        upright = cv2.resize(upright, (width, height), interpolation=cv2.INTER_AREA)
    return np.ascontiguousarray(upright)
