"""The questions that can be asked of a code base. Nothing here knows of tokens, budgets or MCP."""
