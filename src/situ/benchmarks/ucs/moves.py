"""Questions about what was moved: from where to where, what was taken from where, how many are left."""

from collections.abc import Sequence
from typing import NamedTuple, TypeVar

from situ.benchmarks.ucs.asking import OPTIONS, Asked, Asker, Group, asked_again
from situ.benchmarks.ucs.lookalikes import fates_known
from situ.benchmarks.ucs.story import Relocation
from situ.questions import CarriedFromTo, CountNow, KeptWhere, Question, Selector, TakenFrom
from situ.worlds.days.events import WEARER
from situ.worlds.days.small_objects import SINGLES

MOST_AGAIN = 3
SOON_S = 4.0
TRIES = 3
TIMES = 2  # at which each answer is looked for, so that a question can come again with the same one
MOST_COUNTED = 4  # times that one kind is counted during a stream
SETTLED_S = 60.0  # before this nothing is counted: too little has been seen
Pair = tuple[int, int]
T = TypeVar("T")


class Case(NamedTuple):
    """A move, the furniture at its ends, and the times between which it is the last move of its thing."""

    move: Relocation
    ends: Pair
    start: float
    end: float


def kept_where(asker: Asker) -> list[Group]:
    """Where a thing was before it was moved: other furniture that is in use as options."""
    groups = []
    # A distractor is true of another move, as often as it is: what is used more is right more often.
    pool = [case.ends[0] for cases in cases_by_thing(asker).values() for case in cases]
    for number, all_cases in cases_by_thing(asker).items():
        for cases in in_threes(all_cases):
            shown = draw(asker, pool, [case.ends[0] for case in cases])
            if shown is None:
                continue
            names = asker.story.names
            question = KeptWhere(names[number], tuple(names[i] for i in shown))
            asked = [
                ask_within(asker, question, case, f"at the {names[case.ends[0]].singular}")
                for case in cases
                for _ in range(TIMES)
            ]
            groups += grouped(asker, "relative position memory", question.options, asked)
    return groups


def carried(asker: Asker) -> list[Group]:
    """From where to where a thing went: the ways of other things as options."""
    by_thing = cases_by_thing(asker)
    pool = [case.ends for cases in by_thing.values() for case in cases]
    names, groups = asker.story.names, []
    for number, all_cases in by_thing.items():
        for cases in in_threes(all_cases):
            shown = draw_pairs(asker, [case.ends for case in cases], pool)
            if shown is None:
                continue
            question = CarriedFromTo(names[number], tuple((names[a], names[b]) for a, b in shown))
            asked = []
            for case in cases:
                a, b = (names[i].singular for i in case.ends)
                asked += [ask_within(asker, question, case, f"from the {a} to the {b}") for _ in range(TIMES)]
            groups += grouped(asker, "object trajectory", question.options, asked)
    return groups


def taken(asker: Asker) -> list[Group]:
    """What the wearer took from a piece of furniture last: other things that are known as options."""
    names, groups = asker.story.names, []
    small = [
        i for i, thing in asker.story.recording.objects.items() if thing.category in SINGLES and i in names
    ]
    moves = [m for m in asker.story.relocations if m.by == WEARER and m.object_id in names]
    handled = [m.object_id for m in moves if m.from_id in names]
    for anchor in sorted({m.from_id for m in moves if m.from_id is not None and m.from_id in names}):
        for some in in_threes(_takings(asker, anchor, moves)):
            known = [i for i in small if asker.story.clear_between(i, 0.0, some[0].move.left)]
            # What is never taken is never right: such a distractor would give itself away.
            often = [i for i in handled if i in known]
            truths = [case.move.object_id for case in some]
            shown = draw(asker, often, truths) or draw(asker, known, truths)
            if shown is None:
                continue
            question = TakenFrom(names[anchor], tuple(names[i] for i in shown))
            asked = [
                ask_within(asker, question, case, names[case.move.object_id].singular)
                for case in some
                for _ in range(TIMES)
            ]
            groups += grouped(asker, "category recall", question.options, asked)
    return groups


def _takings(asker: Asker, anchor: int, moves: Sequence[Relocation]) -> list[Case]:
    """What was taken from a piece of furniture, each until the next object leaves it.

    Also what was put back later was taken from there: after that the question is ambiguous.
    """
    left = [time for time, i in asker.story.departures(anchor) if i in asker.story.names]
    return [
        Case(
            move,
            (anchor, anchor),
            move.arrived + SOON_S,
            next((time for time in left if time > move.left), asker.story.truth.now),
        )
        for move in moves
        if move.from_id == anchor
    ]


