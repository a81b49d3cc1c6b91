"""uvicorn's WebSocket, which says in the log what no server need be told: that a client sent no UTF-8."""

from typing import Any

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.protocol import State

_NOT_TEXT = 1007  # RFC 6455: data that is not what its frame says


class StrictWebSocket(WebSocketsSansIOProtocol):  # type: ignore[misc, unused-ignore]
    """Ends a line on which a text came that is none, also where the client has gone by then."""

    conn: Any  # of the library that reads frames
    frames: list[bytes]  # of the message that is coming

    def send_receive_event_to_app(self) -> None:
        if self.curr_msg_data_type != "text" or self.close_sent or _is_text(b"".join(self.frames)):
            super().send_receive_event_to_app()
            return
        self.frames = []
        if self.conn.state is State.OPEN:  # else the client closed, and was answered
            self.conn.send_close(_NOT_TEXT)
        self.handle_parser_exception()


def _is_text(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True
