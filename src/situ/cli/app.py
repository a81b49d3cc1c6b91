"""The `situ` command and how its failures look. A verb's module is imported when the verb is called."""

import importlib
import sys
from typing import Any

import typer
from typer.core import TyperGroup

from situ import __version__
from situ.errors import SituError

# Each verb with the function, or the group of verbs, that it stands for.
VERBS = {
    "demo": "demo:demo",
    "make": "make:app",
    "check": "check:check",
    "audit": "audit:audit",
    "describe": "describe:describe",
    "author": "author:author_file",
    "view": "view:view",
    "cues": "cues:cues",
    "import": "importing:import_data",
    "narrate": "narrate:narrate_source",
    "eval": "evaluate:evaluate",
    "score": "score:score",
    "presets": "presets:show_presets",
    "attribute": "attribute:attribute",
    "paraphrase": "paraphrase:paraphrase",
    "captions": "captions:captions",
    "report": "report:report",
    "reproduce": "reproduce:reproduce",
    "compare": "compare:compare",
    "rescore": "rescore:rescore",
    "power": "power:power",
    "watch": "watch:watch",
    "trajectory": "trajectory:trajectory",
    "ask": "ask:ask",
    "chat": "chat:chat",
    "verify": "verify:verify",
    "memory": "memory_cli:app",
    "doctor": "doctor:doctor",
    "train": "train:app",
}


class Verbs(TyperGroup):
    """Finds a verb by its name; the others are not even imported."""

    def list_commands(self, ctx: Any) -> list[str]:
        return list(VERBS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        if cmd_name not in VERBS:
            return None
        module, _, name = VERBS[cmd_name].partition(":")
        found: Any = getattr(importlib.import_module(f"situ.cli.{module}"), name)
        if not isinstance(found, typer.Typer):
            alone = typer.Typer(add_completion=False, rich_markup_mode="markdown")
            alone.command(cmd_name)(found)
            found = alone
        command = typer.main.get_command(found)
        command.name = cmd_name
        return command


app = typer.Typer(
    cls=Verbs,
    name="situ",
    help="Spatial intelligence for first-person video: worlds with exact truth, honest tests for models.\n\n"
    "Start with `situ demo`: it makes a small benchmark, checks it, audits it and draws it.",
    no_args_is_help=True,
    add_completion=False,
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
