"""Learns from streams with known truth whether two nodes of a memory are one object, and writes it down.

    python -m benchmarks.identity [--families 80] [--only PART ...] [--write] [--keep FILE]

The streams are those of families drawn at random (`foreign_random`), half of them without depth. They last
minutes and much happens in them; so for every ten of them an hour in a home (`memory_neutral`) shows what a
miss means where things stay for long. Families are held apart: each is judged by weights learned from the
other parts, and the reliability that is printed is of these. The families of `benchmarks.foreign` take no
part, so that they can tell how it holds elsewhere.
"""

import argparse
import json
import pickle
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.foreign_random import random_family
from benchmarks.foreign_stage import MOVED_M, Asked, Family, Moment
from benchmarks.memory_neutral import Home
from situ import Memory
from situ import questions as q
from situ.english import name_key
from situ.memory.reading import identity
from situ.memory.reading.identity import IdentityModel, Pairs, model, name_features, pairs_of
from situ.memory.reading.levels import given_shared, shared_level
from situ.memory.reading.worlds import COUNT, BelievedWorlds
from situ.questions.programs.tallies import poisson_binomial

_REGIMES = ("together", "near", "apart")
PARTS = 5  # of the families, one of them judged by the others at a time
_RIDGE = 1.0  # of weights whose features are about one in size
_MOST_MOMENTS = 6  # of a stream
_HOME_S = 3600.0
_HOMES = 811  # the number of the first home; those of the measurements begin with 7
_SEEN_OFTEN = 3  # what a home shows so often is no false detection
_OFTEN = 400.0  # looks at a stream that count; more of one family add less
_SHARED = (0.0, 0.3, 0.5, 0.7, 0.85, 0.95)
WEIGHTS = Path(identity.__file__).with_name(identity.WEIGHTS)


@dataclass(frozen=True)
class Case:
    """What a memory holds of all nodes that may bear a name, beside the truth.

    `names` are the features of each that it bears the name, None where no other has been heard; `who` is the
    object that each shows most, -1 for none; `bears` whether that object goes by the name.
    """

    family: str
    depth: bool
    question: str  # count, now, exists, denied
    truth: int
    real: NDArray[np.float64]  # the features of each that it is an object
    there: NDArray[np.float64]  # and that it has not gone
    missed: NDArray[np.bool_]  # which were looked for in vain
    names: tuple[tuple[float, ...] | None, ...]
    best: tuple[str, ...]  # the other name of each
    pairs: Pairs
    who: NDArray[np.int64]
    bears: NDArray[np.bool_]
    name: str


@dataclass(frozen=True)
class Missed:
    """The nodes of a memory that were looked for in vain at their places by a moment: the features of each
    that it is there all the same, and whether it is."""

    family: str
    there: NDArray[np.float64]
    is_there: NDArray[np.bool_]


Row = Case | Missed


def rows_of(family: Family, seed: int, depth: bool) -> Iterator[Row]:
    """What one stream tells."""
    stage = family.played(seed, depth=depth)
    moments, names = stage.moments, [thing.name for thing in stage.things]
    asked = [k for k, moment in enumerate(moments) if moment.asked]
    chosen = {
        asked[k] for k in np.linspace(0, len(asked) - 1, min(_MOST_MOMENTS, len(asked))).round().astype(int)
    }
    with Memory.create(":memory:") as memory:
        for k, moment in enumerate(moments):
            memory.observe(moment.frame)
            if k in chosen:
                state = memory.state()  # a table does not hold on to it
                table = BelievedWorlds(state)
                shown = _identities(table, moments[: k + 1], names)
                yield _missed(table, shown, (family.name, moments[: k + 1]))
                yield from _cases_at(table, shown, (family.name, depth), moment.asked)


def _missed(
    table: BelievedWorlds, shown: Sequence[tuple[int, str]], stream: tuple[str, Sequence[Moment]]
) -> Missed:
    name, moments = stream
    who, frames = np.array([number for number, _ in shown], np.int64), table.last[1]
    missed = np.flatnonzero(table.missed & ~table.held & (who >= 0) & (frames >= 0)).tolist()
    is_there = [_stayed(moments[frames[k]].places, moments[-1].places, shown[k][0]) for k in missed]
    return Missed(name, table.there_features[missed], np.array(is_there, bool))


