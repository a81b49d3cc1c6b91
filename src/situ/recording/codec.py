"""Encoding of one frame's images: colour as JPEG, instance ids as run lengths, depth in millimetres.

Ids and depth have a *plain* form, which the content hash covers, and are then compressed with zstd. The hash
therefore does not depend on the zstd version.

Ids are lossless. Depth below 65.534 m is stored as 16-bit millimetres (error at most 0.5 mm); +inf (sky) and
0 (missing) are preserved. Images with other values (NaN, negative, farther) are stored as float32.

Decoders raise ValueError on invalid bytes; the reader adds the file name.
"""

from typing import cast

import cv2
import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from situ.errors import BadInput

Rgb = NDArray[np.uint8]
Ids = NDArray[np.uint16]
Depth = NDArray[np.float32]

_JPEG = [
    cv2.IMWRITE_JPEG_QUALITY,
    95,
    cv2.IMWRITE_JPEG_SAMPLING_FACTOR,
    cv2.IMWRITE_JPEG_SAMPLING_FACTOR_444,
]
_SIZE_BYTES = 4  # length prefix of compressed data
_MAX_BYTES = 1 << 29  # of a depth image: a larger size in the header is invalid
_MILLIMETRES, _FLOATS = b"m", b"f"
_INFINITE_MM = 65535  # code of infinity


def encode_jpeg(rgb: Rgb) -> bytes:
    """JPEG at quality 95 without chroma subsampling: the bytes that models receive."""
    done, data = cv2.imencode(".jpg", cv2.cvtColor(rgb, cv2.COLOR_RGB2BGR), _JPEG)
    if not done:
        raise BadInput(f"an image of shape {rgb.shape} could not be encoded as JPEG")
    return data.tobytes()


def decode_jpeg(data: bytes) -> Rgb:
    image = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR_RGB)
    if image is None:
        raise ValueError("the stored image is not a readable JPEG")
    return cast(Rgb, image)


def runs(ids: Ids) -> tuple[Ids, NDArray[np.int64]]:
    """Values and lengths of runs of equal ids, in row-major order."""
    flat = np.ascontiguousarray(ids).reshape(-1)
    ends = np.append(np.flatnonzero(flat[1:] != flat[:-1]) + 1, flat.size)
    return flat[ends - 1], np.diff(ends, prepend=0)


def ids_to_plain(ids: Ids) -> bytes:
    """All run values (uint16), then all run lengths (uint32), little-endian."""
    values, lengths = runs(ids)
    return values.astype("<u2").tobytes() + lengths.astype("<u4").tobytes()


def ids_from_plain(plain: bytes, height: int, width: int) -> Ids:
    count = len(plain) // 6
    lengths = np.frombuffer(plain, "<u4", count, 2 * count)
    if len(plain) != 6 * count or lengths.sum() != height * width:
        raise ValueError(f"the runs of the instance ids do not fill an image of {width}x{height} pixels")
    values = np.frombuffer(plain, "<u2", count).astype(np.uint16)
    return np.repeat(values, lengths).reshape(height, width)


def depth_to_plain(depth: Depth) -> bytes:
    """One letter for the unit, then pixels: uint16 millimetres if they fit, else float32 metres.

    Each row of millimetres holds its first pixel and then differences, which zstd compresses well on smooth
    surfaces.
    """
    with np.errstate(invalid="ignore", over="ignore"):
        millimetres: Depth = np.rint(depth * np.float32(1000))
        infinite = np.isposinf(millimetres)
        millimetres[infinite] = 0
        # NaN fails both comparisons, so such an image is stored as float32.
        fits = bool(millimetres.min() >= 0 and millimetres.max() < _INFINITE_MM)
    if not fits or bool(np.any(infinite & np.isfinite(depth))):
        return _FLOATS + depth.astype("<f4").tobytes()
    pixels = millimetres.astype(np.uint16)
    pixels[infinite] = _INFINITE_MM
    steps = pixels.copy()
    steps[:, 1:] -= pixels[:, :-1]  # may wrap around; the cumulative sum of the reader wraps back
    return _MILLIMETRES + steps.astype("<u2").tobytes()


def depth_from_plain(plain: bytes, height: int, width: int) -> Depth:
    unit, pixels = plain[:1], plain[1:]
    size = {_MILLIMETRES: 2, _FLOATS: 4}.get(unit)
    if size is None or len(pixels) != size * height * width:
        raise ValueError(f"the stored depth is not an image of {width}x{height} pixels")
    if unit == _FLOATS:
        return np.frombuffer(pixels, "<f4").astype(np.float32).reshape(height, width)
    steps = np.frombuffer(pixels, "<u2").reshape(height, width)
    millimetres = np.cumsum(steps, axis=1, dtype=np.uint16)
    depth = millimetres.astype(np.float32) / np.float32(1000)
    depth[millimetres == _INFINITE_MM] = np.inf
    return depth


def _zstd() -> pa.Codec:
    # One object per call: a codec has a work area that threads must not share.
    return pa.Codec("zstd", 1)


def pack(plain: bytes) -> bytes:
    """Length of the plain form, then the plain form compressed with zstd."""
    return len(plain).to_bytes(_SIZE_BYTES, "little") + cast(bytes, _zstd().compress(plain, asbytes=True))


def unpack(packed: bytes) -> bytes:
    size = int.from_bytes(packed[:_SIZE_BYTES], "little")
    if size > _MAX_BYTES:
        raise ValueError(f"the stored bytes say that they hold {size} bytes, more than {_MAX_BYTES}")
    try:
        return cast(bytes, _zstd().decompress(packed[_SIZE_BYTES:], size, asbytes=True))
    except (pa.ArrowException, OSError, MemoryError) as error:
        raise ValueError(f"the stored bytes are not zstd of {size} bytes ({error})") from error
