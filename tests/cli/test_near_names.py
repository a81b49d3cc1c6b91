"""A name that there is not is answered with the one that was meant, in one sentence."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

from situ.cli.app import app
from situ.errors import BadInput


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("wach", "x"), "Did you mean `situ watch`?"),
        (("lab", "presets", "rem-tabel2"), "(did you mean 'rem-table2'?); `situ lab presets` lists them"),
        (("lab", "presets", "gpt"), "unknown preset 'gpt'; `situ lab presets` lists them"),
        (("import", "uscs", "SET", "--out", "o"), "did you mean 'ucs'?"),
        (("publish", "SET", "--to", "nerfstduio", "--out", "o"), "did you mean 'nerfstudio'?"),
        (("publish", "SET", "--to", "lmms-eval", "--out", "o"), "lmms-eval takes question sets"),
        (
            ("eval", "SET", "--strategy", "captoins", "--model", "a/b", "--out", "o"),
            "did you mean 'captions'?",
        ),
    ],
)
def test_the_nearest_name_is_told(tmp_path: Path, arguments: tuple[str, ...], told: str) -> None:
    (tmp_path / "set").mkdir()
    command = [str(tmp_path / "set") if word == "SET" else word for word in arguments]
    done = CliRunner().invoke(app, command)
    assert isinstance(done.exception, BadInput), done.output
    assert told in str(done.exception)
