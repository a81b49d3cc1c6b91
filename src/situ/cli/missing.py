"""Which extra brings a module that is not installed, from the metadata of this package: one line instead of a
traceback, for every verb and every extra."""

import re
from importlib.metadata import PackageNotFoundError, requires

from situ.errors import MissingExtra

_IMPORTED_AS = {"pillow": "PIL", "rerun-sdk": "rerun", "pyliblzfse": "liblzfse", "hatchling": "hatch"}
_NEED = re.compile(r"""(?P<name>[A-Za-z0-9._-]+).*extra\s*==\s*['"](?P<extra>[^'"]+)""")


def missing_extra(error: ModuleNotFoundError, verb: str) -> MissingExtra | None:
    """The error to show for a module of an extra; None for a module that no extra brings."""
    module = (error.name or "").partition(".")[0]
    extras = [extra for extra, name in _modules() if name == module]
    if not module or not extras:
        return None
    # A verb that is called as an extra is what that extra is for.
    return MissingExtra(verb if verb in extras else extras[0], f"`situ {verb}`")


def _modules() -> list[tuple[str, str]]:
    """(extra, module) for all that the extras bring."""
    try:
        needs = requires("situ") or []
    except PackageNotFoundError:  # run from a checkout that is not installed
        return []
    found = [_NEED.match(need) for need in needs]
    return [(need["extra"], _module_of(need["name"])) for need in found if need]


def _module_of(distribution: str) -> str:
    return _IMPORTED_AS.get(distribution.lower(), distribution.replace("-", "_"))
