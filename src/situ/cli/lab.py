"""`situ lab`: verbs that few people need."""

import typer

from situ.cli.lazy_verbs import HELP, LabVerbs

app = typer.Typer(
    cls=LabVerbs,
    name="lab",
    help="Verbs that few people need: for papers, for authors of questions, for looking into recordings.",
    no_args_is_help=True,
    add_completion=False,
    context_settings=HELP,
    rich_markup_mode="markdown",
)


@app.callback()
def _no_options() -> None:
    """A group needs one, even if it takes no options."""
