"""TOML."""
