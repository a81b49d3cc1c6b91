"""Two things against each other: which is closer, larger, more, first; how far apart; what fits where."""

from situ import questions as q
from situ.language.kind import Saying, cue, declare, phrase
from situ.language.phrasing import metres, upper
from situ.questions.scene.affordance import Affords
from situ.questions.scene.view import YES

_OR = "{first} or {second}"


def _closer(said: Saying) -> str:
    question, numbers = said.question, said.numbers
    far = [metres(numbers[key], said.unit) for key in ("first_m", "second_m")]
    return (
        f"The {said.value} is closer ({question.first.singular} {far[0]}, {question.second.singular} "
        f"{far[1]})."
    )


declare(
    q.CloserToMe, "choice", _closer,
    f"(which|what) (one)? (of the two)? (is|are) @more (to (me|us|you))? {_OR}",
    f"(which|what) (one)? (is|are) (farther|more distant) (away)? (from me)? {_OR}",
    f"(is|are) {_OR} @more (to (me|us|you))?",
    "(is|are) {first} (@more|farther|farther away|more distant) (to (me|us))? than {second}",
    f"am i @more to {_OR}",
    "am i @more to {first} than (to)? {second}",
    f"(what|which) is (the)? (@most|@more) (one)? (to me)? {_OR}",
    f"which of (the|these|those) (two)? (things)? is (the)? (@more|@most) (to (me|you))? {_OR}",
    f"{_OR} (which (one)?)? is @more (to me)?",
    f"(do|would) i (reach|get to) {_OR} (first|sooner|faster)",
    f"which is @more to (me|you) now {_OR}",
    cues=(
        "closer things +which +what +where +find +yes/no +way +apart +how -count",
        "nearest things +which +what +where +yes/no +apart",
    ),
)  # fmt: skip


def _apart(said: Saying) -> str:
    pair = f"the {said.question.first.singular} and the {said.question.second.singular}"
    return f"{upper(metres(float(said.answer.value), said.unit))} between {pair}."


_METERS = "(meters|feet|steps|yards|inches|cm|centimeters)"
declare(
    q.ClosestDistance, "measure", _apart,
    "measuring from the closest point of each object (,)? what is the distance between {first} and {second}",
    "how far (apart|away from each other|from each other) are {first} and {second}",
    "how far (away)? (is|are) {first} (away)? from {second}",
    "(what is)? (the)? distance (between|from) {first} (and|to) {second}",
    "how far is it (from|between) {first} (and|to) {second}",
    "how (close|near) (is|are) {first} to {second}",
    "how (close|near) (together)? are {first} and {second} (to each other|together)?",
    f"how many {_METERS} (are|is) (there|it) (between|from) {{first}} (and|to) {{second}} (where they "
    f"come closest)?",
    f"how many {_METERS} (away)? is {{first}} from {{second}}",
    "how much (space|room|distance) is (there)? between {first} and {second}",
    "how far (apart)? {first} and {second} are",
    "how wide is the gap between {first} and {second}",
    "measuring from the closest point of each object what is the (direct)? distance between {first} and "
    "{second} (words)?",
    cues=(
        "distance things +apart +how +what -relation",
        "apart things +size +how +exist +yes/no -what -where -fit -relation -closer -nearest",
    ),
)  # fmt: skip


def _nearest_to(said: Saying) -> str:
    return f"The {said.value} is closest to the {said.question.target.singular}."


declare(
    q.NearestTo, "choice", _nearest_to,
    "measuring from the closest point of each object (,)? which of these things {candidates} is the closest "
    "to {target}",
    phrase("which (one)? is @more to {target} , {candidates}"),
    phrase("(which|what) (one)? (is|are) (@more|@most) to {target} {candidates}"),
    phrase("(is|are) {candidates} (@more|@most) to {target}"),
    phrase("which of these comes closest to {target} , from edge to edge , {candidates}"),
    phrase("which of these comes closest to {target} from edge to edge {candidates}"),
)  # fmt: skip


def _larger(said: Saying) -> str:
    return f"The {said.value} is larger."


declare(
    q.Larger, "choice", _larger,
    f"(which|what) (one)? (of the two)? is (the)? (bigger|taller|biggest|longer|wider) (one)? {_OR}",
    "(of|comparing|out of) {first} and {second} (,)? which (one)? (is bigger|takes up more room)",
    "(is|are) {first} (bigger|smaller|taller|longer|shorter|wider) than {second}",
    f"(is|are) {_OR} (bigger|smaller|taller|longer)",
    f"(which|what) (one)? is (the)? (smaller|shorter|smallest) (one)? {_OR}",
    f"which of the two is bigger {_OR}",
    cues=(
        "bigger things +which +what +yes/no +apart +size +take",
        "size things which +yes/no +what +more",
    ),
)  # fmt: skip


