"""The tables of a run report, as plain cells: HTML and Markdown are made from the same ones."""

import math
from dataclasses import dataclass

from situ.benchmarks.published import tables
from situ.evaluation.runs.run_folder import Run
from situ.evaluation.runs.summary import Score, Summary
from situ.evaluation.stats.intervals import TOO_FEW
from situ.evaluation.stats.llm_match import FORMULA
from situ.report.run_groups import Group

FEW = "†"  # marks a score about too few recordings for an interval


@dataclass(frozen=True)
class Table:
    """`faint` rows are not measured here."""

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    faint: frozenset[int] = frozenset()


def _words(task: str) -> str:
    """A task's name for a heading: "left right"."""
    return task.replace("_", " ")


def score_table(group: Group) -> Table:
    """Scores with intervals, and what guessing is expected to score."""
    tasks = group.tasks
    ranked = len(group.systems) > 1
    head = (
        *(("rank",) if ranked else ()),
        "run",
        "overall %",
        *(f"{_words(task)} %" for task in tasks),
        "answered",
    )
    rows: list[tuple[str, ...]] = []
    for number, (name, summary) in enumerate(zip(group.names, group.summaries, strict=True)):
        by_task = {score.name: score for score in summary.tasks}
        cells = [with_interval(by_task[task]) if task in by_task else "–" for task in tasks]
        rank = (str(group.ranks.get(number, "–")),) if ranked else ()
        rows.append(
            (*rank, name, with_interval(summary.overall), *cells, _answered(group.runs[number], summary))
        )
    measured = len(rows)
    dashes = ["–"] * (1 + len(tasks))
    rows += [(*(("–",) if ranked else ()), name, *dashes, told) for name, told in group.not_begun]
    if group.chance is not None:
        guess = ("guessing, expected", f"{100 * group.chance:.1f}", *["–"] * len(tasks), "–")
        rows.append((*(("–",) if ranked else ()), *guess))
    return Table(head, tuple(rows), frozenset(range(measured, len(rows))))


def published_table(group: Group) -> Table:
    """Rows of the papers' tables: other data, other frames, other prompts."""
    tasks = [task for task in group.tasks if any(task in row.tasks for row in group.protocol.published)]
    rows = tuple(
        (
            row.system,
            f"{row.overall:.1f}",
            *(f"{row.tasks[task]:.1f}" if task in row.tasks else "–" for task in tasks),
            row.data,
        )
        for row in group.protocol.published
    )
    head = ("published, other data", "overall %", *(f"{_words(task)} %" for task in tasks), "measured on")
    return Table(head, rows, frozenset(range(len(rows))))


def paper_tables(group: Group) -> list[tuple[str, Table]]:
    """Every table that the benchmark's paper prints, with its title."""
    found = []
    for told in tables(group.protocol.benchmark):
        rows = tuple(
            (system, *("–" if math.isnan(value) else f"{value:g}" for value in values))
            for system, values in told.rows.items()
        )
        title = f"{told.name}: {told.title} ({told.unit}; {told.data})"
        found.append((title, Table(("", *told.columns), rows, frozenset(range(len(rows))))))
    return found


def with_interval(score: Score) -> str:
    value = f"{100 * score.value:.1f}"
    if score.interval is None:
        return f"{value} {FEW}"
    return f"{value} [{100 * score.interval.low:.1f}, {100 * score.interval.high:.1f}]"


def _answered(run: Run, summary: Summary) -> str:
    if run.unfinished:
        return run.unfinished
    total = sum(summary.statuses.values())
    told = f"{summary.statuses.get('answered', 0)} of {total}"
    rest = ", ".join(f"{n} {status}" for status, n in summary.statuses.items() if status != "answered")
    return f"{told} ({rest})" if rest else told


def comparison_table(group: Group) -> Table:
    head = (
        "A",
        "B",
        "A %",
        "B %",
        "B − A",
        "95 % interval",
        "only A right",
        "only B right",
        "p",
        "Holm p",
    )
    rows = tuple(
        (
            a,
            b,
            f"{100 * c.score_a:.1f}",
            f"{100 * c.score_b:.1f}",
            f"{100 * c.difference:+.1f}",
            TOO_FEW if c.interval is None else " to ".join(f"{100 * bound:+.1f}" for bound in c.interval),
            str(c.only_a),
            str(c.only_b),
            *("–" if one is None else f"{one:.2g}" for one in (c.p, p)),
        )
        for a, b, c, p in group.comparisons
    )
    return Table(head, rows)


def judge_words(group: Group) -> list[str]:
    """What the judge of each run gave, by which formula, and how stable its marks are."""
    words = []
    for name, run, summary in zip(group.names, group.runs, group.summaries, strict=True):
        if summary.llm_match is None:
            continue
        judge = run.card["models"].get("judge", "unknown")
        told = (
            f"{name}: {FORMULA}: {summary.llm_match.score:.2f}; judge {judge}; "
            f"{summary.llm_match.graded} graded, {summary.llm_match.ungraded} not (these earn nothing)"
        )
        same = summary.judge_stability
        stable = (
            "no answer was graded twice, so how stable the judge is is not known"
            if same is None
            else f"stability: {same.questions} answers graded twice, {with_interval(same)} % of them alike"
            f"{_alpha(summary)}"
        )
        words.append(f"{told}; {stable}.")
    return words


