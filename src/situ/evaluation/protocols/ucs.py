"""UCS-Bench: questions during a stream, answered from what came before; micro over questions."""

from situ.benchmarks.published import table
from situ.benchmarks.ucs.published import INTERVALS_S, SUBTASKS
from situ.evaluation.protocols.base import Analysis, Protocol, Published, binned, stratum_value

UCS = Protocol(
    benchmark="ucs",
    title="UCS-Bench",
    scene="You are shown {shown}, from a camera that its wearer keeps on. "
    "The question is asked by the wearer at the moment of the last picture.",
    frames="fps:1,recent:64@512",
    analyses=(
        Analysis("category", stratum_value("category")),
        Analysis("subcategory", stratum_value("subcategory")),
        Analysis("type", stratum_value("qtype"), ("BINARY", "COUNT", "OTHER")),
        Analysis("person", stratum_value("person")),
        binned("evidence_age_s", INTERVALS_S, " s"),
        binned("evidence_span_s", INTERVALS_S, " s"),
        binned("since_start_s", INTERVALS_S, " s"),
        binned("since_last_asked_s", INTERVALS_S, " s"),
    ),
    published=Published.of(table("ucs", "Table 3"), SUBTASKS),
    note="Causal: no frame from after the moment of asking is shown. Unreadable "
    "answers stay in the denominator.",
)
