"""A language model as the parser's interpreter: it rewords a sentence, and the rules still read the result.

The model never answers and never names things on its own: a reworded sentence that speaks of something that
the wearer did not mention is thrown away, so that an unknown name cannot turn into another object.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass

from situ.ask.focus import selectors
from situ.ask.parse import EXAMPLES, Asked, NotUnderstood, parse
from situ.ask.vocabulary import Vocabulary
from situ.ask.words import same_thing, singular
from situ.questions.select import Selector

Model = Callable[[str], str]  # a prompt to a reply
_MOST_LABELS = 80
_FORMS = (
    *EXAMPLES,
    "is the lamp to the left or the right of the sofa",
    "what happened to the box",
    "what is next to the desk",
    "which way did I come",
    "can I see the door",
    "did I see the cup before the book",
    "how many chairs did I see",
)


@dataclass(frozen=True)
class Interpreter:
    """Reads what the rules do not understand, by way of a model that rewords it."""

    model: Model

    def parse(self, sentence: str, vocabulary: Vocabulary, start: float = 0.0, now: float = 0.0) -> Asked:
        """Like `situ.ask.parse`; the model is asked only if the rules fail."""
        try:
            return parse(sentence, vocabulary, start, now)
        except NotUnderstood as refusal:
            lines = self.model(prompt(sentence, vocabulary)).strip().splitlines()
            reworded = lines[0].strip(" \"'`") if lines else ""
            try:
                asked = parse(reworded, vocabulary, start, now)
            except NotUnderstood:
                raise refusal from None
            for which in selectors(asked.question):
                if not mentions(sentence, which):
                    raise NotUnderstood(
                        f"I do not understand {sentence.strip()!r}: it may be about the {which.singular}, "
                        "but it does not say so. Name what you mean"
                    ) from None
            return asked


def prompt(sentence: str, vocabulary: Vocabulary) -> str:
    """What the model is asked: one of the forms, with the wearer's own names."""
    names = ", ".join(sorted(vocabulary.labels)[:_MOST_LABELS]) or "none yet"
    forms = "\n".join(f"- {form}" for form in _FORMS)
    return (
        "Reword a question so that it has one of these forms, with the things and times of the question in "
        f"place of those of the form:\n{forms}\n"
        f"Things seen so far: {names}.\n"
        "Keep the names that the question uses; do not put one thing for another. Reply with the reworded "
        "question alone, on one line. If no form fits, reply: none\n"
        f"Question: {sentence.strip()}"
    )


def mentions(sentence: str, which: Selector) -> bool:
    """Whether a sentence speaks of what a selector picks: by its label, a true synonym, or an attribute."""
    words = re.findall(r"[\w\-']+", sentence.lower())
    spoken = {
        " ".join(words[i:j]) for i in range(len(words)) for j in range(i + 1, min(i + 4, len(words) + 1))
    }
    if which.category is None:
        return all(value in spoken for _, value in which.attributes)
    label = singular(which.category.lower())
    return any(label in same_thing(name) or label.split(" ")[-1] in same_thing(name) for name in spoken)
