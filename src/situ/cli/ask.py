"""`situ ask`: a sentence to a memory."""

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
    str, typer.Option(help="A model that writes the program of what the grammar does not understand.")
]
BaseUrl = Annotated[str, typer.Option(help="Address of an OpenAI-compatible server, for --model.")]
TimeLimit = Annotated[float, typer.Option(help="Seconds after which a silent model is given up.")]


def ask(
    memory: Annotated[Path | None, typer.Argument(help="A memory, NAME.situ, or a folder of them.")] = None,
    sentence: Annotated[
        str, typer.Argument(help='A question in plain English, such as "where is the red cup".')
    ] = "",
    example: Annotated[
        bool,
        typer.Option(
            "--example", help="Ask the memory that comes with situ; without a question: list some for it."
        ),
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
    schema: Annotated[bool, typer.Option("--schema", help="Print the question schema as JSON.")] = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print one JSON object instead of a table.")
    ] = False,
) -> None:
    """Ask where things are, how far, how many, what changed, when last seen, which way back.

    A grammar reads the sentence; no model is involved unless one is named. A model only writes the program
    that is run, and what it made of the sentence is told with the answer.

    Of a folder, such as `situ watch-many` makes, every memory is asked: the latest that knows tells, and the
    others are told beside it. "In how many recordings did I see my keys", "which recording has the most cups"
    and the like are told by all together. Each recording is a world of its own.

    With --json the answer carries its probabilities, its evidence frames and a certificate for `situ verify`.
    An abstention is an answer too: the exit code stays 0.
    """
    from situ.errors import BadInput

    if schema:
        from situ.language.schema import schema as question_schema

        print(json.dumps(question_schema(), indent=1))
        return
    if example:
        if sentence:
            raise BadInput(f"--example brings its own memory: leave {memory} out")
        if memory is None:
            _list_questions(as_json)
            return
        from situ.api.example import example as example_memory

        memory, sentence = example_memory(), str(memory)
    if memory is None:
        raise BadInput('which memory, and what is asked? For instance: situ ask walk.situ "where is the cup"')
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
