"""The `situ` command and how its failures look. A verb's module is imported when the verb is called."""

import importlib
import logging
import sys
from typing import Any, NoReturn

import typer
from typer.core import TyperCommand, TyperGroup

from situ import __version__
from situ.cli.given import check_group, with_checked_options
from situ.cli.verbs import ALONE, VERBS
from situ.errors import SituError
from situ.registry import load_files


class Verbs(TyperGroup):
    """Imports a verb when it is called; to list the verbs none is imported."""

    def list_commands(self, ctx: Any) -> list[str]:
        return list(VERBS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        if cmd_name not in VERBS:
            return None
        return TyperCommand(cmd_name, help=VERBS[cmd_name][1])

    def format_help(self, ctx: Any, formatter: Any) -> None:
        from situ.cli.overview import print_overview

        print_overview(self.get_usage(ctx), self.help or "", self.get_params(ctx))

    def resolve_command(self, ctx: Any, args: list[str]) -> tuple[str | None, Any, list[str]]:
        name, found, rest = super().resolve_command(ctx, args)
        return name, found and load_verb(str(name)), _completed(rest, ALONE.get(str(name), {}))


def _completed(args: list[str], alone: dict[str, str]) -> list[str]:
    """Arguments in which options that stand alone have got their value."""
    made: list[str] = []
    for argument, following in zip(args, [*args[1:], "-"], strict=False):
        made.append(argument)
        if argument in alone and following.startswith("-"):
            made.append(alone[argument])
    return made


def load_verb(name: str) -> Any:
    module, _, function = VERBS[name][0].partition(":")
    found: Any = getattr(importlib.import_module(f"situ.cli.{module}"), function)
    if not isinstance(found, typer.Typer):
        alone = typer.Typer(add_completion=False, rich_markup_mode="markdown")
        alone.command(name, context_settings=HELP)(with_checked_options(found))
        found = alone
    command = typer.main.get_command(check_group(found))
    command.name = name
    return command


HELP = {"help_option_names": ["-h", "--help"]}
app = typer.Typer(
    cls=Verbs,
    name="situ",
    help="Spatial intelligence for first-person video: worlds with exact truth, a memory that knows where"
    " things are from here, honest tests for models.\n\n"
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
    load_files()


def main() -> None:
    """Run the command line; expected failures become one line on stderr and an exit code."""
    logging.basicConfig(level=logging.WARNING, format="%(message)s")
    logging.getLogger("situ").setLevel(logging.INFO)
    try:
        app()
    except SituError as error:
        fail(error)
    except ModuleNotFoundError as error:
        from situ.cli.missing import missing_extra

        missing = missing_extra(error, sys.argv[1] if len(sys.argv) > 1 else "")
        if missing is None:
            raise
        fail(missing)
    except KeyboardInterrupt:
        from situ.cli.common import errors

        errors.print("situ: stopped; what was finished is kept")
        sys.exit(130)


def fail(error: SituError) -> NoReturn:
    """One line on stderr, and the exit code."""
    from rich.text import Text

    from situ.cli.common import errors

    errors.print(Text.assemble(("situ: ", "bold red"), str(error)), soft_wrap=True)
    sys.exit(error.exit_code)
