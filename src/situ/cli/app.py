"""The `situ` command and how its failures look."""

import sys

import typer
from rich.text import Text

from situ import __version__
from situ.cli import (
    ask,
    attribute,
    audit,
    author,
    captions,
    check,
    compare,
    cues,
    demo,
    doctor,
    evaluate,
    importing,
    make,
    memory_cli,
    narrate,
    paraphrase,
    power,
    presets,
    report,
    train,
    trajectory,
    verify,
    view,
    watch,
)
from situ.cli.common import errors
from situ.errors import SituError

app = typer.Typer(
    name="situ",
    help="Spatial intelligence for first-person video: worlds with exact truth, honest tests for models.\n\n"
    "Start with `situ demo`: it makes a small benchmark, checks it, audits it and draws it.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode="markdown",
)
app.command("demo")(demo.demo)
app.add_typer(make.app, name="make")
app.command("check")(check.check)
app.command("audit")(audit.audit)
app.command("author")(author.author_file)
app.command("view")(view.view)
app.command("cues")(cues.cues)
app.command("import")(importing.import_data)
app.command("narrate")(narrate.narrate_source)
app.command("eval")(evaluate.evaluate)
app.command("presets")(presets.show_presets)
app.command("attribute")(attribute.attribute)
app.command("paraphrase")(paraphrase.paraphrase)
app.command("captions")(captions.captions)
app.command("report")(report.report)
app.command("compare")(compare.compare)
app.command("power")(power.power)
app.command("watch")(watch.watch)
app.command("trajectory")(trajectory.trajectory)
app.command("ask")(ask.ask)
app.command("verify")(verify.verify)
app.add_typer(memory_cli.app, name="memory")
app.command("doctor")(doctor.doctor)
app.add_typer(train.app, name="train")


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
        errors.print(Text.assemble(("situ: ", "bold red"), str(error)), soft_wrap=True)
        sys.exit(error.exit_code)
    except KeyboardInterrupt:
        errors.print("situ: stopped; what was finished is kept")
        sys.exit(130)
