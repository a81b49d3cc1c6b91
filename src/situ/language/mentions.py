"""The things, places, directions and relations that a sentence mentions, wherever in it they stand."""

from dataclasses import dataclass, field

from situ.language.concepts import concept_length, concept_words
from situ.language.english import COMMON
from situ.language.slots import DIRECTIONS, RELATIONS
from situ.language.spelling import is_word
from situ.language.vocabulary import HERE, Ambiguous, NotSeen, Vocabulary
from situ.language.words import ANYTHING, ATTRIBUTE_OF, IDLE, is_code, singular, without_articles
from situ.questions.select import Selector

THING, PLACE, DIRECTION, RELATION = "<thing>", "<place>", "<direction>", "<relation>"
_LONGEST_NAME = 5
_ARTICLES_WORDS = """
the a an my your our his her their this that these those some any another no mine
"""
_ARTICLES = frozenset(_ARTICLES_WORDS.split())
# Relations that are read order-free; "at", "with", "over" and "around" say too little by themselves.
_UNCLEAR = frozenset({"at", "with", "over", "around", "in", "before", "opposite", "within", "nearest to"})
_LINKS = {
    tuple(link.split(" ")): relation
    for relation, many in RELATIONS.items()
    for link in many.split("|")
    if link not in _UNCLEAR
}
_WAYS = {tuple(words.split(" ")): way for way, many in DIRECTIONS.items() for words in many.split("|")}
_MORE_WAYS = {
    ("up", "ahead"): "front", ("over", "to", "my", "left"): "left", ("over", "to", "my", "right"): "right",
    ("over", "on", "my", "left"): "left", ("over", "on", "my", "right"): "right",
    ("over", "on", "the", "left"): "left", ("over", "on", "the", "right"): "right",
    ("on", "my", "left-hand", "side"): "left", ("on", "my", "right-hand", "side"): "right",
    ("on", "the", "left-hand", "side"): "left", ("on", "the", "right-hand", "side"): "right",
    ("straight", "ahead", "of", "me"): "front", ("straight", "in", "front", "of", "me"): "front",
    ("at", "the", "back", "of", "me"): "back", ("in", "back", "of", "me"): "back",
    ("to", "the", "left", "of", "me"): "left", ("to", "the", "right", "of", "me"): "right",
    ("right", "side", "of", "me"): "right", ("left", "side", "of", "me"): "left",
    ("my", "right", "side"): "right", ("my", "left", "side"): "left",
    ("my", "right", "hand", "side"): "right", ("my", "left", "hand", "side"): "left",
    ("further", "ahead"): "front", ("dead", "ahead"): "front",
    ("turn", "my", "back", "on"): "back", ("turned", "my", "back", "on"): "back",
    ("my", "back", "to"): "back",
    ("behind", "my", "back"): "back", ("at", "my", "back"): "back",
}  # fmt: skip
_WAYS |= _MORE_WAYS
# People whom a wearer may mention without asking about them.
_PEOPLE_WORDS = """
daughter son wife husband partner mother father mum mom dad mommy daddy kid kids child children baby sister
brother friend boss guest guests neighbour neighbor girlfriend boyfriend grandma grandpa boy girl family
colleague roommate man woman lady guy people person visitor visitors carer nurse customer customers client
clients grandmother grandfather staff tenant tenants coworker granny
"""
PEOPLE = frozenset(_PEOPLE_WORDS.split())
_BODY_WORDS = """
body hand hands arm arms eye eyes foot feet leg legs nose head face finger fingers back shoulder elbow
ear ears bum knees stick cane
"""
BODY = frozenset(_BODY_WORDS.split())


@dataclass(frozen=True)
class Mentions:
    """What a sentence names, and its words with the names taken out; `unknown` are names of things that
    nobody has seen."""

    things: tuple[Selector, ...] = ()
    plural: bool = False
    places: tuple[str, ...] = ()
    directions: tuple[str, ...] = ()
    relation: str = ""
    unknown: tuple[str, ...] = ()
    words: list[str] = field(default_factory=list)


