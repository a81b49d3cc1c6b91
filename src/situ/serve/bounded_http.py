"""The faster of uvicorn's parsers with a bound: as it comes, it takes heads and trailers of any size."""

from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

MOST_HEAD = 32 * 1024


class BoundedHttp(HttpToolsProtocol):  # type: ignore[misc, unused-ignore]
    """Closes a line on which more bytes came than a head may have, and nothing was completed by them."""

    _moved = False
    _stalled = 0

    def data_received(self, data: bytes) -> None:
        self._moved = False
        super().data_received(data)
        self._stalled = 0 if self._moved else self._stalled + len(data)
        if self._stalled > MOST_HEAD and not self.transport.is_closing():
            self.send_400_response("The head of the request is too large.")

    def on_headers_complete(self) -> Any:
        self._moved = True
        return super().on_headers_complete()

    def on_body(self, body: bytes) -> Any:
        self._moved = True
        return super().on_body(body)

    def on_message_complete(self) -> Any:
        self._moved = True
        return super().on_message_complete()
