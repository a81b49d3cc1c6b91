"""Hours of the day in words: "at ten past nine", "between two and three", "yesterday evening"."""

import re
from datetime import timedelta

from situ.errors import Unanswerable
from situ.language.windows import Clock, Window, bounded, number_of

HOURS = r"\d{1,2}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve"
_MINUTES = (
    r"oh (?:one|two|three|four|five|six|seven|eight|nine)|(?:twenty|thirty|forty|fifty)(?: five)?|fifteen|ten"
)
_PAST = rf"(?:a )?(?:half|quarter|twenty five|twenty|{HOURS})(?: minutes)? (?:past|to)(?: (?:{HOURS}))?"
TOLD = (
    rf"(?:\d{{1,2}}:\d{{2}}(?::\d{{2}})?(?: ?(?:am|pm))?|{_PAST}|(?:{HOURS}) (?:{_MINUTES})"
    rf"|(?:{HOURS}) ?(?:o'clock|am|pm)|noon|midday|midnight)"
)
BARE = rf"(?:{HOURS})(?=$| ,| and )"
AT = r"at around|at about|at|around|about|since|from|before|after|by|until|till"
_PARTS = {"morning": (5, 12), "afternoon": (12, 18), "evening": (17, 24), "night": (20, 29)}  # hours
WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")


def _minutes(said: str, before: float | None = None) -> tuple[float, bool] | None:
    """Minutes from midnight, and whether the half of the day is known; None for what is no hour. `before` is
    the hour that "quarter past" alone is counted from."""
    words = said.replace("minutes ", "").removeprefix("a ")
    if words in ("noon", "midday", "midnight"):
        return (0.0 if words == "midnight" else 720.0), True
    if found := re.fullmatch(r"(\d{1,2}):(\d{2})(?::\d{2})? ?(am|pm)?", words):
        return _of_half(int(found[1]), int(found[2]), found[3])
    if found := re.fullmatch(r"(.+) (past|to)(?: (.+))?", words):
        part = {"half": 30.0, "quarter": 15.0, "twenty five": 25.0}.get(found[1]) or number_of(found[1])
        hour = number_of(found[3]) if found[3] else None if before is None else before // 60 % 12
        if part is None or hour is None:
            return None
        return (60 * hour + (part if found[2] == "past" else -part)) % 1440, hour > 12
    if found := re.fullmatch(rf"({HOURS}) ?(o'clock|am|pm)?", words):
        return _of_half(int(number_of(found[1]) or 0), 0, found[2])
    hour_word, _, rest = words.partition(" ")
    parts = [number_of(word) or 0.0 for word in rest.replace("oh ", "").split()]
    return _of_half(int(number_of(hour_word) or 0), int(sum(parts)), None)


def _of_half(hour: int, minute: int, half: str | None) -> tuple[float, bool] | None:
    if hour > 24 or minute > 59:
        return None
    if half in ("am", "pm"):
        return 60.0 * (hour % 12 + (12 if half == "pm" else 0)) + minute, True
    return 60.0 * (hour % 24) + minute, hour > 12 or hour == 0


def at_clock(found: re.Match[str], clock: Clock) -> Window | None:
    word, said = found[1].split()[-1], found[2]
    if clock.wall is None and re.fullmatch(r"\d{1,2}:\d{2}(?::\d{2})?", said):  # of the recording's own clock
        parts = [int(part) for part in said.split(":")]
        moment = clock.start + sum(part * 60.0**k for k, part in enumerate(reversed(parts)))
        return bounded(word, moment)
    told = _minutes(said)
    if told is None:
        return None
    moment = _of_day(told, clock, begins=word in ("since", "from", "after", "before", "until", "till"))
    return bounded(word, max(clock.start, moment))


def between_hours(found: re.Match[str], clock: Clock) -> Window | None:
    first = _minutes(found[1])
    last = _minutes(found[2], None if first is None else first[0])
    if first is None or last is None:
        return None
    since, until = _of_day(first, clock, begins=True), _of_day(last, clock, begins=True)
    if until <= clock.start and not clock.anyway:
        raise _outside(found[1], clock)
    return Window(since=max(clock.start, since), until=until)


def _of_day(told: tuple[float, bool], clock: Clock, begins: bool) -> float:
    """The last moment at which the clock showed so many minutes; "at ten" may be in the evening."""
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


def day(found: re.Match[str], clock: Clock) -> Window | None:
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
    if weekday := next((number for number, name in enumerate(WEEKDAYS) if name in said), None):
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


def meal(found: re.Match[str], clock: Clock) -> Window:
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
