"""The rules that the options of every recipe keep."""

from situ.errors import BadInput


def check_making(scale: float, seed: int, most_scale: float = 100) -> None:
    if not 0 < scale <= most_scale:
        raise BadInput(f"scale must be above 0 and at most {most_scale:g}, got {scale}")
    if seed < 0:
        raise BadInput(f"seed must be 0 or more, got {seed}")


def check_rate(fps: float, least: float, most: float) -> None:
    if not least <= fps <= most:
        raise BadInput(f"fps must be between {least:g} and {most:g}, got {fps}")
