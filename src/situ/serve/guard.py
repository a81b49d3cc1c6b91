"""The door that every request passes: host, origin, rate, token and size are looked at before the rest."""

import asyncio
import time
from collections.abc import Awaitable, Callable, MutableMapping
from contextvars import ContextVar
from functools import lru_cache
from ipaddress import ip_address
from typing import Any

from situ.serve.access import NOBODY, Access, Caller, is_loopback
from situ.serve.failure import Failure, failure_of, forbidden, too_large, too_slow
from situ.serve.journal import Journal, span, within
from situ.serve.limits import Limits, RateLimit
from situ.serve.metrics import Metrics

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

CALLER: ContextVar[Caller] = ContextVar("caller", default=NOBODY)
QUESTION: ContextVar[str] = ContextVar("question", default="")
PROTOCOL = "situ.v1"
BODY = "situ.body"  # of a scope: the body, which has been read whole
_GUARDED = ("/v1/", "/mcp", "/metrics")
_OPEN = ("/v1/healthz",)
_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "WS"})
_ONCE = (b"host", b"origin", b"authorization", b"content-length")
Headers = tuple[tuple[bytes, bytes], ...]


def page_headers(framed_by: tuple[str, ...] = ()) -> Headers:
    """What browsers are told with every answer. `framed_by` are sites that may show a page in a frame and be
    sent its form; nobody else may."""
    sites = " ".join(framed_by) or "'none'"
    policy = (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; "
        "connect-src 'self'; media-src 'self' blob:; base-uri 'none'; "
        f"form-action {sites}; frame-ancestors {sites}"
    )
    found = (
        (b"x-content-type-options", b"nosniff"),
        (b"referrer-policy", b"no-referrer"),
        (b"cross-origin-resource-policy", b"same-origin"),
        (b"content-security-policy", policy.encode()),
        (b"permissions-policy", b"camera=(self), microphone=()"),
    )
    return found if framed_by else (*found, (b"x-frame-options", b"DENY"))


class Guard:
    """Wraps the whole application."""

    def __init__(
        self,
        app: App,
        access: Access,
        hosts: "Hosts",
        limits: Limits,
        metrics: Metrics,
        journal: Journal,
        framed_by: tuple[str, ...] = (),
    ) -> None:
        self._said = page_headers(framed_by)
        self._said_of_data = (*self._said, (b"cache-control", b"no-store"))
        self._app, self._access, self._hosts, self._limits = app, access, hosts, limits
        self._metrics, self._journal = metrics, journal
        self._rate = RateLimit(limits.rate, limits.burst)
        self._alike: dict[tuple[str, str, int, str, str], tuple[Any, str]] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        began, status, started = time.perf_counter(), 0, False

        async def reply(message: MutableMapping[str, Any]) -> None:
            nonlocal status, started
            if message["type"] in ("http.response.start", "websocket.http.response.start"):
                status, started = message["status"], True
                told = self._said_of_data if scope["path"].startswith("/v1/") else self._said
                message["headers"] = [*message.get("headers", ()), *told]
            elif message["type"] == "websocket.accept":
                status, started = 101, True
            await send(message)

        CALLER.set(NOBODY)
        QUESTION.set("")
        with span(scope["type"]) as measured:
            try:
                headers = _headers(scope)
                self._check(scope, headers)
                if scope["type"] == "http":
                    body = scope[BODY] = await self._read(headers, receive)
                    receive = _again(body, receive)
                await self._app(scope, receive, reply)
            except asyncio.CancelledError:
                raise
            except BaseException as error:
                failure = failure_of(error)
                if failure.status == 500:
                    self._journal.fault(error)
                if not started:
                    await _refuse(scope, failure, reply)
                elif scope["type"] == "websocket":
                    await send({"type": "websocket.close", "code": 1011})
            if measured is not None:  # which route it is, is known by now
                measured.update_name(f"{scope['type']} {_route(scope)}")
        self._note(scope, status, began)

    def _check(self, scope: Scope, headers: dict[bytes, bytes]) -> None:
        self._hosts.check(headers)
        path = scope["path"]
        if not path.startswith(_GUARDED) or path in _OPEN:
            return
        client = scope.get("client")
        self._rate.take(str(client[0]) if client else "")
        caller = self._access.caller(_token(headers))
        CALLER.set(caller)

    async def _read(self, headers: dict[bytes, bytes], receive: Receive) -> bytes:
        """The body, whole and within its limits of size and time, so that nobody after us need look."""
        most = self._limits.max_body
        stated = headers.get(b"content-length", b"0")
        if not stated.isdigit():
            raise Failure(400, "bad_request", "the content length is no number")
        if int(stated[:20]) > most:
            raise too_large(f"a body may have {most} bytes")
        body, more = b"", True
        try:
            async with asyncio.timeout(self._limits.body_s):
                while more:
                    message = await receive()
                    if message["type"] == "http.disconnect":
                        raise Failure(400, "bad_request", "the client went away")
                    body += message.get("body", b"")
                    more = message.get("more_body", False)
                    if len(body) > most:
                        raise too_large(f"a body may have {most} bytes")
        except TimeoutError as error:
            raise too_slow("the body did not come in time") from error
        return body

    def _note(self, scope: Scope, status: int, began: float) -> None:
        """Count the request and write its line; what is said of all that are alike is put into words once."""
        method = scope.get("method", "WS")
        if method not in _METHODS:
            method = "other"  # whoever makes names up must not make counters
        memory = str(scope.get("path_params", {}).get("m", ""))[:64] if status < 400 else ""
        alike = (_route(scope), method, status, CALLER.get().id, memory)
        if alike not in self._alike:
            names = ("route", "method", "status", "token", "memory")
            told = within(**dict(zip(names, alike, strict=True)))
            self._alike[alike] = (self._metrics.requests.labels(*alike[:2], str(status)), told)
        counter, told = self._alike[alike]
        counter.inc()
        self._journal.request(told, 1000 * (time.perf_counter() - began), QUESTION.get())


