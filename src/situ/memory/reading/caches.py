"""What a connection has read and keeps."""

from collections import OrderedDict
from typing import Any

from situ.memory.file.database import Database
from situ.memory.file.identity_rules import IdentityRules, Source
from situ.memory.file.packing import PoseBlock
from situ.memory.reading.place_diary import PlaceDiary
from situ.memory.reading.vantages import Vantages
from situ.memory.reading.version_book import VersionBook
from situ.memory.reading.version_records import Decoder
from situ.memory.reading.walk import WholeRun
from situ.memory.tables.vocabulary import Words
from situ.state.protocol import Sighting

_LOOKUPS = 4  # of all objects take as long as to read all versions


class Caches:
    """What was read by a connection and never changes once written, save by forgetting."""

    def __init__(self) -> None:
        self.blocks: OrderedDict[int, PoseBlock] = OrderedDict()
        self.frames_from: dict[float, int] = {}
        self.rules = IdentityRules()
        self.first_runs: dict[int, int] = {}
        self.place_diary = PlaceDiary()
        self.walks: dict[tuple[int, int, float], WholeRun] = {}
        self.traces: dict[tuple[int, int], Any] = {}  # where whole runs led, see `revisits`
        self.openings: dict[tuple[int, tuple[Source, ...]], tuple[Sighting, ...]] = {}  # see `sightings`
        self.called: dict[int, list[tuple[int, float]]] = {}
        self.called_read = -1
        self._book: VersionBook | None = None
        self._book_of, self._asked = (-1, -1), 0  # which version of the file, and how often it was asked for
        self._too_long = False
        self.vantages: tuple[tuple[int, int], Vantages] | None = None  # and of which version of the file
        self.decoder = Decoder(Words())
        self.words_read = 0

    def book_of(self, version: tuple[int, int], connection: Database) -> VersionBook | None:
        """The versions of a file as it stands, read when they have been asked for several times: whoever asks
        once or twice between two writings is better off with a lookup."""
        if version != self._book_of:
            self._book, self._book_of, self._asked = None, version, 0
        self._asked += 1
        if self._book is None and self._asked > _LOOKUPS and not self._too_long:
            self._book = VersionBook.read(connection)
            self._too_long = self._book is None  # it only ever gets longer
        return self._book
