"""The rooms of the day: where the wearer was, when, how long, how often, and which room this is."""

from situ import questions as q
from situ.language.kind import Saying, declare, phrase
from situ.language.phrasing import ago, listed
from situ.language.times import span_in_words
from situ.questions.scene.view import YES

_IN = "(in|inside|at)"
_TO = "(to|into|in|at|inside)"


def _time_in(said: Saying) -> str:
    seconds, visits = said.numbers["seconds"], int(said.numbers.get("visits", 0))
    if not visits:
        return f"You have not been in the {said.question.place}."
    here = said.question.last and said.question.place == getattr(said.state, "place_now", lambda: None)()
    if here:
        return f"You have been in the {said.question.place} for {span_in_words(seconds)}."
    last = " the last time" if said.question.last else f", in {visits} visits" if visits > 1 else ""
    return f"You were in the {said.question.place} for {span_in_words(seconds)}{last}."


_SPEND = (
    "(was @i|were @i|have @i been|did @i (stay|spend|linger|remain|hang out)|did @i spend (time)?|"
    "had @i been)"
)
declare(
    q.TimeIn, "measure", _time_in,
    phrase(f"(for)? how long {_SPEND} {_IN} {{place}} (the)? last (time)?", last=True),
    phrase("(for)? how (long|much time) have @i been (standing|sitting|waiting)? (here|in here|in this "
    "(room|place)) (now|already|for)?", place="here", last=True),
    phrase("how long was my last (visit|stay) (to|in|at) {place}", last=True),
    phrase("(what was)? (the)? (duration|length) of my last (visit|stay) (to|in|at) {place}", last=True),
    f"(for)? how (long|much time) (in total)? {_SPEND} {_IN} {{place}} (for|in total)?",
    f"(for)? how (many minutes|many seconds|many hours|much time) {_SPEND} (time)? {_IN} {{place}}",
    f"(what is)? (the|my)? (total)? (time|duration) (that)? (@i)? (have)? spent {_IN} {{place}}",
    f"how long @i (was|were|have been|stayed|spent) {_IN} {{place}}",
    f"how long (has|have) @i been {_IN} {{place}}",
    f"(the|my|total)? (time|duration|minutes) (spent)? {_IN} {{goal}}",
    cues=(
        "duration place +visit +how +put +all",
    ),
)  # fmt: skip


def _times(number: int) -> str:
    return {0: "never", 1: "once", 2: "twice"}.get(number, f"{number} times")


def _visits(said: Saying) -> str:
    return f"You were in the {said.question.place} {_times(int(said.answer.value))}."


_GO = (
    "(was @i|were @i|have @i (been|visited|entered|gone|walked)|did @i (go|visit|enter|walk|come|step)|"
    "had @i been|do @i go)"
)
declare(
    q.Visits, "count", _visits,
    f"(on)? how (many (times|occasions)|often|frequently) {_GO} {_TO}? {{place}}",
    "(the|my)? number of (my)? (visits|times|trips) (@i (was|went|have been|made))? (to|in|into) {place}",
    "how many (visits|trips) (to|into) {place} (did @i make|have @i made|were there)?",
    "how (many times|often) did @i (make|take) (a)? (visit|trip|visits|trips) to {place}",
    cues=(
        "times place +visit +how +all +count",
    ),
)  # fmt: skip


def _been_to(said: Saying) -> str:
    if said.value != YES:
        return f"No, you have not been in the {said.question.place}."
    return f"Yes, you were in the {said.question.place} {ago(said)}."


declare(
    q.BeenTo, "yes/no", _been_to,
    f"(have @i (ever|already)? (been|gone|visited|entered)|was @i (ever)?|did @i (ever)? (go|visit|enter|"
    f"walk|come|step)) {_TO}? {{room}} (before|already)?",
    "did @i (set foot|pop) (in|into) {room}",
    cues=(
        "visit place yes/no +see +am +still +here",
        "place yes/no +am +visit -thing -things -take -change",
    ),
)  # fmt: skip


