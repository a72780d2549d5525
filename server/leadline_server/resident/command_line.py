"""The command line of ``leadline call``, read without being checked: which server it is for, and what it asks that one.

A key stands for all that decides what a server answers. Options that belong to a single call are no part of it; they
are sent along. A server is started only for a command line that was checked, so where one listens under the key of a
command line, that command line is right but for its tool and arguments.
"""

from __future__ import annotations

import hashlib
import importlib.util
import json
import os
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import click

from leadline_server import __version__
from leadline_server.resident.address import Address, is_supported, runtime_folder
from leadline_server.resident.wire import PROTOCOL, Request
from leadline_server.roots import RootType

OF_ONE_CALL = frozenset({"as_json", "max_tokens", "patience"})
"""Parameters that a server takes with each call. All others decide which server is asked."""

OF_THE_CONSOLE = frozenset({"alone", "runtime_dir", "help"})
"""Parameters that no server needs to know."""

VARIABLES = (
    *("PATH", "HOME", "TMPDIR", "LD_LIBRARY_PATH", "XDG_CACHE_HOME", "XDG_CONFIG_HOME"),
    *("PYTHONPATH", "VIRTUAL_ENV", "TIKTOKEN_CACHE_DIR"),
)
"""Variables that decide what a server answers: where it finds programs, modules and its folders."""

_PACKAGES = ("leadline_server", "leadline_tools", "leadline_estimators")


@dataclass(frozen=True, slots=True)
class CommandLine:
    """What ``leadline call`` was given.

    Args:
        address: Where the server listens that answers it.
        server: The options of that server.
        configuration: The configuration file that was named; None for the usual one.
        question: The options of this call, its tool and its arguments.
        variables: The variables from which options of one call are read: the server must not see them.

    """

    address: Address
    server: tuple[str, ...]
    configuration: Path | None
    question: tuple[str, ...]
    variables: tuple[str, ...]

    @property
    def request(self) -> Request:
        """Return what the server is asked."""
        return Request("call", list(self.question))


def read_command_line(command: click.Command, words: Sequence[str], configuration: Path | None) -> CommandLine | None:
    """Read the command line of ``leadline call``; None where no server is to be asked, or the line is wrong."""
    context = click.Context(command, info_name=command.name, **command.context_settings)
    try:
        given, _, _ = command.make_parser(context).parse_args(list(words))
        positional = _positional(given)
        values = dict(_values(command, context, given))
        if "help" in given or not positional or _is_true(values.get("alone")):
            return None
        folder = runtime_folder(_path(values.get("runtime_dir")))
        return _parted(command, context, values, positional, configuration, folder) if is_supported(folder) else None
    except (click.ClickException, OSError, ValueError):
        return None


def _parted(
    command: click.Command,
    context: click.Context,
    values: Mapping[str, object],
    positional: Sequence[str],
    configuration: Path | None,
    folder: Path,
) -> CommandLine:
    options = {str(option.name): option for option in command.params if isinstance(option, click.Option)}
    own = {name: value for name, value in values.items() if name not in OF_ONE_CALL | OF_THE_CONSOLE}
    decisive = [_decisive(options[name], context, own[name]) for name in sorted(own)]
    identity = [decisive, [] if "roots" in own else _folder_identity(Path.cwd()), *_surroundings(configuration)]
    if any(_is_relative(options[name], value) for name, value in own.items()):
        identity.append(os.getcwd())  # noqa: PTH109  as it is told
    key = hashlib.sha256(json.dumps(identity).encode()).hexdigest()[:32]
    question = [word for name in values.keys() & OF_ONE_CALL for word in _rendered(options[name], values[name])]
    return CommandLine(
        Address(folder, key),
        tuple(word for name in own for word in _rendered(options[name], own[name])),
        configuration,
        (*question, "--", *positional),
        tuple(str(options[name].envvar) for name in OF_ONE_CALL & options.keys() if options[name].envvar),
    )


def _positional(given: Mapping[str, object]) -> list[str]:
    """Return the tool and its arguments; nothing where no tool is named."""
    tool, arguments = given.get("tool"), given.get("arguments")
    if not isinstance(tool, str):
        return []
    return [tool, *(arguments if isinstance(arguments, list | tuple) else ())]


def _values(
    command: click.Command, context: click.Context, given: Mapping[str, object]
) -> Iterator[tuple[str, object]]:
    """Yield the options that the command line or the environment gives, as they are written."""
    for option in command.params:
        if isinstance(option, click.Option) and option.name:
            value = given[option.name] if option.name in given else option.value_from_envvar(context)
            if value is not None:
                yield option.name, value


def _is_true(value: object) -> bool:
    return value is not None and bool(click.BOOL.convert(value, None, None))


def _path(value: object) -> Path | None:
    return Path(str(value)) if value else None


def _written(value: object) -> list[str]:
    """Return the values of an option, of which some may be given several times."""
    return [str(one) for one in value] if isinstance(value, list | tuple) else [str(value)]


def _rendered(option: click.Option, value: object) -> Iterable[str]:
    """Return the words that give a value to an option."""
    if option.is_flag:
        return (option.opts[0],) if _is_true(value) else ()
    return tuple(word for one in _written(value) for word in (option.opts[0], one))


def _decisive(option: click.Option, context: click.Context, value: object) -> list[object]:
    """Return what the value of an option stands for, whatever it is relative to; raises where it cannot be right."""
    name = str(option.name)
    if isinstance(option.type, RootType):
        roots = [option.type.convert(one, option, context) for one in _written(value)]
        return [name, [(root.name, _folder_identity(root.path)) for root in roots]]
    if isinstance(option.type, click.Path):
        return [name, [os.path.abspath(one) for one in _written(value)]]  # noqa: PTH100  it may not be there
    return [name, _is_true(value) if option.is_flag else _written(value)]


def _is_relative(option: click.Option, value: object) -> bool:
    """Tell whether a value may name a path, so that it means another thing in another folder."""
    return (
        not option.is_flag and not isinstance(option.type, click.Path) and any(os.sep in one for one in _written(value))
    )


def _folder_identity(folder: Path) -> list[object]:
    """Return what tells a folder from one that is put in its place."""
    found = folder.stat()
    return [str(folder), found.st_dev, found.st_ino]


def _surroundings(configuration: Path | None) -> Iterator[object]:
    """Yield what besides options decides what a server answers."""
    from leadline_server.settings import usual_path

    yield from (PROTOCOL, __version__, sys.version, sys.executable, os.geteuid())
    yield {name: os.environ.get(name) for name in VARIABLES}
    path = configuration or usual_path()
    yield str(path)
    yield path.read_bytes().hex() if path.is_file() else None
    for package in _PACKAGES:
        found = importlib.util.find_spec(package)
        for folder in (found.submodule_search_locations or ()) if found is not None else ():
            yield sorted(_sources(folder))


def _sources(folder: str) -> Iterator[tuple[str, int, int]]:
    """Yield the files below a folder, each with when it was changed and how large it is."""
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.is_dir():
                if entry.name != "__pycache__":
                    yield from _sources(entry.path)
            else:
                found = entry.stat()
                yield entry.path, found.st_mtime_ns, found.st_size
