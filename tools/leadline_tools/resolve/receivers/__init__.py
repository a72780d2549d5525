"""Receivers of uses, and what uses mean by their types: members, keywords of calls, keys of literals."""
