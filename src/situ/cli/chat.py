"""`situ chat`: a conversation with a memory in the terminal."""

import json
import sys
from pathlib import Path
from typing import Annotated

import typer

from situ.cli.ask import BaseUrl, ModelName, TimeLimit, model_of
from situ.cli.plain_ask import show

_BYE = ("bye", "quit", "exit", "q")


def chat(
    memory: Annotated[Path, typer.Argument(help="A memory: NAME.situ.")],
    at: Annotated[float | None, typer.Option(help="Ask as of this time, in seconds.")] = None,
    model: ModelName = "",
    base_url: BaseUrl = "",
    time_limit: TimeLimit = 20.0,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object for each answer.")] = False,
) -> None:
    """Ask one question after the other: "where is the cup", "and the blue one?", "is it far?".

    Each line of standard input is a question; an empty line, "bye" or the end of the input ends it.
    """
    from situ.language.dialogue import Conversation
    from situ.memory.memory import SpatialMemory

    asking = sys.stdin.isatty()
    with SpatialMemory.open(memory, read_only=True) as opened:
        talk = Conversation(lambda: opened.state(at), model=model_of(model, base_url, time_limit))
        while True:
            if asking:
                typer.echo("? ", nl=False, err=True)
            line = sys.stdin.readline()
            sentence = line.strip()
            if not sentence or sentence.lower().strip(".!") in _BYE:
                return
            told = talk.ask(sentence)
            if as_json:
                print(json.dumps(told.to_json()), flush=True)
            else:
                show(told)
                sys.stdout.flush()
