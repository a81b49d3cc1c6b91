"""A verb whose extra is not installed says so in one line, with the command that installs it."""

import sys
from pathlib import Path

import pytest

from situ.cli import main


@pytest.mark.parametrize(
    ("words", "module", "extra"),
    [
        (["serve", "walk.situ"], "starlette", "serve"),
        (["serve", "walk.situ"], "uvicorn", "serve"),
        (["serve", "walk.situ"], "prometheus_client", "serve"),
        (["eval", "demo/rem-mini-0", "--model", "mockllm/model", "--out", "run"], "inspect_ai", "eval"),
    ],
)
def test_a_missing_package_is_one_line(
    words: list[str],
    module: str,
    extra: str,
    demo_walk: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
) -> None:
    for name in [name for name in sys.modules if name.partition(".")[0] == module or "situ.serve" in name]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, module, None)  # type: ignore[arg-type]
    monkeypatch.chdir(tmp_path)
    for name in ("demo", "walk.situ"):
        (tmp_path / name).symlink_to(demo_walk / name)
    monkeypatch.setattr(sys, "argv", ["situ", *words])
    with pytest.raises(SystemExit) as end:
        main()
    said = " ".join(capsys.readouterr().err.split())
    assert end.value.code == 2
    assert f"pip install 'situ[{extra}]'" in said
