"""What the options of the console say of themselves, without what it takes to follow them."""

DEFAULT_TOKENS = 2_000
"""What an answer may cost when the caller does not say."""

MOST_PATIENCE = 3_600.0
"""Seconds that a question may take at most, whoever asks."""
