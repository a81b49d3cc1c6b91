"""The one evaluator: a program and a state in, answers with odds, margin, evidence and numbers out."""

import numpy as np

from situ.errors import Unanswerable
from situ.questions.programs.observer import Observer
from situ.questions.programs.run import Result, Run
from situ.questions.programs.schema import AsOf, Json, Program, Stand, Step, parse
from situ.questions.programs.table import Worlds
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
    for frame in step.where:
        if isinstance(frame, AsOf):
            state = _known_by(state, frame.time)
    run = Run(Worlds.of(state))
    for frame in step.where:
        if isinstance(frame, Stand):
            run = run.seen_by(_observer(run, frame))
    return step.ask.answer(run)


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
