"""Lists and calls the tools of `flipside mcp` with the Python package `mcp`, and prints what came back as JSON.

Arguments: the program, the model.
"""

import asyncio
import json
import sys

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client

PROGRAM, MODEL = sys.argv[1:]

DESKS = {
    "state": {"message": "the couriers lost my parcels"},
    "options": [
        {"key": "billing", "text": "payments"},
        {"key": "delivery", "text": "parcels couriers"},
        {"key": "other"},
    ],
    "rules": "Pick the desk.",
}


def field(value, *names):
    """The attribute under the first of its names that this version of the package has."""
    for name in names:
        if hasattr(value, name):
            return getattr(value, name)
    raise AttributeError(names)


async def main():
    server = StdioServerParameters(command=PROGRAM, args=["mcp", "--model", MODEL])
    async with stdio_client(server) as (reading, writing):
        async with ClientSession(reading, writing) as session:
            await session.initialize()
            tools = await session.list_tools()
            # The client checks structured results against the tool's schema by itself.
            decided = await session.call_tool("decide", DESKS)
            cases = [DESKS, DESKS | {"state": {"message": "two parcels"}}]
            probed = await session.call_tool("probe", {"cases": cases, "order": "reverse"})
            refused = await session.call_tool("decide", {"state": "s", "options": [], "rules": "r"})
    print(
        json.dumps(
            {
                "tools": [tool.name for tool in tools.tools],
                "decide": field(decided, "structuredContent", "structured_content"),
                "probe": field(probed, "structuredContent", "structured_content"),
                "refused": field(refused, "isError", "is_error"),
            }
        )
    )


asyncio.run(main())
