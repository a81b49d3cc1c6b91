"""What somebody saw, said or may do can be read by its owner alone, whatever the umask is."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from desk import frame
from evaluation.small_set import make_set
from situ import Memory
from situ.annotate.store import Store as Annotations
from situ.memory.upkeep.merging import merge_all
from situ.memory.upkeep.repair import copy
from situ.serve.access import new_token, scopes_of
from situ.study.make import Wanted, make_study
from situ.study.store import Store as Answers


@pytest.fixture(autouse=True)
def open_to_all() -> Iterator[None]:
    before = os.umask(0)
    yield
    os.umask(before)


def open_to_others(folder: Path) -> list[str]:
    return [str(path) for path in folder.rglob("*") if path.stat().st_mode & 0o077]


def test_memories_and_what_lies_beside_them_are_their_owners(tmp_path: Path) -> None:
    for name in ("one", "two"):
        with Memory.create(tmp_path / f"{name}.situ") as memory:
            memory.observe(frame(0.0, {"cup": [(2.0, 0.5, 1.2)]}))
            memory.commit()
            kept = {path.name for path in tmp_path.iterdir() if path.stat().st_size}
            assert f"{name}.situ-wal" in kept  # what was seen is in the log first
            assert not [path for path in open_to_others(tmp_path) if not path.endswith("-lock")]
    copy(tmp_path / "one.situ", tmp_path / "copy.situ")
    merge_all([tmp_path / "one.situ", tmp_path / "two.situ"], tmp_path / "both.situ").close()
    assert open_to_others(tmp_path) == []


def test_what_its_owner_opened_to_others_stays_open(tmp_path: Path) -> None:
    path = tmp_path / "shared.situ"
    Memory.create(path).close()
    path.chmod(0o640)
    with Memory.open(path) as memory:
        memory.observe(frame(0.0, {"cup": [(2.0, 0.5, 1.2)]}))
    assert path.stat().st_mode & 0o777 == 0o640


def test_answers_of_people_are_their_keepers(tmp_path: Path) -> None:
    study = make_study(make_set(tmp_path / "set", 6), tmp_path / "study", Wanted("s", people=2, per_person=6))
    answers = Answers(study.folder)
    answers.note(1, "consented")
    assert study.folder.stat().st_mode & 0o777 == 0o700
    assert not [path for path in open_to_others(study.folder) if path.endswith((".sqlite", "-wal", ".txt"))]
    answers.close()
    Annotations.create(tmp_path / "queue.situq", {}).close()
    assert (tmp_path / "queue.situq").stat().st_mode & 0o777 == 0o600


def test_tokens_are_their_owners_in_a_folder_of_their_own(tmp_path: Path) -> None:
    new_token(tmp_path / "new" / "deeper" / "tokens.json", scopes_of("ask"))
    assert open_to_others(tmp_path) == []
