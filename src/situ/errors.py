"""Every error that situ raises on purpose.

SituError
├── BadInput            something the caller gave cannot be used: a value, a file, a folder
│   ├── BadFormat       a file breaks a rule of its format (truncated, wrong columns, newer version)
│   └── Impossible      a request that no world, walk or question set can satisfy
├── Unanswerable        a question needs something that the state does not hold
├── Refused             the request is fine but would destroy something (needs --force)
├── StorageFailed       a file could not be written (disk full, medium gone); what was committed is kept
├── WorkerDied          a job killed its process again and again (memory?); all other jobs are done
├── WrongSystem         this operating system lacks what situ is built on (file locks); says what to use
├── Stopped             the user ended it (Ctrl-C); the message says what is kept and how to go on
└── MissingExtra        an optional dependency is not installed; the message holds the install line

Messages say what was wrong, what was given, and what to do. The command line turns each of them into
one line on stderr and an exit code; nothing else is caught there.
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
    """Something the caller gave cannot be used."""

    exit_code = 2


def unknown(kind: str, name: str, known: Iterable[str], where: str = "") -> BadInput:
    """The error for a name that there is not: with the one that was probably meant, and all that there are or
    `where` they are listed.

    >>> print(unknown("fruit", "aple", ["apple", "pear"]))
    unknown fruit 'aple' (did you mean 'apple'?); known are apple, pear
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
    """The request would destroy something that is already there."""

    exit_code = 2


class WrongSystem(SituError):
    """The operating system lacks something that situ is built on."""


class StorageFailed(SituError):
    """A file could not be written or read by the system; what was committed before is kept."""


class WorkerDied(SituError):
    """Jobs whose processes were killed each time; `names` says which, and all others are done."""

    def __init__(self, names: Sequence[object]) -> None:
        self.names = [str(name) for name in names]
        told = ", ".join(self.names[:10]) + (f" and {len(names) - 10} more" if len(names) > 10 else "")
        super().__init__(
            f"the process that worked on {told} was killed three times (out of memory?). All else is done "
            "and kept: run the same command again with fewer --jobs or more memory"
        )


class Stopped(SituError):
    """Ended by the user."""

    exit_code = 130


class MissingExtra(SituError):
    """An optional dependency is not installed."""

    exit_code = 2

    def __init__(self, extra: str, gives: str) -> None:
        super().__init__(f"{gives} needs the extra '{extra}'. Install it with: pip install 'situ[{extra}]'")
