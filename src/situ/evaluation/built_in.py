"""The benchmarks of this package, each with its protocol and with the module that checks its keys."""

from collections.abc import Mapping
from typing import Any

from situ.benchmarks.disjoint.wording import REWRITE_REQUEST, rewording_problems
from situ.evaluation.benchmark import SOLIDS, Benchmark, Rewording, of_module, register
from situ.evaluation.protocols.disjoint import DISJOINT
from situ.evaluation.protocols.openeqa import OPENEQA
from situ.evaluation.protocols.ovos import OVOS
from situ.evaluation.protocols.rem import REM
from situ.evaluation.protocols.saw import SAW
from situ.evaluation.protocols.sns import SNS
from situ.evaluation.protocols.tables import TABLES
from situ.evaluation.protocols.ucs import UCS
from situ.evaluation.protocols.vsi import VSI
from situ.recording import Recording
from situ.state import TruthState


def _facts_of_walk(recording: Recording, truth: TruthState) -> Mapping[str, Any]:
    return {"frames": len(recording), "objects_seen": len(truth.objects())}


def _facts_of_place(recording: Recording, truth: TruthState) -> Mapping[str, Any]:
    setting = "indoor" if recording.meta["indoor"] else "outdoor"
    return {"seconds": round(float(truth.now), 2), "place": recording.meta["place"], "setting": setting}


register(
    Benchmark(
        REM,
        of_module("situ.benchmarks.rem.recipe", "RemRecipe"),
        of_module("situ.benchmarks.rem.check", "check_item"),
        of_module("situ.benchmarks.rem.statistics", "published_sizes"),
        eyes=SOLIDS,
        programs={
            "counting": ("count",),
            "comparison": ("compare",),
            "ordering": ("first_seen_order",),
            "left_right": ("side_in_view",),
        },
        facts=_facts_of_walk,
    )
)
register(
    Benchmark(
        SAW,
        of_module("situ.benchmarks.saw.recipe", "SawRecipe"),
        of_module("situ.benchmarks.saw.check", "check_item"),
        of_module("situ.benchmarks.saw.statistics", "published_sizes"),
        of_module("situ.benchmarks.saw.statistics", "statistics"),
        programs={
            "localization": ("position_in_place",),
            "direction": ("route_direction",),
            "shape": ("route_shape",),
            "revplan": ("reverse_plan",),
            "affordance": ("affords",),
            "memory": ("what_changed", "what_happened_to"),
        },
        facts=_facts_of_place,
    )
)
register(
    Benchmark(
        UCS,
        of_module("situ.benchmarks.ucs.recipe", "UcsRecipe"),
        of_module("situ.benchmarks.ucs.check", "check_item"),
        of_module("situ.benchmarks.ucs.statistics", "published_sizes"),
        of_module("situ.benchmarks.ucs.statistics", "statistics"),
        programs={
            "quantity change": (
                "count_now",
                "count_related",
                "times_put",
                "kinds_on",
                "kinds_before",
                "gone_since",
            ),
            "reachability": ("can_reach", "could_reach", "within_reach"),
            "distance comparison": ("closer_to_me", "nearest_to", "how_far_apart"),
            "ego-centric position": (
                "where_from_here",
                "where_when_put",
                "where_when_first_seen",
                "where_when_entered",
            ),
            "relative position memory": ("kept_where", "where_was"),
            "object trajectory": ("carried_from_to",),
            "my trajectory": ("way_after", "way_towards", "turn_towards", "turns_after"),
            "category recall": ("taken_from", "looks_like", "moved_by_other"),
        },
    )
)
register(
    Benchmark(
        DISJOINT,
        of_module("situ.benchmarks.disjoint.recipe", "DisjointRecipe"),
        of_module("situ.benchmarks.disjoint.check", "check_item"),
        of_module("situ.benchmarks.disjoint.statistics", "published_sizes"),
        of_module("situ.benchmarks.disjoint.statistics", "statistics"),
        programs={
            "relationship": ("pair_relation",),
            "distance": ("within_reach",),
            "size_fit": ("larger", "fits_on"),
            "description_list": ("unique_objects",),
            "description_use": ("use_shown", "function_of"),
        },
        rewording=Rewording(REWRITE_REQUEST, rewording_problems),
    )
)
register(
    Benchmark(
        SNS,
        of_module("situ.benchmarks.narratives.recipe", "NarrativeRecipe"),
        of_module("situ.benchmarks.narratives.check", "check_item"),
        programs={
            **dict.fromkeys(
                ("object_rel_direction_easy", "object_rel_direction_medium", "object_rel_direction_hard"),
                ("relative_direction",),
            ),
            "object_rel_distance": ("nearest_to",),
            "obj_appearance_order": ("appearance_order",),
            "route_planning": ("route_plan",),
        },
    )
)
for _imported in (OVOS, VSI, OPENEQA, *TABLES):
    register(Benchmark(_imported))
