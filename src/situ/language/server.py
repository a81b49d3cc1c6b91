"""Models that may hang, with a time limit that holds; an OpenAI-compatible server as a model."""

import http.client
import json
import queue
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from situ.errors import BadInput
from situ.language.interpreter import NoModel

LIMIT_S = 20.0
MOST_BYTES = 1_000_000


@dataclass
class Limited:
    """A model with a time limit; all tries of one question share it.

    The call runs in a thread of its own: a server that hangs, trickles or never resolves is left behind.
    """

    call: Callable[[str, float], str]  # a prompt and the seconds that are left, to a reply
    name: str = "the model"
    limit_s: float = LIMIT_S
    _deadline: float = field(default=0.0, repr=False)

    def __post_init__(self) -> None:
        if not self.limit_s > 0:
            raise BadInput(f"the time limit must be above 0 seconds, got {self.limit_s:g}")

    def begin(self) -> None:
        """Start the clock of one question."""
        self._deadline = time.monotonic() + self.limit_s

    def __call__(self, prompt: str) -> str:
        if not self._deadline:
            self.begin()
        left = self._deadline - time.monotonic()
        if left <= 0:
            raise NoModel(f"{self.name} did not answer within {self.limit_s:g} s")
        replies: queue.Queue[str | Exception] = queue.Queue()
        threading.Thread(target=self._ask, args=(prompt, left, replies), daemon=True).start()
        try:
            reply = replies.get(timeout=left)
        except queue.Empty:
            raise NoModel(f"{self.name} did not answer within {self.limit_s:g} s") from None
        if isinstance(reply, Exception):
            raise NoModel(f"{self.name} could not be asked: {reply}")
        return reply

    def _ask(self, prompt: str, left: float, replies: "queue.Queue[str | Exception]") -> None:
        try:
            replies.put(self.call(prompt, left))
        except Exception as error:  # whatever a server can do: the asker gets a sentence
            replies.put(error)


def chat_server(model: str, base_url: str, api_key: str = "", limit_s: float = LIMIT_S) -> Limited:
    """A model behind `base_url`/chat/completions."""
    parts = urlsplit(base_url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise BadInput(f"--base-url is an address such as http://localhost:8000/v1, got {base_url!r}")
    return Limited(_Post(model, base_url, api_key), f"the model at {base_url}", limit_s)


@dataclass(frozen=True)
class _Post:
    model: str
    base_url: str
    api_key: str

    def __call__(self, prompt: str, left: float) -> str:
        parts = urlsplit(self.base_url)
        kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
        connection = kind(parts.hostname or "", parts.port, timeout=left)
        headers = {"Content-Type": "application/json"}
        if self.api_key:
            headers["Authorization"] = f"Bearer {self.api_key}"
        body = {"model": self.model, "temperature": 0, "messages": [{"role": "user", "content": prompt}]}
        try:
            connection.request(
                "POST", f"{parts.path.rstrip('/')}/chat/completions", json.dumps(body), headers
            )
            response = connection.getresponse()
            data = response.read(MOST_BYTES)
            if response.status != 200:
                raise ValueError(f"status {response.status}")
            reply = json.loads(data)["choices"][0]["message"]["content"]
            if not isinstance(reply, str):
                raise ValueError("the reply holds no text")
            return reply
        except (KeyError, IndexError, TypeError) as error:
            raise ValueError(f"the reply is not that of a chat server ({error!r})") from error
        finally:
            connection.close()
