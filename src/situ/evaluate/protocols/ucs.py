"""UCS-Bench: questions during a stream, answered from what came before; micro over questions."""

from situ.evaluate.protocols.base import Analysis, Protocol, Published, binned, stratum_value

_DATA = "UCS-Bench, 8,114 questions"
_INTERVALS_S = (0.0, 30.0, 60.0, 300.0, 900.0, 1800.0)
UCS = Protocol(
    benchmark="ucs",
    title="UCS-Bench",
    scene="The {frames} pictures, in order of time, come from a camera that its wearer keeps on. "
    "The question is asked by the wearer at the moment of the last picture.",
    frames="fps:1,recent:64@512",
    analyses=(
        Analysis("category", stratum_value("category")),
        Analysis("subcategory", stratum_value("subcategory")),
        Analysis("type", stratum_value("qtype"), ("BINARY", "COUNT", "OTHER")),
        binned("evidence_age_s", _INTERVALS_S, " s"),
        binned("evidence_span_s", _INTERVALS_S, " s"),
        binned("since_start_s", _INTERVALS_S, " s"),
        binned("since_last_asked_s", _INTERVALS_S, " s"),
    ),
    published=(
        Published("human", 91.0, {}, _DATA),
        Published("DirectMe with Qwen3-VL 8B", 50.5, {}, _DATA),
        Published("InternVL3 38B", 49.2, {}, _DATA),
        Published("Qwen3-VL 32B", 49.0, {}, _DATA),
        Published("Qwen3-VL 8B", 44.0, {}, _DATA),
        Published("GPT-5", 43.7, {}, _DATA),
        Published("Gemini 3 Flash", 42.2, {}, _DATA),
        Published("random", 25.7, {}, _DATA),
    ),
    note="Causal: no frame from after the moment of asking is shown. Unreadable "
    "answers stay in the denominator.",
)
