"""`situ verify`: run a certificate again."""

from pathlib import Path
from typing import Annotated

import typer

from situ.cli.common import JsonFlag, console, print_json
from situ.errors import BadFormat, BadInput
from situ.language.certificate import Certificate, Check
from situ.language.certificate import verify as run_again
from situ.memory import SpatialMemory
from situ.recording import Recording
from situ.state import TruthState


def verify(
    certificate: Annotated[Path, typer.Argument(help="What `situ ask --json` printed, in a file.")],
    against: Annotated[Path, typer.Argument(help="The memory that answered, or a recording, for its truth.")],
    as_json: JsonFlag = False,
) -> None:
    """Run the program of an answer again, on the memory or on the truth of a recording.

    On the memory every number must come out again; on the truth the value must. Exit code 1 if not, 2
    where it cannot be tried: a file that is none, or a question kind that is not known here.
    """
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
