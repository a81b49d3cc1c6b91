"""What the documentation says is true: links lead somewhere, commands exist, and Python runs."""

import re
import shlex
import shutil
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
import typer

from situ.cli.app import app
from situ.cli.lazy_verbs import inner_verbs
from situ.cli.verbs import VERBS

ROOT = Path(__file__).parents[1]
PAGES = [
    ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md")),
    *sorted((ROOT / "examples").rglob("*.md")),
]  # fmt: skip
LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)")
BLOCK = re.compile(r"^(?P<before><!--[^\n]*-->\n)?```(?P<kind>\w+)\n(?P<code>.*?)^```", re.M | re.S)
COMMAND = re.compile(r"^(?: {4})?(?:\.venv/bin/)?situ (?P<words>[^\n]+)$", re.M)
NOT_RUN = "<!-- not run"
ROOT_COMMAND: Any = typer.main.get_command(app)
OF_THE_EXAMPLE = ("tallest",)  # the benchmark that the example of a plugin brings


def anchors(page: Path) -> set[str]:
    """Anchors of a page's headings, as they are made on the web."""
    heads = re.findall(r"^#+ (.+)$", page.read_text(encoding="utf-8"), re.M)
    return {re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in heads}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    broken = []
    for target in LINK.findall(page.read_text(encoding="utf-8")):
        if target.startswith(("http://", "https://", "mailto:")):
            continue
        file, _, anchor = target.partition("#")
        there = (page.parent / file).resolve() if file else page
        if not there.exists() or (anchor and anchor not in anchors(there)):
            broken.append(target)
    assert broken == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_table_has_a_head(page: Path) -> None:
    """A blank line inside a table makes its rest a paragraph full of bars."""
    blocks = re.findall(r"(?:^\|[^\n]*\n)+", page.read_text(encoding="utf-8"), re.M)
    assert [block for block in blocks if not re.match(r"[^\n]*\n\|[-:| ]+\|\n", block)] == []


def commands(page: Path) -> Iterator[list[str]]:
    """The situ commands that a page shows, without comments and redirections."""
    text = page.read_text(encoding="utf-8")
    code = [found["code"] for found in BLOCK.finditer(text)] + re.findall(r"^ {4}[^\n]+$", text, re.M)
    whole = re.sub(r"\\\n\s*", " ", "\n".join(code))  # a command may go on in the next line
    for found in COMMAND.finditer(whole):
        words = shlex.split(found["words"].replace("sets/*", "sets/a"), comments=True)
        for mark in (">", "|", "&&"):
            words = words[: words.index(mark)] if mark in words else words
        if words and "..." not in words and words[0].split(",")[0] in VERBS:
            yield words


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_commands_are_understood(page: Path) -> None:
    """Verbs, options and arguments of every command are those of the command line; nothing is run."""
    for line in commands(page):
        understood(line)


def understood(words: list[str]) -> None:
    """Parse a command; an unknown verb, option or a missing argument raises."""
    command: Any = ROOT_COMMAND
    while inner := inner_verbs(command):
        if not words or words[0] in OF_THE_EXAMPLE:
            return
        verb, *words = words
        assert verb in inner, f"situ has no verb '{verb}' ({verb} {words})"
        command = inner[verb]
    with suppress(typer.Exit):  # an option that only shows something
        command.make_context(command.name, list(words))


def test_the_pages_hold_commands() -> None:
    """The test above would pass on pages whose commands it does not find."""
    assert sum(1 for page in PAGES for _ in commands(page)) > 80


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_benchmarks_that_are_named_exist(page: Path) -> None:
    named = re.findall(r"python -m benchmarks[ .]([a-z_]+(?:\.[a-z_]+)*)", page.read_text(encoding="utf-8"))
    folder = ROOT / "benchmarks"
    paths = [folder.joinpath(*name.split(".")) for name in named]
    assert [p.name for p in paths if not p.with_suffix(".py").is_file() and not p.is_dir()] == []


def python_of(page: Path) -> list[str]:
    text = page.read_text(encoding="utf-8")
    return [
        found["code"]
        for found in BLOCK.finditer(text)
        if found["kind"] == "python" and not (found["before"] or "").startswith(NOT_RUN)
    ]


@pytest.mark.parametrize("page", [page for page in PAGES if python_of(page)], ids=lambda page: page.name)
def test_python_runs(page: Path, demo_walk: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The blocks of a page, one after the other in one session."""
    if "import datasets" in "".join(python_of(page)):
        pytest.importorskip("datasets", reason="the page reads a set with Hugging Face datasets")
    shutil.copytree(demo_walk, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {"__name__": "a page"}
    for number, code in enumerate(python_of(page), 1):
        exec(compile(code, f"{page.name}, block {number}", "exec"), names)
