"""How each benchmark is asked, read, scored and summed up. One file per benchmark."""

from situ.errors import BadInput
from situ.evaluate.protocols.base import Analysis, Protocol, Published
from situ.evaluate.protocols.disjoint import DISJOINT
from situ.evaluate.protocols.openeqa import OPENEQA
from situ.evaluate.protocols.rem import REM
from situ.evaluate.protocols.saw import SAW
from situ.evaluate.protocols.sns import SNS
from situ.evaluate.protocols.tables import TABLES
from situ.evaluate.protocols.ucs import UCS
from situ.evaluate.protocols.vsi import VSI

PROTOCOLS: dict[str, Protocol] = {
    p.benchmark: p for p in (REM, SAW, UCS, VSI, DISJOINT, SNS, OPENEQA, *TABLES)
}

__all__ = ["PROTOCOLS", "Analysis", "Protocol", "Published", "protocol_of"]


def protocol_of(benchmark: str) -> Protocol:
    if benchmark not in PROTOCOLS:
        raise BadInput(
            f"no protocol is known for the benchmark '{benchmark}'; known are {', '.join(sorted(PROTOCOLS))}"
        )
    return PROTOCOLS[benchmark]