def _alpha(summary: Summary) -> str:
    alpha = summary.judge_alpha
    return "" if alpha is None else f", Krippendorff's alpha {alpha:.2f}"


def attack_table(group: Group) -> Table:
    """The best attack on each task."""
    rows = []
    for task in group.tasks:
        mine = [attack for attack in group.attacks if attack.task == task]
        if not mine:
            continue
        best = max(mine, key=lambda attack: attack.told)
        interval = f"[{100 * best.interval.low:.1f}, {100 * best.interval.high:.1f}]"
        rows.append(
            (
                task,
                best.attack,
                str(best.questions),
                f"{100 * best.accuracy:.1f} {interval}",
                f"{100 * best.chance:.1f}",
                f"{100 * best.sees:.1f}",
                "LEAK" if best.leaks else "none found",
            )
        )
    head = ("task", "best attack without looking", "questions", "right %", "chance %", "sees", "leak")
    return Table(head, tuple(rows))


def tendency_table(group: Group) -> Table:
    """How often replies lean one way; runs and published systems are rows, tendencies are columns."""
    measured = [{t.name: t for t in summary.tendencies} for summary in group.summaries]
    known = [t for t in group.protocol.tendencies if any(t.title in found for found in measured)]
    systems = list(dict.fromkeys(system for t in known for system in t.published))
    ours = (
        (name, *(with_interval(found[t.title]) if t.title in found else "–" for t in known))
        for name, found in zip(group.names, measured, strict=True)
    )
    theirs = (
        (
            as_published(system),
            *(f"{t.published[system]:.0f}" if system in t.published else "–" for t in known),
        )
        for system in systems
    )
    return Table(("share of answers, %", *(t.title for t in known)), (*ours, *theirs) if known else ())


def as_published(system: str) -> str:
    return f"{system} (published, other data)"


def statistics_table(group: Group) -> Table:
    head = (
        "run",
        "questions",
        "recordings",
        "correlation within recordings",
        "smallest difference found (80 %)",
    )
    rows = tuple(
        (
            name,
            str(summary.overall.questions),
            str(summary.items),
            f"{summary.correlation:.3f}",
            f"{100 * summary.detectable:.1f} points",
        )
        for name, summary in zip(group.names, group.summaries, strict=True)
    )
    return Table(head, rows)


def card_table(run: Run, summary: Summary) -> Table:
    """The run card: everything that shaped the score."""
    card = run.card
    cost = "unknown" if card.get("cost") is None else f"${card['cost']:.2f}"
    facts: list[tuple[str, str]] = [
        ("who answers", str(card["who"])),
        ("strategy", str(card["strategy"] or "–")),
        *([("memories made of", str(card["rests_on"]))] if card.get("rests_on") else []),
        ("other models", ", ".join(f"{role} {name}" for role, name in card["models"].items()) or "–"),
        ("frames", f"{card['frames']}; {_frame_counts(run)}"),
        ("parser", f"{card['parser']}; rules that fired: {_listed(summary.rules)}"),
        ("prompt hash", str(card["prompt"] or "–")),
        ("frame list hashes", f"{len({r.frames_hash for r in run.records if r.frames_hash})} different"),
        ("question set", f"{card['benchmark']}, content hash {str(card['dataset_hash'])[:16]}"),
        ("score", str(card["formula"])),
        ("seconds, tokens in / out, calls", _spent(run)),
        ("cost", cost),
        ("not answered", _reasons(run)),
        ("started, with situ", f"{card['started']}, {card.get('situ', '')}"),
    ]
    return Table(("", ""), tuple(facts))


def _spent(run: Run) -> str:
    card = run.card
    tokens = f"{card.get('input_tokens', 0)} / {card.get('output_tokens', 0)}"
    return f"{card.get('seconds', 0.0):.1f} s, {tokens}, {card.get('calls', 0)}"


def _frame_counts(run: Run) -> str:
    counts = [record.frames for record in run.records]
    return f"{min(counts)} to {max(counts)} per question" if counts else "none"


def _listed(counts: object) -> str:
    assert isinstance(counts, dict)
    return ", ".join(f"{name} {n}" for name, n in counts.items()) or "none"


def _reasons(run: Run) -> str:
    reasons: dict[str, int] = {}
    for record in run.records:
        if record.reason:
            told = f"{record.status.value}: {record.reason[:160]}"
            reasons[told] = reasons.get(told, 0) + 1
    most = sorted(reasons.items(), key=lambda pair: -pair[1])[:5]
    return "; ".join(f"{n} × {told}" for told, n in most) or "none"
