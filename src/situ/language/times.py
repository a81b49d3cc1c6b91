"""Times in words: "two minutes ago", "at 2:10", "in the last hour", "since I left the kitchen"."""

import re
from collections.abc import Callable, Iterator
from datetime import timedelta

from situ.errors import Unanswerable
from situ.language.clocks import Clock as Clock
from situ.language.clocks import When as When
from situ.language.clocks import Window as Window
from situ.memory.file.wall_clock import WallClock

_NUMBERS = {
    "a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8,
    "nine": 9, "ten": 10, "eleven": 11, "twelve": 12, "fifteen": 15, "twenty": 20, "thirty": 30, "forty": 40,
    "forty five": 45, "sixty": 60, "half a": 0.5, "half an": 0.5, "a few": 3, "few": 3, "a couple of": 2,
    "a couple": 2, "couple of": 2, "couple": 2, "several": 5, "some": 5,
}  # fmt: skip
_UNITS = {
    "second": 1.0, "sec": 1.0, "s": 1.0, "minute": 60.0, "min": 60.0, "m": 60.0, "hour": 3600.0, "hr": 3600.0,
    "h": 3600.0, "day": 86400.0, "week": 604800.0,
}  # fmt: skip
_AMOUNT = (
    r"(half an?|a few|a couple(?: of)?|couple of|forty five|\d+(?:\.\d+)?|"
    rf"{'|'.join(w for w in _NUMBERS if ' ' not in w)})"
)
_UNIT = r"(seconds?|secs?|s|minutes?|mins?|m|hours?|hrs?|h|days?|weeks?)"
# Digits may go with their unit; "am" is no "a m".
_SPAN = rf"(?:about |around |roughly |like )?{_AMOUNT}(?:(?<=\d) ?| ){_UNIT}"
_AGO = re.compile(rf"\b(since )?{_SPAN} (?:ago|earlier|before now|back|before(?=$| ,))(?!\w)")
_LAST = re.compile(
    rf"\b(?:in|within|over|for|during|these|this|the) (?:the |these )?(?:last|past) (?:{_AMOUNT} )?{_UNIT}\b"
)
_FOR = re.compile(
    rf"\bsince {_SPAN}\b(?! (?:ago|earlier|back|before))"
)  # as many say who learnt English late
_INTO = re.compile(
    rf"\b(?:(?:at|after) {_SPAN}(?: in(?:to the (?:video|recording|walk|day))?)?\b(?! (?:or|in) )"
    rf"|{_SPAN} in(?:to the (?:video|recording|walk|day)|$))"
)
_CLOCK = re.compile(
    r"\b(at around|at about|at|around|about|since|from|before|after|by) (?:(\d+):)?(\d{1,2}):(\d{2})\b"
    r"(?! ?(?:am|pm|o'clock))"
)
_AT = r"\b(at around|at about|at|around|about|since|before|after|by|from)"
_ONE_TO_12 = r"\d{1,2}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve"
_HOUR = re.compile(rf"{_AT} ({_ONE_TO_12})(?::(\d{{2}}))? ?(am|pm|o'clock)\b")
_BARE_HOUR = re.compile(rf"\b(since|from) ({_ONE_TO_12})(?: ([0-5]\d))?()$")
_PAST = re.compile(
    rf"{_AT} ((?:a )?(?:half|quarter|{_ONE_TO_12}|twenty)(?: minutes)?) (past|to) ({_ONE_TO_12})\b"
)
_MINUTES = {
    "oh five": 5, "oh one": 1, "oh two": 2, "oh three": 3, "oh four": 4, "oh six": 6, "oh seven": 7,
    "oh eight": 8, "oh nine": 9, "ten": 10, "fifteen": 15, "twenty five": 25, "twenty": 20, "thirty five": 35,
    "thirty": 30, "forty five": 45, "forty": 40, "fifty five": 55, "fifty": 50, "eleven": 11, "twelve": 12,
}  # fmt: skip
_SPOKEN = re.compile(
    rf"{_AT} (one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve) ({'|'.join(_MINUTES)})(?= ,|$)"
)
_NOON = re.compile(
    r"\b(at|since|before|after) (noon|midday|midnight|lunch|breakfast|dinner)\b|\b(yesterday|"
    r"this (?:morning|afternoon|evening)|last (?:night|week|monday|tuesday|wednesday|thursday|friday))\b"
)
_NOW = re.compile(r"\b(?:right now|just now|now)\b(?! on\b)")
_START = re.compile(
    r"\b(since |from )?(?:when i (?:first )?(?:came|walked|went|got) in(?: here)?|when i (?:started|"
    r"arrived|began|got here)|"
    r"at the (?:very )?(?:start|beginning)|in the beginning|at first)(?= |$)|"
    r"\b(since|from|after) (?:the (?:very )?(?:start|beginning)|i (?:came|got|walked) (?:in|here)|"
    r"i (?:arrived|started|began))(?= |$)"
)
_TODAY = re.compile(r"\b(?:earlier )?(?:today|all day|the whole day|this time|ever)\b(?! \w+ was)")
_RECENT = re.compile(
    r"\b(?:(?<!most )recently|lately|in the last little while|a moment ago|just a moment ago|moments ago|"
    r"a minute ago|a second ago|not long ago)\b"
)
_OUT = re.compile(
    r"\b(?:while|when|since) i (?:was|have been|had been) (?:out|away|gone|not here|elsewhere)\b|"
    r"\bin my absence\b|\bsince i (?:left|was last here|was here)\b(?! the)|\bsince (?:the )?last time(?: "
    r"i was here)?\b"
)
_PLACE = re.compile(
    r"(?<! is it)(?<! it been)(?:^| )(?:since|after) (?:(?:i (?:was|have been) (?:last )?in|"
    r"i (?:left|entered|visited|came from|came out of|got "
    r"out of)|"
    r"leaving|being in|my last visit to|my visit to) )?(?:the |my )?([a-z' ]+?)(?=$| ,)"
)
_LEFT = re.compile(r"(?<=\w )when (?:i|we) (?:last )?left (?:the |my )?([a-z' ]+)$")
_MOVED = re.compile(
    r"\bbefore (?:i|we|someone|it|they|anyone) (?:was |were |got |last )*(?:moved|took|put|picked|carried|"
    r"shifted)"
    r"(?: (?:it|them|up|away|there|last))*$|\bbefore that$|\buntil it was (?:last )?moved$"
)
# One of these is in every phrase for a time; most sentences hold none.
_TIMELY = re.compile(
    r"\b(?:about|absence|after|afternoon|ago|around|at|back|before|beginning|by|earlier|evening|from|last|lately"
    r"|morning|past|recently|since|until|when|while|yesterday)\b|\bin(?:to the |$)"
)
RECENT_S = 60.0
_WHOLE = re.compile(
    r"\b(?:today|all day|the whole day|this time(?: round)?|so far|until now|up to now|till now"
    r"|on this walk|in this recording|in the (?:video|recording)|since we started|the (?:whole|entire) time"
    r"|since the (?:shift|walk|day|tour|recording|video) (?:began|started)"
    r"|during the (?:walk|tour|video|recording))\b"
)
_NAMED_UNIT = r"(seconds?|minutes?|hours?)"
_BETWEEN = re.compile(
    rf"\b(?:between|from) {_NAMED_UNIT} (\w+) (?:and|to|until|till) (?:{_NAMED_UNIT} )?(\w+)\b"
    rf"|\b(?:between|from) (\w+) (?:and|to) (\w+) {_NAMED_UNIT}( ago)?(?: in)?\b"
)
_BY_MINUTE = re.compile(
    rf"\b(by|at|in|after|before|until|till|since|from|around) (?:the )?{_NAMED_UNIT} (?:number )?(\w+)\b"
)
_FIRST = re.compile(rf"\b(?:in|during|within|over) the first (?:{_AMOUNT} )?{_UNIT}\b")
_BEFORE_AFTER = re.compile(rf"\b(before|until) {_SPAN} (?:ago|in(?:to the (?:video|walk|recording|day))?)\b")
_WHILE = re.compile(
    r"\b(?:while|when|as|whilst) (?:i|we) (?:was|were|am) (?:still )?(?:in|inside|at) (?:the |my |our )?"
    r"((?:\w+ )??\w+)"
    r"(?= ,|$| (?:did|was|were|is|are|has|have)\b)"
)
_PART_OF_DAY = re.compile(r"\b(?:earlier )?this (morning|afternoon|evening)\b")
# "What did I just see", "what have I moved just now".
_JUST = re.compile(
    r"(?<=\b[iwe] )just(?= (?:see|seen|saw|pass|passed|move|moved|take|took|taken)\b)|(?<=\w )just now$"
)
_QUARTER = tuple(
    (re.compile(rf"\b(?:{said})\b"), meant)
    for said, meant in (
        ("(?:a )?quarter of an hour|quarter hour", "15 minutes"), ("half hour", "30 minutes"),
        ("(?:three quarters of an|three quarter) hour", "45 minutes"), ("half a minute", "30 seconds"),
        ("(?:an|one) hour and a half", "90 minutes"),
    )
)  # fmt: skip