def _order(said: Saying) -> str:
    first, second = f"the {said.question.first.singular}", f"the {said.question.second.singular}"
    if said.value == "same time":
        return f"You first saw {first} and {second} at the same time."
    return f"You first saw {first} {said.value} {second}."


declare(
    q.FirstSeenOrder, "choice", _order,
    f"(which|what) (one)? did @i @see first {_OR}",
    f"(which|what) (came|was seen|appeared) first {_OR}",
    "did @i (first)? @see {first} (before|after|before or after|before , after|before , or after) (@i "
    "(first)? @see)? {second} "
    "(first)?",
    "did @i (first)? @see {first} before (,)? after (,)? or at the same time as (@i (first)? @see)? {second}",
    f"did @i @see {_OR} first",
    "(which|what) did @i @see earlier {first} or {second}",
    "(was|were) {first} (seen|noticed) (first)? (before|after|earlier than|later than) {second}",
    cues=(
        "first things +see +which +what +before +yes/no +when +visit",
        "see things before +which +what +yes/no +visit",
    ),
)  # fmt: skip


def _more(said: Saying) -> str:
    one, two = (int(said.numbers.get(key, 0)) for key in ("first", "second"))
    first, second = said.question.first, said.question.second
    names = first.plural, second.plural
    both = ", ".join(
        f"{number} {which.singular if number == 1 else which.plural}"
        for number, which in ((one, first), (two, second))
    )
    return (
        f"As many {names[0]} as {names[1]} ({both})."
        if said.value == "equal"
        else f"More {said.value} ({both})."
    )


declare(
    q.Compare, "choice", _more,
    "did @i @see more {first} (,)? or (more)? {second} (,)? (or equally many (of both)?)?",
    "(are|were) there more {first} (or|than) (more)? {second} (here|around|left)?",
    "(do|have) @i (have|got|own|seen|see) more {first} (or|than) (more)? {second}",
    "(what|which) (are there|did @i @see|do @i have|is there) more of {first} or {second}",
    "more {first} or (more)? {second}",
    "(which|what) is (there)? (the)? (more|most) (of|frequent|common|numerous) {first} or {second}",
    "which are there more {first} or {second}",
    cues=(
        "more things plural +which +what +exist +yes/no +all +here",
    ),
)  # fmt: skip


def _side(said: Saying) -> str:
    thing, anchor = said.question.thing.singular, said.question.anchor.singular
    if said.question.claim:
        sure = "Yes" if said.value == YES else "No"
        return (
            f"{sure}, as you saw them the {thing} was {'' if said.value == YES else 'not '}on the "
            f"{said.question.claim} of the {anchor}."
        )
    return f"As you saw them, the {thing} was on the {said.value} of the {anchor}."


_BOTH = "(when both are in view (,)?)?"
declare(
    q.SideInView, "choice", _side,
    f"{_BOTH} @be {{thing}} (to|on) (the)? left or (to|on)? (the)? right (side)? of {{anchor}}",
    f"{_BOTH} (on|to) which side of {{anchor}} @be {{thing}}",
    "which side of {anchor} @be {thing} (on)?",
    phrase("when both are in view (,)? @be {thing} (to|on) the left (hand)? (side)? of "
    "{anchor}", claim="left"),
    phrase("when both are in view (,)? @be {thing} (to|on) the right (hand)? (side)? of "
    "{anchor}", claim="right"),
)  # fmt: skip


def _pair(said: Saying) -> str:
    thing, anchor = said.question.thing.singular, said.question.anchor.singular
    words = {"in front": "in front of", "left": "left of", "right": "right of"}.get(said.value, said.value)
    return f"The {thing} is {words} the {anchor}."


