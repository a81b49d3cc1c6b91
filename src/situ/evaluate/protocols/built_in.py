"""The benchmarks of this package, each with its protocol and with the module that checks its keys."""

from situ.evaluate.benchmark import Benchmark, checked_by, register
from situ.evaluate.protocols.disjoint import DISJOINT
from situ.evaluate.protocols.openeqa import OPENEQA
from situ.evaluate.protocols.rem import REM
from situ.evaluate.protocols.saw import SAW
from situ.evaluate.protocols.sns import SNS
from situ.evaluate.protocols.tables import TABLES
from situ.evaluate.protocols.ucs import UCS
from situ.evaluate.protocols.vsi import VSI

register(Benchmark(REM, check=checked_by("situ.benchmarks.rem.check")))
register(Benchmark(SAW, check=checked_by("situ.benchmarks.saw.check")))
register(Benchmark(UCS, check=checked_by("situ.benchmarks.ucs.check")))
register(Benchmark(DISJOINT, check=checked_by("situ.benchmarks.disjoint.check")))
register(Benchmark(SNS, check=checked_by("situ.benchmarks.narratives.check")))
for _imported in (VSI, OPENEQA, *TABLES):
    register(Benchmark(_imported))
