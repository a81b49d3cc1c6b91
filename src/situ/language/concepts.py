"""Words of questions by what they are about: "height", "how tall" and "how high" ask for one thing.

Read order-free, for sentences that no phrase fits. The longest run of words is taken first.
"""

from collections.abc import Iterator
from functools import cache

# What each concept is called by, in the spelling of a tidied sentence.
_WORDS = {
    "where": "what place|which place|in what place|what location|the place of|the places of|places of|"
    "where|wherever|in which spot|in what spot|what spot|which spot|location|position|whereabouts",
    "what": "what|whatever|who or what|what or who",
    "which": "which|whichever|what kind of",
    "who": "who|who else|whom|whose|which person|someone else|anyone else|myself or",
    "how": "how",
    "when": "at what point|at which point|how much time ago|when|whenever|what time|at what time|which time"
    "|how long ago|how long since|"
    "how long is it since|how long has it been since|how long has it been|how much time since|"
    "how many minutes ago",
    "way": "turn me|turn us|lead them|send them|which way|what way|which direction|what direction|in which "
    "direction|direction|directions|"
    "route|path|the way|way|how do i get|how can i get|how would i get|how do i go|how should i get|"
    "get me|take me|lead me|guide me|bring me|walk me|point me|steer me|navigate|navigate me|direct me|"
    "walk over|go over|head over|get over|get there|find my way|how to get|how to go|get us|take us",
    "back": "back|return|returning|the way i came|where i came from|where i started|where i began|"
    "retrace|where i set off|where i set out|starting point|the start|the beginning|start",
    "distance": "how far|how far off|how far away|how far out|distance|how many meters|how many feet|"
    "how many steps|how many yards|how many paces|how many inches|how many centimeters|"
    "how much farther|how close|how near|a long walk|how long a walk|how big a distance|what distance|"
    "meters|feet|steps|paces|range|the range|how much of a walk|how much farther",
    "apart": "measure from|measure between|gap from|the gap from|what is the gap|how wide is the gap|how "
    "big is the gap|how large is the gap|apart|between|separates|separate|separated|from each other|from "
    "one another",
    "near": "in my vicinity|in my neighborhood|near|close|close by|nearby|close to|near to|next door|in the "
    "vicinity|not far|"
    "a short walk|around the corner",
    "far": "far|far off|far away|a long way|distant|far from|remote from|a fair distance|a long way off",
    "nearest": "closest|quickest|closest one|most nearby|least far|soonest|shortest walk|fastest",
    "closer": "farther|farther one|less of a walk|closer|sooner|less far|more near|quicker to get to|a "
    "shorter walk|closer one|"
    "farther away",
    "side": "which side|what side|side of me|side|which hand|left or right|right or left|"
    "left or the right|left or my right|left or on my right|right or my left",
    "turned": "turned around|turn around|turned round|turn round|spin around|turn back|about face|do a 180",
    "facing": "facing|face|looking toward|turned toward|pointing at|looking straight at|heading for|"
    "headed for",
    "reach": "without moving|without getting up|without walking|without taking a step|without a step|"
    "my hand|get my hand on|reach|touch|grab|arm|arm's|arms|stretch|get hold of|"
    "get my hands on|lay hands on|grasp|within reach|reachable|getting up|standing up|arm's length|"
    "pick up from here|reaching|moving my feet",
    "room": "which room|what room|in which room|in what room|room|what part of the house",
    "rooms": "rooms|which places|what places|places|which of the rooms",
    "color": "color|what color|colored|colors|shade|hue|painted|tint",
    "size": "how big|size|how large|large|big|dimensions|how wide|width|wide|how long and wide|"
    "measurements|how small|small|how much space",
    "tall": "tall|height|high|how tall|how high",
    "bigger": "takes up more room|takes up more space|take up more room|take up more space|takes more space|"
    "takes more room|occupies more|more voluminous|more massive|bigger|biggest|smaller|smallest|bulkier"
    "|bigger one|taller",
    "see": "see|saw|seen|seeing|laid eyes on|lay eyes on|set eyes on|clapped eyes on|come across|"
    "came across|coming across|notice|noticed|spot|spotted|show up|showed up|shown up|sighting|"
    "run into|ran into|glimpse|glimpsed|pass by|passed|passed by|catch sight of|caught sight of|"
    "encounter|encountered|turn up|turned up|look at|looked at|noticing|meet",
    "view": "in view|in sight|visible|looking at|in front of my eyes|before my eyes|in my sight|"
    "in my view|in the picture|on camera|in my field of view|can i see|do i see|am i seeing|in frame|"
    "under my nose|staring at|gazing at|camera see|the camera see|camera sees|you see it now|within view",
    "first": "first|first time|initially|earliest|first of all|the other way round|or was it|"
    "for the first time",
    "last": "last|last time|latest|most recently|most recent|recently|just|just now|just then|"
    "last of all",
    "move": "changed their place|change their place|changed their places|changed position|moving about"
    "|moved about|moves about|been moved|move|moved|moves|moving|shift|shifted|"
    "shifting|displace|displaced|relocate|relocated|changed places|change places|changed place|"
    "change place|change position|changed position|messing with|messed with|mess with|fiddled with|"
    "fiddling with|tampered with|switch places|been moving|move around|moved around|rearranged|"
    "rearrange|touching|been at|budged|pushed|dragged|different place|different spot",
    "take": "anything leave|anything leaves|something leave|things leave|go out of|went out of|disappear "
    "from|"
    "disappeared from|vanish from|missing from|gone from|carried away|carry away|lifted from|things left"
    "|what left|which left|leave the room|take|took|taken|taking|remove|removed|"
    "take away|taken away|take out|taken out|carry out|carried out|carried off|went out|leave with|"
    "walk out with|walked out with|taken along|away from|bring out|brought out|nicked|swiped|stole|"
    "stolen|out of",
    "carry": "carry|carried|carrying|in my hand|in my hands|hold|held|holding|pick up|picked up|pick|"
    "picked|put down|set down|handle|handled|my hands on|hands on|hands|lug|lugging|lugged|grabbed|"
    "had hold of|lay down",
    "put": "put|leave|i left|we left|did i leave|placed|stash|stashed|set|lay|laid|stuck|stick|kept|"
    "keep|stuff|dump|dumped|park|parked|store|stored|drop|dropped|tuck|tucked|stowed|stow",
    "before": "before|used to be|use to be|used to stand|use to stand|used to sit|used to live|"
    "use to live|previously|originally|original|old|earlier|formerly|former|previous|prior|used to|"
    "use to|at first",
    "from to": "from where to where|from and to|from and where to|where from and where to|"
    "from what to what|from which to which|from where and to where|from which place to which place|"
    "from where and where to",
    "happen": "do to|did to|done to|happen|happened|became of|become of|story|going on with|up with|done "
    "with|do with|"
    "did i do with|fate of|deal with|going on|wrong with|did with",
    "still": "still|where it used to be|where they used to be|where it always is|where it is supposed to be|"
    "remain|remains|remained|in its spot|in its usual place|its usual place|in its usual spot|in place|in "
    "the same position|where i left|where i put|where i had left|where i had put|same place|same spot|"
    "where it was|where it should be|in its place|where it belongs|the same|as i left|untouched|"
    "unmoved|stayed|stay",
    "gone": "wandered off|wander off|walked away|run away|ran away|run off|legs|gone|disappeared|"
    "vanished|missing|gone missing|disappear|vanish|went missing|not there|no longer there|"
    "not there anymore|walked off",
    "lost": "lost|misplaced|mislaid|can not find|not find|not seeing|lose|losing|can not see|"
    "can not spot|not see|not spot|unable to find|nowhere|forgot where|forgotten where|no clue where",
    "need": "need|want|could use|looking for|look for|fetch|wanted|needs|wants|search|searching|"
    "searching for|hunting for|after|asking for|would like|in need of",
    "find": "find|found|locate|located|show me|point out|look|end up|ended up|got to|get to|gone to|"
    "hiding|hidden|where abouts|hide|track down|turn",
    "exist": "there would|would there be|there might|might there be|there be|got|is there|are there|"
    "there is|there are|anything|something|have got|have i got|have we got|do i have|do we have|own|"
    "such a thing|exist|exists|anything like|did i have|does this house have|any|have a|have any|"
    "ever see|something like",
    "count": "how many|number of|the number|number|count|count up|counting|total|total of|"
    "total number of|what number of|amount of|sum of|how many of",
    "more": "in the majority|majority|more numerous|outnumbered|outnumbers|more common|more|most|outnumber"
    "|fewer|less",
    "all": "all|all of|every|each|every one of|all together|the lot",
    "list": "walk me through|take me through|tell me all|give me an idea of|contents|inventory|list|rundown"
    "|run through|run me through|describe|read out|name|"
    "tell me about|give me|go through|talk me through|overview|summarize|summary|list me|enumerate",
    "sit": "sit|sit down|seat|sat|sitting on|take a seat|rest my bum",
    "fit": "big enough|large enough|walk through|get by|fit|squeeze|squeeze through|get between|"
    "get through|go between|walk between|enough room|enough space|pass|pass between|wide enough|"
    "room enough|slip between|gap|get past|room for me|space for me",
    "change": "changed|change|changes|changing|different|difference|differences|altered|new|"
    "not the way|not the same|not where it was|out of place|not as it was|been touched|touched|"
    "not the same anymore|anymore|other than before|not like before|than before|been changed",
    "walk": "walk|walked|walking|on foot|cover|covered|travel|traveled|travelled|hike|come so far|"
    "wander|wandered|footwork|stroll|legwork",
    "visit": "been|explored|explore|toured|hung around in|went|go|gone|visit|visited|visits|set foot|pop "
    "into|popped into|pop in|popped in|"
    "pop|entered|enter|went in|go in|walk in|walked in|walk into|walked into|stopped by|stop by|"
    "drop by|dropped by|come|came|pass through|passed through|go through|went through|step into|"
    "stepped into|trips|trip",
    "times": "number of visits|the number of visits|how many visits|visits to|number of trips|how many "
    "times|how often|number of times|how many trips|how many visits|the times|times|"
    "how frequently",
    "duration": "total minutes|total time|minutes in|time spent|total hours|how long|how much time|how many "
    "minutes|how many seconds|how many hours|"
    "amount of time|what time did i spend|spend|spent|hang around|time did i spend|how much of my time|"
    "the time i spent|hang out",
    "stuff": "things|thing|object|item|items|objects|belongings",
    "here": "here|in here|this room|this place|this spot|in this room|right here|this one|this|"
    "the house|this house|my house|our house",
    "around": "bump into|run into|trip over|walk into|hit|around|around me|surrounding|surrounding me"
    "|surroundings|around here|about me|surrounds|"
    "surrounds me|in my surroundings|round me|all about|round here|nearby me",
    "next": "next to|beside|by|alongside|adjacent",
    "am": "am i|we are|i am|are we|i stand|am i standing|am i in|i find myself",
}  # fmt: skip
# How much a word of a concept says about what is asked. What is not named here counts 2.
_QUESTION_WORDS = dict.fromkeys(("where", "what", "which", "how", "yes/no"), 1.0)
_FAINT = dict.fromkeys(
    ("put", "here", "find", "list", "exist", "all", "need", "visit", "last", "am", "see", "next", "carry",
     "still", "room", "around"), 1.0,
)  # fmt: skip
WEIGHTS = {**_QUESTION_WORDS, **_FAINT, "stuff": 0.0}
YES_NO = "yes/no"
_OPENERS_WORDS = """
is are was were do does did has have had can could would will am should might may
"""
_OPENERS = frozenset(_OPENERS_WORDS.split())


