"""All tools in one registry: importing this module declares them, without the half second that MCP's types take.

They are in the order of their names, whatever was imported first.
"""

from __future__ import annotations

import leadline_server.session_tools.budget
import leadline_server.session_tools.read_result  # noqa: F401  declares a tool
import leadline_tools.navigation  # noqa: F401  declares the others
from leadline_tools.tool import TOOLS

for name in sorted(TOOLS):
    TOOLS[name] = TOOLS.pop(name)

__all__ = ["TOOLS"]
