"""Which of the possible questions are asked: evenly over strata, and so that words alone do not help.

Questions come in *twins*: two questions that name the same categories in the same order but have different
answers. Whoever knows only the words is right half of the time. Where a set is too small for enough twins,
questions are matched by coarser groups, and every template keeps its labels even in any case.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Sequence

import numpy as np

from situ.benchmarks.balance import Candidate
from situ.worlds.furniture import KINDS

# Shares of the templates in their task.
TEMPLATES: dict[str, dict[str, float]] = {
    "relationship": {"height": 0.25, "depth": 0.35, "side": 0.4},
    "distance": {"reach": 0.5, "both_arms": 0.5},
    "size_fit": {"larger": 0.5, "stack": 0.2, "stand": 0.3},
    "description": {"unique": 0.5, "use": 0.5},
}
# "A vase is smaller than a couch" and "a clock hangs above a rug" must not help: only true twins are asked.
EXACT_ONLY = ("larger", "height")
Group = Callable[[list[str]], tuple[str, ...]]


def fields(candidate: Candidate) -> list[str]:
    """Template, distance bin, gap bin and the two categories."""
    return candidate.stratum.split("|")


def choose_twins(
    candidates: Sequence[Candidate], task: str, total: int, per_item: int, rng: np.random.Generator
) -> list[Candidate]:
    """Candidates of one task, as many as asked for where they can be had."""
    used: Counter[int] = Counter()
    chosen: list[Candidate] = []
    missing = 0
    mine = [c for c in candidates if c.task == task]
    for template, share in TEMPLATES[task].items():
        wanted = round(total * share) + missing
        pool = [c for c in mine if fields(c)[0] == template]
        got = _choose_template(pool, template, wanted, per_item, used, rng)
        missing = wanted - len(got)
        chosen += got
    if missing:
        taken = set(chosen)
        rest = [c for c in mine if c not in taken and fields(c)[0] not in EXACT_ONLY]
        chosen += _matched(rest, lambda f: (f[0],), missing, per_item, used, rng)
    return sorted(chosen)


def _choose_template(
    pool: list[Candidate],
    template: str,
    wanted: int,
    per_item: int,
    used: Counter[int],
    rng: np.random.Generator,
) -> list[Candidate]:
    if template == "unique":
        return _spread([(c,) for c in pool], wanted, per_item, used, rng)
    if template == "use":  # which place the right answer has is balanced, whatever it says
        return _matched(pool, lambda f: (f[0],), wanted, per_item, used, rng)
    groups: list[Group] = [lambda f: (f[0], f[3], f[4])]
    if template not in EXACT_ONLY:
        groups += [lambda f: (f[0], _height_class(f[3]), _height_class(f[4])), lambda f: (f[0],)]
    chosen: list[Candidate] = []
    for group in groups:
        taken = set(chosen)
        left = [c for c in pool if c not in taken]
        chosen += _matched(left, group, wanted - len(chosen), per_item, used, rng)
    return chosen


def _matched(
    pool: Sequence[Candidate],
    group: Group,
    wanted: int,
    per_item: int,
    used: Counter[int],
    rng: np.random.Generator,
) -> list[Candidate]:
    """Pairs of candidates of one group with different labels."""
    cells: dict[tuple[str, ...], dict[str, list[Candidate]]] = defaultdict(lambda: defaultdict(list))
    for i in rng.permutation(len(pool)):
        cells[group(fields(pool[i]))][pool[i].label].append(pool[i])
    twins = [
        tuple(pair)
        for key in sorted(cells)
        if len(cells[key]) > 1
        for pair in zip(*(cells[key][label] for label in sorted(cells[key])), strict=False)
    ]
    return _spread(twins, wanted, per_item, used, rng)


def _spread(
    twins: Sequence[tuple[Candidate, ...]],
    wanted: int,
    per_item: int,
    used: Counter[int],
    rng: np.random.Generator,
) -> list[Candidate]:
    """Take twins so that the strata fill evenly, the emptiest stratum first."""
    shelves: dict[tuple[str, str], list[tuple[Candidate, ...]]] = defaultdict(list)
    for i in rng.permutation(len(twins)):
        shelves[fields(twins[i][0])[1], fields(twins[i][0])[2]].append(twins[i])
    filled: Counter[tuple[str, str]] = Counter()
    chosen: list[Candidate] = []
    while shelves and len(chosen) < wanted:
        stratum = min(shelves, key=lambda s: (filled[s], s))
        twin = shelves[stratum].pop()
        if not shelves[stratum]:
            del shelves[stratum]
        room = len(chosen) + len(twin) <= wanted or len(chosen) + 1 == wanted
        items = Counter(c.item for c in twin)
        if room and all(used[item] + count <= per_item for item, count in items.items()):
            for candidate in twin[: wanted - len(chosen)]:
                used[candidate.item] += 1
                filled[fields(candidate)[1], fields(candidate)[2]] += 1
                chosen.append(candidate)
    return chosen


def _height_class(category: str) -> str:
    """Where things of a category usually are: on the floor, on something, on a wall."""
    return KINDS[category].spot if category in KINDS else "floor"
