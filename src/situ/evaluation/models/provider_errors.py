"""What a provider sends in place of a reply: a refused key, a complaint about the question, a broken reply.

The engine hands some of these on as if the model had said them (an exceeded context comes as a reply with the
words "maximum context length is 8192 tokens"), and others as errors of its own libraries, with whole stacks.
Here each becomes one error with one line of text, before the engine logs or retries anything.
"""

from collections.abc import Mapping
from typing import Any

from situ.errors import SituError

UNAUTHORISED = 401
# Of the 4xx: too slow, in conflict, too early, too many. The same request may fare better later.
_LATER = (408, 409, 425, 429)
_ENDS = (None, "", "stop", "eos", "length", "max_tokens", "tool_calls", "function_call")
_LONGEST = 200  # characters of a provider's own words


class ProviderError(SituError):
    """The provider answered, but not with a reply of the model. Asking again would not help."""


class KeyRefused(ProviderError):
    """The provider refuses the key, so no question can be answered. Its own words may quote the key."""

    def __init__(self, model: str, variables: list[str]) -> None:
        where = " or ".join(variables) or "the variable that the provider names"
        super().__init__(
            f"{model} refuses the key that it was sent ({UNAUTHORISED}). "
            f"Give a valid one in {where}, or with --model-arg api_key=KEY"
        )


class Filtered(ProviderError):
    """The provider's filter stopped the reply."""


class MalformedReply(SituError):
    """What came back has not the form of a reply. Another try may bring one."""


def checked(model: Any) -> Any:
    """The engine's model, made to tell replies from all else that its provider sends."""
    if "generate" in vars(model.api):  # the engine gives the same model out twice
        return model
    plain = model.api.generate

    async def generate(*arguments: Any, **named: Any) -> Any:
        try:
            found = await plain(*arguments, **named)
        except Exception as error:
            plainly = _told(model, error)
            if plainly is error:
                raise
            raise plainly from None  # the cause may hold the key, the whole request or both
        output, call = found if isinstance(found, tuple) else (found, None)
        if isinstance(output, Exception):
            raise _told(model, output) from None
        _check(model, output, getattr(call, "response", None) or {})
        return found

    model.api.generate = generate
    return model


def _told(model: Any, error: Exception) -> Exception:
    """An error as this module's own, or the same one where the engine knows best what to do about it."""
    status = getattr(error, "status_code", None)
    if model.api.is_auth_failure(error) or status == UNAUTHORISED:
        return KeyRefused(str(model), list(model.api.api_key_vars))
    if isinstance(status, int) and 400 <= status < 500 and status not in _LATER:
        body = getattr(error, "body", None)
        said = body.get("message") if isinstance(body, Mapping) else None
        return ProviderError(f"the provider refuses the question ({status}): {_line(model, said or error)}")
    broken = status == 200 or (status is None and getattr(error, "code", None) == "server_error")
    if isinstance(error, (TypeError, AttributeError, LookupError, ValueError)) or broken:
        return MalformedReply(
            f"what the provider sent is no chat completion ({_line(model, getattr(error, 'message', error))})"
        )
    return error


def _check(model: Any, output: Any, response: Mapping[str, Any]) -> None:
    """Raises where an output of the engine holds no reply."""
    if not output.choices:
        raise MalformedReply("the provider sent no choices")
    said = _line(model, output.error or output.completion)
    match output.stop_reason:
        case "model_length":
            raise ProviderError(f"the question does not fit into the model's context: {said}")
        case "content_filter":
            raise Filtered(f"the provider's filter stopped the reply: {said}")
    if output.error:
        raise ProviderError(f"the provider stopped the reply: {said}")
    first: Mapping[str, Any] = next(iter(response.get("choices") or ()), {})
    if (end := first.get("finish_reason")) not in _ENDS:
        raise ProviderError(f"the provider ended the reply with '{_line(model, end)}': {said}")


def _line(model: Any, words: object) -> str:
    """A provider's words as one short line without the key."""
    text = " ".join(str(words).split())
    if key := getattr(model.api, "api_key", None):
        text = text.replace(str(key), "[key]")
    return text[:_LONGEST]
