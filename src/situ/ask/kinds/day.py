"""The wearer's own day: places, times spent, ways walked, and the way back."""

from situ import questions as q
from situ.ask.kind import Saying, declare, phrase
from situ.ask.say import DIRECTION_WORDS, ago, listed, metres, upper
from situ.ask.times import age_in_words, span_in_words
from situ.questions.view import YES

_IN = "(in|inside|at)"
_TO = "(to|into|in|at|inside)"


def _way_back(said: Saying) -> str:
    return f"{upper(said.value)}; {metres(said.numbers['way_m'], said.unit)} in all."


_BACK = "(take|lead|guide|bring|get|walk|direct|navigate|show|point) me (the way)? (back|home)"
_STARTED = "(the)? (start|beginning|where @i (started|began|came from|was)|starting point|where @i came in)"
declare(
    q.WayBack, "route", _way_back,
    phrase(f"{_BACK} (to|into) {{place}}"),
    phrase("how (do|can|did|could|should|would) @i (get|go|walk|come|return|find (my|the) way) back (in)? "
    "(to|into) {place}"),
    phrase("(what is|show me|tell me)? (the|my)? way back (to|into) {place}"),
    phrase("(which|what) (way|route) (is)? back to {place}"),
    phrase("(go|get|return|way|walk|route) back to {place}"),
    phrase("i want to (go|get|walk) back to {place}"),
    phrase("(retrace|trace) my (steps|way|path|route) (back)? to {place}"),
    phrase("(which|what) way did @i come (from|in)? (from {words})?"),
    phrase("how did @i (get|come|end up) here"),
    phrase(f"how (do|can|could|should) @i (get|go|walk|find (my|the) way) (back|home|out|out of here) (to "
    f"{_STARTED})? (from here)?"),
    phrase(f"how (do|can) @i (get|go|walk|return) (back)? to {_STARTED}"),
    phrase(f"{_BACK} (to {_STARTED})? (the way @i came)?"),
    phrase(f"(what is|which is|show me|tell me)? (the|my) (way|route|path) (back|home|@i came|@i (have)? "
    f"(walked|took|taken)|out) (to {_STARTED})?"),
    phrase(f"(retrace|trace) (my|our) (steps|way|path|route) (back)? (to {_STARTED})?"),
    phrase("(go|way|the way|going) (back|home) (the way @i came)?"),
    phrase("back the way @i came"),
    phrase("i (am|got) lost"),
    phrase("i want to go (back|home)"),
    cues=(
        "way back +where +yes/no +need +lost +visit +find +before +am",
        "back lost +where +visit",
        "way back place +where +yes/no +need +lost +visit",
        "back place need +visit +how +find",
        "back place visit +how +yes/no +find +walk -when -last -times -duration",
    ),
)  # fmt: skip


def _time_in(said: Saying) -> str:
    seconds, visits = said.numbers["seconds"], int(said.numbers.get("visits", 0))
    if not visits:
        return f"You have not been in the {said.question.place}."
    last = " the last time" if said.question.last else f", in {visits} visits" if visits > 1 else ""
    return f"You were in the {said.question.place} for {span_in_words(seconds)}{last}."


