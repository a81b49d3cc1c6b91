"""Times as people write them: "00:03:1.8", "3:01", "181.8", "181.8 s", "frame 5454"."""

import math
import re

from situ.errors import BadInput

_CLOCK = re.compile(r"(?:(\d+):)?(\d{1,2}):(\d{1,2}(?:[.,]\d+)?)")
_SECONDS = re.compile(r"(\d+(?:[.,]\d+)?)\s*(?:s|sec|secs|second|seconds)?")
_FRAME = re.compile(r"(?:frame|frames|f|#)\s*(\d+)")
_MINUTES = re.compile(r"(?:(\d+)\s*h)?\s*(?:(\d+)\s*m(?:in)?)?\s*(?:(\d+(?:[.,]\d+)?)\s*s)?")


def clock(seconds: float) -> str:
    """ "00:03:01", with tenths where there are any."""
    if not (math.isfinite(seconds) and seconds >= 0):
        raise BadInput(f"a time on the clock is 0 or more seconds, got {seconds}")
    tenths = round(seconds * 10)
    whole, rest = divmod(tenths, 10)
    text = f"{whole // 3600:02d}:{whole // 60 % 60:02d}:{whole % 60:02d}"
    return f"{text}.{rest}" if rest else text


def read_time(value: object, fps: float | None = None) -> float:
    """Seconds, from a number of seconds, a clock, "3m 2s" or "frame 90" (which needs `fps`)."""
    if isinstance(value, bool) or value is None:
        raise BadInput(f"a time is needed, got {value!r}; write seconds or HH:MM:SS")
    if isinstance(value, (int, float)):
        return _checked(float(value), value)
    text = str(value).strip().lower()
    if found := _CLOCK.fullmatch(text):
        hours, minutes, seconds = found.groups()
        if int(minutes) > 59 or _number(seconds) >= 60:
            raise BadInput(f"in the time {value!r} minutes and seconds must be under 60")
        return _checked(int(hours or 0) * 3600 + int(minutes) * 60 + _number(seconds), value)
    if found := _SECONDS.fullmatch(text):
        return _checked(_number(found.group(1)), value)
    if found := _FRAME.fullmatch(text):
        if fps is None or not fps > 0:
            raise BadInput(f"the time {value!r} counts frames; say how many frames a second has (--fps)")
        return _checked(int(found.group(1)) / fps, value)
    if text and (found := _MINUTES.fullmatch(text)) and any(found.groups()):
        hours, minutes, seconds = found.groups()
        return _checked(int(hours or 0) * 3600 + int(minutes or 0) * 60 + _number(seconds or "0"), value)
    raise BadInput(f"the time {value!r} cannot be read; write seconds (181.8), HH:MM:SS or 'frame N'")


def _number(text: str) -> float:
    return float(text.replace(",", "."))


def _checked(seconds: float, given: object) -> float:
    if not math.isfinite(seconds) or seconds < 0:
        raise BadInput(f"a time must be 0 seconds or more, got {given!r}")
    return seconds