_CAMERA = "from the camera's point of view when it sees {anchor} (,)? is {thing}"
declare(
    q.PairRelation, "choice", _pair,
    phrase("when the camera has {anchor} in view (,)? does {thing} lie to the left or to the right "
    "of {words}", axis="side"),
    phrase("looking at {anchor} as the camera does (,)? would @i find {thing} on its left or on its right",
           axis="side"),
    phrase("from the camera's point of view when it sees {anchor} (,)? is {thing} to the left or to the "
    "right of it", axis="side"),
    phrase("relative to {anchor} as the camera sees it (,)? is {thing} on the left or on the right",
           axis="side"),
    phrase("when the camera has {anchor} in view (,)? does {thing} lie in front of {words} (,)? toward the "
    "camera (,)? or behind {words} (,)? away from it", axis="depth"),
    phrase("looking at {anchor} as the camera does (,)? is {thing} in front of it on the near side or behind "
    "it on the far side", axis="depth"),
    phrase("does {thing} sit higher up above or lower down below than {anchor}", axis="height"),
    phrase("comparing heights (,)? is {thing} above {anchor} or below it", axis="height"),
    phrase("@be {thing} (above|below|over|under) or (above|below|over|under) {anchor}", axis="height"),
    phrase("@be {thing} (in front of|behind) or (in front of|behind) {anchor}", axis="depth"),
    phrase(f"{_CAMERA} to the left or to the right of it", axis="side"),
    phrase(f"{_CAMERA} in front of it closer to the camera or behind it farther away", axis="depth"),
)  # fmt: skip


def _yes(said: Saying, words: str) -> str:
    return f"{'Yes' if said.value == YES else 'No'}, {words}."


def _fits(said: Saying) -> str:
    first, second = said.question.first.singular, said.question.second.singular
    return _yes(said, f"the {first} {'would fit' if said.value == YES else 'would not fit'} on the {second}")


declare(
    q.FitsOn, "yes/no", _fits,
    "(could|can|would|will|does) {first} (stand|fit|go|be put) on (top of)? {second} (without sticking "
    "out over its edges)?",
    "is there (enough)? (room|space) for {first} on {second}",
    "is there (enough)? (room|space) to put {first} on (top of)? {second} (without any of it sticking out)?",
    phrase("could {first} be stacked on {second} (,)? do both have a flat top (,)? and does {words} not "
    "stick out over {words}", stacked=True),
    phrase("both need a flat top (,)? could {first} be stacked on {second} without sticking out",
           stacked=True),
    phrase("(could|can) {first} be stacked on {second} (without sticking out)?", stacked=True),
)  # fmt: skip


def _within(said: Saying) -> str:
    pair = f"the {said.question.first.singular} and the {said.question.second.singular}"
    return _yes(said, f"{pair} are {metres(said.numbers['distance_m'], said.unit)} apart")


declare(
    q.WithinReach, "yes/no", _within,
    "(is|are) {first} and {second} within (arm's)? reach of each other (at most 0.75 m apart)?",
    "@be {first} within (an)? (arm's)? (reach|length) of {second} (0.75 m at most)?",
    "is the gap between {first} and {second} no more than an arm's length of 0.75 m",
    "standing at {first} (,)? (could|can) @i reach {second} with one arm (0.75 m at most)?",
    phrase("without moving (your|my) feet (,)? could @i touch {first} with one hand and {second} with the "
    "other (at most 1.6 m between them)?", both_arms=True),
    phrase("could (a person|@i) with outstretched arms touch {first} and {second} at the same time from one "
    "spot (at most 1.6 m "
           "between them)?", both_arms=True),
)  # fmt: skip


def _affords(said: Saying) -> str:
    question, allowed = said.question, metres(said.numbers["allowed_m"], said.unit)
    thing, able = question.thing.singular, said.value == YES
    if question.other is not None:
        gap = f"the gap between the {thing} and the {question.other.singular} is {allowed} wide"
        return _yes(said, gap)
    what = {
        "fit under": f"there are {allowed} under the {thing}",
        "step over": f"the {thing} is {allowed} high",
        "reach": f"the {thing} is {allowed} above the floor",
        "sit on": f"the top of the {thing} is {allowed} high",
    }
    return f"{'Yes' if able else 'No'}, {what[question.action]}."


