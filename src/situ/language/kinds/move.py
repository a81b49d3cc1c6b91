"""What was moved: by whom, when, from where; what changed; what is still there."""

from situ import questions as q
from situ.language.kind import Saying, cue, declare, phrase
from situ.language.phrasing import ago, listed, upper
from situ.questions.changes.moved import BACK, GONE, IN_HAND, MOVED, UNCHANGED, YOU
from situ.questions.scene.view import YES

_MOVED = (
    "(moved|carried|shifted|displaced|touched|relocated|taken away|taken|removed|put elsewhere|"
    "picked up|rearranged)"
)
_ONE = "(anyone|someone|somebody|anybody|they|he|she|my (housemate|flatmate|wife|husband|partner|kids|kid))"


_OTHER = (
    "(someone else|anyone else|somebody else|another person|others|other people|(my|the|our|a) (housemate|"
    "flatmate|roommate|wife|husband|partner|kids|kid|child|children|coworker|colleague|colleagues|"
    "mother|father|sister|brother|son|daughter|nurse|carer|guest|guests|friend|cleaner|visitor|visitors))"
)


def _last(said: Saying) -> str:
    when = ago(said)
    who = "You last moved" if said.question.mine else "Last moved was"
    return f"{who} the {said.value}{', ' + when if when else ''}."


_LAST_THING = "(the)? (very)? (last|latest|most recent) (thing|object|item|one)"
declare(
    q.LastMoved, "name", _last,
    "(what|which (thing|object|one)) did @i @move (@last|up last)",
    "(what|which (thing|object|one)) did @i @last @move (up|around|away|down)?",
    f"(what|which) (is|was) {_LAST_THING} (that|which)? @i (have|had)? @move (up|around|away|down)?",
    f"{_LAST_THING} @i (have)? @move (up|down|around)?",
    "(what|which (thing|object)) (have|had) @i @last @move (up)?",
    "what did @i have in my (hand|hands) (last|before|most recently)",
    "what (was|am) i (last)? (holding|carrying) (last)?",
    phrase(f"(what|which (thing|object)) (was|has been|got) {_MOVED} last", mine=False),
    phrase(f"(what|which) (is|was) {_LAST_THING} (that|which)? (was)? {_MOVED}", mine=False),
    cues=(
        "what carry last +move +put +see +am",
        "which move last +carry",
        "carry last +what +which +move +put",
        "what move last +which +carry",
        "what carry +am +put +last",
        "last carry +put +move",
    ),
)  # fmt: skip


def _taken(said: Saying) -> str:
    place = said.question.place or said.question.anchor.singular
    act = "Brought to" if said.question.brought else "Taken from"
    return f"{act} the {place}: {listed(said.value, 'nothing that I know of')}."


_TAKE = (
    "(take|taken|took|carry|carried|remove|removed|bring|brought|move|moved|pick up|picked up|grab|"
    "grabbed|get|fetch|fetched)"
)
_FROM = "(out of|off of|away from|from|off)"
_BRING = "(bring|brought|carry|carried|take|took|taken|move|moved|put)"
_INTO, _ONTO = "(into|to|in|over to)", "(onto|on|to|into)"
_WHAT = "(what|which things|which objects|what things|which thing|how many things)"
declare(
    q.TakenAway, "list", _taken,
    phrase(f"(what|which (thing|things|object|objects)) (did|have|had) @i (last)? {_TAKE} (away|out)? "
    f"{_FROM} {{goal}} (last)?"),
    phrase(f"(what|which (thing|things)) (was|were|is|has been|have been|got) (last)? {_TAKE} (away|out)? "
    f"{_FROM} {{goal}}"),
    phrase(f"(what|which (thing|things|object|objects)) (did|have|had) @i (last)? {_TAKE} (away|out)? "
    f"{_FROM} {{anchor}} (last)?"),
    phrase(f"(what|which (thing|things)) (was|were|is|has been|have been|got) (last)? {_TAKE} (away|out)? "
    f"{_FROM} {{anchor}}"),
    phrase(f"what (is|has gone) (missing|gone) {_FROM} {{goal}}"),
    phrase(f"what (is|has gone) (missing|gone) {_FROM} {{anchor}}"),
    phrase(f"did (@i|@someone) {_TAKE} (anything|something) (away|out)? {_FROM} {{goal}}"),
    phrase(f"did (@i|@someone) {_TAKE} (anything|something) (away|out)? {_FROM} {{anchor}}"),
    phrase("(is|has)? anything (missing|gone|gone missing) (from|in) {goal}"),
    phrase("(is|has)? anything (missing|gone) (from|on|in) {anchor}"),
    phrase(f"{_WHAT} (did|have|had) @i (last)? {_BRING} {_INTO} {{goal}} (last)?", brought=True),
    phrase(f"{_WHAT} (was|were|has been|have been|got) {_BRING} {_INTO} {{goal}}", brought=True),
    phrase(f"{_WHAT} (did|have|had) @i (last)? (bring|brought|carry|carried) (over)? {_ONTO} {{anchor}} "
    f"(last)?", brought=True),
    phrase(f"did (@i|@someone) {_BRING} (anything|something) {_INTO} {{goal}}", brought=True),
    phrase(f"what (was|is) the (thing|object) (that)? @i (have|had)? {_BRING} {_INTO} {{goal}} (a while "
    f"ago)?", brought=True),
    cues=(
        "what take place +which +carry +visit +move +put",
        "take place yes/no +carry +exist +visit +move",
        "carry place what +visit +move",
        "take place which +carry +visit",
        "take place stuff",
    ),
)  # fmt: skip


