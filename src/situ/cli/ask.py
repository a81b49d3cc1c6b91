"""`situ ask`: one question to a memory, a conversation, or a program."""

import json
import os
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from situ.cli.quick import show
from situ.cli.record_options import fills
from situ.errors import BadInput

if TYPE_CHECKING:
    from situ.language.interpreter import Model


@dataclass(frozen=True)
class Moment:
    """As of when a question is asked, and how sure an answer must be."""

    at: Annotated[float | None, "Ask as of this time, in seconds."] = None
    known_at: Annotated[
        float | None, "Use only what was seen until this time, in seconds (default: --at)."
    ] = None
    confidence: Annotated[
        float, typer.Option(min=0.0, max=1.0, help="Withhold answers with a lower confidence.")
    ] = 0.5


@dataclass(frozen=True)
class Helpers:
    """Models that help the grammar."""

    model: Annotated[
        str, "A model that writes the program of a sentence that the grammar does not understand."
    ] = ""
    base_url: Annotated[str, "Address of an OpenAI-compatible server, for --model."] = ""
    time_limit: Annotated[float, "Seconds to wait for the model."] = 20.0
    encoder: Annotated[str, "A sentence encoder that suggests similar names for an unknown one."] = ""

    def writer(self) -> "Model | None":
        """The model that is asked where the grammar fails; None if none is named."""
        return model_of(self.model, self.base_url, self.time_limit)


@fills(moment=Moment, helpers=Helpers)
def ask(
    moment: "partial[Moment]",
    helpers: "partial[Helpers]",
    memory: Annotated[Path | None, typer.Argument(help="A memory, NAME.situ, or a folder of them.")] = None,
    sentence: Annotated[
        str | None, typer.Argument(help='A question in plain English, such as "where is the red cup".')
    ] = None,
    example: Annotated[
        bool,
        typer.Option(
            "--example",
            help="Ask the memory that comes with situ; without a question, list a few that it can answer.",
        ),
    ] = False,
    chat: Annotated[
        bool, typer.Option("--chat", help="Hold a conversation: each question may refer to the one before.")
    ] = False,
    program: Annotated[
        str,
        typer.Option(
            metavar="FILE|JSON", help='Run a program instead of a sentence: {"ask": "count", "of": ...}.'
        ),
    ] = "",
    schema: Annotated[
        bool, typer.Option("--schema", "--program-schema", help="Print the JSON Schema of programs.")
    ] = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print one JSON object instead of a table.")
    ] = False,
) -> None:
    """Ask where things are, how far, how many, what changed, when last seen, which way back.

    A grammar reads the sentence; no language model is involved unless you pass --model. The model only writes
    the program; the answer shows how it understood the sentence.

    You can ask a folder of memories, such as `situ watch LIST.csv` makes. The most recent memory that has an
    answer comes first. Questions such as "in how many recordings did I see my keys" or "which recording has
    the most cups" are answered over the whole folder.

    --program takes a program instead of a sentence, as JSON; --schema prints its schema. A list of operations
    gives a list of answers.

    With --json, the answer also has probabilities, evidence frames and a certificate that `situ memory
    verify` checks. The exit code is 0 even if the answer is "I don't know".
    """
    when, helping = moment(), helpers()
    if schema:
        _print_schema()
    elif chat:
        _converse(_talked_with(memory, sentence, example), when.at, helping, as_json)
    elif example and memory is None and not program:
        _list_questions(as_json)
    else:
        if example:
            memory, sentence = _of_example(memory, sentence, program)
        if memory is None or (sentence is None and not program):
            raise BadInput('give a memory and a question: situ ask walk.situ "where is the cup", or --chat')
        if program and sentence:
            raise BadInput("give either a sentence or a --program, not both")
        if program:
            _run_program(memory, program, when, as_json)
        elif memory.is_dir():
            _ask_folder(memory, sentence or "", when, helping, as_json)
        else:
            _ask_memory(memory, sentence or "", when, helping, as_json)


def _print_schema() -> None:
    from situ.questions.programs import program_schema

    print(json.dumps(program_schema(), indent=1))


def _of_example(memory: Path | None, sentence: str | None, program: str) -> tuple[Path, str | None]:
    """The example memory, and the question: what stands in the place of a memory is the question."""
    from situ.api.example import example

    if sentence or (memory is not None and program):
        raise BadInput(f"--example brings its own memory: leave {memory} out")
    return Path(example()), None if memory is None else str(memory)