def windows(sentence: str, clock: Clock, mark: str = "\x01") -> tuple[str, dict[str, Window]]:
    """The sentence with a mark for each time that it names, and what the marks mean."""
    for pattern, instead in _QUARTER:
        sentence = pattern.sub(instead, sentence)
    found: dict[str, Window] = {}
    while len(found) < _MOST_TIMES:
        first = next(_times_in(sentence, clock), None)
        if first is None:
            return sentence, found
        (start, end), window = first
        name = f"{mark}{len(found)}"
        found[name] = window
        sentence = _tidy(f"{sentence[:start]} {name} {sentence[end:]}")
    return sentence, found


_MOST_TIMES = 4


def _times_in(sentence: str, clock: Clock) -> Iterator[tuple[tuple[int, int], Window]]:
    for pattern, read in _WINDOWS:
        for match in pattern.finditer(sentence):
            window = read(match, clock)
            if window is not None:
                yield match.span(), window
    for pattern, moment in _READERS if _TIMELY.search(sentence) else ():
        if pattern in (_MOVED, _OUT, _NOON):
            continue
        if match_ := pattern.search(sentence):
            when = moment(match_, clock)
            if when is not None:
                yield match_.span(), Window(at=when.time, since=when.since)


def _between(found: re.Match[str], clock: Clock) -> Window | None:
    unit, first, other, last = found[1] or found[7], found[2] or found[5], found[3], found[4] or found[6]
    ends = [_known_amount(first), _known_amount(last)]
    if ends[0] is None or ends[1] is None:
        return None
    start, end = ends[0] * _unit(unit), ends[1] * _unit(other or unit)
    if found[8]:
        start, end = clock.now - max(start, end), clock.now - min(start, end)
        return Window(since=start, until=end)
    return Window(since=clock.start + min(start, end), until=clock.start + max(start, end))


