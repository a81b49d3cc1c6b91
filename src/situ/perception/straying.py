"""When the place of the camera was not known, in words: one note for each time, however long it was."""

from dataclasses import dataclass

from situ.perception.stages import InputFrame

UNRELIABLE = "the path is not to be relied on: {}"


@dataclass
class Straying:
    """Frames without a place, from the first of them until one has a place again."""

    frames: int = 0
    first: int = 0
    began: float = 0.0
    last: float = 0.0
    why: str = ""

    def lost(self, frame: InputFrame, why: str) -> None:
        if not self.frames:
            self.first, self.began, self.why = frame.index, frame.time, why
        self.frames, self.last = self.frames + 1, frame.time

    def over(self) -> list[str]:
        """What is to be said now that it is over; nothing if there was nothing."""
        if not self.frames:
            return []
        until = f" to {self.last:.2f} s ({self.frames} frames)" if self.frames > 1 else " s"
        self.frames = 0
        return [f"position lost from frame {self.first}, {self.began:.2f}{until}: {self.why}"]
