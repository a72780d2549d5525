"""Checks of what the server depends on: each reports what it found and, where that is not good, how to fix it."""