def _by_minute(found: re.Match[str], clock: Clock) -> Window | None:
    number = _known_amount(found[3])
    if number is None:
        return None
    moment = clock.start + number * _unit(found[2])
    if found[1] in ("before", "until", "till"):
        return Window(until=moment)
    return Window(since=moment) if found[1] in ("after", "since", "from") else Window(at=moment)


def _known_amount(word: str) -> float | None:
    return _NUMBERS[word] if word in _NUMBERS else float(word) if word.isdigit() else None


def _unit(word: str) -> float:
    return _UNITS[word if word in _UNITS else word.rstrip("s")]


def _before(found: re.Match[str], clock: Clock) -> Window:
    span = _seconds(found[2], found[3])
    return Window(until=clock.now - span if found[0].endswith("ago") else clock.start + span)


_WINDOWS: tuple[tuple[re.Pattern[str], Callable[[re.Match[str], Clock], Window | None]], ...] = (
    (_BETWEEN, _between),
    (_BY_MINUTE, _by_minute),
    (_FIRST, lambda found, clock: Window(until=clock.start + _seconds(found[1] or "one", found[2]))),
    (_BEFORE_AFTER, _before),
    (_JUST, lambda found, clock: Window(since=max(clock.start, clock.now - RECENT_S))),
    (_WHILE, lambda found, clock: Window(place=found[1])),
    (_PART_OF_DAY, lambda found, clock: _part_of_day(found, clock)),
    (_WHOLE, lambda found, clock: Window(since=clock.start, whole=True)),
)


