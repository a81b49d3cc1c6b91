"""Where a thing is: direction, distance, reach, side, when seen. The most common questions, tried last."""

from dataclasses import replace

from situ import questions as q
from situ.geometry.heading import named_way
from situ.language.kind import Saying, cue, declare, phrase
from situ.language.phrasing import DIRECTION_WORDS, QUARTER_WORDS, listed, metres, spot, upper
from situ.language.times import age_in_words
from situ.questions.rules.wearer import heading_now
from situ.questions.scene.existence import UNNAMED
from situ.questions.scene.view import YES
from situ.state.protocol import ObjectView

MOST_LISTED = 4


def _level(said: Saying) -> str:
    height = said.numbers.get("up_m", 0.0)
    return " (above your eyes)" if height > 0.8 else " (near the floor)" if height < -1.4 else ""


def _where(said: Saying) -> str:
    far, words = metres(said.numbers["distance_m"], said.unit), DIRECTION_WORDS[said.value]
    return (
        f"{upper(said.question.name)} is {words}, {far} "
        f"away{_level(said)}{spot(said, said.question)}{said.seen}."
    )


def _reach(said: Saying) -> str:
    far = metres(said.numbers["distance_m"], said.unit)
    if said.value == YES:
        return f"Yes, {said.question.name} is within reach ({far}){said.seen}."
    return f"No, {said.question.name} is {far} away{said.seen}."


_HOLD = "(reach|touch|grab|get|pick up|take|get hold of|get to|grasp|hold|lay my hands on)"
declare(
    q.CanReach, "yes/no", _reach,
    f"(can|could|would|will|may) @i (be able to)? (just)? {_HOLD} {{about}} (from (here|where @i (am|"
    f"stand|sit))|without (moving|taking a step|getting up|walking|a step|stepping|standing up|going)|"
    f"from where @i (stand|am) without taking a step|from here without taking a step|by hand|with my "
    f"(hand|arm))",
    "(can|could|would|will|may) @i (be able to)? (just)? (reach|touch|grab|get hold of|grasp) {about}",
    "@be {about} (within|in|out of) (my|arm's|hand|arms)? (reach|length)",
    "(is|are) there {about} (within|in) (my|arm's|hand|arms)? (reach|length)",
    "@be {about} (graspable|touchable|in (my)? grasp) (from here)?",
    "@be {about} (close enough|near enough) (to (reach|touch|grab|me))?",
    "@be {about} reachable (from here)?",
    cues=(
        "reach thing +yes/no +carry +take +find +way +here +am",
    ),
)  # fmt: skip


def _side(said: Saying) -> str:
    return (
        f"{upper(said.question.name)} is on your {said.value}, "
        f"{metres(said.numbers['distance_m'], said.unit)} away{said.seen}."
    )


declare(
    q.SideOfMe, "choice", _side,
    "@be {about} (on|to) (my|the|your)? left (side)? or (on|to)? (my|the|your)? right (side)? (of me)?",
    "@be {about} left or right (of me|from me|from here)?",
    "(on|to)? (which|what) (side|hand) (of me)? (@be) {about} (on)? (of me)?",
    "(do|should|must) i (turn|go|look|walk) left or right (for|to|toward|to (find|get to|see|reach)) {about}",
    "left or right (for|to|of)? {about}",
    "{about} left or right",
    "which (side|hand) {about} is on",
    cues=(
        "side thing +which +what +yes/no +way +where +direction +find",
    ),
)  # fmt: skip


def _toward(said: Saying) -> str:
    words, question = DIRECTION_WORDS, said.question
    sure = "Yes" if said.value == YES else "No"
    where = QUARTER_WORDS[question.direction]
    if said.value == YES:
        return (
            f"{sure}, {question.name} is {where}, {metres(said.numbers['distance_m'], said.unit)} "
            f"away{said.seen}."
        )
    from situ.geometry.heading import named_way

    true = words[named_way(said.numbers["bearing_deg"], said.numbers["distance_m"])[0]]
    return f"{sure}, {question.name} is {true}{said.seen}."


