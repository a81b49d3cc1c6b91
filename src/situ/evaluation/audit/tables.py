"""Attacks that learn a table: how often an option was right where some clue was the same.

A clue is anything that can be read off a question, one of its options and their surroundings. Where the clue
is a measure, such as a length, the nearest known questions stand in for equal ones.
"""

from bisect import bisect_left
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass

import numpy as np

from situ.benchmarks.dataset import QuestionRow
from situ.evaluation.audit.exposure import Exposure, number_in, tokens
from situ.evaluation.audit.guess import Scorer, choices_from, each
from situ.evaluation.audit.words import alphabetical_order, entity_kinds

PRIOR = 2.0  # questions' worth of doubt about every entry
NEAREST = 25
Clue = Callable[[QuestionRow, Exposure], Hashable]
OptionClue = Callable[[QuestionRow, str, Exposure], Hashable]
Measure = Callable[[QuestionRow, Exposure], float | None]

CLUES: dict[str, Clue] = {
    "usual answer": lambda row, seen: "",
    "alphabetical": lambda row, seen: alphabetical_order(row),
    "entity kind": lambda row, seen: entity_kinds(row),
    "wording": lambda row, seen: seen.wording(row),
    "item name": lambda row, seen: (tokens(row.item) or [""])[-1],
    "question id": lambda row, seen: (tokens(row.id) or [""])[-1],
    "place in recording": lambda row, seen: [r.id for r in seen.of_item[row.item]].index(row.id),
    "hash": lambda row, seen: seen.media[row.item].digest[:1] if row.item in seen.media else "",
    "times asked before": lambda row, seen: (seen.wording(row), len(seen.askings_before(row))),
    "sister tasks": lambda row, seen: (
        seen.wording(row),
        tuple(sorted({(sister.task, seen.wording(sister)) for sister in seen.sisters(row)})),
    ),
}
CLUES["sister names"] = lambda row, seen: _named_elsewhere(row, seen)
OPTION_CLUES: dict[str, OptionClue] = {
    "option place": lambda row, option, seen: (len(row.options), row.options.index(option)),
    "option length": lambda row, option, seen: sorted(map(len, row.options)).index(len(option)),
    "sister options": lambda row, option, seen: sum(
        option in sister.options for sister in seen.sisters(row) if sister.options != row.options
    ),
    "sister echo": lambda row, option, seen: min(6, seen.echo(row, option)),
    "sister bridge": lambda row, option, seen: (option, seen.bridge(row)),
}
MEASURES: dict[str, Measure] = {
    "row order": lambda row, seen: float(seen.place[row.id]),
    "item number": lambda row, seen: float(number_in(row.item)),
    "id number": lambda row, seen: float(number_in(row.id)),
    "manifest order": lambda row, seen: _media(row, seen, "place"),
    "frames": lambda row, seen: _media(row, seen, "frames"),
    "file size": lambda row, seen: _media(row, seen, "size"),
    "bytes a frame": lambda row, seen: _bytes_a_frame(row, seen),
    "moment": lambda row, seen: row.time,
    "number of sisters": lambda row, seen: float(len(seen.of_item[row.item])),
}


def _named_elsewhere(row: QuestionRow, seen: Exposure) -> tuple[int, ...]:
    """Which of the names in a question the other questions about the recording name more often."""
    texts = [sister.text for sister in seen.sisters(row)]
    counts = [sum(one in t or many in t for t in texts) for one, many in seen.names(row)]
    return tuple(int(np.sign(count - counts[0])) for count in counts[1:])


def _media(row: QuestionRow, seen: Exposure, name: str) -> float | None:
    return float(getattr(seen.media[row.item], name)) if row.item in seen.media else None


def _bytes_a_frame(row: QuestionRow, seen: Exposure) -> float | None:
    media = seen.media.get(row.item)
    return None if media is None else media.size / max(1, media.frames)


@dataclass
class Tally:
    """How often something was right, and how often it would be by chance."""

    right: float = 0.0
    expected: float = 0.0

    def add(self, right: bool, options: int) -> None:
        self.right += right
        self.expected += 1 / options

    @property
    def lift(self) -> float:
        """The log of how much oftener than by chance it was right."""
        return float(np.log((self.right + PRIOR) / (self.expected + PRIOR)))


def learn_clue(clue: Clue) -> Callable[[Sequence[QuestionRow], Exposure], Scorer]:
    """The clue with the words of an option, and the clue with its place."""

    def keys(row: QuestionRow, option: str, seen: Exposure) -> list[Hashable]:
        found = clue(row, seen)
        place = row.options.index(option) if option in row.options else -1
        return [("text", found, option), ("place", found, place)]

    return _learn(keys)


def learn_option_clue(clue: OptionClue) -> Callable[[Sequence[QuestionRow], Exposure], Scorer]:
    return _learn(lambda row, option, seen: [clue(row, option, seen)] if option in row.options else [])


def _learn(
    keys: Callable[[QuestionRow, str, Exposure], list[Hashable]],
) -> Callable[[Sequence[QuestionRow], Exposure], Scorer]:
    def fit(known: Sequence[QuestionRow], seen: Exposure) -> Scorer:
        offered = choices_from(known)
        table: dict[Hashable, Tally] = {}
        for row in known:
            options = offered(row)
            for option in options:
                for key in keys(row, option, seen):
                    table.setdefault(key, Tally()).add(option == row.answer, len(options))

        def score(row: QuestionRow, asked: Exposure) -> list[float]:
            return [
                sum(table[key].lift for key in keys(row, option, asked) if key in table)
                for option in offered(row)
            ]

        return Scorer(offered, each(score))

    return fit


def learn_measure(measure: Measure) -> Callable[[Sequence[QuestionRow], Exposure], Scorer]:
    """The known questions whose measure is nearest."""

    def fit(known: Sequence[QuestionRow], seen: Exposure) -> Scorer:
        offered = choices_from(known)
        found = [(measure(row, seen), i) for i, row in enumerate(known)]
        ranked = sorted((value, i) for value, i in found if value is not None)
        values = [value for value, _ in ranked]

        def score(row: QuestionRow, asked: Exposure) -> list[float]:
            options, value = offered(row), measure(row, asked)
            if value is None or not ranked:
                return [0.0] * len(options)
            middle = bisect_left(values, value)
            window = ranked[max(0, middle - NEAREST) : middle + NEAREST]
            nearest = sorted(window, key=lambda pair: abs(pair[0] - value))[:NEAREST]
            tallies = {option: Tally() for option in options}
            for _, i in nearest:
                other = offered(known[i])
                for option in other:
                    if option in tallies:
                        tallies[option].add(option == known[i].answer, len(other))
            return [tallies[option].lift for option in options]

        return Scorer(offered, each(score))

    return fit
