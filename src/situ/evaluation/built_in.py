"""The benchmarks of this package, each with its protocol and with the module that checks its keys."""

from situ.evaluation.benchmark import SOLIDS, Benchmark, of_module, register
from situ.evaluation.protocols.disjoint import DISJOINT
from situ.evaluation.protocols.openeqa import OPENEQA
from situ.evaluation.protocols.ovos import OVOS
from situ.evaluation.protocols.rem import REM
from situ.evaluation.protocols.saw import SAW
from situ.evaluation.protocols.sns import SNS
from situ.evaluation.protocols.tables import TABLES
from situ.evaluation.protocols.ucs import UCS
from situ.evaluation.protocols.vsi import VSI

register(
    Benchmark(
        REM,
        of_module("situ.benchmarks.rem.recipe", "RemRecipe"),
        of_module("situ.benchmarks.rem.check", "check_item"),
        of_module("situ.benchmarks.rem.statistics", "published_sizes"),
        eyes=SOLIDS,
    )
)
register(
    Benchmark(
        SAW,
        of_module("situ.benchmarks.saw.recipe", "SawRecipe"),
        of_module("situ.benchmarks.saw.check", "check_item"),
        of_module("situ.benchmarks.saw.statistics", "published_sizes"),
        of_module("situ.benchmarks.saw.statistics", "statistics"),
    )
)
register(
    Benchmark(
        UCS,
        of_module("situ.benchmarks.ucs.recipe", "UcsRecipe"),
        of_module("situ.benchmarks.ucs.check", "check_item"),
        of_module("situ.benchmarks.ucs.statistics", "published_sizes"),
        of_module("situ.benchmarks.ucs.statistics", "statistics"),
    )
)
register(
    Benchmark(
        DISJOINT,
        of_module("situ.benchmarks.disjoint.recipe", "DisjointRecipe"),
        of_module("situ.benchmarks.disjoint.check", "check_item"),
        of_module("situ.benchmarks.disjoint.statistics", "published_sizes"),
        of_module("situ.benchmarks.disjoint.statistics", "statistics"),
    )
)
register(
    Benchmark(
        SNS,
        of_module("situ.benchmarks.narratives.recipe", "NarrativeRecipe"),
        of_module("situ.benchmarks.narratives.check", "check_item"),
    )
)
for _imported in (OVOS, VSI, OPENEQA, *TABLES):
    register(Benchmark(_imported))
