"""The documentation site: pages of the checkout, and reference pages made from the code.

python site/build.py          writes site/html
"""

import inspect
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

import typer

import situ
from situ.cli.app import app
from situ.cli.lazy_verbs import inner_verbs
from situ.evaluation.models.presets import presets
from situ.questions.programs import program_schema

HERE = Path(__file__).parent
ROOT = HERE.parent
PAGES = HERE / "pages"
MOST_WORDS = 100  # of a signature


def main() -> None:
    shutil.rmtree(PAGES, ignore_errors=True)
    for page in [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*"), *(ROOT / "examples").rglob("*")]:
        if page.suffix in (".md", ".png", ".jpg", ".svg"):
            target = PAGES / page.relative_to(ROOT)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(page, target)
    home = PAGES / "README.md"
    home.rename(PAGES / "index.md")
    (PAGES / "verbs.md").write_text("\n".join(verbs_page()), encoding="utf-8")
    (PAGES / "kinds.md").write_text("\n".join(kinds_page()), encoding="utf-8")
    (PAGES / "presets.md").write_text("\n".join(presets_page()), encoding="utf-8")
    (PAGES / "python.md").write_text("\n".join(python_page()), encoding="utf-8")
    (PAGES / "llms.txt").write_text("\n".join(page_list()), encoding="utf-8")
    subprocess.run([sys.executable, "-m", "zensical", "build", "--strict"], cwd=HERE, check=True)


def verbs_page() -> Iterator[str]:
    """Every verb with its options, as `--help` prints them."""
    yield "# Verbs\n\nEvery verb has `--help` with examples, and `--json` for programs.\n"
    yield from _verbs("situ", typer.main.get_command(app))


def _verbs(words: str, group: Any) -> Iterator[str]:
    for name, verb in inner_verbs(group).items():
        yield from _verb(f"{words} {name}", verb)
        yield from _verbs(f"{words} {name}", verb)


def _verb(words: str, command: Any) -> Iterator[str]:
    yield f"## {words}\n\n{(command.help or '').strip()}\n"
    options = [option for option in command.params if not getattr(option, "hidden", False)]
    rows = [
        f"| `{', '.join(getattr(option, 'opts', [option.name]))}` | {_cell(option)} |"
        for option in options
        if "--help" not in getattr(option, "opts", [])
    ]
    if rows:
        yield "\n".join(["| option | |", "|---|---|", *rows]) + "\n"


def kinds_page() -> Iterator[str]:
    """The words of programs, from the schema that `situ ask --schema` prints."""
    yield "# Programs\n\nWhat a question is made of. `situ ask --schema` prints this as JSON.\n"
    for part in ("ask", "set", "measure"):
        yield f"\n## {part.capitalize()}s\n\n| {part} | what it is | fields |\n|---|---|---|"
        for form in program_schema()["$defs"][part]["anyOf"]:
            for name, what, told in _form(form):
                yield f"| `{name}` | {what} | {told} |"


def _form(form: Mapping[str, Any]) -> Iterator[tuple[str, str, str]]:
    """Name, description and fields of each word that one form of a program stands for."""
    for word in form.get("enum", ()):
        yield word, "", ""
    inner = dict(form.get("properties", {}))
    named = next((key for key, value in inner.items() if "const" in value), None)
    if named is not None:
        name = inner.pop(named)["const"]
        needed = form.get("required", ())
        told = ", ".join(f"`{key}`" + ("" if key in needed else " (optional)") for key in inner)
        yield name, form.get("description", ""), told


def presets_page() -> Iterator[str]:
    """Every preset with what it fixes."""
    yield "# Presets\n\nSettings behind rows of published tables: `situ eval SET --preset NAME`.\n"
    yield "| preset | benchmark | frames | strategy | row | what it is |\n|---|---|---|---|---|---|"
    for p in presets().values():
        yield f"| `{p.name}` | {p.benchmark} | `{p.frames}` | `{p.strategy}` | {p.source} | {p.about} |"


def _cell(option: Any) -> str:
    return re.sub(r"\s+", " ", getattr(option, "help", None) or "").replace("|", "\\|")


def python_page() -> Iterator[str]:
    """Every public name, from its documentation."""
    yield "# Python\n\nThe names of `import situ`; see [From Python](docs/api.md) for how they go together.\n"
    for name in situ.__all__:
        part = getattr(situ, name)
        if callable(part):
            yield f"## situ.{name}\n\n```python\n{_signature(f'situ.{name}', part)}\n```\n"
            yield _text(part)
            yield from _members(name, part)


def _members(name: str, part: Any) -> Iterator[str]:
    """The public methods and properties of a class, those that it inherits from this package included."""
    for word, member in inspect.getmembers(part) if inspect.isclass(part) else ():
        if word.startswith("_") or not inspect.getdoc(member):
            continue
        if isinstance(member, (property, cached_property)):
            yield f"### {name}.{word}\n\n{_text(member)}"
        elif inspect.isroutine(member) and (getattr(member, "__module__", "") or "").startswith("situ."):
            yield f"### {name}.{word}\n\n```python\n{_signature(word, member)}\n```\n\n{_text(member)}"


def _signature(name: str, part: Any) -> str:
    try:
        words = str(inspect.signature(part))
    except (TypeError, ValueError):
        return name
    if len(words) > MOST_WORDS:  # without types
        words = f"({', '.join(inspect.signature(part).parameters)})"
    return name + re.sub(r"\b(?:situ|numpy|pathlib|collections\.abc|typing)\.(?:[a-z_]+\.)*", "", words)


def _text(part: Any) -> str:
    """Documentation as Markdown: examples become blocks of code."""
    lines, inside = [], False
    for line in (inspect.getdoc(part) or "").splitlines():
        if line.startswith(">>>") and not inside:
            lines.append("```python")
            inside = True
        elif inside and not line.strip():
            lines.append("```")
            inside = False
        lines.append(line)
    return "\n".join([*lines, *(["```"] if inside else [])]) + "\n"


def page_list() -> Iterator[str]:
    """One line for each page, for readers that are programs."""
    yield f"# situ {situ.__version__}\n\n{(situ.__doc__ or '').splitlines()[0]}\n"
    for page in sorted(PAGES.rglob("*.md")):
        title = page.read_text(encoding="utf-8").splitlines()[0].lstrip("# ")
        yield f"- [{title}]({page.relative_to(PAGES).with_suffix('.html')})"


if __name__ == "__main__":
    main()
