"""The vocabulary of camera motion: what kinds there are, and when one is worth a word."""

from dataclasses import dataclass

# kind -> (word for a positive amount, word for a negative one, unit)
DIRECTIONS: dict[str, tuple[str, str, str]] = {
    "pan": ("right", "left", "degrees"),
    "tilt": ("up", "down", "degrees"),
    "roll": ("clockwise", "counter-clockwise", "degrees"),
    "dolly": ("forward", "backward", "metres"),
    "truck": ("right", "left", "metres"),
    "pedestal": ("up", "down", "metres"),
    "arc": ("right", "left", "degrees"),
    "tracking": ("right", "left", "degrees"),
    "static": ("", "", ""),
}
KINDS = tuple(DIRECTIONS)
CLASSES = tuple(
    f"{kind} {word}".strip()
    for kind, (positive, negative, _) in DIRECTIONS.items()
    for word in dict.fromkeys((positive, negative))
)
STATIC = "static"


@dataclass(frozen=True)
class Worth:
    """When a channel's motion counts: `least` is the smallest motion worth a word, `back` how far a signal
    must come back before the motion is over, `pause` the rate under which it rests, `unit` a motion that
    strikes the eye as much as one unit of another channel."""

    kind: str
    least: float
    back: float
    pause: float
    unit: float


# By channel of `signals`. A degree of tilt or roll strikes the eye more than one of pan.
WORTH = {
    "pan": Worth("pan", 13.0, 7.0, 3.0, 30.0),
    "tilt": Worth("tilt", 10.0, 5.0, 2.5, 22.0),
    "roll": Worth("roll", 8.0, 4.5, 2.5, 18.0),
    "ahead": Worth("dolly", 0.35, 0.2, 0.08, 1.0),
    "right": Worth("truck", 0.3, 0.16, 0.08, 0.8),
    "up": Worth("pedestal", 0.2, 0.11, 0.05, 0.5),
}
# Rates that are slow below the first and fast above the second: degrees or metres a second.
SPEEDS = {"degrees": (15.0, 50.0), "metres": (0.45, 1.5)}


@dataclass(frozen=True)
class Motion:
    """One camera motion. `amount` is signed: positive is the first direction of `DIRECTIONS`.

    An arc or a tracking motion turns by `amount` degrees while it travels `travel_m` metres; an arc to the
    right moves right around what it looks at, a tracking motion to the right follows a bend to the right.
    """

    kind: str
    amount: float
    start: float
    end: float
    travel_m: float = 0.0

    @property
    def seconds(self) -> float:
        return self.end - self.start

    @property
    def direction(self) -> str:
        positive, negative, _ = DIRECTIONS[self.kind]
        return positive if self.amount >= 0 else negative

    @property
    def name(self) -> str:
        """Its class: "pan right", "static"."""
        return f"{self.kind} {self.direction}".strip()

    @property
    def unit(self) -> str:
        return DIRECTIONS[self.kind][2]

    @property
    def speed(self) -> str:
        """ "slow", "" or "fast"."""
        if not self.unit:
            return ""
        slow, fast = SPEEDS[self.unit]
        rate = abs(self.amount) / max(self.seconds, 1e-6)
        return "slow" if rate < slow else "fast" if rate > fast else ""
