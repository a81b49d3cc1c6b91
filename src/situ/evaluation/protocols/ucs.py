"""UCS-Bench: questions during a stream, answered from what came before; micro over questions."""

from situ.benchmarks.ucs.published import INTERVALS_S, OVERALL, SUBTASKS
from situ.evaluation.protocols.base import Analysis, Protocol, Published, binned, stratum_value

_DATA = "UCS-Bench, 8,114 questions"
# The columns of the published table, where it gives scores by subtask.
_BY_SUBTASK = {
    "human": "human",
    "random": "random",
    "Qwen3-VL 8B": "base",
    "DirectMe with Qwen3-VL 8B": "directme",
}


def _published(system: str, overall: float) -> Published:
    column = _BY_SUBTASK.get(system)
    tasks = {name: getattr(about, column) for name, about in SUBTASKS.items()} if column else {}
    return Published(system, overall, tasks, _DATA)


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
    published=tuple(_published(system, overall) for system, overall in OVERALL.items()),
    note="Causal: no frame from after the moment of asking is shown. Unreadable "
    "answers stay in the denominator.",
)
