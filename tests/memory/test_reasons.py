"""Numbers that steer the memory are options, or stand beside their reason."""

import ast
import io
import tokenize
from collections.abc import Iterator
from pathlib import Path

import situ.memory

ROOM = Path(situ.memory.__file__).parent


def is_number(value: ast.expr | None) -> bool:
    match value:
        case ast.Constant(value=bool()):
            return False
        case ast.Constant(value=int() | float()):
            return True
        case ast.UnaryOp(operand=one):
            return is_number(one)
        case ast.BinOp(left=one, right=other):
            return is_number(one) and is_number(other)
        case ast.Tuple(elts=all_) | ast.List(elts=all_):
            return bool(all_) and all(map(is_number, all_))
    return False


def without_reason(text: str) -> Iterator[str]:
    """Numbers in capitals of a module with no comment on their line, nor above the lines beside theirs."""
    tokens = list(tokenize.generate_tokens(io.StringIO(text).readline))
    told = {token.start[0] for token in tokens if token.type == tokenize.COMMENT}
    alone = {
        token.start[0]
        for token in tokens
        if token.type == tokenize.COMMENT and not token.line[: token.start[1]].strip()
    }
    group_end = -1  # the last line of numbers that a comment above speaks of
    for node in ast.parse(text).body:
        targets = node.targets if isinstance(node, ast.Assign) else []
        targets = [node.target] if isinstance(node, ast.AnnAssign) else targets
        names = [name.id for target in targets for name in ast.walk(target) if isinstance(name, ast.Name)]
        if not names or not all(map(str.isupper, names)) or not is_number(getattr(node, "value", None)):
            continue
        end = node.end_lineno or node.lineno
        if node.lineno - 1 in alone or node.lineno - 1 == group_end:
            group_end = end
        elif not told & set(range(node.lineno, end + 1)):
            yield f"line {node.lineno}: {', '.join(names)}"


def test_every_number_of_the_memory_has_its_reason_beside_it() -> None:
    found = {
        file.relative_to(ROOM).as_posix(): list(without_reason(file.read_text(encoding="utf-8")))
        for file in sorted(ROOM.rglob("*.py"))
    }
    bare = {file: numbers for file, numbers in found.items() if numbers}
    assert not bare, f"say why each is as it is, in a comment, or make it an option: {bare}"


def test_a_bare_number_is_found_and_one_with_a_reason_is_not() -> None:
    assert list(without_reason("A = 1\n")) == ["line 1: A"]
    assert list(without_reason("_A, B = 1, -2.5  # why\n_C = 3 * 4\n")) == ["line 2: _C"]
    assert list(without_reason("# why\nA = 1\nB = (2, 3)\n\nC: float = 4\n")) == ["line 5: C"]
    assert not list(without_reason("NAMES = ('a',)\nON = True\nlower = 3\n"))
