"""Groups of verbs whose modules are imported when a verb is called."""

import difflib
import importlib
from collections.abc import Mapping
from typing import Any, ClassVar

import typer
from typer.core import TyperCommand, TyperGroup

from situ.cli.option_checks import check_group, with_checked_options
from situ.cli.verbs import ALONE, GROUPS, LAB, LAB_VERBS, RENAMED, VERBS, Verb
from situ.errors import BadInput, unknown

HELP = {"help_option_names": ["-h", "--help"]}


class Verbs(TyperGroup):
    """The verbs at the top. Listing them imports none."""

    groups: ClassVar[Mapping[str, Mapping[str, Verb]]] = GROUPS
    verbs: ClassVar[Mapping[str, Verb]] = VERBS
    prefix: ClassVar[str] = "situ"

    def list_commands(self, ctx: Any) -> list[str]:
        return list(self.verbs)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        if cmd_name not in self.verbs:
            return None
        return TyperCommand(cmd_name, help=self.verbs[cmd_name].line)

    def format_help(self, ctx: Any, formatter: Any) -> None:
        from situ.cli.overview import print_overview

        print_overview(self.get_usage(ctx), self.help or "", self.get_params(ctx), self.groups)

    def resolve_command(self, ctx: Any, args: list[str]) -> tuple[str | None, Any, list[str]]:
        name, *rest = args
        if name not in self.verbs:
            raise BadInput(f"there is no verb '{name}'. {self._hint(name)}`{self.prefix} --help` lists all.")
        return name, self.load(name), completed(rest, ALONE.get(name, {}))

    def load(self, name: str) -> Any:
        """The command of a verb, ready to be called."""
        verb = self.verbs[name]
        module, _, function = verb.where.partition(":")
        found: Any = getattr(importlib.import_module(f"situ.cli.{module}"), function)
        if not isinstance(found, typer.Typer):
            alone = typer.Typer(add_completion=False, rich_markup_mode="markdown")
            alone.command(name, context_settings=HELP)(with_checked_options(found))
            found = alone
        elif found is not lab:
            found.info.cls = Group
        command = typer.main.get_command(check_group(found))
        command.name = name
        if verb.examples:
            command.epilog = "\n\n".join(("Examples:", *(f"- `situ {words}`" for words in verb.examples)))
        return command

    def _hint(self, word: str) -> str:
        if word in RENAMED and self.verbs is VERBS:
            return f"Use `situ {RENAMED[word]}`. "
        names = [*self.verbs, *RENAMED] if self.verbs is VERBS else list(self.verbs)
        near = difflib.get_close_matches(word, names, 1)
        if not near:
            return ""
        return f"Did you mean `{self.prefix} {near[0] if near[0] in self.verbs else RENAMED[near[0]]}`? "


class Group(TyperGroup):
    """The verbs of a group, such as `situ memory`: an unknown one gets the nearest name."""

    def resolve_command(self, ctx: Any, args: list[str]) -> tuple[str | None, Any, list[str]]:
        name, *_ = args
        if name not in self.commands and not name.startswith("-"):
            raise unknown("verb", name, self.commands)
        return super().resolve_command(ctx, args)


class LabVerbs(Verbs):
    """The verbs of `situ lab`."""

    groups = LAB
    verbs = LAB_VERBS
    prefix = "situ lab"


lab = typer.Typer(
    cls=LabVerbs,
    name="lab",
    help="Rarely needed commands: for papers, for authors of questions, for inspecting recordings.",
    no_args_is_help=True,
    add_completion=False,
    context_settings=HELP,
    rich_markup_mode="markdown",
)


@lab.callback()
def _no_options() -> None:
    """A group needs one, even if it takes no options."""


def inner_verbs(command: Any) -> dict[str, Any]:
    """The verbs of a group by name; none of a verb that is no group."""
    if isinstance(command, Verbs):
        return {name: command.load(name) for name in command.verbs}
    return dict(getattr(command, "commands", None) or {})


def completed(args: list[str], alone: dict[str, str]) -> list[str]:
    """Arguments in which options that stand alone have got their value."""
    made: list[str] = []
    for argument, following in zip(args, [*args[1:], "-"], strict=False):
        made.append(argument)
        if argument in alone and following.startswith("-"):
            made.append(alone[argument])
    return made