def _things(said: Saying) -> str:
    who = (
        "Moved by somebody else:" if said.question.others else "You moved" if said.question.mine else "Moved:"
    )
    return f"{who} {listed(said.value, 'nothing that I know of')}."


declare(
    q.MovedThings, "list", _things,
    phrase(f"{_WHAT} (did|have|had) @i (all)? @move (around|about|up|away|with me|so far)?"),
    phrase("(did|have) @i @move (anything|something) (around|up)?"),
    phrase(f"{_WHAT} (was|were|have been|has been|got) {_MOVED} by me"),
    phrase("(list|show|name) (me)? (all)? (the)? things (that)? @i (have)? @move (around)?"),
    phrase(f"{_WHAT} (did|has|have) {_OTHER} @move (around|about|up|away)?", mine=False, others=True),
    phrase(f"(did|has|have) {_OTHER} @move (anything|something|things|any things) (around|about|away)?",
           mine=False, others=True),
    phrase(f"({_WHAT} (was|were|have been|has been|got|are)?|(list|show|name) (me)? (all)? (the)? things "
    f"(that were)?) {_MOVED} by {_OTHER}", mine=False, others=True),
    phrase(f"(which|what|how many) things (was|were|have been|has been|got|are) {_MOVED} (around)?",
           mine=False),
    phrase(f"(list|show|name)? (me)? (all)? (the)? {_MOVED} things", mine=False),
    cues=(
        "what move +all +list +which +put +see +exist",
        "move stuff +all +list +which",
        "which move +all +list",
        "all move +list +what +carry",
    ),
)  # fmt: skip


def _who(said: Saying) -> str:
    name = said.question.which.singular
    return (
        f"You moved the {name}."
        if said.value == YOU
        else f"Not you: somebody else must have moved the {name}."
    )


declare(
    q.MovedBy, "choice", _who,
    "who (has|had|was it that|is it who)? (last)? (@move|put|stole|removed|brought|used|had|left|placed|"
    "misplaced) (away)? {which} (away|there|here|last|up)?",
    "(was it|is it|was that) (me|i) (who|that) (@move|put|left|removed) {which} (there|away|here|last)?",
    "(by whom|who by) was {which} (last)? (@move|put|removed)",
    "who was {which} (last)? (moved|carried|taken|put there) by",
    "did (i|someone else|i or someone else) @move {which} or (was it)? (someone else|me|i)",
    cues=(
        "who move thing +put +which +here",
        "who thing put +move +here",
        "who thing take +put",
        "who thing carry +put +move",
        "move thing who +yes/no +put +take",
    ),
)  # fmt: skip


def _has_moved(said: Saying) -> str:
    name, number = said.question.which.singular, int(said.numbers.get("count", 0))
    if said.value != YES:
        return f"No, as far as I know the {name} has not been moved."
    return f"Yes, the {name} was moved{f' {number} times' if number > 1 else ''}."


declare(
    q.HasMoved, "yes/no", _has_moved,
    f"(has|have|had) {{which}} (ever|been|already|gotten)? (been)? {_MOVED} (away|at all)?",
    f"(did|does) {{which}} (ever)? (move|change (its)? (place|position|location)|get {_MOVED}|change) (at "
    f"all|around)?",
    f"(was|were|is|are|got) {{which}} (ever)? {_MOVED} (away|at all)?",
    f"(did|has|have) (@i|{_ONE}) (ever)? (@move|changed|removed|remove) {{which}} (away|around|elsewhere)?",
    "(has|did) the (position|place|location) of {which} (changed|change)",
    "is {which} (somewhere else|elsewhere|in another place|in a different place|not where it was) (now)?",
    cues=(
        "move thing +yes/no +still +put +happen +before +all +gone -when -who -where -what",
    ),
)  # fmt: skip


def _still(said: Saying) -> str:
    name = said.question.which.singular
    yes = said.value == YES
    if yes != said.question.gone:
        return f"{'Yes' if yes else 'No'}, as far as I know the {name} is still there{said.seen}."
    return f"{'Yes' if yes else 'No'}, the {name} is no longer where I saw it{said.seen}."


