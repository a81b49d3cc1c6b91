"""A reading put to a state: its programs are run, and what comes out is told with all that it rests on."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from situ.errors import BadFormat, BadInput, Unanswerable
from situ.geometry.heading import named_way
from situ.language import kinds
from situ.language.ages import age_in_words, span_in_words
from situ.language.certificate import Certificate
from situ.language.edits import kind_of
from situ.language.focus import decide
from situ.language.forgotten import check_remembered
from situ.language.naming import asked, noun, some, the
from situ.language.other_candidates import LEAST_CHANCE, Other, in_words
from situ.language.phrasing import upper
from situ.language.reading import Reading
from situ.language.sets import things
from situ.language.telling import Saying, tell
from situ.language.told import LEAST_CONFIDENCE, SURE, Thing, Told, rounded
from situ.language.unplaced import check_known
from situ.language.vocabulary import Vocabulary
from situ.questions.base import Question, from_program
from situ.questions.programs import NoneSeen, Result, evaluate, parse, to_json
from situ.questions.programs.named import with_gone
from situ.questions.programs.schema import AsOf, Step
from situ.questions.rules.landmarks import plain_name
from situ.questions.rules.places import Places
from situ.questions.rules.wearer import WEARER_NOW, gap_from, heading_now
from situ.questions.scene.around import AROUND_M, looked_at
from situ.questions.select import Phrase, Selector, with_article
from situ.state.protocol import ObjectView, SpatialState

SIDES = {"front": "front", "behind": "back", "left": "left", "right": "right"}  # as questions call them
SURELY_READ = 0.95  # a reading below this is told with the answer
_MOST_THINGS = 50  # told one by one
_SCALE_UNKNOWN = " (The scale is unknown: distances assume that the camera is 1.6 m above the floor.)"
_OF_ONE = frozenset({"get", "is"})
Json = Any


def run(
    state: SpatialState, sentence: str, reading: Reading, least_confidence: float = LEAST_CONFIDENCE
) -> Told:
    """The answers to what a sentence was read as. Of several questions each that has no answer says why."""
    parts = reading.program if isinstance(reading.program, list) else [reading.program]
    if len(parts) == 1:
        return _run_one(state, sentence, parts[0], reading, least_confidence)
    told, refused = list[Told](), list[Unanswerable]()
    for part in parts:
        try:
            told.append(_run_one(state, sentence, part, reading, least_confidence))
        except Unanswerable as error:
            refused.append(error)
            told.append(refusal(sentence, error))
    if len(refused) == len(told):
        raise refused[0]
    return replace(together(sentence, told), phrases=reading.phrases)


def _run_one(
    state: SpatialState, sentence: str, part: Json, reading: Reading, least_confidence: float
) -> Told:
    part = _of_any_set(part)
    if (question := question_of(part)) is not None:
        return answered(state, sentence, question, reading, least_confidence)
    try:
        program = parse(part)
    except BadInput as error:
        raise Unanswerable(f"I cannot ask that: {error}") from error
    told = [_answer(state, sentence, step, reading, least_confidence) for step in program.asks]
    return told[0] if len(told) == 1 else together(sentence, told)


def refusal(sentence: str, error: Unanswerable) -> Told:
    """An answer that says why there is none."""
    error.__traceback__ = error.__context__ = None  # those calls hold the state, and so its file
    reason = str(error)
    return Told(sentence, f"{reason[:1].upper()}{reason[1:]}.".replace("..", "."), abstained=reason)


def together(sentence: str, told: Sequence[Told]) -> Told:
    """The answers to several questions as one."""
    return Told(
        sentence, " ".join(one.text for one in told),
        "; ".join(str(one.value) for one in told if one.value is not None) or None,
        question=told[0].question, readings=tuple(told),
        confidence=min((one.confidence for one in told if not one.abstained), default=0.0),
        things=told[-1].things, phrases=told[-1].phrases,
    )  # fmt: skip


def question_of(program: Json) -> Question | None:
    """The question that is a function of its own, where a program asks one; of things by kind and looks."""
    if program.get("ask") != "question":
        return from_program(program) if "kind" in program else None
    arguments = {key: value if key == "kind" else _argument(value) for key, value in program.items()}
    del arguments["ask"]
    try:
        return from_program(arguments)
    except BadFormat as error:
        raise Unanswerable("I cannot tell that of a time; ask for now") from error


def _of_any_set(program: Json) -> Json:
    """A question about one thing by its name, as a program of the algebra where more is said of the thing."""
    which = program.get("which")
    if program.get("kind") != "has_moved" or not isinstance(which, dict) or which["op"] in ("things", "or"):
        return program
    bounds = {key: program[key] for key in ("since", "until") if key in program}
    return {"ask": "is", "of": with_gone(which), "in": {"op": "did", "act": "moved", **bounds}}


def program_in_words(program: Json) -> str:
    """What a program asks, be it of the algebra or a question that is a function of its own."""
    if isinstance(program, list):
        return "; ".join(program_in_words(one) for one in program)
    question = question_of(program)
    return asked(program) if question is None else kinds.asked_as(question)


def _argument(value: Json) -> Json:
    """A set as kinds of question know objects: by kind and looks, or by its name."""
    if not isinstance(value, dict):
        return value
    if value["op"] == "things" and "kind" in value and set(value) <= {"op", "kind", "with"}:
        return Selector.make(value["kind"], value.get("with", {}))
    return Phrase(of=value, name=noun(value))


def answered(
    state: SpatialState, sentence: str, question: Question, reading: Reading, least_confidence: float
) -> Told:
    """The answer of a question that is a function of its own."""
    check_remembered(state, getattr(question, "time", None))
    decision = decide(question, state)
    answer = decision.answer
    last = next(reversed(state.sightings(answer.things[0])), None) if answer.things else None
    age = None if last is None else state.now - last.time
    text = kinds.tell(question, answer, age, state, reading.unit)
    told = {value: round(share, 3) for value, share in decision.odds.items()}
    text, reason = hedged(text, decision.confidence, reading, least_confidence, kinds.asked_as(question))
    return Told(
        sentence, text, None if reason else answer.value, reason, kinds.asked_as(question), question.frame,
        rounded(decision.confidence * reading.certainty), told, decision.distance_m, age, answer.evidence,
        Certificate.of(question, state, answer), bool(getattr(state, "metric", True)),
        taken_as=kinds.asked_as(question) if reading.certainty < SURELY_READ else "",
        phrases=reading.phrases,
    )  # fmt: skip


def hedged(
    text: str, odds: float, reading: Reading, least_confidence: float, question: str
) -> tuple[str, str]:
    """An answer with its doubt in words, and why it is withheld, if it is. A reading that is announced is no
    reason to keep silent."""
    reason = f"I am not sure enough ({odds:.0%})" if odds < least_confidence else ""
    if reason:
        text = f"{reason}; my best guess: {_lowered(text)}"
    elif odds * reading.certainty < SURE:
        text = f"I think {_lowered(text)}"
    return (text if reading.certainty >= SURELY_READ else f"I took this as: {question}. {text}"), reason


def _lowered(text: str) -> str:
    return f"{text[0].lower()}{text[1:]}"


def _answer(
    state: SpatialState, sentence: str, step: Step, reading: Reading, least_confidence: float
) -> Told:
    for time in _moments(to_json(step)):
        if len(state.path) and time < state.path.start - 1.0:
            ago, span = age_in_words(state.now - time), span_in_words(state.now - state.path.start)
            raise Unanswerable(f"I was not watching {ago}: I have watched for {span}")
        check_remembered(state, time)
    then = state
    for frame in step.where:
        if isinstance(frame, AsOf) and isinstance(frame.time, float):
            then = then.as_of(frame.time)
            check_remembered(then)
    program = _within_sight(to_json(step), bool(Vocabulary.of(then).here))
    step = parse(program).asks[0]
    try:
        (result,) = evaluate(program, state)
    except NoneSeen as error:
        which = to_json(error.which)
        check_known(state, which)
        if _was_seen(which, then):
            raise Unanswerable(f"I saw {the(which)} too little to say that") from error
        raise Unanswerable(f"I have not seen {some(which)}{_of_its_kind(which, then)}") from error
    result = _as_far_as_looked(to_json(step.ask), result, then)
    said = Saying(to_json(step.ask), result, then, reading.unit, views_of(then))
    others = tuple(_others(said)) if said.ask["ask"] in _OF_ONE else ()
    text = tell(said) + in_words(others)
    question = asked(program)
    confidence = result.confidence * reading.certainty
    metric = bool(getattr(state, "metric", True))
    if not metric and (result.unit == "m" or "distance_m" in result.numbers):
        text += _SCALE_UNKNOWN
    if then is not state:
        text = f"{upper(_as_of(state, then.now))}: {text[0].lower()}{text[1:]}"
    text, reason = hedged(text, result.confidence, reading, least_confidence, question)
    interval = result.interval if result.unit == "m" or said.ask.get("what") == "way" else None
    return Told(
        sentence, text, None if reason else result.value, reason, question, frame_of(program),
        rounded(confidence), {value: round(share, 3) for value, share in result.odds.items()}, interval,
        said.age_s(result.things[0]) if result.things else None, result.evidence,
        certificate_of(program, result, state), metric, others,
        question if reading.certainty < SURELY_READ else "", things=tuple(_things(said)),
        phrases=reading.phrases,
    )  # fmt: skip


def _as_of(state: SpatialState, time: float) -> str:
    """ "18 minutes ago, at 9:07", of what was so then."""
    ago, wall = age_in_words(state.now - time), getattr(state, "wall_clock", None)
    return ago if wall is None else f"at {wall.at(time):%H:%M}, {ago}".replace("at 0", "at ")


def _of_its_kind(which: Json, state: SpatialState) -> str:
    """The nearest thing of a kind, where there is none of which what was said is so."""
    kind = kind_of(which)
    if not kind or which == things(kind):
        return ""
    try:
        (found,) = evaluate({"ask": "get", "what": "way", "of": things(kind)}, state)
    except Unanswerable:
        return ""
    said = Saying({"ask": "get", "what": "way", "of": things(kind)}, found, state, "", views_of(state))
    one = found.things[0]
    way = said.way(one)
    return f"; the nearest {kind} is {with_article(said.called(one))}, {way}{said.room(one)}" if way else ""


def _was_seen(which: Json, state: SpatialState) -> bool:
    """Whether there is such a thing, though it is not known well enough for what is asked of it."""
    (found,) = evaluate({"ask": "exists", "of": which}, state)
    return found.value == "yes"


def _within_sight(program: Json, here: bool) -> Json:
    """What is on a side of somebody is what is near there, where no kind of thing is asked for; and in the
    same room, where it is known which one that is."""
    if "do" in program:
        return {**program, "do": _within_sight(program["do"], here)}
    of = program.get("of")
    if program["ask"] != "list" or not isinstance(of, dict) or of["op"] != "rel" or of["to"] != "me":
        return program
    if of["rel"] not in {*SIDES, "near"} or of.get("of") not in (None, {"op": "things"}) or "m" in of:
        return program
    return {
        **program,
        "of": {
            **of,
            **({"m": AROUND_M} if of["rel"] in SIDES else {}),
            **({"of": {"op": "in", "place": "here"}} if here else {}),
        },
    }


def _as_far_as_looked(ask: Json, result: Result, state: SpatialState) -> Result:
    """That nothing is on a side is as sure as that side was looked at: one that nobody saw holds something as
    likely as not."""
    of = ask.get("of")
    around = isinstance(of, dict) and of["op"] == "rel" and of["to"] == "me"
    if not around or result.things or ask["ask"] not in ("list", "exists", "count"):
        return result
    sure = (1.0 + looked_at(state, SIDES.get(of["rel"], ""))) / 2 * result.confidence
    odds = {**result.odds, str(result.value): sure}
    rest = 1.0 - sum(odds.values())
    return replace(result, confidence=sure, odds={**odds, "unknown": rest} if rest > 0 else odds)


def frame_of(program: Json) -> str:
    """What directions in the answer are told from."""
    if "do" in program:
        return (
            frame_of(program["do"]) if "as_of" in program else "somebody who stands where the question says"
        )
    way = program["ask"] == "get" and program["what"] in ("way", "turn", "side", "hand", "clock", "distance")
    return WEARER_NOW if way or "'to': 'me'" in str(program) else ""


def certificate_of(program: Json, result: Result, state: SpatialState) -> Certificate:
    known = float(getattr(state, "known_at", state.now))
    return Certificate(
        program, state.now, known, result.value, result.margin, result.evidence, dict(result.numbers)
    )


def views_of(state: SpatialState) -> Mapping[int, ObjectView]:
    return {view.id: view for view in state.objects()}


def _moments(program: Json) -> Iterator[float]:
    """The times that a program names."""
    if isinstance(program, list):
        for one in program:
            yield from _moments(one)
    elif isinstance(program, dict):
        for key, value in program.items():
            if key in ("as_of", "at") and isinstance(value, int | float):
                yield float(value)
            else:
                yield from _moments(value)


def _others(said: Saying) -> Iterator[Other]:
    """Further things that the words may mean, likeliest first."""
    if said.of["op"] in ("top", "the") or not said.result.things:
        return
    (found,) = evaluate({"ask": "list", "of": said.of, "by": "distance"}, said.state)
    rest = [entry for entry in found.entries if entry.chance >= LEAST_CHANCE and entry.things]
    rest = [entry for entry in rest if entry.things[0] not in said.result.things]
    places = Places.of(said.state)
    for entry in sorted(rest, key=lambda entry: -entry.chance):
        number = entry.things[0]
        box = said.state.where(number, said.state.now)
        if box is None:
            continue
        bearing, distance, _ = said.here.polar(box.center)
        room = places.tag_of(box.center) if places else ""
        way = named_way(bearing, distance)[0]
        far, chance = round(gap_from(said.here, box), 2), round(entry.chance, 3)
        yield Other(number, way, far, room, chance, said.age_s(number))


def _things(said: Saying) -> Iterator[Thing]:
    """What an answer is about, each with where it is."""
    chances = {entry.things[0]: entry.chance for entry in said.result.entries if len(entry.things) == 1}
    for number in said.result.things[:_MOST_THINGS]:
        view, box = said.views.get(number), said.state.where(number, said.state.now)
        if view is None:
            continue
        position = bearing = far = None
        if box is not None:
            here = heading_now(said.state)
            x, y, z = (round(float(value), 2) for value in box.center)
            position, bearing = (x, y, z), round(here.bearing_deg(box.center), 1)
            far = round(gap_from(here, box), 2)
        chance = chances.get(number, said.result.confidence)
        yield Thing(number, plain_name(view), position, bearing, far, round(chance, 3), said.age_s(number))
