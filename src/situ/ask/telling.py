"""Answers in words."""

from collections.abc import Callable

from situ import questions as q
from situ.ask.parse import DIRECTION_WORDS
from situ.ask.times import age_in_words
from situ.questions.base import Answer, Question
from situ.questions.select import with_article
from situ.questions.view import YES


def tell(question: Question, answer: Answer, age_s: float | None, now: float) -> str:
    """One sentence for an answer."""
    for kind, words in _WORDS:
        if isinstance(question, kind):
            return words(question, answer, _seen(age_s), now)
    return f"{str(answer.value).capitalize()}."


def _seen(age_s: float | None) -> str:
    return "" if age_s is None else f", seen {age_in_words(age_s)}"


def _where(question: q.WhereFromHere, answer: Answer, seen: str, now: float) -> str:
    distance = (answer.numbers or {})["distance_m"]
    height = (answer.numbers or {})["up_m"]
    level = " (above your eyes)" if height > 0.8 else " (near the floor)" if height < -1.4 else ""
    words = DIRECTION_WORDS[str(answer.value)]
    return f"{question.name.capitalize()} is {words}, {distance:.1f} m away{level}{seen}."


def _where_was(question: q.WhereWas, answer: Answer, seen: str, now: float) -> str:
    distance = (answer.numbers or {})["distance_m"]
    words = DIRECTION_WORDS[str(answer.value)]
    return f"{question.name.capitalize()} was then {distance:.1f} m from where you are now, {words}."


def _distance(question: q.DistanceFromHere, answer: Answer, seen: str, now: float) -> str:
    return f"{question.name.capitalize()} is {float(answer.value):.1f} m away{seen}."


def _reach(question: q.CanReach, answer: Answer, seen: str, now: float) -> str:
    distance = (answer.numbers or {})["distance_m"]
    if answer.value == YES:
        return f"Yes, {question.name} is within reach ({distance:.1f} m){seen}."
    return f"No, {question.name} is {distance:.1f} m away{seen}."


def _view(question: q.InViewNow, answer: Answer, seen: str, now: float) -> str:
    if answer.value == YES:
        return f"Yes, you see {question.name} right now."
    return f"No, {question.name} is not in view{seen.replace(', seen', '; it was last seen')}."


def _when(question: q.SeenWhen, answer: Answer, seen: str, now: float) -> str:
    which = "first" if question.first else "last"
    moment = float(answer.value)
    return f"You {which} saw {question.name} {age_in_words(now - moment)} (at {moment:g} s)."


def _count(question: "q.Count | q.CountNow", answer: Answer, seen: str, now: float) -> str:
    number = int(answer.value)
    name = question.which.singular if number == 1 else question.which.plural
    so_far = "so far" if isinstance(question, q.Count) else "as far as I know"
    return f"{number if number else 'No'} {name}, {so_far}."


def _closer(question: q.CloserToMe, answer: Answer, seen: str, now: float) -> str:
    numbers = answer.numbers or {}
    return (
        f"The {answer.value} is closer ({question.first.singular} {numbers['first_m']:.1f} m, "
        f"{question.second.singular} {numbers['second_m']:.1f} m)."
    )


def _next_to(question: q.NextTo, answer: Answer, seen: str, now: float) -> str:
    distance = (answer.numbers or {})["distance_m"]
    return f"Nearest to {question.name} is {with_article(str(answer.value))}, {distance:.1f} m from it."


def _gap(question: q.ClosestDistance, answer: Answer, seen: str, now: float) -> str:
    return f"{answer.value} m between the {question.first.singular} and the {question.second.singular}."


def _order(question: q.FirstSeenOrder, answer: Answer, seen: str, now: float) -> str:
    first, second = f"the {question.first.singular}", f"the {question.second.singular}"
    if answer.value == "same time":
        return f"You first saw {first} and {second} at the same time."
    return f"You first saw {first} {answer.value} {second}."


def _place_of(question: q.PlaceOf, answer: Answer, seen: str, now: float) -> str:
    return f"The {question.which.singular} is in the {answer.value}{seen}."


def _is_in(question: q.IsIn, answer: Answer, seen: str, now: float) -> str:
    number, name = int((answer.numbers or {})["count"]), question.which.singular
    if answer.value == YES:
        some = with_article(name) if number == 1 else f"{number} {question.which.plural}"
        return f"Yes, {some} in the {question.place}."
    return f"No, there is no {name} in the {question.place}, as far as I know."


def _count_in(question: q.CountInPlace, answer: Answer, seen: str, now: float) -> str:
    number = int(answer.value)
    name = question.which.singular if number == 1 else question.which.plural
    return f"{number if number else 'No'} {name} in the {question.place}, as far as I know."


def _contents(question: q.ContentsOf, answer: Answer, seen: str, now: float) -> str:
    return f"In the {question.place}: {answer.value}."


def _way(question: q.WayToPlace, answer: Answer, seen: str, now: float) -> str:
    distance = (answer.numbers or {})["distance_m"]
    return f"The {question.place} is {DIRECTION_WORDS[str(answer.value)]}, {distance:.1f} m away."


def _here(question: q.WhereAmI, answer: Answer, seen: str, now: float) -> str:
    return f"You are in the {answer.value}."


_WORDS: tuple[tuple[type, Callable[..., str]], ...] = (
    (q.WhereFromHere, _where),
    (q.WhereWas, _where_was),
    (q.DistanceFromHere, _distance),
    (q.CanReach, _reach),
    (q.InViewNow, _view),
    (q.SeenWhen, _when),
    (q.Count, _count),
    (q.CountNow, _count),
    (q.CloserToMe, _closer),
    (q.NextTo, _next_to),
    (q.ClosestDistance, _gap),
    (q.FirstSeenOrder, _order),
    (q.PlaceOf, _place_of),
    (q.IsIn, _is_in),
    (q.CountInPlace, _count_in),
    (q.ContentsOf, _contents),
    (q.WayToPlace, _way),
    (q.WhereAmI, _here),
)
