"""`situ ask`: a sentence to a memory."""

import asyncio
from pathlib import Path
from typing import Annotated

import typer

from situ.ask import ask as put
from situ.ask.answering import LEAST_CONFIDENCE
from situ.ask.encoder import SentenceEncoder
from situ.ask.reword import Model
from situ.cli.common import JsonFlag, console, print_json
from situ.evaluate.run_model import ModelSettings, open_model
from situ.memory import Memory


def ask(
    memory: Annotated[Path, typer.Argument(help="A memory: NAME.situ.")],
    sentence: Annotated[
        str, typer.Argument(help='A question in plain English, such as "where is the red cup".')
    ],
    at: Annotated[float | None, typer.Option(help="Ask as of this time, in seconds.")] = None,
    known_at: Annotated[
        float | None, typer.Option("--known-at", help="Use what was known by this time (default: --at).")
    ] = None,
    confidence: Annotated[
        float, typer.Option(min=0.0, max=1.0, help="Below this the answer is withheld.")
    ] = LEAST_CONFIDENCE,
    model: Annotated[
        str, typer.Option(help="A model by its Inspect name, to reword what the rules do not understand.")
    ] = "",
    encoder: Annotated[
        str, typer.Option(help="A sentence encoder, to suggest names like one that is not known.")
    ] = "",
    as_json: JsonFlag = False,
) -> None:
    """Ask where things are, how far, how many, when last seen, which way back.

    Rules read the sentence; no model is involved unless one is named, and even then it only rewords.

    With --json the answer carries its probabilities, its evidence frames and a certificate for `situ verify`.
    An abstention is an answer too: the exit code stays 0.
    """
    with Memory.open(memory, read_only=True) as opened:
        told = put(
            opened.state(at, known_at),
            sentence,
            confidence,
            SentenceEncoder(encoder) if encoder else None,
            _reworder(model) if model else None,
        )
    if as_json:
        print_json(told.to_json())
        return
    console.print(told.text)
    if told.certificate is not None and not told.abstained:
        frames = ", ".join(map(str, told.evidence[:8])) or "none"
        console.print(f"confidence {told.confidence:.0%}; frames {frames}; {told.frame}", style="dim")


def _reworder(name: str) -> Model:
    model = open_model(ModelSettings(name))
    return lambda prompt: str(asyncio.run(model.generate(prompt)).completion)
