"""What a model is told: the scene, the question, and how to answer.

Pictures come first and the question last, so that all questions about one recording share their beginning.
A prompt file replaces the words: its text may use the fields below in braces, and a line of three or more
equals signs divides what is said as the system from what is said as the user.
"""

import hashlib
import re
import string
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from situ.benchmarks.dataset import QuestionRow
from situ.errors import BadInput
from situ.evaluate.protocols.base import Protocol
from situ.recording import Recording

FIELDS = ("scene", "frames", "actions", "context", "question", "options", "contract")
_SYSTEM = "{scene}"
_USER = "{context}{actions}Question: {question}\n{options}{contract}"
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
        template = cls(system.strip(), user.strip())
        template.check(str(path))
        return template

    def check(self, source: str) -> None:
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


@dataclass(frozen=True)
class Words:
    """The filled-in text of one question."""

    system: str
    user: str

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
    fields = {
        "scene": (protocol.scene if scene is None else scene).replace("{frames}", str(len(shown))),
        "frames": str(len(shown)),
        "actions": _actions(recording, shown) if protocol.show_actions and shown else "",
        "context": f"{context.strip()}\n\n" if context.strip() else "",
        "question": row.text,
        "options": _options(row) if protocol.letters(row) else "",
        "contract": protocol.contract(row),
    }
    return Words(template.system.format(**fields).strip(), template.user.format(**fields).strip())


def _options(row: QuestionRow) -> str:
    return "".join(f"{chr(ord('A') + i)}. {option}\n" for i, option in enumerate(row.options))


def _actions(recording: Recording, shown: Sequence[int]) -> str:
    lines = [
        f"Picture {place}: {recording.frames[i].action or 'unknown'}" for place, i in enumerate(shown, 1)
    ]
    return "How the camera moved to get to each picture:\n" + "\n".join(lines) + "\n\n"