def take_time(sentence: str, clock: Clock) -> tuple[str, When]:
    """The sentence without its words for time, and the time that they name."""
    for pattern, read in _READERS if _TIMELY.search(sentence) else ():
        found = pattern.search(sentence)
        if found:
            when = read(found, clock)
            if when is not None:
                return _cut(sentence, found), when
    return _tidy(_TODAY.sub(" ", _NOW.sub(" ", sentence))), When()


def _ago(found: re.Match[str], clock: Clock) -> When:
    moment = clock.now - _seconds(found[2], found[3])
    return When(since=max(clock.start, moment)) if found[1] else When(moment)


def _last(found: re.Match[str], clock: Clock) -> When:
    return When(since=max(clock.start, clock.now - _seconds(found[1] or "one", found[2])))


def _at_clock(found: re.Match[str], clock: Clock) -> When:
    seconds = int(found[2] or 0) * 3600 + int(found[3]) * 60 + int(found[4])
    if clock.wall is not None and not found[2]:
        return _of_day(found[1], int(found[3]), int(found[4]), clock, half_known=int(found[3]) > 12)
    moment = clock.start + seconds
    return When(since=moment) if found[1] in ("since", "from", "after") else When(moment)


def _at_hour(found: re.Match[str], clock: Clock) -> When:
    hour, minute = _hour(found[2]), int(found[3] or 0)
    if found[4] in ("am", "pm"):
        return _of_day(found[1], hour % 12 + (12 if found[4] == "pm" else 0), minute, clock)
    return _of_day(found[1], hour, minute, clock, half_known=hour > 12)


def _at_past(found: re.Match[str], clock: Clock) -> When:
    """ "half past nine", "quarter to ten"."""
    said = found[2].removeprefix("a ").removesuffix(" minutes")
    minutes = {"half": 30, "quarter": 15}.get(said) or int(_amount(said))
    past = _hour(found[4]) * 60 + (minutes if found[3] == "past" else -minutes)
    hour, minute = divmod(past % (24 * 60), 60)
    return _of_day(found[1], hour, minute, clock, half_known=hour > 12)


def _hour(word: str) -> int:
    return int(_amount(word)) % 24


def _of_day(word: str, hour: int, minute: int, clock: Clock, half_known: bool = True) -> When:
    """The last time at which the clock showed an hour; of "at ten" in the morning and in the evening."""
    wall = clock.wall
    if wall is None:
        if clock.anyway:
            return When(clock.start)
        raise Unanswerable(
            "I do not know the time of day of this recording, only how long ago things were; ask for "
            "instance 'ten minutes ago', or say when it began: situ memory clock FILE 'YYYY-MM-DD HH:MM'"
        )
    now = wall.at(clock.now)
    hours = [hour] if half_known else sorted({hour % 24, (hour + 12) % 24})
    found = [now.replace(hour=one, minute=minute, second=0, microsecond=0) for one in hours]
    moment = wall.time_of(max(one if one <= now else one - timedelta(days=1) for one in found))
    if word in ("since", "from", "after"):
        return When(since=max(clock.start, moment))
    if moment < clock.start and not clock.anyway:
        raise _outside(f"{hour if half_known else hours[0]}:{minute:02d}", wall, clock)
    return When(max(clock.start, moment))


