"""Work that is begun at one frame and adopted a fixed number of frames later, however long it takes.

The path is then the same to the bit whoever does the work, and when: here, or in threads beside the frames.
"""

from collections.abc import Callable
from typing import Any, Generic, TypeVar

from situ.perception.odometry.hands import begun

T = TypeVar("T")


class Later(Generic[T]):
    """What comes of a task is adopted at frame number `due`. The task may read only what never changes, or
    copies: frames go on meanwhile."""

    def __init__(self, task: Callable[[], T], due: int) -> None:
        self.due = due
        self._promise: Callable[[], T] | None = begun(task)

    @property
    def outcome(self) -> T:
        """Waits for it, if need be."""
        if self._promise is not None:
            self._outcome, self._promise = self._promise(), None
        return self._outcome

    def __getstate__(self) -> dict[str, Any]:
        """To be kept in a file or sent to another process the work has to be done."""
        return {"due": self.due, "_outcome": self.outcome, "_promise": None}
