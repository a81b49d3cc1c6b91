"""Narratives: numbered segments, each with a scene and a camera description in separate tags."""

import re
from dataclasses import dataclass

from situ.errors import BadFormat

TAGS = ("scene", "camera")
_HEAD = re.compile(r"^Segment (\d+) \(frames (\d+) to (\d+)\):[ \t]*$", re.MULTILINE)
_TAG = re.compile(r"</?([a-zA-Z_]+)>")


@dataclass(frozen=True)
class Segment:
    """Description of one part of a recording. Frames count from 1 among those shown to the narrator."""

    number: int
    first: int
    last: int
    scene: str
    camera: str = ""

    @property
    def text(self) -> str:
        camera = f"\n<camera>{self.camera}</camera>" if self.camera else ""
        return (
            f"Segment {self.number} (frames {self.first} to {self.last}):\n"
            f"<scene>{self.scene}</scene>{camera}"
        )


@dataclass(frozen=True)
class Narrative:
    segments: tuple[Segment, ...]

    @property
    def text(self) -> str:
        return "\n\n".join(segment.text for segment in self.segments)

    @property
    def scene_only(self) -> "Narrative":
        return Narrative(tuple(Segment(s.number, s.first, s.last, s.scene) for s in self.segments))


def parse_narrative(text: str) -> Narrative:
    """Parse a narrative. Text outside the tags is ignored; an unknown tag raises BadInput."""
    heads = list(_HEAD.finditer(text))
    if not heads:
        raise BadFormat(
            "this is no narrative: a segment starts with a line like 'Segment 1 (frames 1 to 16):'"
        )
    segments = []
    for head, following in zip(heads, [*heads[1:], None], strict=True):
        body = text[head.end() : following.start() if following else len(text)]
        unknown = sorted(set(_TAG.findall(body)) - set(TAGS))
        if unknown:
            raise BadFormat(
                f"segment {head[1]} uses the unknown tag <{unknown[0]}>; known are "
                + " and ".join(f"<{tag}>" for tag in TAGS)
            )
        number, first, last = (int(value) for value in head.groups())
        segments.append(Segment(number, first, last, _inside(body, "scene"), _inside(body, "camera")))
    return Narrative(tuple(segments))


def _inside(body: str, tag: str) -> str:
    found = re.search(rf"<{tag}>(.*?)</{tag}>", body, re.DOTALL)
    return found[1].strip() if found else ""
