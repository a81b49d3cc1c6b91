"""Images of one frame as bytes: colour as JPEG, instance ids as runs, depth as millimetres.

Ids and depth go through a *plain* form, which is what a recording's content hash covers, and then zstd.
So the hash does not change when a newer zstd packs the same content better.

Ids lose nothing. Depth is kept to the nearest millimetre (at most 0.5 mm lost) as 16-bit integers while it
is below 65.534 m; +inf (sky) stays +inf and 0 (missing) stays 0. A depth image with anything else in it
(NaN, negative, farther away) is kept whole as float32.

Decoders raise ValueError on bytes that break a rule; the reader adds the file's name.
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
_SIZE_BYTES = 4
_MOST_BYTES = 1 << 29  # of a picture's depth: a size that is written before a few bytes is not trusted
_MILLIMETRES, _FLOATS = b"m", b"f"
_INFINITE_MM = 65535


def encode_jpeg(rgb: Rgb) -> bytes:
    """JPEG at quality 95 without chroma subsampling: the bytes that models are shown."""
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
    """Values and lengths of the row-major runs of equal ids."""
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
    """One letter for the unit, then the pixels: uint16 millimetres if they fit, else float32 metres.

    Of millimetres, each row holds its first pixel and then the steps from pixel to pixel: on smooth
    surfaces these repeat, and zstd makes them many times smaller.
    """
    with np.errstate(invalid="ignore", over="ignore"):
        millimetres: Depth = np.rint(depth * np.float32(1000))
        infinite = np.isposinf(millimetres)
        millimetres[infinite] = 0
        # NaN fails both comparisons, so such an image falls through to float32.
        fits = bool(millimetres.min() >= 0 and millimetres.max() < _INFINITE_MM)
    if not fits or bool(np.any(infinite & np.isfinite(depth))):
        return _FLOATS + depth.astype("<f4").tobytes()
    pixels = millimetres.astype(np.uint16)
    pixels[infinite] = _INFINITE_MM
    steps = pixels.copy()
    steps[:, 1:] -= pixels[:, :-1]  # may wrap around; the reader's sum wraps back
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
    # One per call: a codec object keeps a work area that threads must not share.
    return pa.Codec("zstd", 1)


def pack(plain: bytes) -> bytes:
    """The plain form's length, then the plain form in zstd."""
    return len(plain).to_bytes(_SIZE_BYTES, "little") + cast(bytes, _zstd().compress(plain, asbytes=True))


def unpack(packed: bytes) -> bytes:
    size = int.from_bytes(packed[:_SIZE_BYTES], "little")
    if size > _MOST_BYTES:
        raise ValueError(f"the stored bytes say that they hold {size} bytes, more than {_MOST_BYTES}")
    try:
        return cast(bytes, _zstd().decompress(packed[_SIZE_BYTES:], size, asbytes=True))
    except (pa.ArrowException, OSError, MemoryError) as error:
        raise ValueError(f"the stored bytes are not zstd of {size} bytes ({error})") from error
