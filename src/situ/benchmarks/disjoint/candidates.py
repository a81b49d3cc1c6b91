"""Every fair question that DISJOINT could ask of a recording."""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import NamedTuple

import numpy as np

from situ.benchmarks.balance import Candidate
from situ.benchmarks.dataset import Json, QuestionRow
from situ.benchmarks.disjoint.overlap import Overlaps
from situ.benchmarks.disjoint.spans import (
    LEAST_FRAMES,
    Spans,
    given_frames,
    spans_of,
    stratum_of,
    unique_names,
)
from situ.benchmarks.disjoint.wording import worded
from situ.errors import Unanswerable
from situ.questions import (
    Answer,
    FitsOn,
    FunctionOf,
    Larger,
    PairRelation,
    Question,
    Selector,
    UniqueObjects,
    UseShown,
    WithinReach,
    to_program,
)
from situ.questions.scene.describe import USE
from situ.questions.scene.fit import FLAT_TOP, SPAN_M
from situ.questions.scene.pairs import DEPTH, HEIGHT, SIDE
from situ.questions.scene.view import YES
from situ.recording import Recording
from situ.state import ObjectView, TruthState, Visibility

RELATIONSHIP, DISTANCE, SIZE = "relationship", "distance", "size_fit"
LISTING, USES = "description_list", "description_use"
DISTANCE_EDGES_M = (0, 2, 4, 6, 10)
GAP_EDGES = (0, 6, 16, 40)
PAIRS_TRIED = 600
PER_CELL = 2  # candidates of one template, label and stratum that an item offers
USES_OFFERED = 4


class Pair(NamedTuple):
    """Two objects that the given frames never show together. `gap` counts frames of the recording."""

    first: ObjectView
    second: ObjectView
    frames: tuple[int, ...]
    gap: int


class Proposal(NamedTuple):
    """A question, the template it comes from, and the label that its answer is balanced by."""

    task: str
    template: str
    label: str
    question: Question
    answer: Answer
    key: tuple[str, str]  # what the words give away: categories, in the order that the label refers to


def propose(
    number: int,
    name: str,
    recording: Recording,
    visibility: Visibility,
    rng: np.random.Generator,
    least_frames: int = LEAST_FRAMES,
    open_functions: bool = False,
) -> list[tuple[Candidate, QuestionRow]]:
    """Fair questions of an item, a few for each template, label and stratum.

    With `open_functions` an object's function is asked as published, openly: its name gives it away.
    """
    truth = TruthState.of(recording, visibility)
    spans, names = spans_of(recording), unique_names(truth)
    taken: Counter[tuple[str, ...]] = Counter()
    rows: list[tuple[Candidate, QuestionRow]] = []
    pairs = list(_pairs(truth, spans, names, Overlaps(recording), rng, least_frames))
    for pair in pairs:
        for proposal in _of_pair(pair, names, truth, spans, rng):
            distance = float(np.linalg.norm(np.subtract(pair.first.box.center, pair.second.box.center)))
            bins = (stratum_of(distance, DISTANCE_EDGES_M), stratum_of(pair.gap, GAP_EDGES))
            cell = (proposal.template, proposal.label, *bins)
            if taken[cell] < PER_CELL:
                taken[cell] += 1
                about: dict[str, Json] = {"distance_m": distance, "frame_gap": pair.gap}
                _add(rows, number, name, proposal, bins, about, rng)
    described = _descriptions(truth, spans, names if open_functions else None, rng)
    for proposal in described:
        _add(rows, number, name, proposal, ("-", "-"), {}, rng)
    return rows


def _reported(proposal: Proposal) -> str:
    """The category under which the paper reports a question: size and fit are two."""
    if proposal.task == SIZE:
        return "relative size" if proposal.template == "larger" else "fit"
    return proposal.task.split("_")[0] if "description" in proposal.task else proposal.task


def _add(
    rows: list[tuple[Candidate, QuestionRow]],
    number: int,
    name: str,
    proposal: Proposal,
    bins: tuple[str, str],
    about: dict[str, Json],
    rng: np.random.Generator,
) -> None:
    question, answer = proposal.question, proposal.answer
    program = to_program(question)
    stratum = "|".join((proposal.template, *bins, *proposal.key))
    candidate = Candidate(number, len(rows), proposal.task, stratum, proposal.label)
    strata: dict[str, Json] = {
        "category": _reported(proposal),
        "template": proposal.template,
        "distance_bin": bins[0],
        "gap_bin": bins[1],
        "frames": len(program["frames"]),
        **about,
        **(answer.numbers or {}),
    }
    row = QuestionRow(
        id=f"{name}-{candidate.number:03d}",
        item=name,
        task=proposal.task,
        text=worded(question, rng),
        options=question.options,
        answer=answer.text,
        program=program,
        margin=answer.margin,
        evidence=answer.evidence,
        strata=strata,
    )
    rows.append((candidate, row))


def _pairs(
    truth: TruthState,
    spans: Spans,
    names: dict[int, Selector],
    overlaps: Overlaps,
    rng: np.random.Generator,
    least_frames: int,
) -> Iterator[Pair]:
    """Random pairs with a stretch of the recording that shows each but never both."""
    views = {view.id: view for view in truth.objects() if view.id in names and spans.nameable(view.id)}
    ids = sorted(views)
    if len(ids) < 2:
        return
    for _ in range(PAIRS_TRIED):
        first, second = (int(i) for i in rng.choice(ids, 2, replace=False))
        starts = [f for f in spans.nameable(first) if f not in spans.any(second)]
        ends = [f for f in spans.nameable(second) if f not in spans.any(first)]
        if not starts or not ends:
            continue
        start, end = (int(rng.choice(choices)) for choices in (starts, ends))
        frames = given_frames(spans, first, second, (start, end), overlaps, rng, least_frames)
        if frames is not None:
            yield Pair(views[first], views[second], frames, abs(end - start))


