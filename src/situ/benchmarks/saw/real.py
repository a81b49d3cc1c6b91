"""SAW's questions about walks that somebody took: direction between the ends, shape, way back.

They rest on the poses alone; nothing need be annotated.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np

from situ.benchmarks.balance import Candidate
from situ.benchmarks.dataset import Json, QuestionRow
from situ.benchmarks.own_recordings import OwnRecordings, need_known, one_task_each
from situ.benchmarks.saw.candidates import EVEN_SHAPES, OPTIONS, Proposal, row_of
from situ.benchmarks.saw.options import FairOptions, shuffled
from situ.benchmarks.saw.regular_walks import has_plain_shape, way_back_turns
from situ.errors import BadInput, Unanswerable
from situ.geometry.heading import SAME_LOCATION, SECTORS
from situ.geometry.route import plan_in_words, route_shape
from situ.questions import ReversePlan, RouteDirection, RouteShape
from situ.recording import Recording
from situ.state import TruthState

# Nobody knows beforehand which way strangers walk: every answer is as likely as any other.
EVEN_DIRECTIONS = FairOptions(dict.fromkeys((*SECTORS, SAME_LOCATION), 1.0), OPTIONS)


@dataclass(frozen=True)
class RealSawRecipe(OwnRecordings):
    """One task of each walk, as two would answer each other: the one asked least so far, else by lot."""

    benchmark: str = "saw"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.scale != 1.0:
            raise BadInput("a walk is asked one of SAW's tasks, there is nothing for --scale to multiply")

    def propose(self, number: int, recording: Recording) -> list[tuple[Candidate, QuestionRow]]:
        need_known(recording, "poses", "scale")
        name, truth = self.item_names()[number], TruthState.of(recording)
        strata = _strata(recording, truth)
        found: list[tuple[Candidate, QuestionRow]] = []
        for proposal in _proposals(truth, str(recording.meta.get("place", "")), self.rng(number, 1)):
            row = row_of(f"{name}-{len(found)}", name, proposal, truth, strata)
            if row is not None:
                candidate = Candidate(number, len(found), proposal.task, proposal.stratum, row.answer)
                found.append((candidate, row))
        return found

    def choose(self, candidates: Sequence[Candidate]) -> Sequence[Candidate]:
        if not candidates:
            raise Unanswerable(
                f"nothing can be asked about the walks of {', '.join(self.item_names())}: directions between "
                "their ends, shapes and ways back are all too close to another answer"
            )
        return one_task_each(candidates, np.random.default_rng([self.seed, 2, *b"saw"]))


def _proposals(truth: TruthState, place: str, rng: np.random.Generator) -> Iterator[Proposal]:
    if len(truth.path) < 2:
        return
    for origin in ("start", "end"):
        direction = RouteDirection("start" if origin == "start" else "end", place)
        options = EVEN_DIRECTIONS.draw(direction.answer(truth).text, rng)
        yield Proposal("direction", direction, options, origin)
    if has_plain_shape(truth.path):
        options = EVEN_SHAPES.draw(route_shape(truth.path).name, rng)
        yield Proposal("shape", RouteShape(place), options, "shape")
    about, *turns = way_back_turns(truth.path) or ("",)
    if turns:
        ways = [plan_in_words((about, *sides)) for sides in product(("left", "right"), repeat=len(turns))]
        right = plan_in_words((about, *turns))
        ways.remove(right)
        others = shuffled(ways, rng)[: OPTIONS - 1]
        offered = shuffled((right, *others), rng)
        yield Proposal("revplan", ReversePlan(place, offered), offered, "plan")


def _strata(recording: Recording, truth: TruthState) -> dict[str, Json]:
    strata: dict[str, Json] = {"seconds": round(truth.now - truth.path.start, 2)}
    if "place" in recording.meta:
        strata["place"] = str(recording.meta["place"])
    if "indoor" in recording.meta:
        strata["setting"] = "indoor" if recording.meta["indoor"] else "outdoor"
    return strata