def counts(asker: Asker) -> list[Group]:
    """How many of a kind are left, asked after each change, with five neighbouring numbers as options.

    Each count comes with every row of five numbers that holds it; which one is asked is chosen over the
    whole set, so that the truth is equally often the first, second, third, fourth and fifth of them.
    """
    groups = []
    for kind in asker.story.counted:
        ids = [i for i, thing in asker.story.recording.objects.items() if thing.category == kind]
        events = [event for i in ids for event in asker.story.events_of.get(i, [])]
        changes = sorted(event.time for event in events if event.kind in ("removed", "appeared"))
        spans = list(zip([SETTLED_S, *changes], [*changes, asker.story.truth.now], strict=True))
        found = []
        for start, end in spans:
            for _ in range(2 * TIMES):
                asked = _count_within(asker, Selector(kind), ids, start + SOON_S, end - 0.5)
                found += [asked] if asked is not None else []
        groups += count_groups(asker, found)
    return groups


def _count_within(asker: Asker, which: Selector, ids: list[int], start: float, end: float) -> Asked | None:
    """The count at a moment at which the wearer knows what became of each of the kind."""
    for _ in range(TRIES):
        time = asker.later(start, end)
        if time is not None and fates_known(asker.story, ids, time):
            return asker.ask(CountNow(which), time)
    return None


def count_groups(asker: Asker, found: Sequence[Asked]) -> list[Group]:
    """One group for each row of five numbers; as all ask the same, only one of them is chosen."""
    groups = []
    for low in range(max((int(asked.answer.text) for asked in found), default=-1) + 1):
        inside = [asked for asked in found if low <= int(asked.answer.text) < low + OPTIONS]
        chosen = asked_again(inside, MOST_COUNTED, OPTIONS, asker.rng)
        if chosen:
            options = tuple(str(low + k) for k in range(OPTIONS))
            labels = tuple(f"{low}+{int(asked.answer.text) - low}" for asked in chosen)
            groups.append(Group("quantity change", options, tuple(chosen), labels))
    return groups


def cases_by_thing(asker: Asker) -> dict[int, list[Case]]:
    """The moves of each thing with a name between pieces of furniture with names."""
    moves: dict[int, list[Relocation]] = {}
    for move in asker.story.relocations:
        if move.object_id in asker.story.names:
            moves.setdefault(move.object_id, []).append(move)
    found: dict[int, list[Case]] = {}
    for number, mine in moves.items():
        ends = [*(m.left - 0.5 for m in mine[1:]), asker.story.truth.now]
        for move, end in zip(mine, ends, strict=True):
            a, b = move.from_id, move.to_id
            if a is not None and b is not None and a in asker.story.names and b in asker.story.names:
                found.setdefault(number, []).append(Case(move, (a, b), move.arrived + SOON_S, end))
    return found


def ask_within(asker: Asker, question: Question, case: Case, truth: str) -> Asked | None:
    """The question at a moment at which a move is the last one, if the wearer can know its key."""
    for _ in range(TRIES):
        time = asker.later(case.start, case.end)
        if time is None or not asker.story.move_known(case.move, time):
            continue
        asked = asker.ask(question, time)
        if asked is not None and asked.answer.text == truth:
            return asked
    return None


def grouped(
    asker: Asker, subtask: str, options: tuple[str, ...], asked: Sequence[Asked | None]
) -> list[Group]:
    chosen = asked_again([one for one in asked if one is not None], MOST_AGAIN, len(options), asker.rng)
    return [Group(subtask, options, tuple(chosen), tuple(a.answer.text for a in chosen))] if chosen else []


def in_threes(cases: Sequence[T]) -> list[Sequence[T]]:
    return in_runs(cases, MOST_AGAIN)


def in_runs(cases: Sequence[T], length: int) -> list[Sequence[T]]:
    return [cases[i : i + length] for i in range(0, len(cases), length)]


def draw(asker: Asker, pool: Sequence[int], needed: Sequence[int]) -> list[int] | None:
    """Five of a pool in random order, those needed among them; what is in it twice comes twice as easily."""
    must = list(dict.fromkeys(needed))
    drawn = (pool[int(i)] for i in asker.rng.permutation(len(pool)))
    shown = [*must, *(i for i in dict.fromkeys(drawn) if i not in must)][:OPTIONS]
    if len(shown) < OPTIONS:
        return None
    return [shown[int(i)] for i in asker.rng.permutation(OPTIONS)]


def draw_pairs(asker: Asker, needed: Sequence[Pair], pool: Sequence[Pair]) -> list[Pair] | None:
    """Five pairs in random order: those needed, others that are true of something else, others still."""
    must = list(dict.fromkeys(needed))
    drawn = (pool[int(i)] for i in asker.rng.permutation(len(pool)))
    shown = [*must, *(pair for pair in dict.fromkeys(drawn) if pair not in must)][:OPTIONS]
    ends = sorted({i for pair in pool for i in pair})
    for _ in range(50):
        if len(shown) == OPTIONS or len(ends) < 4:
            break
        a, b = (ends[int(i)] for i in asker.rng.choice(len(ends), 2, replace=False))
        shown += [(a, b)] if (a, b) not in shown else []
    if len(shown) < OPTIONS:
        return None
    return [shown[int(i)] for i in asker.rng.permutation(OPTIONS)]
