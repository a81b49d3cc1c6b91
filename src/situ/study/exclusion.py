"""Exclusion of participants by the rule of the study."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median

from situ.study.design import GOLD, INSTRUCTED, REPEAT, SCORED, Exclusion
from situ.study.store import Given

MIN_CHOICES = 8  # answers by option below which the screen position is not judged
Right = Callable[[Given], bool]


@dataclass(frozen=True)
class Conduct:
    """Conduct of a participant: shares between 0 and 1 (None if unknown), and the flags raised."""

    person: int
    answers: int
    gold: float | None
    instructed: bool | None
    median_s: float
    same_place: float | None
    hidden: float
    consistent: float | None
    flags: tuple[str, ...]
    excluded: bool


def conduct(answers: Sequence[Given], rule: Exclusion, right: Right) -> dict[int, Conduct]:
    """Conduct of all participants. Times are relative to the median of all scored answers."""
    by_person: dict[int, list[Given]] = {}
    for given in answers:
        by_person.setdefault(given.person, []).append(given)
    pooled = [g.answer_ms for g in answers if g.role == SCORED]
    usual = median(pooled) / 1000 if pooled else 0.0
    return {person: _conduct_of(person, mine, rule, right, usual) for person, mine in by_person.items()}


def _conduct_of(person: int, mine: Sequence[Given], rule: Exclusion, right: Right, usual_s: float) -> Conduct:
    golds = [right(g) for g in mine if g.role == GOLD]
    gold = sum(golds) / len(golds) if golds else None
    followed = [g.answer == g.wanted for g in mine if g.role == INSTRUCTED]
    instructed = all(followed) if followed else None
    scored = [g for g in mine if g.role == SCORED]
    seconds = median([g.answer_ms for g in scored]) / 1000 if scored else 0.0
    spent = sum(g.answer_ms for g in mine)
    hidden = sum(g.hidden_ms for g in mine) / spent if spent > 0 else 0.0
    same = _same_place(mine)
    raised = {
        "gold": gold is not None and gold < rule.gold_below,
        "gold far below": gold is not None and gold < rule.gold_far_below,
        "instructed": instructed is False,
        "fast": bool(scored) and seconds < rule.fast_below * usual_s,
        "same place": same is not None and same > rule.same_place_above,
        "hidden": hidden > rule.hidden_above,
    }
    flags = tuple(name for name, is_raised in raised.items() if is_raised)
    return Conduct(
        person, len(scored), gold, instructed, seconds, same, hidden, _consistent(mine), flags,
        len(flags) >= rule.flags,
    )  # fmt: skip


def _same_place(mine: Sequence[Given]) -> float | None:
    """Share of answers at the screen position chosen most often."""
    places = [g.shown_at for g in mine if g.role == SCORED and g.shown_at is not None]
    return max(Counter(places).values()) / len(places) if len(places) >= MIN_CHOICES else None


def _consistent(mine: Sequence[Given]) -> float | None:
    first: Mapping[str, Given] = {g.question: g for g in mine if g.role == SCORED}
    again = [g for g in mine if g.role == REPEAT and g.question in first]
    if not again:
        return None
    return sum(g.answer == first[g.question].answer for g in again) / len(again)
