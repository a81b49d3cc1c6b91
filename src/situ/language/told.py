"""What comes of asking: an answer with all that one needs to trust it, or the reason why there is none."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from typing import Any

from situ.language.certificate import Certificate
from situ.language.other_candidates import Other
from situ.questions.base import Value

LEAST_CONFIDENCE = 0.5
SURE = 0.75  # what is less sure is told as an opinion


@dataclass(frozen=True)
class Told:
    """An answer, or the reason why there is none.

    `probabilities` are over the alternatives, from the doubt about places, about what is real and about what
    may have moved since; `confidence` is that of `value`. `distance_m` is the interval that holds the
    distance nine times in ten. `age_s` is how long ago the thing was last seen. `others` are further things
    that the words may mean. `taken_as` is the question that was made of a sentence that no frame fits
    exactly. Where a sentence asks several things, or a name means things of several kinds, `readings` are the
    answers for each of them. `things` are what the answer is about, each with its position in the world, its
    bearing and distance from the wearer, and when it was seen; the program stands in the certificate.
    `phrases` are the sets that the words named, for a conversation that goes on. `choices` are the programs
    between which a question back lets choose.
    """

    asked: str
    text: str
    value: Value | None = None
    abstained: str = ""
    question: str = ""
    frame: str = ""
    confidence: float = 0.0
    probabilities: Mapping[str, float] = field(default_factory=dict)
    distance_m: tuple[float, float] | None = None
    age_s: float | None = None
    evidence: tuple[int, ...] = ()
    certificate: Certificate | None = None
    scale_known: bool = True
    others: tuple[Other, ...] = ()
    taken_as: str = ""
    readings: tuple["Told", ...] = ()
    things: tuple["Thing", ...] = ()
    phrases: Mapping[str, Any] = field(default_factory=dict, repr=False)
    choices: tuple[Any, ...] = ()

    def __repr__(self) -> str:
        sure = "withheld" if self.abstained else f"{100 * self.confidence:.0f} %"
        return f"<Answer {self.text!r}, {sure}>"

    def _repr_html_(self) -> str:
        """For notebooks: the answer, its alternatives, and the frames that show it."""
        from situ.display import card, note, table

        frames = ", ".join(map(str, self.evidence[:12]))
        sure = self.abstained or f"confidence {100 * self.confidence:.0f} %"
        odds = sorted(self.probabilities.items(), key=lambda pair: -pair[1])[:6]
        rows = [(name, f"{100 * chance:.0f} %") for name, chance in odds]
        return card(
            self.text,
            note("; ".join([sure, *([f"evidence: frames {frames}"] if frames else [])])),
            table(("alternative", "probability"), rows) if len(rows) > 1 else "",
        )

    def to_json(self) -> dict[str, Any]:
        # Not by `asdict`, which copies every part of every part: a server says this with each answer.
        plain = {part.name: getattr(self, part.name) for part in fields(self) if part.name != "phrases"}
        plain["probabilities"] = dict(self.probabilities)
        plain["certificate"] = None if self.certificate is None else self.certificate.to_json()
        plain["others"] = [asdict(other) for other in self.others]
        plain["things"] = [asdict(thing) for thing in self.things]
        plain["readings"] = [told.to_json() for told in self.readings]
        return plain


@dataclass(frozen=True)
class Thing:
    """One thing that an answer is about: where it is in the world, in metres; its bearing from the wearer in
    degrees, 0 ahead and positive to the right; how far it is over the ground to its closest point; how likely
    it belongs to the answer; and how long ago it was last seen. What is not known is None."""

    id: int
    name: str
    position: tuple[float, float, float] | None
    bearing_deg: float | None
    distance_m: float | None
    chance: float
    age_s: float | None


def rounded(odds: float) -> float:
    """Odds to a tenth of a percent; none is certain that is not."""
    return round(odds, 3) if odds == 1.0 else min(round(odds, 3), 0.999)
