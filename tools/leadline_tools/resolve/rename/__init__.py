"""Renaming: what a new name of a symbol changes, and what is in its way."""
