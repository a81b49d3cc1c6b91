"""Data that travels inside a page."""

import json
from typing import Any


def script_json(data: Any) -> str:
    """JSON that may stand in a `<script>` element: no "<" in it, so no name can end the element or open a
    comment that swallows the rest of the page."""
    return json.dumps(data).replace("<", "\\u003c")
