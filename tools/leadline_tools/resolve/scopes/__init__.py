"""Scopes and what names mean in them: visible bindings, namespaces, macros, linkage, external names."""
