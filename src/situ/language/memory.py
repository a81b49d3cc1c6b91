"""`Memory` with a voice: what people who build assistants hold in their hands."""

from situ import memory
from situ.language.answering import Told, ask
from situ.language.dialogue import Conversation
from situ.language.interpreter import Model


class Memory(memory.Memory):
    """A spatial memory that answers sentences; everything else is that of `situ.memory.Memory`."""

    def ask(self, sentence: str, at: float | None = None, known_at: float | None = None) -> Told:
        """Answer a sentence as of a time, by default the present."""
        return ask(self.state(at, known_at), sentence)

    def conversation(self, at: float | None = None, model: Model | None = None) -> Conversation:
        """A dialogue that remembers what was spoken of; as of a time, or of the present as it goes on."""
        return Conversation(lambda: self.state(at), model=model)
