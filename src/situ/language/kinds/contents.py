"""What is on, in and under things and rooms, and which room a thing is in."""

from situ import questions as q
from situ.language.kind import Saying, cue, declare, phrase
from situ.language.kinds.common import ANY, BEING, IS, LIST, NOTHING, WHAT
from situ.language.phrasing import listed, metres, upper
from situ.questions.rules.relations import WORDS
from situ.questions.scene.view import YES
from situ.questions.select import with_article


def _related(said: Saying) -> str:
    where = f"{WORDS[said.question.relation]} the {said.question.anchor.singular}"
    return f"{upper(where)}: {listed(said.value, NOTHING)}."


declare(
    q.RelatedTo, "list", _related,
    phrase(f"{WHAT} {IS} {BEING}? {{relation}} {{anchor}}"),
    phrase(f"{WHAT} (did|have|had|do) @i (put|leave|left|place|placed|set|keep|see|seen|got|have|stored|"
    f"store|find) (down|lying|standing)? {{relation}} {{anchor}}"),
    phrase(f"{ANY} {BEING}? {{relation}} {{anchor}}"),
    phrase(f"{LIST} {BEING}? (that (is|are))? {{relation}} {{anchor}}"),
    phrase(f"{WHAT} {BEING}? {{relation}} {{anchor}}"),
    phrase("(did|have) @i (put|leave|left|placed|place) (anything|something) {relation} {anchor}"),
    phrase("what (does|do) {anchor} (hold|carry|have on it|contain|have in it|have inside|hold on "
    "top)", relation="on"),
    phrase("is {anchor} (empty|full|clear|free|occupied)", relation="on"),
    phrase("{anchor} what is {relation} (it|there|them)"),
    cues=(
        "relation thing what +which +put +see +list +exist +all +find +still +change",
        "relation thing list +what +all",
        "relation thing stuff -yes/no",
        "relation thing exist +yes/no +put +what +find",
    ),
)  # fmt: skip


def _is_related(said: Saying) -> str:
    question = said.question
    name, where = question.which.singular, f"{WORDS[question.relation]} the {question.anchor.singular}"
    if said.value == YES:
        number = int(said.numbers.get("count", 1))
        return (
            f"Yes, {f'{number} {question.which.plural} are' if number > 1 else f'the {name} is'} "
            f"{where}{said.seen}."
        )
    return f"No, the {name} is not {where}, as far as I know."


declare(
    q.IsRelated, "yes/no", _is_related,
    phrase("(is|are|was|were) (there)? {which} (still|left|lying|standing|sitting|now|placed|put|located|"
    "kept)? {relation} {anchor} (still|now)?"),
    phrase("(did|have|had|do) @i (put|leave|left|placed|place|set|keep|have|forget|forgotten|forgot|drop|"
    "dropped) {which} (down|lying)? {relation} {anchor}"),
    phrase("(does|do) {anchor} (have|hold|carry) {which} (on it|in it|on top)?", relation="on"),
    phrase("any {which} {relation} {anchor}"),
    cues=(
        "relation things yes/no -fit +put +still +exist +see +find",
    ),
)  # fmt: skip


def _contents(said: Saying) -> str:
    return f"In the {said.question.place}: {listed(said.value, NOTHING)}."


_INSIDE = "(in|inside|inside of|within|at)"
declare(
    q.ContentsOf, "list", _contents,
    phrase(f"({WHAT} {IS}|{ANY}|{LIST}) {BEING}? (in here|here|in (this|the) (room|place)|inside|in "
    f"the room with me|in this room with me|around in here)", place="here"),
    phrase(f"({WHAT} {IS}|{LIST}) {BEING}? in (the|this|that) room (that)? (@i (am|are) in|where @i (am"
        f"|are)|@i (am|are) (standing|sitting) in|around me)", place="here"),
    phrase("(what (is|does|do)|describe) (this|the) room (contain|have|hold|like)?", place="here"),
    phrase("(this|the) room (that)? (@i (am|are) in|where @i (am|are))?", place="here"),
    phrase(f"({WHAT} {IS}|{LIST}) {BEING}? {_INSIDE} {{goal}} (with me)?"),
    phrase(f"{WHAT} (did|have|had|do) @i (see|seen|got|have|find|keep|leave|left|put|notice|own) "
    f"(there)? {_INSIDE} {{goal}}"),
    phrase(f"{ANY} {_INSIDE} {{goal}}"),
    phrase(f"(did|have) @i (put|leave|left|forget|forgotten) (anything|something) {_INSIDE} {{goal}}"),
    phrase("what (does|do) {goal} (contain|have|hold|have in it|look like)"),
    phrase(f"{WHAT} {_INSIDE} {{goal}}"),
    phrase("(describe|the contents of|what are the contents of|contents of|give me a (rundown|summary|"
    "overview|description|tour|list) of) {goal}"),
    phrase(f"{LIST} {{goal}}"),
    phrase(f"what (is|are) {_INSIDE} {{place}}"),
    cues=(
        "place what +which +see +find +exist +list +all +put +visit +around",
        "place list +what +all +exist",
        "place stuff",
        "place all +what +list +exist +see",
        cue("here what exist +list +all +see +which", place="here"),
        cue("here list what", place="here"),
    ),
)  # fmt: skip


