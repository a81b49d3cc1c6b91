"""The pages and routes for people who annotate: `situ serve --annotate` adds them to those of memories."""

from dataclasses import replace

from starlette.routing import Route

from situ.annotate.blind import model_guesser
from situ.serve.annotate_api import AnnotateApi
from situ.serve.annotate_media import AnnotateMedia
from situ.serve.annotate_queues import Queues
from situ.serve.limits import Limits
from situ.serve.pages import routes_of
from situ.serve.workers import Workers

_OWN = (
    "annotate.css", "annotate.js", "annotate_common.js", "annotate_edit.js", "annotate_fields.js",
    "annotate_merge.js", "annotate_player.js", "annotate_timeline.js", "annotate_training.js", "refine.js",
)  # fmt: skip
_PAGES = {"/annotate/{q}": "annotate.html", "/refine/{q}": "refine.html"}


def annotate_routes(queues: Queues, workers: Workers, model: str = "") -> list[Route]:
    """`model` takes the blind test; without one the built-in guesser does."""
    api = AnnotateApi(queues, workers, model, model_guesser(model) if model else None)
    pages = routes_of({**_PAGES, **{f"/{name}": name for name in _OWN}})
    return [*pages, *api.routes(), *AnnotateMedia(api, workers).routes()]


def with_people(limits: Limits) -> Limits:
    """A person who plays a stream and types asks for many things a second, several may share an address, and
    a blind test waits for a model."""
    return replace(
        limits, rate=max(limits.rate, 100.0), burst=max(limits.burst, 400.0),
        question_s=max(limits.question_s, 60.0),
    )  # fmt: skip