def missed_at_home(seed: int) -> Iterator[Missed]:
    """The same of an hour in a home, where a name and a colour tell which object a node is."""
    home = Home(seed, noisy=True)
    home.learn()
    for time in np.linspace(_HOME_S / _MOST_MOMENTS, _HOME_S, _MOST_MOMENTS).tolist():
        while home.time < time:
            home.errand()
        home.until_frame()
        state = home.memory.state()
        table = BelievedWorlds(state)
        things = {(thing.name, *thing.attributes.values()): thing for thing in home.things}
        columns, is_there = [], []
        for k in np.flatnonzero(table.missed & ~table.held & (table.hits >= _SEEN_OFTEN)).tolist():
            thing = things.get((table.categories[k], *table.attributes[k].values()))
            if thing is not None:
                gap = float(np.linalg.norm(table.centers[:, k].mean(axis=0) - thing.place))
                columns.append(k)
                is_there.append(thing.present and gap < MOVED_M)
        yield Missed(f"home {seed}", table.there_features[columns], np.array(is_there, bool))
    home.memory.close()


_Places = tuple[tuple[float, ...] | None, ...]


def _stayed(before: _Places, now: _Places, number: int) -> bool:
    """Whether an object is about where it was."""
    was, is_ = before[number], now[number]
    return was is not None and is_ is not None and bool(np.linalg.norm(np.subtract(was, is_)) < MOVED_M)


def _cases_at(
    table: BelievedWorlds, shown: Sequence[tuple[int, str]], stream: tuple[str, bool], asked: Sequence[Asked]
) -> Iterator[Case]:
    for one in asked:
        kind = _KINDS.get((type(one.question), bool(getattr(one.question, "now", False))))
        kind = "denied" if one.kind == "denied" and kind == "exists" else kind
        name = getattr(getattr(one.question, "which", None), "category", None)
        if kind is None or name is None:
            continue
        truth = {"yes": 1, "no": 0}.get(str(one.truth), one.truth)
        features, best, columns = [], [], []
        for k, votes in enumerate(table.votes):
            for rank, (word, share) in enumerate(votes):
                if word == name_key(name):
                    hits = int(table.hits[k])
                    features.append(None if len(votes) < 2 else name_features(share, hits, rank == 0))
                    best.append(votes[1][0] if rank == 0 and len(votes) > 1 else votes[0][0])
                    columns.append(k)
        pairs = pairs_of(table.nodes, columns)
        who = np.array([shown[k][0] for k in columns], np.int64)
        bears = np.array([shown[k][1] == name_key(name) for k in columns], bool)
        yield Case(
            *stream, kind, int(truth), table.real_features[columns], table.there_features[columns],
            table.missed[columns], tuple(features), tuple(best), pairs, who, bears, name_key(name),
        )  # fmt: skip


_KINDS = {
    (q.Count, False): "count", (q.CountNow, False): "now",
    (q.Exists, False): "exists", (q.Exists, True): "gone",
}  # fmt: skip


def _identities(
    table: BelievedWorlds, moments: Sequence[Moment], names: Sequence[str]
) -> list[tuple[int, str]]:
    """Of each node the object that most of its observations show, -1 for none, and what that is called."""
    truth = [-1 if n is None else n for moment in moments for n in moment.identities]
    observed = table.state.observed
    if len(truth) != len(observed.table):
        raise ValueError(f"{len(observed.table)} observations were filed, {len(truth)} were made")
    found = []
    for number in table.ids.tolist():
        mine = [truth[row] for row in observed.of(number)["row"].tolist()]
        most = max(set(mine), key=mine.count) if mine else -1
        found.append((most, name_key(names[most]) if most >= 0 else ""))
    return found


# ---------------------------------------------------------------------- learning
def logistic(
    rows: NDArray[np.float64], labels: NDArray[np.float64], weights: NDArray[np.float64]
) -> tuple[float, ...]:
    """The weights of a logistic model (Newton's method, a ridge on all but the constant)."""
    scale = np.maximum(rows.std(axis=0), 1e-6)
    scale[0] = 1.0
    x, w = rows / scale, np.zeros(rows.shape[1])
    ridge = np.full(len(w), _RIDGE)
    ridge[0] = 1e-3
    for _ in range(30):
        p = 1.0 / (1.0 + np.exp(-np.clip(x @ w, -30, 30)))
        gradient = x.T @ (weights * (labels - p)) - ridge * w
        curve = (x * (weights * p * (1 - p))[:, None]).T @ x + np.diag(ridge)
        step = np.linalg.solve(curve, gradient)
        w += np.clip(step, -3, 3)
        if np.abs(step).max() < 1e-6:
            break
    return tuple(np.round(w / scale, 5).tolist())


