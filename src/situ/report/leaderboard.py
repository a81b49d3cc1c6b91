"""`leaderboard.json`: runs ranked where they may be, and what keeps the others apart.

Rows are ranked together only if their question set, frames, protocol and parser are the same, all their
questions were asked, and the frames that were shown have the same bytes.
"""

import hashlib
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from situ.english import counted
from situ.evaluation.participants.base import CONTROLS
from situ.evaluation.runs.run_folder import Run
from situ.evaluation.runs.summary import summarise
from situ.evaluation.stats.paired import compare
from situ.evaluation.stats.ranks import Rank, ranks
from situ.report.run_names import names_of

SAME = ("dataset_hash", "protocol", "formula", "parser", "frames")
FRAMES_AS_SHOWN = ("", "direct", "vote")  # strategies that show the frames of the policy and no others


def leaderboard(runs: Sequence[Run]) -> dict[str, Any]:
    """Boards of comparable rows; several boards are never ranked with each other."""
    boards: dict[tuple[str, ...], list[Run]] = {}
    for run in runs:
        boards.setdefault(tuple(str(run.card.get(name, "")) for name in SAME), []).append(run)
    found = [_board(dict(zip(SAME, key, strict=True)), members) for key, members in boards.items()]
    return {"boards": found, "kept_apart": _apart([board["same"] for board in found])}


def _board(same: dict[str, str], runs: Sequence[Run]) -> dict[str, Any]:
    usual = _usual([shown_frames(run) for run in runs])
    refusals = [_refusal(run, usual) for run in runs]
    ranked = [run for run, refusal in zip(runs, refusals, strict=True) if not refusal]
    places = dict(zip([str(run.folder) for run in ranked], _ranks(ranked), strict=True))
    rows = [
        _row(run, name, refusal, places.get(str(run.folder)))
        for run, name, refusal in zip(runs, names_of(runs), refusals, strict=True)
    ]
    rows.sort(key=lambda row: (row["rank"] is None, row["rank"] or 0, row["name"]))
    identity = _hash(same)
    return {"hash": identity, "same": same, "frames_hash": _hash(sorted(usual.items())), "rows": rows}


def _ranks(runs: Sequence[Run]) -> list[Rank]:
    pairs = {
        (i, j): compare(a.records, b.records, a.protocol.aggregate)
        for i, a in enumerate(runs)
        for j, b in enumerate(runs)
        if i < j
    }
    return ranks([run.protocol.aggregate.score(run.records) for run in runs], pairs)


def _refusal(run: Run, usual: Mapping[str, str]) -> str:
    """Why a row is not ranked; empty for one that is."""
    if run.card["who"] in CONTROLS:
        return "a control, not a system"
    if run.unfinished:
        return run.unfinished
    if run.card.get("limit"):
        return f"only the first {run.card['limit']} questions were asked"
    other = [name for name, frames in shown_frames(run).items() if frames != usual[name]]
    if other:
        return f"the frames shown have other bytes in {counted(len(other), 'question')}, such as {other[0]}"
    return ""


def shown_frames(run: Run) -> dict[str, str]:
    """The hash of the frames shown, by question; nothing where a strategy chooses its own frames."""
    if str(run.card["strategy"]).partition(":")[0] not in FRAMES_AS_SHOWN:
        return {}
    return {record.id: record.frames_hash for record in run.records if record.frames_hash}


def _usual(runs: Sequence[Mapping[str, str]]) -> dict[str, str]:
    """The frames that most runs showed, question by question; the first ones where as many showed others."""
    seen: dict[str, Counter[str]] = {}
    for shown in runs:
        for name, frames in shown.items():
            seen.setdefault(name, Counter())[frames] += 1
    return {name: counted.most_common(1)[0][0] for name, counted in seen.items()}


def _hash(data: Any) -> str:
    return hashlib.sha256(json.dumps(data, sort_keys=True).encode()).hexdigest()[:16] if data else ""


def _row(run: Run, name: str, refusal: str, rank: Rank | None) -> dict[str, Any]:
    summary = summarise(run.protocol, run.records) if run.records else None
    overall = summary.overall if summary else None
    return {
        "rank": rank.place if rank else None,
        "rank_interval": [rank.first, rank.last] if rank else None,
        "not_ranked": refusal or None,
        "name": name,
        "who": run.card["who"],
        "strategy": run.card["strategy"],
        "score": overall.value if overall else None,
        "interval": list(overall.interval) if overall and overall.interval else None,
        "tasks": {score.name: score.value for score in summary.tasks} if summary else {},
        "questions": overall.questions if overall else 0,
        "recordings": summary.items if summary else 0,
        "statuses": dict(summary.statuses) if summary else {},
        "prompt": run.card["prompt"],
        "preset": run.card.get("preset", ""),
        "situ": run.card.get("situ", ""),
    }


def _apart(boards: Sequence[dict[str, str]]) -> list[str]:
    """What differs between boards, so that a reader sees why there are several."""
    words = []
    for name in SAME:
        values = list(dict.fromkeys(board[name] for board in boards))
        if len(values) > 1:
            told = ", ".join(repr(value[:40]) for value in values[:4])
            words.append(f"{name.replace('_', ' ')} differs: {told}")
    return words
