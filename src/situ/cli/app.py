"""The `situ` command and how its failures look. A verb's module is imported when the verb is called."""

import importlib
import logging
import sys
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup

from situ import __version__
from situ.cli.numbers import check_group, with_checked_numbers
from situ.errors import SituError

# Each verb with the function, or the group of verbs, that it stands for, and its line in the list of verbs.
VERBS = {
    "demo": ("demo:demo", "Make small sets after five systems, prove, answer and draw them."),
    "make": ("make:app", "Generate a benchmark: recordings, questions and keys."),
    "check": ("check:check", "Derive every key again by other code; list disagreements."),
    "audit": ("audit:audit", "Answer every question without looking; compare with chance."),
    "describe": ("describe:describe", "The statistics of a set, beside published figures."),
    "author": ("author:author_file", "Give questions options that a blind guesser cannot see through."),
    "review": ("review:app", "Accept, edit or reject questions one by one; export the accepted."),
    "render": ("render:render", "Draw a frame of a recording again, larger, or with Blender."),
    "view": ("view:view", "Draw an item of a set, or a memory, as one page."),
    "cues": ("cues:cues", "Write the cue ladder for two objects."),
    "import": ("importing:import_data", "Bring published questions or real recordings in."),
    "narrate": ("narrate:narrate_source", "A recording in words: what is there, how the camera moves."),
    "eval": ("evaluate:evaluate", "Let participants or models answer a set, and score them."),
    "sns": ("sns:sns", "The Spatial Narrative Score of a model: ceiling, floor, ablations."),
    "score": ("score:score", "Replies or marks from a file become a run."),
    "presets": ("presets:show_presets", "List the settings behind the rows of published tables."),
    "attribute": ("attribute:attribute", "Why a memory's answers were wrong: its stages."),
    "paraphrase": ("paraphrase:paraphrase", "Let a model reword every question."),
    "captions": ("captions:captions", "Score captions, with controls."),
    "report": ("report:report", "Scores with intervals and ranks: HTML, LaTeX, CSV, Markdown."),
    "reproduce": ("reproduce:reproduce", "Compute published figures again; write the verification table."),
    "compare": ("compare:compare", "Compare two runs question by question."),
    "rescore": ("rescore:rescore", "Read the stored replies of a run again; no model is asked."),
    "power": ("power:power", "How large a set must be to tell two systems apart."),
    "watch": ("watch:watch", "A video or a recording into a spatial memory."),
    "trajectory": ("trajectory:trajectory", "The camera's path, from its pictures alone."),
    "ask": ("ask:ask", "Ask a memory: where, how far, how many, what changed, which way."),
    "chat": ("chat:chat", "Ask a memory one question after the other."),
    "serve": ("serve:serve", "Memories over HTTP, WebSocket and MCP, with a page to look at them."),
    "verify": ("verify:verify", "Check the certificate of an answer."),
    "memory": ("memory_cli:app", "Look into a memory, export, merge, forget, check it."),
    "doctor": ("doctor:doctor", "What is installed and what each extra would add."),
    "train": ("train:app", "Training sets with camera-motion narratives, fine-tuning."),
}


class Verbs(TyperGroup):
    """Imports a verb when it is called; to list the verbs none is imported."""

    def list_commands(self, ctx: Any) -> list[str]:
        return list(VERBS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        return TyperCommand(cmd_name, help=VERBS[cmd_name][1]) if cmd_name in VERBS else None

    def resolve_command(self, ctx: Any, args: list[str]) -> tuple[str | None, Any, list[str]]:
        name, found, rest = super().resolve_command(ctx, args)
        return name, found and load_verb(str(name)), rest


def load_verb(name: str) -> Any:
    module, _, function = VERBS[name][0].partition(":")
    found: Any = getattr(importlib.import_module(f"situ.cli.{module}"), function)
    if not isinstance(found, typer.Typer):
        alone = typer.Typer(add_completion=False, rich_markup_mode="markdown")
        alone.command(name, context_settings=HELP)(with_checked_numbers(found))
        found = alone
    command = typer.main.get_command(check_group(found))
    command.name = name
    return command


HELP = {"help_option_names": ["-h", "--help"]}
app = typer.Typer(
    cls=Verbs,
    name="situ",
    help="Spatial intelligence for first-person video: worlds with exact truth, honest tests for models.\n\n"
    "Start with `situ demo`: it makes a small benchmark, checks it, audits it and draws it.",
    no_args_is_help=True,
    context_settings=HELP,
    rich_markup_mode="markdown",
)


def _version(show: bool) -> None:
    if show:
        print(__version__)
        raise typer.Exit


@app.callback()
def _options(
    version: bool = typer.Option(
        False, "--version", callback=_version, is_eager=True, help="Print the version."
    ),
) -> None:
    pass


def main() -> None:
    """Run the command line; expected failures become one line on stderr and an exit code."""
    logging.basicConfig(level=logging.WARNING, format="%(message)s")
    logging.getLogger("situ").setLevel(logging.INFO)  # such as: kernels are being compiled
    try:
        app()
    except SituError as error:
        from rich.text import Text

        from situ.cli.common import errors

        errors.print(Text.assemble(("situ: ", "bold red"), str(error)), soft_wrap=True)
        sys.exit(error.exit_code)
    except KeyboardInterrupt:
        from situ.cli.common import errors

        errors.print("situ: stopped; what was finished is kept")
        sys.exit(130)
