"""The clause of a sentence that asks, where the rest only tells a story: "I am cooking. Where did it go?"

What is left out must name nothing, or what it names must be what the question calls "it". A question without
a thing of its own ("how many are there?") is about the thing that the story names.
"""

import re
from collections.abc import Iterator

from situ.language.function_words import DECISIVE
from situ.language.mentions import Mentions, mentions
from situ.language.times import Clock, take_time
from situ.language.vocabulary import Ambiguous, NotSeen, Vocabulary

_PRONOUNS = frozenset({"it", "they", "them", "one", "ones", "she", "he", "that", "those", "these"})
_ASKING_WORDS = """
where what which how who when is are was were do does did has have can could should will would am in tell
show list count take find any direct lead guide
"""
_ASKING = frozenset(_ASKING_WORDS.split())
_OF_NOTHING = re.compile(
    r"(^how many(?= (?:are|is|were|do|did|have|in|on|left)\b|$)|\bthe (?:closest|next)(?: one)?$)"
)
_TAIL = re.compile(
    r"(?:and |is |is that |or )?(?:true|correct|right|it|so|what|where|how|please|exactly|roughly|thanks)"
    r"|(?:can you )?(?:tell|show) me|(?:do )?you know|i mean|if any|i wonder"
)
RELATED = re.compile(r" (?:on|under|near|next to|behind|beside|above|inside) (?:the|my|a|our) ")
_JOINING = re.compile(r"^(?:or|and|but|so|then|well|now|i mean|also)\s+")


def asking_clauses(text: str, vocabulary: Vocabulary) -> Iterator[str]:
    """Clauses of a tidied sentence (commas kept apart) that may be the question alone, the longest first."""
    parts = text.split(" , ")
    for start in range(1, len(parts)):
        story, question = " , ".join(parts[:start]), _JOINING.sub("", " , ".join(parts[start:]))
        if question.split(" ")[0] not in _ASKING or len(question.split(" ")) < 2:
            continue
        told = _names(story, vocabulary)
        if told is None or told.directions or take_time(story, Clock())[0] != story:
            continue
        if not told.things and not told.places:
            asks = bool(told.unknown) and story.split(" ")[0] in _ASKING  # for what nobody has seen
            if not asks or _names_things(question, vocabulary):
                yield question
        elif story.split(" ")[0] in DECISIVE:  # "not the phone, where is it"
            continue
        elif len(told.things) == 1 and not told.places and not told.unknown:
            yield from _about(question, " ".join(told.things[0].singular.split()), vocabulary)
    if len(parts) > 1 and _TAIL.fullmatch(parts[-1]) and "left" not in text.split(" "):
        yield " , ".join(parts[:-1])
    if len(parts) == 2 and parts[0].split(" ")[0] in (
        "in",
        "on",
        "inside",
        "within",
        "under",
        "behind",
        "near",
    ):
        yield f"{parts[1]} {parts[0]}"  # "in the kitchen, how many cups are there"


def _about(question: str, name: str, vocabulary: Vocabulary) -> Iterator[str]:
    """The question with the story's thing in the place of its pronoun, or of the name that it leaves out."""
    named = _names(question, vocabulary)
    if named is None or named.things:
        return
    words = question.split(" ")
    if any(word in _PRONOUNS for word in words[1:]):
        place = next(i for i, word in enumerate(words) if i and word in _PRONOUNS)
        yield " ".join([*words[:place], "the", *name.split(" "), *words[place + 1 :]])
    elif _OF_NOTHING.search(question):
        yield _OF_NOTHING.sub(lambda found: f"{found[1].removesuffix(' one')} {name}", question)


def _names_things(text: str, vocabulary: Vocabulary) -> bool:
    named = _names(text, vocabulary)
    return named is not None and bool(named.things)


def _names(text: str, vocabulary: Vocabulary) -> Mentions | None:
    try:
        return mentions(text, vocabulary)
    except (NotSeen, Ambiguous):
        return None
