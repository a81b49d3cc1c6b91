"""The columns of a text file of poses: numbers, and the names that a header gives them.

Places and quaternions are written in several orders, and a quaternion in the wrong order is a rotation too:
nothing would look wrong. So a header is obeyed, and one that cannot be read is refused.
"""

import re
from pathlib import Path

import numpy as np

from situ.errors import BadFormat
from situ.geometry.pose import Matrix

COLUMNS = ("time", "x", "y", "z", "qx", "qy", "qz", "qw")  # in the order of TUM, where nothing else is said
TURN = frozenset(COLUMNS[4:])
_TIMES = frozenset({"t", "time", "timestamp", "timestamps", "stamp", "sec", "seconds"})
_UNIT = re.compile(r"[\[(](?:s|sec|m)?[\])]|_s$")
_PLACE = re.compile(r"(?:t|p|pos_|position_|t_|p_)([xyz])")
_TURN = re.compile(r"(?:q|q_|quat_|rot_|orientation_)([xyzw])")


def read_columns(path: Path) -> tuple[Matrix, tuple[str, ...]]:
    """The numbers of a file, apart by blanks or commas, and the names of its columns; none without a header.

    A header is a first line without numbers, or a comment that names a quaternion.
    """
    lines = path.read_text(encoding="utf-8-sig", errors="replace").splitlines()
    names: tuple[str, ...] = ()
    rows: list[str] = []
    for line in lines:
        text = line.strip()
        if text.startswith("#"):
            said = _names(text.lstrip("# "))
            if not rows and set(said) >= TURN:
                first = min(said.index(name) for name in COLUMNS if name in said)
                names = said[first:]  # "# format: time x y …"
        elif text and not rows and not names and not _is_number(_words(text)[0]):
            names = _names(text)
        elif text:
            rows.append(text.replace(",", " "))
    try:
        return np.loadtxt(rows, ndmin=2), names
    except ValueError as error:
        raise BadFormat(f"{path} must hold rows of numbers ({error})") from error


def in_order(rows: Matrix, names: tuple[str, ...], path: Path) -> Matrix:
    """The columns that a pose with a time needs, in the order of COLUMNS."""
    if not names:
        return rows
    if len(names) != rows.shape[1] or any(names.count(name) != 1 for name in COLUMNS):
        raise BadFormat(
            f"{path} has the header '{' '.join(names)}' over {rows.shape[1]} columns; for a pose with a time "
            f"it must name each of {', '.join(COLUMNS)} once, in any order"
        )
    return rows[:, [names.index(name) for name in COLUMNS]]


def _words(line: str) -> list[str]:
    return [word.strip(" \"'") for word in (line.split(",") if "," in line else line.split())]


def _names(line: str) -> tuple[str, ...]:
    return tuple(_column(word) for word in _words(line))


def _column(word: str) -> str:
    """What tools call a column, in one word for all of them."""
    name = _UNIT.sub("", word.lower()).strip()
    if name in _TIMES:
        return "time"
    if found := _PLACE.fullmatch(name):
        return found[1]
    found = _TURN.fullmatch(name)
    return f"q{found[1]}" if found else name


def _is_number(word: str) -> bool:
    try:
        float(word)
    except ValueError:
        return False
    return True
