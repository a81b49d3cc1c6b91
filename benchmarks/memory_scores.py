"""How right a memory is about a house whose truth is known."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from scipy.optimize import linear_sum_assignment

from benchmarks.house import NAMES, Plan, Stream
from situ.geometry.heading import Heading, sector, sector_margin_deg
from situ.memory import MemoryOptions, MemoryState, RememberedObject, SpatialMemory
from situ.perception import Noise, noisy
from situ.questions import Count, Selector

_MARGIN_DEG = 5.0
_RECALL_EVERY = 400  # frames


@dataclass
class Scores:
    """Shares are of the questions asked; see `table` for what each means."""

    counts: Counter[str] = field(default_factory=Counter)
    stated: list[tuple[float, bool]] = field(default_factory=list)
    nodes: int = 0
    true_seen: int = 0
    recalled: int = 0  # answers as of an earlier time,
    leaks: int = 0  # and how many of them are not those that were given then

    def add(self, name: str, right: bool) -> None:
        self.counts[name] += 1
        self.counts[name + " right"] += int(right)

    def share(self, name: str) -> float:
        return self.counts[name + " right"] / max(1, self.counts[name])

    def table(self) -> dict[str, float]:
        names = [name for name in self.counts if not name.endswith(" right")]
        return {name: round(self.share(name), 4) for name in names}


def run(plan: Plan, seed: int, noise: Noise | None, options: MemoryOptions | None = None) -> Scores:
    """Feed one stream and score the memory along the way and at the end."""
    stream = Stream(plan, seed)
    # Two sources of chance: what is asked must not change what is seen.
    rng, asking = np.random.default_rng([seed, 7]), np.random.default_rng([seed, 8])
    memory = SpatialMemory.create(":memory:", options)
    scores = Scores()
    before: dict[float, dict[str, object]] = {}
    source = (o.exact() for o in stream.frames()) if noise is None else noisy(stream.frames(), noise, rng)
    for number, frame in enumerate(source):
        memory.observe(frame)
        if number >= plan.seconds // 4 and number % 60 == 0:
            ask_directions(scores, stream, memory.state(), asking)
        if number % _RECALL_EVERY == _RECALL_EVERY - 1:
            before[memory.now] = everything(memory.state())
    finish(scores, stream, memory.state())
    for time, said in before.items():
        now = everything(memory.state(at=time))
        scores.recalled += len(said)
        scores.leaks += sum(now.get(question) != answer for question, answer in said.items())
        scores.leaks += len(now.keys() - said.keys())
    memory.close()
    return scores


def everything(state: MemoryState) -> dict[str, object]:
    """What a memory says at a time: the way to each thing, its last sighting and best frames, all counts.

    A memory that is fed frame by frame has seen nothing later; asked again as of then it must say the same.
    """
    here, said = Heading.of(state.pose), dict[str, object]()
    for view in state.objects():
        if view.presence > 0.5:
            said[f"direction of {view.id}"] = sector(here.bearing_deg(view.box.center))
            said[f"last sighting of {view.id}"] = state.sightings(view.id)[-1].frame
            said[f"best frames of {view.id}"] = state.keyframes(view.id)
    for name in NAMES:
        said[f"how many of {name}"] = Count(Selector.make(name)).answer(state).value
    return said


def ask_directions(
    scores: Scores, stream: Stream, state: MemoryState, rng: np.random.Generator, most: int = 20
) -> None:
    """The way to things that are one of a kind and have not been touched since they were last seen."""
    here = Heading.of(stream.poses[-1])
    believed = Heading.of(state.pose)
    kinds = Counter((stream.house.categories[i - 1], stream.house.colours[i - 1]) for i in stream.seen)
    singles = [
        i
        for i in sorted(stream.seen)
        if kinds[(stream.house.categories[i - 1], stream.house.colours[i - 1])] == 1
        and stream.house.present[i - 1]
    ]
    rng.shuffle(singles)
    by_kind: dict[tuple[str, str], list[RememberedObject]] = defaultdict(list)
    for view in state.objects():
        by_kind[(view.category, view.attributes.get("colour", ""))].append(view)
    table = state.worlds()
    for i in singles[:most]:
        place = stream.house.places[i - 1]
        touched = max(stream.moved.get(i, -1), stream.carried.get(i, -1) + 60 if i in stream.carried else -1)
        truth = here.bearing_deg(place)
        if here.ground_distance(place) < 0.5 or sector_margin_deg(truth) < _MARGIN_DEG:
            continue
        name, colour = stream.house.categories[i - 1], stream.house.colours[i - 1]
        views = [view for view in by_kind[(name, colour)] if view.presence > 0.5]
        view = max(views, key=lambda v: v.here, default=None)
        answer = sector(believed.bearing_deg(view.box.center)) if view else "unknown"
        right = answer == sector(truth)
        knowable = touched < stream.seen[i][-1].time
        if knowable:
            known_name = NAMES.index(name) % 2 == 0
            scores.add("direction, known name" if known_name else "direction, unknown name", right)
        scores.add("direction, moved or not", right)
        if view is not None:
            column = table.column[view.id]
            real = np.flatnonzero(table.real[:, column] > 0)
            votes = [sector(believed.bearing_deg(table.centers[s, column])) == answer for s in real]
            scores.stated.append((sum(votes) / table.count, right))


def finish(scores: Scores, stream: Stream, state: MemoryState) -> None:
    """Nodes, counts and the places of things that were moved."""
    truth = stream.truth()
    views = [view for view in state.objects() if view.presence > 0.5]
    scores.nodes, scores.true_seen = len(views), len(stream.seen)
    selectors = {Selector.make(name) for name in stream.house.categories}
    selectors |= {
        Selector.make(name, {"colour": colour})
        for name, colour in zip(stream.house.categories, stream.house.colours, strict=True)
    }
    for selector in sorted(selectors, key=lambda s: s.singular):
        right = Count(selector).answer(truth).value == Count(selector).answer(state).value
        scores.add("counts of a label" if not selector.attributes else "counts of a kind", right)
    matched = match(stream, views)
    for name, when in (("moved unseen", stream.moved), ("carried", stream.carried)):
        for i, time in when.items():
            if stream.seen[i][-1].time > time + (60 if name == "carried" else 0):
                scores.add(name + " within 0.5 m", matched.get(i, np.inf) <= 0.5)
    touched = {*stream.moved, *stream.carried, *stream.removed}
    still = [i for i in stream.seen if i not in touched]
    for i in still:
        scores.add("untouched within 0.5 m", matched.get(i, np.inf) <= 0.5)


def match(stream: Stream, views: Sequence[RememberedObject]) -> dict[int, float]:
    """True objects and nodes of each kind, paired one to one by distance."""
    nodes: dict[tuple[str, str], list[RememberedObject]] = defaultdict(list)
    things: dict[tuple[str, str], list[int]] = defaultdict(list)
    for view in views:
        if view.here > 0.3:
            nodes[(view.category, view.attributes.get("colour", ""))].append(view)
    for i in sorted(stream.seen):
        things[(stream.house.categories[i - 1], stream.house.colours[i - 1])].append(i)
    found = {}
    for kind, numbers in things.items():
        if not nodes[kind]:
            continue
        a = np.array([stream.house.places[i - 1] for i in numbers])
        b = np.array([view.box.center for view in nodes[kind]])
        apart = np.linalg.norm(a[:, None] - b[None], axis=2)
        for row, column in zip(*linear_sum_assignment(np.minimum(apart, 2.0)), strict=True):
            found[numbers[row]] = float(apart[row, column])
    return found


def reliability(stated: Sequence[tuple[float, bool]], bins: int = 10) -> dict[str, object]:
    """A reliability diagram, its expected calibration error, and accuracy without the least sure."""
    chances = np.array([chance for chance, _ in stated])
    right = np.array([is_right for _, is_right in stated], dtype=float)
    edges = np.minimum((chances * bins).astype(int), bins - 1)
    diagram, error = [], 0.0
    for k in range(bins):
        chosen = edges == k
        if chosen.any():
            said, was = float(chances[chosen].mean()), float(right[chosen].mean())
            diagram.append({"stated": round(said, 3), "right": round(was, 3), "count": int(chosen.sum())})
            error += abs(said - was) * chosen.mean()
    order = np.argsort(-chances, kind="stable")
    shares = [k / 20 for k in range(2, 21)]
    kept = [right[order[: max(1, round(share * len(order)))]].mean() for share in shares]
    selective = [
        {"answered": share, "right": round(float(mean), 4)} for share, mean in zip(shares, kept, strict=True)
    ]
    return {"questions": len(stated), "ece": round(error, 4), "diagram": diagram, "selective": selective}
