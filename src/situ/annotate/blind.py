"""Blind test of an item: whether the answer can be told from question and options without frames.

The built-in guesser learns from the other items of the queue. A model is asked with several option orders,
enough to keep the chance of lucky guesses below 5 %; the item fails if the model is right every time.
"""

import asyncio
import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from situ.annotate.annotation import Annotation
from situ.annotate.rules import content_hash
from situ.authoring.blind import Posed, guess
from situ.authoring.logic import normal
from situ.errors import BadInput, SituError
from situ.evaluation.replies.choice import read_choice

BUILT_IN = "built in"
LUCK = 0.05  # largest probability that a guesser passes by luck
MAX_KNOWN = 2000  # items that the built-in guesser learns from
MIN_KNOWN = 12  # below this it has no opinion
_SURE = 0.3  # share of the range from chance to certainty
_LETTERS = "ABCDEFGHIJ"
Guesser = Callable[[str], str]  # a prompt to a reply


def test_built_in(item: Annotation, others: Sequence[Annotation]) -> dict[str, Any]:
    """Belief of the built-in guesser in the correct option, and whether it exceeds chance."""
    posed = _posed(item)
    fit = [o for o in others if o.id != item.id and o.options and _right(o) is not None]
    known = [_posed(other) for other in fit[-MAX_KNOWN:]]
    if len(known) < MIN_KNOWN:
        note = f"the built-in guesser has {len(known)} other items to learn from and wants {MIN_KNOWN}"
        return _result(item, BUILT_IN, False, 1 / len(item.options), note)
    odds = guess(posed, known)
    belief, chance = odds[posed.right], 1 / len(odds)
    sees = belief == max(odds) and belief >= chance + _SURE * (1 - chance)
    return _result(item, BUILT_IN, sees, belief, "")


def test_by_model(item: Annotation, name: str, ask: Guesser) -> dict[str, Any]:
    right = _posed(item).right
    count = len(item.options)
    rounds = max(1, math.ceil(math.log(LUCK) / math.log(1 / count)))
    rng = np.random.default_rng([*content_hash(item).encode()])
    hits, replies = 0, []
    places = np.resize(
        rng.permutation(count), rounds
    )  # a preference for one letter is never right twice in a row
    for place in places.tolist():
        wrong = rng.permutation([i for i in range(count) if i != right]).tolist()
        shown = [item.options[i] for i in (*wrong[:place], right, *wrong[place:])]
        reply = ask(prompt_of(item.question, shown))
        replies.append(reply[:200])
        hits += read_choice(reply, shown).claim == item.options[right]
        if hits < len(replies):
            break  # one wrong answer is enough
    return {**_result(item, name, hits == rounds, hits / len(replies), ""), "replies": replies}


def prompt_of(question: str, options: Sequence[str]) -> str:
    listed = "\n".join(f"{_LETTERS[i]}. {option}" for i, option in enumerate(options))
    return (
        "Somebody asked this question about a video that you cannot see. Say which option is likely right; "
        f"answer with its letter alone.\n\nQuestion: {question}\n{listed}\nAnswer:"
    )


def model_guesser(name: str) -> Guesser:
    """A model of the engine, such as openai/gpt-4o; missing requirements raise at once."""
    from situ.evaluation.models.connect import open_model, root_cause
    from situ.evaluation.models.settings import ModelSettings

    open_model(ModelSettings(model=name))

    def ask(prompt: str) -> str:
        from inspect_ai.model import GenerateConfig, get_model

        model = get_model(name, memoize=False)  # clients are bound to the event loop of their first use
        try:
            found = asyncio.run(
                model.generate(prompt, config=GenerateConfig(temperature=0.0, max_tokens=512))
            )
        except SituError:
            raise
        except Exception as error:  # every provider has its own errors
            raise BadInput(f"{name} did not answer: {root_cause(error)}") from error
        return str(found.completion)

    return ask


def _right(item: Annotation) -> int | None:
    texts = [normal(option) for option in item.options]
    return texts.index(normal(item.answer)) if texts.count(normal(item.answer)) == 1 else None


def _posed(item: Annotation) -> Posed:
    right = _right(item)
    if len(item.options) < 2 or right is None:
        raise BadInput("the blind test needs options with the answer exactly once among them")
    return Posed(item.source, item.question, item.options, right)


def _result(item: Annotation, guesser: str, sees: bool, belief: float, note: str) -> dict[str, Any]:
    return {
        "guesser": guesser, "seen_through": bool(sees), "belief": round(float(belief), 4),
        "chance": round(1 / len(item.options), 4), "of": content_hash(item), "note": note,
    }  # fmt: skip
