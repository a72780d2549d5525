"""TOML, edited with its comments, order and layout kept."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, MutableMapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import tomlkit
    import tomlkit.items


def read(text: str) -> Mapping[str, object]:
    """Return the table that ``text`` is. Raises ValueError where it is no TOML."""
    return tomllib.loads(text)


def put(text: str, path: Sequence[str], value: object) -> str:
    """Return ``text`` with the key at ``path`` set to ``value``; tables on the way are made where there are none.

    Raises ValueError where ``text`` is no TOML, or something on the way is no table.
    """
    import tomlkit

    document = _document(text)
    at: MutableMapping[str, Any] = document
    *way, last = path
    for number, name in enumerate(way):
        if name not in at:
            at[name] = tomlkit.table(is_super_table=number + 1 < len(way) or isinstance(value, Mapping))
        at = at[name]
        if not isinstance(at, MutableMapping):
            raise ValueError(f"{'.'.join(path[: number + 1])} is not a table")
    at[last] = _table(value) if isinstance(value, Mapping) else value
    return tomlkit.dumps(document)


def drop(text: str, path: Sequence[str]) -> str:
    """Return ``text`` without the key at ``path``; as it is where there is none."""
    import tomlkit

    document = _document(text)
    at: Any = document
    for name in path[:-1]:
        at = at.get(name) if isinstance(at, MutableMapping) else None
    if not isinstance(at, MutableMapping) or path[-1] not in at:
        return text
    del at[path[-1]]
    return tomlkit.dumps(document)


def _document(text: str) -> tomlkit.TOMLDocument:
    import tomlkit
    from tomlkit.exceptions import TOMLKitError

    try:
        return tomlkit.parse(text)
    except TOMLKitError as error:
        raise ValueError(str(error)) from None


def _table(values: Mapping[str, object]) -> tomlkit.items.Table:
    import tomlkit

    made = tomlkit.table()
    for name, value in values.items():
        made.add(name, _table(value) if isinstance(value, Mapping) else value)
    return made
