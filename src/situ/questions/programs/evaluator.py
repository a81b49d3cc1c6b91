"""The one evaluator: a program and a state in, answers with odds, margin, evidence and numbers out."""

from dataclasses import replace

import numpy as np

from situ.errors import Unanswerable
from situ.questions.programs.moments import SHOWN_S, moment_of_put
from situ.questions.programs.observer import Observer
from situ.questions.programs.parser import parse
from situ.questions.programs.run import Result, Run
from situ.questions.programs.schema import AsOf, Json, Program, Put, Stand, Step
from situ.questions.programs.true_worlds import worlds_of
from situ.questions.rules.resting import frames_between
from situ.state.protocol import SpatialState


def evaluate(program: Program | Json, state: SpatialState) -> tuple[Result, ...]:
    """What a program answers on a state, one result for each of its asks.

    Raises BadInput for a program that is none, and Unanswerable where the state does not hold what it takes.
    """
    return tuple(answer(step, state) for step in parse(program).asks)


def tried(program: Program | Json, state: SpatialState) -> tuple[Result | Unanswerable, ...]:
    """The same, where an ask that cannot be answered says why in its place, and the others are answered."""

    def one(step: Step) -> Result | Unanswerable:
        try:
            return answer(step, state)
        except Unanswerable as error:
            return error

    return tuple(one(step) for step in parse(program).asks)


def plain(outcome: Result | Unanswerable) -> dict[str, Json]:
    """An outcome as plain data: a result, or in `abstained` why there is none."""
    if isinstance(outcome, Result):
        return {**outcome.to_json(), "abstained": ""}
    return {"value": None, "abstained": str(outcome)}


def answer(step: Step, state: SpatialState) -> Result:
    """What one ask answers."""
    shown: set[int] = set()
    for frame in step.where:
        if isinstance(frame, AsOf):
            time, frames = _moment(frame, state)
            state, shown = _known_by(state, time), shown | {*frames}
    run = Run(worlds_of(state))
    for frame in step.where:
        if isinstance(frame, Stand):
            run = run.seen_by(_observer(run, frame))
    found = step.ask.answer(run)
    return replace(found, evidence=tuple(sorted({*found.evidence, *shown}))) if shown else found


def _moment(frame: AsOf, state: SpatialState) -> tuple[float, tuple[int, ...]]:
    """A time, and frames that show what happened then."""
    if not isinstance(frame.time, Put):
        return frame.time, ()
    moment = moment_of_put(Run(worlds_of(state)), frame.time.of)
    if frame.time.earlier:
        return moment - frame.time.earlier, ()
    return moment, frames_between(state, moment, moment + SHOWN_S)


def _known_by(state: SpatialState, time: float) -> SpatialState:
    if not len(state.path) or time < state.path.start:
        raise Unanswerable(f"nothing had been seen by {time:g} s")
    return state.as_of(time)


def _observer(run: Run, stand: Stand) -> Observer:
    """Somebody who stands somewhere and faces something."""
    if isinstance(stand.at, float):
        here = run.table.observer_at(stand.at)
    else:
        column = run.meant(stand.at)
        if (column < 0).any() and run.table.certain:
            raise Unanswerable("I do not know where that is")
        spots = run.table.centers[np.arange(run.table.count), column]
        here = Observer(spots[:, 0], spots[:, 1], spots[:, 2], None)
    if stand.facing is None:
        return here
    column = run.meant(stand.facing)
    spots = run.table.centers[np.arange(run.table.count), column]
    return Observer(here.x, here.y, here.z, np.arctan2(spots[:, 1] - here.y, spots[:, 0] - here.x))
