"""What a connection has read and keeps."""

from array import array
from collections import OrderedDict
from collections.abc import Callable, Sequence, Sized
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from situ.memory.file.database import Database
from situ.memory.file.identity_rules import IdentityRules, Source
from situ.memory.file.packing import PoseBlock
from situ.memory.reading.called_by import CalledBy
from situ.memory.reading.frame_book import FrameBook
from situ.memory.reading.moments import moments_at_hand
from situ.memory.reading.place_book import Place, PlaceBook, Row
from situ.memory.reading.place_diary import PlaceDiary
from situ.memory.reading.runs_at_hand import blocks_at_hand
from situ.memory.reading.sighting_book import SightingBook
from situ.memory.reading.traces import Trace
from situ.memory.reading.vantages import Vantages
from situ.memory.reading.version_book import VersionBook
from situ.memory.reading.version_records import Decoder
from situ.memory.reading.walk import WholeRun
from situ.memory.tables.vocabulary import Words
from situ.state.protocol import Sighting

T = TypeVar("T", bound=Sized)
Joined = tuple[Sequence[Source], int, NDArray[np.int64], NDArray[np.int32]]
_LOOKUPS_OF_ALL, LOOKUPS_OF_ONE = 4, 64  # objects; so many take as long as to read a file of an hour
_ROWS_A_LOOKUP = 5_000  # read in the time of a lookup of all objects


class WhereAskedAgain(Generic[T]):
    """A file as it stands, read whole when it has been asked for several times: whoever asks once or twice
    between two writings is better off with a lookup."""

    def __init__(self, read: Callable[[Database], T | None], lookups: int) -> None:
        """`read` gives None where there is too much to keep; it takes as long as so many lookups."""
        self._read, self._lookups = read, lookups
        self._kept: T | None = None
        self._version = (-1, -1)  # of the file
        self._asked = 0.0  # how often that one was asked for
        self._too_long = False

    def of(self, version: tuple[int, int], connection: Database, share: float = 1.0) -> T | None:
        """`share`: how much of a lookup of everything one for part of it costs."""
        if version != self._version:
            self._kept, self._version, self._asked = None, version, 0.0
        self._asked += share
        if self._kept is None and self._asked > self._lookups and not self._too_long:
            self._kept = self._read(connection)
            self._too_long = self._kept is None  # it only ever gets longer
            rows = 0 if self._kept is None else len(self._kept)
            self._lookups = max(self._lookups, rows // _ROWS_A_LOOKUP)  # if it has to be read once more
        return self._kept


class Caches:
    """What was read by a connection: what never changes once written, save by forgetting, and what holds
    until something else is written."""

    def __init__(self) -> None:
        self.blocks: OrderedDict[int, PoseBlock] = OrderedDict()
        self.frames_from: dict[float, int] = {}
        self.rules = IdentityRules()
        self.place_diary = PlaceDiary()
        self.walks: dict[tuple[int, int, float], WholeRun] = {}
        self.traces: dict[tuple[int, int], Trace] = {}  # by first frame and number of frames
        self.openings: dict[tuple[int, tuple[Source, ...]], tuple[Sighting, ...]] = {}  # see `sightings`
        self.called: dict[int, CalledBy] = {}
        self.called_read = -1
        self.versions = WhereAskedAgain(VersionBook.read, _LOOKUPS_OF_ALL)
        self.places = WhereAskedAgain(PlaceBook.read, _LOOKUPS_OF_ALL)
        self.sightings = WhereAskedAgain(SightingBook.read, LOOKUPS_OF_ONE)
        self.frames = WhereAskedAgain(FrameBook.read, LOOKUPS_OF_ONE)
        self.version = (-1, -1)  # of the file, for which what follows, up to moments, holds
        self.rows: dict[tuple[object, ...], Any] = {}
        self.filed: dict[int, array[int]] = {}  # the runs that hold what was filed under a number
        self.first_runs: dict[int, float] = {}  # the first of these
        self.spans: dict[int, tuple[Sequence[Source], NDArray[np.float64]]] = {}  # see `filed_spans`
        self.sources: dict[int, tuple[Sequence[Source], NDArray[np.float64]]] = {}  # as rows
        self.joined: dict[int, Joined] = {}  # see `shown`
        self.nodes: dict[Row, Place] = {}  # what rows say of places
        self.runs = blocks_at_hand()
        self.moments = moments_at_hand()
        self.unpacked: dict[int, tuple[bytes | None, NDArray[np.void]]] = {}  # see `observed`
        self.vantages: tuple[tuple[int, int], Vantages] | None = None  # and of which version of the file
        self.decoder = Decoder(Words())
        self.words_read = 0