def _weights(families: Sequence[str]) -> NDArray[np.float64]:
    """Of each row: so that a family with many rows does not drown the others."""
    names, counts = np.unique(families, return_counts=True)
    of = dict(zip(names.tolist(), counts.tolist(), strict=True))
    return np.array([min(1.0, (_OFTEN / of[f]) ** 0.5) for f in families])


def learn(given: Sequence[Row]) -> IdentityModel:
    """The model of what was told; what is shared is left as it is."""
    found, cases = {}, only(given)
    rows: dict[str, list[tuple[tuple[float, ...], float, str]]] = {}
    for case in cases:
        one, two = case.who[case.pairs.i], case.who[case.pairs.j]
        for k in np.flatnonzero((one >= 0) & (two >= 0)).tolist():
            features = tuple(case.pairs.features[k].tolist())
            row = (features, float(one[k] == two[k]), case.family)
            rows.setdefault(_REGIMES[case.pairs.regime[k]], []).append(row)
        for features, who, bears in zip(case.names, case.who, case.bears, strict=True):
            if features is not None and who >= 0:
                rows.setdefault("name", []).append((features, float(bears), case.family))
        rows.setdefault("real", []).extend(
            (tuple(r), float(w >= 0), case.family) for r, w in zip(case.real.tolist(), case.who, strict=True)
        )
    for one in given:
        if isinstance(one, Missed):
            labels = zip(one.there.tolist(), one.is_there.tolist(), strict=True)
            rows.setdefault("there", []).extend((tuple(r), float(y), one.family) for r, y in labels)
    for kind, each in rows.items():
        x, y, families = (list(column) for column in zip(*each, strict=True))
        found[kind] = logistic(np.array(x), np.array(y), _weights(families))
        print(f"  {kind}: {len(y)} rows, {100 * np.mean(y):.1f} % yes", file=sys.stderr)
    return replace(model(), **found)


def only(rows: Sequence[Row]) -> list[Case]:
    return [row for row in rows if isinstance(row, Case)]


def shares(case: Case, weights: IdentityModel) -> NDArray[np.float64]:
    """How likely each number is by a model, as the table of worlds has it."""
    chances = np.tile(weights.p_real(case.real), (COUNT, 1))
    if case.question in ("now", "gone"):
        chances = chances * np.where(case.missed, weights.p_there(case.there), 1.0)
    for k, features in enumerate(case.names):
        if features is not None:
            p = 1.0 / (1.0 + np.exp(-float(np.dot(weights.name, features))))
            level = shared_level(COUNT, "name", *sorted((case.name, case.best[k])))
            chances[:, k] *= given_shared(p, level, weights.shared_name)
    level = shared_level(COUNT, "doubles")
    same = weights.p_same(case.pairs)
    for j in np.unique(case.pairs.j).tolist():
        mine = np.flatnonzero(case.pairs.j == j)
        best = mine[same[mine].argmax()]
        if same[best] > 0.02:
            doubt = given_shared(float(same[best]), level, weights.shared_double)
            chances[:, j] *= 1.0 - doubt * chances[:, case.pairs.i[best]]
    return np.asarray(poisson_binomial(chances).mean(axis=0))


def stated(case: Case, weights: IdentityModel) -> tuple[float, bool, float]:
    """The confidence of the likeliest answer, whether it is right, and how likely the truth was held."""
    found = shares(case, weights)
    if case.question in ("exists", "denied", "gone"):
        yes = 1.0 - float(found[0])
        return max(yes, 1 - yes), (yes > 0.5) == bool(case.truth), yes if case.truth else 1 - yes
    value = int(found.argmax())
    return (
        float(found[value]),
        value == case.truth,
        float(found[case.truth]) if case.truth < len(found) else 0.0,
    )


