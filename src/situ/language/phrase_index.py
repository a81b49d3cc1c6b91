"""Phrases by their words: of hundreds a sentence is tried with the few that may fit."""

from collections import Counter
from collections.abc import Iterator, Sequence, Set

from situ.language.kind import Kind, Phrase

Pair = tuple[Kind, Phrase]


class PhraseIndex:
    """The phrases with which a sentence that opens with a word may be asked, in the order in which they are
    tried. Each is filed under the words of one group of which it needs one, the group that is rarest."""

    def __init__(self, opening: str, phrases: Sequence[Pair]) -> None:
        found = ((pair, pair[1].pattern.openings) for pair in phrases)
        self._pairs = [pair for pair, openings in found if openings is None or opening in openings]
        groups = [[g for g in phrase.pattern.needs if opening not in g] for _, phrase in self._pairs]
        often = Counter(word for each in groups for group in each for word in group)
        self._always: list[int] = []
        self._by_word: dict[str, list[int]] = {}
        for k, each in enumerate(groups):
            if not each:
                self._always.append(k)
                continue
            for word in min(each, key=lambda group: sum(often[word] for word in group)):
                self._by_word.setdefault(word, []).append(k)

    def fitting(self, words: Set[str]) -> Iterator[Pair]:
        """Those that a sentence of these words may fit."""
        numbers = {*self._always}
        for word in words:
            numbers.update(self._by_word.get(word, ()))
        for k in sorted(numbers):
            if self._pairs[k][1].pattern.may_fit(words):
                yield self._pairs[k]
