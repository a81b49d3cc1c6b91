"""Creation of a study from a question set, with presets of published human studies."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from situ.benchmarks.dataset import Dataset, QuestionRow
from situ.errors import BadInput
from situ.evaluation.benchmark import protocol_of
from situ.evaluation.records.frames import FramePolicy
from situ.study.assign import EXAMPLES, MIN_GOLD, PRACTICE, assign, divide, wideness
from situ.study.design import CONSENT, FREE, INSTRUCTIONS, Design, Exclusion, Study, write_study


@dataclass(frozen=True)
class Preset:
    """`per_person` 0: everybody answers all questions; `recordings` 0: all recordings."""

    benchmark: str
    people: int
    per_person: int = 0
    frames: str = FREE
    scratchpad: bool = False
    recordings: int = 0
    note: str = ""


PRESETS: Mapping[str, Preset] = {
    "rem": Preset(
        "rem", 1, frames="all", scratchpad=True,
        note="REM: 154 questions of 18 walks, no time limit, arrow keys through the frames, a scratchpad. "
        "How many people answered is not printed; --people says how many answer here.",
    ),
    "saw": Preset(
        "saw", 2,
        note="SAW-Bench: two raters answer all questions from the full videos, without a time limit "
        "(91.07 and 92.03 published).",
    ),
    "ucs": Preset(
        "ucs", 3, recordings=60,
        note="UCS-Bench: three experts, 985 questions of 20 short, 20 medium and 20 long videos, pause and "
        "replay, evidence removed. The published 91.0 is after items with disagreement were removed: an "
        "upper bound by selection. `situ study score` gives both.",
    ),
    "disjoint": Preset(
        "disjoint", 3, per_person=15,
        note="DISJOINT-3DQA: three workers for each question, 15 questions each for $9.99, workers with at "
        "least 95 % approval and more than 5,000 tasks.",
    ),
}  # fmt: skip


def find_preset(name: str) -> Preset:
    if name not in PRESETS:
        raise BadInput(f"no study is called '{name}'; there are {', '.join(PRESETS)}")
    return PRESETS[name]


@dataclass(frozen=True)
class Wanted:
    """Requested settings; None takes the value of the preset, or the default."""

    name: str
    people: int | None = None
    per_person: int | None = None
    frames: str | None = None
    scratchpad: bool | None = None
    recordings: int | None = None
    preset: str = ""
    seed: int = 0
    consent: str = CONSENT
    instructions: str = INSTRUCTIONS
    exclusion: Exclusion = field(default_factory=Exclusion)


def make_study(dataset: Dataset, out: Path, wanted: Wanted, pool: Dataset | None = None) -> Study:
    """Create a study in a new folder.

    Examples, practice and gold questions come from `pool`, another set of the same benchmark. Without it,
    some recordings of the set are reserved for them and not scored.
    """
    benchmark = str(dataset.manifest["benchmark"])
    preset = find_preset(wanted.preset) if wanted.preset else None
    if preset is not None and preset.benchmark != benchmark:
        raise BadInput(
            f"the study '{wanted.preset}' is about {preset.benchmark}, {dataset.folder} is {benchmark}"
        )
    if pool is not None and pool.manifest["benchmark"] != benchmark:
        raise BadInput(
            f"the pool must be a set of {benchmark}, {pool.folder} is {pool.manifest['benchmark']}"
        )
    protocol = protocol_of(benchmark)
    rows = [row for row in dataset.questions if protocol.asks(row)]
    if pool is None:
        spare, rows = _kept_back(rows, wanted.seed)
    else:
        spare = [row for row in pool.questions if protocol.asks(row)]
    count = int(_said(wanted.recordings, preset and preset.recordings, 0))
    if count:
        rows = _sample(dataset, rows, count, wanted.seed)
    design = _design(dataset, wanted, preset, pool)
    plan = assign(design, rows, spare)
    if len(plan.examples) < EXAMPLES or len(plan.practice) < design.practice_right:
        raise BadInput(
            f"{len(spare)} questions are too few for what people see first: {EXAMPLES} solved examples, "
            f"{design.practice_right} or more to practise on, and {MIN_GOLD} gold ones; "
            + ("give a larger --pool" if pool else "give another set of the benchmark as --pool")
        )
    write_study(out, design, plan)
    return Study.open(out)


def _design(dataset: Dataset, wanted: Wanted, preset: Preset | None, pool: Dataset | None) -> Design:
    """Design with the requested settings, then those of the preset, then the defaults."""
    frames = str(_said(wanted.frames, preset and preset.frames, FREE))
    if frames != FREE:
        frames = str(FramePolicy.parse(frames))
    return Design(
        wanted.name,
        str(dataset.folder.resolve()),
        str(dataset.manifest.get("content_hash", "")),
        str(dataset.manifest["benchmark"]),
        wanted.seed,
        int(_said(wanted.people, preset and preset.people, 3)),
        int(_said(wanted.per_person, preset and preset.per_person, 20)),
        frames,
        str(pool.folder.resolve()) if pool else "",
        str(pool.manifest.get("content_hash", "")) if pool else "",
        wanted.preset,
        bool(_said(wanted.scratchpad, preset and preset.scratchpad, False)),
        consent=wanted.consent,
        instructions=wanted.instructions,
        note=preset.note if preset else "",
        exclusion=wanted.exclusion,
    )


def _said(asked: object, preset: object, usual: object) -> "int | str | bool":
    found = asked if asked is not None else preset if preset is not None else usual
    assert isinstance(found, int | str)
    return found


def _kept_back(rows: Sequence[QuestionRow], seed: int) -> tuple[list[QuestionRow], list[QuestionRow]]:
    """The smallest random set of recordings that provides examples, practice and gold; and the other
    questions."""
    by_item: dict[str, list[QuestionRow]] = {}
    for row in rows:
        by_item.setdefault(row.item, []).append(row)
    names, spare = sorted(by_item), []
    order = np.random.default_rng([seed, 21]).permutation(len(names))
    for count, i in enumerate(order[: len(names) // 2], 1):
        spare += by_item[names[i]]
        golds = sum(wideness(row) > 0 for row in spare) == 0 or len(divide(spare)[2]) >= MIN_GOLD
        if (len(spare) >= EXAMPLES + PRACTICE + MIN_GOLD and golds) or count == len(names) // 2:
            break
    kept = {row.item for row in spare}
    return spare, [row for row in rows if row.item not in kept]


def _sample(dataset: Dataset, rows: Sequence[QuestionRow], count: int, seed: int) -> list[QuestionRow]:
    """Questions of some recordings: a third each of short, medium and long ones."""
    names = sorted({row.item for row in rows})
    lengths = {name: float(dataset.recording(name).path.times[-1]) for name in names}
    rng = np.random.default_rng([seed, 22])
    thirds = np.array_split(np.array(sorted(names, key=lambda name: (lengths[name], name))), 3)
    chosen: set[str] = set()
    for i, third in enumerate(thirds):
        share = count // 3 + (i < count % 3)
        chosen |= {str(name) for name in rng.permutation(third)[:share]}
    return [row for row in rows if row.item in chosen]
