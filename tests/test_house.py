"""The rooms of the house: imports point downwards only, files stay short, and nothing names a machine."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[1] / "src" / "situ"
# From the front door to the cellar; a room may use the rooms after it.
ROOMS = (
    "cli",
    "serve",
    "plugins",
    "api",
    "runners",
    "report",
    "study",
    "train",
    "publishing",
    "annotate",
    "evaluation",
    "authoring",
    "benchmarks",
    "narrate",
    "language",
    "memory",
    "perception",
    "questions",
    "state",
    "recording",
    "rendering",
    "worlds",
    "geometry",
    "tasks",
    "pool",
    "stores",
    "text_files",
    "private_files",
    "compiled",
    "kernels",
    "lazy",
    "file_locks",
    "registry",
    "display",
    "english",
    "errors",
)
FILES = sorted(SOURCE.rglob("*.py"))


def room_of(file: Path) -> str:
    return file.relative_to(SOURCE).parts[0].removesuffix(".py")


def imported(file: Path) -> Iterator[tuple[int, str]]:
    """Line and room of everything that a file imports from this package, at its top or inside a function."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        names: list[str] = []
        line = getattr(node, "lineno", 0)
        if isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
            names = [node.module]
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        for name in names:
            parts = name.split(".")
            if parts[0] == "situ" and len(parts) > 1:
                yield line, parts[1]


def test_every_room_has_its_place() -> None:
    assert {room_of(file) for file in FILES} - {"__init__", "__main__"} == set(ROOMS)


@pytest.mark.parametrize("room", ROOMS)
def test_imports_point_downwards(room: str) -> None:
    upwards = [
        f"{file.relative_to(SOURCE)}:{line} uses {other}"
        for file in FILES
        if room_of(file) == room
        for line, other in imported(file)
        if ROOMS.index(other) < ROOMS.index(room)
    ]
    assert upwards == []


def imports_of_modules() -> dict[str, set[str]]:
    """For each module the modules of this package that it imports, at its top or inside a function."""
    modules = {".".join(("situ", *f.relative_to(SOURCE).with_suffix("").parts)): f for f in FILES}
    modules = {name.removesuffix(".__init__"): file for name, file in modules.items()}
    graph: dict[str, set[str]] = {}
    for name, file in modules.items():
        named: set[str] = set()
        nodes: list[ast.AST] = [ast.parse(file.read_text(encoding="utf-8"))]
        while nodes:
            node = nodes.pop()
            if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
                continue  # the type checker may look both ways
            nodes += ast.iter_child_nodes(node)
            if isinstance(node, ast.Import):
                named |= {alias.name for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module:
                parts = {f"{node.module}.{alias.name}" for alias in node.names}
                named |= {part if part in modules else node.module for part in parts}
        graph[name] = {other for other in named if other in modules} - {name}
    return graph


def test_no_two_modules_need_one_another() -> None:
    """What imports nothing that is left is taken away, again and again, until circles alone remain."""
    left = imports_of_modules()
    while free := {name for name, needs in left.items() if not needs & left.keys()}:
        left = {name: needs for name, needs in left.items() if name not in free}
    while unused := left.keys() - set().union(*left.values()):
        left = {name: needs for name, needs in left.items() if name not in unused}
    assert sorted(left) == []


# The floors of the wings; a part may use those after it.
WINGS = {
    "memory": (
        "warm", "sink", "upkeep", "memory", "forgetting", "checkpoint", "reading", "tracker", "clock",
        "file", "tables", "options",
    ),
    "evaluation": (
        "sns", "models", "attribution", "distributions", "describe", "audit", "check", "runs", "participants",
        "cues", "built_in", "benchmark", "protocols", "replies", "stats", "records", "captions",
    ),
    "questions": ("annotated", "changes", "walk", "scene", "programs", "rules", "base", "select"),
}  # fmt: skip


@pytest.mark.parametrize("wing", WINGS)
def test_imports_inside_a_wing_point_downwards(wing: str) -> None:
    floors, upwards = WINGS[wing], []
    for file in (SOURCE / wing).rglob("*.py"):
        own = file.relative_to(SOURCE / wing).parts[0].removesuffix(".py")
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.ImportFrom) or not (node.module or "").startswith(f"situ.{wing}."):
                continue
            other = str(node.module).split(".")[2]
            if own != "__init__" and other != own and floors.index(other) < floors.index(own):
                upwards.append(f"{file.relative_to(SOURCE)}:{node.lineno} uses {other}")
    assert upwards == []


