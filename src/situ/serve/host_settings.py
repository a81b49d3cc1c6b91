"""What an assistant's settings must say so that it finds a memory, and where they are kept."""

from pathlib import Path
from typing import Any

from situ.errors import BadInput

# Where each host reads what is printed.
HOSTS = {
    "claude": "claude_desktop_config.json (Settings, Developer, Edit Config), then start Claude again",
    "claude-code": ".mcp.json in the folder of your project",
    "cursor": "~/.cursor/mcp.json, or .cursor/mcp.json in the folder of your project",
    "vscode": ".vscode/mcp.json in the folder of your project",
    "langgraph": "MultiServerMCPClient({...}) of langchain-mcp-adapters, while `situ serve` runs",
}


def config(host: str, paths: list[Path], address: str, command: str) -> Any:
    """The settings of a host. A memory that is not there is refused here: the host would only say that the
    server did not start."""
    if host not in HOSTS or not paths:
        raise BadInput(f"--print-config takes one of {', '.join(HOSTS)}, and the memory to serve")
    for path in paths:
        if not path.is_file():
            raise BadInput(f"there is no memory at {path}; make one with situ watch")
    launch = {"command": command, "args": ["serve", "--mcp", *(str(path.absolute()) for path in paths)]}
    if host in ("claude", "cursor"):
        return {"mcpServers": {"situ": launch}}
    if host == "claude-code":
        return {"mcpServers": {"situ": {"type": "stdio", **launch}}}
    if host == "vscode":
        return {"servers": {"situ": {"type": "stdio", **launch}}}
    return {"situ": {"transport": "streamable_http", "url": f"{address}/mcp"}}
