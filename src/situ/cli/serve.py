"""`situ serve`: memories over HTTP, WebSocket and MCP, with a page to look at them."""

import json
import os
import shutil
import sys
import threading
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from situ.cli import serve_options as options

if TYPE_CHECKING:
    from situ.serve.app import Settings
    from situ.serve.run import Tls

TOKENS = Path("~/.config/situ/tokens.json")


def serve(
    memories: options.Memories = None,
    host: options.Host = "127.0.0.1",
    port: options.Port = 8765,
    ingest: options.Ingest = False,
    token_file: options.TokenFile = None,
    new_token: options.NewToken = "",
    allow_host: options.AllowHost = None,
    max_body: options.MaxBody = 4.0,
    rate: options.Rate = 20.0,
    mcp: options.Mcp = False,
    print_config: options.PrintConfig = "",
    tls_cert: options.TlsCert = None,
    tls_key: options.TlsKey = None,
    tls_self_signed: options.TlsSelfSigned = False,
    models: options.Models = "",
    vocabulary: options.Vocabulary = "",
    device: options.Device = "auto",
    fps: options.Fps = 2.0,
    annotate: options.Annotate = None,
    blind_model: options.BlindModel = "",
    runs: options.Runs = None,
    log_questions: options.LogQuestions = False,
) -> None:
    """Serve memories over HTTP (`/v1`), to assistants (`/mcp`) and to a browser (`/`).

    On this machine no token is needed. To serve other machines, create tokens first:

        situ serve --new-token ask,look --token-file tokens.json

    Memories are read-only, unless you pass --ingest.
    """
    if mcp:
        from situ.serve.stdio import serve_stdio

        serve_stdio(memories or [])
        return
    from situ.serve.access import new_token as make_token
    from situ.serve.access import scopes_of

    if new_token:
        print(make_token((token_file or TOKENS).expanduser(), scopes_of(new_token)))
        return
    if print_config:
        _print_config(print_config, memories or [], f"http://{host}:{port}")
        return
    from situ.serve.access import read_access
    from situ.serve.app import Settings
    from situ.serve.journal import Journal
    from situ.serve.limits import MIB, Limits
    from situ.serve.stream import Seeing

    settings = Settings(
        host, tuple(allow_host or ()), read_access(token_file, os.environ),
        Limits(max_body=int(max_body * MIB), rate=rate, burst=3 * rate), Journal(questions=log_questions),
        ingest, Seeing(_parts(models), _parts(vocabulary), device, fps), blind_model,
    )  # fmt: skip
    tls = _tls(tls_cert, tls_key, tls_self_signed, host)
    _listen(settings, memories or [], annotate or [], runs or [], port, tls)


def _listen(
    settings: "Settings",
    memories: list[Path],
    queued: list[Path],
    runs: list[Path],
    port: int,
    tls: "Tls | None",
) -> None:
    """Serve what was named until it is stopped. What is not asked for is not loaded."""
    from situ.serve.app import build
    from situ.serve.certificates import own_addresses
    from situ.serve.library import Library
    from situ.serve.run import announce, bind
    from situ.serve.run import serve as run
    from situ.serve.warm import warm

    explorer = queues = None
    if runs:
        from situ.evaluation.runs.run_folder import find_runs
        from situ.report.explorer import Explorer

        explorer = Explorer(find_runs(runs))
    library = Library(memories, may_be_empty=bool(runs or queued))
    if queued:
        from situ.serve.annotate_app import with_people
        from situ.serve.annotate_queues import Queues

        settings = replace(settings, limits=with_people(settings.limits))
        queues = Queues(queued, library)
    app = build(library, settings, explorer, queues)
    library.check(settings.writable)
    if settings.writable:  # the first frame and the first question need not wait for what takes long to load
        threading.Thread(target=warm, name="situ-warm", daemon=True).start()
    listening = bind(settings.host, port)
    everywhere = settings.host in ("0.0.0.0", "::")
    seen_as = next(iter(own_addresses()), settings.host) if everywhere else settings.host
    address = f"{'http' if tls is None else 'https'}://{seen_as}:{listening.getsockname()[1]}"
    names = [queue.name for queue in queues or ()]
    asks_token = settings.access.wants_token
    run(
        app, listening, settings.limits.max_body, tls,
        lambda: announce(library, address, asks_token, settings.writable, bool(runs), names),
    )  # fmt: skip


def _parts(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split(",") if part.strip())


def _tls(certificate: Path | None, key: Path | None, make: bool, host: str) -> "Tls | None":
    from situ.errors import BadInput
    from situ.serve.certificates import self_signed

    if (certificate is None) != (key is None) or (make and certificate is not None):
        raise BadInput("give --tls-cert and --tls-key together, or --tls-self-signed alone")
    if make:
        return self_signed(TOKENS.parent.expanduser() / "tls", host)
    return given_tls(certificate, key)


def given_tls(certificate: Path | None, key: Path | None) -> "Tls | None":
    """A certificate and its key from files; None where none is given."""
    from situ.errors import BadInput
    from situ.serve.run import Tls

    if (certificate is None) != (key is None):
        raise BadInput("give --tls-cert and --tls-key together")
    if certificate is None or key is None:
        return None
    for file in (certificate, key):
        if not file.is_file():
            raise BadInput(f"{file} does not exist; give the files of a certificate and its key")
    return Tls(certificate, key)


def _print_config(host: str, memories: list[Path], address: str) -> None:
    from situ.serve.host_settings import HOSTS, config

    command = shutil.which("situ") or str(Path(sys.argv[0]).absolute())
    print(json.dumps(config(host, memories, address, command), indent=2))
    print(f"This belongs into {HOSTS[host]}.", file=sys.stderr)
