"""Connecting to a model: open it, check that it answers, and classify connection errors."""

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
_STYLE = re.compile(r"\[/?(?:bold|italic|dim|blue|red|green|yellow|cyan)\]")  # terminal markup in messages
# Each provider's library has its own exception classes, so names and messages are matched.
_CONNECTION = re.compile(
    r"connect|timeout|timed ?out|reset|refused|remoteprotocol|readerror|broken ?pipe", re.IGNORECASE
)


class Unreachable(SituError):
    """A model that does not answer."""


def open_model(settings: ModelSettings) -> Any:
    """Inspect's model. Raises `BadInput` in Inspect's words if a key, a package or the name is missing."""
    return _open(settings.model, settings.base_url, dict(settings.model_args))


def open_roles(settings: ModelSettings) -> dict[str, Any]:
    """The judge, the proxy and the extractor. Those with the model's provider use its server."""
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


def health_check(settings: ModelSettings) -> bool:
    """Whether a plain HTTP server has answered a question; if so, `try_once` is not needed.

    Works without Inspect, which takes longer to load than most servers take to answer. Raises `Unreachable`
    if nothing comes back within the timeout and `KeyRefused` if the server refuses the key. Any other reply,
    also an error, shows that the server runs.
    """
    if not settings.base_url.startswith("http://"):
        return False
    from situ.evaluation.models.plain_http import send, trial_request  # slow to import

    asks = settings.model.startswith(f"{OPEN_SERVER}/")
    request = trial_request(settings) if asks else f"{settings.base_url.rstrip('/')}/models"
    failures: list[Exception] = []
    # A socket's timeout starts anew with each byte, so the whole trial runs in a thread with a time limit.
    trial = threading.Thread(target=send, args=(request, settings.timeout, failures), daemon=True)
    trial.start()
    trial.join(settings.timeout)
    if trial.is_alive():
        raise _unreachable(settings, root_cause(TimeoutError()))
    for error in failures:
        if getattr(error, "code", None) == UNAUTHORISED and asks:
            service = settings.model.split("/")[1]
            raise KeyRefused(settings.model, [key_variable(service)]) from None
        if isinstance(error, HTTPError):
            break
        reason = getattr(error, "reason", error)
        raise _unreachable(settings, root_cause(reason if isinstance(reason, OSError) else error)) from error
    return asks


def _unreachable(settings: ModelSettings, reason: str) -> Unreachable:
    where = f" at {settings.base_url}" if settings.base_url else ""
    return Unreachable(
        f"{settings.model}{where} does not answer: {reason}. Nothing was asked. Is the server up? "
        f"--timeout says how long to wait (now {settings.timeout:g} s)."
    )


def try_once(settings: ModelSettings) -> None:
    """Send a small request before the run. Raises `Unreachable` if nothing comes back, or `KeyRefused`.

    A server that replies with another error runs. Models in this process need no trial.
    """
    if settings.model.startswith("situ-"):
        return
    # A separate client: one used in this event loop would not work in Inspect's.
    model = _open(settings.model, settings.base_url, dict(settings.model_args), memoize=False)
    try:
        asyncio.run(_ask_once(model, settings.timeout))
    except KeyRefused:
        raise
    except Exception as error:
        if is_connection_error(error):
            raise _unreachable(settings, root_cause(error)) from error


async def _ask_once(model: Any, timeout: float) -> None:
    from inspect_ai.model import GenerateConfig

    seconds = max(1, round(timeout))
    config = GenerateConfig(max_tokens=PROBE_TOKENS, max_retries=1, attempt_timeout=seconds, timeout=seconds)
    try:
        await asyncio.wait_for(model.generate(PROBE, config=config), timeout)
    finally:
        await model.api.aclose()


async def trial(model: Any, seconds: float) -> str:
    """Why nothing came back for a small request within so many seconds; "" if anything did, also an error.

    The request bypasses Inspect's queue and retries.
    """
    from inspect_ai.model import ChatMessageUser, GenerateConfig

    config = GenerateConfig(max_tokens=PROBE_TOKENS)
    try:
        async with asyncio.timeout(seconds):
            await model.api.generate([ChatMessageUser(content=PROBE)], [], "none", config)
    except Exception as error:
        return root_cause(error) if is_connection_error(error) else ""
    return ""


def is_connection_error(error: BaseException) -> bool:
    """Whether a request failed because the provider was not reached or did not reply."""
    if isinstance(error, SituError) or getattr(error, "status_code", None):  # the provider replied
        return False
    chain: list[str] = []
    seen: BaseException | None = error
    while seen is not None and len(chain) < 8:
        chain.append(f"{type(seen).__name__} {seen}"[:400])
        seen = seen.__cause__ or seen.__context__
    return _CONNECTION.search(" ".join(name for name in chain)) is not None


def root_cause(error: BaseException) -> str:
    """The innermost cause, in one line."""
    root = error
    while root.__cause__ is not None:
        root = root.__cause__
    if isinstance(root, asyncio.CancelledError) or "timeout" in type(root).__name__.lower():
        return LATE
    words = " ".join(str(root).split())[:200]
    return f"{type(root).__name__}: {words}" if words else type(root).__name__
