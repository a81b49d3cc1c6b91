"""What whoever is handed a set can read without opening a picture: names, order, lengths, sizes, hashes,
and the other questions about the same recording."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache

from situ.benchmarks.dataset import Dataset, QuestionRow
from situ.errors import SituError
from situ.evaluation.audit.words import masked_wording, named_entities

# Words that most questions share carry nothing from one question to another.
COMMON_SHARE = 0.15


@dataclass(frozen=True)
class Media:
    """The measures of one recording that need no decoding."""

    place: int  # in the manifest
    frames: int
    seconds: float
    size: int
    digest: str


@dataclass(frozen=True, eq=False)
class Exposure:
    """All rows of a set in the order of its file, with the measures of their recordings if at hand."""

    rows: tuple[QuestionRow, ...]
    media: Mapping[str, Media] = field(default_factory=dict)

    @classmethod
    def of(cls, dataset: Dataset) -> "Exposure":
        """Recordings that cannot be opened have no measures; their questions are attacked all the same."""
        media = {}
        for place, (item, digest) in enumerate(dataset.hashes.items()):
            try:
                recording = dataset.recording(item)
                times = recording.path.times
                files = [path for path in sorted(recording.folder.iterdir()) if path.is_file()]
            except (SituError, OSError):
                continue
            size = sum(path.stat().st_size for path in files)
            media[item] = Media(place, len(recording), float(times[-1] - times[0]), size, str(digest))
        return cls(dataset.questions, media)

    @cached_property
    def place(self) -> dict[str, int]:
        """The place of each question in the file."""
        return {row.id: i for i, row in enumerate(self.rows)}

    @cached_property
    def of_item(self) -> dict[str, list[QuestionRow]]:
        found: dict[str, list[QuestionRow]] = {}
        for row in self.rows:
            found.setdefault(row.item, []).append(row)
        return found

    @cached_property
    def _wordings(self) -> dict[str, str]:
        return {row.id: masked_wording(row) for row in self.rows}

    def wording(self, row: QuestionRow) -> str:
        """The text of a question with every name blotted out."""
        return self._wordings[row.id]

    @cached_property
    def _names(self) -> dict[str, tuple[tuple[str, str], ...]]:
        return {row.id: tuple((e.singular, e.plural) for e in named_entities(row)) for row in self.rows}

    def names(self, row: QuestionRow) -> tuple[tuple[str, str], ...]:
        """The names in a question, each for one thing and for several."""
        return self._names[row.id]

    def sisters(self, row: QuestionRow) -> list[QuestionRow]:
        """The other questions about the same recording."""
        return [other for other in self.of_item[row.item] if other.id != row.id]

    @cached_property
    def _common(self) -> frozenset[str]:
        counts = Counter(word for row in self.rows for word in words(row.text))
        return frozenset(word for word, n in counts.items() if n > COMMON_SHARE * len(self.rows))

    def rare(self, text: str) -> frozenset[str]:
        """The words of a text that tell questions apart."""
        return words(text) - self._common

    @cached_property
    def _bridges(self) -> dict[str, frozenset[str]]:
        return {row.id: self._bridge(row) for row in self.rows}

    def bridge(self, row: QuestionRow) -> frozenset[str]:
        """Words of sister options and sister questions that speak of what this question speaks of."""
        return self._bridges[row.id]

    def _bridge(self, row: QuestionRow) -> frozenset[str]:
        mine, found = self.rare(row.text), set[str]()
        for sister in self.sisters(row):
            for sentence in (sister.text, *sister.options):
                shared = mine & words(sentence)
                if len(shared) >= 2 or (shared and len(mine) == 1):
                    found |= words(sentence) - mine
        return frozenset(found)

    def echo(self, row: QuestionRow, option: str) -> int:
        """How many sister sentences speak of what an option speaks of and the other options do not."""
        own = words(option) - frozenset().union(*(words(o) for o in row.options if o != option))
        if not own:
            return 0
        sentences = [s for sister in self.sisters(row) for s in (sister.text, *sister.options)]
        return sum(bool(own & words(sentence)) for sentence in sentences)

    def earlier(self, row: QuestionRow) -> QuestionRow | None:
        """The same words about the same recording, asked before; None if they were not."""
        before = self.askings_before(row)
        return max(before, key=lambda other: other.time or 0.0) if before else None

    def askings_before(self, row: QuestionRow) -> list[QuestionRow]:
        if row.time is None:
            return []
        return [
            other
            for other in self.sisters(row)
            if other.text == row.text and other.time is not None and other.time < row.time
        ]


@lru_cache(maxsize=100_000)
def words(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"[a-z0-9]+", text.lower()))


def tokens(name: str) -> Sequence[str]:
    """The parts of a name: runs of letters and runs of digits."""
    return re.findall(r"[a-zA-Z]+|\d+", name)


def number_in(name: str) -> int:
    """The last number in a name, 0 without one."""
    digits = re.findall(r"\d+", name)
    return int(digits[-1][-9:]) if digits else 0
