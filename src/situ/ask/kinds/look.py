"""What is around the wearer, on and beside things, and in rooms; what something looks like."""

from situ import questions as q
from situ.ask.kind import Saying, cue, declare, phrase
from situ.ask.say import DIRECTION_WORDS, QUARTER_WORDS, ago, listed, metres, upper
from situ.questions.relations import WORDS
from situ.questions.select import with_article
from situ.questions.view import YES

_NOTHING = "nothing that I know of"
_WHAT = "(what|which things|what things|what (all)?|what kind of things|what sort of things)"
_IS = (
    "(is|are|was|were|do @i have|have @i got|have @i|do @i see|do you see|can @i see|could be|can @i "
    "find|lies|stands|sits|is there|do we have|did @i have|do you know)"
)
_ANY = (
    "((is|are|was|were) there (anything|something|any things|things|any)|(is|are) (anything|something)|"
    "anything|do i have (anything|something)|have i got (anything|something))"
)
_LIST = (
    "((list|name|describe|show|give|tell) (me)? (all)? (the)? (things|what (is|are)?|everything|all things)?)"
)
_BEING = (
    "(lying|standing|sitting|placed|located|kept|left|resting|put|situated|directly|right|"
    "immediately|hanging|there)"
)


def _around(said: Saying) -> str:
    words = QUARTER_WORDS[said.question.direction]
    return f"{upper(words)}: {listed(said.value, _NOTHING)}."


declare(
    q.Around, "list", _around,
    phrase(f"{_WHAT} {_IS} {_BEING}? {{direction}}"),
    phrase(f"{_ANY} {_BEING}? {{direction}}"),
    phrase(f"{_LIST} {_BEING}? {{direction}}"),
    phrase(f"{_WHAT} {{direction}}"),
    phrase("what (am|are) @i (facing|looking at|pointed at|seeing|in front of)", direction="front"),
    phrase("what (do|can) @i see (here|ahead|in front of me)?", direction="front"),
    phrase("what (do|will|would) @i (find|see|have) (when|if) @i (turn|turned) (around|round|"
    "back)", direction="back"),
    phrase("what (do|will|would) @i (find|see|have) (when|if) @i (turn|turned) (to the)? "
    "left", direction="left"),
    phrase("what (do|will|would) @i (find|see|have) (when|if) @i (turn|turned) (to the)? "
    "right", direction="right"),
    phrase(f"({_WHAT} {_IS}|{_ANY}|{_LIST}) {_BEING}? (around (me|us|here)|all around (me)?|nearby|around|"
    f"about me|in my surroundings|in the area|round here|around about)"),
    phrase(f"({_WHAT} {_IS}|{_ANY}|{_LIST}) {_BEING}? (near|near to|close to|next to|beside|by|within "
    f"reach of|around|close by|nearby) (me|us|here)?", within_m=2.0),
    phrase(f"({_WHAT} (is|are)|{_ANY}) (within|in) (my|arm's)? reach", within_m=0.75),
    phrase("what can @i (reach|grab|touch) (from here)?", within_m=0.75),
    phrase("what (surrounds|encircles) (me|us)"),
    phrase("what (is|are) (close|nearby|near|close by)", within_m=2.0),
    phrase("(describe|tell me about)? (my|the) (surroundings|environment|area around me)"),
    phrase("look around"),
    phrase("what (do you know|is there to see|is there) (around here|around|nearby)"),
    cues=(
        "direction what +which +see +find +exist +around +here +visit +put +list",
        "direction exist +what +see +list",
        "direction list +what +see",
        "around what +list +see +here +exist +find +all",
        "around list +what +all",
        "around exist +all +what",
    ),
)  # fmt: skip


def _nearest(said: Saying) -> str:
    return f"The nearest thing is the {said.value}, {metres(said.numbers['distance_m'], said.unit)} away."


_THING = "(thing|object|item|one|piece of furniture)"
declare(
    q.NearestThing, "name", _nearest,
    f"(what|which) (is|are) (the)? (@most|next) {_THING}? (to (me|us)|here|around|by)?",
    f"(what|which) {_THING} (is|are|am @i|stands|lies) (the)? @most (to)? (to (me|us))?",
    f"(the)? (@most|next) {_THING} (to me)?",
    "what (am|are) @i (@most|next) to",
    f"(what|which) {_THING} am @i @most to",
    f"(find|show|tell|take) me (to)? (the)? @most {_THING}",
    phrase(f"(what|which) (is|are) (the)? @most {_THING}? {{direction}}"),
    cues=(
        "nearest what +which +am +here +next",
        "nearest which +am",
        "am next what +nearest",
    ),
)  # fmt: skip