declare(
    q.IsToward, "yes/no", _toward,
    "@be {about} (directly|right|somewhere|now|still)? {direction} (now)?",
    "(do i have|have i got) {about} {direction}",
    "(am i|are we) facing {about}",
    phrase("(am|are) @i (standing|sitting)? (with)? (my|our)? back (turned)? (to|toward) {about}",
           direction="back"),
    phrase("(should|do|must|shall|can) @i (have to|need to)? (look|turn|go|walk|head) (to (the|my))? left "
        "(for|to|to (find|see|get|reach|get to)) {about}", direction="left"),
    phrase("(should|do|must|shall|can) @i (have to|need to)? (look|turn|go|walk|head) (to (the|my))? right "
        "(for|to|to (find|see|get|reach|get to)) {about}", direction="right"),
    cues=(
        "direction thing yes/no +see +am +walk +visit +find +take +next",
        cue("turned thing +yes/no +facing +see +view +find", direction="back"),
        cue("facing thing +yes/no +am", direction="front"),
    ),
)  # fmt: skip


def _near(said: Saying) -> str:
    far = metres(said.numbers["distance_m"], said.unit)
    near = (said.value == YES) != said.question.far
    return f"{upper(said.question.name)} is {'near: only ' if near else ''}{far} away{said.seen}."


declare(
    q.IsNear, "yes/no", _near,
    "(am|are) @i (anywhere|already|still|getting|very|really)? (near|close|close to|near to|next to|by|"
    "nearby|beside|at) (to)? {about}",
    phrase("(am|are) @i (still|very|really)? (far from|far away from) {about}", far=True),
    "@be {about} (very|really|too|still|quite|that)? (near|near to|close|close by|nearby|near here|close "
    "to here|around here|within walking distance) (to|from)? (me|us|here)? (or (close|near|far|not))?",
    phrase("@be {about} (very|really|too|still|quite|that)? (far|far away|far off|far from here|distant|a "
    "long way off|a long way) (to|from|away from)? (me|us|here)? (or (close|near|not))?", far=True),
    "is it (very|still|really)? (close|near) (away)? (to|from|from here to) {about}",
    phrase("is it (very|still|really)? (far|a long way) (away)? (to|from|from here to) {about}", far=True),
    "(how)? (near|far) or (far|near) is {about}",
    cues=(
        "near thing yes/no +am +here +visit +exist",
        cue("far thing yes/no +am +here +visit +way", far=True),
        "near thing am",
    ),
)  # fmt: skip


def _nearest(said: Saying) -> str:
    far, words = metres(said.numbers["distance_m"], said.unit), DIRECTION_WORDS[said.value]
    return f"The nearest {said.question.which.singular} is {words}, {far} away{_level(said)}."


_GO = "(find|locate|show|point|take|lead|guide|bring|direct|navigate|walk|go|get|help|give)"
_NEXT = "(@most|next)"
_WHICH_WAY = "(where|which way|what way|which direction|what direction|in which direction|in what direction)"
declare(
    q.NearestOne, "choice", _nearest,
    f"{_WHICH_WAY} (@be|to|is it to|can @i find|do @i find|would i find) (the|my|a)? {_NEXT} {{which}} "
    f"(from here|to me|here)?",
    f"{_WHICH_WAY} (the|my)? {_NEXT} {{which}} (is|are)",
    f"(can you)? {_GO} (me|us)? (to|toward|at|find|me the way to|directions to)? (the|my|a) {_NEXT} "
    f"{{which}}",
    f"how (do|can|could) @i (get|go|find|walk) (to)? (the|my|a) {_NEXT} {{which}}",
    f"i (need|want|am looking for|would like|am after|have to find) (to (find|go to|get to|get))? (the|my|"
    f"a) {_NEXT} {{which}}",
    f"(the|my)? {_NEXT} {{which}}",
    f"(what|which) is the {_NEXT} {{which}} (to me)?",
    f"how far (away)? is (the|my) {_NEXT} {{which}}",
    f"which {{which}} is {_NEXT} (to me)?",
    f"is there {_NEXT} {{which}}",
    cues=(
        "nearest thing +where +which +what +way +need +find +near +here +exist +how +put +visit",
    ),
)  # fmt: skip


