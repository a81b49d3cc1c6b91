"""The commands of README and documentation run, one page after the other, in a folder with small sets.

What a page makes large is made small here: the words are the page's, the sizes are not. Lines that need a
model, a device, a server that stays or somebody's own files are left out, each for a reason given below.
"""

import json
import re
import shlex
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import cv2
import pytest
from typer.testing import CliRunner

import situ
from situ.cli.app import app
from test_docs import BLOCK, PAGES

# What is not run, and why. A line that fits none of these must run.
LEFT_OUT = {
    r"^(make|pip|accelerate|python|curl) ": "not a verb of situ",
    r"--(model|proxy) (?!situ-canned)": "asks a model",
    r"memory-pixels|memory-rgb|rgb\.situ": "looks at every frame; one line with these eyes is run",
    r"^situ serve (?!--new-token|.*--print-config)": "stays until it is stopped; tests/serve runs it",
    r"make tallest|check tallest|eval tallest": "the plugin is installed and run by tests/test_plugin.py",
    r"^SITU_PLUGINS": "tests/test_one_file.py runs them",
}
# Sizes that take long, and what stands in for them.
SMALLER = (
    (r"^situ make rem .*--shards \d+", "situ make rem --variant single --scale 0.0058 --shards 2"),
    (r"^situ make rem (?!.*--shards|.*-o pool).*--scale \S+", "situ make rem --variant mini --scale 0.05"),
    (r"^situ make rem .*--scale \S+(?=.*-o pool)", "situ make rem --variant mini --scale 0.1"),  # needs eight
    (
        r"^situ make rem --variant mini --size 480x320",
        "situ make rem --variant mini --scale 0.05 --size 480x320",
    ),
    (r"^situ make rem (?!.*--shards|.*--size)", "situ make rem --size 480x320 "),
    (r"^situ make saw --scale \S+", "situ make saw --part routes --fps 2 --scale 0.0005 --size 160x120"),
    (r"^situ make disjoint --scale \S+", "situ make disjoint --scale 0.0005 --size 160x120 --fps 0.5"),
    (
        r"^situ make ucs (.*)--scale \S+",
        r"situ make ucs \1--scale 0.001 --hours 0.05 --questions 6 --size 160x120",
    ),
    (r"^situ make narratives (.*test-set)", r"situ make narratives --no-pictures --scale 0.01 \1"),
    (r"^situ make narratives (?!--no-pictures)", "situ make narratives --scale 0.01 --size 160x120 "),
    (r"^situ watch (.*--eyes homes)", r"situ watch --fps 0.2 --pose-fps 0.2 \1"),
    (r"--rows \d+", "--rows 4"),
    (r"^situ view rem 3", "situ view rem 0"),
    (r"--kind passport", "--kind cone"),
    (r"where is the red cup", "what is the nearest thing"),  # something that the walk has
)
QUESTIONS = [
    {"id": f"q{i}", "question": f"Where is the {thing}?", "answer": place, "source": f"v{i % 2}"}
    for i, (thing, place) in enumerate(
        [("cup", "on the desk"), ("key", "in the drawer"), ("lamp", "by the door"), ("book", "on the shelf"),
         ("coat", "behind the door"), ("bag", "under the table"), ("plant", "on the sill")], 1,
    )
]  # fmt: skip


@dataclass(frozen=True)
class Line:
    words: list[str]
    into: str  # the file that its output goes to, "" for none


def lines_of(page: Path) -> Iterator[str]:
    """The commands of a page's shell blocks, whole, without comments."""
    for found in BLOCK.finditer(page.read_text(encoding="utf-8")):
        if found["kind"] == "sh":
            for line in re.sub(r"\\\n\s*", " ", found["code"]).splitlines():
                bare = re.sub(r"(?:^|\s)#.*$", "", line).strip().removeprefix(".venv/bin/")
                if bare:
                    yield bare