def _related(said: Saying) -> str:
    where = f"{WORDS[said.question.relation]} the {said.question.anchor.singular}"
    return f"{upper(where)}: {listed(said.value, _NOTHING)}."


declare(
    q.RelatedTo, "list", _related,
    phrase(f"{_WHAT} {_IS} {_BEING}? {{relation}} {{anchor}}"),
    phrase(f"{_WHAT} (did|have|had|do) @i (put|leave|left|place|placed|set|keep|see|seen|got|have|stored|"
    f"store|find) (down|lying|standing)? {{relation}} {{anchor}}"),
    phrase(f"{_ANY} {_BEING}? {{relation}} {{anchor}}"),
    phrase(f"{_LIST} {_BEING}? (that (is|are))? {{relation}} {{anchor}}"),
    phrase(f"{_WHAT} {_BEING}? {{relation}} {{anchor}}"),
    phrase("(did|have) @i (put|leave|left|placed|place) (anything|something) {relation} {anchor}"),
    phrase("what (does|do) {anchor} (hold|carry|have on it|contain|have in it|have inside|hold on "
    "top)", relation="on"),
    phrase("is {anchor} (empty|full|clear|free|occupied)", relation="on"),
    phrase("{anchor} what is {relation} (it|there|them)"),
    cues=(
        "relation thing what +which +put +see +list +exist +all +find +still +change",
        "relation thing list +what +all",
        "relation thing exist +yes/no +put +what",
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
        "relation things yes/no +put +still +exist +see +find",
    ),
)  # fmt: skip


def _contents(said: Saying) -> str:
    return f"In the {said.question.place}: {listed(said.value, _NOTHING)}."


