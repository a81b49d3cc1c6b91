"""Sets of sets: `and` is the least margin of two, `or` the largest, `not` the other sign."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from situ.questions.programs.run import Run
from situ.questions.programs.schema import Set, fault, operator
from situ.questions.programs.sets import Things, Top
from situ.questions.programs.table import Margins


@operator
@dataclass(frozen=True)
class And(Set):
    """What is in all of some sets; of no sets, everything."""

    tag: ClassVar[str] = "and"

    of: tuple[Set, ...]

    def margins(self, run: Run, raw: bool) -> Margins:
        if not self.of:
            return run.set(None, raw)
        # One that names its things says which are meant; the others say something of these.
        names = [one for one in self.of if not isinstance(one, Not)]
        main: Set | None = next((one for one in names if isinstance(one, Things | Or | Except | Top)), None)
        main = main or (names[0] if names else None)
        parts = [run.set(one, raw or one is not main) for one in self.of]
        found: Margins = np.minimum.reduce([*parts, *([] if main or raw else [run.set(None)])])
        return found


@operator
@dataclass(frozen=True)
class Or(Set):
    """What is in any of some sets."""

    tag: ClassVar[str] = "or"

    of: tuple[Set, ...]

    def checked(self, place: str) -> None:
        if not self.of:
            raise fault(place, "'or' needs at least one set in 'of'")

    def margins(self, run: Run, raw: bool) -> Margins:
        found: Margins = np.maximum.reduce([run.set(one, raw) for one in self.of])
        return found


@operator
@dataclass(frozen=True)
class Not(Set):
    """What is not in a set, of all objects."""

    tag: ClassVar[str] = "not"

    of: Set
    ever: bool = False

    def margins(self, run: Run, raw: bool) -> Margins:
        found = np.minimum(run.table.real, -run.set(self.of, raw=True))
        return found if raw or self.ever else run.there_only(found)


@operator
@dataclass(frozen=True)
class Except(Set):
    """What is in one set and not in another."""

    tag: ClassVar[str] = "except"
    filters: ClassVar[bool] = True

    but: Set
    of: Set | None = None

    def margins(self, run: Run, raw: bool) -> Margins:
        return np.minimum(run.set(self.of, raw), -run.set(self.but, raw=True))
