"""Why a sentence is not read, and what this memory could be asked instead."""

from situ.errors import Unanswerable
from situ.language.vocabulary import Vocabulary

_MOST_QUOTED = 80  # letters of a sentence that is given back


class NotUnderstood(Unanswerable):
    """No frame takes the whole sentence."""


def not_understood(sentence: str, vocabulary: Vocabulary) -> NotUnderstood:
    """A refusal with three questions that this memory can answer."""
    said = " ".join(sentence.split())
    if not any(letter.isalnum() for letter in said):
        return NotUnderstood(f"there is no question; ask for instance: {examples(vocabulary)}")
    quoted = said if len(said) <= _MOST_QUOTED else f"{said[:_MOST_QUOTED]}…"
    return NotUnderstood(
        f"I do not understand {quoted!r}; I remember things, their moves and your own way. Ask for instance: "
        f"{examples(vocabulary)}"
    )


def examples(vocabulary: Vocabulary) -> str:
    """Three questions about what this memory holds."""
    things, places = sorted(vocabulary.labels), sorted(vocabulary.places)
    named = [f"where is the {things[0]}", f"how far is the {things[len(things) // 2]}"] if things else []
    inside = [f"what is in the {places[0]}"] if places else ["what is near me"]
    return "; ".join([*named, *inside, "where have I been", "how far have I walked"][:3])


def help_text(vocabulary: Vocabulary) -> str:
    """What this memory could be asked."""
    return (
        "Ask me where things are, how far, how many, what is around you, what was moved and when, and where "
        f"you were. For instance: {examples(vocabulary)}."
    )
