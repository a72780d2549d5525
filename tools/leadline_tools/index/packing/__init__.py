"""Packed forms of what is known of a file: symbols, relations, facts, outlines."""
