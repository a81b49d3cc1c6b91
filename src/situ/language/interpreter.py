"""A language model that writes programs: asked where no frame takes a sentence, checked, run, and announced.

The model never answers. It returns a program of the algebra; one that is malformed, or that speaks of a thing
or a place which the wearer did not mention, is thrown away, so that an unknown name cannot turn into another
object. What it wrote is told with the answer: "I took this as: where is the phone".
"""

import json
import re
from collections.abc import Callable, Iterator
from typing import Any

from situ.errors import BadInput, Unanswerable
from situ.language.lexicon import CLOSED
from situ.language.reading import Reading
from situ.language.spelling import is_word, slips
from situ.language.vocabulary import Vocabulary
from situ.language.words import same_place, same_thing, singular

Model = Callable[[str], str]  # a prompt to a reply; one with `schema` is told the form of its reply
TRIES = 2
REFUSED = "refused"  # a model's word for what no program asks
CERTAINTY = 0.9  # a program of a model is announced
_MOST_NAMES = 120
_MOST_TOLD = 400  # letters of a fault


class NoModel(Unanswerable):
    """The model could not be asked in time."""


def written(model: Model, sentence: str, vocabulary: Vocabulary, now: float) -> Reading | None:
    """What the model writes for a sentence; None where it has nothing that may be run."""
    from situ.questions.programs import parse, to_json

    fault = ""
    begin = getattr(model, "begin", None)
    if begin is not None:
        begin()
    for _ in range(TRIES):
        try:
            document = _document(model(prompt(sentence, vocabulary, now, fault)))
            if isinstance(document, dict) and REFUSED in document:
                return None
            program = to_json(parse(document))
        except NoModel as error:
            raise Unanswerable(f"I do not understand this without the model, and {error}") from error
        except (BadInput, ValueError, RecursionError) as error:
            fault = str(error)[:_MOST_TOLD]
            continue
        if unsaid := next(_unsaid(sentence, program, vocabulary), ""):
            raise Unanswerable(
                f"I do not understand {sentence.strip()!r}: it may be about the {unsaid}, but it does not "
                "say so. Name what you mean"
            )
        return Reading(program, CERTAINTY, "model")
    return None


def _document(reply: str) -> Any:
    """The first JSON value in a reply."""
    start = re.search(r"[\[{]", reply)
    if start is None:
        raise ValueError("the reply holds no JSON object")
    found, _ = json.JSONDecoder().raw_decode(reply[start.start() :])
    return found


def prompt(sentence: str, vocabulary: Vocabulary, now: float, fault: str = "") -> str:
    """What the model is asked: one program, with the wearer's own names."""
    names = ", ".join(sorted(vocabulary.labels)[:_MOST_NAMES]) or "none yet"
    places = ", ".join(sorted(vocabulary.places)[:_MOST_NAMES]) or "none"
    looks = (
        ", ".join(sorted(f"{key}={value}" for key, value in vocabulary.attributes)[:_MOST_NAMES]) or "none"
    )
    again = f"\nYour last reply could not be used: {fault}" if fault else ""
    return (
        "Translate a question to a spatial memory, in any language, into one JSON program. Reply with it "
        f"alone.\n{_FORM}\n"
        f"Things seen: {names}.\nLooks: {looks}.\nPlaces: {places}.\nNow is {now:g} s; times are seconds on "
        "this clock.\n"
        f'Never put one thing for another: for what no program asks reply {{"{REFUSED}": true}}.{again}\n'
        f"Question: {json.dumps(' '.join(sentence.split()), ensure_ascii=False)}"
    )


_FORM = """\
SET: {"op":"things","kind":NAME,"with":{"color":..},"ever":true} | {"op":"and"|"or","of":[SET..]} | {"op":"not","of":SET}
 | {"op":"except","of":SET,"but":SET} | {"op":"in","place":NAME|"here","of":SET}
 | {"op":"rel","rel":"on|inside|under|above|near|reach|left|right|front|behind","to":"me"|SET,"m":METRES,"of":SET}
 | {"op":"did","act":"seen|first_seen|inview|held|gone|moved|taken|brought","by":"me|other","since":S,"until":S,"at":PLACE,"of":SET}
 | {"op":"then","of":SET,"at":S} | {"op":"top","by":MEASURE,"of":SET,"least":BOOL,"rank":N,"n":N}
 | {"op":"compare","by":MEASURE,"than":SET|NUMBER,"less":BOOL,"of":SET} | {"op":"between","one":SET,"other":SET}
MEASURE: distance height width size volume last_seen first_seen times_moved moved_at | {"measure":"distance","to":SET}
PROGRAM: {"ask":"count"|"exists"|"list","of":SET} | {"ask":"all","of":SET,"are":SET} | {"ask":"is","of":SET,"in":SET}
 | {"ask":"get","what":"way|turn|side|hand|clock|distance|place|position|color|size|height|last_seen|first_seen|moved_at|moved_by|came_from","of":SET}
 | {"ask":"compare","of":[SET,SET],"names":[..],"by":MEASURE,"least":BOOL} | {"ask":"gap","of":SET,"to":SET}
 | {"ask":"per","per":"place","of":SET,"want":"any|none|most|each"} | {"ask":"way","place":NAME}
 | {"ask":"me","what":"place_at|before|places|unvisited|walked|been|time_in|times_in|last_in","place":NAME}
 | {"as_of":S,"do":PROGRAM} | [PROGRAM..]"""  # noqa: E501 (a table for a model)


def _unsaid(sentence: str, program: Any, vocabulary: Vocabulary) -> Iterator[str]:
    """Things and places of a program that a sentence of the wearer's language does not mention. In a sentence
    of another language names cannot be compared; there it suffices that they are names of this memory."""
    said, foreign = spoken(sentence), _is_foreign(sentence)
    for kind, place in _named(program):
        known = vocabulary.kinds(kind.lower()) if kind else vocabulary.is_place(place)
        if not known:
            yield kind or place
        elif not foreign and kind and not mentions(said, kind):
            yield kind
        elif not foreign and place and not said & _names_of(place):
            yield place


def _names_of(place: str) -> set[str]:
    return {*same_place(place.lower()), place.lower().split(" ")[-1]}


def _is_foreign(sentence: str) -> bool:
    """Whether a sentence is of another language: less than a third of its words are common English ones, or
    one has letters that English lacks."""
    words = re.findall(r"[^\W\d_]+", sentence.lower())
    return sum(is_word(word) or word in CLOSED for word in words) * 3 < len(words) or not sentence.isascii()


def _named(program: Any) -> Iterator[tuple[str, str]]:
    """All kinds and places in a program."""
    if isinstance(program, list):
        for one in program:
            yield from _named(one)
    elif isinstance(program, dict):
        for key, value in program.items():
            if key == "kind" and isinstance(value, str) and "op" in program:
                yield value, ""
            elif key in ("place", "at", "while") and isinstance(value, str) and value != "here":
                yield "", value
            else:
                yield from _named(value)


def spoken(sentence: str) -> set[str]:
    """The words of a sentence and all runs of up to three of them."""
    words = re.findall(r"[\w\-']+", sentence.lower())
    return {" ".join(words[i:j]) for i in range(len(words)) for j in range(i + 1, min(i + 4, len(words) + 1))}


def mentions(said: set[str], kind: str) -> bool:
    """Whether words speak of a kind of thing: by its name, a true synonym, or a slip."""
    label = singular(kind.lower())
    if any(label in same_thing(name) or label.split(" ")[-1] in same_thing(name) for name in said):
        return True
    return any(label in slips(word, {label}) for word in said if len(word) > 3)
