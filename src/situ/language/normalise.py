"""A sentence without what does not matter: case, contractions, politeness, fillers, units."""

import re
from dataclasses import dataclass

_SHORT = (
    ("’", "'"), ("where'd i", "where did i"), ("where'd we", "where did we"), ("whered", "where did"),
    ("what'd", "what did"), ("where're", "where are"), ("what're", "what are"), ("how'd", "how did"),
    ("in front of my eyes", "in view"), ("before my eyes", "in view"),
    (" over to ", " to "), (" over at ", " at "), (" over by ", " by "), (" over on ", " on "),
    (" over in ", " in "),
    ("is it possible to ", "can i "), ("is possible to ", "can i "), ("is it possible for me to ", "can i "),
    ("is there any way to ", "can i "),
    ("is there a way to ", "how can i get to "), ("how much far ", "how far "), ("can't", "can not"),
    ("cannot", "can not"), ("cant", "can not"), ("won't", "will not"),
    ("n't", " not"), ("'ve", " have"), ("i'm", "i am"), ("im", "i am"), ("i'd", "i would"), ("i'll", "i "
    "will"),
    ("'re", " are"), ("ive", "i have"), ("wheres", "where is"), ("whats", "what is"), ("whos", "who is"),
    ("hows", "how is"), ("whens", "when is"), ("didnt", "did not"), ("isnt", "is not"), ("havent", "have "
    "not"),
    ("hasnt", "has not"), ("dont", "do not"), ("doesnt", "does not"), ("wasnt", "was "
    "not"), ("theres", "there is"),
    ("thats", "that is"), ("u", "you"), ("ur", "your"), ("r", "are"), ("pls", "please"), ("plz", "please"),
    ("us", "me"), ("gotta", "have to"), ("wanna", "want to"), ("gonna", "going to"), ("lemme", "let me"),
    ("whereabouts", "where"), ("somebody", "someone"), ("anybody", "anyone"), ("everything", "all things"),
    ("stuff", "things"), ("objects", "things"), ("items", "things"), ("metre", "meter"), ("metres", "meters"),
    ("colour", "color"), ("colours", "colors"), ("coloured", "colored"), ("centre", "center"),
    ("nearer", "closer"), ("nearest", "closest"), ("further", "farther"), ("furthest", "farthest"),
    ("obstacles", "things"), ("furniture", "things"), ("belongings", "things"), ("observed", "seen"),
    ("observe", "see"), ("detected", "seen"), ("detect", "see"), ("an obstacle", "something"),
    ("how many minutes ago", "how long ago"), ("how many seconds ago", "how long ago"),
    ("larger", "bigger"), ("largest", "biggest"), ("towards", "toward"),
)  # fmt: skip
_INSIDE = tuple(pair for pair in _SHORT if pair[0].startswith(("'", "n't", "’")))
_WHOLE = {pair[0]: pair[1] for pair in _SHORT if pair not in _INSIDE and " " not in pair[0]}
ONE_WORD = {word: instead for word, instead in _WHOLE.items() if " " not in instead}
_PHRASES = tuple(pair for pair in _SHORT if " " in pair[0])

