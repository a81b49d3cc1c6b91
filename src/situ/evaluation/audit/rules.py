"""Attacks that learn nothing: rules by which a distractor is often told from an answer."""

from collections.abc import Callable, Mapping, Sequence

from situ.benchmarks.dataset import QuestionRow
from situ.evaluation.audit.exposure import Exposure, words

Trait = Callable[[QuestionRow, str, Exposure], float]


def _alike(row: QuestionRow, option: str, seen: Exposure) -> float:
    """How many words an option shares with the others, of all that they have."""
    own = words(option)
    shares = [len(own & words(other)) / max(1, len(own | words(other))) for other in row.options]
    return (sum(shares) - 1) / max(1, len(shares) - 1)


def _size(row: QuestionRow, option: str, seen: Exposure) -> float:
    """The number that an option is; of words, all are alike."""
    return float(option) if all(other.isdigit() for other in row.options) else 0.0


def _towards_middle(row: QuestionRow, option: str, seen: Exposure) -> float:
    sizes = sorted(_size(row, other, seen) for other in row.options)
    return -abs(_size(row, option, seen) - sizes[len(sizes) // 2])


# Each trait is tried both ways: the option that has most of it, and the one that has least.
TRAITS: Mapping[tuple[str, str], Trait] = {
    ("last option", "first option"): lambda row, option, seen: row.options.index(option),
    ("longest option", "shortest option"): lambda row, option, seen: len(option),
    ("most like the others", "least like the others"): _alike,
    ("in the question's words", "not in the question's words"): lambda row, option, seen: len(
        words(option) & words(row.text)
    ),
    ("spoken of by sisters", "not spoken of by sisters"): lambda row, option, seen: seen.echo(row, option),
    ("largest number", "smallest number"): _size,
    ("middle number", "outer number"): _towards_middle,
}


def rules(rows: Sequence[QuestionRow], seen: Exposure) -> dict[str, list[list[float]]]:
    """The scores of options by each rule; rules that never tell options apart are left out."""
    found = {}
    for (most, least), trait in TRAITS.items():
        scores = [[float(trait(row, option, seen)) for option in row.options] for row in rows]
        if any(len(set(own)) > 1 for own in scores):
            found[most] = scores
            found[least] = [[-score for score in own] for own in scores]
    return found
