"""`situ serve`: memories over HTTP, WebSocket and MCP, with a page to look at them."""

import json
import os
import shutil
import sys
import threading
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from situ.serve.app import Settings
    from situ.serve.run import Tls

TOKENS = Path("~/.config/situ/tokens.json")


def serve(
    memories: Annotated[list[Path] | None, typer.Argument(help="Memories: NAME.situ …")] = None,
    host: Annotated[str, typer.Option(help="Address; beyond this machine a token is needed.")] = (
        "127.0.0.1"
    ),
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port to listen at.")] = 8765,
    ingest: Annotated[
        bool, typer.Option("--ingest", help="Let requests write: streams are watched in, things forgotten.")
    ] = False,
    token_file: Annotated[
        Path | None, typer.Option("--token-file", help="Tokens that are let in, as --new-token writes them.")
    ] = None,
    new_token: Annotated[
        str,
        typer.Option("--new-token", help="Add a token with scopes such as ask,look:walk; print it."),
    ] = "",
    allow_host: Annotated[
        list[str] | None, typer.Option("--allow-host", help="A name that this server is called by.")
    ] = None,
    max_body: Annotated[
        float, typer.Option("--max-body", min=0.01, help="Megabytes that a request or a frame may have.")
    ] = 4.0,
    rate: Annotated[float, typer.Option(min=0.1, help="Requests a second that each client may make.")] = 20.0,
    mcp: Annotated[
        bool, typer.Option("--mcp", help="Speak MCP on stdin and stdout, for an assistant.")
    ] = False,
    print_config: Annotated[
        str,
        typer.Option(
            "--print-config", help="Print settings for claude, claude-code, cursor, vscode, langgraph."
        ),
    ] = "",
    tls_cert: Annotated[Path | None, typer.Option("--tls-cert", help="Certificate, with --tls-key.")] = None,
    tls_key: Annotated[Path | None, typer.Option("--tls-key", help="Key of the certificate.")] = None,
    tls_self_signed: Annotated[
        bool,
        typer.Option("--tls-self-signed", help="Make a certificate: phones give the camera to https alone."),
    ] = False,
    models: Annotated[
        str,
        typer.Option(help="Who looks at streams: models by name, with commas; see `situ doctor --models`."),
    ] = "",
    vocabulary: Annotated[
        str, typer.Option(help="What detectors look for in streams: names, with commas.")
    ] = "",
    device: Annotated[str, typer.Option(help="Where models run: auto, cpu, cuda.")] = "auto",
    fps: Annotated[
        float, typer.Option(min=0.01, help="Frames of a stream that are looked at each second.")
    ] = 2.0,
    annotate: Annotated[
        list[Path] | None,
        typer.Option("--annotate", help="A queue of `situ annotate make`, for people; once for each."),
    ] = None,
    blind_model: Annotated[
        str,
        typer.Option("--blind-model", help="With --annotate: the engine's model that takes the blind test."),
    ] = "",
    runs: Annotated[
        list[Path] | None, typer.Option("--runs", help="Folders of runs to explore at /runs; once for each.")
    ] = None,
    log_questions: Annotated[
        bool, typer.Option("--log-questions", help="Write what is asked into the log.")
    ] = False,
) -> None:
    """Serve memories to programs and people: `/v1` for HTTP, `/mcp` for assistants, `/` for a browser.

    On this machine alone no token is needed. To be reached by others, make tokens first:

        situ serve --new-token ask,look --token-file tokens.json

    Memories are only read, unless --ingest lets streams write.
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
    from situ.errors import BadInput
    from situ.serve.stdio import HOSTS, config

    if host not in HOSTS or not memories:
        raise BadInput(f"--print-config takes one of {', '.join(HOSTS)}, and the memory to serve")
    command = shutil.which("situ") or str(Path(sys.argv[0]).absolute())
    print(json.dumps(config(host, memories, address, command), indent=2))
