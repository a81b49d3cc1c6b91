"""`situ serve --mcp FILE…` without the parser of the other verbs; failures look the same."""

import logging
import sys
from pathlib import Path

from situ.errors import SituError
from situ.serve.stdio import serve_stdio


def main() -> None:
    logging.basicConfig(level=logging.WARNING, format="%(message)s")
    logging.getLogger("situ").setLevel(logging.INFO)  # such as: kernels are being compiled
    try:
        serve_stdio([Path(word) for word in sys.argv[3:]])
    except SituError as error:
        print(f"situ: {error}", file=sys.stderr)
        sys.exit(error.exit_code)
    except KeyboardInterrupt:
        sys.exit(130)
