"""`Memory` with a voice: what people who build assistants hold in their hands."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

from situ.english import counted
from situ.language.answering import Told, ask
from situ.language.dialogue import Conversation
from situ.language.interpreter import Model
from situ.memory import SpatialMemory
from situ.questions.rules.wearer import full_name

if TYPE_CHECKING:
    from situ.errors import Unanswerable
    from situ.memory import RememberedObject
    from situ.questions.programs import Result


class Memory(SpatialMemory):
    """A spatial memory in one `.situ` file (or in RAM, ":memory:") that answers sentences.

    >>> import situ
    >>> with situ.Memory.create(":memory:") as memory:
    ...     for second in range(3):
    ...         keys = situ.Observation("keys", (0.0, 2.0, 1.0))
    ...         here = situ.camera_pose((0, 0, 1.6), yaw_deg=90)
    ...         memory.observe(situ.ObservedFrame(float(second), here, (keys,)))
    ...     turned = situ.camera_pose((0, 0, 1.6), yaw_deg=0)
    ...     memory.observe(situ.ObservedFrame(3.0, turned))
    ...     print(memory.ask("where are my keys?").text)
    The keys are to your left, 1.9 m away, seen just now.
    """

    def __repr__(self) -> str:
        return f"<Memory {self._name}: {self.frames} frames, {counted(len(self._present()), 'object')}>"

    def _repr_html_(self) -> str:
        """For notebooks: a map with the path and the objects."""
        from situ.display import card, map_from_above, note

        if not self.frames:
            return card(self._name, note("empty: no frame was observed yet"))
        present, walked = self._present(), self.state().path
        places = [((float(v.box.center[0]), float(v.box.center[1])), full_name(v)) for v in present]
        facts = f"{self.frames} frames, {len(present)} objects, {walked.length:.1f} m walked"
        return card(self._name, note(facts), map_from_above([(h.x, h.y) for h in walked.headings], places))

    @property
    def _name(self) -> str:
        return Path(self.path).name

    def _present(self) -> "list[RememberedObject]":
        """Objects that are more likely there than not."""
        return [view for view in self.state().objects() if view.presence > 0.5] if self.frames else []

    def ask(self, sentence: str, at: float | None = None, known_at: float | None = None) -> Told:
        """Answer a sentence as of a time, by default the present."""
        return ask(self.state(at, known_at), sentence)

    def run(
        self, program: Any, at: float | None = None, known_at: float | None = None
    ) -> "tuple[Result | Unanswerable, ...]":
        """What a program of the algebra answers, an outcome for each of its asks: a result, or why there is
        none. A program is a dict, or JSON: {"ask": "count", "of": {"op": "things", "kind": "cup"}}."""
        from situ.questions.programs import tried  # those that only ask sentences do without

        return tried(program, self.state(at, known_at))

    def conversation(self, at: float | None = None, model: Model | None = None) -> Conversation:
        """A dialogue that remembers what was spoken of; as of a time, or of the present as it goes on."""
        return Conversation(lambda: self.state(at), model=model)
