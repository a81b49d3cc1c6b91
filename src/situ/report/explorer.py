"""Runs as plain data for a page that one clicks through: tables, pairs, questions, and one question whole."""

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Any

from situ.benchmarks.dataset import QuestionRow
from situ.errors import BadInput
from situ.evaluation.records.answer import AnswerRecord
from situ.evaluation.records.frames import FramePolicy, PictureStore
from situ.evaluation.runs.run_folder import Run
from situ.evaluation.stats.intervals import Interval
from situ.evaluation.stats.paired import compare
from situ.recording import ObjectRecord
from situ.report.asked import asked_things
from situ.report.floor_map import FloorMap, walls_of
from situ.report.leaderboard import leaderboard
from situ.report.run_groups import Group, group_runs

MOST_ROWS, MOST_FRAMES = 200, 200
# Of the things only those that are asked about are named: an image shows nothing under the pointer.
_MAP_STYLE = (
    ".name { display: none; font-family: sans-serif; fill: #1d2430; paint-order: stroke; stroke: #fff; "
    "stroke-width: 4px } .asked .name { display: block } "
    ".asked circle, .asked polygon { stroke: #d97706; stroke-width: 5px }"
)
ONLY = ("all", "a wrong", "a right, b wrong", "a wrong, b right", "both wrong", "unread")


