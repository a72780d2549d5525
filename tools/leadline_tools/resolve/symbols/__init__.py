"""From what a caller calls a symbol to its definitions."""