def _of_pair(
    pair: Pair, names: dict[int, Selector], truth: TruthState, spans: Spans, rng: np.random.Generator
) -> Iterator[Proposal]:
    """All questions about a pair whose answer is clear."""
    first, second = names[pair.first.id], names[pair.second.id]
    ordered = (pair.first.category, pair.second.category)
    questions: list[tuple[str, str, Question, tuple[str, str]]] = [
        (RELATIONSHIP, axis, PairRelation(first, second, axis, pair.frames), ordered)
        for axis in (SIDE, DEPTH, HEIGHT)
    ]
    unordered = (min(ordered), max(ordered))
    questions += [
        (DISTANCE, "both_arms" if both else "reach", WithinReach(first, second, both, pair.frames), unordered)
        for both in (False, True)
    ]
    if ordered[0] != ordered[1]:
        questions.append((SIZE, "larger", Larger(first, second, pair.frames), unordered))
    if FLAT_TOP in pair.first.attributes:
        stacked = bool(rng.random() < 0.5)
        template = "stack" if stacked else "stand"
        questions.append((SIZE, template, FitsOn(first, second, stacked, pair.frames), ordered))
    for task, template, question, key in questions:
        answer = _fair(question, truth)
        if answer is None or not _same_space(pair, task, answer) or _told_by_words(answer):
            continue
        if task == SIZE and not _both_whole(pair, spans):
            continue
        label = answer.text
        if template == "larger":
            winner = pair.first if answer.text == first.singular else pair.second
            label = "alphabetically first" if winner.category == key[0] else "alphabetically second"
        yield Proposal(task, template, label, question, answer, key)


def _both_whole(pair: Pair, spans: Spans) -> bool:
    """Whether the frames show each of the two from end to end: what is cut off has no size."""
    whole = [spans.whole.get(view.id, frozenset()) for view in (pair.first, pair.second)]
    return all(frames.intersection(pair.frames) for frames in whole)


def _same_space(pair: Pair, task: str, answer: Answer) -> bool:
    """A wall between two things makes "within reach" a matter of opinion."""
    if task != DISTANCE or (answer.numbers or {}).get("distance_m", 9.0) > SPAN_M + 1.0:
        return True
    rooms = {view.attributes.get("room") for view in (pair.first, pair.second)}
    return len(rooms) == 1 or answer.text != YES


def _told_by_words(answer: Answer) -> bool:
    """Nothing stands on a lamp: that is known without looking, so only the sizes are asked about."""
    return (answer.numbers or {}).get("flat") == 0.0


def _fair(question: Question, truth: TruthState) -> Answer | None:
    try:
        answer = question.answer(truth)
    except Unanswerable:
        return None
    return answer if answer.margin >= question.min_margin else None


def _descriptions(
    truth: TruthState, spans: Spans, named: Mapping[int, Selector] | None, rng: np.random.Generator
) -> Iterator[Proposal]:
    """Stretches of frames to list the objects of, or to find the object for a purpose in, or the function of
    one of those named."""
    for _ in range(12):
        question = UniqueObjects(_stretch(spans.frames, rng))
        answer = _fair(question, truth)
        if answer is not None and (answer.numbers or {})["kinds"] <= 12:
            kinds = str(int((answer.numbers or {})["kinds"]))
            yield Proposal(LISTING, "unique", "list", question, answer, (kinds, "-"))
    if named is not None:
        yield from _functions(truth, spans, named, rng)
        return
    everything = {view.attributes.get(USE, "") for view in truth.objects()} - {""}
    for _ in range(8):
        frames = _stretch(spans.frames, rng)
        inside = {
            view.attributes.get(USE, "")
            for view in truth.objects()
            if spans.any(view.id).intersection(frames) and view.attributes.get(USE)
        }
        outside = sorted(everything - inside)
        if not inside or len(outside) < USES_OFFERED - 1:
            continue
        right = sorted(inside)[int(rng.integers(len(inside)))]
        wrong = [outside[int(i)] for i in rng.permutation(len(outside))[: USES_OFFERED - 1]]
        offered = [right, *wrong]
        shown = UseShown(tuple(offered[int(i)] for i in rng.permutation(USES_OFFERED)), frames)
        answer = _fair(shown, truth)
        if answer is not None:
            place = "ABCD"[shown.uses.index(answer.text)]
            yield Proposal(USES, "use", place, shown, answer, ("-", "-"))


def _functions(
    truth: TruthState, spans: Spans, named: Mapping[int, Selector], rng: np.random.Generator
) -> Iterator[Proposal]:
    for number in rng.permutation(sorted(named))[:8]:
        frames = _stretch(spans.frames, rng)
        question = FunctionOf(named[int(number)], frames)
        answer = _fair(question, truth)
        if answer is not None:
            yield Proposal(
                USES, "function", "open", question, answer, (named[int(number)].category or "-", "-")
            )


def _stretch(total: int, rng: np.random.Generator) -> tuple[int, ...]:
    """A run of frames that follow each other."""
    start = int(rng.integers(0, max(1, total - 4)))
    return tuple(range(start, min(total, start + int(rng.integers(4, 13)))))
