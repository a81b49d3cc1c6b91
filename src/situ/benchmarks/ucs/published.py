"""The published make-up of UCS-Bench, in percent. Its tables are data: see `situ.benchmarks.published`."""

from typing import NamedTuple

from situ.benchmarks.question_types import BINARY, COUNT, OTHER

STREAMS, QUESTIONS = 532, 8114


class Subtask(NamedTuple):
    """A subtask: its category, its share of the set, its type."""

    category: str
    share: float
    qtype: str


MOVEMENT, POSITION = "Trajectory & Movement", "Position & Orientation"
PROXIMITY, QUANTITY = "Proximity & Reachability", "Category & Quantity"
SHARES = {MOVEMENT: 21.7, POSITION: 25.7, PROXIMITY: 18.2, QUANTITY: 34.4}
# Shares of subtasks within a category are not printed. At 74/26, 38/62, 44/56 and 31/69 the printed scores of
# subtasks give the printed overall scores of people (91.0), DirectMe (50.5) and guessing (25.7).
SUBTASKS: dict[str, Subtask] = {
    "my trajectory": Subtask(MOVEMENT, 16.06, OTHER),
    "object trajectory": Subtask(MOVEMENT, 5.64, OTHER),
    "ego-centric position": Subtask(POSITION, 9.77, OTHER),
    "relative position memory": Subtask(POSITION, 15.93, OTHER),
    "distance comparison": Subtask(PROXIMITY, 8.01, BINARY),
    "reachability": Subtask(PROXIMITY, 10.19, BINARY),
    "category recall": Subtask(QUANTITY, 10.66, OTHER),
    "quantity change": Subtask(QUANTITY, 23.74, COUNT),
}
INTERVALS_S = (0.0, 30.0, 60.0, 300.0, 900.0, 1800.0)