class Explorer:
    """Groups of runs that may be compared. Questions and runs are named by number or id, never by path."""

    def __init__(self, runs: Sequence[Run]) -> None:
        self._runs = tuple(runs)
        self.groups: tuple[Group, ...] = tuple(group for group in group_runs(runs) if group.runs)
        self._pictures = {
            g: PictureStore(group.dataset.recording)
            for g, group in enumerate(self.groups)
            if group.dataset is not None
        }

    @cached_property
    def board(self) -> dict[str, Any]:
        return leaderboard(self._runs)

    @cached_property
    def table(self) -> list[dict[str, Any]]:
        return [self._group(number, group) for number, group in enumerate(self.groups)]

    def _group(self, number: int, group: Group) -> dict[str, Any]:
        rows = []
        for k, (run, name, summary) in enumerate(zip(group.runs, group.names, group.summaries, strict=True)):
            scores = {score.name: _score(score.value, score.interval) for score in summary.tasks}
            overall = _score(summary.overall.value, summary.overall.interval)
            rows.append(
                {
                    "run": k, "name": name, **overall, "questions": summary.overall.questions,
                    "recordings": summary.items, "tasks": scores, "statuses": dict(summary.statuses),
                    "unfinished": run.unfinished, "frames": run.card["frames"],
                }
            )  # fmt: skip
        strata = sorted({name for run in group.runs[:1] for r in run.records for name in r.strata})
        return {
            "group": number, "title": group.title, "formula": group.protocol.formula, "chance": group.chance,
            "tasks": list(group.tasks), "strata": strata, "runs": rows, "here": group.dataset is not None,
            "not_begun": [f"{name} ({told})" for name, told in group.not_begun],
        }  # fmt: skip

    def pairs(self, number: int) -> list[dict[str, Any]]:
        """Every run of a group against every other: B minus A on the questions that both have."""
        group, found = self._at(number), []
        for i, a in enumerate(group.runs):
            for j, b in enumerate(group.runs):
                if i < j:
                    c = compare(a.records, b.records, group.protocol.aggregate)
                    found.append(
                        {
                            "a": i, "b": j, "difference": c.difference,
                            "interval": list(c.interval) if c.interval else None, "questions": c.questions,
                            "only_a": c.only_a, "only_b": c.only_b, "p": c.p,
                        }
                    )  # fmt: skip
        return found

    def questions(
        self, number: int, a: int, b: int, only: str = "all", task: str = "", stratum: str = "",
        value: str = "", first: int = 0,
    ) -> dict[str, Any]:  # fmt: skip
        """Questions that two runs answered, cut down to some; at most so many at a time."""
        if only not in ONLY:
            raise BadInput(f"'only' is one of {', '.join(ONLY)}")
        group = self._at(number)
        mine, theirs = _by_id(self._run(group, a)), _by_id(self._run(group, b))
        rows = self._rows[number]
        found = []
        for name, record in mine.items():
            other = theirs.get(name)
            if task and record.task != task:
                continue
            if stratum and value and str(record.strata.get(stratum)) != value:
                continue
            if not _kept(only, record, other):
                continue
            row = rows.get(name)
            found.append(
                {
                    "id": name, "item": record.item, "task": record.task, "key": record.key,
                    "text": row.text if row else "", "a": _brief(record), "b": _brief(other),
                }
            )  # fmt: skip
        values = (
            sorted({str(r.strata[stratum]) for r in mine.values() if stratum in r.strata}) if stratum else []
        )
        return {"total": len(found), "questions": found[first : first + MOST_ROWS], "values": values[:60]}

    def question(self, number: int, name: str) -> dict[str, Any]:
        """One question with what every run said, and the rule by which it was read."""
        group, row = self._at(number), self._rows[number].get(name)
        said = []
        for k, (run, title) in enumerate(zip(group.runs, group.names, strict=True)):
            record = _by_id(run).get(name)
            if record is not None:
                said.append({"run": k, "name": title, **record.to_json()})
        if not said:
            raise BadInput("no run here answers such a question")
        data: dict[str, Any] = {"id": name, "said": said, "frames": [], "here": row is not None}
        if row is not None:
            shown = self._shown(number, row)
            data |= {
                "text": row.text, "options": list(row.options), "key": row.answer, "item": row.item,
                "task": row.task, "time": row.time, "evidence": list(row.evidence), "frames": shown,
                "margin": row.margin, "strata": dict(row.strata),
            }  # fmt: skip
        return data

    def frame(self, number: int, name: str, frame: int) -> bytes:
        row = self._row(number, name)
        store = self._pictures[number]
        if not 0 <= frame < len(store.recording(row.item)):
            raise BadInput(f"the recording has {len(store.recording(row.item))} frames")
        return store.pictures(row.item, (frame,), 640).jpegs[0]

    def map(self, number: int, name: str) -> str:
        """The world from above, as an SVG file, the wearer where the question is asked."""
        row = self._row(number, name)
        recording = self._pictures[number].recording(row.item)
        floor = FloorMap(recording.path, recording.objects.values(), walls_of(recording))
        last = self._shown(number, row)[-1]
        drawn = floor.svg(recording.camera.horizontal_fov_deg)
        marker = floor.marker(recording.path.headings[last])
        drawn = drawn.replace('<g id="wearer">', f'<g id="wearer" transform="{marker}">')
        for thing in _asked(row, recording.objects.values()):
            drawn = drawn.replace(
                f'class="thing" data-thing="{thing}"', f'class="thing asked" data-thing="{thing}"'
            )
        head, _, rest = drawn.partition(">")
        return f'{head} xmlns="http://www.w3.org/2000/svg"><style>{_MAP_STYLE}</style>{rest}'

    @cached_property
    def _rows(self) -> list[dict[str, QuestionRow]]:
        sets = [group.dataset for group in self.groups]
        return [{row.id: row for row in found.questions} if found else {} for found in sets]

    def _row(self, number: int, name: str) -> QuestionRow:
        self._at(number)
        row = self._rows[number].get(name)
        if row is None:
            raise BadInput(
                "the question set of these runs is not at its place, so there is nothing to look at"
            )
        return row

    def _shown(self, number: int, row: QuestionRow) -> list[int]:
        """Frames up to the moment of asking: all, or an even sample with the evidence."""
        seen = FramePolicy().pick(self._pictures[number].recording(row.item), row)
        if len(seen) <= MOST_FRAMES:
            return list(seen)
        even = set(seen[:: -(-len(seen) // MOST_FRAMES)])
        return sorted(even | {seen[-1]} | (set(row.evidence[:20]) & set(seen)))

    def _at(self, number: int) -> Group:
        if not 0 <= number < len(self.groups):
            raise BadInput(f"there are {len(self.groups)} groups of runs")
        return self.groups[number]

    def _run(self, group: Group, number: int) -> Run:
        if not 0 <= number < len(group.runs):
            raise BadInput(f"this group has {len(group.runs)} runs")
        return group.runs[number]


def _asked(row: QuestionRow, things: Iterable[ObjectRecord]) -> list[int]:
    """The things that a question names; none where its words are all that is known of it."""
    return asked_things(row.question, things) if row.program else []


def _by_id(run: Run) -> dict[str, AnswerRecord]:
    return {record.id: record for record in run.records}


def _score(value: float, interval: Interval | None) -> dict[str, Any]:
    return {"score": value, "interval": list(interval) if interval else None}


def _brief(record: AnswerRecord | None) -> dict[str, Any] | None:
    if record is None:
        return None
    said = record.claim if record.claim is not None else record.reason or record.reply[:80]
    return {"said": said, "points": record.points, "status": record.status.value}


def _kept(only: str, a: AnswerRecord, b: AnswerRecord | None) -> bool:
    right_a, right_b = a.points >= 1.0, b is not None and b.points >= 1.0
    return {
        "all": True,
        "a wrong": not right_a,
        "a right, b wrong": right_a and b is not None and not right_b,
        "a wrong, b right": not right_a and right_b,
        "both wrong": not right_a and b is not None and not right_b,
        "unread": a.status.value == "unreadable",
    }[only]