def _last_in(said: Saying) -> str:
    place = said.question.place
    if said.numbers.get("still") and not said.question.entered:
        return f"You are in the {place} now."
    verb = "came into" if said.question.entered else "were last in"
    return f"You {verb} the {place} {ago(said)}."


declare(
    q.LastIn, "time", _last_in,
    phrase("when did @i (last|first)? (enter|come into|walk into|go into|get into|come in|arrive in|"
    "arrive at|get to|reach) (to)? {place} (last)?",
           entered=True),
    phrase("how long ago did @i (enter|come into|walk into|go into|arrive in) {place}", entered=True),
    phrase("since when (am|have|was) @i (been)? in {place}", entered=True),
    f"when (was @i|were @i|have @i been|did @i) (@last)? (been)? {_IN} {{place}} (last|the last time)?",
    "when did @i (@last)? (leave|left|visit|exit|walk out of|go out of|come out of|go to|go into) {place} "
    "(last)?",
    f"(what|when) was (it)? (the)? last time (that)? @i (was|were|went|have been|visited) {_TO}? {{place}}",
    f"how long (ago)? (is it|was it|has it been)? (since)? (was @i|@i was|did @i leave|@i left) (last)? "
    f"{_IN}? {{place}}",
    f"(the)? last time (@i was)? {_IN} {{place}}",
    cues=(
        "when place +last +visit +am +put +gone +before",
    ),
)  # fmt: skip


def _where_was_i(said: Saying) -> str:
    return f"You were in the {said.value} then."


_WHERE_I = (
    "(where (was|were|am|have|had) @i (been)?|(in)? (which|what) (room|place) (was|were|have) @i "
    "(been)? (in|at)?|where did @i (use to)? be)"
)
declare(
    q.WhereWasI, "name", _where_was_i,
    phrase(f"{_WHERE_I} (in)? (back)? (then)?", needs="moment"),
    phrase("(where|what room|which room) @i (was|were) (in)?", needs="moment"),
    phrase("where (was|were|have) @i (been)? (standing|sitting|walking)", needs="moment"),

    cues=(
        "where time +visit +am +room +which +what +put",
        "room time +which +what +visit +am +put",
    ),
)  # fmt: skip


def _place_before(said: Saying) -> str:
    when = ago(said)
    return f"You were in the {said.value} before{', until ' + when if when else ''}."


declare(
    q.PlaceBefore, "name", _place_before,
    f"{_WHERE_I} (right|just|immediately)? before (this|here|that|now|this one|this room|that one|@i "
    f"(came|got|was|walked) (in)? (here|in)?)?",
    f"{_WHERE_I} (previously|earlier|just|a moment ago|last|most recently|until now|just before)",
    "(where|from where|from which room|which room|what room) did @i (just)? come (here)? (from)?",
    "(where|which room|what room) (have|had) @i (just)? come from",
    "(which|what) (room|place) did @i (just)? (leave|come out of|come from) (last|before this|most "
    "recently)?",
    "(what|which) (is|was) (my|the) (previous|last) (room|place|location)",
    phrase("where was @i", needs="now"),
    "where was @i just",
    cues=(
        "where before +visit +last +room +which +am +here",
        "room before +visit +last +which +what +am +here +where",
        "where visit last +room",
        "room visit last +which +what +take",
    ),
)  # fmt: skip


def _places(said: Saying) -> str:
    return f"You were in {listed(said.value, 'no place that I know')}."


declare(
    q.PlacesVisited, "list", _places,
    "(which|what) (rooms|places|parts of the (house|home|flat)) (have @i|did @i|was @i|were @i|had @i) "
    "(been|visited|visit|gone|go|see|seen|enter|entered|walked|covered|cover|explored|explore|done|toured"
    "|tour|passed|pass) (in|to|into|through|so far)?",
    "(which|what) (rooms|places) (was|were|have) @i (in|at|been)",
    "where (have|had|was|were) @i (all)? (been|gone|walked) (so far|to|already)?",
    phrase("where (was|were) @i (all)?", needs="since"),
    "where (all)? did @i (all)? go (to)?",
    "(list|name|show)? (me)? (all)? (the)? (rooms|places) (that|where|in which)? @i (have|had|was|were|"
    "went|visited)? (been|visited|was|were|went|gone)? (in|to|into)?",
    "(list|name) (me)? (all)? (the)? (rooms|places) (you know|known)?",
    "(which|what|how many) (rooms|places) (do you know|are there|does (this|the|my) (house|home|flat) have)",
    "what (all)? did @i visit",
    cues=(
        "rooms visit +which +what +where +all +list +walk",
        "where all visit +yes/no +walk +last",
        "rooms +which +what +list +all +am +see +walk",
    ),
)  # fmt: skip


