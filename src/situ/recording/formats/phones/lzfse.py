"""What was packed by LZFSE, as phones do, unpacked into no more memory than it should take up.

The Python function of `pyliblzfse` lets a few bytes grow as far as they like; the decoder inside it takes a
limit, so that one is called.
"""

import ctypes
from collections.abc import Callable

from situ.errors import BadFormat, MissingExtra

Decode = Callable[[ctypes.Array[ctypes.c_char], int, bytes, int, None], int]


def unpacked(name: str, packed: bytes, size: int, feature: str) -> bytes:
    """Exactly so many bytes; anything else is refused. `name` and `feature` are for what is said then."""
    room = ctypes.create_string_buffer(size + 1)  # one more, so that too much shows
    found = _decoder(feature)(room, size + 1, packed, len(packed), None)
    if found != size:
        more = f"more than {size}" if found > size else f"{found}"
        raise BadFormat(f"{name} unpacks to {more} bytes, {size} are expected; the file is damaged")
    return room.raw[:size]


def _decoder(feature: str) -> Decode:
    try:
        import liblzfse
    except ImportError as error:
        raise MissingExtra("phones", feature) from error
    decode: Decode | None = getattr(ctypes.CDLL(liblzfse.__file__), "lzfse_decode_buffer", None)
    if decode is None:
        raise BadFormat(
            f"{feature} cannot be unpacked safely: {liblzfse.__file__} does not offer the decoder; build "
            f"pyliblzfse from source (pip install --no-binary :all: pyliblzfse)"
        )
    decode.restype = ctypes.c_size_t  # type: ignore[attr-defined]
    decode.argtypes = [  # type: ignore[attr-defined]
        ctypes.c_char_p, ctypes.c_size_t, ctypes.c_char_p, ctypes.c_size_t, ctypes.c_void_p,
    ]  # fmt: skip
    return decode
