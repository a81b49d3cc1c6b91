"""The options of `situ serve`."""

from pathlib import Path
from typing import Annotated

import typer

Memories = Annotated[list[Path] | None, typer.Argument(help="Memories: NAME.situ …")]
Host = Annotated[str, typer.Option(help="Address to bind to; any but this machine's needs a token.")]
Port = Annotated[int, typer.Option(min=0, max=65535, help="Port to listen at.")]
Ingest = Annotated[
    bool, typer.Option("--ingest", help="Allow writing: cameras may stream, objects may be erased.")
]
TokenFile = Annotated[
    Path | None, typer.Option("--token-file", help="File of accepted tokens, as --new-token writes it.")
]
NewToken = Annotated[
    str,
    typer.Option("--new-token", help="Add a token with scopes such as ask,look:walk; print it."),
]
AllowHost = Annotated[
    list[str] | None,
    typer.Option("--allow-host", help="Accept requests for this host name; may be repeated."),
]
MaxBody = Annotated[
    float, typer.Option("--max-body", min=0.01, help="Largest request or frame, in megabytes.")
]
Rate = Annotated[float, typer.Option(min=0.1, help="Requests per second allowed for each client.")]
Mcp = Annotated[bool, typer.Option("--mcp", help="Speak MCP on stdin and stdout, for an assistant.")]
PrintConfig = Annotated[
    str,
    typer.Option("--print-config", help="Print settings for claude, claude-code, cursor, vscode, langgraph."),
]
TlsCert = Annotated[Path | None, typer.Option("--tls-cert", help="Certificate, with --tls-key.")]
TlsKey = Annotated[Path | None, typer.Option("--tls-key", help="Key of the certificate.")]
TlsSelfSigned = Annotated[
    bool,
    typer.Option(
        "--tls-self-signed", help="Create a certificate; phones give the camera only to https pages."
    ),
]
Models = Annotated[
    str,
    typer.Option(help="Models that watch streams, by name, with commas; see `situ doctor --models`."),
]
Vocabulary = Annotated[str, typer.Option(help="What detectors look for in streams: names, with commas.")]
Device = Annotated[str, typer.Option(help="Where models run: auto, cpu, cuda.")]
Fps = Annotated[
    float, typer.Option(min=0.01, help="Frames per second in which objects of a stream are detected.")
]
Annotate = Annotated[
    list[Path] | None,
    typer.Option("--annotate", help="A queue made by `situ annotate make`; may be repeated."),
]
BlindModel = Annotated[
    str,
    typer.Option("--blind-model", help="With --annotate: the model that takes the blind test."),
]
Runs = Annotated[
    list[Path] | None, typer.Option("--runs", help="A folder of runs to explore at /runs; may be repeated.")
]
LogQuestions = Annotated[bool, typer.Option("--log-questions", help="Write the questions into the log.")]
