"""A language model that writes programs: asked where no phrase fits, checked, run, and announced.

The model never answers. It returns a document of the question schema; a document that is malformed, or that
speaks of a thing which the wearer did not mention, is thrown away, so that an unknown name cannot turn into
another object. What it wrote is told with the answer: "I took this as: where is the phone".
"""

import json
import re
from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Any

from situ.errors import SituError, Unanswerable
from situ.language.out_of_scope import outside
from situ.language.parse import Asked, Clock, NotUnderstood, OutsideMemory, parse
from situ.language.samples import selectors
from situ.language.schema import REFUSED, VERSION, open_kinds, read_question
from situ.language.spelling import slips
from situ.language.vocabulary import NotSeen, Vocabulary
from situ.language.words import same_place, same_thing, singular
from situ.questions.base import Question
from situ.questions.select import Selector

Model = Callable[[str], str]  # a prompt to a reply
TRIES = 2
_MOST_NAMES = 120
_BEFORE_NOW = frozenset({"since", "time"})


class NoModel(Unanswerable):
    """The model could not be asked in time."""


@dataclass(frozen=True)
class Interpreter:
    """Reads what the grammar does not, by way of a model that writes the program."""

    model: Model

    def parse(self, sentence: str, vocabulary: Vocabulary, clock: Clock | None = None) -> tuple[Asked, bool]:
        """Like `parse`, and whether the model wrote the program. The grammar's own refusal stands
        where the model has nothing better."""
        try:
            return parse(sentence, vocabulary, clock), False
        except (NotUnderstood, NotSeen) as refusal:
            return self.written(sentence, vocabulary, clock or Clock(), refusal), True

    def written(self, sentence: str, vocabulary: Vocabulary, clock: Clock, refusal: Unanswerable) -> Asked:
        """What the model writes for a sentence that the grammar refused."""
        reason, fault, silence = str(refusal), "", ""
        begin = getattr(self.model, "begin", None)
        if begin is not None:
            begin()
        for _ in range(TRIES):
            try:
                reply = self.model(prompt(sentence, vocabulary, fault))
            except NoModel as error:
                silence = f" ({error})"
                continue
            try:
                document = _document(reply)
                if document.get("kind") == REFUSED:
                    raise OutsideMemory(outside(sentence) or reason)
                question = read_question(document, vocabulary, clock.now)
            except OutsideMemory:
                raise
            except (SituError, ValueError) as error:
                fault = str(error)
                continue
            if unsaid := _unsaid(sentence, question):
                raise NotUnderstood(
                    f"I do not understand {sentence.strip()!r}: it may be about the {unsaid}, but it does "
                    f"not say "
                    "so. Name what you mean"
                ) from None
            return Asked(question)
        raise type(refusal)(f"{reason}{silence}")


def _document(reply: str) -> dict[str, Any]:
    """The first JSON object in a reply."""
    start = reply.find("{")
    if start < 0:
        raise ValueError("the reply holds no JSON object")
    found, _ = json.JSONDecoder().raw_decode(reply[start:])
    if not isinstance(found, dict):
        raise ValueError("the reply holds no JSON object")
    return found


def prompt(sentence: str, vocabulary: Vocabulary, fault: str = "") -> str:
    """What the model is asked: one document of the schema, with the wearer's own names."""
    names = ", ".join(sorted(vocabulary.labels)[:_MOST_NAMES]) or "none yet"
    places = ", ".join(sorted(vocabulary.places)[:_MOST_NAMES]) or "none"
    kinds = "\n".join(_line(name, kind.question) for name, kind in open_kinds().items())
    again = f"\nYour last reply could not be used: {fault}" if fault else ""
    return (
        "Translate a question to a spatial memory into one JSON object and reply with that alone.\n"
        f'Form: {{"version": {VERSION}, "kind": KIND, ARGUMENTS}}. Kinds and their arguments '
        "(those in brackets may be left out):\n"
        f"{kinds}\n"
        f"- {REFUSED}: no kind asks this\n"
        'A thing is a name ("cup") or an object ({"thing": "cup", "color": "red"}). '
        "Times are seconds before now.\n"
        f"Things seen: {names}.\nPlaces: {places}.\n"
        f"Never put one thing for another: what is not among these is '{REFUSED}'.{again}\n"
        f"Question: {sentence.strip()}"
    )


def _line(name: str, question: type[Any]) -> str:
    parts = [
        f"{part.name}_seconds_ago" if part.name in _BEFORE_NOW else part.name for part in fields(question)
    ]
    about = (question.__doc__ or "").strip().split("\n")[0]
    return f"- {name}({', '.join(parts)}): {about}"


def _unsaid(sentence: str, question: Question) -> str:
    """A thing or place in a question that the sentence does not mention; "" if there is none."""
    for which in selectors(question):
        if not mentions(sentence, which):
            return which.singular
    place = getattr(question, "place", "")
    if isinstance(place, str) and place and not (spoken(sentence) & same_place(place.lower())):
        here = {"here", "this room", "room"} & spoken(sentence)
        return "" if here else place
    return ""


def spoken(sentence: str) -> set[str]:
    """The words of a sentence and all runs of up to three of them."""
    words = re.findall(r"[\w\-']+", sentence.lower())
    return {" ".join(words[i:j]) for i in range(len(words)) for j in range(i + 1, min(i + 4, len(words) + 1))}


def mentions(sentence: str, which: Selector) -> bool:
    """Whether a sentence speaks of what a selector picks: by label, true synonym, slip or attribute."""
    said = spoken(sentence)
    if which.category is None:
        return all(value in said for _, value in which.attributes)
    label = singular(which.category.lower())
    if any(label in same_thing(name) or label.split(" ")[-1] in same_thing(name) for name in said):
        return True
    return any(label in slips(word, {label}) for word in said if len(word) > 3)