def _been_here(said: Saying) -> str:
    return (
        f"Yes, you were here before, {ago(said)}."
        if said.value == YES
        else "No, you are here for the first time."
    )


declare(
    q.BeenHere, "yes/no", _been_here,
    "(have|was|were|did) @i (ever|already|not)? (been|be|come|walk|walked|pass|passed|visit) (by|"
    "through)? @here (ever)? (before|already|earlier|once|previously)?",
    "(have|was|were|did) @i (ever|already)? (been|be|come|pass|passed|stood|stand|walked|go)? (at|in|on|"
    "to|by|past|through)? (this|the same|the) (very|exact|same)? (spot|place|room|point|location|way) "
    "(ever)? (before|already|earlier|once|previously)?",
    "was @i (ever|already)? here (before|already|earlier|once)?",
    "(is|do) (this|i know this) (place|room|spot)? (a)? (new|familiar) (place|room)? (to me)?",
    "do i know this (place|room|spot)",
    "am i here for the first time",
    "is this (my|the)? first time (here|in this room)?",
    "did @i already (come|pass|walk|go) (by|past|through)? here",
    cues=(
        "visit here yes/no +before +see +first",
        "here before yes/no +visit +see +am",
        "here yes/no visit",
    ),
)  # fmt: skip


def _here(said: Saying) -> str:
    return f"You are in the {said.value}."


declare(
    q.WhereAmI, "name", _here,
    "where (am|are) @i (now|standing|right now|at|currently|located)?",
    "where (exactly)? @i (am|are) (now|just now|at|standing)?",
    "(in)? (what|which) (room|place|part of the (house|home|flat)) (am|are) @i (in|at|standing in)? (now)?",
    "(what|which) (room|place|part of the (house|home|flat)) is (this|it)",
    "(what is|tell me)? my (current)? (location|position|place|room)",
    "(what is this|name this|name of this) (room|place) (called|named)?",
    "what (do|would) you call this (room|place)",
    "(in)? (what|which) (room|place) @i am (in)?",
    "what is (the)? name of (this|the) (room|place)",
    "(the|my)? current (room|place|location)",
    "(am|are) @i (now|already|still|really)? (in|inside|at) {within}",
    cues=(
        "where am +room +here +way +lost +what",
        "room here +what +which +am",
        "room am +what +which +here",
        "here what where +am",
        "here am what",
    ),
    needs="now",
)  # fmt: skip


def _room(said: Saying) -> str:
    return f"The floor is {float(said.answer.value):.1f} square metres."


declare(
    q.RoomSize, "measure", _room,
    "how (big|large) is (the|this|my) (room|flat|apartment|house|place)",
    "how many square meters (of floor are there (,)? all that is shown taken together|does (this|the) "
    "room have|is (this|the) room)",
    "what is the size of (this|the) room (in square meters)? {words}",
    "(what is|how big is|how large is)? (the)? (floor)? (area|size) of (this|the|my) (room|flat|house)",
)  # fmt: skip


def _position(said: Saying) -> str:
    words = {"corner": "in a corner", "side": "along one side", "center": "in the middle"}[said.value]
    return f"You are {words} of the {said.question.place.singular}."


declare(
    q.PositionInPlace, "choice", _position,
    "(in)? (what|which) (part|corner|place) of {anchor} am i (in)?",
    "where in {anchor} am i",
    "divide the {words} into three by three equal parts does the person who films stand in a corner part "
    "(,)? in a part along one side (,)? or "
    "in the center part of {anchor}",
    asked=lambda question: f"in which part of the {question.place.singular} am I",
)  # fmt: skip
