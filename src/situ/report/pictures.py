"""Pictures that travel inside a page, all of them within a budget of bytes."""

import base64
import math
from collections.abc import Sequence

import cv2

from situ.recording.codec import Rgb

WIDEST, NARROWEST, QUALITY = 720, 200, 78
BUDGET_BYTES = 2_000_000  # as encoded; base64 makes a third more of it


def data_urls(images: Sequence[Rgb], budget: int = BUDGET_BYTES) -> list[str]:
    """The pictures as WebP inside URLs, as wide as the budget lets all of them be."""
    if not images:
        return []
    width = min(WIDEST, images[0].shape[1])
    sample = images[:: max(1, len(images) // 12)]
    size = sum(len(_webp(image, width)) for image in sample) / len(sample) * len(images)
    if size > budget:  # bytes go with the area, nearly
        width = max(NARROWEST, int(width * math.sqrt(budget / size)))
    return ["data:image/webp;base64," + base64.b64encode(_webp(image, width)).decode() for image in images]


def _webp(image: Rgb, width: int) -> bytes:
    height = round(image.shape[0] * width / image.shape[1])
    if width != image.shape[1]:
        image = cv2.resize(image, (width, height), interpolation=cv2.INTER_AREA)
    _, encoded = cv2.imencode(".webp", image[:, :, ::-1], [cv2.IMWRITE_WEBP_QUALITY, QUALITY])
    return bytes(encoded.tobytes())
