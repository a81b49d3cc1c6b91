"""Programs: a small algebra over possible worlds, in which any question can be put."""

from typing import TYPE_CHECKING

from situ.lazy import exports

if TYPE_CHECKING:
    from situ.questions.programs.evaluator import evaluate, plain, tried
    from situ.questions.programs.json_schema import program_schema
    from situ.questions.programs.parser import parse
    from situ.questions.programs.run import Entry, NoneSeen, Result, Run
    from situ.questions.programs.schema import Ask, Measure, Program, Set, operator, to_json
    from situ.questions.programs.table import Worlds

__all__ = [
    "Ask",
    "Entry",
    "Measure",
    "NoneSeen",
    "Program",
    "Result",
    "Run",
    "Set",
    "Worlds",
    "evaluate",
    "operator",
    "parse",
    "plain",
    "program_schema",
    "to_json",
    "tried",
]
_MODULES = {
    "situ.questions.programs.evaluator": ("evaluate", "plain", "tried"),
    "situ.questions.programs.json_schema": ("program_schema",),
    "situ.questions.programs.run": ("Entry", "NoneSeen", "Result", "Run"),
    "situ.questions.programs.schema": ("Ask", "Measure", "Program", "Set", "operator", "to_json"),
    "situ.questions.programs.parser": ("parse",),
    "situ.questions.programs.table": ("Worlds",),
}
__getattr__ = exports(__name__, {name: module for module, names in _MODULES.items() for name in names})