def _ask_memory(memory: Path, sentence: str, when: Moment, helping: Helpers, as_json: bool) -> None:
    from situ.language.answering import ask as put
    from situ.memory.memory import SpatialMemory

    suggesting = None
    if helping.encoder:
        from situ.language.encoder import SentenceEncoder

        suggesting = SentenceEncoder(helping.encoder)
    with SpatialMemory.open(memory, read_only=True) as opened:
        state = opened.state(when.at, when.known_at)
        told = put(state, sentence, when.confidence, suggesting, helping.writer())
    if as_json:
        print(json.dumps(told.to_json(), indent=1))
    else:
        show(told)


def _run_program(memory: Path, program: str, when: Moment, as_json: bool) -> None:
    """What each operation of a program returns, or why it cannot be run."""
    from situ.memory.memory import SpatialMemory
    from situ.questions.programs import Result, parse, plain, tried
    from situ.text_files import read_text

    read = parse(program if program.lstrip()[:1] in ("{", "[") else read_text(Path(program)))
    with SpatialMemory.open(memory, read_only=True) as opened:
        outcomes = tried(read, opened.state(when.at, when.known_at))
    if as_json:
        print(json.dumps([plain(one) for one in outcomes], indent=1))
        return
    for one in outcomes:
        if not isinstance(one, Result):
            print(f"{str(one)[:1].upper()}{str(one)[1:]}.")
            continue
        unit = f" {one.unit}" if one.unit else ""
        print(f"{one.value}{unit}")
        within = f"; {one.interval[0]:g} to {one.interval[1]:g}" if one.interval else ""
        frames = ", ".join(map(str, one.evidence[:8])) or "none"
        print(f"  confidence {one.confidence:.0%}{within}; frames {frames}")
        for entry in one.entries:
            away = "" if entry.distance_m is None else f", {entry.distance_m:.1f} m away"
            number = "" if entry.number is None else f": {entry.number:g}"
            print(f"  {entry.name}{number} ({entry.chance:.0%}{away})")


def _converse(memory: Path, at: float | None, helping: Helpers, as_json: bool) -> None:
    from situ.cli.chat import converse

    converse(memory, at, helping.writer(), as_json)


def _talked_with(memory: Path | None, sentence: str | None, example: bool) -> Path:
    """The memory of a conversation."""
    if sentence or (example and memory is not None):
        raise BadInput("--chat reads its questions from standard input: leave the question out")
    if example:
        from situ.api.example import example as example_memory

        return Path(example_memory())
    if memory is None:
        raise BadInput("give a memory: situ ask walk.situ --chat")
    return memory


def _list_questions(as_json: bool) -> None:
    from situ.api.example import QUESTIONS

    if as_json:
        print(json.dumps(QUESTIONS, indent=1))
        return
    print("The example is a walk of 32 seconds among coloured solids. Ask it, for instance:")
    for question in QUESTIONS:
        print(f'    situ ask --example "{question}"')


def _ask_folder(folder: Path, sentence: str, when: Moment, helping: Helpers, as_json: bool) -> None:
    from situ.language.folder import ask_folder, memories_in

    if when.at is not None or when.known_at is not None or helping.writer() or helping.encoder:
        raise BadInput(
            "a folder takes a sentence only: --at, --known-at, --model and --encoder are for one memory"
        )
    found = ask_folder(memories_in(folder), sentence, when.confidence)
    if as_json:
        print(json.dumps(found.to_json(), indent=1))
        return
    latest = found.latest
    if found.together is not None:
        print(found.together.text)
    elif latest is None:
        asked = found.answers[0].told.text if found.answers else "no memory could be read"
        print(f"None of the {len(found.answers)} memories has an answer. {asked}")
    else:
        print(f"{latest.name}: {latest.told.text}")
        for one in found.answers:
            if one is not latest and not one.told.abstained:
                typer.secho(f"{one.name}: {one.told.text}", dim=True)
    for name, why in found.unreadable.items():
        typer.secho(f"{name} could not be asked: {why}", err=True)


def model_of(name: str, base_url: str, limit_s: float) -> "Model | None":
    """The model that is asked where the grammar fails; None if none is named."""
    if not name and not base_url:
        return None
    from situ.language.server import Limited, chat_server

    if not name:
        raise BadInput("--base-url needs --model as well: the name under which the server knows its model")
    if base_url:
        return chat_server(name, base_url, os.environ.get("OPENAI_API_KEY", ""), limit_s)
    return Limited(_by_inspect(name), f"the model {name}", limit_s)


def _by_inspect(name: str) -> Callable[[str, float], str]:
    """A model of any provider that Inspect AI knows, by its name there."""
    import asyncio

    from situ.evaluation.models.connect import open_model
    from situ.evaluation.models.settings import ModelSettings

    model = open_model(ModelSettings(name))
    return lambda prompt, left: str(asyncio.run(model.generate(prompt)).completion)
