"""Paths of a tree: those that it lists, those that it does not list, and what a path in a question means."""