_THERE = (
    "(there|here|around|in (its|the|the same|the right) (place|spot|position)|where (it|they|i) (was|were|"
    "is|left it|left them|put it|"
    "put them|last saw it|had it|saw it|last put it|dropped it)|at (its|the|the same) (same|previous|"
    "last|old|usual|original|former)? (place|spot|location|position)|in place)"
)
declare(
    q.StillThere, "yes/no", _still,
    f"(is|are|was|were) {{which}} (still|not)? {_THERE} (still)?",
    phrase("(is|are|has|have) {which} (gone|gone missing|missing|disappeared|vanished|lost|away|been "
    "(taken|stolen|removed|taken away)) (now)?",
           gone=True),
    f"is {{which}} (still)? {_THERE} or (not|gone|has it moved|was it moved)",
    f"(do|will) i (still)? find {{which}} {_THERE}",
    phrase("did {which} (disappear|vanish|go missing)", gone=True),
    "did {which} (stay|remain) (there|put|where it was|in place)",
    "{which} still there",
    cues=(
        "still thing +yes/no +where +put +take +gone +change +here",
        cue("gone thing yes/no +lost +find +take", gone=True),
    ),
)  # fmt: skip


def _happened(said: Saying) -> str:
    name = said.question.which.singular
    words = {
        MOVED: "was moved", GONE: "is gone from where I saw it", UNCHANGED: "has not been moved, as far "
        "as I know",
        IN_HAND: "is in your hands", BACK: "was moved and brought back",
    }  # fmt: skip
    return f"The {name} {words[said.value]}{said.seen}."


declare(
    q.HappenedTo, "choice", _happened,
    "what (has|is)? (happened|happening) (to|with) {which}",
    "what (became|has become|come) of {which}",
    "what did @i do (with|to) {which}",
    "what (is|was) (going on|up) with {which}",
    "(where did|where has) {which} (go|gone|disappear|disappeared|vanish|vanished) (to)? and (what "
    "happened|why)",
    "anything happen to {which}",
    "did (anything|something) happen to {which}",
    cues=(
        "happen thing +what +how +find +gone +where +put",
        "what thing happen",
    ),
)  # fmt: skip


def _when(said: Saying) -> str:
    return f"The {said.question.which.singular} came to its place {ago(said)}."


declare(
    q.MovedWhen, "time", _when,
    "when (did|have|had) @i (@last)? (@move|put|place|leave|bring|set) (down|up)? {which} (there|here|"
    "down|last|away|the last time|up|to its place)?",
    f"when (was|were|has|have) {{which}} (been)? (@last)? ({_MOVED}|put|placed|put down|brought|left) "
    f"(there|here|down|last|away)?",
    "(since when|how long) (has|have|is|was) {which} (been)? (lying|standing|sitting)? (there|here|where "
    "it is|in its place|at its place|that way|around)",
    "how long ago (did @i|was|were) {which} (moved|put there|put down|carried|placed)",
    "how long ago did @i (@move|put|leave) (down)? {which} (there|down|here)?",
    "(what|when) was (it)? (the)? last time (that)? (@i (@move|put down|touched) {which}|{which} was moved)",
    "how long ago did @i (@move|put|leave) {which}",
    cues=(
        "when move thing +how +last +put +who +carry",
        "when take thing +put",
        "when carry thing +put +last +move",
    ),
)  # fmt: skip


def _came(said: Saying) -> str:
    return f"The {said.question.which.singular} was at the {said.value} before."


