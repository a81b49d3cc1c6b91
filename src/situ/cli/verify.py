"""`situ memory verify --certificate`: check an answer."""

from pathlib import Path

import typer

from situ.cli.common import console, print_json
from situ.errors import BadFormat, BadInput
from situ.language.certificate import Certificate, Check
from situ.language.certificate import verify as run_again
from situ.memory import SpatialMemory
from situ.recording import Recording
from situ.state import TruthState


def verify_answer(certificate: Path, against: Path, as_json: bool) -> None:
    """Run the program of an answer again on a memory, or on the truth of a recording."""
    try:
        check = _check(certificate, against)
    except BadFormat as error:  # whose own exit code is 1, which says here that the answer does not hold
        raise BadInput(str(error)) from error
    if as_json:
        print_json({"holds": check.holds, "value": check.value, "reason": check.reason})
    else:
        console.print(f"holds: {check.value}" if check.holds else f"does not hold: {check.reason}")
    if not check.holds:
        raise typer.Exit(1)


def _check(certificate: Path, against: Path) -> Check:
    claim = Certificate.read(certificate)
    if against.is_dir():
        return run_again(claim, TruthState.of(Recording.open(against)).as_of(claim.at), exactly=False)
    with SpatialMemory.open(against, read_only=True) as memory:
        return run_again(claim, memory.state(claim.at, claim.known_at))
