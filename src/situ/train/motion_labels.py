"""Camera motion classes mentioned in free text, and their macro F1."""

import re
from collections.abc import Collection, Sequence

from situ.narrate.motions import CLASSES, STATIC

_STEMS = {
    "pan": r"pan(?:s|ning)?",
    "tilt": r"tilt(?:s|ing)?",
    "roll": r"roll(?:s|ing)?",
    "dolly": r"doll(?:y|ies|ying)",
    "truck": r"truck(?:s|ing)?",
    "pedestal": r"pedestal(?:s|ling)?",
    "arc": r"arc(?:s|ing)?",
    "tracking": r"track(?:s|ing)?",
}
_WAYS = ("counter-clockwise", "clockwise", "forward", "backward", "left", "right", "up", "down")
_PART = re.compile(r",? (?:and )?then |; next it | while it |[.;]")
_CAMERA = re.compile(r"<camera>(.*?)(?:</camera>|$)", re.DOTALL)


def camera_part(text: str) -> str:
    """Camera part of a narrative; the whole text without tags."""
    found = _CAMERA.search(text)
    return found[1].strip() if found else text.strip()


def predicted_classes(text: str) -> set[str]:
    """Motion classes that a text mentions."""
    found = set()
    for part in _PART.split(camera_part(text).lower()):
        kinds = [kind for kind, stem in _STEMS.items() if re.search(rf"\b{stem}\b", part)]
        ways = [way for way in _WAYS if re.search(rf"(?<![-\w]){way}\b", part)]
        for kind in kinds[:1]:
            found |= {f"{kind} {way}" for way in ways[:1]} & set(CLASSES)
        if not kinds and re.search(r"\b(?:static|still)\b", part):
            found.add(STATIC)
    return found


def macro_f1(predicted: Sequence[Collection[str]], there: Sequence[Collection[str]]) -> float:
    """Mean F1 over the classes that occur."""
    scores = []
    for name in CLASSES:
        truly = sum(name in classes for classes in there)
        if not truly:
            continue
        said = sum(name in classes for classes in predicted)
        both = sum(name in a and name in b for a, b in zip(predicted, there, strict=True))
        scores.append(2 * both / (said + truly))
    return sum(scores) / len(scores) if scores else 0.0
