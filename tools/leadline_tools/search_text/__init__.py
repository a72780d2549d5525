"""Searching for texts: which files may hold one, the lines that do, and which of them are shown first."""
