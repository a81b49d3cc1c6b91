"""What `make test-fast` leaves out is listed by name; a name that no test has any more would hide nothing."""

import ast
from pathlib import Path

ROOT = Path(__file__).parents[1]
LINES = (ROOT / "tests" / "slow.txt").read_text(encoding="utf-8").split()


def test_every_name_is_that_of_a_test() -> None:
    tests: dict[str, set[str]] = {}
    for line in LINES:
        file, _, _ = line.partition("::")
        if file not in tests:
            tree = ast.parse((ROOT / file).read_text(encoding="utf-8"))
            tests[file] = {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
    unknown = [
        line for line in LINES if "::" in line and line.split("::")[1] not in tests[line.split("::")[0]]
    ]
    assert not unknown, f"remove from tests/slow.txt what is gone: {unknown}"


def test_the_list_is_in_order_and_says_nothing_twice() -> None:
    assert sorted(set(LINES)) == LINES, "sort tests/slow.txt"
    whole = {line for line in LINES if "::" not in line}
    twice = [line for line in LINES if "::" in line and line.split("::")[0] in whole]
    assert not twice, f"the whole file is listed already: {twice}"
