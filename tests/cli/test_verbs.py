"""The verbs as a whole: few at the top, each with examples, and one meaning for each option name."""

import inspect
import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_type_hints

import pytest
import typer

from situ.cli.app import app
from situ.cli.lazy_verbs import inner_verbs
from situ.cli.verbs import LAB_VERBS, RENAMED, VERBS
from situ.errors import BadInput

ROOT: Any = typer.main.get_command(app)
STAYS = ("serve", "study serve")  # servers run until they are stopped


def leaves(words: str = "", command: Any = ROOT) -> Iterator[tuple[str, Any]]:
    """Every verb that is no group, with its name as it is typed."""
    inner = inner_verbs(command)
    for name, verb in inner.items():
        yield from leaves(f"{words} {name}".strip(), verb)
    if not inner:
        yield words, command


def parse(words: list[str]) -> None:
    command = ROOT
    while inner := inner_verbs(command):
        command, words = inner[words[0]], words[1:]
    command.make_context(command.name, list(words))


def test_few_verbs_stand_at_the_top() -> None:
    assert len(VERBS) <= 20
    assert all(len(verb.line) <= 80 for verb in (*VERBS.values(), *LAB_VERBS.values()))


@pytest.mark.parametrize("name", VERBS)
def test_help_shows_two_examples_that_parse(name: str) -> None:
    assert len(VERBS[name].examples) >= 2
    for words in VERBS[name].examples:
        assert words.startswith(name)
        parse(shlex.split(words))
    assert all(words in ROOT.load(name).epilog for words in VERBS[name].examples)


def test_options_mean_the_same_everywhere() -> None:
    for words, command in leaves():
        options = {name: p.name for p in command.params for name in getattr(p, "opts", ())}
        given = get_type_hints(inspect.unwrap(command.callback))
        if words not in STAYS:
            assert "--json" in options, f"situ {words} has no --json"
        if "--out" in options:
            assert given[options["--out"]] in (Path, Path | None), f"situ {words}: --out is no path"
            assert "-o" in options, f"situ {words}: --out has no short form"
        if "--to" in options:
            assert given[options["--to"]] not in (Path, Path | None), f"situ {words}: --to is a path"


def test_an_unknown_verb_is_answered_with_the_nearest() -> None:
    for wrong, words in {
        "chekc": "situ check",
        "chat": "situ ask MEMORY --chat",
        "narate": "situ lab narrate",
        "lab descibe": "situ lab describe",
    }.items():
        with pytest.raises(BadInput, match=re.escape(f"`{words}`")):
            app(wrong.split(), standalone_mode=False)


def test_what_takes_the_place_of_an_old_verb_exists() -> None:
    for now in RENAMED.values():
        command = ROOT
        for word in now.split():
            inner = inner_verbs(command)
            if word not in inner:
                break
            command = inner[word]
        assert command is not ROOT, now


def test_no_module_is_left_without_a_verb() -> None:
    """A file that no verb leads to would be dead."""
    folder = Path(__file__).parents[2] / "src" / "situ" / "cli"
    text = "\n".join(file.read_text(encoding="utf-8") for file in folder.glob("*.py"))
    for file in folder.glob("*.py"):
        if file.stem not in ("__init__", "app"):
            assert re.search(rf'"{file.stem}:|situ\.cli\.{file.stem}\b|cli import .*\b{file.stem}\b', text), (
                file
            )
