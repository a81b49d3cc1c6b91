"""Times in words: "two minutes ago", "at ten past nine", "in the last hour", "before I went into the kitchen".

A sentence is searched with a table of patterns; each reads what it found into a window of time, and the words
give way to a mark. Hours of the day are known where the memory was told of them.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from situ.errors import Unanswerable
from situ.memory.file.wall_clock import WallClock

_SINCE_1970_S = 1e8  # times this large are seconds since 1970, so the hour of the day is known
_SINCE_1970 = WallClock(((0.0, datetime(1970, 1, 1)),))
_AROUND_S = 30.0  # a moment is a minute long where what happened at it is asked
_RECENT_S = 60.0
_MOST_TIMES = 4  # in a sentence


@dataclass(frozen=True)
class Stay:
    """When the wearer entered and left a place."""

    start: float
    end: float


@dataclass(frozen=True)
class Clock:
    """What times in words are counted from; `stays` are those in a named place, in order ("": in the place
    that the wearer is in), none where no place is called so."""

    start: float = 0.0
    now: float = 0.0
    stays: Callable[[str], Sequence[Stay]] = lambda place: ()
    told: WallClock | None = None  # what the memory was told of the hours of its day
    anyway: bool = False  # whether a time that the memory does not know is taken for its start

    @property
    def wall(self) -> WallClock | None:
        """The clock on the wall, if its hours are known."""
        return self.told or (_SINCE_1970 if self.now > _SINCE_1970_S else None)


@dataclass(frozen=True)
class Window:
    """A time in a sentence as the algebra takes it: a moment, a span, or while the wearer was in a place."""

    at: float | None = None
    since: float | None = None
    until: float | None = None
    place: str = ""
    whole: bool = False  # "today", "so far": all that the recording holds
    said: str = field(default="", compare=False)  # the words for it

    @property
    def is_span(self) -> bool:
        return self.since is not None and self.at is None and not self.whole

    def bounds(self) -> dict[str, float | str]:
        """The arguments that say when something happened; a moment has a minute around it."""
        if self.place:
            return {"while": self.place}
        if self.at is not None:
            return {"since": self.at - _AROUND_S, "until": self.at + _AROUND_S}
        return {
            name: value for name, value in (("since", self.since), ("until", self.until)) if value is not None
        }


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
_NUMBERS = {
    "a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8,
    "nine": 9, "ten": 10, "eleven": 11, "twelve": 12, "fifteen": 15, "twenty": 20, "thirty": 30, "forty": 40,
    "forty five": 45, "fifty": 50, "sixty": 60, "ninety": 90, "half a": 0.5, "half an": 0.5, "a few": 3,
    "few": 3, "a couple of": 2, "a couple": 2, "couple of": 2, "couple": 2, "several": 5, "some": 5, "": 1,
}  # fmt: skip
_UNITS = {"s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0, "w": 604800.0}  # by their first letter
_AMOUNT = rf"(\d+(?:\.\d+)?|{'|'.join(sorted((word for word in _NUMBERS if word), key=len, reverse=True))})"
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
    number = _NUMBERS[amount] if amount in _NUMBERS else float(amount)
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
    return _bounded(found[1] or "at", moment)


def _numbered(found: re.Match[str], clock: Clock) -> Window | None:
    """ "At minute ten"."""
    number = _known(found[3])
    return None if number is None else _bounded(found[1], clock.start + number * _UNITS[found[2][0]])


def _first(found: re.Match[str], clock: Clock) -> Window:
    return Window(until=clock.start + _seconds(found[1] or "", found[2]))


def _known(word: str) -> float | None:
    return float(_NUMBERS[word]) if word in _NUMBERS else float(word) if word.isdigit() else None


def _bounded(word: str, moment: float) -> Window:
    if word in ("before", "until", "till"):
        return Window(until=moment)
    return Window(since=moment) if word in ("after", "since", "from") else Window(at=moment)


def _between(found: re.Match[str], clock: Clock) -> Window | None:
    """ "Between minute ten and twenty", "from two to five minutes ago"."""
    unit, first, other, last = found[1] or found[7], found[2] or found[5], found[3], found[4] or found[6]
    one, two = _known(first), _known(last)
    if one is None or two is None:
        return None
    ends = [one * _UNITS[unit[0]], two * _UNITS[(other or unit)[0]]]
    if found[8]:
        return Window(since=clock.now - max(ends), until=clock.now - min(ends))
    return Window(since=clock.start + min(ends), until=clock.start + max(ends))


# ---------------------------------------------------------------------- hours of the day
_HOURS = r"\d{1,2}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve"
_MINUTES = r"oh (?:one|two|three|four|five|six|seven|eight|nine)|(?:twenty|thirty|forty|fifty)(?: five)?|fifteen|ten"
_TOLD = (  # named groups are numbered by the one who uses it
    rf"(?:\d{{1,2}}:\d{{2}}(?::\d{{2}})?(?: ?(?:am|pm))?|(?:a )?(?:half|quarter|twenty five|twenty|{_HOURS})"
    rf"(?: minutes)? (?:past|to)(?: (?:{_HOURS}))?|(?:{_HOURS}) (?:{_MINUTES})|(?:{_HOURS}) ?(?:o'clock|am|pm)"
    rf"|noon|midday|midnight)"
)
_BARE = rf"(?:{_HOURS})(?=$| ,| and )"
_WHEN = rf"\b(at around|at about|at|around|about|since|from|before|after|by|until|till) ({_TOLD}|{_BARE})(?!\w| (?:or|metres?|meters?) )"
_PARTS = {"morning": (5, 12), "afternoon": (12, 18), "evening": (17, 24), "night": (20, 29)}  # hours
_WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")


def _minutes(said: str, before: float | None = None) -> tuple[float, bool] | None:
    """Minutes from midnight, and whether the half of the day is known; None for what is no hour. `before` is
    the hour that "quarter past" alone is counted from."""
    words = said.replace("minutes ", "").removeprefix("a ")
    if words in ("noon", "midday", "midnight"):
        return (0.0 if words == "midnight" else 720.0), True
    if found := re.fullmatch(r"(\d{1,2}):(\d{2})(?::\d{2})? ?(am|pm)?", words):
        return _of_half(int(found[1]), int(found[2]), found[3])
    if found := re.fullmatch(r"(.+) (past|to)(?: (.+))?", words):
        part = {"half": 30.0, "quarter": 15.0, "twenty five": 25.0}.get(found[1]) or _known(found[1])
        hour = _known(found[3]) if found[3] else None if before is None else before // 60 % 12
        if part is None or hour is None:
            return None
        return (60 * hour + (part if found[2] == "past" else -part)) % 1440, hour > 12
    if found := re.fullmatch(rf"({_HOURS}) ?(o'clock|am|pm)?", words):
        return _of_half(int(_known(found[1]) or 0), 0, found[2])
    hour_word, _, rest = words.partition(" ")
    parts = [_known(word) or 0.0 for word in rest.replace("oh ", "").split()]
    return _of_half(int(_known(hour_word) or 0), int(sum(parts)), None)


def _of_half(hour: int, minute: int, half: str | None) -> tuple[float, bool] | None:
    if hour > 24 or minute > 59:
        return None
    if half in ("am", "pm"):
        return 60.0 * (hour % 12 + (12 if half == "pm" else 0)) + minute, True
    return 60.0 * (hour % 24) + minute, hour > 12 or hour == 0


def _at_clock(found: re.Match[str], clock: Clock) -> Window | None:
    word, said = found[1].split()[-1], found[2]
    if clock.wall is None and re.fullmatch(r"\d{1,2}:\d{2}(?::\d{2})?", said):  # of the recording's own clock
        parts = [int(part) for part in said.split(":")]
        moment = clock.start + sum(part * 60.0**k for k, part in enumerate(reversed(parts)))
        return _bounded(word, moment)
    told = _minutes(said)
    if told is None:
        return None
    moment = _of_day(told, clock, begins=word in ("since", "from", "after", "before", "until", "till"))
    return _bounded(word, max(clock.start, moment))


def _between_hours(found: re.Match[str], clock: Clock) -> Window | None:
    first = _minutes(found[1])
    last = _minutes(found[2], None if first is None else first[0])
    if first is None or last is None:
        return None
    since, until = _of_day(first, clock, begins=True), _of_day(last, clock, begins=True)
    if until <= clock.start and not clock.anyway:
        raise _outside(found[1], clock)
    return Window(since=max(clock.start, since), until=until)


def _of_day(told: tuple[float, bool], clock: Clock, begins: bool) -> float:
    """The last moment at which the clock showed so many minutes; of "at ten" in the morning or the evening."""
    if clock.wall is None:
        if clock.anyway:
            return clock.start
        raise Unanswerable(
            "I do not know the time of day of this recording, only how long ago things were; ask for "
            "instance 'ten minutes ago', or say when it began: situ memory clock FILE 'YYYY-MM-DD HH:MM'"
        )
    minutes, half_known = told
    now = clock.wall.at(clock.now)
    midnight = now.replace(hour=0, minute=0, second=0, microsecond=0)
    ways = [minutes] if half_known else [minutes % 720, minutes % 720 + 720]
    moments = [midnight + timedelta(minutes=one) for one in ways]
    last = max(one if one <= now else one - timedelta(days=1) for one in moments)
    moment = clock.wall.time_of(last)
    if moment < clock.start and not clock.anyway and not begins:
        raise _outside(f"{int(ways[0]) // 60}:{int(ways[0]) % 60:02d}", clock)
    return moment


def _day(found: re.Match[str], clock: Clock) -> Window | None:
    """ "This morning", "yesterday evening", "last night", "on Monday"."""
    said = found[0]
    if clock.wall is None:
        if clock.anyway:
            return Window(since=clock.start)
        if said.startswith("this"):
            return None
        raise Unanswerable(
            f"I do not know when '{said}' was: I know only how long ago things were; ask for instance "
            "'ten minutes ago'"
        )
    now = clock.wall.at(clock.now)
    midnight = now.replace(hour=0, minute=0, second=0, microsecond=0)
    back = 0 if said.startswith(("this", "in the")) else 2 if "day before" in said else 1
    if weekday := next((number for number, name in enumerate(_WEEKDAYS) if name in said), None):
        back = (midnight.weekday() - weekday) % 7 or 7
    part = next((hours for name, hours in _PARTS.items() if name in said), (0, 24))
    days = 7 if "week" in said else 0
    since = clock.wall.time_of(midnight - timedelta(days=back + days) + timedelta(hours=part[0]))
    until = clock.wall.time_of(midnight - timedelta(days=back) + timedelta(hours=part[1]))
    if until <= clock.start or since >= clock.now:
        if clock.anyway:
            return Window(since=clock.start)
        raise _outside(said, clock)
    return Window(since=max(clock.start, since), until=None if until >= clock.now else until)


def _meal(found: re.Match[str], clock: Clock) -> Window:
    if clock.anyway:
        return Window(since=clock.start)
    raise Unanswerable(
        f"I do not know when '{found[0]}' was: I know only how long ago things were; ask for instance 'ten "
        "minutes ago'"
    )


def _outside(asked: str, clock: Clock) -> Unanswerable:
    assert clock.wall is not None
    covered = f"{clock.wall.at(clock.start):%H:%M} to {clock.wall.at(clock.now):%H:%M}"
    return Unanswerable(f"I remember nothing of {asked}; my memory covers {covered}")


# ---------------------------------------------------------------------- what the wearer did
_WEARER = r"(?:i|we|he|she|mum|dad)"
_PLACED = r"((?:the |my |our )?(?:[a-z0-9'\-]+ ){0,2}?[a-z0-9'\-]+)(?=$| ,| (?:did|do|was|were|is|are|has|have|had|what|where|who|which|how)\b)"
_LEAVE = (
    r"(?:left|leave|exited|walked out of|came out of|come out of|went out of|got out of|came from|leaving|being in)"
)
_ENTER = r"(?:entered|enter|came into|come into|came to|went into|go into|went to|walked into|got to|got into|arrived in|arrived at|reached|entering)"
_STAYED = r"(?:was in|were in|was at|were at|was inside|was still in|am in|stayed in|have been in|had been in|visited)"


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
    return _bounded({"when": "at", "while": "at", "as": "at"}.get(word, word), moment)


def _visit(found: re.Match[str], clock: Clock) -> Window | None:
    """ "During my visit to the kitchen", "since my last visit to the office"."""
    place = re.sub(r"^(?:the|my|our) ", "", found[2])
    stays = clock.stays(place)
    if not stays:
        return None
    if found[1] in ("during", "in", "on"):
        return Window(place=place)
    return _bounded(found[1], stays[-1].start if found[1] == "before" else stays[-1].end)


def _came_in(found: re.Match[str], clock: Clock) -> Window:
    """ "When I came in", "before I came in here": to the place where the wearer is."""
    stays = clock.stays("")
    moment = stays[-1].start if stays else clock.start
    return _bounded({"when": "at"}.get(found[1], found[1]), moment)


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
    r"^(?:half|quarter|twenty|ten|five|\d)|\b(?:on|about|absence|afternoon|after|ago|around|as|at|back|before|beginning|between|by|day|during|earlier"
    r"|evening|first|from|in|just|last|lately|morning|night|over|past|recently|since|so far|this|till|time|today"
    r"|until|when|while|whilst|within|yesterday|now|walk|for)\b"
)
Reader = Callable[[re.Match[str], Clock], Window | None]
_READERS: tuple[tuple[re.Pattern[str], Reader], ...] = tuple(
    (re.compile(pattern), read)
    for pattern, read in (
        (rf"\bbetween ({_TOLD}|{_BARE}) and ({_TOLD}|{_BARE}|(?:half|quarter) past)", _between_hours),
        (rf"\bfrom ({_TOLD}) (?:to|until|till) ({_TOLD}|(?:half|quarter) past)", _between_hours),
        (r"\b(?:between|from) (seconds?|minutes?|hours?) (\w+) (?:and|to|until|till) (?:(seconds?|minutes?|hours?) )?"
         r"(\w+)\b|\b(?:between|from) (\w+) (?:and|to) (\w+) (seconds?|minutes?|hours?)( ago)?(?: in)?\b", _between),
        (r"\b(by|at|in|after|before|until|till|since|from|around) (?:the )?(seconds?|minutes?|hours?) (?:number )?"
         r"(\w+)\b", _numbered),
        (rf"\b(?:in|during|within|over) the first (?:{_AMOUNT} )?{_UNIT}\b", _first),
        (rf"\b(?:(since|before|until|more than|over|longer than|less than) )?{_SPAN} "
         r"(?:ago|earlier|before now|back|before(?=$| ,))(?!\w)", _ago),
        (rf"\b(?:in|within|over|for|during|these|this|the) (?:the |these )?(?:last|past) (?:{_AMOUNT} )?{_UNIT}\b"
         r"(?: or so)?", _last),
        (rf"\bsince {_SPAN}\b(?! (?:ago|earlier|back|before))", _last),  # as many say who learnt English late
        (rf"\b(at|after|before|until) {_SPAN}(?: in(?:to the (?:video|recording|walk|day|tour))?)?\b(?! (?:or|in) )"
         rf"|(?<!than ){_SPAN} in(?:to the (?:video|recording|walk|day|tour)|$)", _into),
        (_WHEN, _at_clock),
        (rf"^(?=(\w+))({_TOLD})(?= |$)", _at_clock),
        (rf"\b(while|when|as|whilst|before|after|since|until|till) {_WEARER} (?:last |first )?"
         rf"((?:last )?(?:{_LEAVE}|{_ENTER}|{_STAYED})) {_PLACED}", _event),
        (rf"\b(since|after|before) (?:last )?({_LEAVE}|{_ENTER}) {_PLACED}", _event),
        (rf"\b(during|since|after|before|on) (?:my|the|his|her) (?:last )?(?:visit|trip|stay)s? (?:to|in|at) {_PLACED}",
         _visit),
        (r"\b(since|after|before) ((?:the |my )?(?:[a-z]+ )?[a-z]+)$", _visit),
        (r"^between ((?:the |my )?[a-z ]+?) and ((?:the |my )?[a-z ]+?)(?= ,)", _on_the_way),
        (r"\b(?:while|when|since) i (?:was|have been|had been) (?:out|away|gone|not here|elsewhere)\b|\bin my absence\b"
         r"|\bsince i (?:left|(?:was|went|came|walked|passed) last (?:here|by|past)|was here"
         r"|last (?:was here|went by|came by|passed|walked by|went past|came past))\b(?! the)"
         r"|\bsince (?:the )?last time(?: i was here)?\b", _while_out),
        (r"\b(when|before|since|until|after) i (?:first )?(?:came|walked|went|got) in(?: here)?(?=$| ,)", _came_in),
        (r"\b(since|from|after|at|in) (?:the )?(?:very )?(?:start|beginning)(?: of (?:the|my) \w+)?(?=$| ,)"
         r"|\bwhen i (?:started|arrived|began|got here)(?=$| ,)|\b(?:at first)(?=$| ,)", _from_start),
        (r"\b(since|from|after) (?:t ?0|time zero|i (?:came|got) here|i (?:arrived|started|began)|we started"
         r"|the (?:shift|walk|day|tour|recording|video) (?:began|started))\b", _from_start),
        (r"\b(?:yesterday|the day before yesterday)(?: (?:morning|afternoon|evening|night))?\b|\blast night\b"
         rf"|\b(?:last |on )(?:week|{'|'.join(_WEEKDAYS)})\b|\b(?:earlier )?this (?:morning|afternoon|evening)\b",
         _day),
        (r"\b(?:at|since|before|after) (?:lunch|breakfast|dinner)\b", _meal),
        (r"(?<!more )(?<!most )\brecently\b|\blately\b|\bin the last little while\b|\b(?:just )?a (?:moment|minute|second)"
         r" ago\b|\bmoments ago\b|\bnot long ago\b|(?<=\b[iwe] )just(?= (?:see|seen|saw|pass|passed|move|moved|take|took"
         r"|taken|walked)\b)|(?<=\w )just now$", _recently),
        (r"\b(?:earlier )?today\b|\b(?:all|the whole) day\b|\bthis time(?: round)?\b|\bso far\b|\b(?:until|up to|till) now\b"
         r"|\b(?:on|during) (?:this|the) (?:walk|tour)\b|\bin (?:this|the) (?:recording|video)\b"
         r"|\bthe (?:whole|entire) time\b|\bduring the (?:video|recording)\b", _whole),
    )
)  # fmt: skip
