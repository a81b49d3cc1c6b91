"""What goes wrong with a request, as a status, a code, a sentence and a hint; never a traceback."""

import json
from collections.abc import Mapping
from http import HTTPStatus

from situ.errors import BadInput, Refused, SituError, StorageFailed, Unanswerable


class Failure(SituError):
    """A request that cannot be served, with the HTTP status that says so."""

    def __init__(
        self, status: int, code: str, message: str, hint: str = "", headers: Mapping[str, str] | None = None
    ) -> None:
        super().__init__(message)
        self.status, self.code, self.hint = status, code, hint
        self.headers = dict(headers or {})

    def body(self) -> bytes:
        said = {"code": self.code, "message": str(self), "hint": self.hint}
        return json.dumps({"error": said}).encode()

    def whole_response(self) -> bytes:
        """All bytes of an answer after which the line is closed, for where there is no request to answer."""
        body = self.body()
        headers = {
            "Content-Type": "application/json", "Content-Length": str(len(body)), "Connection": "close",
            **self.headers,
        }  # fmt: skip
        lines = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
        return f"HTTP/1.1 {self.status} {HTTPStatus(self.status).phrase}\r\n{lines}\r\n".encode() + body


def no_token(message: str) -> Failure:
    return Failure(
        401, "no_token", message, "send 'Authorization: Bearer TOKEN'", {"WWW-Authenticate": "Bearer"}
    )


def forbidden(message: str, hint: str = "") -> Failure:
    return Failure(403, "forbidden", message, hint)


def not_found(message: str, hint: str = "") -> Failure:
    return Failure(404, "not_found", message, hint)


def too_large(message: str) -> Failure:
    return Failure(413, "too_large", message)


def too_many(seconds: float) -> Failure:
    wait = max(1, round(seconds + 0.5))
    return Failure(
        429, "too_many", "too many requests", f"wait {wait} s and try again", {"Retry-After": str(wait)}
    )


def too_many_connections() -> Failure:
    return Failure(429, "too_many", "too many connections from your address", "close some and try again")


def too_slow(message: str) -> Failure:
    return Failure(408, "too_slow", message)


def overloaded(message: str) -> Failure:
    return Failure(503, "overloaded", message, "try again", {"Retry-After": "1"})


# The first that an error is an instance of; what is not listed is the server's own fault.
_STATUS: tuple[tuple[type[SituError], int, str], ...] = (
    (Refused, 409, "refused"),
    (BadInput, 400, "bad_request"),
    (Unanswerable, 422, "unanswerable"),
    (StorageFailed, 503, "storage_failed"),
)


def failure_of(error: BaseException, hidden: Mapping[str, str] | None = None) -> Failure:
    """An error as a failure. `hidden` are texts, such as paths of this machine, and what is said instead."""
    if isinstance(error, Failure):
        return error
    if not isinstance(error, SituError):
        return Failure(500, "internal", "the server made a mistake; its log says which")
    message = str(error)
    for text, instead in (hidden or {}).items():
        message = message.replace(text, instead)
    for kind, status, code in _STATUS:
        if isinstance(error, kind):
            return Failure(status, code, message)
    return Failure(500, "failed", message)