class Hosts:
    """Under which names this server may be called. A page elsewhere that points its own name at this machine
    (DNS rebinding) is turned away: a bare address cannot be pointed anywhere."""

    def __init__(self, bound: str, names: tuple[str, ...] = ()) -> None:
        self._only_loopback = is_loopback(bound)
        self._names = {name.lower() for name in names} | {"localhost"}
        if not _is_address(bound):
            self._names.add(bound.lower())
        self._known = lru_cache(256)(self._is_known)  # clients say the same name again and again

    def check(self, headers: dict[bytes, bytes]) -> None:
        host = headers.get(b"host", b"")
        if not self._known(host):
            raise Failure(
                421, "wrong_host", "this server does not go by that name", "add it with --allow-host NAME"
            )
        origin = headers.get(b"origin")
        if origin is not None and origin not in (b"http://" + host, b"https://" + host):
            raise forbidden("requests from pages of other sites are not served")
        if headers.get(b"sec-fetch-site") == b"cross-site" and headers.get(b"sec-fetch-mode") != b"navigate":
            raise forbidden("requests from pages of other sites are not served")

    def _is_known(self, host: bytes) -> bool:
        name = _without_port(host.decode("latin-1"))
        if name.lower() in self._names:
            return True
        return _is_address(name) and (is_loopback(name) or not self._only_loopback)


def _without_port(host: str) -> str:
    if host.startswith("["):
        return host[1:].partition("]")[0]
    return host.partition(":")[0]


def _is_address(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return False
    return True


def _headers(scope: Scope) -> dict[bytes, bytes]:
    """By name. One that must not come twice and does is refused: two readers could disagree about it."""
    found = {name.lower(): value for name, value in scope["headers"]}
    if len(found) < len(scope["headers"]):
        names = [name.lower() for name, _ in scope["headers"]]
        twice = next((name for name in _ONCE if names.count(name) > 1), None)
        if twice is not None:
            raise Failure(400, "bad_request", f"the header {twice.decode()} was sent twice")
    return found


def _token(headers: dict[bytes, bytes]) -> str | None:
    """From the Authorization header, or for browsers' WebSockets, which have none, as a second protocol."""
    kind, _, token = headers.get(b"authorization", b"").decode("latin-1").partition(" ")
    if kind.lower() == "bearer" and token.strip():
        return token.strip()
    offered = [
        part.strip() for part in headers.get(b"sec-websocket-protocol", b"").decode("latin-1").split(",")
    ]
    if len(offered) == 2 and offered[0] == PROTOCOL:
        return offered[1]
    return None


def _again(body: bytes, receive: Receive) -> Receive:
    """To receive what has been read already, and then what comes after it."""
    given = False

    async def again() -> MutableMapping[str, Any]:
        nonlocal given
        if given:
            return await receive()
        given = True
        return {"type": "http.request", "body": body, "more_body": False}

    return again


def _route(scope: Scope) -> str:
    """The route as it is written down, without the names in it."""
    route = scope.get("route")
    return str(getattr(route, "path", "")) or ("/mcp" if scope["path"] == "/mcp" else "other")


async def _refuse(scope: Scope, failure: Failure, send: Send) -> None:
    body = failure.body()
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    headers += [(name.lower().encode(), value.encode()) for name, value in failure.headers.items()]
    kind = "http.response"
    if scope["type"] == "websocket":
        if "websocket.http.response" not in scope.get("extensions", {}):
            await send({"type": "websocket.close", "code": 1008})
            return
        kind = "websocket.http.response"
    await send({"type": f"{kind}.start", "status": failure.status, "headers": headers})
    await send({"type": f"{kind}.body", "body": body})
