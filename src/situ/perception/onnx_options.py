"""How ONNX files are run: the same numbers on every processor."""

from typing import Any

# Processors without instructions for bytes (VNNI) add pairs of products of bytes in 16 bits, where they
# overflow: of a network in bytes hardly half of the names are left. onnxruntime does the same sums without
# overflow if asked, for about 1.6 times the time; elsewhere this changes nothing.
_WITHOUT_OVERFLOW = "session.x64quantprecision"


def session_options() -> Any:
    """Options for a session of onnxruntime, which has to be installed."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.add_session_config_entry(_WITHOUT_OVERFLOW, "1")
    return options