def _outside(asked: str, wall: WallClock, clock: Clock) -> Unanswerable:
    covered = f"{wall.at(clock.start):%H:%M} to {wall.at(clock.now):%H:%M}"
    return Unanswerable(f"I remember nothing of {asked}; my memory covers {covered}")


def _part_of_day(found: re.Match[str], clock: Clock) -> Window | None:
    """ "This morning", where the hours of the day are known."""
    wall = clock.wall
    if wall is None:
        return None
    first, last = _PARTS_OF_DAY[found[1]]
    midnight = wall.at(clock.now).replace(hour=0, minute=0, second=0, microsecond=0)
    since, until = (wall.time_of(midnight + timedelta(hours=hour)) for hour in (first, last))
    if until <= clock.start or since >= clock.now:
        if clock.anyway:
            return Window(since=clock.start)
        raise _outside(found[0], wall, clock)
    return Window(since=max(clock.start, since), until=None if until >= clock.now else until)


_PARTS_OF_DAY = {"morning": (5, 12), "afternoon": (12, 18), "evening": (17, 24)}  # hours, as people say


def _no_day(found: re.Match[str], clock: Clock) -> When:
    if clock.wall is None or (found[2] or "").endswith(("lunch", "breakfast", "dinner")):
        raise Unanswerable(
            f"I do not know when '{found[0]}' was: I know only how long ago things were; ask for instance "
            "'ten minutes ago'"
        )
    words = found[3] or ""
    if words.startswith("this"):
        return _of_day("since", {"morning": 5, "afternoon": 12}.get(words.split()[-1], 17), 0, clock)
    if words:
        return When(since=max(clock.start, clock.now - 2 * 86400.0))
    return _of_day(found[1], 0 if found[2] == "midnight" else 12, 0, clock)


def _from_start(found: re.Match[str], clock: Clock) -> When:
    return When(since=clock.start) if found[1] or found[2] else When(clock.start)


def _since_place(found: re.Match[str], clock: Clock) -> When | None:
    moment = clock.left(found[1].strip())
    return None if moment is None else When(since=moment)


def _when_left(found: re.Match[str], clock: Clock) -> When | None:
    moment = clock.left(found[1].strip())
    return None if moment is None else When(moment)


def _while_out(found: re.Match[str], clock: Clock) -> When:
    moment = clock.left("")
    return When(since=clock.start if moment is None else moment)


_READERS: tuple[tuple[re.Pattern[str], Callable[[re.Match[str], Clock], When | None]], ...] = (
    (_MOVED, lambda found, clock: When(moved=True)),
    (_RECENT, lambda found, clock: When(since=max(clock.start, clock.now - RECENT_S))),
    (_AGO, _ago),
    (_LAST, _last),
    (_FOR, _last),
    (_PAST, _at_past),
    (_SPOKEN, lambda found, clock: _of_day(found[1], _hour(found[2]), _MINUTES[found[3]], clock, False)),
    (_HOUR, _at_hour),
    (_BARE_HOUR, _at_hour),
    (_CLOCK, _at_clock),
    (_NOON, _no_day),
    (_INTO, lambda found, clock: When(clock.start + _seconds(found[1] or found[3], found[2] or found[4]))),
    (_OUT, _while_out),
    (_START, _from_start),
    (_PLACE, _since_place),
    (_LEFT, _when_left),
)


def _amount(word: str) -> float:
    return _NUMBERS[word] if word in _NUMBERS else float(word)


def _seconds(amount: str, unit: str) -> float:
    return _amount(amount) * _unit(unit)


def _cut(text: str, found: re.Match[str]) -> str:
    return _tidy(f"{text[: found.start()]} {text[found.end() :]}")


def _tidy(sentence: str) -> str:
    return " ".join(sentence.split()).strip(" ,")