_SPEND = (
    "(was @i|were @i|have @i been|did @i (stay|spend|linger|remain|hang out)|did @i spend (time)?|"
    "had @i been)"
)
declare(
    q.TimeIn, "measure", _time_in,
    phrase(f"(for)? how long {_SPEND} {_IN} {{place}} (the)? last (time)?", last=True),
    phrase("how long was my last (visit|stay) (to|in|at) {place}", last=True),
    f"(for)? how (long|much time) (in total)? {_SPEND} {_IN} {{place}} (for|in total)?",
    f"(for)? how (many minutes|many seconds|many hours|much time) {_SPEND} (time)? {_IN} {{place}}",
    f"(what is)? (the|my)? (total)? (time|duration) (that)? (@i)? (have)? spent {_IN} {{place}}",
    f"how long @i (was|were|have been|stayed|spent) {_IN} {{place}}",
    f"how long (has|have) @i been {_IN} {{place}}",
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
    f"how (many times|often) {_GO} {_TO}? {{place}}",
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
    "(which|what) (room|place) did @i (just)? (leave|come out of|come from)",
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
    "(been|visited|visit|gone|go|see|seen|enter|entered|walked) (in|to|into|through|so far)?",
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


def _walked(said: Saying) -> str:
    return f"You have walked {metres(said.numbers['walked_m'], said.unit)}."


declare(
    q.DistanceWalked, "measure", _walked,
    "how (far|much|long a (way|distance)) (have|did|had) @i (walk|walked|go|gone|travel|traveled|"
    "travelled|come|moved|move)",
    "(what|which|how much) (distance|way) (have|did) @i (walk|walked|cover|covered|travel|traveled|go|gone)",
    "how many (meters|feet|yards|steps|paces|kilometers|km|miles) (have|did) @i (walk|walked|go|gone|take|"
    "taken|make|made|travel|do|done)",
    "(what is)? (the)? (length of my (path|walk|route)|(total)? distance (walked|@i (have)? walked)|total "
    "distance)",
    "how long (is|was) my (path|walk|route|way)",
    "how far @i (have)? (walked|gone|went)",
    "how many (meters|steps|kilometers) (today|was that|was it|so far)?",
    cues=(
        "distance walk +how +what +all",
        "walk how +much +all +distance",
        "walk distance +visit +how",
    ),
)  # fmt: skip


def _here(said: Saying) -> str:
    return f"You are in the {said.value}."


declare(
    q.WhereAmI, "name", _here,
    "where (am|are) @i (now|standing|right now|at|currently|located)?",
    "where (exactly)? @i (am|are) (now)?",
    "(in)? (what|which) (room|place|part of the (house|home|flat)) (am|are) @i (in|at|standing in)? (now)?",
    "(what|which) (room|place|part of the (house|home|flat)) is (this|it)",
    "(what is|tell me)? my (current)? (location|position|place|room)",
    "(what is this|name this|name of this) (room|place)",
    "(in)? (what|which) (room|place) @i am (in)?",
    "what is (the)? name of (this|the) (room|place)",
    cues=(
        "where am +room +here +way +lost +what",
        "room here +what +which +am",
        "room am +what +which +here",
        "here what where +am",
        "here am what",
    ),
)  # fmt: skip


def _way(said: Saying) -> str:
    far = metres(said.numbers["distance_m"], said.unit)
    return f"The {said.question.place} is {DIRECTION_WORDS[said.value]}, {far} away."


declare(
    q.WayToPlace, "choice", _way,
    "(where|which way|what way|which direction|what direction|in which direction|in what direction) (@be|"
    "to|is it to|do @i go to|do @i go for|toward) (to)? {goal} (from here|from me|located|at|in)?",
    "where {goal} (is|are)",
    "how (do|can|could|would|should) @i (get|go|find|walk|come|reach) (to)? {goal} (from here)?",
    "(find|locate|show|point|take|lead|guide|bring|direct|navigate|walk|go|get|help) (me|us)? (to|at|into|"
    "toward|find|the way to)? {goal}",
    "i (want|need|would like|am going|have|am trying|am looking) (to)? (go|get|find|walk|be|for)? (to|"
    "into|in)? {goal}",
    "how (far|close|near) (away|off)? (@be|is it to|am @i from|is it) (to)? {goal} (from (me|here)|away)?",
    "how many (meters|steps|feet|yards) (is it|away|are there)? (to|is|until|till) {goal}",
    "(is|are) {goal} (very|really|still)? (far|near|close|far away|close by|nearby|a long way|near here|"
    "close to here) (to|from)? (me|here)?",
    "is it far (to|from here to) {goal}",
    "(am|are) @i (anywhere)? (near|close to|far from) {goal}",
    "how (do|can) @i (get|go|walk) from here to {goal}",
    "(what is)? (the)? (way|direction|distance|directions|route|path) (to|of) {goal}",
    "give me directions to {goal}",
    "how far {goal} is",
    "{goal}",
    cues=(
        "way place +where +yes/no +need +visit +find +lost +how",
        "need place visit +where +way -what",
        "find place visit +how -what",
        "where place +way +find +visit -time",
        "visit place how -when -times -duration -count -yes/no",
    ),
)  # fmt: skip


def _start(said: Saying) -> str:
    words, far = DIRECTION_WORDS[said.value], metres(said.numbers["distance_m"], said.unit)
    where = "You stand where you began" if said.value == "same location" else f"You began {words}, {far} away"
    return f"{where}."


_STAND = "(place (,)? {words})? stand where the video"
declare(
    q.RouteDirection, "choice", _start,
    phrase("where did @i (start|begin)", origin="end"),
    phrase("(which|what) (way|direction) is (the)? (start|beginning|starting point)", origin="end"),
    phrase("where is (the|my) (start|beginning|starting point)", origin="end"),
    phrase(f"{_STAND} begins and face as in its first frame in which direction is the place where the "
    f"video ends answer {{words}}",
           origin="start"),
    phrase(f"{_STAND} ends and face as in its last frame in which direction is the place where the video "
    f"began answer {{words}}",
           origin="end"),
    asked=lambda question: "where did I start",
)  # fmt: skip


def _shape(said: Saying) -> str:
    return f"Your path was {said.value.lower()}."


declare(
    q.RouteShape, "choice", _shape,
    "(what|which) shape (is|was|has|does|did) (my|our|the) (path|route|walk|way) (have|take)?",
    "what shape did @i walk",
    "(place (,)? {words})? which shape does the path of the person who films have (,)? seen from above "
    "{words}",
    asked=lambda question: "what shape is my path",
)  # fmt: skip


def _reverse(said: Saying) -> str:
    return f"{said.value}."


declare(
    q.ReversePlan, "route", _reverse,
    phrase("(place (,)? {words})? you stand where the video ends and face as in its last frame which "
    "instructions lead you back the "
           "way you came (,)? to where the video began", needs="options"),
    asked=lambda question: "which way did I come",
)  # fmt: skip


def _room(said: Saying) -> str:
    return f"The floor is {float(said.answer.value):.1f} square metres."


declare(
    q.RoomSize, "measure", _room,
    "how (big|large) is (the|this|my) (room|flat|apartment|house|place)",
    "how many square meters (of floor are there (,)? all that is shown taken together|does (this|the) "
    "room have|is (this|the) room)",
    "what is the size of (this|the) room (in square meters)? {words}",
    "what is the size of (this|the) room",
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


def _later(said: Saying) -> str:
    return f"You went {said.value}."


_AFTER = "(in the {seconds} seconds)? after @i last (put down {which}|put {which} down)"
declare(
    q.WayAfter, "choice", _later,
    phrase("which way did @i go in the {seconds} seconds after @i last put down {which}", needs="options"),
    phrase("what did @i walk past (,)? and in which order (,)? in the {seconds} seconds after @i last put "
    "{which} down", needs="options"),
)  # fmt: skip
_ = age_in_words
