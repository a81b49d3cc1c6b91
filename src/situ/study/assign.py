"""Assignment of questions to people: equal numbers of answers, recordings kept together, tasks balanced.

Each round distributes all recordings over people, in blocks of nearly equal size and task mix. Rounds are
independent, so two recordings share a person no more often than by chance. Attention checks (gold, repeated
and instructed questions) are never scored.
"""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from situ.benchmarks.dataset import QuestionRow
from situ.errors import BadInput, Unanswerable
from situ.study.design import GOLD, INSTRUCTED, POOL, REPEAT, SCORED, SET, Assignment, Design, Place

EXAMPLES, PRACTICE, MIN_GOLD = 2, 6, 4  # questions per person
WIDE = 3.0  # multiple of the required margin from which a question may be gold


@dataclass
class _Block:
    items: list[str] = field(default_factory=list)
    size: int = 0
    tasks: Counter[str] = field(default_factory=Counter)


def assign(design: Design, rows: Sequence[QuestionRow], pool: Sequence[QuestionRow]) -> Assignment:
    """Lists of all slots. `rows` are scored; `pool` provides examples, practice and gold questions."""
    rng = np.random.default_rng([design.seed, 20])
    by_item: dict[str, list[QuestionRow]] = {}
    for row in rows:
        by_item.setdefault(row.item, []).append(row)
    if not by_item:
        raise BadInput("the study has no question to ask")
    per_person = design.per_person or len(rows)
    blocks = max(1, round(len(rows) / per_person))
    if blocks > len(by_item):
        raise BadInput(
            f"recordings are kept together, so {len(by_item)} of them make at most {len(by_item)} lists; "
            f"--per-person {per_person} would need {blocks}. Give a larger --per-person."
        )
    examples, practice, golds = divide(pool)
    dealt = [block for _ in range(design.people) for block in _deal(by_item, blocks, rng)]
    slots = tuple(_list(design, block, by_item, golds, rng) for block in dealt)
    shown = tuple(Place("practice", POOL, row.id, _order(row, rng)) for row in practice)
    return Assignment(slots, tuple(row.id for row in examples), shown)


def divide(
    pool: Sequence[QuestionRow],
) -> tuple[list[QuestionRow], list[QuestionRow], list[QuestionRow]]:
    """Solved examples, practice and gold questions. Gold questions have the widest margins, so they are
    easy."""
    wide = sorted((row for row in pool if wideness(row) >= WIDE), key=lambda row: (-wideness(row), row.id))
    spare = max(0, len(pool) - EXAMPLES - PRACTICE)
    golds = wide[: max(spare, min(len(wide), MIN_GOLD))]
    taken = {row.id for row in golds}
    rest = _spread([row for row in pool if row.id not in taken])
    return rest[:EXAMPLES], rest[EXAMPLES : EXAMPLES + PRACTICE], golds


def wideness(row: QuestionRow) -> float:
    """Margin of a question as a multiple of the required one; 0 if unknown."""
    try:
        least = row.question.min_margin
    except Unanswerable:
        return 0.0
    return row.margin / least if least > 0 and row.options else 0.0


def _spread(rows: Sequence[QuestionRow]) -> list[QuestionRow]:
    """One question of each task in turn."""
    seen: Counter[str] = Counter()
    keyed = []
    for row in rows:
        keyed.append((seen[row.task], row.task, row.id, row))
        seen[row.task] += 1
    return [row for *_, row in sorted(keyed, key=lambda part: part[:3])]


def _deal(by_item: Mapping[str, list[QuestionRow]], blocks: int, rng: np.random.Generator) -> list[_Block]:
    """Distribute recordings over blocks: the largest first, each to the block that it fits best."""
    names = [list(by_item)[i] for i in rng.permutation(len(by_item))]
    names.sort(key=lambda name: -len(by_item[name]))  # stable, so equal sizes stay in random order
    found = [_Block() for _ in range(blocks)]
    for name in names:
        tasks = Counter(row.task for row in by_item[name])
        best = min(found, key=lambda b: (b.size, sum(b.tasks[task] * n for task, n in tasks.items())))
        best.items.append(name)
        best.size += len(by_item[name])
        best.tasks += tasks
    return found


def _list(
    design: Design,
    block: _Block,
    by_item: Mapping[str, list[QuestionRow]],
    golds: Sequence[QuestionRow],
    rng: np.random.Generator,
) -> tuple[Place, ...]:
    """Questions of one person: recordings in random order, attention checks in between, and repeats at the
    end."""
    groups: list[list[Place]] = []
    for i in rng.permutation(len(block.items)):
        mine = by_item[block.items[i]]
        asked = sorted((mine[j] for j in rng.permutation(len(mine))), key=lambda row: row.time or math.inf)
        groups.append([Place(SCORED, SET, row.id, _order(row, rng)) for row in asked])
    count = 0 if design.gold_share <= 0 else max(MIN_GOLD, round(design.gold_share * block.size))
    extra: list[Place] = []
    for i in rng.permutation(len(golds))[:count]:
        extra.append(Place(GOLD, POOL, golds[i].id, _order(golds[i], rng)))
    if extra:
        row = golds[int(rng.integers(len(golds)))]
        wanted = row.options[int(rng.integers(len(row.options)))]
        extra.append(Place(INSTRUCTED, POOL, row.id, _order(row, rng), wanted))
    for place in extra:
        groups.insert(int(rng.integers(1, len(groups) + 1)), [place])
    flat = [place for group in groups for place in group]
    first = [place for place in flat[: max(1, len(flat) // 2)] if place.role == SCORED]
    again = rng.permutation(len(first))[: round(design.repeat_share * block.size)]
    return (*flat, *(Place(REPEAT, SET, first[i].question, first[i].order) for i in again))


def _order(row: QuestionRow, rng: np.random.Generator) -> tuple[int, ...]:
    return tuple(int(i) for i in rng.permutation(len(row.options)))