declare(
    q.KeptWhere, "choice", lambda said: f"It was {said.value}.",
    phrase("where was {which} before it was last moved", needs="options"),
    phrase("where was {which} (before)? (it was last moved)?", needs="moved options"),
    phrase("where did {which} lie (until it was last moved)?", needs="moved options"),
    phrase("where did {which} lie until it was last moved", needs="options"),
)  # fmt: skip
declare(
    q.CarriedFromTo, "choice", lambda said: f"It was moved {said.value}.",
    phrase("from where to where was {which} moved (the)? (last time)?", needs="options"),
    phrase("when {which} last changed its place (,)? where did it come from and where did it "
    "go", needs="options"),
)  # fmt: skip
declare(
    q.TakenFrom, "choice", lambda said: f"The {said.value}.",
    phrase("which of these did @i take from {anchor} last", needs="options"),
    phrase("what did @i last take from {anchor}", needs="options"),
)  # fmt: skip
_BEFORE = (
    "(before|earlier|previously|originally|initially|first|to begin with|at first|beforehand|before "
    "(this|that|then|it (was)? (last)? moved))"
)
declare(
    q.CameFrom, "name", _came,
    phrase("where (was|were|did @i (put|have|keep|leave)|had) {which} (been|lie|stand)?", needs="moved"),
    f"where (was|were|had) {{which}} (been)? {_BEFORE} (it was (last)? moved|i moved it)?",
    phrase("where did {which} (use to)? (be|stand|lie|sit|come from|live) (before|earlier|originally|until "
           "it was (last)? moved)?", needs="now"),
    "where did @i (take|get|bring|pick up|fetch|carry|move|pick) {which} (up)? (away)? from",
    "(from where|where from) did @i (take|get|bring|pick up|fetch|carry|move) {which}",
    "(from where|where from) (was|did) {which} (taken|moved|come|brought)",
    "where was {which} (taken|moved|brought|carried|picked up|fetched) from",
    "(from where|where from) (came|comes|does) {which} (come)?",
    "where (has|have) {which} come from",
    "({which} origin|(the)? origin of {which})",
    "what was (the)? (previous|old|former|last|original|earlier) (place|position|location|spot) of {which}",
    "(previous|old|former|original) (place|position|location|spot) of {which}",
    cues=(
        "where before thing +put +move +visit +see +find +stand +last",
        "before thing find",
        "before thing what where +put",
        "where take thing +put +carry +move",
    ),
)  # fmt: skip


def _from_to(said: Saying) -> str:
    return f"The {said.question.which.singular} was last moved {said.value}."


declare(
    q.MovedFromTo, "name", _from_to,
    "(from where to where|from where and to where|where from and where to) (was|did @i|has|have @i) "
    "{which} (been)? (last)? (@move)? (the last time|last)?",
    "(from where to where|from where and to where) (did|have) @i (@last)? @move {which} (last|the last "
    "time)?",
    "where (did|have) @i (@last)? @move {which} (to|away|off to)?",
    "where (was|were|has) {which} (been)? (last)? (moved|carried|taken|brought|put) (to|away)",
    "when {which} last changed its place (,)? where did it come from and where did it go",
    "how did {which} (move|get there|travel|get here)",
    cues=(
        "from_to thing +where +move +visit +carry +take",
    ),
)  # fmt: skip


def _changes(said: Saying) -> str:
    if said.value == "nothing":
        where = f" in the {said.question.place}" if said.question.place else ""
        return f"Nothing has changed{where}, as far as I know."
    return f"{upper(listed(said.value, ''))}."


_CHANGE = (
    f"((did|has|have|is|are|was|were) (anything|something|any things|things|any) (been|at all|been any)? "
    f"(change|changed|move|moved|different|new|happen|"
    f"happened|missing|disturbed|{_MOVED}|other|unusual|differ|out of place|gone missing|appear|disappear|"
    f"disappeared)"
    "|what (has|have|did|is|was|all|else|things|got)? (been|all)? (change|changed|changes|moved|move|"
    "different|new|happened|happen|been moved|missing|disappeared|shifted)"
    "|(were|are|have) there (any|been any) (changes|change)|anything (new|different|changed|moved|missing|"
    "happen|happened|changes)|any (changes|change|news)"
    f"|(did|has) (anyone|someone|somebody|anybody) {_MOVED.replace('moved|', 'moved|move|')} (anything|"
    f"something)|what (are|were) the changes|what changes"
    "|tell me what (has)? changed|(list|show me) (the|all)? changes)"
)
_AT = "(in|inside|at|of)"
declare(
    q.Changes, "list", _changes,
    phrase(f"{_CHANGE} @here (then)?", place="here"),
    phrase(f"{_CHANGE} {_AT}? {{goal}}"),
    phrase(f"{_CHANGE} (on|at|in|around|near|about|inside|by) {{anchor}}"),
    phrase(f"(has|have|did|is|was) (anything|something) (on|at|in|around|near|inside|by) {{anchor}} "
    f"(been)? (changed|change|moved|move|different|{_MOVED})"),
    phrase(f"(has|have|did|is|was) (anything|something) in {{goal}} (been)? (changed|change|moved|move|"
    f"different|{_MOVED})"),
    phrase(f"{_CHANGE} (at all|then|here and there|so far)?"),
    phrase("(is|are) (the)? {goal} (still)? (the same|unchanged|as it was|like before|(how|as|the way) "
    "i left it) (as "
    "before)?"),
    phrase("is (everything|all things) (still)? (the same|as before|where it was|in place|in its place|"
    "unchanged|as i left it)"),
    cues=(
        "change +what +which +where +see +move +here +exist +all +how +before +find +list +put +yes/no",
        "change place +what +see +move +exist +all +before +yes/no",
        "change time +what +which +see +move +exist +all +before +yes/no",
        "move time +what +yes/no +exist +all +which +see",
        "still what -thing -things +where",
    ),
)  # fmt: skip
