#!/usr/bin/env bash
# A server on the Python SDK of MCP answers a prompt that it does not have with an internal error, or with the code 0.
#
# Behaviour: `mcp` 2.3.0, `MCPServer`: `prompts/get` with a name that is not in the list gives -32603 to clients of 2026-07-28,
#   and 0, which is no code of JSON-RPC, to clients of earlier revisions. The protocol asks for -32602, so a client or a gateway
#   that looks at the code takes a wrong name for a broken server.
# Output seen: "auto: -32603", then "legacy: 0"
# Source: MCP 2025-06-18 and later, server/prompts, "Error Handling": "Invalid prompt name: -32602 (Invalid params)".
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check mcp==2.3.0
cat >try.py <<'PY'
import asyncio
import logging
import sys

from mcp import Client, MCPError
from mcp.server import MCPServer

logging.disable(logging.CRITICAL)
server = MCPServer("trial")


@server.prompt()
def greet(name: str) -> str:
    return f"Greet {name}."


async def code_of(mode: str) -> int | None:
    async with Client(server, mode=mode) as client:
        try:
            await client.get_prompt("nobody", {})
        except MCPError as error:
            return error.error.code
    return None


async def main() -> None:
    seen = {mode: await code_of(mode) for mode in ("auto", "legacy")}
    for mode, code in seen.items():
        print(f"{mode}: {code}")
    sys.exit(0 if seen == {"auto": -32603, "legacy": 0} else 1)


asyncio.run(main())
PY
venv/bin/python try.py
