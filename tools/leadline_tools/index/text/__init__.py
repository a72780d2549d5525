"""Texts: how they are decoded, which of their words are code, what is found in them, and what in them is secret."""
