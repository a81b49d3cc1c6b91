"""All errors that situ raises on purpose.

SituError
├── BadInput            the caller passed an unusable value, file or folder
│   ├── BadFormat       a file violates its format (truncated, wrong columns, newer version)
│   └── Impossible      no world, walk or question set can satisfy the request
├── Unanswerable        the state lacks what a question needs
├── Refused             the request is valid but would destroy something (needs --force)
├── StorageFailed       a file could not be written (disk full, medium gone); committed data is kept
├── WorkerDied          a job killed its process repeatedly (memory?); all other jobs are done
├── WrongSystem         the operating system lacks a requirement (file locks)
├── Stopped             the user interrupted (Ctrl-C); the message says what is kept and how to resume
└── MissingExtra        an optional dependency is missing; the message contains the install command

Messages say what was wrong, what was given, and what to do. The command line prints each as one line on
stderr with an exit code; it catches no other exceptions.
"""

import difflib
from collections.abc import Iterable, Sequence


class SituError(Exception):
    """Base of all expected failures.

    >>> import situ
    >>> try:
    ...     situ.Memory.open("nowhere.situ")
    ... except situ.SituError as error:
    ...     print(error)
    there is no memory at nowhere.situ; make one with situ watch
    """

    exit_code = 1


class BadInput(SituError):
    """The caller passed an unusable value, file or folder."""

    exit_code = 2


def unknown(kind: str, name: str, known: Iterable[str], where: str = "") -> BadInput:
    """Error for an unknown name, with the most similar known name, and all known names or `where` they are
    listed.

    >>> print(unknown("fruit", "aple", ["apple", "pear"])) unknown fruit 'aple' (did you mean 'apple'?); known
    are apple, pear
    """
    names = sorted(known)
    near = difflib.get_close_matches(name.lower(), names, 1)
    hint = f" (did you mean '{near[0]}'?)" if near else ""
    return BadInput(f"unknown {kind} '{name}'{hint}; {where or 'known are ' + ', '.join(names)}")


class BadFormat(BadInput):
    """A file breaks a rule of its format."""

    exit_code = 1


class Impossible(BadInput):
    """No world, walk or question set can satisfy the request."""


class Unanswerable(SituError):
    """The state does not hold what the question needs; the message says what is missing."""


class Refused(SituError):
    """The request would destroy existing data."""

    exit_code = 2


class WrongSystem(SituError):
    """The operating system lacks a requirement of situ."""


class StorageFailed(SituError):
    """The system could not write or read a file; data committed before is kept."""


class WorkerDied(SituError):
    """Jobs whose processes were killed every time; `names` lists them. All others are done."""

    def __init__(self, names: Sequence[object]) -> None:
        self.names = [str(name) for name in names]
        listed = ", ".join(self.names[:10]) + (f" and {len(names) - 10} more" if len(names) > 10 else "")
        super().__init__(
            f"the process that worked on {listed} was killed three times (out of memory?). All else is done "
            "and kept: run the same command again with fewer --jobs or more memory"
        )


class Stopped(SituError):
    """Interrupted by the user."""

    exit_code = 130


class MissingExtra(SituError):
    """An optional dependency is not installed."""

    exit_code = 2

    def __init__(self, extra: str, gives: str) -> None:
        super().__init__(f"{gives} needs the extra '{extra}'. Install it with: pip install 'situ[{extra}]'")