def with_shared(cases: Sequence[Case], weights: IdentityModel) -> IdentityModel:
    """The same with what is shared by all such doubts, by the likelihood of the true numbers."""
    counts = [case for case in cases if case.question in ("count", "now")]
    for part in ("shared_double", "shared_name"):
        tried = [replace(weights, **{part: value}) for value in _SHARED]
        weights = max(tried, key=lambda one: _log_likelihood(counts, one))
    return weights


def _log_likelihood(cases: Sequence[Case], weights: IdentityModel) -> float:
    return sum(float(np.log(max(stated(case, weights)[2], 1e-3))) for case in cases)


# ---------------------------------------------------------------------- judging
def judged(rows: Sequence[Row]) -> list[tuple[Case, float, bool]]:
    """Each case by what was learned from the families of the other parts."""
    families = sorted({row.family for row in rows})
    part = {family: k % PARTS for k, family in enumerate(families)}
    found = []
    for k in range(PARTS):
        others = [row for row in rows if part[row.family] != k]
        weights = with_shared(only(others)[::3], learn(others))
        found += [(c, *stated(c, weights)[:2]) for c in only(rows) if part[c.family] == k]
    return found


def table(judged: Sequence[tuple[Case, float, bool]]) -> str:
    lines = ["| | asked | right | stated > 0.9 | right of these | Brier |", "|---" * 6 + "|"]
    for name, wanted in _ROWS.items():
        rows = [(p, right) for case, p, right in judged if wanted(case)]
        sure = [right for p, right in rows if p > 0.9]
        if rows:
            share = f"{100 * np.mean(sure):.1f} %" if sure else "-"
            brier = float(np.mean([(p - right) ** 2 for p, right in rows]))
            right = 100 * np.mean([right for _, right in rows])
            lines.append(f"| {name} | {len(rows)} | {right:.1f} % | {len(sure)} | {share} | {brier:.3f} |")
    return "\n".join(lines)


_ROWS = {
    "counts, depth": lambda c: c.question in ("count", "now") and c.depth,
    "counts, no depth": lambda c: c.question in ("count", "now") and not c.depth,
    "of these ever": lambda c: c.question == "count",
    "of these now": lambda c: c.question == "now",
    "exists": lambda c: c.question == "exists",
    "denied": lambda c: c.question in ("denied", "gone"),
}


def main(words: Sequence[str] = ()) -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--families", type=int, default=80)
    parser.add_argument("--first", type=int, default=0, help="number of the first family")
    parser.add_argument("--only", nargs="+", metavar="PART", help="write these weights, such as `there`")
    parser.add_argument("--write", action="store_true", help="write the weights into the package")
    parser.add_argument("--keep", type=Path, help="a file for what was told, to go on from")
    given = parser.parse_args(words)
    rows: list[Row] = []
    if given.keep is not None and given.keep.exists():
        rows = pickle.loads(given.keep.read_bytes())
    done = {row.family for row in rows}
    for number in range(given.first, given.first + given.families):
        family = random_family(number)
        if family.name in done:
            continue
        rows += rows_of(family, 1, depth=number % 2 == 0)
        print(f"family {number}: {len(only(rows))} cases", file=sys.stderr)
        if given.keep is not None:
            given.keep.write_bytes(pickle.dumps(rows))
    for seed in range(_HOMES, _HOMES + given.families // 10):
        if f"home {seed}" not in done:
            rows += missed_at_home(seed)
    if given.keep is not None:
        given.keep.write_bytes(pickle.dumps(rows))
    held_apart = table(judged(rows))
    print(held_apart)
    if given.write:
        command = f"python -m benchmarks.identity --families {given.families}"
        made = json.loads(WEIGHTS.read_text()) if given.only else {}
        if given.only:
            learned = asdict(learn(rows))
            made["weights"] = asdict(model()) | {part: learned[part] for part in given.only}
            for part in given.only:
                made[f"{part}, made by"] = f"{command} --only {part} --write"
        else:
            made |= {"made by": f"{command} --write", "cases": len(only(rows))}
            made["families held apart"] = held_apart.split("\n")
            made["weights"] = asdict(with_shared(only(rows)[::2], learn(rows)))
        made["features of pairs"], made["features of objects"] = list(identity.FEATURES), list(identity.REAL)
        made["features of what was missed"] = list(identity.THERE)
        WEIGHTS.write_text(json.dumps(made, indent=1) + "\n")


if __name__ == "__main__":
    main(sys.argv[1:])
