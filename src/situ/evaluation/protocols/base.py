"""What a benchmark has to say about its evaluation; everything else is shared."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field

from situ.benchmarks.dataset import QuestionRow
from situ.benchmarks.published import OVERALL, PublishedTable
from situ.evaluation.records.answer import AnswerRecord, Reading
from situ.evaluation.replies.choice import read_choice
from situ.evaluation.replies.number import read_number
from situ.evaluation.stats.aggregate import MICRO, Aggregate


@dataclass(frozen=True)
class Published:
    """A row of a paper's table, in percent: overall, and per task where printed."""

    system: str
    overall: float
    tasks: Mapping[str, float] = field(default_factory=dict)
    data: str = ""

    @classmethod
    def of(cls, table: PublishedTable, tasks: Collection[str] = ()) -> tuple["Published", ...]:
        """All systems of a table that have an overall score; of some tasks, where these are named."""
        chosen = [name for name in table.columns if (name in tasks if tasks else name != OVERALL)]
        found = []
        for system in table.rows:
            row = table.row(system)
            if OVERALL in row:
                told = {name: row[name] for name in chosen if name in row}
                found.append(cls(system, row[OVERALL], told, table.data))
        return tuple(found)


@dataclass(frozen=True)
class Analysis:
    """A way to cut a run into strata. `stratum` gives None for records that it does not apply to.

    Strata are drawn in the order of `order`, and those that it does not name after them, by name. With
    `relative` each is also told as a change from the first. `published` holds rows of papers, by system and
    stratum, in percent.
    """

    title: str
    stratum: Callable[[AnswerRecord], str | None]
    order: tuple[str, ...] = ()
    by_task: bool = False
    relative: bool = False
    published: Mapping[str, Mapping[str, float]] = field(default_factory=dict)


@dataclass(frozen=True)
class Tendency:
    """How often replies lean one way: the share of answered records in question for which `leans` holds.

    `published` holds the shares of papers by system, in percent.
    """

    title: str
    applies: Callable[[AnswerRecord], bool]
    leans: Callable[[AnswerRecord], bool]
    published: Mapping[str, float] = field(default_factory=dict)


def points_of(record: AnswerRecord) -> float | None:
    return record.points


@dataclass(frozen=True)
class Crossed:
    """A two-way table: the mean of `value` over answered records, by a row and a column stratum.

    None of any of the three leaves a record out. `scale` is 100 for shares in percent.
    """

    title: str
    corner: str
    rows: Callable[[AnswerRecord], str | None]
    columns: Callable[[AnswerRecord], str | None]
    value: Callable[[AnswerRecord], float | None] = points_of
    scale: float = 100.0
    row_order: tuple[str, ...] = ()
    column_order: tuple[str, ...] = ()


def show_letters(row: QuestionRow) -> bool:
    return bool(row.options)


def letter_contract(row: QuestionRow) -> str:
    """The output contract of multiple choice: a letter; of the rest: a number."""
    if row.options:
        last = chr(ord("A") + len(row.options) - 1)
        return f"End with one line of the form <answer>LETTER</answer>, LETTER being one of A to {last}."
    return "End with one line of the form <answer>NUMBER</answer>, the number in digits."


BY_LOT = "random"  # the rule of a parser that draws an option where it finds none


def read_strictly(row: QuestionRow, reply: str) -> Reading:
    return read_choice(reply, row.options) if row.options else read_number(reply, row.text)


def equal_to_key(row: QuestionRow, claim: str) -> float:
    return float(claim.strip().lower() == row.answer.strip().lower())


@dataclass(frozen=True)
class Protocol:
    """How a benchmark is asked, read, scored and summed up. `asks` leaves out what has no score.

    `scene` tells the model what it looks at; `contract` how to answer a question; `frames` is the policy used
    unless another is asked for; `parsers` names every way of reading a reply, the default one first.
    `published_by_frames` holds scores of papers by system and frame policy, in percent.
    """

    benchmark: str
    title: str
    scene: str
    contract: Callable[[QuestionRow], str] = letter_contract
    letters: Callable[[QuestionRow], bool] = show_letters
    show_actions: bool = False
    frames: str = "all"
    asks: Callable[[QuestionRow], bool] = lambda row: True
    parsers: Mapping[str, Callable[[QuestionRow, str], Reading]] = field(
        default_factory=lambda: {"strict": read_strictly}
    )
    points: Callable[[QuestionRow, str], float] = equal_to_key
    points_formula: str = "1 if the claim is the key, else 0"
    binary: bool = True
    aggregate: Aggregate = MICRO
    analyses: tuple[Analysis, ...] = ()
    tendencies: tuple[Tendency, ...] = ()
    crossed: tuple[Crossed, ...] = ()
    published: tuple[Published, ...] = ()
    published_by_frames: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    note: str = ""

    @property
    def formula(self) -> str:
        return f"{self.aggregate.formula}; points of a question: {self.points_formula}"


def number(record: AnswerRecord, name: str) -> float | None:
    """A stratum value as a number, where it is one."""
    value = record.strata.get(name)
    return float(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else None


def stratum_value(name: str) -> Callable[[AnswerRecord], str | None]:
    """The stratum that a question carries under a name; an empty word is none."""

    def value_of(record: AnswerRecord) -> str | None:
        value = record.strata.get(name)
        if value is None or value == "":
            return None
        return f"{value:g}" if isinstance(value, float) else str(value)

    return value_of


def binned(name: str, edges: tuple[float, ...], unit: str = "") -> Analysis:
    """An analysis of a number in bins [edge, next edge); the last bin is open."""
    labels = tuple(_bin_label(edges, i, unit) for i in range(len(edges)))

    def stratum(record: AnswerRecord) -> str | None:
        value = number(record, name)
        if value is None or value < edges[0]:
            return None
        return labels[sum(value >= edge for edge in edges) - 1]

    return Analysis(name.replace("_", " "), stratum, labels, by_task=True)


def _bin_label(edges: tuple[float, ...], i: int, unit: str) -> str:
    low = edges[i]
    if i + 1 == len(edges):
        return f"{low:g}+{unit}"
    high = edges[i + 1]
    whole = all(edge == int(edge) for edge in edges) and not unit
    if whole and high - low == 1:
        return f"{low:g}"
    return f"{low:g}–{high - 1:g}" if whole else f"{low:g}–{high:g}{unit}"
