"""Krippendorff's alpha of annotators over verdicts and labels."""

from collections import defaultdict
from typing import Any

from situ.annotate.annotation import LABELS
from situ.annotate.store import Store
from situ.evaluation.stats.agreement import krippendorff_alpha

_VERDICTS = {"accept": 1.0, "reject": 0.0}


def agreement(store: Store) -> dict[str, Any]:
    """Alpha of verdicts (nominal) and labels (ordinal), over items judged by at least two people.

    The last judgement of a person counts; undone ones do not.
    """
    lines = store.log()
    gone = {int(line.reason.removeprefix("of ")) for line in lines if line.action == "undo"}
    verdicts: dict[str, dict[str, float]] = defaultdict(dict)
    labels: dict[str, dict[str, float]] = defaultdict(dict)
    current: dict[str, str] = {}
    for line in lines:
        if line.seq in gone:
            continue
        if "label" in line.change:
            current[line.item] = line.change["label"]
        if line.action in _VERDICTS:
            verdicts[line.item][line.by] = _VERDICTS[line.action]
        label = current.get(line.item, "")
        if label and ("label" in line.change or line.action == "accept"):  # accepting confirms the label
            labels[line.item][line.by] = float(LABELS.index(label))
    return {
        "verdicts": _of(verdicts, "nominal"),
        "labels": _of(labels, "interval"),
        "people": sorted({line.by for line in lines if line.by}),
        "decisions": sum(line.action in _VERDICTS for line in lines),
    }


def _of(votes: dict[str, dict[str, float]], metric: str) -> dict[str, Any]:
    shared = [list(given.values()) for given in votes.values() if len(given) > 1]
    return {"alpha": krippendorff_alpha(shared, metric), "items": len(shared), "all_items": len(votes)}