def _place_of(said: Saying) -> str:
    return f"The {said.question.which.singular} is in the {said.value}{said.seen}."


_ROOM = "(room|place|part of the (house|home|flat|apartment))"
declare(
    q.PlaceOf, "name", _place_of,
    "(is|are) {which} in {words} or (where|elsewhere|somewhere else|in which room|in another room|not)",
    f"(in)? (what|which) {_ROOM} (@be|did @i (put|leave|see|place|last see|have|keep|find)|have @i (put|"
    f"left|seen)|does) {{which}} (in|be|stand|lie)?",
    f"(what|which) {_ROOM} (has|holds|contains|have) {{which}}",
    f"(what|which) {_ROOM} {{which}} (is|are|was) in",
    "where in (the|my|our|this) (house|home|flat|apartment|building|place) (@be|did @i (put|leave|see)) "
    "{which}",
    "(the)? room of {which}",
    f"(name)? (the)? {_ROOM} (where|in which) (i left|i put)? {{which}} (is|are|was)?",
    cues=(
        "room thing +which +what +put +find +where +exist +here +see +last +need +visit",
        "rooms thing which -plural -exist",
    ),
)  # fmt: skip


def _is_in(said: Saying) -> str:
    number, question = int(said.numbers["count"]), said.question
    if said.value == YES:
        some = with_article(question.which.singular) if number == 1 else f"{number} {question.which.plural}"
        return f"Yes, {some} in the {question.place}."
    return f"No, there is no {question.which.singular} in the {question.place}, as far as I know."


declare(
    q.IsIn, "yes/no", _is_in,
    phrase("(is|are|was|were) (there)? {which} (still|now|lying|somewhere|left|to be found)? (in|inside|"
    "at) {place} (still|now|or where|or elsewhere|or somewhere else)?"),
    phrase("(did|have|had|do) @i (put|leave|left|placed|place|keep|kept|have|own|see|seen|forget|"
    "forgotten|forgot|drop|got) {which} (lying|behind|somewhere)? (in|inside|at) {place}"),
    phrase("(does|do) {goal} (have|hold|contain) {which} (in it)?"),
    phrase("has {goal} (got)? (a|an|any) {which}"),
    phrase("any {which} (in|inside|at) {place}"),
    phrase("(will|can|could|would) @i find {which} in {place}"),
    phrase("is {place} where (i left|i put|you saw)? {which} (is|are|was)?"),
    cues=(
        "place thing yes/no +put +still +exist +find +see +visit +here",
    ),
)  # fmt: skip


def _places_with(said: Saying) -> str:
    if said.question.most:
        rooms = listed(said.value, "no room that I know")
        return f"Most {said.question.which.plural} are in {rooms}: {said.numbers['each']:.0f}."
    return (
        f"{upper(listed(said.value, 'no room that I know'))} "
        f"{'has' if said.numbers['count'] == 1 else 'have'} {said.question.which.plural}."
    )


declare(
    q.PlacesWith, "list", _places_with,
    "(which|what) (rooms|places) (have|hold|contain|has) {which} (in them|in it)?",
    "in (which|what) (rooms|places) (are|is) (there)? {which}",
    "(which|what) (rooms|places) (are|is) {which} in",
    phrase("(which|what) (room|place) (has|holds|contains) (the)? (most|greatest number of) {which} "
    "(in it)?", most=True),
    phrase("(in (which|what) (room|place)|where) (are|do @i have|did @i see) (there)? (the)? most "
    "(of the)? {which}", most=True),
    "(list|show) (me)? (the)? rooms (with|that have) {which}",
    cues=(
        "rooms thing +which +what +find +exist +where +see +all",
        "room thing plural which +exist +find +what",
    ),
)  # fmt: skip


def _next_to(said: Saying) -> str:
    return (
        f"Nearest to {said.question.name} is {with_article(said.value)}, "
        f"{metres(said.numbers['distance_m'], said.unit)} from it."
    )


declare(
    q.NextTo, "name", _next_to,
    "(what|which (thing|object)) @be (the)? (@most|next) (thing|object)? to {about}",
    "(what|which (thing|object)) (stands|lies|sits) @most to {about}",
    "what is next to {about}",
)  # fmt: skip
