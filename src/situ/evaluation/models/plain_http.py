"""The trial of a plain server without the engine."""

import http.client
import json
import urllib.error
import urllib.request

from situ.evaluation.models.settings import PROBE, PROBE_TOKENS, ModelSettings, key_of


def trial_request(settings: ModelSettings) -> urllib.request.Request:
    _, service, name = settings.model.split("/", 2)
    body = {"model": name, "messages": [{"role": "user", "content": PROBE}], "max_tokens": PROBE_TOKENS}
    key = settings.model_args.get("api_key") or key_of(service)
    headers = {"Content-Type": "application/json", "Authorization": f"Bearer {key}"}
    address = f"{settings.base_url.rstrip('/')}/chat/completions"
    return urllib.request.Request(address, json.dumps(body).encode(), headers)


def send(request: urllib.request.Request | str, timeout: float, failures: list[Exception]) -> None:
    """Send a request, once more where the line was reset; what failed is added to `failures`,
    and so is a complaint of the server."""
    for tries_left in (1, 0):
        try:
            with urllib.request.urlopen(request, timeout=timeout) as reply:
                reply.read()
        except urllib.error.HTTPError as complaint:
            failures.append(complaint)
        except (OSError, http.client.HTTPException) as error:
            reset = isinstance(
                getattr(error, "reason", error), (ConnectionResetError, http.client.RemoteDisconnected)
            )
            if tries_left and reset:
                continue
            failures.append(error)
        return
