"""`situ ask MEMORY --chat`: a conversation with a memory in the terminal."""

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from situ.cli.quick import show

if TYPE_CHECKING:
    from situ.language.interpreter import Model

_BYE = ("bye", "quit", "exit", "q")


def converse(memory: Path, at: float | None, model: "Model | None", as_json: bool) -> None:
    """Answer "where is the cup", "and the blue one?", "is it far?". Each line of standard input is a
    question; an empty line, "bye" or the end of the input ends the conversation."""
    from situ.language.dialogue import Conversation
    from situ.memory.memory import SpatialMemory

    asking = sys.stdin.isatty()
    with SpatialMemory.open(memory, read_only=True) as opened:
        talk = Conversation(lambda: opened.state(at), model=model)
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
