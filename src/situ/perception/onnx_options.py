"""How ONNX files are run: the same numbers on every processor."""

import re
from functools import cache
from pathlib import Path
from typing import Any

# Processors without instructions for bytes (VNNI) add pairs of products of bytes in 16 bits, where they
# overflow: of a network in bytes hardly half of the names are left. onnxruntime does the same sums without
# overflow if asked, for 1.6 times the time there, but for twice the time where these instructions are, since
# it leaves them aside then: so it is asked wherever they are not known to be there.
_WITHOUT_OVERFLOW = "session.x64quantprecision"
_FOR_BYTES = re.compile(r"^flags\s*:.*\bavx(512)?_vnni\b", re.MULTILINE)
_PROCESSOR = Path("/proc/cpuinfo")


def session_options() -> Any:
    """Options for a session of onnxruntime, which has to be installed."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.log_severity_level = 3  # errors: how a file might be smaller is no news to who watches
    if not _bytes_are_exact(_PROCESSOR):
        options.add_session_config_entry(_WITHOUT_OVERFLOW, "1")
    return options


@cache
def _bytes_are_exact(about: Path) -> bool:
    """Whether this processor, as Linux describes it, has instructions for sums of bytes."""
    try:
        return _FOR_BYTES.search(about.read_text()) is not None
    except (OSError, UnicodeDecodeError):
        return False
