"""Sets by what could be done with objects: which fit on another, and which a body of stated size can use."""

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from situ.errors import Unanswerable
from situ.geometry.oriented import gap_between
from situ.questions.programs.asks import NO
from situ.questions.programs.run import Numbers, Run
from situ.questions.programs.schema import Set, fault, operator
from situ.questions.programs.table import OUT, SURE, Margins

FLAT_TOP, FLOOR_M = "flat_top", 0.0
_FAIR_SPARE_M, _FAIR_SIZE_M = 0.06, 0.1


@operator
@dataclass(frozen=True)
class Fits(Set):
    """What could stand on the one that is meant without sticking out over its edges; things may be turned."""

    tag: ClassVar[str] = "fits"
    filters: ClassVar[bool] = True

    on: Set
    of: Set | None = None

    def margins(self, run: Run, raw: bool) -> Margins:
        table = run.table
        one = run.meant(self.on, placed=False)
        for k in np.unique(one[one >= 0]).tolist():
            if FLAT_TOP not in table.attributes[k]:
                raise Unanswerable(f"whether a {table.categories[k]} has a flat top is not known")
        flat = np.array([had.get(FLAT_TOP) != NO for had in table.attributes], bool)
        sides = np.sort(table.sizes[:, :2], axis=1)
        spare = (sides[one][:, None] - sides[None]).min(axis=2) / _FAIR_SPARE_M
        found = np.where((one >= 0)[:, None], np.where(flat[one][:, None], spare, -SURE), OUT)
        found[np.arange(table.count), one] = OUT
        return np.minimum(run.set(self.of, raw), found)


@operator
@dataclass(frozen=True)
class Can(Set):
    """What a body of a stated size in metres can do something with: walk under it, step over it, reach up to
    it, sit on it, or walk through between it and another (`to`)."""

    tag: ClassVar[str] = "can"
    filters: ClassVar[bool] = True
    places: ClassVar[bool] = True

    act: Literal["fit under", "step over", "reach", "sit on", "pass through"]
    size: float
    of: Set | None = None
    to: Set | None = None

    def checked(self, place: str) -> None:
        if not 0 < self.size < 100:
            raise fault(f"{place}.size", f"metres lie between 0 and 100, got {self.size:g}")
        if (self.act == "pass through") != (self.to is not None):
            what = "needs 'to', the other side" if self.to is None else "takes no 'to'"
            raise fault(place, f"'{self.act}' {what}")

    def margins(self, run: Run, raw: bool) -> Margins:
        table = run.table
        bottom, top = (table.centers[..., 2] + sign * table.sizes[:, 2] / 2 - FLOOR_M for sign in (-1, 1))
        if self.to is not None:
            spare = self._gaps(run, self.to) - self.size
        elif self.act == "fit under":
            spare = bottom - self.size
        else:  # to reach a thing is to touch its lowest edge; a step and a seat are as high as the top
            spare = self.size - (bottom if self.act == "reach" else top)
        return np.minimum(run.set(self.of, raw), np.where(table.placed, spare / _FAIR_SIZE_M, OUT))

    def _gaps(self, run: Run, to: Set) -> Numbers:
        """The free width between each object and the one that is meant, as they most likely stand."""
        one = run.meant(to)
        gaps = np.full((run.table.count, run.table.number), np.nan)
        boxes = [run.box(k) for k in range(run.table.number)]
        for k in np.unique(one[one >= 0]).tolist():
            gaps[one == k] = [gap_between(box, boxes[k]) for box in boxes]
        gaps[np.arange(run.table.count), one] = np.nan
        return np.where(np.isfinite(gaps), gaps, OUT)