def _distance(said: Saying) -> str:
    return (
        f"{upper(said.question.name)} is {metres(float(said.answer.value), said.unit)} "
        f"away{spot(said, said.question)}{said.seen}."
    )


_UNIT = "(meters|feet|steps|yards|paces|cm|centimeters|inches|kilometers)"
declare(
    q.DistanceFromHere, "measure", _distance,
    "how (far|close|near) (away|off)? (from (here|me))? @be {about} (from (me|here|us|where @i (am|"
    "stand))|away|off|to me)?",
    "how (far|close|near) (away)? (am|are) @i (away)? (from|to) {about}",
    "how far (away|off)? is it (from (here|me))? (to|until|till) {about} (from here)?",
    "how far (do|must|would|will) @i (have to|need to|have)? (walk|go) (to|until|till|for) (reach|get "
    "to)? {about}",
    "how (long|far) is the (way|path|walk|route|trip|distance) to {about}",
    "is there a (big|long|large|great) distance (between me and|to|from me to) {about} (how (much|far|big))?",
    f"how many {_UNIT} (is it|are there|away|do i need|is|are|off|between me and)? (away)? (to|from me to|"
    f"is|from|until|till|are|between me and)? {{about}} (away|from (me|here)|off)?",
    "(what is)? (the)? distance (to|from me to|from here to|between me and|of) {about} (from me)?",
    "how far {about} (is|are) (away|from (me|here))?",
    "how (close|near) {about} (is|are)",
    cues=(
        "distance thing +how +what +am +here +yes/no +visit +find +where +walk +far +apart +exist +size "
        "-relation",
        "distance things relation +how +what +am",
        "distance thing walk +how +yes/no",
    ),
)  # fmt: skip


def _when(said: Saying) -> str:
    which = "first" if said.question.first else "last"
    return f"You {which} saw {said.question.name} {age_in_words(said.state.now - float(said.answer.value))}."


_SAW = (
    "(see|saw|seen|have seen|looked at|look at|notice|noticed|spot|spotted|had|have|encounter|come "
    "across|use|used)"
)
declare(
    q.SeenWhen, "time", _when,
    phrase("when (did|have|had) @i (first|initially) @see {about}", first=True),
    phrase("when (did|have) @i @see {about} (first|for the first time|the first time)", first=True),
    phrase("when @be {about} first (seen|noticed|spotted)", first=True),
    phrase("(when|what) was (it)? (the)? first time (that)? @i (@see|have seen|had seen) "
    "{about}", first=True),
    phrase("how long ago did @i first @see {about}", first=True),
    f"when (did|have|had) @i (@last|for the last time)? {_SAW} {{about}} (last|the last time|most recently)?",
    "when @be {about} (@last)? (seen|noticed|spotted|in view|visible) (last)?",
    f"(when|what) (was|is) (it)? (the)? last time (that)? @i (have|had)? {_SAW} {{about}}",
    f"how long (ago)? (is it|was it|has it been|have)? (since)? (did)? @i (have)? (@last)? {_SAW} "
    f"{{about}} (last)?",
    f"how long (ago)? (is it|was it|has it been)? (that)? @i (have)? (@last)? {_SAW} {{about}}",
    f"how much time (has)? (passed)? since @i (last)? {_SAW} {{about}}",
    f"(the)? last time (that)? @i {_SAW} {{about}}",
    f"when @i (last)? {_SAW} {{about}}",
    "(have|did) @i (already)? (pass|passed|walk past|walked past|go past|gone past|come past) (by)? {about}",
    "how (old|recent|fresh) is (the|my|your) (last)? (sighting|memory|view) of {about}",
    cues=(
        "when see thing +last +yes/no +put",
        "when last thing +see +carry",
        "when thing view +last",
        cue("when see first thing +visit", first=True),
        cue("when first thing +see +visit +exist", first=True),
    ),
)  # fmt: skip


def _was(said: Saying) -> str:
    far, words = metres(said.numbers["distance_m"], said.unit), DIRECTION_WORDS[said.value]
    return f"{upper(said.question.name)} was then {far} from where you are now, {words}."


