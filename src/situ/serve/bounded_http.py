"""The faster of uvicorn's parsers with bounds: as it comes, it takes heads and trailers of any size, waits
for them for ever, and lets one address hold every connection that the server has."""

import asyncio
from ipaddress import IPv6Address, ip_address
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from situ.serve.failure import Failure, too_many_connections, too_slow

MOST_HEAD = 32 * 1024
HEAD_S = 10.0  # as long as a body may take to come
MOST_CONNECTIONS = 512  # of everybody together
MOST_OF_ONE_ADDRESS = 128  # a quarter of all; a phone or a browser needs six


class BoundedHttp(HttpToolsProtocol):  # type: ignore[misc, unused-ignore]
    """Closes a line on which more bytes came than a head may have, or whose head took too long, when nothing
    was completed by them; and a line of an address that holds too many."""

    _moved = False
    _stalled = 0
    _head_timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override, unused-ignore]
        super().connection_made(transport)
        home = _network(self.client)
        if sum(_network(other.client) == home for other in self.connections) > MOST_OF_ONE_ADDRESS:
            self._turn_away(too_many_connections())
            return
        self._await_head()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_waiting()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        self._moved = False
        super().data_received(data)
        self._stalled = 0 if self._moved else self._stalled + len(data)
        if self._stalled > MOST_HEAD and not self.transport.is_closing():
            self.send_400_response("The head of the request is too large.")
        answering = self.cycle is not None and not self.cycle.response_complete
        # A line that became a WebSocket is no longer among the connections.
        if not answering and self in self.connections and not self.transport.is_closing():
            self._await_head()

    def on_headers_complete(self) -> Any:
        self._moved = True
        self._stop_waiting()
        return super().on_headers_complete()

    def on_body(self, body: bytes) -> Any:
        self._moved = True
        return super().on_body(body)

    def on_message_complete(self) -> Any:
        self._moved = True
        return super().on_message_complete()

    def _await_head(self) -> None:
        if self._head_timer is None:
            slow = too_slow("the head of the request did not come in time")
            self._head_timer = self.loop.call_later(HEAD_S, self._turn_away, slow)

    def _stop_waiting(self) -> None:
        if self._head_timer is not None:
            self._head_timer.cancel()
            self._head_timer = None

    def _turn_away(self, failure: Failure) -> None:
        if not self.transport.is_closing():
            self.transport.write(failure.whole_response())
            self.transport.close()


def _network(client: tuple[str, int] | None) -> str:
    """The address of a client; of IPv6 the network, because one home has 2**64 addresses."""
    if client is None:
        return ""
    try:
        address = ip_address(client[0])
    except ValueError:
        return client[0]
    if not isinstance(address, IPv6Address):
        return str(address)
    return str(address.ipv4_mapped or address.exploded[:19])
