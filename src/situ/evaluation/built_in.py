"""The benchmarks of this package, each with its protocol and with the module that checks its keys."""

from situ.evaluation.benchmark import Benchmark, checked_by, made_by, register
from situ.evaluation.protocols.disjoint import DISJOINT
from situ.evaluation.protocols.openeqa import OPENEQA
from situ.evaluation.protocols.rem import REM
from situ.evaluation.protocols.saw import SAW
from situ.evaluation.protocols.sns import SNS
from situ.evaluation.protocols.tables import TABLES
from situ.evaluation.protocols.ucs import UCS
from situ.evaluation.protocols.vsi import VSI

register(
    Benchmark(
        REM, made_by("situ.benchmarks.rem.recipe", "RemRecipe"), checked_by("situ.benchmarks.rem.check")
    )
)
register(
    Benchmark(
        SAW, made_by("situ.benchmarks.saw.recipe", "SawRecipe"), checked_by("situ.benchmarks.saw.check")
    )
)
register(
    Benchmark(
        UCS, made_by("situ.benchmarks.ucs.recipe", "UcsRecipe"), checked_by("situ.benchmarks.ucs.check")
    )
)
register(
    Benchmark(
        DISJOINT,
        made_by("situ.benchmarks.disjoint.recipe", "DisjointRecipe"),
        checked_by("situ.benchmarks.disjoint.check"),
    )
)
register(
    Benchmark(
        SNS,
        made_by("situ.benchmarks.narratives.recipe", "NarrativeRecipe"),
        checked_by("situ.benchmarks.narratives.check"),
    )
)
for _imported in (VSI, OPENEQA, *TABLES):
    register(Benchmark(_imported))
