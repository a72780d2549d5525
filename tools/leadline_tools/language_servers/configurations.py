"""Configurations of language servers in a tree: which files are such, and whether one leads out of the root."""

from __future__ import annotations

import posixpath
import re
import tomllib
from collections.abc import Iterator
from typing import Any

from leadline_tools import jsonc

_NAMES = frozenset({"ty.toml", "pyrightconfig.json", "compile_commands.json", "compile_flags.txt", "pyproject.toml"})
_SCRIPT = re.compile(r"(?:ts|js)config(?:\.[\w.-]+)?\.json")
_GO = frozenset({"go.mod", "go.work"})
_TOOLS = ("ty", "pyright", "basedpyright")
"""The tables below ``tool`` of a pyproject.toml that servers read."""

_WORD = re.compile(r"\S+")
_ABSOLUTE = re.compile(r"(?:file:|[/\\~]|[A-Za-z]:[/\\]|\$\{?env)")


def is_configuration(path: str) -> bool:
    """Return whether a language server reads a file, by its path relative to the root, as its configuration."""
    name = path.rpartition("/")[2]
    return name in _NAMES or name in _GO or _SCRIPT.fullmatch(name) is not None


def leads_out(path: str, content: bytes) -> bool:
    """Return whether a configuration names a file or folder outside of the root; commands to compile always may."""
    folder, _, name = path.rpartition("/")
    if name in {"compile_commands.json", "compile_flags.txt"}:
        return False
    return any(_is_outside(folder, value) for value in _values(name, content.decode("utf-8", "replace")))


def move_root(content: bytes, root: str, place: str) -> bytes:
    """Return a configuration in which the root is at another place: commands to compile have its whole path."""
    return content.replace(f"{root}/".encode(), f"{place}/".encode()).replace(f'{root}"'.encode(), f'{place}"'.encode())


def _values(name: str, text: str) -> Iterator[str]:
    """Yield the texts of a configuration that may be paths."""
    if name.endswith(".toml"):
        try:
            found: Any = tomllib.loads(text)
        except (tomllib.TOMLDecodeError, RecursionError):
            return  # no reader of TOML goes on after an error
        tools = found.get("tool") if name == "pyproject.toml" else None
        if name == "pyproject.toml":
            found = [tools.get(tool) for tool in _TOOLS] if isinstance(tools, dict) else []
        yield from _strings(found)
    elif name in _GO:
        yield from _WORD.findall("\n".join(line.partition("//")[0] for line in text.splitlines()))
    else:
        try:
            yield from _strings(jsonc.read(text))
        except (ValueError, RecursionError):
            yield ".."  # what we cannot read, a server may


def _strings(value: Any) -> Iterator[str]:
    """Yield the texts in a value of TOML or JSON that are no keys."""
    waiting = [value]
    while waiting:
        one = waiting.pop()
        if isinstance(one, str):
            yield one
        elif isinstance(one, dict):
            waiting += one.values()
        elif isinstance(one, list):
            waiting += one


def _is_outside(folder: str, value: str) -> bool:
    """Return whether a path that a configuration in a folder has leads out of the root."""
    if _ABSOLUTE.match(value):
        return True
    return ".." in value and posixpath.normpath(posixpath.join(folder, value)).split("/")[0] == ".."
