"""YAML, only written: the entry that a user pastes. No file is edited: no dependency reads YAML with its comments."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence


def read(text: str) -> Mapping[str, object]:
    """Raise ValueError: configurations in YAML are not read."""
    raise ValueError(f"YAML is not read: {text[:20]!r}")


def put(text: str, path: Sequence[str], value: object) -> str:
    """Return an empty ``text`` with the value at ``path``; raises ValueError for another text."""
    if text:
        raise ValueError("YAML is not edited")
    for key in reversed(path):
        value = {key: value}
    return "".join(f"{line}\n" for line in _lines(value))


def drop(text: str, path: Sequence[str]) -> str:
    """Raise ValueError: configurations in YAML are not edited."""
    raise ValueError(f"YAML is not edited: {'.'.join(path)} stays in {text[:20]!r}")


def _lines(value: object, indent: str = "") -> Iterator[str]:
    """Yield the lines of nested mappings; anything else is written as JSON, which YAML contains."""
    if not isinstance(value, Mapping):
        raise ValueError("a document is a mapping")
    for key, inner in value.items():
        if isinstance(inner, Mapping):
            yield f"{indent}{key}:"
            yield from _lines(inner, f"{indent}  ")
        else:
            yield f"{indent}{key}: {json.dumps(inner)}"
