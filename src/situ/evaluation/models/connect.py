"""The way to a model: opening it, trying it, and telling what failed on the way."""

import asyncio
import re
import threading
from typing import Any
from urllib.error import HTTPError

from situ.errors import BadInput, MissingExtra, SituError
from situ.evaluation.models.provider_errors import UNAUTHORISED, KeyRefused, checked
from situ.evaluation.models.settings import (
    OPEN_SERVER,
    OWN_SERVER,
    PROBE,
    PROBE_TOKENS,
    ModelSettings,
    key_of,
    key_variable,
)

LATE = "nothing came back in time"
# Errors of the way and not of the question; providers have classes of their own for them.
_STYLE = re.compile(
    r"\[/?(?:bold|italic|dim|blue|red|green|yellow|cyan)\]"
)  # of messages made for a terminal
_ON_THE_WAY = re.compile(
    r"connect|timeout|timed ?out|reset|refused|remoteprotocol|readerror|broken ?pipe",
    re.IGNORECASE,
)


class Unreachable(SituError):
    """A model that does not answer."""


def open_model(settings: ModelSettings) -> Any:
    """The engine's model. What it needs and lacks (a key, a package, another name) is said in its words."""
    return _open(settings.model, settings.base_url, dict(settings.model_args))


def open_roles(settings: ModelSettings) -> dict[str, Any]:
    """The judge, the proxy and the extractor; those of the model's own provider are at its server."""
    provider = settings.model.split("/")[0]
    opened = {}
    for role, name in settings.roles.items():
        same = name.split("/")[0] == provider
        arguments = dict(settings.model_args) if same else {}
        opened[role] = _open(name, settings.base_url if same else "", arguments)
    return opened


def _open(name: str, base_url: str, arguments: dict[str, Any], memoize: bool = True) -> Any:
    try:
        from inspect_ai.model import get_model

        from situ.evaluation.models import providers  # noqa: F401  (registers our own)
    except ModuleNotFoundError as error:
        raise MissingExtra("eval", "asking models") from error
    if base_url and name.startswith(f"{OPEN_SERVER}/") and "api_key" not in arguments:
        arguments["api_key"] = key_of(name.split("/")[1])
    try:
        model = get_model(name, base_url=base_url or None, memoize=memoize, **arguments)
        if ready := getattr(model.api, "ready", None):
            ready()
        return model if name.startswith("situ-") else checked(model)
    except BadInput:
        raise
    except Exception as error:  # every provider has its own error for a missing key or package
        words = " ".join(_STYLE.sub("", str(error)).split()) or type(error).__name__
        named = base_url and not name.startswith(f"{OPEN_SERVER}/")
        hint = f"; a model of the server at {base_url} is called {OWN_SERVER}/{name}" if named else ""
        raise BadInput(f"the model '{name}' cannot be used: {words}{hint}") from error


def knock(settings: ModelSettings) -> bool:
    """Try a plain server without the engine, which takes longer to load than most servers to answer.

    `Unreachable` where nothing comes back within the timeout, `KeyRefused` where the key is not taken.
    Whatever else is answered, be it a complaint, somebody is there. Gives whether that was the answer to a
    question: then no other trial is needed.
    """
    if not settings.base_url.startswith("http://"):
        return False
    from situ.evaluation.models.plain_http import send, trial_request  # loaded when needed: it takes a while

    asks = settings.model.startswith(f"{OPEN_SERVER}/")
    request = trial_request(settings) if asks else f"{settings.base_url.rstrip('/')}/models"
    failures: list[Exception] = []
    # A server that sends a byte now and then is never late for a socket: the whole trial has a time.
    trial = threading.Thread(target=send, args=(request, settings.timeout, failures), daemon=True)
    trial.start()
    trial.join(settings.timeout)
    if trial.is_alive():
        raise _unreachable(settings, why(TimeoutError()))
    for error in failures:
        if getattr(error, "code", None) == UNAUTHORISED and asks:
            service = settings.model.split("/")[1]
            raise KeyRefused(settings.model, [key_variable(service)]) from None
        if isinstance(error, HTTPError):
            break
        reason = getattr(error, "reason", error)
        raise _unreachable(settings, why(reason if isinstance(reason, OSError) else error)) from error
    return asks


def _unreachable(settings: ModelSettings, reason: str) -> Unreachable:
    where = f" at {settings.base_url}" if settings.base_url else ""
    return Unreachable(
        f"{settings.model}{where} does not answer: {reason}. Nothing was asked. Is the server up? "
        f"--timeout says how long to wait (now {settings.timeout:g} s)."
    )


def try_once(settings: ModelSettings) -> None:
    """Ask something small before the run; `Unreachable` where nothing comes back in time, or `KeyRefused`.

    A server that answers with a complaint is there: what it complains about is the questions' affair. Models
    in this process need no trial.
    """
    if settings.model.startswith("situ-"):
        return
    # A client of its own: one that was used in this event loop could not be used in the engine's.
    model = _open(settings.model, settings.base_url, dict(settings.model_args), memoize=False)
    try:
        asyncio.run(_ask_once(model, settings.timeout))
    except KeyRefused:
        raise
    except Exception as error:
        if on_the_way(error):
            raise _unreachable(settings, why(error)) from error


async def _ask_once(model: Any, timeout: float) -> None:
    from inspect_ai.model import GenerateConfig

    seconds = max(1, round(timeout))
    config = GenerateConfig(max_tokens=PROBE_TOKENS, max_retries=1, attempt_timeout=seconds, timeout=seconds)
    try:
        await asyncio.wait_for(model.generate(PROBE, config=config), timeout)
    finally:
        await model.api.aclose()


async def trial(model: Any, seconds: float) -> str:
    """Ask something small, once, past the queue and the retries of the engine: why nothing came back in so
    many seconds. Nothing where something did, be it a complaint."""
    from inspect_ai.model import ChatMessageUser, GenerateConfig

    config = GenerateConfig(max_tokens=PROBE_TOKENS)
    try:
        async with asyncio.timeout(seconds):
            await model.api.generate([ChatMessageUser(content=PROBE)], [], "none", config)
    except Exception as error:
        return why(error) if on_the_way(error) else ""
    return ""


def on_the_way(error: BaseException) -> bool:
    """Whether a request failed before a model saw it, or nobody answered: the next one may fare the same."""
    if isinstance(error, SituError) or getattr(error, "status_code", None):  # somebody answered
        return False
    chain: list[str] = []
    seen: BaseException | None = error
    while seen is not None and len(chain) < 8:
        chain.append(f"{type(seen).__name__} {seen}"[:400])
        seen = seen.__cause__ or seen.__context__
    return _ON_THE_WAY.search(" ".join(name for name in chain)) is not None


def why(error: BaseException) -> str:
    root = error
    while root.__cause__ is not None:
        root = root.__cause__
    if isinstance(root, asyncio.CancelledError) or "timeout" in type(root).__name__.lower():
        return LATE
    words = " ".join(str(root).split())[:200]
    return f"{type(root).__name__}: {words}" if words else type(root).__name__
