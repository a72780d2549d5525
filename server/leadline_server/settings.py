"""The user's configuration file, ``leadline.toml``: options of ``serve`` that are not given each time, limits by tool.

A key is the name of an option without its dashes. The table ``[limits]`` has a key for each tool: a number of tokens,
or what is sent at most ``unasked`` (the caller names no ``max_tokens``) and ``asked``::

    model = "claude-opus-4-6"
    max-tokens = 3000

    [limits]
    read_file = 4000
    find_references = { unasked = 2000, asked = 6000 }

Command-line options take precedence over the environment, the environment over the file, the file over the defaults.
The file is the user's: one in the tree that is navigated is never read.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import UnionType
from typing import TYPE_CHECKING, Any

import click

from leadline_server.database_type import DatabaseType
from leadline_server.folders import configuration_folder
from leadline_server.roots import RootType, split_root
from leadline_server.sizes import SizeType

if TYPE_CHECKING:
    from leadline_server.config import ToolLimit

NAME = "leadline.toml"
LIMITS = "limits"


@dataclass(frozen=True, slots=True)
class Settings:
    """What the file says.

    Args:
        path: The file, whether it is there or not.
        options: Values of options by the names of their parameters.
        limits: What tools send at most, by their names.
        problems: What is wrong, one line each: file, key, and what is allowed.

    """

    path: Path
    options: Mapping[str, object] = field(default_factory=dict)
    limits: Mapping[str, ToolLimit] = field(default_factory=dict)
    problems: tuple[str, ...] = ()


def usual_path() -> Path:
    """Return where the file is looked for, if it is not named."""
    return Path(configuration_folder()) / NAME


def read(path: Path, options: Iterable[click.Option], *, named: bool = False) -> Settings:
    """Return the values of the file for some options; invalid ones are skipped and reported.

    A missing file sets nothing; that it is missing is a problem where the user has ``named`` it.
    """
    import tomllib

    try:
        found = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return Settings(path, problems=(f"{path}: there is no such configuration file",) if named else ())
    except (OSError, UnicodeError, tomllib.TOMLDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else " ".join(str(error).split())
        return Settings(path, problems=(f"{path}: cannot be read as TOML: {reason}",))
    known = {_key_of(option): option for option in options}
    values: dict[str, object] = {}
    limits: dict[str, ToolLimit] = {}
    problems: list[str] = []
    for key, value in found.items():
        try:
            if key == LIMITS:
                limits = dict(_read_limits(value, problems))
            elif key in known:
                values[str(known[key].name)] = _convert(known[key], key, value)
            else:
                problems.append(f"unknown key {key}{_suggest(key, [*known, LIMITS])}")
        except ValueError as error:
            problems.append(str(error))
    return Settings(path, values, limits, tuple(f"{path}: {problem}" for problem in problems))


def defaults(settings: Settings, commands: Mapping[str, click.Command]) -> dict[str, object]:
    """Return the settings as click takes them: defaults of the options that each command has, by its name."""
    return {
        name: {
            str(parameter.name): settings.options[str(parameter.name)]
            for parameter in command.params
            if isinstance(parameter, click.Option) and parameter.name in settings.options
        }
        for name, command in commands.items()
    }


def _key_of(option: click.Option) -> str:
    return max(option.opts, key=len).lstrip("-")


def _suggest(key: str, allowed: Iterable[str]) -> str:
    from leadline_tools.likeness import nearest

    names = sorted(allowed)
    near = nearest(key.replace("_", "-"), names) or nearest(key, names)
    return f": did you mean {near}?" if near else f"; the keys are {', '.join(names)}"


def _invalid_value(key: str, value: object, allowed: str, *, secret: bool = False) -> ValueError:
    if secret:
        return ValueError(f"{key} is not valid: expected {allowed}")
    shown = json.dumps(value, default=str, ensure_ascii=False)
    return ValueError(f"{key} = {shown if len(shown) <= 60 else shown[:57] + '...'} is not valid: expected {allowed}")


def _convert(option: click.Option, key: str, value: object) -> object:
    """Return a value as its option takes it; raises ValueError that says what is allowed."""
    allowed = _describe_allowed(option)
    if option.multiple:
        if isinstance(option.type, RootType) and isinstance(value, str):
            value = [value]  # most name one root
        if not isinstance(value, list):
            raise _invalid_value(key, value, f"a list, each {allowed}")
        return [_convert_single(option, key, element, allowed) for element in value]
    return _convert_single(option, key, value, allowed)


def _convert_single(option: click.Option, key: str, given: object, allowed: str) -> object:
    secret = isinstance(option.type, DatabaseType)
    if not isinstance(given, _expected_type(option)) or (not option.is_flag and isinstance(given, bool)):
        raise _invalid_value(key, given, allowed, secret=secret)
    value: Any = given
    if isinstance(option.type, RootType):
        value = _expand_root(str(given))
        if not value:
            raise _invalid_value(key, given, allowed)
    elif isinstance(option.type, click.Path):
        path = Path(str(given)).expanduser()
        if not path.is_absolute():
            raise _invalid_value(key, given, allowed)
        value = str(path)
    convert: Any = option.type
    try:
        return convert(value, option)
    except click.BadParameter:
        raise _invalid_value(key, given, allowed, secret=secret) from None


def _expected_type(option: click.Option) -> type | UnionType:
    """Return what a value in the file has to be for an option."""
    if option.is_flag:
        return bool
    if isinstance(option.type, SizeType):
        return int | str
    return int if isinstance(option.type, click.types.IntParamType) else str


def _expand_root(given: str) -> str:
    """Return a root as its option takes it, with the home folder in the place of its sign; empty for no whole path."""
    name, folder = split_root(given)
    path = Path(folder).expanduser()
    if not path.is_absolute():
        return ""
    return f"{name}={path}" if name else str(path)


def _describe_allowed(option: click.Option) -> str:
    """Return in words what an option takes."""
    match option.type:
        case click.Choice(choices=choices):
            return "one of " + ", ".join(f'"{choice}"' for choice in choices)
        case click.IntRange(min=least, max=most):
            ends = (least is not None and f"from {least:,}", most is not None and f"to {most:,}")
            return " ".join(("a whole number", *(end for end in ends if end)))
        case click.types.IntParamType():
            return "a whole number"
        case click.Path(exists=exists, file_okay=file_okay):
            kind = f"existing {'file' if file_okay else 'folder'}" if exists else "path"
            return f"{'an' if exists else 'a'} {kind} that starts with / or ~"
        case SizeType(allowed=allowed) | DatabaseType(allowed=allowed):
            return allowed
        case _:
            return "true or false" if option.is_flag else "a string"


def _read_limits(table: object, problems: list[str]) -> Iterable[tuple[str, ToolLimit]]:
    """Yield the limits of tools; what is wrong with one is added to the problems."""
    if not isinstance(table, dict):
        raise _invalid_value(LIMITS, table, "a table with tools as keys")
    from leadline_server.registry import TOOLS
    from leadline_tools.likeness import nearest

    for tool, value in table.items():
        key = f"{LIMITS}.{tool}"
        if tool not in TOOLS:
            near = nearest(tool, TOOLS, 0.5)
            instead = f": did you mean {near}?" if near else f"; the tools are {', '.join(sorted(TOOLS))}"
            problems.append(f"unknown tool {key}{instead}")
            continue
        try:
            yield tool, _read_limit(tool, key, value)
        except ValueError as error:
            problems.append(str(error))


def _read_limit(tool: str, key: str, value: object) -> ToolLimit:
    """Return the limit of a tool; what it does not say of asked or unasked is as usual."""
    from leadline_server.config import ToolLimit, limit_of

    if not isinstance(value, dict):
        tokens = _read_tokens(key, value)
        return ToolLimit(tokens, tokens)
    given: dict[str, int] = {}
    for name, number in value.items():
        if name not in {"unasked", "asked"}:
            raise ValueError(f"unknown key {key}.{name}; the keys are unasked, asked")
        given[name] = _read_tokens(f"{key}.{name}", number)
    usual = limit_of(tool)
    asked = given.get("asked", max(usual.asked, given.get("unasked", 0)))
    return ToolLimit(min(asked, given.get("unasked", usual.unasked)), asked)


def _read_tokens(key: str, value: object) -> int:
    from leadline_estimators.turn import FLOOR
    from leadline_server.config import LARGEST_LIMIT

    if not isinstance(value, int) or isinstance(value, bool) or not FLOOR <= value <= LARGEST_LIMIT:
        raise _invalid_value(key, value, f"tokens from {FLOOR:,} to {LARGEST_LIMIT:,}")
    return value