def reason_to_leave_out(line: str) -> str | None:
    return next((why for pattern, why in LEFT_OUT.items() if re.search(pattern, line)), None)


def to_run(page: Path) -> list[Line]:
    found = []
    for line in lines_of(page):
        if reason_to_leave_out(line):
            continue
        for pattern, smaller in SMALLER:
            line = re.sub(pattern, smaller, line)
        command, _, into = line.partition(" > ")
        found.append(Line(shlex.split(command), into.strip()))
    return found


RUN = [page for page in PAGES if to_run(page)]


@pytest.fixture(scope="module")
def materials(tmp_path_factory: pytest.TempPathFactory, demo_walk: Path) -> Path:
    """A walk, a memory of it, a clip, and raw questions, under the names that the pages use."""
    folder = tmp_path_factory.mktemp("materials")
    shutil.copytree(demo_walk, folder, dirs_exist_ok=True)
    walk = situ.Dataset.open(folder / "demo" / "rem-mini-0").recording("000001")
    shutil.copytree(walk.folder, folder / "RECORDING")
    clip = cv2.VideoWriter(str(folder / "clip.mp4"), cv2.VideoWriter.fourcc(*"mp4v"), 2.0, (240, 160))
    for image in walk.images(range(12)):
        clip.write(cv2.resize(image[:, :, ::-1], (240, 160)))
    clip.release()
    shutil.copy(folder / "clip.mp4", folder / "walk.mp4")
    (folder / "questions.jsonl").write_text("\n".join(map(json.dumps, QUESTIONS)))
    return folder


@dataclass
class Sets:
    """Sets that a page made. Another page that makes the same one finds it in its place, and is told so."""

    made: dict[tuple[str, ...], Path] = field(default_factory=dict)

    def lay(self, words: list[str]) -> None:
        found = self.made.get(self._recipe(words))
        if found and not self._out(words).exists():
            shutil.copytree(found, self._out(words))

    def keep(self, words: list[str]) -> None:
        self.made.setdefault(self._recipe(words), self._out(words).resolve())

    @staticmethod
    def _out(words: list[str]) -> Path:
        return Path(words[1 + next(i for i, word in enumerate(words) if word in ("-o", "--out"))])

    @classmethod
    def _recipe(cls, words: list[str]) -> tuple[str, ...]:
        return tuple(sorted(word for word in words if word not in ("-o", "--out", str(cls._out(words)))))


@pytest.fixture(scope="module")
def sets() -> Sets:
    return Sets()


@pytest.mark.slow
@pytest.mark.parametrize("page", RUN, ids=lambda page: page.name)
def test_commands_run(
    page: Path, materials: Path, sets: Sets, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(materials, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    for line in to_run(page):
        assert line.words[0] == "situ", f"{line.words} is no verb; run it, or say in LEFT_OUT why not"
        if "watch" in line.words and "--into" in line.words:  # the lines of a page are alternatives
            Path(line.words[line.words.index("--into") + 1]).unlink(missing_ok=True)
        made = line.words[1] == "make" and line.words[2] != "gather" and "--shards" not in line.words
        if made:
            sets.lay(line.words)
        done = CliRunner().invoke(app, line.words[1:], input="where am I?\n")
        assert done.exit_code == 0, f"{shlex.join(line.words)}\n{done.output}\n{done.exception!r}"
        if made:
            sets.keep(line.words)
        if line.into:
            Path(line.into).write_text(done.stdout)


def test_most_lines_are_run() -> None:
    """The test above would pass on lines that it does not find."""
    lines = [line for page in PAGES for line in lines_of(page)]
    run = sum(len(to_run(page)) for page in PAGES)
    assert run > 50
    assert run > 0.55 * len(lines)


def test_every_reason_is_needed() -> None:
    lines = [line for page in PAGES for line in lines_of(page)]
    assert all(any(re.search(pattern, line) for line in lines) for pattern in LEFT_OUT)
