"""Sources that are kept as rules come are those that are found by undoing the rules, the last one first."""

import math

import numpy as np

from situ.memory import SpatialMemory
from situ.memory.file.identity_rules import IdentityRules, Source
from situ.memory.tables.pending_rows import FOREVER

Rule = tuple[int, int, float, float, float]  # from, into, between which times, and when it was known
INSERT = "INSERT INTO identity VALUES(?, ?, ?, ?, ?)"


def undone(rules: list[Rule], number: int, known: float) -> list[Source]:
    """What is an object's in the end was filed where each rule, undone, puts it."""
    found = [(number, -FOREVER, FOREVER)]
    for old, new, start, stop, told in reversed([rule for rule in rules if rule[4] <= known]):
        latest = min(stop, math.nextafter(told, math.inf))
        before = []
        for filed, a, b in found:
            pieces = [(filed, a, b)] if filed != old else [(old, a, min(b, start)), (old, max(a, stop), b)]
            pieces += [(old, max(a, start), min(b, latest))] if filed == new else []
            before += [piece for piece in pieces if piece[1] < piece[2]]
        found = before
    return sorted(found)


def drawn(rng: np.random.Generator, count: int) -> list[Rule]:
    """Few numbers, so that a thing is given away and taken back; ends that fall together, too."""
    rules: list[Rule] = []
    for k in range(count):
        old, new = rng.integers(1, 7, 2).tolist()
        start, stop = sorted(rng.choice([-FOREVER, *np.arange(12.0), FOREVER], 2, replace=False).tolist())
        rules.append((old, new, start, stop, float(k // 2)))
    return rules


def test_sources_are_those_of_rules_undone_one_by_one_as_of_any_time() -> None:
    rng, told = np.random.default_rng(8), 0
    for _ in range(60):
        rules = drawn(rng, int(rng.integers(1, 14)))
        with SpatialMemory.create(":memory:") as memory:
            kept, connection = IdentityRules(), memory.store.connection
            for k, rule in enumerate(rules, 1):  # read now and then, as they are written
                connection.execute(INSERT, rule)
                if rng.random() < 0.4 or k == len(rules):
                    kept.update(connection, k)
                    for number in range(1, 8):
                        for known in (-1.0, rule[4] / 2, rule[4], math.inf):
                            expected = undone(rules[:k], number, known)
                            assert sorted(kept.sources(number, known)) == expected
                            told += _holds_of_latest(kept, number, known)
    assert told > 1000


def _holds_of_latest(kept: IdentityRules, number: int, known: float) -> int:
    """Whether nothing that is filed elsewhere can be later than what is filed under the latest number."""
    sources, (latest, since) = kept.sources(number, known), kept.latest_source(number, known)
    if since == math.inf:  # nothing is filed under it for ever
        assert all(stop < FOREVER for _, _, stop in sources)
        return 0
    mine = [source for source in sources if source[0] == latest and source[2] >= FOREVER]
    assert any(start <= since for _, start, _ in mine)
    assert all(stop <= since for filed, _, stop in sources if filed != latest)
    return 1
