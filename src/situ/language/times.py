"""Times in words: "two minutes ago", "at ten past nine", "in the last hour", "before I entered the kitchen".

A sentence is searched with a table of patterns; each reads what it found into a window of time, and the words
give way to a mark. Hours of the day are known where the memory was told of them.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import replace

from situ.language.hours import AT, BARE, TOLD, WEEKDAYS, at_clock, between_hours, day, meal
from situ.language.windows import NUMBERS, bounded, number_of
from situ.language.windows import Clock as Clock
from situ.language.windows import Stay as Stay
from situ.language.windows import Window as Window

_RECENT_S = 60.0
_MOST_TIMES = 4  # in a sentence


def windows(sentence: str, clock: Clock, mark: str = "\x01") -> tuple[str, dict[str, Window]]:
    """The sentence with a mark for each time that it names, and what the marks mean. Raises Unanswerable for
    a time that the memory does not know."""
    for pattern, instead in _SAME:
        sentence = pattern.sub(instead, sentence)
    found: dict[str, Window] = {}
    while len(found) < _MOST_TIMES:
        first = next(_times_in(sentence, clock), None)
        if first is None:
            break
        (start, end), window = first
        name = f"{mark}{len(found)}"
        found[name] = replace(window, said=sentence[start:end].strip())
        sentence = " ".join(f"{sentence[:start]} {name} {sentence[end:]}".split()).strip(" ,")
    return sentence, found


def _times_in(sentence: str, clock: Clock) -> Iterator[tuple[tuple[int, int], Window]]:
    if not _TIMELY.search(sentence):
        return
    for pattern, read in _READERS:
        for match in pattern.finditer(sentence):
            window = read(match, clock)
            if window is not None:
                yield match.span(), window


# ---------------------------------------------------------------------- amounts
_UNITS = {"s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0, "w": 604800.0}  # by their first letter
_AMOUNT = rf"(\d+(?:\.\d+)?|{'|'.join(sorted((word for word in NUMBERS if word), key=len, reverse=True))})"
_UNIT = r"(seconds?|secs?|s|minutes?|mins?|m|hours?|hrs?|h|days?|weeks?)"
# Digits may go with their unit; "am" is no "a m".
_SPAN = rf"(?:about |around |roughly |like |some )?{_AMOUNT}(?:(?<=\d) ?| ){_UNIT}(?: or so)?"
_SAME = tuple(
    (re.compile(rf"\b(?:{said})\b"), meant)
    for said, meant in (
        ("(?:a )?quarter of an hour|(?:a )?quarter hour", "15 minutes"), ("half hour", "30 minutes"),
        ("(?:three quarters of an|three quarter) hour", "45 minutes"), ("half a minute", "30 seconds"),
        ("(?:an|one) hour and a half", "90 minutes"),
    )
)  # fmt: skip


def _seconds(amount: str, unit: str) -> float:
    number = NUMBERS[amount] if amount in NUMBERS else float(amount)
    return number * _UNITS[unit[0]]


def _ago(found: re.Match[str], clock: Clock) -> Window:
    moment = clock.now - _seconds(found[2], found[3])
    word = found[1] or ""
    if word.startswith(("more", "over", "longer", "before", "until")):
        return Window(until=moment)
    if word.startswith(("since", "less")):
        return Window(since=max(clock.start, moment))
    return Window(at=moment)


def _last(found: re.Match[str], clock: Clock) -> Window:
    return Window(since=max(clock.start, clock.now - _seconds(found[1] or "", found[2])))


def _into(found: re.Match[str], clock: Clock) -> Window:
    """ "Ten minutes in", "at 20 seconds"."""
    moment = clock.start + _seconds(found[2] or found[4], found[3] or found[5])
    return bounded(found[1] or "at", moment)


def _numbered(found: re.Match[str], clock: Clock) -> Window | None:
    """ "At minute ten"."""
    number = number_of(found[3])
    return None if number is None else bounded(found[1], clock.start + number * _UNITS[found[2][0]])


def _first(found: re.Match[str], clock: Clock) -> Window:
    return Window(until=clock.start + _seconds(found[1] or "", found[2]))


def _between(found: re.Match[str], clock: Clock) -> Window | None:
    """ "Between minute ten and twenty", "from two to five minutes ago"."""
    unit, first, other, last = found[1] or found[7], found[2] or found[5], found[3], found[4] or found[6]
    one, two = number_of(first), number_of(last)
    if one is None or two is None:
        return None
    ends = [one * _UNITS[unit[0]], two * _UNITS[(other or unit)[0]]]
    if found[8]:
        return Window(since=clock.now - max(ends), until=clock.now - min(ends))
    return Window(since=clock.start + min(ends), until=clock.start + max(ends))


# ---------------------------------------------------------------------- what the wearer did
_WEARER = r"(?:i|we|he|she|mum|dad)"
_PLACE = r"(?:the |my |our )?(?:[a-z0-9'\-]+ ){0,2}?[a-z0-9'\-]+"
_REST = r"(?=$| ,| (?:did|do|was|were|is|are|has|have|had|what|where|who|which|how)\b)"
_LEAVE = (
    r"(?:left|leave|exited|walked out of|came out of|come out of|went out of|got out of|came from|leaving"
    r"|being in)"
)
_ENTER = (
    r"(?:entered|enter|came into|come into|came to|went into|go into|went to|walked into|got to|got into"
    r"|arrived in|arrived at|reached|entering)"
)
_STAYED = (
    r"(?:was in|were in|was at|were at|was inside|was still in|am in|stayed in|have been in|had been in"
    r"|visited)"
)


def _event(found: re.Match[str], clock: Clock) -> Window | None:
    """ "Before I went into the kitchen", "while I was in the office", "since I left the bathroom"."""
    word, verb, place = found[1], found[2].replace("last ", ""), found[3]
    place = re.sub(r"^(?:the|my|our) ", "", place)
    stayed = re.fullmatch(_STAYED, verb) is not None
    if stayed and word in ("while", "when", "as", "whilst"):
        return Window(place=place)
    stays = clock.stays(place)
    if not stays:
        return None
    stay = stays[0] if "first " in found[0] else stays[-1]
    if stayed:
        moment = stay.start if word in ("before", "until", "till") else stay.end
    else:
        moment = stay.end if re.fullmatch(_LEAVE, verb) else stay.start
    return bounded({"when": "at", "while": "at", "as": "at"}.get(word, word), moment)


def _visit(found: re.Match[str], clock: Clock) -> Window | None:
    """ "During my visit to the kitchen", "since my last visit to the office"."""
    place = re.sub(r"^(?:the|my|our) ", "", found[2])
    stays = clock.stays(place)
    if not stays:
        return None
    if found[1] in ("during", "in", "on"):
        return Window(place=place)
    return bounded(found[1], stays[-1].start if found[1] == "before" else stays[-1].end)


def _came_in(found: re.Match[str], clock: Clock) -> Window:
    """ "When I came in", "before I came in here": to the place where the wearer is."""
    stays = clock.stays("")
    moment = stays[-1].start if stays else clock.start
    return bounded({"when": "at"}.get(found[1], found[1]), moment)


def _on_the_way(found: re.Match[str], clock: Clock) -> Window | None:
    """ "Between the library and the lounge": from leaving the one to entering the other."""
    one, other = (re.sub(r"^(?:the|my|our) ", "", found[k]) for k in (1, 2))
    left, entered = clock.stays(one), clock.stays(other)
    ways = [(a.end, b.start) for b in entered for a in left if a.end <= b.start]
    if not ways:
        return None
    end = max(until for _, until in ways)
    return Window(since=max(since for since, until in ways if until == end), until=end)


def _while_out(found: re.Match[str], clock: Clock) -> Window:
    stays = clock.stays("")
    return Window(since=stays[-2].end if len(stays) > 1 else clock.start)


def _recently(found: re.Match[str], clock: Clock) -> Window:
    return Window(since=max(clock.start, clock.now - _RECENT_S))


def _from_start(found: re.Match[str], clock: Clock) -> Window:
    since = found[1] in ("since", "from", "after")
    return Window(since=clock.start, whole=True) if since else Window(at=clock.start)


def _whole(found: re.Match[str], clock: Clock) -> Window:
    return Window(since=clock.start, whole=True)


# One of these is in every phrase for a time; most sentences hold none.
_TIMELY = re.compile(
    r"^(?:half|quarter|twenty|ten|five|\d)|\b(?:on|about|absence|afternoon|after|ago|around|as|at|back|before"
    r"|beginning|between|by|day|during|earlier|evening|first|from|in|just|last|lately|morning|night|over|past"
    r"|recently|since|so far|this|till|time|today|until|when|while|whilst|within|yesterday|now|walk|for)\b"
)
_NAMED = r"(seconds?|minutes?|hours?)"
_WHILE_OUT = (
    r"\b(?:while|when|since) i (?:was|have been|had been) (?:out|away|gone|not here|elsewhere)\b",
    r"\bin my absence\b", r"\bsince i (?:left|was here)\b(?! the)",
    r"\bsince i last (?:was here|went by|came by|passed|walked by|went past|came past)\b",
    r"\bsince i (?:was|went|came|walked|passed) last (?:here|by|past)\b",
    r"\bsince (?:the )?last time(?: i was here)?\b",
)  # fmt: skip
_START = (
    r"\b(since|from|after|at|in) (?:the )?(?:very )?(?:start|beginning)(?: of (?:the|my) \w+)?(?=$| ,)",
    r"\bwhen i (?:started|arrived|began|got here)(?=$| ,)", r"\bat first(?=$| ,)",
)  # fmt: skip
_SINCE_START = (
    r"\b(since|from|after) (?:t ?0|time zero|(?:i|we) (?:came here|got here|arrived|started|began)"
    r"|the (?:shift|walk|day|tour|recording|video) (?:began|started))\b"
)
_DAYS = (
    r"\b(?:yesterday|the day before yesterday)(?: (?:morning|afternoon|evening|night))?\b", r"\blast night\b",
    rf"\b(?:last |on )(?:week|{'|'.join(WEEKDAYS)})\b",
    r"\b(?:earlier )?this (?:morning|afternoon|evening)\b",
)  # fmt: skip
_RECENTLY = (
    r"(?<!more )(?<!most )\brecently\b", r"\blately\b", r"\bin the last little while\b",
    r"\b(?:just )?a (?:moment|minute|second) ago\b", r"\bmoments ago\b", r"\bnot long ago\b",
    r"(?<=\b[iwe] )just(?= (?:see|seen|saw|pass|passed|move|moved|take|took|taken|walked)\b)",
    r"(?<=\w )just now$",
)  # fmt: skip
_ALL_THE_TIME = (
    r"\b(?:earlier )?today\b", r"\b(?:all|the whole) day\b", r"\bthis time(?: round)?\b", r"\bso far\b",
    r"\b(?:until|up to|till) now\b", r"\b(?:on|during) (?:this|the) (?:walk|tour)\b",
    r"\bin (?:this|the) (?:recording|video)\b", r"\bthe (?:whole|entire) time\b",
    r"\bduring the (?:video|recording)\b",
)  # fmt: skip
Reader = Callable[[re.Match[str], Clock], Window | None]
_READERS: tuple[tuple[re.Pattern[str], Reader], ...] = tuple(
    (re.compile(pattern), read)
    for pattern, read in (
        (rf"\bbetween ({TOLD}|{BARE}) and ({TOLD}|{BARE}|(?:half|quarter) past)", between_hours),
        (rf"\bfrom ({TOLD}) (?:to|until|till) ({TOLD}|(?:half|quarter) past)", between_hours),
        (rf"\b(?:between|from) {_NAMED} (\w+) (?:and|to|until|till) (?:{_NAMED} )?(\w+)\b"
         rf"|\b(?:between|from) (\w+) (?:and|to) (\w+) {_NAMED}( ago)?(?: in)?\b", _between),
        (rf"\b(by|at|in|after|before|until|till|since|from|around) (?:the )?{_NAMED} (?:number )?(\w+)\b",
         _numbered),
        (rf"\b(?:in|during|within|over) the first (?:{_AMOUNT} )?{_UNIT}\b", _first),
        (rf"\b(?:(since|before|until|more than|over|longer than|less than) )?{_SPAN} "
         r"(?:ago|earlier|before now|back|before(?=$| ,))(?!\w)", _ago),
        (r"\b(?:in|within|over|for|during|these|this|the) (?:the |these )?(?:last|past) "
         rf"(?:{_AMOUNT} )?{_UNIT}\b(?: or so)?", _last),
        (rf"\bsince {_SPAN}\b(?! (?:ago|earlier|back|before))", _last),  # as learners of English say
        (rf"\b(at|after|before|until) {_SPAN}(?: in(?:to the (?:video|recording|walk|day|tour))?)?\b"
         rf"(?! (?:or|in) )|(?<!than ){_SPAN} in(?:to the (?:video|recording|walk|day|tour)|$)", _into),
        (rf"\b({AT}) ({TOLD}|{BARE})(?!\w| (?:or|metres?|meters?) )", at_clock),
        (rf"^(?=(\w+))({TOLD})(?= |$)", at_clock),
        (rf"\b(while|when|as|whilst|before|after|since|until|till) {_WEARER} (?:last |first )?"
         rf"((?:last )?(?:{_LEAVE}|{_ENTER}|{_STAYED})) ({_PLACE}){_REST}", _event),
        (rf"\b(since|after|before) (?:last )?({_LEAVE}|{_ENTER}) ({_PLACE}){_REST}", _event),
        (r"\b(during|since|after|before|on) (?:my|the|his|her) (?:last )?(?:visit|trip|stay)s? (?:to|in|at) "
         rf"({_PLACE}){_REST}", _visit),
        (r"\b(since|after|before) ((?:the |my )?(?:[a-z]+ )?[a-z]+)$", _visit),
        (r"^between ((?:the |my )?[a-z ]+?) and ((?:the |my )?[a-z ]+?)(?= ,)", _on_the_way),
        ("|".join(_WHILE_OUT), _while_out),
        (r"\b(when|before|since|until|after) i (?:first )?(?:came|walked|went|got) in(?: here)?(?=$| ,)",
         _came_in),
        ("|".join(_START), _from_start),
        (_SINCE_START, _from_start),
        ("|".join(_DAYS), day),
        (r"\b(?:at|since|before|after) (?:lunch|breakfast|dinner)\b", meal),
        ("|".join(_RECENTLY), _recently),
        ("|".join(_ALL_THE_TIME), _whole),
    )
)  # fmt: skip
