"""What `situ --help` and `situ lab --help` print: all verbs under their headings. Typer's own way to print
help loads a parser of Markdown and a printer of tracebacks first, which takes longer than all the rest."""

import re
from collections.abc import Iterable, Mapping
from typing import Any

from rich.console import Console
from rich.padding import Padding
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from situ.cli.verbs import Verb

_CODE = re.compile(r"`([^`]+)`")


def print_overview(
    usage: str, about: str, options: Iterable[Any], groups: Mapping[str, Mapping[str, Verb]]
) -> None:
    """`options` are those of the command itself."""
    console = Console()
    console.print(Padding(Text(usage, "bold"), 1))
    for paragraph in about.split("\n\n"):
        console.print(Padding(_with_code(paragraph), (0, 1, 1, 1)))
    for heading, verbs in groups.items():
        console.print(_panel(heading, ((name, verb.line) for name, verb in verbs.items())))
    shown = [option for option in options if not getattr(option, "hidden", False)]
    console.print(_panel("Options", ((", ".join(option.opts), option.help or "") for option in shown)))


def _with_code(text: str) -> Text:
    """Words between backticks stand out and lose them."""
    plain = Text(_CODE.sub(r"\1", text))
    plain.highlight_words(_CODE.findall(text), "bold cyan")
    return plain


def _panel(heading: str, rows: Iterable[tuple[str, str]]) -> Panel:
    table = Table.grid(padding=(0, 2))
    table.add_column(style="bold cyan", no_wrap=True, min_width=10)
    table.add_column()
    for name, line in rows:
        table.add_row(Text(name), Text(line))
    return Panel(table, title=heading, title_align="left", border_style="dim")
