"""The participant `odometry`: the wearer's path from pictures alone, and the route questions run on it."""

from typing import TYPE_CHECKING, ClassVar

from situ.benchmarks.dataset import Dataset, QuestionRow
from situ.errors import Unanswerable
from situ.evaluation.participants.base import Setting, participant
from situ.evaluation.records.answer import Reply
from situ.questions.walk.route import ReversePlan, RouteDirection, RouteShape
from situ.recording import Recording
from situ.state import PathState

if TYPE_CHECKING:
    from situ.perception.odometry import OdometryResult

_DECIDED = (RouteShape, RouteDirection, ReversePlan)


@participant("odometry", "sees frames and the field of view only; answers what the wearer's path decides")
class OdometryParticipant:
    """No poses, depth or masks are read. A path that cannot be trusted is an abstention with its reason."""

    frames: ClassVar[str] = "fps:10"  # a head turns by 10 degrees or less from one frame to the next

    def __init__(self, setting: Setting) -> None:
        self._frames = setting.frames
        self._watched: tuple[tuple[str, tuple[int, ...]], OdometryResult] | None = None

    @staticmethod
    def applies(dataset: Dataset) -> bool:
        kinds = {kind.kind for kind in _DECIDED}
        return any(row.program.get("kind") in kinds for row in dataset.questions)

    def answer(self, recording: Recording, row: QuestionRow) -> Reply:
        if not isinstance(row.question, _DECIDED):
            raise Unanswerable("a path alone does not decide this question")
        result = self._watch(recording, self._frames.pick(recording, row))
        if not result.trusted:
            raise Unanswerable(f"lost the way: {result.problem}")
        return Reply(row.question.answer(PathState(result.path)).text)

    def _watch(self, recording: Recording, frames: tuple[int, ...]) -> "OdometryResult":
        from situ.perception.odometry import estimate_path  # other participants need none of it

        key = (str(recording.folder), frames)
        if self._watched is None or self._watched[0] != key:
            times = [recording.frames[i].time for i in frames]
            images = recording.images(list(frames))
            self._watched = key, estimate_path(zip(times, images, strict=True), recording.camera)
        return self._watched[1]