declare(
    q.WhereWas, "choice", _was,
    phrase("(in which direction|in what direction|which way|where) (from (where @i (am|are) now|where @i "
    "(am|are)|here|me))? (@be|did|had|have) (@i)? (@put|be|been|put|have)? {about} (been|be|lie|stand|"
    "sitting|lying|standing|then|in)?", needs="time"),
    phrase("(where|which way|in which direction) {about} (was|were|had been)", needs="time"),
    phrase("where (did|could|can) {about} (stand|lie|sit|hang|live|rest|be|be found)", needs="time"),
    phrase("(position|location|place|whereabouts) of {about}", needs="time"),
    phrase("what was (the)? (position|location|place) of {about}", needs="time"),
    cues=(
        "what thing time -see -change -move -take",
        "where thing time +put +find +see +visit +before +which",
        "find thing time -need",
    ),
)  # fmt: skip


def _all(said: Saying) -> str:
    number, which = int(said.numbers["count"]), said.question.which
    if number == 1:
        one = q.WhereFromHere(which)
        return _where(replace(said, question=one, answer=one.answer(said.state)))
    if UNNAMED not in said.value:
        return f"{number} {which.plural}: {said.value}."
    named = {view.id: view for view in said.state.objects() if view.id in said.answer.things[:MOST_LISTED]}
    ways = [_way(said, view) for view in named.values()]
    more = f" and {number - len(ways)} more" if number > len(ways) else ""
    return f"{number} {which.plural}: {', '.join(ways)}{more}."


def _way(said: Saying, view: ObjectView) -> str:
    """Where one of several things is, where nothing has a name that it lies in."""
    bearing, far, _ = heading_now(said.state).polar(view.box.center)
    return f"one {DIRECTION_WORDS[named_way(bearing, far)[0]]}, {metres(far, said.unit)} away"


