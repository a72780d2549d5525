"""Addresses: what callers write to name a symbol, and the symbols that they mean."""
