"""What a report is about: runs on one question set under one protocol, with all their numbers."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from situ.benchmarks.dataset import Dataset
from situ.english import counted
from situ.evaluation.audit.result import AttackResult
from situ.evaluation.participants.base import CONTROLS
from situ.evaluation.protocols.base import Protocol
from situ.evaluation.runs.run_folder import Run
from situ.evaluation.runs.summary import Strata, Summary, analyses, summarise
from situ.evaluation.stats.paired import Comparison, compare, holm_known
from situ.evaluation.stats.ranks import Rank, ranks
from situ.report.run_names import names_of

MOST_PAIRED = 4  # systems of which every pair is shown
MOST_AUDITED = 5000  # questions; a larger set is audited by `situ audit`
LEAST_ATTACKED = 10  # questions: of fewer, half of all rates within reach lie in the interval


@dataclass(frozen=True)
class Group:
    """Runs that may be compared with each other. Those without any answer are listed, not measured."""

    runs: tuple[Run, ...]
    dataset: Dataset | None
    unanswered: tuple[Run, ...] = ()
    set_name: str = ""  # where another group has the same title

    @property
    def _all(self) -> tuple[Run, ...]:
        return (*self.runs, *self.unanswered)

    @property
    def protocol(self) -> Protocol:
        return self._all[0].protocol

    @property
    def folder(self) -> str:
        """The name of the set's folder."""
        return Path(str(self._all[0].card.get("dataset", ""))).name

    @property
    def title(self) -> str:
        recipe = self._all[0].card.get("recipe", {})
        about = [f"{name} {recipe[name]}" for name in ("variant", "seed", "scale") if name in recipe]
        told = ", ".join([self.set_name, *about] if self.set_name else about)
        return f"{self.protocol.title} ({told})" if told else self.protocol.title

    @cached_property
    def _names(self) -> tuple[str, ...]:
        return names_of(self._all)

    @property
    def names(self) -> tuple[str, ...]:
        return self._names[: len(self.runs)]

    @property
    def not_begun(self) -> tuple[tuple[str, str], ...]:
        """Names of runs without any answer, and "unfinished: 0 of 60 questions"."""
        names = self._names[len(self.runs) :]
        return tuple((name, run.unfinished) for name, run in zip(names, self.unanswered, strict=True))

    @cached_property
    def summaries(self) -> tuple[Summary, ...]:
        rows = self.dataset.questions if self.dataset else ()
        return tuple(summarise(self.protocol, run.records, rows) for run in self.runs)

    @property
    def chance(self) -> float | None:
        return self.summaries[0].expected_by_chance if self.summaries else None

    @cached_property
    def tasks(self) -> tuple[str, ...]:
        return tuple(sorted({score.name for summary in self.summaries for score in summary.tasks}))

    @cached_property
    def strata(self) -> tuple[tuple[Strata, ...], ...]:
        """Analyses of every run; of plain controls only where there is nothing else to look at."""
        plain = [run.card["who"] in CONTROLS and run.name == run.card["who"] for run in self.runs]
        return tuple(
            () if skip and not all(plain) else tuple(analyses(self.protocol, run.records))
            for run, skip in zip(self.runs, plain, strict=True)
        )

    @cached_property
    def attacks(self) -> tuple[AttackResult, ...]:
        if self.dataset is None or len(self.dataset.questions) > MOST_AUDITED:
            return ()
        from situ.evaluation.audit import audit_rows  # loaded when needed: `situ eval` starts without it

        tried = audit_rows(self.dataset.questions)
        return tuple(attack for attack in tried if attack.questions >= LEAST_ATTACKED)

    @cached_property
    def systems(self) -> tuple[int, ...]:
        """The numbers of finished runs that are no control, best first. Others are not ranked or compared."""
        return tuple(
            i
            for i, run in enumerate(self.runs)
            if run.card["who"] not in CONTROLS and run.card.get("complete")
        )

    @cached_property
    def pairs(self) -> dict[tuple[int, int], Comparison]:
        """Every system against every one behind it."""
        return {
            (a, b): compare(self.runs[a].records, self.runs[b].records, self.protocol.aggregate)
            for place, a in enumerate(self.systems)
            for b in self.systems[place + 1 :]
        }

    @cached_property
    def comparisons(self) -> tuple[tuple[str, str, Comparison, float | None], ...]:
        """All pairs of a few systems; of many, each against the best: ranks tell of the rest.

        The second p-value is corrected over all pairs, shown or not.
        """
        few = len(self.systems) <= MOST_PAIRED
        corrected = holm_known([found.p for found in self.pairs.values()])
        return tuple(
            (self.names[a], self.names[b], found, p)
            for ((a, b), found), p in zip(self.pairs.items(), corrected, strict=True)
            if few or a == self.systems[0]
        )

    @cached_property
    def ranks(self) -> dict[int, Rank]:
        """The rank of each system among those whose runs are whole, with the places it may have."""
        place = {number: i for i, number in enumerate(self.systems)}
        pairs = {(place[a], place[b]): found for (a, b), found in self.pairs.items()}
        scores = [self.summaries[i].overall.value for i in self.systems]
        return dict(zip(self.systems, ranks(scores, pairs), strict=True))

    def missing_controls(self) -> list[str]:
        """What a reader must know: what a run rests on, and what none tells because it is not there."""
        who = {str(run.card["who"]) for run in self.runs}
        blind = any(run.card["strategy"] == "blind" for run in self.runs)
        systems = [run for run in self.runs if run.card["who"] not in CONTROLS]
        words = [
            f"`{run.name}` rests on {run.card['rests_on']}" for run in self.runs if run.card.get("rests_on")
        ]
        derivable = self.dataset is None or any(row.program for row in self.dataset.questions)
        if "truth" not in who and derivable:
            words.append("no `truth` run: nothing here shows that 100 % can be reached")
        words += self._unreached()
        if "frequent" not in who:
            words.append("no `frequent` run: a score may come from preferring the usual answer")
        if systems and not blind:
            words.append("no `blind` run: a score may come from the words of the questions alone")
        return words

    def _unreached(self) -> list[str]:
        """Why the truth itself, shown all that the protocol shows, does not reach 100 %."""
        for run in self.runs:
            lost = [record for record in run.records if record.points < 1.0]
            if run.name == "truth" and lost:
                reasons = Counter(record.reason or "another answer than the key" for record in lost)
                told = "; ".join(f"{count} × {reason[:90]}" for reason, count in reasons.most_common(3))
                return [f"`truth` misses {len(lost)} of {counted(len(run.records), 'question')}: {told}"]
        return []


def group_runs(runs: Sequence[Run]) -> list[Group]:
    """Runs by question set and protocol, the best first; controls come after systems."""
    groups: dict[tuple[str, str], list[Run]] = {}
    place = {name: number for number, name in enumerate(CONTROLS)}

    def order(run: Run) -> tuple[int, bool, float]:
        score = run.protocol.aggregate.score(run.records) if run.records else 0.0
        return place.get(str(run.card["who"]), -1), not run.card.get("complete"), -score

    for run in sorted(runs, key=order):
        groups.setdefault((str(run.card["dataset_hash"]), str(run.card["protocol"])), []).append(run)
    keys = list(dict.fromkeys((str(run.card["dataset_hash"]), str(run.card["protocol"])) for run in runs))
    found = [
        Group(
            tuple(run for run in groups[key] if run.records),
            groups[key][0].dataset(),
            tuple(run for run in groups[key] if not run.records),
        )
        for key in keys
    ]
    titles = Counter(group.title for group in found)
    return [replace(group, set_name=group.folder) if titles[group.title] > 1 else group for group in found]
