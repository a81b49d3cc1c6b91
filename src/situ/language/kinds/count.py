"""How many, and whether there is any."""

from situ import questions as q
from situ.language.kind import Saying, cue, declare, phrase
from situ.questions.rules.relations import WORDS
from situ.questions.scene.view import YES
from situ.questions.select import with_article

_MANY = (
    "(how many|count|count all|number of|what is the number of|the number of|what number of|tell me "
    "how many|how much)"
)
_IN = "(in|inside|at)"


def _number(said: Saying) -> str:
    number = int(said.answer.value)
    name = said.question.which.singular if number == 1 else said.question.which.plural
    return f"{number if number else 'No'} {name}"


def _related(said: Saying) -> str:
    return (
        f"{_number(said)} {WORDS[said.question.relation]} the {said.question.anchor.singular}, as far "
        "as I know."
    )


declare(
    q.CountRelated, "count", _related,
    phrase(f"{_MANY} {{which}} (are|is|were|do @i have|lie|stand|lies|sit|have @i (got|put)|did @i (put|"
    f"leave|see)) (there|still|lying|standing)? {{relation}} {{anchor}} (now)?"),
    phrase(f"{_MANY} {{which}} {{relation}} {{anchor}} (are there|do i have)?"),
    cues=(
        "count relation things +how +exist +put",
    ),
)  # fmt: skip


def _in(said: Saying) -> str:
    return f"{_number(said)} in the {said.question.place}, as far as I know."


_HERE = "(here|in here|in (this|the) (room|place)|around here|in the room)"
declare(
    q.CountInPlace, "count", _in,
    phrase(f"{_MANY} {{which}} (are|is|were) (there|left|still)? {_HERE} (now|left)?", place="here"),
    phrase(f"{_MANY} {{which}} (do @i (see|have)|can @i see) {_HERE}", place="here"),
    phrase(f"{_MANY} {{which}} {_HERE}", place="here"),
    phrase(f"{_MANY} {{which}} (are|is|were|do @i have|have @i (got|left|put|seen)|did @i (leave|put|see|"
    f"have|keep)|left) (there|still|left|lying)? {_IN} {{place}} (now|left|still)?"),
    phrase(f"{_MANY} {{which}} {_IN} {{place}} (are there|do i have|are left)?"),
    phrase(f"{_MANY} {{which}} (does|do|has|have) {{place}} (have|hold|contain|got)?"),
    cues=(
        "count place thing +how +exist +all +put +what",
        cue("count here thing +how +exist +all", place="here"),
    ),
)  # fmt: skip


def _seen(said: Saying) -> str:
    return f"{_number(said)}, so far."


declare(
    q.Count, "count", _seen,
    phrase(f"{_MANY} (different)? {{which}} (did|have|had|do) @i (@see|seen|pass|passed|come across|see|"
    f"meet|met) (there|already|in all|before)?"),
    phrase(f"{_MANY} (different)? {{which}} (were|have been|was) seen"),
    phrase(f"{_MANY} (different)? {{which}} (there)? (were|have been) (there)? (in all|ever)"),
    cues=(
        "count see thing +how +exist +what +all",
    ),
)  # fmt: skip


def _now(said: Saying) -> str:
    return f"{_number(said)}, as far as I know."


declare(
    q.CountNow, "count", _now,
    phrase(f"{_MANY} {{which}} (are|is|were|was) (there|left|still there|remaining|still left|around|over|"
    f"here|still around) (left|now|still|in all|around|here|all told)? (of all that @i have seen)? (in "
    f"(the|my|this) (house|home|flat|apartment|whole house))?"),
    phrase(f"{_MANY} {{which}} (do|can|have|did|does) (@i|this (house|home|flat)) (have|got|own|find|see|"
    f"possess) (left|now|still|here|in all)?"),
    phrase(f"{_MANY} {{which}} (remain|remains|exist|left|are left over|do you know of|do you know|still "
    f"exist|there are|there is|there were)"),
    phrase(f"{_MANY} {{which}} (now|in (the|my) (house|home))?"),
    phrase(f"{_MANY} {{which}} are (here|there|around) in (the|my|this) (house|home|flat|apartment)"),
    cues=(
        "count thing -gone +how +exist +all +what",
    ),
)  # fmt: skip


def _room(said: Saying) -> str:
    return f"{said.value} {said.question.which.plural}."


declare(
    q.CountInRoom, "count", _room,
    phrase("how many {which} does this room hold"),
    "how many {which} are (there)? in this room",
)  # fmt: skip


def _exists(said: Saying) -> str:
    name, number = said.question.which.singular, int(said.numbers.get("count", 0))
    if said.value != YES:
        return (
            f"No, I have not seen {with_article(name)}."
            if not said.question.now
            else f"No, I know of no {name}."
        )
    some = with_article(name) if number == 1 else f"{number} {said.question.which.plural}"
    return f"Yes, {'I know of' if said.question.now else 'you have seen'} {some}."


_SOME = "(a|an|any|some|another|one|at least one)"
declare(
    q.Exists, "yes/no", _exists,
    phrase(f"(is|are|was|were) there {_SOME}? {{which}} (here|around|anywhere|nearby|about|left|at all|"
    f"somewhere|in here|in this (house|home|flat|room)|in the (house|home|flat))?", now=True),
    phrase(f"(do|have|does) (@i|this (house|home|flat|place)) (have|own|got|possess) {_SOME} {{which}} "
    f"(here|anywhere|left|at home)?", now=True),
    phrase(f"(have|had|did) @i (ever|already|not)? (@see|seen|come across) {_SOME} {{which}} (anywhere|"
    f"here|somewhere|around|today|before|at all)?"),
    phrase("(was|were|has|have) {which} (ever)? (been)? seen"),
    phrase("(are|is) there {which} (here|around|anywhere|nearby|left|at all)?", now=True),
    phrase(f"there is {_SOME} {{which}} (here|around|anywhere|nearby|left)?", now=True),
    phrase("any {which} (here|around|anywhere|nearby|left)", now=True),
    cues=(
        cue("exist thing yes/no +see +here +own +all", now=True),
        cue("exist thing +see +here", now=True),
        cue("see thing yes/no exist +here", now=True),
    ),
)  # fmt: skip
