"""Participants that answer from a memory fed by the recording's own annotations, exact or with faults."""

from dataclasses import dataclass

from situ.benchmarks.dataset import Dataset, QuestionRow
from situ.evaluation.participants.base import Participant, Setting, participant
from situ.evaluation.participants.stages import Faults, StagedMemory
from situ.evaluation.records.answer import Reply
from situ.perception.oracle import Noise
from situ.recording import Recording

# A fair detector with depth and odometry that drifts by a metre in a hundred.
DEFAULT_NOISE = Noise(
    miss=0.1, false_positive=0.05, depth_m=0.05, depth_share=0.02, drift=0.01, drift_yaw_deg=0.05
)
FAULTS: dict[str, tuple[Faults, str]] = {
    "memory-oracle": (Faults(), "a memory fed with exact observations runs the question"),
    "memory-noisy": (Faults(DEFAULT_NOISE), "the same with the faults of a detector and drifting poses"),
    "memory-drifting": (
        Faults(Noise(drift=0.2, drift_yaw_deg=6.0)),
        "the same with drifting poses alone, far worse than usual",
    ),
    "memory-missing": (
        Faults(Noise(miss=0.5, false_positive=0.15, confuse=0.15, depth_m=0.2, depth_share=0.06)),
        "the same with a bad detector alone",
    ),
    "memory-overlooking": (Faults(overlook=0.2), "the same, overlooking one remembered thing in five"),
    "memory-misjudging": (Faults(misjudge=0.2), "the same, concluding wrongly one time in five"),
}


class StagedParticipant:
    def __init__(self, faults: Faults, seed: int) -> None:
        self._memory = StagedMemory(faults, seed)

    def answer(self, recording: Recording, row: QuestionRow) -> Reply:
        return Reply(self._memory.answer(recording, row))


@dataclass(frozen=True)
class _Maker:
    """Makes a participant with given faults. Those with one fault alone are for attribution: everybody who
    is asked with `-p all` costs a memory of every stream, and these say nothing new about a set."""

    faults: Faults
    asked_with_all: bool

    def __call__(self, setting: Setting) -> Participant:
        return StagedParticipant(self.faults, setting.seed)

    def applies(self, dataset: Dataset) -> bool:
        return self.asked_with_all and dataset.manifest["benchmark"] == "ucs"


for _name, (_faults, _about) in FAULTS.items():
    participant(_name, _about)(_Maker(_faults, _name in ("memory-oracle", "memory-noisy")))
