"""Making a study of a question set."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from situ.benchmarks.dataset import Dataset, QuestionRow
from situ.errors import BadInput
from situ.evaluation.benchmark import protocol_of
from situ.evaluation.records.frames import FramePolicy
from situ.study.assign import EXAMPLES, LEAST_GOLD, PRACTICE, assign, divide, wideness
from situ.study.design import CONSENT, FREE, INSTRUCTIONS, Design, Exclusion, Study, write_study
from situ.study.presets import find_preset


@dataclass(frozen=True)
class Wanted:
    """What is asked for; what is None is left to the preset, or else to the usual."""

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
    """A study in a new folder. Examples, practice and gold come from `pool`, another set of the same
    benchmark; without one some recordings of the set are kept for them and are not scored."""
    base = find_preset(wanted.preset) if wanted.preset else None
    benchmark = str(dataset.manifest["benchmark"])
    if base is not None and base.benchmark != benchmark:
        raise BadInput(
            f"the study '{wanted.preset}' is about {base.benchmark}, {dataset.folder} is {benchmark}"
        )
    if pool is not None and pool.manifest["benchmark"] != benchmark:
        raise BadInput(
            f"the pool must be a set of {benchmark}, {pool.folder} is {pool.manifest['benchmark']}"
        )
    protocol = protocol_of(benchmark)
    frames = str(_said(wanted.frames, base and base.frames, FREE))
    if frames != FREE:
        frames = str(FramePolicy.parse(frames))
    rows = [row for row in dataset.questions if protocol.asks(row)]
    if pool is None:
        spare, rows = _kept_back(rows, wanted.seed)
    else:
        spare = [row for row in pool.questions if protocol.asks(row)]
    count = int(_said(wanted.recordings, base and base.recordings, 0))
    if count:
        rows = _sample(dataset, rows, count, wanted.seed)
    design = Design(
        wanted.name,
        str(dataset.folder.resolve()),
        str(dataset.manifest.get("content_hash", "")),
        benchmark,
        wanted.seed,
        int(_said(wanted.people, base and base.people, 3)),
        int(_said(wanted.per_person, base and base.per_person, 20)),
        frames,
        str(pool.folder.resolve()) if pool else "",
        str(pool.manifest.get("content_hash", "")) if pool else "",
        wanted.preset,
        bool(_said(wanted.scratchpad, base and base.scratchpad, False)),
        consent=wanted.consent,
        instructions=wanted.instructions,
        note=base.note if base else "",
        exclusion=wanted.exclusion,
    )
    plan = assign(design, rows, spare)
    if len(plan.examples) < EXAMPLES or len(plan.practice) < design.practice_right:
        raise BadInput(
            f"{len(spare)} questions are too few for what people see first: {EXAMPLES} solved examples, "
            f"{design.practice_right} or more to practise on, and {LEAST_GOLD} gold ones; "
            + ("give a larger --pool" if pool else "give another set of the benchmark as --pool")
        )
    write_study(out, design, plan)
    return Study.open(out)


def _said(asked: object, preset: object, usual: object) -> "int | str | bool":
    found = asked if asked is not None else preset if preset is not None else usual
    assert isinstance(found, int | str)
    return found


def _kept_back(rows: Sequence[QuestionRow], seed: int) -> tuple[list[QuestionRow], list[QuestionRow]]:
    """As few recordings as give examples, practice and gold, chosen by chance; and the other questions."""
    by_item: dict[str, list[QuestionRow]] = {}
    for row in rows:
        by_item.setdefault(row.item, []).append(row)
    names, spare = sorted(by_item), []
    order = np.random.default_rng([seed, 21]).permutation(len(names))
    for count, i in enumerate(order[: len(names) // 2], 1):
        spare += by_item[names[i]]
        golds = sum(wideness(row) > 0 for row in spare) == 0 or len(divide(spare)[2]) >= LEAST_GOLD
        if (len(spare) >= EXAMPLES + PRACTICE + LEAST_GOLD and golds) or count == len(names) // 2:
            break
    kept = {row.item for row in spare}
    return spare, [row for row in rows if row.item not in kept]


def _sample(dataset: Dataset, rows: Sequence[QuestionRow], count: int, seed: int) -> list[QuestionRow]:
    """Questions of some recordings: a third each of the short, the medium and the long ones."""
    names = sorted({row.item for row in rows})
    lengths = {name: float(dataset.recording(name).path.times[-1]) for name in names}
    rng = np.random.default_rng([seed, 22])
    thirds = np.array_split(np.array(sorted(names, key=lambda name: (lengths[name], name))), 3)
    chosen: set[str] = set()
    for i, third in enumerate(thirds):
        share = count // 3 + (i < count % 3)
        chosen |= {str(name) for name in rng.permutation(third)[:share]}
    return [row for row in rows if row.item in chosen]
