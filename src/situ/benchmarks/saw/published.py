"""Figures that were published for SAW-Bench, in percent of questions answered correctly."""

from typing import NamedTuple

TASKS = ("localization", "direction", "shape", "revplan", "memory", "affordance")


class Score(NamedTuple):
    """One row of the main table; `tasks` is in the order of TASKS, empty where only the overall is known."""

    system: str
    overall: float
    tasks: tuple[float, ...] = ()


MAIN_TABLE = (
    Score("human", 91.55, (94.00, 89.39, 97.62, 93.01, 88.50, 79.01)),
    Score("Gemini 3 Flash", 53.89, (48.50, 41.13, 64.84, 61.57, 66.00, 70.99)),
    Score("Gemini 2.5 Pro", 50.80),
    Score("Gemini 3 Pro", 45.97),
    Score("Qwen3-VL 235B", 41.40),
    Score("GPT-5.2", 41.04),
    Score("Qwen3-VL 8B", 36.12),
    Score("Qwen2.5-VL 7B", 31.48),
    Score("blind GPT-5.2", 31.34),
    Score("Socratic GPT-5.2", 31.34),
    Score("most frequent answer", 29.55),
    Score("random", 27.49),
)
# Direction by the number of turns: 0 (30 questions), 1 (58), 2 (458).
DIRECTION_BY_TURNS = {"human": (100.0, 96.67, 90.0), "Gemini 3 Flash": (73.33, 70.69, 40.61)}
# Share of straight walks with head turns that were called zigzag.
CALLED_ZIGZAG = {"Gemini 3 Flash": 60.0, "Qwen3-VL 235B": 53.3}
# Overall of Gemini 3 Flash by frames per second.
BY_FPS = {1: 53.55, 2: 53.89, 3: 51.57, 4: 52.25, 6: 49.25}
# Cohen's kappa between annotators.
AGREEMENT = {"direction": 0.987, "revplan": 0.952}
