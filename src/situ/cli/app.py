"""The `situ` command and how its failures look. A verb's module is imported when the verb is called."""

import logging
import sys
from typing import NoReturn

import typer

from situ import __version__
from situ.cli.lazy_verbs import HELP, Verbs
from situ.errors import SituError
from situ.registry import load_files

app = typer.Typer(
    cls=Verbs,
    name="situ",
    help="Ask a video where things are. Measure how well your model knows.\n\n"
    'Start with `situ ask --example "where is the blue sphere?"`, then with a video of your own: '
    "`situ watch walk.mp4 --into walk.situ`.",
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
