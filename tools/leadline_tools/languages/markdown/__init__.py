"""Markdown."""