_ANYONE = "(i|we|you|someone|one|a person|anyone|somebody|people)"
_PASS = "(fit|get|walk|pass|squeeze|go|move|come)"
declare(
    Affords, "yes/no", _affords,
    phrase("a person whose body is {size} m wide walks straight on (,)? without turning sideways (,)? "
    "do they fit through the gap between {thing} and {other}", action="pass through"),
    phrase("a person carries a crate that is {size} m wide in front of them (,)? without tilting it (,)? "
    "does it fit through the gap between {thing} and {other}", action="carry through"),
    phrase("a person is {size} m tall (,)? can they walk under {thing} without bending", action="fit under"),
    phrase("a person can lift a foot {size} m high (,)? can they step over {thing}", action="step over"),
    phrase("a person who stands on the floor reaches up to {size} m (,)? can they touch {thing} without "
    "climbing on anything", action="reach"),
    phrase("a person sits comfortably on anything with a flat top no higher than {size} m (,)? can they sit "
    "comfortably on {thing}", action="sit on"),
    phrase(f"(can|could|will|would|do|does) {_ANYONE} (be able to)? {_PASS} (through)? (the gap)? (in)? "
    f"between {{thing}} and "
           "{other}", action="pass through", size=0.5),
    phrase(f"(can|could|will|would|do) {_ANYONE} {_PASS} through {{thing}} and {{other}}", action="pass "
    "through", size=0.5),
    phrase("is there (enough)? (room|space) (for me)? (to (pass|walk|get|go|fit|squeeze) (through)?)? "
    "between {thing} and {other}",
           action="pass through", size=0.5),
    phrase("is the gap between {thing} and {other} wide enough (for me)?", action="pass through", size=0.5),
    phrase(f"(can|could|may|should) {_ANYONE} (sit|sit down|rest|take a seat) (down)? (on|in) "
    f"{{thing}}", action="sit on",
           size=0.55),
    phrase("is {thing} (something|a thing|a place) (that)? (i|one|you) (can|could) sit on", action="sit "
    "on", size=0.55),
    phrase("is {thing} (a good|good|low enough|suitable|fit|safe|ok|fine|strong enough) (place|seat)? (to "
        "sit on|to sit|for "
    "sitting)", action="sit on", size=0.55),
    phrase(f"(can|could) {_ANYONE} (step|climb|get) over {{thing}}", action="step over", size=0.4),
    phrase(f"(can|could) {_ANYONE} (walk|fit|go|pass|crawl|get) (under|underneath|beneath) "
    f"{{thing}}", action="fit under", size=1.8),
    cues=(
        cue("sit thing +yes/no +relation", action="sit on", size=0.55),
        cue("fit things apart +yes/no +reach +exist +size +walk", action="pass through", size=0.5),
    ),
)  # fmt: skip


def _relative(said: Saying) -> str:
    question, words = said.question, said.value.replace("-", " ")
    return (
        f"From the {question.standing.singular}, facing the {question.facing.singular}, the "
        f"{question.target.singular} is {words}."
    )


_STANDS = (
    "(if)? (@i (am|are)?)? (stand|standing|i stand) (by|at|next to|near) {standing} (,)? (and)? "
    "(face|facing|look at|looking at) {facing}"
)
declare(
    q.RelativeDirection, "choice", _relative,
    phrase("i am standing by {standing} and facing {facing} (,)? is {target} to my left (,)? right (,)? or "
    "back ({words})?", level="medium"),
    phrase("i am standing by {standing} and facing {facing} (,)? is {target} to the left or the right of "
    "{words}", level="easy"),
    phrase(f"{_STANDS} (,)? (where|which (way|direction)|in which direction) @be {{target}}", level="hard"),
    phrase(f"{_STANDS} (,)? is {{target}} to (my|the) left (,)? right (,)? or back (words)?", level="medium"),
    phrase(f"{_STANDS} (,)? is {{target}} to (my|the) left or (the)? right (of {{words}})?", level="easy"),
    phrase(f"{_STANDS} (,)? is {{target}} to (my|the) front-left (,)? front-right (,)? back-left (,)? or "
    f"back-right {{words}}", level="hard"),
    phrase("you stand at {standing} and look at {facing} to look at {target} (,)? do you turn left or "
    "right", level="easy"),
    phrase("you stand at {standing} and look at {facing} to look at {target} (,)? do you turn left (,)? "
    "right or back {words}", level="medium"),
    phrase("you stand at {standing} and look at {facing} in which quarter around you is {target} (,)? "
    "front-left {words}", level="hard"),
)  # fmt: skip


def _appearance(said: Saying) -> str:
    return f"In this order: {said.value}."


declare(
    q.AppearanceOrder, "choice", _appearance,
    phrase("what will be the first-time appearance order of the following categories in the video (,)? "
    "{things}"),
    phrase("(in)? (what|which) order did (@i @see)? {things} (first)? (appear|come into view|show up)?"),
    phrase("(in)? (what|which) order do these first come into view (,)? {things}"),
    phrase("what will be the first-time appearance order of the following categories in the video (,)? "
    "{things}"),
)  # fmt: skip
