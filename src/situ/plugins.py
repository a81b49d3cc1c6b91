"""Names for authors of plugins; see `examples/plugin`.

`question_kind` and `declare` are for questions, `Benchmark` and `register` for benchmarks, `participant`,
`FORMATS`, `DETECTORS`, `STRATEGIES` and `RUNNERS` for the rest.
"""

from typing import TYPE_CHECKING

from situ.errors import BadFormat, BadInput, Unanswerable
from situ.lazy import exports
from situ.registry import Registry, load_plugins

if TYPE_CHECKING:
    from situ.benchmarks.balance import Candidate
    from situ.benchmarks.dataset import Dataset, QuestionRow
    from situ.benchmarks.make import Recipe
    from situ.evaluation.benchmark import BENCHMARKS, Benchmark, register
    from situ.evaluation.models.strategy import STRATEGIES
    from situ.evaluation.participants.base import PARTICIPANTS, Participant, Setting, participant
    from situ.evaluation.protocols.base import Protocol, Published
    from situ.evaluation.records.answer import Reply
    from situ.language.kinds import Saying, declare, phrase
    from situ.perception.detections import Detections
    from situ.perception.models.selection import DETECTORS
    from situ.questions.base import Answer, Question, question_kind, to_program
    from situ.questions.programs.named import Named, things
    from situ.questions.programs.schema import operator
    from situ.questions.select import Selector
    from situ.recording.formats.base import ImportReport
    from situ.recording.formats.registry import FORMATS, Format
    from situ.recording.reader import Recording
    from situ.recording.records import Event, FrameRecord, ObjectRecord, visible_objects
    from situ.recording.writer import RecordingWriter
    from situ.rendering.renderer import Renderer
    from situ.state.protocol import ObjectView, SpatialState
    from situ.state.truth import TruthState
    from situ.tasks import RUNNERS, Outcome, Task

__all__ = [
    "BENCHMARKS",
    "DETECTORS",
    "FORMATS",
    "PARTICIPANTS",
    "RUNNERS",
    "STRATEGIES",
    "Answer",
    "BadFormat",
    "BadInput",
    "Benchmark",
    "Candidate",
    "Dataset",
    "Detections",
    "Event",
    "Format",
    "FrameRecord",
    "ImportReport",
    "Named",
    "ObjectRecord",
    "ObjectView",
    "Outcome",
    "Participant",
    "Protocol",
    "Published",
    "Question",
    "QuestionRow",
    "Recipe",
    "Recording",
    "RecordingWriter",
    "Registry",
    "Renderer",
    "Reply",
    "Saying",
    "Selector",
    "Setting",
    "SpatialState",
    "Task",
    "TruthState",
    "Unanswerable",
    "declare",
    "load_plugins",
    "operator",
    "participant",
    "phrase",
    "question_kind",
    "register",
    "things",
    "to_program",
    "visible_objects",
]
_MODULES = {
    "situ.benchmarks.balance": ("Candidate",),
    "situ.benchmarks.dataset": ("Dataset", "QuestionRow"),
    "situ.benchmarks.make": ("Recipe",),
    "situ.evaluation.benchmark": ("BENCHMARKS", "Benchmark", "register"),
    "situ.evaluation.models.strategy": ("STRATEGIES",),
    "situ.evaluation.participants.base": ("PARTICIPANTS", "Participant", "Setting", "participant"),
    "situ.evaluation.protocols.base": ("Protocol", "Published"),
    "situ.evaluation.records.answer": ("Reply",),
    "situ.language.kinds": ("Saying", "declare", "phrase"),
    "situ.perception.detections": ("Detections",),
    "situ.perception.models.selection": ("DETECTORS",),
    "situ.questions.base": ("Answer", "Question", "question_kind", "to_program"),
    "situ.questions.programs.named": ("Named", "things"),
    "situ.questions.programs.schema": ("operator",),
    "situ.questions.select": ("Selector",),
    "situ.recording.formats.base": ("ImportReport",),
    "situ.recording.formats.registry": ("FORMATS", "Format"),
    "situ.recording.reader": ("Recording",),
    "situ.recording.records": ("Event", "FrameRecord", "ObjectRecord", "visible_objects"),
    "situ.recording.writer": ("RecordingWriter",),
    "situ.rendering.renderer": ("Renderer",),
    "situ.tasks": ("RUNNERS", "Outcome", "Task"),
    "situ.state.protocol": ("ObjectView", "SpatialState"),
    "situ.state.truth": ("TruthState",),
}
__getattr__ = exports(__name__, {name: module for module, names in _MODULES.items() for name in names})
