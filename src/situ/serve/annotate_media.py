"""Frames of a queue's sources, by number: the frame table, and pictures one by one or several at a time."""

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from situ.annotate.pictures import joined
from situ.serve.annotate_api import AnnotateApi
from situ.serve.body import MOST_FRAMES, Fields
from situ.serve.workers import Workers

MOST_AT_ONCE = 64


class AnnotateMedia:
    def __init__(self, api: AnnotateApi, workers: Workers) -> None:
        self._api, self._workers = api, workers

    def routes(self) -> list[Route]:
        one = "/v1/queues/{q}/sources/{s}"
        return [
            Route(f"{one}/times", self._api.told(self.times), methods=["GET"]),
            Route(f"{one}/frames", self._api.told(self.frames), methods=["GET"]),
        ]

    async def times(self, request: Request) -> Response:
        """The time of every frame in seconds: doubles, least significant byte first."""
        queue = self._api.opened(request)
        name = queue.source(request.path_params["s"]).name
        table = await self._workers.run(queue.media.times, name)
        return Response(table.astype("<f8").tobytes(), media_type="application/octet-stream")

    async def frames(self, request: Request) -> Response:
        """Consecutive frames as JPEG, each after its length in four bytes."""
        queue = self._api.opened(request)
        name = queue.source(request.path_params["s"]).name
        fields = Fields(request.query_params)
        start, count = fields.whole("from", 0, MOST_FRAMES, 0), fields.whole("count", 1, MOST_AT_ONCE, 1)
        width = fields.whole("width", 16, 4096, 640)
        fields.done()

        def read() -> bytes:
            return joined(list(queue.media.pictures(name).jpegs(start, count, width)))

        return Response(await self._workers.run(read), media_type="application/octet-stream")
