"""Whether each row agrees with itself: its program gives its key, margin, evidence and strata."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from situ.benchmarks.dataset import QuestionRow
from situ.benchmarks.ucs.asking import last_seen
from situ.errors import SituError
from situ.questions import Answer
from situ.recording import Recording
from situ.state import TruthState

# Programs that answer questions of each task of the benchmarks that are made here; others may have any.
MADE_HERE = ("rem", "saw", "disjoint", "ucs")
PROGRAMS: Mapping[str, tuple[str, ...]] = {
    "counting": ("count",),
    "comparison": ("compare",),
    "ordering": ("first_seen_order",),
    "left_right": ("side_in_view",),
    "localization": ("position_in_place",),
    "direction": ("route_direction",),
    "shape": ("route_shape",),
    "revplan": ("reverse_plan",),
    "affordance": ("affords",),
    "memory": ("what_changed", "what_happened_to"),
    "relationship": ("pair_relation",),
    "distance": ("within_reach",),
    "size_fit": ("larger", "fits_on"),
    "description_list": ("unique_objects",),
    "description_use": ("use_shown", "function_of"),
    **dict.fromkeys(
        ("object_rel_direction_easy", "object_rel_direction_medium", "object_rel_direction_hard"),
        ("relative_direction",),
    ),
    "object_rel_distance": ("nearest_to",),
    "obj_appearance_order": ("appearance_order",),
    "route_planning": ("route_plan",),
    "quantity change": ("count_now", "count_related", "times_put", "kinds_on", "kinds_before", "gone_since"),
    "reachability": ("can_reach", "could_reach", "within_reach"),
    "distance comparison": ("closer_to_me", "nearest_to", "how_far_apart"),
    "ego-centric position": (
        "where_from_here",
        "where_when_put",
        "where_when_first_seen",
        "where_when_entered",
    ),
    "relative position memory": ("kept_where", "where_was"),
    "object trajectory": ("carried_from_to",),
    "my trajectory": ("way_after", "way_towards", "turn_towards", "turns_after"),
    "category recall": ("taken_from", "looks_like", "moved_by_other"),
}


def row_problems(recording: Recording, rows: Sequence[QuestionRow]) -> list[str]:
    truth = TruthState.of(recording)
    return [f"{row.id}: {problem}" for row in rows for problem in _problems(recording, truth, row)]


def _problems(recording: Recording, truth: TruthState, row: QuestionRow) -> Iterator[str]:
    if row.options and (row.answer not in row.options or len(set(row.options)) < len(row.options)):
        yield f"the options {list(row.options)} do not hold '{row.answer}' once and differ"
    if any(not 0 <= frame < len(recording) for frame in row.evidence):
        yield f"its evidence names frames outside 0 to {len(recording) - 1}"
        return
    if row.time is not None and not 0 <= row.time <= recording.path.times[-1] + 1e-6:
        yield f"it is asked at {row.time} s, the recording ends at {recording.path.times[-1]:g} s"
    if not row.program:
        return
    try:
        question = row.question
        state = truth if row.time is None else truth.as_of(row.time)
        answer = question.answer(state)
        if row.evidence and not answer.evidence:  # a program that measures does not say what it goes by
            answer = replace(answer, evidence=last_seen(question, state))
    except (SituError, KeyError, TypeError, ValueError, IndexError) as error:
        yield f"its program cannot be run ({error})"
        return
    unknown = () if recording.meta.get("benchmark") in MADE_HERE else (question.kind,)
    if question.kind not in PROGRAMS.get(row.task, unknown):
        yield f"a question of the task {row.task} has the program {question.kind}"
    yield from _differences(row, answer, question.min_margin)
    offered = set(question.options)
    if offered and row.options and not set(row.options) <= offered:
        yield f"it offers {sorted(set(row.options) - offered)}, which its program does not know"
    yield from _strata(recording, truth, row, answer)


def _differences(row: QuestionRow, answer: Answer, least: float) -> Iterator[str]:
    if answer.text != row.answer:
        yield f"its program gives '{answer.text}', the key says '{row.answer}'"
    if not math.isclose(answer.margin, row.margin, rel_tol=1e-6, abs_tol=1e-6) or row.margin < least:
        yield f"its margin is {row.margin:g}, its program gives {answer.margin:g}; {least:g} is needed"
    if tuple(answer.evidence) != tuple(row.evidence):
        yield "its evidence is not that of its program"


def _strata(recording: Recording, truth: TruthState, row: QuestionRow, answer: Answer) -> Iterator[str]:
    """Strata that follow from the recording or from the answer."""
    times = recording.path.times
    known: dict[str, Any] = {k: v for k, v in (answer.numbers or {}).items() if k in row.strata}
    if recording.meta.get("benchmark") == "rem":
        known |= {"frames": len(recording), "objects_seen": len(truth.objects())}
    if recording.meta.get("benchmark") == "saw":
        known |= {"seconds": round(float(truth.now), 2), "place": recording.meta["place"]}
        known["setting"] = "indoor" if recording.meta["indoor"] else "outdoor"
    if row.program.get("frames"):
        known["frames"] = len(row.program["frames"])
    if row.time is not None and row.evidence and "evidence_age_s" in row.strata:
        ends = [float(times[i]) for i in (min(row.evidence), max(row.evidence))]
        known |= {"evidence_age_s": row.time - ends[1], "evidence_span_s": ends[1] - ends[0]}
        known["since_start_s"] = row.time - float(times[0])
    for name, value in known.items():
        given = row.strata.get(name)
        near = isinstance(given, (int, float)) and not isinstance(value, str) and abs(given - value) < 2e-3
        if given != value and not near:
            yield f"the stratum {name} is {given!r}, the recording gives {value!r}"
