"""The MCP server: the only package that knows of budgets and of the wire."""

__version__ = "0.1.0"
