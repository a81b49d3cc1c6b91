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
        self._book: tuple[tuple[int, int], VersionBook | None] = (-1, -1), None  # likewise
        self.vantages: tuple[tuple[int, int], Vantages] | None = None  # and of which version of the file
        self.decoder = Decoder(Words())
        self.words_read = 0

    def book_of(self, version: tuple[int, int], connection: Database) -> VersionBook | None:
        """The versions of a file as it stands, read when they are asked for a second time: whoever asks once
        between two writings is better off with a lookup."""
        known, book = self._book
        if known != version:
            self._book = version, None
            return None
        if book is None:
            book = VersionBook.read(connection)
            self._book = version, book
        return book
