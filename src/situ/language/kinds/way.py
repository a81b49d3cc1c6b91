"""The way: back, to a place, which way it went, how far the wearer walked."""

from situ import questions as q
from situ.geometry.heading import SAME_LOCATION
from situ.language.kind import Saying, declare, phrase
from situ.language.phrasing import DIRECTION_WORDS, metres, upper


def _way_back(said: Saying) -> str:
    return f"{upper(said.value)}; {metres(said.numbers['way_m'], said.unit)} in all."


_BACK = "(take|lead|guide|bring|get|walk|direct|navigate|show|point) me (the way)? (back|home)"
_STARTED = (
    "(the)? (start|beginning|where @i (started|began|came from|was)|starting point|where @i came in|"
    "entrance|front door|(entrance|door) where @i (started|came in))"
)
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
    phrase("(which|what) (way|route|path) did @i take (to (get|come|walk) here)?"),
    phrase(f"how (do|can|could|should) @i (get|go|walk|find (my|the) way) (back|home|out|out of here) (to "
    f"{_STARTED})? (from here)?"),
    phrase(f"how (do|can) @i (get|go|walk|return) (back)? to {_STARTED}"),
    phrase(f"{_BACK} (to {_STARTED})? (the way @i came)?"),
    phrase(f"(what is|which is|show me|tell me)? (the|my) (way|route|path) (back|home|@i came|@i (have)? "
    f"(walked|took|taken)|out) (to {_STARTED})?"),
    phrase(f"(retrace|trace) (my|our) (steps|way|path|route) (back)? (to {_STARTED})?"),
    phrase("(go|way|the way|going) (back|home) (the way @i came)?"),
    phrase("back the way @i came"),
    phrase("how (do|can|could|should) @i (retrace|trace) (my|our) (steps|way|path|route) (back)?"),
    phrase("i (am|got) lost"),
    phrase("i want to go (back|home)"),
    cues=(
        "way back +where +yes/no +need +lost +visit +find +before +am",
        "back lost +where +visit",
        "way back place +where +yes/no +need +lost +visit",
        "back place -when -times -duration -count -what -change -yes/no",
        "back place need +visit +how +find",
        "back place visit +how +yes/no +find +walk -when -last -times -duration",
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
    "{room}",
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
    where = "You stand where you began" if said.value == SAME_LOCATION else f"You began {words}, {far} away"
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


def _later(said: Saying) -> str:
    return f"You went {said.value}."


declare(
    q.WayAfter, "choice", _later,
    phrase("which way did @i go in the {seconds} seconds after @i last put down {which}", needs="options"),
    phrase("what did @i walk past (,)? and in which order (,)? in the {seconds} seconds after @i last put "
    "{which} down", needs="options"),
)  # fmt: skip