def mentions(sentence: str, vocabulary: Vocabulary) -> Mentions:
    """Find all names. Raises Ambiguous for one that means several kinds, NotSeen for one with attributes
    that no thing has."""
    tokens = sentence.replace("'s ", " ").split(" ")  # "the globe's place"
    things: list[Selector] = []
    plural, relation = False, ""
    places: list[str] = []
    directions: list[str] = []
    unknown: list[str] = []
    words: list[str] = []
    i = 0
    while i < len(tokens):
        way = _longest(tokens, i, _WAYS)
        if way is not None and not _names_at(tokens, i + way[1], vocabulary):
            directions.append(way[0])
            words.append(DIRECTION)
            i += way[1]
            continue
        link = _longest(tokens, i, _LINKS)
        if link is not None and _names_at(tokens, i + link[1], vocabulary) and (things or not relation):
            relation = link[0]
            words.append(RELATION)
            i += link[1]
            continue
        if link is not None and things and tokens[i + link[1] :][:1] in (["it"], ["them"]):
            relation = link[0]  # "has the table got anything on it"
            words.append(RELATION)
            i += link[1] + 1
            continue
        length = concept_length(tokens, i)
        if length > 1:  # "laid eyes on" is no relation
            words += tokens[i : i + length]
            i += length
            continue
        found = _name(tokens, i, vocabulary)
        if found is not None and (code := _code_beside(tokens, i, found[1])):
            unknown.append(code)
            words.append(tokens[i])
            i += found[1]
            continue
        if found is not None and _compound(tokens, i):
            unknown.append(f"{tokens[i - 1]} {tokens[i]}")
            words.append(tokens[i])
            i += found[1]
            continue
        if found is not None:
            name, length = found
            if isinstance(name, Selector):
                things.append(name)
                said = " ".join(tokens[i : i + length])
                plural = plural or singular(said) != said
                words.append(THING)
            else:
                places.append(name)
                words.append(PLACE)
            i += length
            continue
        if _is_unknown_name(tokens, i):
            unknown.append(tokens[i])
        words.append(tokens[i])
        i += 1
    once = tuple(dict.fromkeys(things))
    return Mentions(
        once, plural, tuple(dict.fromkeys(places)), tuple(directions), relation, tuple(unknown), words
    )


def _compound(tokens: list[str], i: int) -> bool:
    """Whether a name is the end of another: "my walking frame" is no picture frame."""
    return (
        i >= 2
        and tokens[i - 1].endswith("ing")
        and tokens[i - 2] in _ARTICLES
        and tokens[i - 1] not in _OF_ANY
    )


def _code_beside(tokens: list[str], i: int, length: int) -> str:
    """A name with the code or number that stands beside it and is not known, or nothing: the carton Z999 is
    none of the other cartons."""
    end = i + length
    before, name = tokens[i - 1] if i else "", " ".join(tokens[i:end])
    if is_code(before):
        return f"{before} {name}"
    if tokens[end : end + 1] in (["number"], ["nr"], ["no"]):
        end += 1
    after, then = [*tokens[end : end + 2], "", ""][:2]
    numbered = after.isdigit() and (not then or then in COMMON)  # and not "the cup 2 meters away"
    return f"{name} {after}" if is_code(after) or numbered else ""


_VERBS = frozenset({"stand", "stands", "rest", "rests"})  # "what stands there", and "the stand"
_PREPOSITIONS = frozenset({"in", "of", "to", "into", "from", "inside"})
# "That sits on the shelf" names no sits.
_POSTURES = frozenset(
    {"sits", "looks", "seems", "lies", "hangs", "belongs", "goes", "leads", "holds", "contains"}
)
_OF_ANY = frozenset({"missing", "remaining", "following", "existing", "freaking", "living", "dining"})


