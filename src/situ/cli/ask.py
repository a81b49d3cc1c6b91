"""`situ ask`: one question to a memory, or a conversation."""

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from situ.cli.plain_ask import show

if TYPE_CHECKING:
    from situ.language.interpreter import Model

ModelName = Annotated[
    str,
    typer.Option(help="A model that writes the program of a sentence that the grammar does not understand."),
]
BaseUrl = Annotated[str, typer.Option(help="Address of an OpenAI-compatible server, for --model.")]
TimeLimit = Annotated[float, typer.Option(help="Seconds after which a silent model is given up.")]


def ask(
    memory: Annotated[Path | None, typer.Argument(help="A memory, NAME.situ, or a folder of them.")] = None,
    sentence: Annotated[
        str | None, typer.Argument(help='A question in plain English, such as "where is the red cup".')
    ] = None,
    example: Annotated[
        bool,
        typer.Option(
            "--example", help="Ask the memory that comes with situ; without a question: list some for it."
        ),
    ] = False,
    chat: Annotated[
        bool, typer.Option("--chat", help="Ask one question after the other; each may refer to the last.")
    ] = False,
    at: Annotated[float | None, typer.Option(help="Ask as of this time, in seconds.")] = None,
    known_at: Annotated[
        float | None, typer.Option("--known-at", help="Use what was known by this time (default: --at).")
    ] = None,
    confidence: Annotated[
        float, typer.Option(min=0.0, max=1.0, help="Below this the answer is withheld.")
    ] = 0.5,
    model: ModelName = "",
    base_url: BaseUrl = "",
    time_limit: TimeLimit = 20.0,
    encoder: Annotated[
        str, typer.Option(help="A sentence encoder, to suggest names like one that is not known.")
    ] = "",
    program: Annotated[
        str,
        typer.Option(
            metavar="FILE|JSON", help='Run a program in place of a sentence: {"ask": "count", "of": ...}.'
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

    A grammar reads the sentence; no model is involved unless you name one. A model only writes the program
    that is run, and the answer shows how it read the sentence.

    You can ask a folder of memories, such as `situ watch LIST.csv` makes. The latest memory that knows gives
    the answer; the others follow. Questions such as "in how many recordings did I see my keys" or "which
    recording has the most cups" are answered over the whole folder.

    With --program, give a program instead of a sentence: JSON in an algebra of sets, measures and asks. Its
    schema: --schema. A list of asks gives a list of answers.

    With --json the answer carries its probabilities, its evidence frames and a certificate, which
    `situ memory verify` checks. "I don't know" is an answer too: the exit code stays 0.
    """
    from situ.errors import BadInput

    if schema:
        from situ.questions.programs import program_schema as schema_of_programs

        print(json.dumps(schema_of_programs(), indent=1))
        return
    if chat:
        from situ.cli.chat import converse

        converse(_talked_with(memory, sentence, example), at, model_of(model, base_url, time_limit), as_json)
        return
    if example:
        if sentence or (memory is not None and program):
            raise BadInput(f"--example brings its own memory: leave {memory} out")
        if memory is None and not program:
            _list_questions(as_json)
            return
        from situ.api.example import example as example_memory

        memory, sentence = example_memory(), None if memory is None else str(memory)
    if memory is None or (sentence is None and not program):
        raise BadInput('give a memory and a question: situ ask walk.situ "where is the cup", or --chat')
    if program:
        if sentence:
            raise BadInput("give either a sentence or a --program, not both")
        _run_program(memory, program, at, known_at, as_json)
        return
    sentence = sentence or ""
    if memory.is_dir():
        if model or base_url or encoder or at is not None or known_at is not None:
            raise BadInput("of a folder only a sentence is asked, as of the end of each recording")
        _ask_folder(memory, sentence, confidence, as_json)
        return
    from situ.language.answering import ask as put
    from situ.memory.memory import SpatialMemory

    suggesting = None
    if encoder:
        from situ.language.encoder import SentenceEncoder

        suggesting = SentenceEncoder(encoder)
    with SpatialMemory.open(memory, read_only=True) as opened:
        told = put(
            opened.state(at, known_at),
            sentence,
            confidence,
            suggesting,
            model_of(model, base_url, time_limit),
        )
    if as_json:
        print(json.dumps(told.to_json(), indent=1))
    else:
        show(told)


def _run_program(memory: Path, program: str, at: float | None, known_at: float | None, as_json: bool) -> None:
    """What each ask of a program answers, or why it cannot be."""
    from situ.memory.memory import SpatialMemory
    from situ.questions.programs import Result, parse, plain, tried
    from situ.text_files import read_text

    read = parse(program if program.lstrip()[:1] in ("{", "[") else read_text(Path(program)))
    with SpatialMemory.open(memory, read_only=True) as opened:
        outcomes = tried(read, opened.state(at, known_at))
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


def _talked_with(memory: Path | None, sentence: str | None, example: bool) -> Path:
    """The memory of a conversation."""
    from situ.errors import BadInput

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


def _ask_folder(folder: Path, sentence: str, confidence: float, as_json: bool) -> None:
    from situ.language.folder import ask_folder, memories_in

    found = ask_folder(memories_in(folder), sentence, confidence)
    if as_json:
        print(json.dumps(found.to_json(), indent=1))
        return
    latest = found.latest
    if found.together is not None:
        print(found.together.text)
    elif latest is None:
        asked = found.answers[0].told.text if found.answers else "no memory could be read"
        print(f"None of {len(found.answers)} memories knows. {asked}")
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
    from situ.errors import BadInput
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
