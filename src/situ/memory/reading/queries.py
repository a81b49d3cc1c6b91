"""The longer lookups in a memory's file."""

from situ.memory.tables.pending_rows import AS_LABEL

# For each object that was alive as known at :known, the latest version of the stay that holds at :at.
_VIEWS = """
SELECT o.id, (
    SELECT v.body FROM version v WHERE v.object_id = o.id AND v.stay = (
        SELECT t.stay FROM stay t
        WHERE t.object_id = o.id AND t.known_from <= :known AND t.valid_from <= :at
        ORDER BY t.stay DESC LIMIT 1)
    AND v.known_from <= :known ORDER BY v.known_from DESC LIMIT 1)
FROM {source}
WHERE o.born <= :known AND o.died > :known {only}
ORDER BY o.id
"""
ALL = _VIEWS.format(source="object o", only="")
ONE = _VIEWS.format(source="object o", only="AND o.id = :which")
SOME = _VIEWS.format(source="json_each(:which) j CROSS JOIN object o ON o.id = j.value", only="")
CALLED = _VIEWS.format(
    source=f"called c CROSS JOIN object o ON c.kind = {AS_LABEL} AND c.word = :which AND o.id = c.object_id",
    only="",
)
NEAR = _VIEWS.format(
    source="(SELECT DISTINCT object_id FROM segment WHERE max_x >= :x - :radius AND min_x <= :x + :radius "
    "AND max_y >= :y - :radius AND min_y <= :y + :radius AND min_time <= :at - :start "
    "AND max_time >= :at - :start) g CROSS JOIN object o ON o.id = g.object_id",
    only="",
)
# The stays of one object as known at :known, each with its latest version, in order.
STAYS = """
SELECT s.valid_from, (
    SELECT v.body FROM version v
    WHERE v.object_id = s.object_id AND v.stay = s.stay AND v.known_from <= :known
    ORDER BY v.known_from DESC LIMIT 1)
FROM object o JOIN stay s ON s.object_id = o.id
WHERE o.id = :which AND o.born <= :known AND o.died > :known AND s.known_from <= :known
ORDER BY s.stay
"""


# The last run of frames that holds what was filed under a number, of those that begin by a frame, for many
# such pairs, each in one number (pairs take twice as long to take apart); by the place of each in the list.
FRAME_BITS = 40
SEEN_BEFORE = f"""
SELECT e.key, s.first_frame, s.body FROM (
    SELECT key, value >> {FRAME_BITS} AS number, value & {(1 << FRAME_BITS) - 1} AS frame FROM json_each(?)
) e CROSS JOIN sighting s ON s.object_id = e.number AND s.first_frame = (
    SELECT max(t.first_frame) FROM sighting t WHERE t.object_id = e.number AND t.first_frame <= e.frame)
"""
# The first run of frames that holds what was filed under each of some numbers.
FIRST_RUNS = """
SELECT j.value, (SELECT min(s.first_frame) FROM sighting s WHERE s.object_id = j.value) FROM json_each(?) j
"""
# The last that was said of each place by a time; one search for each place, however often it was spoken of.
PLACES = """
WITH RECURSIVE known(id) AS (
    SELECT min(place_id) FROM place
    UNION ALL SELECT (SELECT min(place_id) FROM place WHERE place_id > id) FROM known WHERE id IS NOT NULL)
SELECT place_id, tag, count, first, last, body FROM known CROSS JOIN place p
ON p.place_id = known.id AND p.known_from = (
    SELECT max(q.known_from) FROM place q WHERE q.place_id = known.id AND q.known_from <= ?)
ORDER BY place_id
"""
# Since when some object has been called by each word of a kind, by the word's number.
FIRST_CALLED = (
    "SELECT word, min(known_from) FROM called WHERE kind = ? AND word > 0 GROUP BY word ORDER BY word"
)
