"""What places look like, kept in the file for knowing them again; it goes with the frames that showed it."""

from collections.abc import Callable

from situ.memory.file.store import Store
from situ.perception.odometry.visual_map import MapView, VisualMap

_KEY = "visual map"


def read_map(store: Store) -> VisualMap:
    """The map of a memory; an empty one if it has none. Raises BadFormat for one that is damaged."""
    data = store.get(_KEY)
    return VisualMap() if data is None else VisualMap.from_bytes(data if isinstance(data, bytes) else b"")


def write_map(store: Store, seen: VisualMap) -> None:
    """Put it into the open transaction."""
    store.put(_KEY, seen.bounded().to_bytes())


def forget_views(store: Store, gone: Callable[[MapView], bool]) -> None:
    """Delete some views, in the open transaction."""
    if store.get(_KEY) is None:
        return
    seen = read_map(store)
    kept = seen.only([not gone(view) for view in seen.views])
    if len(kept) < len(seen):
        write_map(store, kept)
