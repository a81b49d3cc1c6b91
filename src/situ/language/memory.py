"""`Memory` with a voice: what people who build assistants hold in their hands."""

from situ.language.answering import Told, ask
from situ.language.dialogue import Conversation
from situ.language.interpreter import Model
from situ.memory import SpatialMemory


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
    The keys are to your left, 2.0 m away, seen just now.
    """

    def ask(self, sentence: str, at: float | None = None, known_at: float | None = None) -> Told:
        """Answer a sentence as of a time, by default the present."""
        return ask(self.state(at, known_at), sentence)

    def conversation(self, at: float | None = None, model: Model | None = None) -> Conversation:
        """A dialogue that remembers what was spoken of; as of a time, or of the present as it goes on."""
        return Conversation(lambda: self.state(at), model=model)
