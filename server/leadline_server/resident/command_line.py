"""The command line of ``leadline call``, read without being checked: which server it is for, and what it asks that one.

A key identifies all that decides what a server answers. Options that belong to a single call are not part of it; they
are sent along. A server is started only for a command line that was checked, so where one listens under the key of a
command line, that command line is right but for its tool and arguments.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from enum import Enum, auto
from typing import NamedTuple

from leadline_server import __version__
from leadline_server.folders import configuration_folder, runtime_folder
from leadline_server.resident.address import Address
from leadline_server.resident.wire import PROTOCOL, Request


class Takes(Enum):
    """What an option takes."""

    Nothing = auto()
    Text = auto()
    Path = auto()
    Roots = auto()


class Scope(Enum):
    """Who needs to know of an option: the server from its start on, a single call, or the console alone."""

    Server = auto()
    Call = auto()
    Console = auto()


class Option(NamedTuple):
    """An option of ``leadline call``, and its environment variable."""

    variable: str
    takes: Takes = Takes.Text
    scope: Scope = Scope.Server


OPTIONS: Mapping[str, Option] = {
    "--root": Option("LEADLINE_ROOT", Takes.Roots),
    "--cache-dir": Option("LEADLINE_CACHE_DIR", Takes.Path),
    "--model": Option("LEADLINE_MODEL"),
    "--max-tokens": Option("LEADLINE_MAX_TOKENS", scope=Scope.Call),
    "--context-window": Option("LEADLINE_CONTEXT_WINDOW"),
    "--patience": Option("LEADLINE_PATIENCE", scope=Scope.Call),
    "--facts-size": Option("LEADLINE_FACTS_SIZE"),
    "--allow-secrets": Option("LEADLINE_ALLOW_SECRETS"),
    "--exclude": Option("LEADLINE_EXCLUDE"),
    "--allow-edits": Option("LEADLINE_ALLOW_EDITS", Takes.Nothing),
    "--language-servers": Option("LEADLINE_LANGUAGE_SERVERS"),
    "--json": Option("", Takes.Nothing, Scope.Call),
    "--alone": Option("LEADLINE_ALONE", Takes.Nothing, Scope.Console),
    "--idle-seconds": Option("LEADLINE_IDLE_SECONDS"),
    "--runtime-dir": Option("LEADLINE_RUNTIME_DIR", Takes.Path, Scope.Console),
}
"""The options, as the command itself declares them: it is not imported, since click takes longer than an answer."""

CONFIGURATION = "LEADLINE_CONFIG"

VARIABLES = (
    *("PATH", "HOME", "TMPDIR", "LD_LIBRARY_PATH", "XDG_CACHE_HOME", "XDG_CONFIG_HOME"),
    *("PYTHONPATH", "VIRTUAL_ENV", "TIKTOKEN_CACHE_DIR"),
)
"""Variables that decide what a server answers: where it finds programs, modules and its folders."""

_FALSE = {"", "0", "false", "f", "no", "n", "off"}
"""The values of a variable that click reads as false."""

_OWN = os.path.dirname(os.path.dirname(__file__))
"""The folder of this package; the others are not imported to find theirs."""


class CommandLine(NamedTuple):
    """What ``leadline call`` was given.

    Attributes:
        address: Where the server listens that answers it.
        options: The options of that server, as words.
        configuration: The configuration file that was named; empty for the usual one.
        question: The options of this call, its tool and its arguments, as words.

    """

    address: Address
    options: tuple[str, ...]
    configuration: str
    question: tuple[str, ...]

    @property
    def request(self) -> Request:
        """Return the request to the server."""
        return Request("call", list(self.question))


class _Words(NamedTuple):
    """The words of a command line, split into options and the rest."""

    options: list[tuple[str, str]]
    tool: list[str]


def read_command_line(words: Sequence[str], configuration: str = "") -> CommandLine | None:
    """Read the words after ``leadline call``; None where no server is to be used, or they may be wrong.

    Args:
        words: The words.
        configuration: The configuration file that is named in front of them.

    """
    parts = _split(words)
    if parts is None or not parts.tool:
        return None
    values = _values(parts.options)
    if values.get("--alone", ["0"])[-1].strip().lower() not in _FALSE:
        return None
    named = configuration or os.environ.get(CONFIGURATION, "")
    try:
        identity = json.dumps([list(_server_identity(values)), list(_environment_identity(named))])
    except OSError:
        return None
    key = hashlib.sha256(identity.encode()).hexdigest()[:32]
    address = Address(runtime_folder(values.get("--runtime-dir", [""])[-1]), key)
    question = (word for name in values for word in _words(name, values[name], Scope.Call))
    line = CommandLine(
        address,
        tuple(word for name, value in parts.options for word in _words(name, [value], Scope.Server)),
        os.path.abspath(named) if named else "",
        (*question, "--", *parts.tool),
    )
    return line if address.is_possible else None


def variables_of_calls() -> set[str]:
    """Return the variables of options of one call: a server must not see those of another."""
    return {option.variable for option in OPTIONS.values() if option.scope is not Scope.Server}


def _split(words: Sequence[str]) -> _Words | None:
    """Part options from the tool and its arguments as click does; None where it may find something wrong."""
    parts = _Words([], [])
    left = iter(words)
    for word in left:
        name, equals, value = word.partition("=")
        option = OPTIONS.get(name)
        if word == "--":
            parts.tool.extend(left)
        elif option is None:
            if word.startswith("-") and not (equals and word.startswith("--")):
                return None
            parts.tool.append(word)
        elif option.takes is Takes.Nothing:
            if equals:
                return None
            parts.options.append((name, "1"))
        else:
            given = value if equals else next(left, None)
            if given is None or (not equals and given.startswith("--")):
                return None
            parts.options.append((name, given))
    return parts


def _values(options: Sequence[tuple[str, str]]) -> dict[str, list[str]]:
    """Return what each option is given, on the command line or else in the environment."""
    values: dict[str, list[str]] = {}
    for name, value in options:
        values.setdefault(name, []).append(value)
    for name, option in OPTIONS.items():
        if name not in values and os.environ.get(option.variable):
            values[name] = [os.environ[option.variable]]
    return values


def _words(name: str, values: Sequence[str], scope: Scope) -> Iterator[str]:
    """Yield the words that give values to an option of a scope."""
    if OPTIONS[name].scope is scope:
        for value in values:
            yield from (name,) if OPTIONS[name].takes is Takes.Nothing else (name, value)


def _server_identity(values: Mapping[str, Sequence[str]]) -> Iterator[object]:
    """Yield what decides about the server, whatever it is relative to; raises OSError for a root that is not there."""
    here = False
    for name, option in OPTIONS.items():
        given = values.get(name)
        if option.scope is not Scope.Server or given is None:
            continue
        if option.takes is Takes.Roots:
            yield name, [_root_identity(root) for value in given for root in _roots(value)]
        elif option.takes is Takes.Path:
            yield name, [os.path.abspath(value) for value in given]
        elif option.takes is Takes.Nothing:
            yield name, given[-1].strip().lower() not in _FALSE
        else:
            here = here or any(os.sep in value for value in given)  # what may be a path is relative to this folder
            yield name, given
    if here or "--root" not in values:
        yield _folder_identity(os.getcwd())


def _roots(value: str) -> Sequence[str]:
    """Return the roots in a value: a variable may hold several."""
    return (value,) if os.path.isdir(value) else [part for part in value.split(os.pathsep) if part]


def _root_identity(value: str) -> object:
    """Return the name of a root, the identity of its folder, and its commit."""
    folder, ref = _split_ref(value)
    if "=" not in value or os.path.isdir(folder):
        return ["", *_folder_identity(folder), ref]
    name, _, folder = value.partition("=")
    folder, ref = _split_ref(os.path.expanduser(folder))
    return [name, *_folder_identity(folder), ref]


def _split_ref(value: str) -> tuple[str, str]:
    """Return a folder and what follows the last ``@`` after it, see ``roots.split_ref``."""
    at = len(value) if "@" in value and not os.path.isdir(value) else 0
    while (at := value.rfind("@", 0, at)) > 0:
        if os.path.isdir(value[:at]):
            return value[:at], value[at + 1 :] or "HEAD"
    return value, ""


def _folder_identity(path: str) -> tuple[object, ...]:
    """Return the identity of a folder, which a folder that replaces it does not have."""
    real = os.path.realpath(path)
    found = os.stat(real)
    return real, found.st_dev, found.st_ino


def _environment_identity(configuration: str) -> Iterator[object]:
    """Yield what else decides the answers of a server: versions, variables, configuration, sources."""
    yield from (PROTOCOL, __version__, sys.version, sys.executable, os.geteuid())
    yield [os.environ.get(name) for name in VARIABLES]
    path = os.path.abspath(configuration or os.path.join(configuration_folder(), "leadline.toml"))
    yield path
    if os.path.isfile(path):
        with open(path, "rb") as file:
            yield file.read().hex()
    for package in ("leadline_tools", "leadline_estimators"):
        beside = (os.path.join(entry, package) for entry in sys.path)
        yield sorted(source_files(next(filter(os.path.isdir, beside), "")))
    yield sorted(source_files(_OWN))


def source_files(folder: str) -> Iterator[tuple[str, int, int]]:
    """Yield the files below a folder, each with when it was changed and how large it is."""
    if not folder:
        return
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.is_dir():
                if entry.name != "__pycache__":
                    yield from source_files(entry.path)
            else:
                found = entry.stat()
                yield entry.path, found.st_mtime_ns, found.st_size
