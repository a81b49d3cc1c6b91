"""Run notebooks and store what their cells print and show, without Jupyter.

python tools/run_notebooks.py [NOTEBOOK ...]        by default all of notebooks/

Each notebook runs in a folder of its own. A cell's output is what it prints, and the value of its last line
as text and, where the value draws itself, as HTML.
"""

import ast
import io
import json
import os
import sys
import tempfile
from contextlib import chdir, redirect_stdout
from pathlib import Path
from typing import Any

HERE = Path(__file__).parents[1] / "notebooks"


def run(notebook: dict[str, Any]) -> None:
    """Run the code cells in order, in the current folder, and put their outputs into the notebook."""
    names: dict[str, Any] = {"__name__": "__main__"}
    cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    for number, cell in enumerate(cells, 1):
        printed = io.StringIO()
        with redirect_stdout(printed):
            value = evaluated("".join(cell["source"]), names, f"cell {number}")
        cell["execution_count"], cell["outputs"] = number, []
        if printed.getvalue():
            cell["outputs"].append(
                {"output_type": "stream", "name": "stdout", "text": lines(printed.getvalue())}
            )
        if value is not None:
            data = {"text/plain": lines(repr(value))}
            if hasattr(value, "_repr_html_"):
                data["text/html"] = lines(value._repr_html_())
            cell["outputs"].append(
                {"output_type": "execute_result", "execution_count": number, "data": data, "metadata": {}}
            )


def evaluated(source: str, names: dict[str, Any], place: str) -> Any:
    """The value of the last line, if that is an expression."""
    tree = ast.parse(source, place)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, place, "exec"), names)
    return None if last is None else eval(compile(ast.Expression(last.value), place, "eval"), names)


def lines(text: str) -> list[str]:
    return text.splitlines(keepends=True)


def main() -> None:
    for file in map(Path.absolute, map(Path, sys.argv[1:] or sorted(map(str, HERE.glob("*.ipynb"))))):
        notebook = json.loads(file.read_text(encoding="utf-8"))
        with tempfile.TemporaryDirectory() as folder, chdir(folder):
            run(notebook)
        file.write_text(json.dumps(notebook, indent=1, ensure_ascii=False) + os.linesep, encoding="utf-8")
        print(file.name)


if __name__ == "__main__":
    main()
