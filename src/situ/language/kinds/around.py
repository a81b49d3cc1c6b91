"""What is around the wearer: on every side, in view, next to something, seen lately."""

from situ import questions as q
from situ.language.kind import Saying, declare, phrase
from situ.language.kinds.common import ANY, BEING, IS, LIST, NOTHING, WHAT
from situ.language.phrasing import QUARTER_WORDS, listed, metres, the, upper
from situ.language.times import GLANCE_S
from situ.questions.rules.landmarks import plain_name
from situ.questions.scene.view import YES


def _around(said: Saying) -> str:
    words, nearest_m = QUARTER_WORDS[said.question.direction], said.numbers.get("nearest_m")
    if nearest_m is None:
        return f"{upper(words)}: {listed(said.value, NOTHING)}."
    limit, gap = metres(said.question.within_m, said.unit), metres(nearest_m, said.unit)
    view = next(view for view in said.state.objects() if view.id == said.answer.things[0])
    return f"{upper(words)}: nothing within {limit}; the nearest is {the(plain_name(view))}, {gap} away."


declare(
    q.Around, "list", _around,
    phrase(f"{WHAT} {IS} {BEING}? {{direction}}"),
    phrase(f"{ANY} {BEING}? {{direction}}"),
    phrase(f"{LIST} {BEING}? {{direction}}"),
    phrase(f"{WHAT} {{direction}}"),
    phrase("what (am|are) @i (facing|looking at|pointed at|seeing|in front of)", direction="front"),
    phrase("what (do|can) @i see (ahead|in front of me)", direction="front"),
    phrase("what (do|will|would) @i (find|see|have) (when|if) @i (turn|turned) (around|round|"
    "back)", direction="back"),
    phrase("what (do|will|would) @i (find|see|have) (when|if) @i (turn|turned) (to the)? "
    "left", direction="left"),
    phrase("what (do|will|would) @i (find|see|have) (when|if) @i (turn|turned) (to the)? "
    "right", direction="right"),
    phrase(f"({WHAT} {IS}|{ANY}|{LIST}) {BEING}? (around (me|us|here)|all around (me)?|nearby|around|"
    f"about me|in my surroundings|in the area|round here|around about)"),
    phrase(f"({WHAT} {IS}|{ANY}|{LIST}) {BEING}? (near|near to|close to|next to|beside|by|within "
    f"reach of|around|close by|nearby) (me|us|here)?", within_m=2.0),
    phrase(f"({WHAT} (is|are)|{ANY}) (within|in) (my|arm's)? reach", within_m=0.75),
    phrase(f"({WHAT} {IS}?|{ANY}|{LIST}) {BEING}? (lie|lies)? within {{within_m}} (m|meter|meters) "
    f"(of (me|here))?"),
    phrase("{direction}"),
    phrase("what (would|will|do|might|could) @i (bump|walk|run) into (if @i (walk|walked|go|went|keep|kept) "
    "(on|ahead|forward|straight|straight on|straight ahead|walking|going))?", direction="front"),
    phrase("what can @i (reach|grab|touch) (from here)?", within_m=0.75),
    phrase("what (surrounds|encircles) (me|us)"),
    phrase("what (is|are) (close|nearby|near|close by)", within_m=2.0),
    phrase("(describe|tell me about)? (my|the) (surroundings|environment|area around me)"),
    phrase("look around"),
    phrase("what (do you know|is there to see|is there) (around here|around|nearby)"),
    cues=(
        "direction what -room -rooms +which +see +find +exist +around +here +visit +put +list +happen",
        "direction exist +what +see +list +happen",
        "direction list +what +see",
        "direction stuff",
        "direction around +what +see +exist",
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
        "am next which +nearest +stuff",
        "relation am what -thing -things",
    ),
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


def _seen(said: Saying) -> str:
    if said.question.which is not None:
        number = int(said.answer.value)
        name = said.question.which.singular if number == 1 else said.question.which.plural
        return f"You saw {number if number else 'no'} {name} in that time."
    if said.state.now - said.question.since <= GLANCE_S:
        return f"You see {listed(said.value, 'nothing that I can name')}."
    return f"You saw {listed(said.value, 'nothing')}."


declare(
    q.SeenSince, "list", _seen,
    phrase("what (do|can) @i see (here|now)?", since="now"),
    phrase("(how many) {which} (did|have|had) @i (@see|pass)", needs="since"),
    phrase("(how many) {which} (were|are) there", needs="since"),
    phrase(f"{WHAT} (did|have|had|do) @i (just)? (@see|passed) (there)?", needs="since"),
    phrase(f"{WHAT} (did|have|had) @i just (@see|passed|walk past|walked past|pass by|go past)",
           since="recent"),
    phrase(f"{WHAT} (did|have|had) @i (@see|passed) (just now|so far|all day|on my way)?", since="start"),
    phrase("(list|name|show) (me)? (all)? (the)? things (that)? @i (have|had)? (@see|know) (so "
    "far)?", since="start"),
    phrase("what (do you|things do you) (remember|know)", since="start"),
    cues=(
        "see what time +which +all +list +visit",
        "see time which +all +list",
        "see list time +what +all",
    ),
)  # fmt: skip
