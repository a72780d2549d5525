"""Imports and where they lead: modules by path, modules declared by name, included files."""