def _longest(tokens: list[str], i: int, table: dict[tuple[str, ...], str]) -> tuple[str, int] | None:
    for length in range(min(6, len(tokens) - i), 0, -1):
        found = table.get(tuple(tokens[i : i + length]))
        if found is not None:
            return found, length
    return None


def _names_at(tokens: list[str], i: int, vocabulary: Vocabulary) -> bool:
    """Whether a name of a thing stands at a position, behind its articles."""
    while i < len(tokens) and (tokens[i] in _ARTICLES or tokens[i] in IDLE):
        i += 1
    if i >= len(tokens):
        return False
    found = _name(tokens, i, vocabulary)
    return _is_unknown_name(tokens, i) if found is None else isinstance(found[0], Selector)


def _name(tokens: list[str], i: int, vocabulary: Vocabulary) -> tuple[Selector | str, int] | None:
    """The longest name that begins at a position, and its length."""
    first = tokens[i]
    if first in _ARTICLES or first in ANYTHING or first in HERE or not first[:1].isalpha():
        return None
    if first not in vocabulary.first_words and first not in ATTRIBUTE_OF:
        return None
    if (
        (first in COMMON or first in _VERBS)
        and first not in ATTRIBUTE_OF
        and (not i or tokens[i - 1] not in _ARTICLES | _PREPOSITIONS)
    ):
        # "can" asks, "the can" is a thing; "study" is a verb, "in study" a room; "living room" is no verb
        pair = " ".join(tokens[i : i + 2])
        whole = len(tokens) > i + 1 and pair not in HERE and vocabulary.is_place(pair)
        return (vocabulary.place(pair), 2) if whole else None
    for length in range(min(_LONGEST_NAME, len(tokens) - i), 0, -1):
        run = tokens[i : i + length]
        if "," in run or run[-1] in ATTRIBUTE_OF or run[-1] in ANYTHING:
            continue
        name = " ".join(run)
        if name not in HERE and vocabulary.is_place(name):
            return vocabulary.place(name), length
        try:
            selector = vocabulary.select(name)
        except NotSeen:
            if all(word in ATTRIBUTE_OF for word in run[:-1]) and length > 1 and vocabulary.knows(run[-1]):
                raise  # a known kind, but none of that colour
            continue
        except Ambiguous:
            if _whole(tokens, i, length):
                raise
            continue
        if selector.category is not None and _whole(tokens, i, length):
            return selector, length
    return None


def _whole(tokens: list[str], i: int, length: int) -> bool:
    """Whether a name is not part of a longer one: a toy car is no car, a car key neither."""
    before = tokens[i - 1] if i else ""
    after = tokens[i + length] if i + length < len(tokens) else ""
    return not (is_word(before) and _is_thing_word(before)) and not (is_word(after) and _is_thing_word(after))


NAMELESS = PEOPLE | BODY | _POSTURES


def _is_thing_word(word: str) -> bool:
    """Whether a word names a thing, or is none in English and so may be a name."""
    if not word.isalpha() or word in COMMON or word in concept_words() or word in NAMELESS or len(word) < 3:
        return False
    return word not in IDLE and word not in _FILLERS and (is_word(word) or len(word) > 3)


def _is_unknown_name(tokens: list[str], i: int) -> bool:
    """Whether a noun that is no name of anything known stands behind an article, or a code anywhere."""
    if is_code(tokens[i]):
        return True
    if not i or (tokens[i - 1] not in _ARTICLES | {"many"} and tokens[i - 1] not in ATTRIBUTE_OF):
        return False
    word = tokens[i]
    return _is_thing_word(word) and without_articles(word) not in HERE and singular(word) not in ANYTHING


_FILLERS_WORDS = """
gimme lemme hmm yeah nope kinda sorta wondering somewhere anywhere currently exactly hey there please thanks
definitely possibly certainly honestly seriously obviously luckily
"""
_FILLERS = frozenset(_FILLERS_WORDS.split())