# Words around a question that ask nothing themselves, at its beginning and at its end.
_POLITE = re.compile(
    r"^(?:please|say me|gimme|you (?:would|do) not (?:happen to )?know|"
    r"hey|hi|hello|ok|okay|so|and then|um+|uh+|erm|well|oh|now then|excuse me|sorry|quick "
    r"question|situ|"
    r"(?:could|can|would|will) you (?:please |kindly |just |maybe )?say(?= wh| how| if| is)"
    r"|(?:could|can|would|will) you (?:please |kindly |just |maybe |possibly )?(?:tell|show|remind|help"
    r"|let) me"
    r"(?: know| to find| find| remember| recall)?(?: please)?|"
    r"(?:do|would) you (?:happen to |even |still |maybe )?(?:know|remember|recall|think|have (?:any|an) "
    r"idea)|"
    r"(?:could|can|would|will) you (?:please |kindly )?(?=find|locate|point|take|guide|lead|count|list|"
    r"show|describe)|"
    r"(?:do you have )?any (?:idea|clue|chance)(?: as to| of)?|have you (?:got )?any (?:idea|clue)(?: as "
    r"to)?|i (?:was wondering|wonder|forgot|forget|do not know|"
    r"do not remember|can not remember|(?:just )?(?:want|need|would like) to know)(?: if| whether)?|"
    r"(?:just )?tell me(?: please| about)?|remind me(?: again)?|let me know|let me see|"
    r"(?:i am )?just wondering(?: if)?|i have no idea|help me(?: to)?(?: find| remember)?(?= where| when| "
    r"how| what)|"
    r"by any chance|be so kind and|be a dear and|quickly|maybe|actually|if|whether|i mean|what i want to "
    r"know is|"
    r"the question is|question|mind telling me|would you mind telling me|dear|alright|listen|honestly|"
    r"(?:could|can|would|will) you (?:be so kind (?:as to|and)|do me a favou?r and)|"
    r"(?:identify|state|report|determine|specify|indicate|announce)(?! me)|check)\b[, ]*"
)
# "I would love to know where …", "I have forgotten what …": all that comes before the question is left out.
_EMBEDDED = re.compile(
    r"^[a-z', ]*\b(?:know|tell me|remember|recall|wonder|wondering|forgotten|forgot|idea|remind me|curious|"
    r"find out|figure out|say|clue|told me)(?: again| please| about)?,? "
    r"(?=(?:where|when|how|which|who|what) (?!i (?:mean|need|want)\b))"
)
_AFTERWARDS = re.compile(
    r"[, ]*\b(?:please|thanks|thank you|cheers|mate|dude|buddy|again|though|then|do you (?:know|think|"
    r"remember)|"
    r"by any chance|if you (?:know|can|remember|do not mind)|any idea|for me|help|at all|or what|or not|"
    r"would you|could you|can you|ok|okay|eh|huh|i wonder|anyway|by now|in fact|exactly|anywhere|"
    r"somewhere|approximately|roughly|you know|do you reckon|yet|dear|love|yes or no|if you have noticed|"
    r"if you noticed|if possible)$"
)
# How a thing is somewhere says nothing: "sitting on", "kept in", "lying around under".
_POSTURE = re.compile(
    r"\b(?:currently )?(?:sitting|lying|standing|stored|placed|located|resting|kept|positioned|situated"
    r"|hanging"
    r"|stood|sat|parked|stacked|displayed|found|left lying|put away)(?: around| about)?"
    r"(?= (?:on|in|under|underneath|beneath|near|next to|behind|inside|beside|above|on top of|at) (?!me\b"
    r"|us\b|which\b))"
)
# Whoever is to go, sit or find: the question is the same as for the wearer.
_SOMEBODY = re.compile(
    r"\b((?:how|where) (?:do|does|can|could|would|should)|^(?:can|could|may|might|would)) (?:the |my |our "
    r"|a )?"
    r"(?:visitors?|guests?|people|customers?|someone|somebody|one|anyone|person|mother|father|mum|mom|dad"
    r"|grandma|wife"
    r"|husband|grandmother|grandfather|child|kids?|colleagues?|carer|nurse|friends?)(?= [a-z])"
)
_ELSE = re.compile(
    r" or (?:must|should|do|shall|will) (?:i|we) (?:have to |need to )?(?:buy|get|order|borrow)\b.*$"
)
_FILLERS = re.compile(
    r"\b(?:please|on earth|the (?:heck|hell|devil|fuck|blazes)|in the world|exactly|actually|kindly|"
    r"really|even|by chance|perchance|by accident|"
    r"basically|roughly|approximately|by any chance|possibly|perhaps|um+|uh+|er|like,|currently|"
    r"at the moment|at present|right now|as of now|presently|these days|for sure|"
    r"damn|bloody|stupid|freaking|goddamn|"
    r"precisely|literally|somehow|anyhow|so far|up to now|until now|till now|altogether|in total|overall|"
    r"all in all|thingy|the hell)\b"
)
_TAG = re.compile(r", (?:where|what|which|how)(?: \w+){0,4}$")
_UNITS = {
    "feet": "ft", "foot": "ft", "ft": "ft", "inches": "in", "inch": "in", "yards": "yd", "steps": "steps",
    "paces": "steps", "centimeters": "cm", "centimetres": "cm", "cm": "cm", "meters": "m", "metres": "m",
    "m": "m", "millimeters": "mm", "millimetres": "mm", "minutes": "min", "seconds": "s", "hours": "h",
    "kilometers": "km", "kilometres": "km", "km": "km", "miles": "mi",
}  # fmt: skip
# The whole house is no room: "is there a cup in the house" asks for any cup.
_EVERYWHERE = re.compile(
    r"(?<=[a-z] )(?:anywhere |here )?in (?:the|this|my|our) (?:whole |entire )?"
    r"(?:house|home|flat|apartment|building)\b"
)
_ONE_OF_ALL = re.compile(
    r"^(?:is|are|was) there|^how many|^(?:do|have) (?:i|we)|^any |^where(?! in )|^count|^can (?:i|we)"
)
_IN_UNITS = re.compile(rf"\bin (?:terms of )?({'|'.join(_UNITS)})\b(?! \d)")
_MANY_UNITS = re.compile(
    r"^how many (feet|foot|inches|yards|steps|paces|centimeters|cm|meters|kilometers|km|miles)(?= )"
)


