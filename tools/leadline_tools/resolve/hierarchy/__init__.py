"""Hierarchies of types: inheritance, implementation and overriding, and the members that types have by it."""
