"""Spatial Narrative Score: multiple choice answered from a narrative alone; micro over questions."""

from situ.evaluation.protocols.base import Protocol, Published

_DATA = "198 multiple-choice questions of VSI-Bench tiny"
SNS = Protocol(
    benchmark="sns",
    title="Spatial Narrative Score",
    scene="You are shown {shown}: frames of one video.",
    frames="fps:2",
    asks=lambda row: bool(row.options),  # the score is that of multiple choice
    published=(
        Published("CaMo 3B", 51.0, {}, _DATA),
        Published("SpaceR 3B", 48.5, {}, _DATA),
        Published("Qwen2.5-VL 3B", 44.4, {}, _DATA),
        Published("SpatialLadder 3B", 32.8, {}, _DATA),
    ),
    note="Compare with a direct run of the same questions under the same aggregation: `situ compare`.",
)
