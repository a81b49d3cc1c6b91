"""Attacks that learn from everything at once: words, options, names, order, lengths, sizes, sisters."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from situ.benchmarks.dataset import QuestionRow
from situ.evaluation.audit.boost import Boosted, Features
from situ.evaluation.audit.exposure import Exposure, tokens, words
from situ.evaluation.audit.guess import Scorer, choices_from, each
from situ.evaluation.audit.tables import CLUES, MEASURES
from situ.evaluation.audit.text_model import TextModel
from situ.evaluation.audit.words import option_words

MOST_WORDS, CUTS, REMAINDERS = 60, 9, (2, 3, 4, 5)
FEW_ANSWERS = 12  # so many different answers are learnt one by one
LEAST_OFFERED = 40  # times that an answer must have been offered for a learner of its own


def learn_text(known: Sequence[QuestionRow], seen: Exposure) -> Scorer:
    return _classify(known, lambda row: row.text)


def learn_options(known: Sequence[QuestionRow], seen: Exposure) -> Scorer:
    return _classify(known, option_words)


def _classify(known: Sequence[QuestionRow], text: Callable[[QuestionRow], str]) -> Scorer:
    """Logistic regression on words; answers are told by their words where few differ, else by place."""
    offered = choices_from(known)
    by_text = len({row.answer for row in known}) <= FEW_ANSWERS

    def label(row: QuestionRow, option: str) -> str:
        return option if by_text or not row.options else f"option {row.options.index(option)}"

    model = TextModel.fit([text(row) for row in known], [label(row, row.answer) for row in known])

    def score(row: QuestionRow, asked: Exposure) -> list[float]:
        scores = model.scores(text(row))
        return [scores.get(label(row, option), -np.inf) for option in offered(row)]

    return Scorer(offered, each(score))


def learn_all(known: Sequence[QuestionRow], seen: Exposure) -> Scorer:
    """Boosted trees: one for each frequent answer, one for each place, one for options as such."""
    offered = choices_from(known)
    return Scorer(offered, Trees.fit(known, seen, offered).score)


@dataclass(frozen=True, eq=False)
class Trees:
    """Boosted trees over all features; the score of an option is the sum of what they say of it."""

    offered: Callable[[QuestionRow], Sequence[str]]
    columns: "Columns"
    by_answer: dict[str, Boosted]
    by_place: list[Boosted]
    by_option: Boosted | None

    @classmethod
    def fit(
        cls,
        known: Sequence[QuestionRow],
        seen: Exposure,
        offered: Callable[[QuestionRow], Sequence[str]],
    ) -> "Trees":
        columns = Columns.of(known, seen)
        features = columns.rows(known, seen)

        by_answer: dict[str, Boosted] = {}
        frequent = Counter(option for row in known for option in offered(row)).most_common(FEW_ANSWERS)
        for answer, times in frequent:
            if times >= LEAST_OFFERED:
                mine = [i for i, row in enumerate(known) if answer in offered(row)]
                right = np.array([known[i].answer == answer for i in mine], dtype=float)
                by_answer[answer] = Boosted.fit(features[mine], right)
        by_place = []
        for place in range(max((len(row.options) for row in known), default=0)):
            mine = [i for i, row in enumerate(known) if len(row.options) > place]
            right = np.array([known[i].answer == known[i].options[place] for i in mine], dtype=float)
            by_place.append(Boosted.fit(features[mine], right))
        pairs = _pairs(known)
        right = np.array([row.answer == option for row, option in pairs], dtype=float)
        by_option = Boosted.fit(columns.options(pairs, seen), right) if pairs else None
        return cls(offered, columns, by_answer, by_place, by_option)

    def score(self, rows: Sequence[QuestionRow], asked: Exposure) -> list[list[float]]:
        """For each question the scores of its options."""
        own = self.columns.rows(rows, asked)
        answers = {answer: learner(own) for answer, learner in self.by_answer.items()}
        places = [learner(own) for learner in self.by_place]
        pairs = _pairs(rows)
        alone = iter(self.by_option(self.columns.options(pairs, asked)) if self.by_option and pairs else ())
        found = []
        for i, row in enumerate(rows):
            scores = [float(answers[o][i]) if o in answers else 0.0 for o in self.offered(row)]
            for place in range(len(row.options)):
                scores[place] += float(next(alone, 0.0))
                scores[place] += float(places[place][i]) if place < len(places) else 0.0
            found.append([round(value, 9) for value in scores])
        return found


def _pairs(rows: Sequence[QuestionRow]) -> list[tuple[QuestionRow, str]]:
    return [(row, option) for row in rows for option in row.options]


@dataclass(frozen=True, eq=False)
class Columns:
    """Which yes/no features there are: frequent words, and cuts through measures."""

    words: tuple[str, ...]
    option_words: tuple[str, ...]
    cuts: dict[str, NDArray[np.float64]]

    @classmethod
    def of(cls, known: Sequence[QuestionRow], seen: Exposure) -> "Columns":
        """Cuts are quantiles of what is known."""
        about = _frequent(_row_words(row, seen) for row in known)
        within = _frequent(_option_words(row, option, seen) for row in known for option in row.options)
        cuts = {}
        for name, measure in MEASURES.items():
            values = [value for row in known if (value := measure(row, seen)) is not None]
            if values:
                cuts[name] = np.unique(np.quantile(values, np.linspace(0, 1, CUTS + 2)[1:-1]))
        return cls(about, within, cuts)

    def rows(self, rows: Sequence[QuestionRow], seen: Exposure) -> Features:
        found = np.zeros((len(rows), len(self.words)), dtype=np.float32)
        column = {word: i for i, word in enumerate(self.words)}
        for i, row in enumerate(rows):
            found[i, [column[word] for word in _row_words(row, seen) if word in column]] = 1
        return np.hstack([found, self._measures(rows, seen)])

    def options(self, pairs: Sequence[tuple[QuestionRow, str]], seen: Exposure) -> Features:
        found = np.zeros((len(pairs), len(self.option_words)), dtype=np.float32)
        column = {word: i for i, word in enumerate(self.option_words)}
        for i, (row, option) in enumerate(pairs):
            found[i, [column[word] for word in _option_words(row, option, seen) if word in column]] = 1
        return found

    def _measures(self, rows: Sequence[QuestionRow], seen: Exposure) -> Features:
        parts = []
        for name, cuts in self.cuts.items():
            given = [MEASURES[name](row, seen) for row in rows]
            values = np.array([np.nan if value is None else value for value in given])[:, None]
            parts.append(values > cuts)
            if name in ("row order", "item number", "id number"):
                parts += [values % n == k for n in REMAINDERS for k in range(n)]
        return np.hstack(parts).astype(np.float32) if parts else np.zeros((len(rows), 0), dtype=np.float32)


def _row_words(row: QuestionRow, seen: Exposure) -> set[str]:
    found = {f"text {word}" for word in words(row.text)}
    found |= {f"bridge {word}" for word in seen.bridge(row)}
    found.add(f"elsewhere {CLUES['sister names'](row, seen)}")
    for kind, name in (("item", row.item), ("id", row.id)):
        found |= {f"{kind} {place} {part}" for place, part in enumerate(reversed(tokens(name)))}
    for sister in seen.sisters(row):
        found |= {f"sister {word}" for word in (sister.task, *words(sister.text))}
    return found


def _option_words(row: QuestionRow, option: str, seen: Exposure) -> set[str]:
    ranked = sorted(row.options, key=len)
    shared = len(words(option) & seen.bridge(row))
    found = {f"word {word}" for word in words(option)}
    found |= {f"place {row.options.index(option)}", f"length {ranked.index(option)}", f"bridged {shared}"}
    found.add(f"echo {min(6, seen.echo(row, option))}")
    repeated = sum(option in sister.options for sister in seen.sisters(row))
    found.add(f"repeated {min(4, repeated)}")
    found.add(f"named {len(words(option) & seen.rare(row.text))}")
    return found


def _frequent(texts: Iterable[set[str]]) -> tuple[str, ...]:
    """The most frequent words of each kind that do not stand in every text."""
    counts, total = Counter[str](), 0
    for text in texts:
        counts.update(text)
        total += 1
    kinds: dict[str, list[str]] = {}
    for word, n in sorted(counts.items(), key=lambda pair: (-pair[1], pair[0])):
        if 2 <= n < total and len(kinds.setdefault(word.split()[0], [])) < MOST_WORDS:
            kinds[word.split()[0]].append(word)
    return tuple(word for found in kinds.values() for word in found)
