"""Scoring captions of camera motion against references.

CameraBench's scorer calls a word-set F1 "SPICE" and a unigram and bigram F-mean "METEOR"; here their
names say what they are. Beside every score stand two controls: one constant caption for every video, and
the system's own captions against shuffled references. A system that does not beat both has not looked.
"""

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import Any

import numpy as np

from situ.errors import BadInput, MissingExtra
from situ.evaluation.captions.cider import cider_d

Metric = Callable[[str, str], float]  # reference, caption
CorpusMetric = Callable[[Sequence[str], Sequence[str]], list[float]]  # of all captions at once


@dataclass(frozen=True)
class CaptionScore:
    """A mean over captions, with the same metric on the two controls."""

    metric: str
    formula: str
    score: float
    constant: float
    shuffled: float

    @property
    def beats_controls(self) -> bool:
        return self.score > max(self.constant, self.shuffled)


def cb_wordset_f1(reference: str, caption: str) -> float:
    """F1 of the two sets of words."""
    ours, theirs = set(_words(caption)), set(_words(reference))
    shared = len(ours & theirs)
    return 2 * shared / (len(ours) + len(theirs)) if shared else 0.0


def cb_meteor_like(reference: str, caption: str) -> float:
    """Mean of the F1 of words and of pairs of neighbouring words, counted as often as they occur."""
    ours, theirs = _words(caption), _words(reference)
    parts = [_f1(Counter(theirs), Counter(ours)), _f1(_pairs(theirs), _pairs(ours))]
    return float(np.mean(parts))


def rouge_l(reference: str, caption: str) -> float:
    """ROUGE-L F-measure with stemming, by the rouge_score package."""
    return float(_rouge().score(reference, caption)["rougeL"].fmeasure)


def bleu_2(reference: str, caption: str) -> float:
    """BLEU of words and pairs, equal weights, smoothing method 1, by nltk."""
    return _bleu(reference, caption, (0.5, 0.5))


def bleu_4(reference: str, caption: str) -> float:
    """BLEU up to four words, smoothing method 1, by nltk."""
    return _bleu(reference, caption, (0.25, 0.25, 0.25, 0.25))


def meteor_exact_stem(reference: str, caption: str) -> float:
    """METEOR with its exact and stem stages; the synonym stage needs WordNet's data, which is no package."""
    try:
        from nltk.translate.meteor_score import single_meteor_score
    except ModuleNotFoundError as error:
        raise MissingExtra("metrics", "METEOR") from error
    return float(single_meteor_score(_words(reference), _words(caption), wordnet=_NoSynonyms()))


def cider(references: Sequence[str], captions: Sequence[str]) -> list[float]:
    """CIDEr-D of each caption; what is rare among all references weighs more."""
    return cider_d([_words(r) for r in references], [_words(c) for c in captions])


def _each(metric: Metric) -> CorpusMetric:
    return lambda references, captions: [metric(r, c) for r, c in zip(references, captions, strict=True)]


METRICS: dict[str, tuple[CorpusMetric, str]] = {
    "cb_wordset_f1": (_each(cb_wordset_f1), "2 |A ∩ B| / (|A| + |B|) of the sets of words"),
    "cb_meteor_like": (_each(cb_meteor_like), "mean of F1 of words and F1 of neighbouring pairs"),
    "rouge_l": (_each(rouge_l), "F-measure of the longest common subsequence of stems"),
    "bleu_2": (_each(bleu_2), "BLEU, weights ½ ½, smoothing 1"),
    "bleu_4": (_each(bleu_4), "BLEU, weights ¼ each, smoothing 1"),
    "meteor_exact_stem": (_each(meteor_exact_stem), "METEOR without synonyms"),
    "cider_d": (
        cider,
        "10 · mean over n = 1…4 of the cosine of tf-idf n-grams, clipped, with a length penalty",
    ),
}
CONSTANT_CAPTION = "The camera moves forward slowly and steadily."


def score_captions(
    references: Sequence[str],
    captions: Sequence[str],
    metrics: Sequence[str] = tuple(METRICS),
    constant: str = CONSTANT_CAPTION,
    seed: int = 0,
) -> list[CaptionScore]:
    """Every metric with its controls."""
    if len(references) != len(captions) or not references:
        raise BadInput(
            "one caption per reference is needed, "
            f"got {len(captions)} captions for {len(references)} references"
        )
    unknown = [name for name in metrics if name not in METRICS]
    if unknown:
        raise BadInput(f"unknown metric '{unknown[0]}'; known are {', '.join(METRICS)}")
    others = _derangement(len(references), seed)
    results = []
    for name in metrics:
        metric, formula = METRICS[name]
        own = metric(references, captions)
        same = metric(references, [constant] * len(references))
        wrong = metric([references[other] for other in others], captions)
        results.append(
            CaptionScore(name, formula, float(np.mean(own)), float(np.mean(same)), float(np.mean(wrong)))
        )
    return results


def _words(text: str) -> list[str]:
    return re.findall(r"[a-z0-9]+", text.lower())


def _pairs(words: Sequence[str]) -> Counter[Any]:
    return Counter(pairwise(words))


def _f1(reference: Counter[Any], caption: Counter[Any]) -> float:
    shared = (reference & caption).total()
    return 2 * shared / (reference.total() + caption.total()) if shared else 0.0


def _derangement(count: int, seed: int) -> list[int]:
    """A shuffled order in which nothing stays at its place (a single item has no other place)."""
    order = np.random.default_rng(seed).permutation(count)
    return [int(order[(place + 1) % count]) for place in np.argsort(order)]


def _bleu(reference: str, caption: str, weights: tuple[float, ...]) -> float:
    try:
        from nltk.translate.bleu_score import SmoothingFunction, sentence_bleu
    except ModuleNotFoundError as error:
        raise MissingExtra("metrics", "BLEU") from error
    smoothing = SmoothingFunction().method1
    return float(sentence_bleu([_words(reference)], _words(caption), weights, smoothing_function=smoothing))


@cache
def _rouge() -> Any:
    try:
        from rouge_score.rouge_scorer import RougeScorer
    except ModuleNotFoundError as error:
        raise MissingExtra("metrics", "ROUGE-L") from error
    return RougeScorer(["rougeL"], use_stemmer=True)


class _NoSynonyms:
    """Stands in for WordNet where it is not installed."""

    def synsets(self, word: str) -> list[object]:
        return []
