"""A set that was interrupted goes on, and nothing is in it twice. No picture is rendered here."""

from collections.abc import Callable
from pathlib import Path

import pytest

from queue_stand_in import Queue
from situ.errors import Refused
from situ.train import make
from situ.train.data_recipe import PER_WORLD, DataRecipe
from situ.train.make import make_training_set, without_repeats
from situ.train.rows import Medium, TrainingRow, read_rows
from situ.train.worlds import Draft

RECIPE = DataRecipe(rows=40, seed=1)


def drafts(number: int, out: Path, content: str = "") -> list[Draft]:
    """As many examples as a world has, each with a file of its own; all alike where `content` is given."""
    found = []
    for kind, count in PER_WORLD.items():
        for i in range(count):
            name = f"media/w{number}-{kind}-{i}/0.jpg"
            (out / name).parent.mkdir(parents=True, exist_ok=True)
            (out / name).write_text(content or name)
            medium = Medium("image", (name,), 8, 8)
            motions = (f"pan {'left' if (number + i) % 2 else 'right'}",) if kind == "narrative" else ()
            found.append(
                Draft(TrainingRow(f"w{number}-{kind}-{i}", kind, (medium,), "<image>?", "A", "w", motions))
            )
    return found


def worlds_made(monkeypatch: pytest.MonkeyPatch, stop_at: int = 10**6) -> list[int]:
    made: list[int] = []

    def one(recipe: DataRecipe, number: int, out: Path) -> list[Draft]:
        if number == stop_at:
            drafts(number, out)  # its frames are there, but nothing says so
            raise KeyboardInterrupt
        made.append(number)
        return drafts(number, out)

    monkeypatch.setattr(make, "drafts_of_world", one)
    return made


def files(folder: Path) -> dict[str, bytes]:
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


def test_an_interrupted_set_goes_on_and_ends_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole, stopped = tmp_path / "whole", tmp_path / "stopped"
    every = worlds_made(monkeypatch)
    make_training_set(RECIPE, whole)
    first = worlds_made(monkeypatch, stop_at=1)
    with pytest.raises(KeyboardInterrupt):
        make_training_set(RECIPE, stopped)
    assert first == [0]
    rest = worlds_made(monkeypatch)
    make_training_set(RECIPE, stopped)
    assert first + rest == every
    assert files(whole) == files(stopped)
    assert not (whole / "shards").exists()


def test_another_recipe_does_not_go_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    worlds_made(monkeypatch, stop_at=1)
    with pytest.raises(KeyboardInterrupt):
        make_training_set(RECIPE, tmp_path / "set")
    with pytest.raises(Refused, match="unfinished set of another recipe"):
        make_training_set(DataRecipe(rows=40, seed=2), tmp_path / "set")
    worlds_made(monkeypatch)
    make_training_set(RECIPE, tmp_path / "set")
    with pytest.raises(Refused, match="not empty"):
        make_training_set(RECIPE, tmp_path / "set")


@pytest.mark.parametrize(("content", "narratives", "asked"), [("", 8, 4), ("same", 1, 1)])
def test_nothing_is_in_a_set_twice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: str, narratives: int, asked: int
) -> None:
    make_drafts: Callable[..., list[Draft]] = lambda recipe, number, out: drafts(0, out, content)  # noqa: E731
    monkeypatch.setattr(make, "drafts_of_world", make_drafts)
    make_training_set(RECIPE, tmp_path / "set")
    rows = list(read_rows(tmp_path / "set"))
    kinds = [row.kind for row in rows]
    assert kinds.count("narrative") <= narratives  # every world is world 0
    assert kinds.count("image_qa") == asked
    assert len({row.id for row in rows}) == len(rows)


def test_other_questions_about_the_same_pictures_stay() -> None:
    row = TrainingRow("a", "image_qa", (), "<image>Where is it?\nA. left", "A", "w")
    other = TrainingRow("b", "image_qa", (), "<image>How far is it?\nA. left", "A", "w")
    kept = list(without_repeats([Draft(row, False, "x"), Draft(other, False, "x"), Draft(row, False, "y")]))
    assert len(kept) == 3
    assert len(list(without_repeats([Draft(row, False, "x"), Draft(row, False, "x")]))) == 1


def test_worlds_by_slurm_are_those_of_this_machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    queue, made = Queue(tmp_path, monkeypatch), worlds_made(monkeypatch)
    words = ("train", "data", "--rows", str(RECIPE.rows), "--seed", str(RECIPE.seed), "--to", "", "--out")
    theirs, ours = str(tmp_path / "theirs"), str(tmp_path / "ours")
    asked = (*words, theirs, "--runner", "slurm", "--json")
    assert queue.situ(*asked).exit_code == 0
    commands = queue.submitted()
    for command in [*commands[::-1], commands[0]]:
        assert queue.situ(*command).exit_code == 0
    assert len(made) == len(commands) > 1
    assert queue.situ(*asked).exit_code == 0
    assert queue.situ(*words, ours, "--jobs", "1").exit_code == 0
    assert files(tmp_path / "theirs") == files(tmp_path / "ours")
