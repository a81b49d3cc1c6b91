"""How far people agree with each other, whatever the key says."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from situ.evaluation.stats.agreement import krippendorff_alpha

Answers = Mapping[str, Mapping[int, str]]  # by question, then by person


@dataclass(frozen=True)
class Agreement:
    """Over questions that two or more people answered. `raw` is the share of pairs that say the same; `kappa`
    is Cohen's where all were answered by the same two, Fleiss' where all by equally many, else None."""

    questions: int
    raw: float | None
    alpha: float | None
    kappa: float | None
    kappa_of: str
    disputed: int


def agreement(answers: Answers) -> Agreement:
    shared = [dict(said) for said in answers.values() if len(said) > 1]
    number: dict[str, float] = {}
    for said in shared:
        for word in said.values():
            number.setdefault(word, float(len(number)))
    alpha = krippendorff_alpha([[number[word] for word in said.values()] for said in shared], "nominal")
    kappa, name = _kappa(shared)
    pairs = [_pairs(list(said.values())) for said in shared]
    total = sum(count for _, count in pairs)
    raw = sum(same for same, _ in pairs) / total if total else None
    return Agreement(
        len(shared), raw, alpha, kappa, name, sum(len(set(said.values())) > 1 for said in shared)
    )


def _pairs(words: Sequence[str]) -> tuple[int, int]:
    same = sum(n * (n - 1) // 2 for n in Counter(words).values())
    return same, len(words) * (len(words) - 1) // 2


def _kappa(shared: Sequence[Mapping[int, str]]) -> tuple[float | None, str]:
    people = {person for said in shared for person in said}
    sizes = {len(said) for said in shared}
    if len(sizes) != 1:
        return None, ""
    if len(people) == 2:
        a, b = sorted(people)
        return cohen_kappa([said[a] for said in shared], [said[b] for said in shared]), "Cohen"
    return fleiss_kappa([list(said.values()) for said in shared]), "Fleiss"


def cohen_kappa(a: Sequence[str], b: Sequence[str]) -> float | None:
    """Agreement of two raters beyond chance, as often as each says each word; None if there is one word."""
    total = len(a)
    seen = sum(x == y for x, y in zip(a, b, strict=True)) / total
    of_a, of_b = Counter(a), Counter(b)
    chance = sum(of_a[word] * of_b[word] for word in of_a) / total**2
    return None if chance >= 1 else (seen - chance) / (1 - chance)


def fleiss_kappa(units: Sequence[Sequence[str]]) -> float | None:
    """The same for equally many raters of each question, who need not be the same people."""
    each = len(units[0])
    seen = sum(_pairs(words)[0] / _pairs(words)[1] for words in units) / len(units)
    counts = Counter(word for words in units for word in words)
    chance = sum((n / (each * len(units))) ** 2 for n in counts.values())
    return None if chance >= 1 else (seen - chance) / (1 - chance)
