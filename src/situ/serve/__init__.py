"""A memory over the network: HTTP, WebSocket and MCP, with pages to look at it. Needs the extra `serve`."""
