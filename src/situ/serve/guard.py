"""The door that every request passes: host, origin, rate, token and size are looked at before the rest."""

import asyncio
import time
from collections.abc import Awaitable, Callable, MutableMapping
from contextvars import ContextVar
from functools import lru_cache
from ipaddress import ip_address
from typing import Any

from situ.serve.access import NOBODY, Access, Caller, is_loopback
from situ.serve.failure import Failure, failure_of, forbidden, too_large
from situ.serve.journal import Journal, span
from situ.serve.limits import Limits, RateLimit
from situ.serve.metrics import Metrics

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

CALLER: ContextVar[Caller] = ContextVar("caller", default=NOBODY)
QUESTION: ContextVar[str] = ContextVar("question", default="")
PROTOCOL = "situ.v1"
_GUARDED = ("/v1/", "/mcp", "/metrics")
_OPEN = ("/v1/healthz",)
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
        self._app, self._access, self._hosts, self._limits = app, access, hosts, limits
        self._metrics, self._journal = metrics, journal
        self._rate = RateLimit(limits.rate, limits.burst)
        self._counters: dict[tuple[str, str, int], Any] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        began, status, started = time.perf_counter(), 0, False

        async def reply(message: MutableMapping[str, Any]) -> None:
            nonlocal status, started
            if message["type"] in ("http.response.start", "websocket.http.response.start"):
                status, started = message["status"], True
                message["headers"] = [*message.get("headers", ()), *self._said]
                if scope["path"].startswith("/v1/"):
                    message["headers"].append((b"cache-control", b"no-store"))
            elif message["type"] == "websocket.accept":
                status, started = 101, True
            await send(message)

        CALLER.set(NOBODY)
        QUESTION.set("")
        with span(f"{scope['type']} {_route(scope)}"):
            try:
                headers = _headers(scope)
                self._check(scope, headers)
                if scope["type"] == "http":
                    receive = await self._read(headers, receive)
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
        self._note(scope, status, began)

    def _check(self, scope: Scope, headers: dict[str, str]) -> None:
        self._hosts.check(scope, headers)
        path = scope["path"]
        if not path.startswith(_GUARDED) or path in _OPEN:
            return
        client = scope.get("client")
        self._rate.take(str(client[0]) if client else "")
        caller = self._access.caller(_token(headers))
        CALLER.set(caller)

    async def _read(self, headers: dict[str, str], receive: Receive) -> Receive:
        """The body, whole and within its limits of size and time, so that nobody after us need look."""
        most = self._limits.max_body
        stated = headers.get("content-length", "0")
        if not stated.isascii() or not stated.isdigit():
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
            raise Failure(408, "too_slow", "the body did not come in time") from error
        given = False

        async def again() -> MutableMapping[str, Any]:
            nonlocal given
            if given:
                return await receive()
            given = True
            return {"type": "http.request", "body": body, "more_body": False}

        return again

    def _note(self, scope: Scope, status: int, began: float) -> None:
        route, method = _route(scope), scope.get("method", "WS")
        self._count(route, method, status)
        more = {"question": QUESTION.get()} if self._journal.questions and QUESTION.get() else {}
        self._journal.line(
            route=route, method=method, status=status, token=CALLER.get().id,
            memory=str(scope.get("path_params", {}).get("m", ""))[:64] if status < 400 else "",
            ms=round(1000 * (time.perf_counter() - began), 1), **more,
        )  # fmt: skip

    def _count(self, route: str, method: str, status: int) -> None:
        seen = (route, method, status)
        counter = self._counters.get(seen)
        if counter is None:
            counter = self._counters[seen] = self._metrics.requests.labels(route, method, str(status))
        counter.inc()


class Hosts:
    """Under which names this server may be called. A page elsewhere that points its own name at this machine
    (DNS rebinding) is turned away: a bare address cannot be pointed anywhere."""

    def __init__(self, bound: str, names: tuple[str, ...] = ()) -> None:
        self._only_loopback = is_loopback(bound)
        self._names = {name.lower() for name in names} | {"localhost"}
        if not _is_address(bound):
            self._names.add(bound.lower())
        self._known = lru_cache(256)(self._is_known)  # clients say the same name again and again

    def check(self, scope: Scope, headers: dict[str, str]) -> None:
        host = headers.get("host", "")
        if not self._known(_without_port(host)):
            raise Failure(
                421, "wrong_host", "this server does not go by that name", "add it with --allow-host NAME"
            )
        origin = headers.get("origin")
        if origin is not None and origin not in (f"http://{host}", f"https://{host}"):
            raise forbidden("requests from pages of other sites are not served")
        if headers.get("sec-fetch-site") == "cross-site" and headers.get("sec-fetch-mode") != "navigate":
            raise forbidden("requests from pages of other sites are not served")

    def _is_known(self, name: str) -> bool:
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


def _headers(scope: Scope) -> dict[str, str]:
    """By name. One that must not come twice and does is refused: two readers could disagree about it."""
    found: dict[str, str] = {}
    for name, value in scope["headers"]:
        key = name.decode("latin-1").lower()
        if key in found and key in ("host", "origin", "authorization", "content-length"):
            raise Failure(400, "bad_request", f"the header {key} was sent twice")
        found[key] = value.decode("latin-1")
    return found


def _token(headers: dict[str, str]) -> str | None:
    """From the Authorization header, or for browsers' WebSockets, which have none, as a second protocol."""
    kind, _, token = headers.get("authorization", "").partition(" ")
    if kind.lower() == "bearer" and token.strip():
        return token.strip()
    offered = [part.strip() for part in headers.get("sec-websocket-protocol", "").split(",")]
    if len(offered) == 2 and offered[0] == PROTOCOL:
        return offered[1]
    return None


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