# Who may name a benchmark of this package: what is about one by its nature. All others ask the registry.
BENCHMARKS = ("disjoint", "narratives", "openeqa", "rem", "saw", "sns", "ucs", "vsi")
MAY_NAME_THEM = (
    *(f"benchmarks/{name}/" for name in BENCHMARKS),
    "benchmarks/official/layouts.py",  # their published files
    "evaluation/built_in.py",  # where they join
    "evaluation/protocols/",
    "evaluation/participants/",  # each says which sets it can answer
    "evaluation/attribution/",  # by the causes that one paper names
    "evaluation/cues/",  # of one paper
    "evaluation/models/",  # prompts and rewordings of papers
    "evaluation/check/",  # strata that one recipe promises
    "evaluation/sns.py",
    "report/verification.py",  # published tables computed again
    "train/",  # its rows are made from given recipes
    "study/presets.py",  # studies of papers
    "serve/annotate_api.py",  # shows its categories
    "annotate/",  # its questions are those of one public schema
    "cli/",  # verbs of their own
)


def test_only_what_is_about_a_benchmark_names_one() -> None:
    named = []
    word = re.compile(rf"\b({'|'.join(BENCHMARKS)})\b")
    for file in FILES:
        where, text = file.relative_to(SOURCE).as_posix(), file.read_text(encoding="utf-8")
        if where.startswith(MAY_NAME_THEM) or not word.search(text):
            continue
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.ImportFrom):
                parts = (node.module or "").split(".")
                if parts[:2] == ["situ", "benchmarks"] and parts[2:3] and parts[2] in BENCHMARKS:
                    named.append(f"{where}:{node.lineno} imports {node.module}")
            if isinstance(node, ast.Compare):
                constants = [c.value for c in ast.walk(node) if isinstance(c, ast.Constant)]
                named += [f"{where}:{node.lineno} asks for '{c}'" for c in constants if c in BENCHMARKS]
    assert named == []


# Sizes of tables, limits of what is taken in, and codes: no rate, threshold or prior.
NOT_STEERING = {
    "CELL_M", "HEADINGS", "LEAST_SIGMA_M", "MOST_M", "MOST_PAIRS", "MOST_SIZE_M", "RESTARTED", "WINDOW_SIZE",
    "_MIX", "_MOST_LOOK", "_MOST_PIXELS", "_MOST_TABLES", "_MOST_THUMBNAIL", "_MOST_TIME_S", "_NO_EXTRAS",
    "_NO_SIZE", "_SIX",
}  # fmt: skip


def test_numbers_that_steer_the_memory_stand_in_its_options() -> None:
    elsewhere = []
    for file in sorted((SOURCE / "memory" / "tracker").glob("*.py")):
        for node in ast.parse(file.read_text(encoding="utf-8")).body:
            if not isinstance(node, ast.Assign) or any(isinstance(n, ast.Call) for n in ast.walk(node.value)):
                continue
            names = [n.id for n in ast.walk(node.targets[0]) if isinstance(n, ast.Name)]
            values = [n.value for n in ast.walk(node.value) if isinstance(n, ast.Constant)]
            # Several names for whole numbers are codes.
            a_number = len(names) == 1 and any(isinstance(value, int | float) for value in values)
            steers = a_number or any(isinstance(value, float) for value in values)
            if steers and names[0] not in NOT_STEERING:
                elsewhere.append(f"{file.name}:{node.lineno} {names[0]}")
    assert elsewhere == []


def test_files_stay_short() -> None:
    long = {str(f.relative_to(SOURCE)): n for f in FILES if (n := len(f.read_text().splitlines())) > 400}
    assert long == {}


def test_no_file_names_a_machine() -> None:
    pattern = re.compile(r"/(?:home|root|work|Users)/\w|localhost:\d{5}")
    named = [str(f.relative_to(SOURCE)) for f in FILES if pattern.search(f.read_text(encoding="utf-8"))]
    assert named == []
