"""Definitions of identifiers as they stand in code: what ``definitions.py`` draws, asks engines about and judges."""
