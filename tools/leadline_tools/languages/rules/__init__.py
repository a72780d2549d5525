"""The rules of a language: a record for each noun, with what it must and what it may say.

A language is a folder beside this one. Each of its modules provides entries of the record of the same name: ``scopes``
of ``ScopeRules``, ``imports`` of ``ImportRules``, ``types`` of ``TypeRules``; ``rules`` puts them together. What a
record has no default for, a language must say. Everything is data, or a small function of a syntax node.
"""
