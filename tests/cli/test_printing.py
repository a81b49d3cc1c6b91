"""What the command line prints is what was meant, letter by letter, whatever names hold."""

import io
import subprocess
import sys

import pytest
import typer
from rich.table import Table

from situ.cli import app as command_line
from situ.cli import common
from situ.cli.lazy_verbs import inner_verbs
from situ.cli.verbs import VERBS
from situ.errors import BadInput, MissingExtra, SituError

ODD_NAMES = ("situ[eval]", "foo[/bar]", "[bold]", "a [red]cup[/red]", "x[/x]", "[[", "\\[tag]", ":smile:")


@pytest.fixture
def stderr(monkeypatch) -> io.StringIO:
    written = io.StringIO()
    monkeypatch.setattr(common.errors, "_file", written)
    return written


def failing_with(error: BaseException, monkeypatch) -> int:
    def fail() -> None:
        raise error

    monkeypatch.setattr(command_line, "app", fail)
    with pytest.raises(SystemExit) as stopped:
        command_line.main()
    return int(stopped.value.code)


@pytest.mark.parametrize("name", ODD_NAMES)
def test_errors_are_told_word_for_word(name, stderr, monkeypatch) -> None:
    assert failing_with(BadInput(f"no set in {name}"), monkeypatch) == 2
    assert stderr.getvalue() == f"situ: no set in {name}\n"


def test_the_line_that_installs_an_extra_can_be_pasted(stderr, monkeypatch) -> None:
    error: SituError = MissingExtra("eval", "asking models")
    assert failing_with(error, monkeypatch) == error.exit_code
    assert "pip install 'situ[eval]'" in stderr.getvalue()


def test_an_interruption_is_one_line(stderr, monkeypatch) -> None:
    assert failing_with(KeyboardInterrupt(), monkeypatch) == 130
    assert stderr.getvalue().count("\n") == 1


def test_tables_and_lines_in_a_pipe_are_whole_and_plain(monkeypatch) -> None:
    written = io.StringIO()
    monkeypatch.setattr(common.console, "_file", written)
    table = Table("name", "p")
    names = [name * 12 for name in ODD_NAMES]
    for name in names:
        table.add_row(name, "0.000123")
    common.console.print(table)
    common.console.print(names[0])
    text = written.getvalue()
    assert all(name in text for name in names)
    assert text.count("0.000123") == len(names)
    assert "\x1b" not in text


def test_every_verb_in_the_list_is_there_and_teaches() -> None:
    for name, command in inner_verbs(typer.main.get_command(command_line.app)).items():
        assert command.help, name


def test_listing_the_verbs_imports_none_of_them() -> None:
    heavy = "{'numpy', 'numba', 'cv2', 'pyarrow', 'rich.markdown'}"
    code = (
        f"import atexit, sys; atexit.register(lambda: print(sorted({heavy} & set(sys.modules))))\n"
        "from situ.cli.app import app; app(['--help'])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip().endswith("[]")
    assert all(name in done.stdout for name in VERBS)


def test_a_system_without_file_locks_is_told_so_in_one_line() -> None:
    """As on Windows: the module that the locks come from is not there."""
    code = (
        "import sys; sys.modules['fcntl'] = None\n"
        "sys.argv = ['situ', 'memory', 'info', 'x.situ']\n"
        "from situ.cli.app import main; main()"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert "WSL" in done.stderr
