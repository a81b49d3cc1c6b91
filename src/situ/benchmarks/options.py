"""The rules that the options of every recipe keep."""

import re

from situ.errors import BadInput

MOST_SCALE = 10_000  # millions of items, in shards; more is a slip


def check_making(scale: float, seed: int) -> None:
    if not 0 < scale <= MOST_SCALE:
        raise BadInput(f"scale must be above 0 and at most {MOST_SCALE}, got {scale}")
    if seed < 0:
        raise BadInput(f"seed must be 0 or more, got {seed}")


def check_rate(fps: float, least: float, most: float) -> None:
    if not least <= fps <= most:
        raise BadInput(f"fps must be between {least:g} and {most:g}, got {fps}")


def check_size(width: int, height: int) -> None:
    if min(width, height) < 32 or max(width, height) > 4096:
        raise BadInput(f"frames must be 32 to 4096 pixels wide and high, got {width}x{height}")


def frame_size(text: str) -> tuple[int, int]:
    """Width and height from "320x240"."""
    found = re.fullmatch(r"\s*(\d{1,9})\s*[xX]\s*(\d{1,9})\s*", text)
    if found is None:
        raise BadInput(f"the size of frames is written as WIDTHxHEIGHT, such as 320x240; got '{text}'")
    return int(found.group(1)), int(found.group(2))
