"""watch, ask, verify, memory and view on one small recording."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from situ.benchmarks.rem.recipe import RemRecipe
from situ.cli import main
from situ.cli.app import app
from situ.errors import BadInput

RUN = CliRunner()


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    folder = tmp_path_factory.mktemp("verbs")
    RemRecipe("mini", seed=4, width=480, height=320).make_item(0, folder / "item")
    memory = folder / "m.situ"
    done = RUN.invoke(
        app, ["watch", str(folder / "item"), "--into", str(memory), "--eyes", "truth", "--json"]
    )
    assert done.exit_code == 0, done.output
    return folder / "item", memory


def run(*arguments: object) -> str:
    done = RUN.invoke(app, [str(a) for a in arguments])
    assert done.exit_code == 0, done.output
    return done.output


def test_watching_again_adds_nothing(files: tuple[Path, Path]) -> None:
    item, memory = files
    said = json.loads(run("watch", item, "--into", memory, "--eyes", "truth", "--json"))
    assert said["new_frames"] == 0
    assert said["frames"] == json.loads(run("memory", "info", memory, "--json"))["frames"]


def test_an_answer_can_be_verified_on_memory_and_truth(files: tuple[Path, Path], tmp_path: Path) -> None:
    item, memory = files
    first = json.loads(run("memory", "objects", memory, "--json"))[0]
    name = f"{first['attributes']['color']} {first['category']}"
    answer = run("ask", memory, f"where is the {name}?", "--json")
    (tmp_path / "a.json").write_text(answer)
    assert json.loads(answer)["value"]
    assert "holds" in run("memory", "verify", memory, "--certificate", tmp_path / "a.json")
    assert "holds" in run("memory", "verify", item, "--certificate", tmp_path / "a.json")
    strange = answer.replace('"ask": "get"', '"ask": "ask of nobody"')
    (tmp_path / "b.json").write_text(strange)
    refused = RUN.invoke(app, ["memory", "verify", str(memory), "--certificate", str(tmp_path / "b.json")])
    assert isinstance(refused.exception, BadInput)
    assert refused.exception.exit_code == 2  # 1 would say that the answer does not hold
    assert "I have not seen a lift" in run("ask", memory, "where is the lift?")


@pytest.mark.parametrize(
    "sentence", ["what is around me", "where is the lift?", "how many things are there", ""]
)
def test_the_short_way_to_an_answer_says_the_same(
    sentence: str,
    files: tuple[Path, Path],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    long = RUN.invoke(app, ["ask", str(files[1]), sentence])
    monkeypatch.setattr("sys.argv", ["situ", "ask", str(files[1]), sentence])
    monkeypatch.setattr("situ.cli.app.main", lambda: pytest.fail("the parser of all verbs was called"))
    capsys.readouterr()
    main()
    assert capsys.readouterr().out == long.output
    assert long.exit_code == 0


def test_a_broken_file_is_told_the_short_way_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "x.situ").write_text("no memory")
    monkeypatch.setattr("sys.argv", ["situ", "ask", str(tmp_path / "x.situ"), "where am I?"])
    with pytest.raises(SystemExit) as left:
        main()
    assert left.value.code
    assert capsys.readouterr().err.startswith("situ: ")


def test_a_named_model_writes_the_program_and_it_is_announced(files: tuple[Path, Path]) -> None:
    _, memory = files
    first = json.loads(run("memory", "objects", memory, "--json"))[0]
    name = f"{first['attributes']['color']} {first['category']}"
    odd = f"kindly furnish intelligence concerning yon {name}"
    assert "do not understand" in run("ask", memory, odd)
    of = {"op": "things", "kind": first["category"], "with": {"color": first["attributes"]["color"]}}
    program = json.dumps({"ask": "get", "what": "way", "of": of})
    said = json.loads(run("ask", memory, odd, "--model", f"situ-canned/say:{program}", "--json"))
    assert said["taken_as"] == f"where is the {name}"
    assert said["text"].startswith("I took this as: where is the")
    assert said["value"] == json.loads(run("ask", memory, f"where is the {name}", "--json"))["value"]


def test_exports_merge_and_integrity(files: tuple[Path, Path], tmp_path: Path) -> None:
    _, memory = files
    for ending in ("json", "parquet", "ply", "glb"):
        run("memory", "export", memory, "--out", tmp_path / f"x.{ending}")
        assert (tmp_path / f"x.{ending}").stat().st_size > 0
    run("memory", "merge", memory, memory, "--out", tmp_path / "two.situ")
    assert json.loads(run("memory", "verify", tmp_path / "two.situ", "--json"))["sound"]
    bad = RUN.invoke(app, ["memory", "export", str(memory), "--out", str(tmp_path / "x.obj")])
    assert bad.exit_code != 0
    frames = json.loads(run("memory", "info", memory, "--json"))["frames"]
    assert len(run("memory", "path", memory).splitlines()) == frames + 1


def test_the_page_is_one_file_with_every_step(files: tuple[Path, Path], tmp_path: Path) -> None:
    _, memory = files
    run("view", memory, "--out", tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text()
    assert "http://" not in page.replace("http://www.w3.org", "")
    data = json.loads(page.split('type="application/json">')[1].split("</script>")[0])
    assert len(data["steps"]) == json.loads(run("memory", "info", memory, "--json"))["frames"]
    assert [s["time"] for s in data["steps"]] == sorted(s["time"] for s in data["steps"])
