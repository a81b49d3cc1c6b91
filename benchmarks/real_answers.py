"""Questions about real film: one memory is the truth; of others, what is right, wrong or declined."""

import os
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from benchmarks.real_clips import BUILDING, clicks, folder
from situ.language.answering import ask
from situ.language.told import Told
from situ.memory import SpatialMemory
from situ.memory.sink import MemorySink, options_for
from situ.perception.photos.installed import ANOTHER
from situ.perception.pipeline import Watch
from situ.perception.plan import WatchPlan, prepare

ABSENT = ("bed", "piano", "bathtub", "bicycle", "washing machine", "horse", "aquarium", "guitar")
SURE = 0.9
NEAR_ENOUGH = 1.25  # of a distance
NOT_SEEN = "I have not seen"  # how an answer begins that knows the word, and no such object


def remembered(
    clip: str, models: tuple[str, ...], alone: bool, labels: Path | None, file: Path
) -> SpatialMemory:
    """A clip watched: by pictures alone, or with sensed depth and true poses; with models or clicks."""
    os.environ[ANOTHER] = ""  # the models that are named, and no others
    plan = WatchPlan(folder() / clip, fps=None, models=models, labels=labels, estimate_poses=alone)
    source, stages = prepare(plan)
    if alone:
        read = source.read
        bare = lambda after: (replace(f, depth=None, T_world_camera=None) for f in read(after))  # noqa: E731
        source = replace(source, read=bare, has_depth=False, has_poses=False)
    memory = SpatialMemory.create(file, options_for(stages.poses.scale_from))
    Watch(source, stages, MemorySink(memory), look_at_end=True).run()
    return memory


def questions(clip: str) -> Iterator[tuple[str, str]]:
    """What somebody would ask of a clip, and what kind of question that is."""
    names = sorted({c.names[0] for c in clicks(clip)} - set(BUILDING))
    for name in names:
        yield "where", f"where is the {name}?"
        yield "how far", f"how far is the {name}?"
        yield "is there", f"is there a {name}?"
    for a, b in zip(names[::2], names[1::2], strict=False):
        yield "which is closer", f"which is closer, the {a} or the {b}?"
    for name in ABSENT:
        yield "is there none", f"is there a {name}?"


def judged(kind: str, said: Told, true: Told) -> bool | None:
    """Whether an answer is right; None where the truth has none, or the system declines. "I have not seen a
    piano" is the right answer where there is none, and says nothing where there is one."""
    if kind == "is there none" and said.text.startswith(NOT_SEEN):
        return True
    if said.value is None:
        return None
    if kind == "is there none":
        return said.value in (False, "no")
    if kind == "is there":
        return said.value in (True, "yes")
    if kind == "how far":
        if true.value is None or not said.scale_known:
            return None
        a, b = float(str(said.value)), float(str(true.value))
        return max(a, b) < NEAR_ENOUGH * min(a, b)
    return bool(said.value == true.value)


@dataclass
class Tally:
    """Answers of one memory to the questions of a clip."""

    right: int = 0
    wrong: int = 0
    declined: int = 0
    sure: int = 0  # stated with 0.9 or more
    sure_wrong: int = 0
    distances: int = 0
    told: int = 0  # of them
    good: int = 0  # within 25 %

    def add(self, kind: str, said: Told, verdict: bool | None) -> None:
        self.right += verdict is True
        self.wrong += verdict is False
        self.declined += verdict is None
        if said.value is not None and said.confidence >= SURE:
            self.sure, self.sure_wrong = self.sure + 1, self.sure_wrong + (verdict is False)
        if kind == "how far":
            self.distances += 1
            self.told, self.good = self.told + (verdict is not None), self.good + (verdict is True)

    def __str__(self) -> str:
        count = max(1, self.right + self.wrong + self.declined)
        shares = " | ".join(f"{100 * n / count:.0f}" for n in (self.right, self.wrong, self.declined))
        return (
            f"{count} | {shares} | {self.sure_wrong} of {self.sure} | "
            f"{self.told} of {self.distances}, {self.good} right"
        )


@dataclass(frozen=True)
class System:
    """What a memory is made of: models; pictures alone, or sensed depth and true poses; clicks as names."""

    name: str
    models: tuple[str, ...]
    alone: bool
    clicked: bool = False


def answers(clip: str, systems: Sequence[System]) -> Iterator[str]:
    with tempfile.TemporaryDirectory() as scratch:
        labels = Path(scratch) / "clicks.csv"
        rows = [f"{c.names[0]},{c.frame},{c.x:g},{c.y:g}" for c in clicks(clip) if c.names[0] not in BUILDING]
        labels.write_text("label,frame,x,y\n" + "\n".join(rows) + "\n", encoding="utf-8")
        truth = remembered(clip, (), False, labels, Path(scratch) / "truth.situ")
        asked = [(kind, sentence, ask(truth.state(), sentence)) for kind, sentence in questions(clip)]
        asked = [one for one in asked if one[0].startswith("is there") or one[2].value is not None]
        for number, one in enumerate(systems):
            began, tally = time.perf_counter(), Tally()
            given = labels if one.clicked else None
            memory = remembered(clip, one.models, one.alone, given, Path(scratch) / f"{number}.situ")
            for kind, sentence, true in asked:
                said = ask(memory.state(), sentence)
                tally.add(kind, said, judged(kind, said, true))
            yield f"| {clip} | {one.name} | {tally} | {time.perf_counter() - began:.0f} |"


def to_compare(own: Sequence[str], beside: tuple[str, ...]) -> list[System]:
    """Own eyes and detectors, by pictures alone and with what a depth camera and true poses give."""
    detectors = tuple(name for name in beside if name != "fastdepth")
    found: list[System] = []
    for name in own:
        found += [System(f"{Path(name).name}, pictures alone", (name,), True),
                  System(f"{Path(name).name}, sensed depth, true poses", (name,), False)]  # fmt: skip
    if beside:
        found.append(System("+".join(beside) + ", pictures alone", beside, True))
    if detectors:
        found.append(System("+".join(detectors) + ", sensed depth, true poses", detectors, False))
    if "fastdepth" in beside:
        found.append(System("clicks+fastdepth, pictures alone", ("fastdepth",), True, True))
    found.append(System("clicks, pictures alone", (), True, True))
    return found