@dataclass(frozen=True)
class Tidied:
    """The words of a sentence with single spaces, commas kept apart, and the unit that it asks for."""

    text: str
    unit: str = ""


def tidied(sentence: str) -> Tidied:
    text = _rewritten(_expanded(sentence.lower().replace("(s)", "s")), _MARKS)
    text = " ".join(text.replace("\0", ".").split()).strip(" ,-")
    text = _asked_outright(without_politeness(_turned(text)), sentence)
    text = _without_idle_not(text)
    if _ONE_OF_ALL.search(text):
        text = _EVERYWHERE.sub("", text)
    unit = ""
    if found := _IN_UNITS.search(text):
        unit, text = _UNITS[found[1]], text[: found.start()] + text[found.end() :]
    elif found := _MANY_UNITS.search(text):
        unit = _UNITS[found[1]]
    return Tidied(" ".join(text.split()).strip(" ,"), unit)


# What is written otherwise: something that each match holds, the pattern, and what stands there instead.
_Rules = tuple[tuple[str, re.Pattern[str], str], ...]


def _rewritten(text: str, rules: _Rules) -> str:
    """Most sentences hold nothing of what most rules are about, which is found out in a tenth of the time."""
    for held, pattern, instead in rules:
        if held in text:
            text = pattern.sub(instead, text)
    return text


def _rules(*rules: tuple[str, str, str]) -> _Rules:
    return tuple((held, re.compile(pattern), instead) for held, pattern, instead in rules)


_MARKS = _rules(
    (":", r"(?<=\d):(?=\d)", "\0"), (":", ":", " , "), ("\0", "\0", ":"), (".", r"(?<=\d)\.(?=\d)", "\0"),
    ("-", r"(?<=[\w?!.])\s+-+\s+(?=\w)", " , "),
    ("", r"[?!.;]+[\"”)]*\s+(?=\S)", " , "),  # one sentence after another
    ("", r"[?!.\"“”;()\[\]…–—]+", " "), ("'", r"(?<![a-z])'|'(?![a-z])", " "), (",", r"\s*,[\s,]*", " , "),
)  # fmt: skip
# "Tell me if the cup is near", "I wonder whether I was in the kitchen": the clause behind asks.
_WHETHER = re.compile(
    r"^(?:[a-z', ]*\b)?(?:tell|me|wonder|wondering|know|knows|check|see|say|sure|remember|idea|ask|clue|out)"
    r"(?: again| please| now)? (?:if|whether) (?=[a-z])"
)
_STATED = re.compile(  # "the trash can" is no question for what trash can do
    r"(?P<who>(?!where|what|which|how|who|when)(?:i|we|you|one|[a-z' -]+?)) "
    r"(?P<verb>is|are|am|was|were|has|have|had|"
    r"(?:(?<=^i )|(?<=^we )|(?<=^you ))(?:can|could|will|would|did|do)) "
    r"(?P<rest>.+)"
)


_REFERS = re.compile(r"\b(?:it|they|them|one|ones|she|he)\b")  # what it is stands before the question


_VERB = r"(?:is|are|was|were|am|do|does|did|has|have|had|can|could|will|would|should|must)"
_PRONOUN = r"(?:i|we|you|it|he|she|they|there|this|that)"
# Where "not" does not change what is asked: in a question that wants yes or no ("isn't the cup here", "the
# cup is here, isn't it"), and in what wearers say of themselves before the question ("I can't see what is").
_SAME_WITHOUT_NOT = (
    re.compile(rf"^({_VERB}) not(?= (?!only)[a-z])"),
    re.compile(
        rf"^({_VERB} (?:{_PRONOUN}|(?:the|my|our|your|a|an|any) (?:[a-z'-]+ ){{0,3}}[a-z'-]+?)) not(?= [a-z])"
    ),
    re.compile(rf"(, {_VERB}) not(?= {_PRONOUN}$)"),
    re.compile(rf"(\b{_VERB}) not(?= .*, {_VERB} {_PRONOUN}$)"),
    re.compile(r"(\b(?:i|we) (?:can|could|do|did|am|have)) not(?= .*\b(?:who|what|which|where|when|how)\b)"),
)
_TAG_NO = re.compile(r" , no$")


