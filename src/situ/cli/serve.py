"""`situ serve`: memories over HTTP, WebSocket and MCP, with a page to look at them."""

import os
from pathlib import Path
from typing import Annotated

import typer

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
    log_questions: Annotated[
        bool, typer.Option("--log-questions", help="Write what is asked into the log.")
    ] = False,
) -> None:
    """Serve memories to programs and people: `/v1` for HTTP, `/mcp` for assistants, `/` for a browser.

    On this machine alone no token is needed. To be reached by others, make tokens first:

        situ serve --new-token ask,look --token-file tokens.json

    Memories are only read, unless --ingest lets streams write.
    """
    from situ.serve.access import new_token as make_token
    from situ.serve.access import scopes_of

    if new_token:
        print(make_token((token_file or TOKENS).expanduser(), scopes_of(new_token)))
        return
    from situ.serve.access import read_access
    from situ.serve.app import Settings, build
    from situ.serve.journal import Journal
    from situ.serve.library import Library
    from situ.serve.limits import MIB, Limits
    from situ.serve.run import announce, bind
    from situ.serve.run import serve as run

    access = read_access(token_file, os.environ)
    limits = Limits(max_body=int(max_body * MIB), rate=rate, burst=3 * rate)
    settings = Settings(
        host, tuple(allow_host or ()), access, limits, Journal(questions=log_questions), ingest
    )
    library = Library(memories or ())
    app = build(library, settings)
    library.check(ingest)
    listening = bind(host, port)
    address = f"http://{host}:{listening.getsockname()[1]}"
    run(app, listening, limits.max_body, None, lambda: announce(library, address, access.wants_token, ingest))
