"""Names from files that others wrote, made safe to be names of folders here."""

import hashlib
import re

from situ.errors import BadInput

LONGEST = 80
_UNSAFE = re.compile(r"[^A-Za-z0-9._-]+")
_SAFE = re.compile(r"[A-Za-z0-9_-][A-Za-z0-9._-]{0,199}")


def safe_name(text: str) -> str:
    """A name without separators, leading dots or anything a file system may take amiss.

    A name that had to be changed ends in a hash of what it was, so that two different names stay different.
    """
    plain = _UNSAFE.sub("_", text.strip()).strip(".")[:LONGEST].strip(".")
    if plain and plain == text:
        return plain
    return f"{plain or 'item'}-{hashlib.sha256(text.encode()).hexdigest()[:8]}"


def check_name(name: str, where: str) -> str:
    """The name, if it can only be that of a folder inside another; refused where it could lead elsewhere."""
    if not _SAFE.fullmatch(name):
        raise BadInput(
            f"{where}: the name {name[:80]!r} is not that of an item; names hold letters, "
            "digits, '.', '_' and '-', and do not begin with a dot"
        )
    return name
