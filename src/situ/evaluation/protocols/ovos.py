"""OVO-S-Bench: questions during a stream, answered from what came before; micro over questions."""

from situ.benchmarks.published import table
from situ.benchmarks.ucs.published import INTERVALS_S
from situ.evaluation.protocols.base import Analysis, Protocol, Published, binned, stratum_value

OVOS = Protocol(
    benchmark="ovos",
    title="OVO-S-Bench",
    scene="You are shown {shown}, from a camera that moves through a place. "
    "The question is asked at the moment of the last picture.",
    frames="uniform:128@512",
    analyses=(
        Analysis("level", stratum_value("level"), ("L1", "L2", "L3", "L4")),
        Analysis("source", stratum_value("source")),
        Analysis("type", stratum_value("type")),
        binned("evidence_age_s", INTERVALS_S, " s"),
        binned("evidence_span_s", INTERVALS_S, " s"),
        binned("since_start_s", INTERVALS_S, " s"),
    ),
    published=Published.of(table("ovos", "Leaderboard")),
    note="Causal: no frame from after the moment of asking is shown. Questions whose options are pictures "
    "(trajectory-map alignment) are not asked here; the published scores have them.",
)
