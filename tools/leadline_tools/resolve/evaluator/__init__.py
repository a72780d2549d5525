"""The types that terms stand for."""
