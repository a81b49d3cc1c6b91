"""From groups of equal questions to rows of a question set, with the strata that analyses use."""

from bisect import bisect_right
from collections.abc import Sequence

import numpy as np

from situ.benchmarks.balance import Candidate
from situ.benchmarks.dataset import Json, QuestionRow
from situ.benchmarks.ucs.asking import Asked, Asker, Group
from situ.benchmarks.ucs.first_times import when_entered, when_first_seen
from situ.benchmarks.ucs.forms import (
    acts_counted,
    between_things,
    by_others,
    changes_counted,
    colours,
    distances,
    reached_when_put,
    when_put,
)
from situ.benchmarks.ucs.moves import carried, counts, kept_where, taken
from situ.benchmarks.ucs.now import about_now, earlier_places
from situ.benchmarks.ucs.on_furniture import counted_on, kinds_before, kinds_counted
from situ.benchmarks.ucs.published import INTERVALS_S, SUBTASKS
from situ.benchmarks.ucs.story import Story
from situ.benchmarks.ucs.ways import turns, ways, ways_towards
from situ.benchmarks.ucs.wording import FIRST, Style, draw_style, worded
from situ.questions import Selector
from situ.questions.base import to_program
from situ.recording import Recording

PLAIN = Style(FIRST, 0)
PROPOSERS = (
    about_now, earlier_places, kept_where, carried, taken, counts, ways, between_things, when_put,
    acts_counted, kinds_counted, changes_counted, colours, by_others, when_first_seen, turns,
    when_entered, counted_on, ways_towards, reached_when_put, distances, kinds_before,
)  # fmt: skip


def propose(
    item: int, name: str, recording: Recording, rng: np.random.Generator
) -> list[tuple[Candidate, QuestionRow]]:
    """Every question that could be asked of a day. Questions of a group share their stratum.

    A stratum also says which group was the first to ask the same: only one of them is chosen, as nothing
    rules how often the answer stays the same from one group to the next. And it names what is asked about, so
    that names can be chosen that tell nothing.
    """
    asker = Asker(Story(recording), rng)
    groups = [group for proposer in PROPOSERS for group in proposer(asker)]
    found: list[tuple[Candidate, QuestionRow]] = []
    first_asked: dict[str, int] = {}
    for number, group in enumerate(groups):
        same = first_asked.setdefault(worded(group.asked[0].question, PLAIN), number)
        style = draw_style(group.asked[0].question.kind, rng)
        oldest = max(_age_s(asked, asker) for asked in group.asked)
        interval = bisect_right(INTERVALS_S, oldest)
        before: Asked | None = None
        for asked, label in zip(group.asked, group.labels, strict=True):
            strata: dict[str, Json] = {
                **asked_strata(asked, asker),
                "person": style.person,
                "group": f"{name}-g{number}",
                "since_last_asked_s": None if before is None else asked.time - before.time,
            }
            row = QuestionRow(
                f"{name}-{len(found):04d}",
                name,
                group.subtask,
                worded(asked.question, style),
                group.options,
                asked.answer.text,
                to_program(asked.question),
                asked.answer.margin,
                asked.answer.evidence,
                asked.time,
                {**_kind(group), **strata},
            )
            form = f"{asked.question.kind} {number}"
            stratum = "|".join([form, str(interval), f"{same} {_subject(asked)}", *group.options])
            found.append((Candidate(item, len(found), group.subtask, stratum, label), row))
            before = asked
    return found


def _subject(asked: Asked) -> str:
    named = (value for value in vars(asked.question).values() if isinstance(value, Selector))
    return " ".join(which.singular for which in named)


def _kind(group: Group) -> dict[str, Json]:
    about = SUBTASKS[group.subtask]
    form = group.asked[0].question.kind
    return {"category": about.category, "subcategory": group.subtask, "qtype": about.qtype, "form": form}


def asked_strata(asked: Asked, asker: Asker) -> dict[str, Json]:
    """When it is asked, and how long before that what decides it was in view."""
    times = asker.story.truth.path.times
    first, last = (float(times[i]) for i in (min(asked.answer.evidence), max(asked.answer.evidence)))
    return {
        "evidence_age_s": round(_age_s(asked, asker), 3),
        "evidence_span_s": round(last - first, 3),
        "since_start_s": round(asked.time - float(times[0]), 3),
        "spans": spans_text(asked.answer.evidence, times),
    }


def _age_s(asked: Asked, asker: Asker) -> float:
    """How long before the question its evidence ends."""
    return asked.time - float(asker.story.truth.path.times[max(asked.answer.evidence)])


def spans_text(frames: Sequence[int], times: np.ndarray) -> str:
    """Runs of neighbouring frames as spans of seconds: "12-18, 40-41"."""
    runs: list[list[int]] = []
    for frame in sorted(set(frames)):
        if runs and frame == runs[-1][1] + 1:
            runs[-1][1] = frame
        else:
            runs.append([frame, frame])
    return ", ".join(f"{times[a]:g}-{times[b]:g}" for a, b in runs)
