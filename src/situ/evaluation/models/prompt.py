"""What a model is told: the scene, the question, and how to answer, with the pictures where they belong.

By default pictures come first and the question last, so that all questions about one recording share their
beginning. A prompt file replaces words and order: its text may use the fields below in braces, and a line of
three or more equals signs divides what is said as the system from what is said as the user.

{scene} {question} {options} {contract}   what is looked at, what is asked, how to answer
{actions} {context} {frames} {shown}      moves, what a strategy adds, the number of pictures, that in words
{pictures}                                the pictures stand here
{pictures_with_actions}                   each picture after the move that led to it
{pictures_with_positions}                 each picture after the camera's position
{video}                                   the pictures as one video, with its true frames per second
"""

import hashlib
import re
import string
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from situ.benchmarks.dataset import QuestionRow
from situ.errors import BadInput
from situ.evaluation.cues.words import position_words
from situ.evaluation.protocols.base import Protocol
from situ.recording import Recording

PLACES = ("pictures", "pictures_with_actions", "pictures_with_positions", "video")
FIELDS = ("scene", "frames", "shown", "actions", "context", "question", "options", "contract", *PLACES)
FPS = "fps"  # of the pictures in a message, as they were sampled: told to models that take video
_SYSTEM = "{scene}"
_USER = "{pictures}{context}{actions}Question: {question}\n{options}{contract}"
_PLACE = re.compile("\0(" + "|".join(PLACES) + ")\0")
NO_PICTURES = "You are not shown pictures; answer from the words below."
BLIND_SCENE = (
    "You are asked about pictures from a camera that moved through a place, but you are not shown them. "
    "Give the answer that is most likely; do not decline."
)


@dataclass(frozen=True)
class Template:
    """Text with fields in braces: one part for the system, one for the user."""

    system: str = _SYSTEM
    user: str = _USER

    @classmethod
    def read(cls, path: Path) -> "Template":
        try:
            text = path.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise BadInput(f"the prompt file {path} cannot be read: {error}") from error
        parts = re.split(r"^={3,}[ \t]*$", text, maxsplit=1, flags=re.MULTILINE)
        system, user = parts if len(parts) == 2 else (_SYSTEM, text)
        return cls.of(system, user, str(path))

    @classmethod
    def of(cls, system: str, user: str, source: str) -> "Template":
        """A template from its two texts; where no place is said for the pictures, they come first."""
        template = cls(system.strip(), user.strip())
        used = template.check(source)
        return template if used & set(PLACES) else cls(template.system, "{pictures}" + template.user)

    def check(self, source: str) -> set[str]:
        """The fields that are used. BadInput says what cannot work."""
        try:
            parts = [*string.Formatter().parse(self.system), *string.Formatter().parse(self.user)]
        except ValueError as error:
            raise BadInput(f"{source}: {error}. Write {{{{ and }}}} for plain braces") from error
        used = {name for _, name, _, _ in parts if name is not None}
        unknown = used - set(FIELDS)
        if unknown:
            raise BadInput(
                f"{source}: unknown field {{{', '.join(sorted(unknown))}}}; fields are {', '.join(FIELDS)}"
            )
        if "question" not in used:
            raise BadInput(f"{source}: the text never uses {{question}}, so no question would be asked")
        places = [name for _, name, _, _ in parts if name in PLACES]
        if len(places) > 1 or any(f"{{{name}}}" in self.system for name in PLACES):
            raise BadInput(f"{source}: pictures have one place, in what is said as the user; got {places}")
        return used


@dataclass(frozen=True)
class Clip:
    """Pictures that go out as one video at their true rate."""

    jpegs: tuple[bytes, ...]
    fps: float


Part = str | bytes | Clip


@dataclass(frozen=True)
class Words:
    """The filled-in text of one question; `user` holds a mark where the pictures stand."""

    system: str
    user: str
    captions: tuple[str, ...] = ()

    def parts(
        self, pictures: Sequence[bytes], fps: float | None = None, extra: Sequence[str | bytes] = ()
    ) -> list["Part"]:
        """Words and pictures in their order. `extra` follows the pictures, such as a map."""
        before, _, after = self.user.partition("\0")
        place, _, after = after.partition("\0")
        shown: list[Part] = list(pictures)
        if place == "video" and pictures:
            shown = [Clip(tuple(pictures), fps or 1.0)]
        elif self.captions:
            pairs = zip(self.captions, pictures, strict=True)
            shown = [part for caption, picture in pairs for part in (caption, picture)]
        texts = before.strip(), after.strip()
        return [*([texts[0]] if texts[0] else []), *shown, *extra, *([texts[1]] if texts[1] else [])]

    @property
    def text(self) -> str:
        """The user's words alone."""
        return _PLACE.sub("", self.user).strip()

    @property
    def hash(self) -> str:
        return text_hash(self.system, self.user)


def text_hash(*texts: str) -> str:
    return hashlib.sha256("\0".join(texts).encode()).hexdigest()[:16]


def fill(
    template: Template,
    protocol: Protocol,
    row: QuestionRow,
    recording: Recording,
    shown: Sequence[int],
    context: str = "",
    scene: str | None = None,
) -> Words:
    """The words for one question. `context` is what a strategy adds, such as a narrative."""
    about = protocol.scene if scene is None else scene
    fields = {
        "scene": about.replace("{shown}", shown_words(len(shown)))
        if shown or scene is not None
        else NO_PICTURES,
        "frames": str(len(shown)),
        "shown": shown_words(len(shown)),
        "actions": _actions(recording, shown) if protocol.show_actions and shown else "",
        "context": f"{context.strip()}\n\n" if context.strip() else "",
        "question": row.text,
        "options": _options(row) if protocol.letters(row) else "",
        "contract": protocol.contract(row),
    }
    fields = {name: value.replace("\0", "") for name, value in fields.items()}
    places = {name: f"\0{name}\0" for name in PLACES}
    user = template.user.format(**fields, **places).strip()
    place = _PLACE.search(user)
    captions = _captions(place[1], recording, shown) if place else ()
    return Words(template.system.format(**fields, **places).strip(), user, captions)


def shown_words(count: int) -> str:
    """How many pictures there are, in words."""
    return (
        "no picture" if count == 0 else "one picture" if count == 1 else f"{count} pictures, in order of time"
    )


def _captions(place: str, recording: Recording, shown: Sequence[int]) -> tuple[str, ...]:
    """What stands before each picture."""
    if place == "pictures_with_actions":
        words = [recording.frames[i].action or "unknown" for i in shown]
    elif place == "pictures_with_positions":
        words = [position_words(recording.path.positions[i]) for i in shown]
    else:
        return ()
    return tuple(f"Picture {number}: {said}" for number, said in enumerate(words, 1))


def _options(row: QuestionRow) -> str:
    return "".join(f"{chr(ord('A') + i)}. {option}\n" for i, option in enumerate(row.options))


def _actions(recording: Recording, shown: Sequence[int]) -> str:
    lines = [
        f"Picture {place}: {recording.frames[i].action or 'unknown'}" for place, i in enumerate(shown, 1)
    ]
    return "How the camera moved to get to each picture:\n" + "\n".join(lines) + "\n\n"
