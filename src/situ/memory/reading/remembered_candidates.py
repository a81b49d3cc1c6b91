"""What a phrase may mean in a memory: a question builds hundreds and looks into few."""

from situ.lazy import lazily
from situ.memory.reading.all_sightings import AllSightings
from situ.memory.reading.sightings import Sightings
from situ.state.protocol import Candidate, Sighting


class RememberedCandidate(Candidate):
    """A candidate whose sightings are looked up where somebody asks for them."""

    id: int = 0
    all_seen: AllSightings

    @lazily
    def seen(self) -> Sightings:
        return self.all_seen.of(self.id)

    @lazily
    def last(self) -> Sighting | None:
        return self.all_seen.last(self.id)
