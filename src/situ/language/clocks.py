"""What times in words are counted from, for a memory."""

from collections.abc import Sequence

from situ.errors import Unanswerable
from situ.language.times import Clock, Stay
from situ.language.vocabulary import Vocabulary
from situ.questions.programs.wearer_asks import visits
from situ.state.protocol import SpatialState


def clock_of(state: SpatialState) -> Clock:
    """The state's own time, the hours of its day, and when the wearer was in which place."""

    def stays(name: str) -> Sequence[Stay]:
        try:
            found = visits(state)
            tag = Vocabulary.of(state).place(name) if name else found[-1].tag if found else ""
        except Unanswerable:
            return ()
        return [Stay(visit.start, visit.end) for visit in found if visit.tag == tag]

    return Clock(state.path.start, state.now, stays, getattr(state, "wall_clock", None))
