"""What `situ --help` prints: all verbs under their headings. Typer's own way to print help loads a parser of
Markdown and a printer of tracebacks first, which takes longer than all the rest."""

import re
from collections.abc import Iterable
from typing import Any

from rich.console import Console
from rich.padding import Padding
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from situ.cli.verbs import PANELS

_CODE = re.compile(r"`([^`]+)`")


def print_overview(usage: str, about: str, options: Iterable[Any]) -> None:
    """`options` are those of the command itself."""
    console = Console()
    console.print(Padding(Text(usage, "bold"), 1))
    for paragraph in about.split("\n\n"):
        console.print(Padding(_with_code(paragraph), (0, 1, 1, 1)))
    shown = [option for option in options if not getattr(option, "hidden", False)]
    console.print(_panel("Options", ((", ".join(option.opts), option.help or "") for option in shown)))
    for heading, verbs in PANELS.items():
        console.print(_panel(heading, ((verb, line) for verb, (_, line) in verbs.items())))


def _with_code(text: str) -> Text:
    """Words between backticks stand out and lose them."""
    plain = Text(_CODE.sub(r"\1", text))
    plain.highlight_words(_CODE.findall(text), "bold cyan")
    return plain


def _panel(heading: str, rows: Iterable[tuple[str, str]]) -> Panel:
    table = Table.grid(padding=(0, 2))
    table.add_column(style="bold cyan", no_wrap=True, min_width=16)
    table.add_column()
    for name, line in rows:
        table.add_row(Text(name), Text(line))
    return Panel(table, title=heading, title_align="left", border_style="dim")
