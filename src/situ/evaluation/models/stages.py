"""The prompts of the stages beside the answering turn: who describes, draws, grades or reads for others.

Each has words of our own and can be given others, such as a paper's: `--prompt STAGE=FILE`. A file holds the
request; a line of three or more equals signs divides what is said as the system from what is said as the
user. Fields stand in braces.
"""

import re
import string
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from situ.errors import BadInput, unknown
from situ.evaluation.models.prompt import text_hash

ANSWER = "answer"  # the answering turn, whose words --prompt-file gives as well
_DIVIDER = re.compile(r"^={3,}[ \t]*$", re.MULTILINE)


@dataclass(frozen=True)
class Stage:
    """The words of one stage, and the fields that they may use and must use."""

    about: str
    user: str
    system: str = ""
    fields: tuple[str, ...] = ()
    needed: tuple[str, ...] = ()

    def said(self, **values: str) -> tuple[str, str]:
        """What is said as the system and as the user."""
        return self.system.format(**values), self.user.format(**values)

    @property
    def hash(self) -> str:
        return text_hash(self.system, self.user)


STAGES: Mapping[str, Stage] = {
    "narrative": Stage(
        "the narrator, about each segment of frames",
        "Describe this part of a video. Between <scene> and </scene>: what is there and where it is. Between "
        "<camera> and </camera>: how the camera moves and turns.",
    ),
    "socratic": Stage(
        "the captioner of Socratic models, about sheets of frames",
        "Each picture is a sheet of frames from one video, in reading order. Describe what the video "
        "shows: the place, the things in it and where they are, and how the camera moves and turns.",
    ),
    "caption": Stage(
        "the captioner of single frames (captions, captions-memory)",
        "Say in one or two sentences which things this picture shows and where they are to each other.",
    ),
    "map": Stage(
        "the model under test, before it answers from its own map",
        "Draw a map of the place that the pictures show. Lay a grid of 10 by 10 cells over the floor and "
        "write one JSON object that gives each kind of thing the cells it stands in, such as "
        '{{"chair": [[1, 2], [8, 3]]}}. Write the JSON alone.',
    ),
    "judge": Stage(
        "the judge of open answers, who gives a mark from 1 to 5",
        "Question: {question}\nRight answer: {answer}{also_right}\nAnswer given: {reply}\n\n"
        "Mark the answer given: 5 if it says the same as a right answer, 1 if it does not at all, 2 to 4 for "
        "what lies between. End with one line of the form <answer>MARK</answer>.",
        "You compare an answer with the right answer and give a mark. You see nothing else.",
        ("question", "answer", "also_right", "reply"),
        ("answer", "reply"),
    ),
    "extractor": Stage(
        "the extractor, who reads replies that no rule can read",
        "Question: {question}\n{options}\nReply:\n{reply}\n\nEnd with one line of the form "
        "<answer>{kind}</answer>, or <answer>none</answer> if the reply settles on none of them.",
        "You are given a question, its possible answers, and somebody's reply. Say which of the possible "
        "answers the reply settles on. Do not answer the question yourself.",
        ("question", "options", "reply", "kind"),
        ("reply",),
    ),
}


@dataclass(frozen=True)
class Prompts:
    """The words of every stage: our own but where others were given."""

    given: Mapping[str, Stage] = field(default_factory=dict)

    @classmethod
    def read(cls, wanted: Iterable[str]) -> tuple["Prompts", Path | None]:
        """STAGE=FILE, several times; the file of the answering turn is handed back."""
        found: dict[str, Stage] = {}
        answering: Path | None = None
        for one in wanted:
            name, equals, file = one.partition("=")
            if not equals or not file:
                raise BadInput(f"--prompt wants STAGE=FILE, such as judge=marks.txt; '{one}' is none")
            if name == ANSWER:
                answering = Path(file)
            elif name in STAGES:
                found[name] = _read(STAGES[name], Path(file))
            else:
                raise unknown("stage", name, (ANSWER, *STAGES), "--prompt STAGE=FILE")
        return cls(found), answering

    def of(self, stage: str) -> Stage:
        return self.given.get(stage, STAGES[stage])

    def mark(self, stage: str) -> str:
        """What tells texts that were made by other words from those by our own."""
        return f"-{self.given[stage].hash[:8]}" if stage in self.given else ""

    def identity(self) -> dict[str, dict[str, str]]:
        """The words that were given, for the run's card."""
        return {name: {"system": one.system, "user": one.user} for name, one in self.given.items()}


def _read(stage: Stage, path: Path) -> Stage:
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(f"the prompt file {path} cannot be read: {error}") from error
    parts = _DIVIDER.split(text, maxsplit=1)
    system, user = parts if len(parts) == 2 else (stage.system, text)
    try:
        pieces = [*string.Formatter().parse(system), *string.Formatter().parse(user)]
    except ValueError as error:
        raise BadInput(f"{path}: {error}. Write {{{{ and }}}} for plain braces") from error
    used = {name for _, name, _, _ in pieces if name is not None}
    if strange := used - set(stage.fields):
        known = ", ".join(stage.fields) or "none for this stage: write {{ and }} for plain braces"
        raise BadInput(f"{path}: unknown field {{{', '.join(sorted(strange))}}}; fields are {known}")
    if lacking := set(stage.needed) - used:
        raise BadInput(
            f"{path}: the text never uses {{{', '.join(sorted(lacking))}}}, so nothing could be said of it"
        )
    if not user.strip():
        raise BadInput(f"{path} holds no request")
    return Stage(stage.about, user.strip(), system.strip(), stage.fields, stage.needed)