@cache
def _table() -> dict[tuple[str, ...], str]:
    return {tuple(words.split(" ")): concept for concept, many in _WORDS.items() for words in many.split("|")}


@cache
def concept_words() -> frozenset[str]:
    """All words that concepts are called by."""
    return frozenset(word for words in _table() for word in words)


_LONGEST = 6


def concept_length(tokens: list[str], i: int) -> int:
    """The number of words of the longest concept that begins at a position."""
    table = _table()
    lengths = range(min(_LONGEST, len(tokens) - i), 0, -1)
    return next((n for n in lengths if tuple(tokens[i : i + n]) in table), 0)


def concept_runs(tokens: list[str]) -> Iterator[tuple[str, list[str]]]:
    """Runs of words, each with its concept; a word that belongs to none stands alone, with an empty one."""
    i = 0
    while i < len(tokens):
        length = concept_length(tokens, i)
        run = tokens[i : i + max(1, length)]
        yield _table()[tuple(run)] if length else "", run
        i += len(run)


def concepts_of(tokens: list[str]) -> tuple[list[str], list[str]]:
    """The concepts in a sentence in their order, and the words that belong to none."""
    runs = list(concept_runs(tokens))
    found = [concept for concept, _ in runs if concept]
    left = [run[0] for concept, run in runs if not concept]
    if _asks_yes_or_no(tokens):
        found.append(YES_NO)
    return found, left


def _asks_yes_or_no(tokens: list[str]) -> bool:
    """Whether a clause begins with a verb ("is it", "isn't it"), or the sentence ends in "right?"."""
    clauses = [part.split() for part in " ".join(tokens).split(",") if part.strip()]
    return any(part[0] in _OPENERS for part in clauses) or " ".join(clauses[-1:][0]) in _TAGS


_TAGS = frozenset({"right", "correct", "yeah", "yes", "no", "true", "or not", "am i right", "eh"})
