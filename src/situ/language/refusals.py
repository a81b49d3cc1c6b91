"""Why a sentence is not read: nothing fits it, a word would be left out, no memory holds the answer."""

from situ.errors import Unanswerable
from situ.language.function_words import decisive_in
from situ.language.vocabulary import Vocabulary

EXAMPLES = (
    "where is the red cup", "how far is the door", "can I reach the lamp", "how many chairs are there",
    "which is closer, the sofa or the desk", "when did I last see my keys", "what is behind me",
    "what changed in the kitchen", "take me back to the living room",
)  # fmt: skip


class NotUnderstood(Unanswerable):
    """No phrase fits the sentence."""


class LeftOut(NotUnderstood):
    """The only readings of a sentence leave out a word that turns its meaning round."""

    def __init__(self, word: str) -> None:
        super().__init__(
            f"I do not understand what '{word}' changes in this question, and will not answer as if it were "
            "not there; ask it another way"
        )


class OutsideMemory(Unanswerable):
    """The sentence asks for something that no spatial memory holds."""


def not_understood(sentence: str, text: str, vocabulary: Vocabulary) -> NotUnderstood:
    if word := next(decisive_in(text.split(" "), vocabulary.names), ""):
        return LeftOut(word)
    return NotUnderstood(
        f"I do not understand {sentence.strip()!r}. I can be asked, for instance: {'; '.join(EXAMPLES)}"
    )
