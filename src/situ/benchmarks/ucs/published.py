"""The published make-up and tables of UCS-Bench, in percent."""

from typing import NamedTuple

from situ.benchmarks.question_types import BINARY, COUNT, OTHER

STREAMS, QUESTIONS = 532, 8114


class Subtask(NamedTuple):
    """A subtask: its category, its share of the set, its type, and published scores."""

    category: str
    share: float
    qtype: str
    human: float
    random: float
    base: float
    directme: float


MOVEMENT, POSITION = "Trajectory & Movement", "Position & Orientation"
PROXIMITY, QUANTITY = "Proximity & Reachability", "Category & Quantity"
SHARES = {MOVEMENT: 21.7, POSITION: 25.7, PROXIMITY: 18.2, QUANTITY: 34.4}
# Shares of subtasks within a category are not printed. At 74/26, 38/62, 44/56 and 31/69 the printed scores of
# subtasks give the printed overall scores of people (91.0), DirectMe (50.5) and guessing (25.7).
SUBTASKS: dict[str, Subtask] = {
    "my trajectory": Subtask(MOVEMENT, 16.06, OTHER, 90.9, 20.8, 43.1, 53.0),
    "object trajectory": Subtask(MOVEMENT, 5.64, OTHER, 94.1, 14.2, 48.7, 57.2),
    "ego-centric position": Subtask(POSITION, 9.77, OTHER, 84.0, 24.4, 43.6, 50.2),
    "relative position memory": Subtask(POSITION, 15.93, OTHER, 89.8, 21.5, 37.9, 46.0),
    "distance comparison": Subtask(PROXIMITY, 8.01, BINARY, 95.0, 51.8, 49.2, 55.7),
    "reachability": Subtask(PROXIMITY, 10.19, BINARY, 98.2, 48.1, 52.1, 59.8),
    "category recall": Subtask(QUANTITY, 10.66, OTHER, 94.3, 20.3, 52.8, 53.7),
    "quantity change": Subtask(QUANTITY, 23.74, COUNT, 88.1, 19.0, 38.4, 43.1),
}
OVERALL = {
    "human": 91.0, "DirectMe with Qwen3-VL 8B": 50.5, "InternVL3 38B": 49.2, "Qwen3-VL 32B": 49.0,
    "Qwen3-VL 8B": 44.0, "GPT-5": 43.7, "Gemini 3 Flash": 42.2, "random": 25.7,
}  # fmt: skip
ABLATION = {"neither": 44.0, "captions": 44.5, "graph": 50.2, "both": 50.5}
ROOT_CAUSES = {"tracking": 40.0, "ego-pose": 23.0, "retrieval": 20.0, "reasoning": 17.0}
INTERVALS_S = (0.0, 30.0, 60.0, 300.0, 900.0, 1800.0)