_INSIDE = "(in|inside|inside of|within|at)"
declare(
    q.ContentsOf, "list", _contents,
    phrase(f"({_WHAT} {_IS}|{_ANY}|{_LIST}) {_BEING}? (in here|here|in (this|the) (room|place)|inside|in "
    f"the room with me|in this room with me|around in here)", place="here"),
    phrase("(what (is|does|do)|describe) (this|the) room (contain|have|hold|like)?", place="here"),
    phrase(f"({_WHAT} {_IS}|{_LIST}) {_BEING}? {_INSIDE} {{goal}} (with me)?"),
    phrase(f"{_WHAT} (did|have|had|do) @i (see|seen|got|have|find|keep|leave|left|put|notice|own) "
    f"(there)? {_INSIDE} {{goal}}"),
    phrase(f"{_ANY} {_INSIDE} {{goal}}"),
    phrase("what (does|do) {goal} (contain|have|hold|have in it|look like)"),
    phrase(f"{_WHAT} {_INSIDE} {{goal}}"),
    phrase("(describe|the contents of|what are the contents of|contents of) {goal}"),
    phrase(f"{_LIST} {{goal}}"),
    phrase(f"what (is|are) {_INSIDE} {{place}}"),
    cues=(
        "place what +which +see +find +exist +list +all +put +visit +around",
        "place list +what +all +exist",
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
        "room thing +which +what +put +find +where +exist +here +see +last",
        "rooms thing which -plural",
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
    return (
        f"{upper(listed(said.value, 'no room that I know'))} "
        f"{'has' if said.numbers['count'] == 1 else 'have'} {said.question.which.plural}."
    )


declare(
    q.PlacesWith, "list", _places_with,
    "(which|what) (rooms|places) (have|hold|contain|has) {which} (in them|in it)?",
    "in (which|what) (rooms|places) (are|is) (there)? {which}",
    "(which|what) (rooms|places) (are|is) {which} in",
    "(list|show) (me)? (the)? rooms (with|that have) {which}",
    cues=(
        "rooms thing +which +what +find +exist +where +see +all",
        "room thing plural which +exist +find +what",
    ),
)  # fmt: skip


def _looks(said: Saying) -> str:
    several = " and " in said.value
    name = said.question.which.plural if several else f"{said.question.which.singular} is"
    return f"The {name}{' are' if several else ''} {said.value}."


declare(
    q.LooksLike, "name", _looks,
    "(what|which) (color|colors) @be {which}",
    "(what is|what was)? (the)? color of {which}",
    "(what|which) color (does|did|do) {which} have",
    "what color {which} (is|are|was)",
    phrase("what @be {which} made (of|out of|from)", attribute="material"),
    phrase("(what|which) material @be {which}", attribute="material"),
    phrase("what is the material of {which}", attribute="material"),
    cues=(
        "color thing +what +which +how +list",
    ),
)  # fmt: skip


def _size(said: Saying) -> str:
    name, numbers = said.question.which.singular, said.numbers
    if said.question.side != "longest":
        word = {"height": "tall", "width": "wide"}[said.question.side]
        return f"The {name} is {metres(numbers['side_m'], said.unit or 'cm')} {word}."
    sides = " x ".join(f"{100 * numbers[key]:.0f}" for key in ("width_m", "depth_m", "height_m"))
    return (
        f"The {name} is {metres(numbers['side_m'], said.unit or 'cm')} along its longest side ({sides} cm)."
    )


declare(
    q.SizeOf, "measure", _size,
    phrase("how (tall|high) @be {which}", side="height"),
    phrase("(what is)? (the)? height of {which}", side="height"),
    phrase("how (wide|broad|thick|deep) @be {which}", side="width"),
    phrase("(what is)? (the)? (width|depth) of {which}", side="width"),
    "how (big|large|long|small|huge) @be {which}",
    "(what is|what are)? (the)? (size|dimensions|length|measurements) of {which}",
    "what size @be {which}",
    "how (big|large|long) {which} (is|are)",
    "how much space does {which} (take|take up|need)",
    cues=(
        cue("tall thing +what +how +size +yes/no", side="height"),
        "size thing +what +how +yes/no +list",
    ),
)  # fmt: skip
declare(
    q.LongestSide, "measure", lambda said: f"{said.value} cm.",
    phrase("how many (centimeters|cm) long is the longest side of {which}"),
    phrase("what is the length of the longest dimension length width or height of {which} measured in "
    "centimeters"),
)  # fmt: skip


def _view(said: Saying) -> str:
    if said.value == YES:
        return f"Yes, you see {said.question.name} right now."
    return f"No, {said.question.name} is not in view{said.seen.replace(', seen', '; it was last seen')}."


declare(
    q.InViewNow, "yes/no", _view,
    "(can|do|could) (i|we) see {about} (from here|now)?",
    "(can|do) you see {about} (now|from here)",
    "@be {about} (in view|in sight|visible|in my (view|sight)|in the picture|on camera|within sight) (now|"
    "from here)?",
    "am i (looking at|seeing) {about}",
    cues=(
        "view thing yes/no +see +find +here",
        "view thing +see +yes/no +direction",
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


def _seen(said: Saying) -> str:
    if said.question.which is not None:
        number = int(said.answer.value)
        name = said.question.which.singular if number == 1 else said.question.which.plural
        return f"You saw {number if number else 'no'} {name} in that time."
    return f"You saw {listed(said.value, 'nothing')}."


declare(
    q.SeenSince, "list", _seen,
    phrase("(how many) {which} (did|have|had) @i (@see|pass)", needs="since"),
    phrase("(how many) {which} (were|are) there", needs="since"),
    phrase(f"{_WHAT} (did|have|had|do) @i (just)? (@see|passed) (there)?", needs="since"),
    phrase(f"{_WHAT} (did|have|had) @i just (@see|passed)", since="recent"),
    phrase(f"{_WHAT} (did|have|had) @i (@see|passed) (just now|so far|all day|on my way)?", since="start"),
    phrase("(list|name|show) (me)? (all)? (the)? things (that)? @i (have|had)? (@see|know) (so "
    "far)?", since="start"),
    phrase("what (do you|things do you) (remember|know)", since="start"),
    cues=(
        "see what time +which +all +list +visit",
        "see time which +all +list",
        "see list time +what +all",
    ),
)  # fmt: skip
_ = DIRECTION_WORDS, ago
