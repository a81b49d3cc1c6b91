"""SAW-Bench: multiple choice from video; micro over questions."""

from situ.evaluate.protocols.base import Analysis, Protocol, Published, stratum_value

TASKS = ("localization", "direction", "shape", "revplan", "memory", "affordance")


def _row(system: str, overall: float, *tasks: float) -> Published:
    return Published(system, overall, dict(zip(TASKS, tasks, strict=False)), "SAW-Bench, 2,071 questions")


SAW = Protocol(
    benchmark="saw",
    title="SAW-Bench",
    scene="The {frames} pictures, in order of time, are frames of one video filmed at head height by a "
    "person who stands or walks. Go by the pictures alone.",
    frames="fps:2",
    analyses=(
        Analysis("route", stratum_value("route"), by_task=True),
        Analysis(
            "turns on the way (direction)",
            lambda record: stratum_value("turns")(record) if record.task == "direction" else None,
            ("0", "1", "2"),
        ),
        Analysis("setting", stratum_value("setting"), ("indoor", "outdoor"), by_task=True),
        Analysis("head", stratum_value("head"), by_task=True),
    ),
    published=(
        _row("human", 91.55, 94.00, 89.39, 97.62, 93.01, 88.50, 79.01),
        _row("Gemini 3 Flash", 53.89, 48.50, 41.13, 64.84, 61.57, 66.00, 70.99),
        _row("Gemini 2.5 Pro", 50.80),
        _row("Gemini 3 Pro", 45.97),
        _row("Qwen3-VL 235B", 41.40),
        _row("GPT-5.2", 41.04),
        _row("Qwen3-VL 8B", 36.12),
        _row("Qwen2.5-VL 7B", 31.48),
        _row("blind GPT-5.2", 31.34),
        _row("Socratic GPT-5.2", 31.34),
        _row("most frequent answer", 29.55),
        _row("random", 27.49),
    ),
    note="Every option must be chosen or the question counts as wrong. The paper's own parser fills in a "
    "random option where it finds none; the strict one does not.",
)
