"""Defaults that the help of the console names, without heavy imports."""

DEFAULT_TOKENS = 2_000
"""What an answer may cost when the caller does not say."""

MOST_PATIENCE = 3_600.0
"""The longest patience of a call, in seconds."""