declare(
    q.AllOf, "list", _all,
    "(where|which way) (are|is) (all|every|each|all of) (of)? (the|my|our|these|those)? {which}",
    "(list|show|find|give|tell|locate|name|enumerate) (me)? (a list of|where)? (all|every|each|all of|the "
    "list of) (of)? (the|my|our)? {which} (are|is)? (here|there are)?",
    "(list|enumerate) (me)? (all)? (the|my)? {which} (that)? (@i|you) (have|had)? (@see|know of|know)",
    "(list|enumerate) (me)? (the|my)? {which}",
    "give me a list of (all)? (the|my)? {which}",
    "where (all)? (the|my) {which} are",
    "where (can|could|do|would|might) (i|we) find (some|any|all|a|all the|more)? {many}",
    "where are {many} (from here)?",
    "where do (i|we) (have|keep|store) {many}",
    "(all|every|all of) (the|my)? {which} (that)? ((you|i) know (of|about)?)?",
    "(what|which) {which} (are|is) there (here)?",
    "(what|which) {many} do (i|we) have",
    "find {many}",
    cues=(
        "where thing plural all +list +find",
        "where all thing +list +find +need +visit +which +exist +put +see",
        "list all thing +where +find",
        "list thing plural +where +all +exist",
        "all find thing plural +where +need",
    ),
)  # fmt: skip
_FIND = (
    "(find|locate|show|point|take|lead|guide|bring|direct|navigate|walk|go|get|help|spot|fetch|search|"
    "look|seek|track down)"
)
declare(
    q.WhereFromHere, "choice", _where,
    f"{_WHICH_WAY} (from (where @i (am|are) now|where @i (am|are)|here|me|you|where you are now))? @be "
    f"{{about}} (from (here|me|you|where @i (am|are) (now)?)|relative to me|compared to me|located|in|"
    f"hiding|hidden|situated|to be found|placed|kept|standing|lying|at|again|gone|now|off to)?",
    f"{_WHICH_WAY} (to|do @i (go|turn|look|walk) (to|for|toward)?|toward|is it to|should @i (go|turn|"
    f"look) (for|to)) (find|get to|get|reach|see)? {{about}}",
    "where (@did)? @i (@last)? (possibly|probably|maybe|have|just)? (have)? @put {about} (last|down|again|"
    "to|at|lying|around|the last time)?",
    "where (has|have|had|did|does|do) {about} (gone|got to|gotten to|go|went|got|end up|ended up|"
    "disappear to|disappeared to|disappear|vanish to|wander off to|get to|been|run off to|land|stand|lie|"
    "live|sit|belong|be) (to|now)?",
    "where (did|do|does|has) (@i|you|@someone) (@last)? (@put|see|have|hide|leave|stash|place|misplace|"
    "keep) {about} (last|down|again)?",
    "where (can|could|do|would|should|might|may|will|am|are) (i|we) (going to)? (find|get|look for|see|"
    "expect|search for) {about}",
    "where (could|might|can|may|would|should) {about} (be|have gone|have got to|have ended up|possibly be|"
    "hide|be hiding)",
    "where {about} (is|are|was|were|got to|has gone|have gone|went|has got to|gone|could be|might be|may "
    "be|can be found|at|goes|lies|stands|sits|ended up)",
    "i (can not|could not|do not|never|no longer|just can not) (seem to|see|know where)? (find|see|locate|"
    "spot|know where|remember where @i (put|left)|recall where @i (put|left)|know where @i (put|left)) "
    "{about} (is|are|anywhere)?",
    "(@did)? (you|anyone|someone|anybody) (know|seen|see|saw|notice|noticed|find|found|remember) (where)? "
    "{about} (is|are|anywhere|somewhere|around|lately|lying around|recently|here)?",
    "(have|did|do) you (seen|see|find|notice) {about} (anywhere|somewhere|around|lately|here)?",
    f"{_FIND} (me|us|up|for)? (to|at|for|toward|the way to|directions to|where|find)? (find)? {{about}} "
    f"(for me|is|are)?",
    "how (do|can|could|would|should|might) @i (get|go|find|walk|come|reach|navigate) (to|toward)? {about} "
    "(from here)?",
    "i (am|was) (looking|searching|hunting|after) (for)? {about}",
    "(looking|searching|hunting) for {about}",
    "i (need|want|would like|require|could use|must have|have to find|need to find|want to find|have to "
    "get|would love) (to (find|get|have|reach|see|grab|go to|get to))? {about} (, where is it|back)?",
    "i (have|had|must have|seem to have|think i|might have|may have)? (lost|misplaced|mislaid|forgotten|"
    "forgot|dropped) (track of|where @i (put|left)|where)? {about} (is|are|somewhere)?",
    "(what is|tell me|give me)? (the)? (last)? (known|seen)? (location|position|place|"
    "whereabouts|spot|direction|way|directions|route|path|bearing|heading) (of|to|for) {about} "
    "(relative to me|from here|from me)?",
    "give me (the)? (directions|location|way) (to|of) {about}",
    "(my|the|that|those|these|our|a) {thing} (where|which way) (is|are|was|did i put) (it|that|they|"
    "them)? (now)?",
    "{bare} (where|location|position|please|whereabouts)?",
    "{about} (is|are) (missing|lost|gone|where|nowhere (to be found)?)",
    "(what|which) direction (@be|to) {about} (in)?",
    "(where|which way) (is|are) {about} (relative to me|from here)",
    "i wonder where {about} (is|are|went|got to)",
    "remember where {about} (is|are|was)",
    "do i (still)? have {about} (with me|here)",
    cues=(
        "where thing +walk +find +put +last +need +lost +see +way +yes/no +carry +gone +how +here +place "
        "+take "
        "+still +reach -move -before",
        "where relation things +find +put +need +see +way +yes/no +last",
        "lost thing +find +need +put +see +last +visit +yes/no",
        "find thing +need +way +see +how +yes/no",
        "way thing +need +find +where +lost +reach +yes/no +how +visit",
        "need thing +find +put +way +see +how",
        "need relation things +find +where +way",
        "find relation things +need",
        "gone thing -yes/no +lost +find",
        "see thing yes/no -when -count -view +find +last",
        "thing",
    ),
    needs="now",
)  # fmt: skip
_ = listed