def _without_idle_not(text: str) -> str:
    """ "Isn't the cup here" asks what "is the cup here" asks."""
    if " not" not in text and not _TAG_NO.search(text):
        return text
    for pattern in _SAME_WITHOUT_NOT:
        text = pattern.sub(r"\1", text, count=1)
    return _TAG_NO.sub("", text)


def _turned(text: str) -> str:
    """An indirect question asked outright: "tell me if the cup is near" is "is the cup near"."""
    found = _WHETHER.match(text)
    stated = _STATED.fullmatch(text[found.end() :]) if found else None
    if stated:
        return f"{stated['verb']} {stated['who']} {stated['rest']}"
    inner = _EMBEDDED.sub("", text)
    return text if _REFERS.search(inner) else inner


def _asked_outright(text: str, sentence: str) -> str:
    """ "The kettle, in the kitchen or not?" is "is the kettle in the kitchen"."""
    if not _OR_NOT.search(sentence.lower()) or _VERBS.search(text):
        return text
    return "is " + text.replace(" , ", " ").removesuffix(" or not").removesuffix(" yes or no")


_OR_NOT = re.compile(r"\b(?:or not|yes or no)\W*$")
_VERBS = re.compile(
    r"^(?:is|are|was|were|do|does|did|has|have|can|could|will|would|am|where|what|which|how|who|when)\b"
    r"|\bis\b|\bare\b"
)


def _expanded(text: str) -> str:
    for short, full in _INSIDE[:1]:
        text = text.replace(short, full)
    text = _rewritten(text, _CONTRACTED)
    for short, full in (*_PHRASES, ("can't", "can not"), ("won't", "will not"), *_INSIDE[1:]):
        text = text.replace(short, full)
    text = _WORD.sub(lambda word: _WHOLE.get(word[0], word[0]), text)
    text = _AT_WHAT_TIME.sub("when", _UNITS_OF.sub("", text))
    if "clock" in text:
        text = _BY_CLOCK.sub(lambda found: _WAYS_BY_CLOCK[found[1]], text)
    return _rewritten(text, _SAID_OTHERWISE)


_WORD = re.compile(r"[a-z']+")
_CONTRACTED = _rules(
    (" you see ", r"\b(?:do|can) you see (.+?) (?:right )?now\b", r"is \1 in view"),
    ("'s been", r"'s been\b", " has been"),
    ("'s", r"\b(where|what|who|how|when|which|that|there|it|he|she|here|one)'s\b", r"\1 is"),
    (
        "'s ",
        r"(?<=[a-z]{3})'s (?=the |my |on |in |to |behind |lying |near |close |a |this|that|it\b|your |our )",
        " is ",
    ),
    ("'s ", r"'s (?=missing|gone|lost|not|been|where|disappeared)", " is "),
)
_SAID_OTHERWISE = (
    *_rules(
        ("=", r"\bt ?= ?(?=\d)", ""),
        ("'s ", r"\b(?:the|my|our) (?:patient|client|customer|guest|boss|neighbou?r)'s ", "the "),
        (" in th", r" in (?:the|this) (?:whole )?(?:environment|scene|surroundings)\b", ""),
        (" in the same ", r"^((?:are|were) .+) in the same (?:room|place)\b(?! as)", r"\1 together"),
        ("relative to ", r"\brelative to (?:the |this )?(?:robot|camera|wearer|user)\b", "relative to me"),
        ("read ", r"^read (?:me |out |me out )(?=the |all |what )", "list "),
    ),
    ("", _POSTURE, ""),
    (" or ", _ELSE, ""),
    ("", _SOMEBODY, r"\1 i"),
)
_AT_WHAT_TIME = re.compile(r"^(?:at )?(?:what|which) time(?= (?:did|was|were|have|has|do)\b)")
_UNITS_OF = re.compile(r"\b(?:units|pieces|pcs) of ")
_HOURS = "twelve one two three four five six seven eight nine ten eleven"
_WAYS_BY_CLOCK = {  # "at my three o'clock" is to the right, as pilots say
    said: ("in front of me", "on my right", "behind me", "on my left")[(hour + 1) % 12 // 3]
    for hour, word in enumerate(_HOURS.split(" "))
    for said in (word, str(hour or 12))
}
_BY_CLOCK = re.compile(rf"\b(?:at|on|to|in) my ({'|'.join(_WAYS_BY_CLOCK)}) ?o'clock\b")


def without_politeness(text: str) -> str:
    text = " ".join(_FILLERS.sub(" ", _POLITE.sub("", text)).split()).strip(" ,") or text
    while True:
        shorter = _AFTERWARDS.sub("", _POLITE.sub("", text).strip(" ,")).strip(" ,")
        if not shorter:  # "again please" is not a question without words
            return text
        if shorter == text:
            return text
        text = shorter
