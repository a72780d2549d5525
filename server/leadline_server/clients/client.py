"""A *client*: where it keeps its configuration, in what form, and how it starts a server."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Protocol

SERVER = "leadline"
"""The name of the server in every configuration."""


class Scope(StrEnum):
    """Whose configuration it is: that of a user, or that of a project, kept in its folder and shared with others."""

    User = "user"
    Project = "project"


class Format(Protocol):
    """The language of a configuration file; each function raises ValueError for a text that is none of it."""

    def read(self, text: str) -> Mapping[str, object]:
        """Return what ``text`` holds."""
        ...

    def put(self, text: str, path: Sequence[str], value: object) -> str:
        """Return ``text`` with the value at ``path`` set to ``value``."""
        ...

    def drop(self, text: str, path: Sequence[str]) -> str:
        """Return ``text`` without the entry at ``path``."""
        ...


@dataclass(frozen=True, slots=True)
class Machine:
    """What decides where programs keep their configuration.

    Args:
        home: The home folder of the user.
        platform: As ``sys.platform`` has it.
        variables: The environment.

    """

    home: Path
    platform: str = "linux"
    variables: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def here(cls) -> Machine:
        """Return this machine."""
        return cls(Path.home(), sys.platform, os.environ)

    def folder(self, variable: str, otherwise: str) -> Path:
        """Return the folder that a variable names, or else one below the home folder."""
        named = self.variables.get(variable)
        return Path(named) if named else self.home / otherwise

    @property
    def programs(self) -> Path:
        """Return the folder in which graphical programs keep their configuration."""
        if self.platform == "darwin":
            return self.home / "Library" / "Application Support"
        if self.platform == "win32":
            return self.folder("APPDATA", "AppData/Roaming")
        return self.folder("XDG_CONFIG_HOME", ".config")


@dataclass(frozen=True, slots=True)
class Client:
    """A program that starts MCP servers.

    Args:
        name: What the console calls it.
        title: What its makers call it.
        format: The language of its configuration.
        servers: The key under which the servers are, with dots between those of nested objects.
        user: From a machine to the file of the user's configuration; None where it has no file that can be edited
            safely, so that the entry is printed for the user to paste.
        program: The command that starts it, by which it is found on PATH; empty where it has none.
        adds: How the command of its makers adds a server, with ``{command}`` for ours; empty where there is none.
        listed: True where an entry has the program and its arguments in one list.
        program_key: The key of the program in an entry.
        project: The path of a project's configuration below the project; empty where there is none.
        workspace: What it replaces by the folder that is open; empty where it starts servers in that folder.
        folderless: True where no folder is open in it, so that its server needs an explicit root.
        model: The family of models that it uses, where that is not for its user to choose.
        chat: True for a conversation with a person, in which the answers of a turn share a budget.
        more: Further keys of an entry, in addition to the command and its arguments.
        then: What the user does for a change to take effect.

    """

    name: str
    title: str
    format: Format
    servers: str
    user: Callable[[Machine], Path] | None = None
    program: str = ""
    adds: str = ""
    listed: bool = False
    program_key: str = "command"
    project: str = ""
    workspace: str = ""
    folderless: bool = False
    model: str = ""
    chat: bool = False
    more: Mapping[str, object] = field(default_factory=dict)
    then: str = "Restart it"

    def file(self, scope: Scope, machine: Machine, folder: Path) -> Path:
        """Return the configuration of this scope, for a project in ``folder``; it has to be one of ``scopes``."""
        if scope is Scope.User and self.user is not None:
            return self.user(machine)
        return folder / self.project

    @property
    def scopes(self) -> tuple[Scope, ...]:
        """Return the scopes that it has; none where its configuration is no file."""
        user = (Scope.User,) if self.user is not None else ()
        return (*user, Scope.Project) if self.project else user

    @property
    def place(self) -> tuple[str, ...]:
        """Return the keys that lead to the entry of our server."""
        return (*self.servers.split("."), SERVER)

    def entry(self, program: str, arguments: Sequence[str]) -> Mapping[str, object]:
        """Return the entry that starts a program."""
        if self.listed:
            return {**self.more, self.program_key: [program, *arguments]}
        return {**self.more, self.program_key: program, "args": list(arguments)}

    def is_here(self, machine: Machine) -> bool:
        """Return whether it seems to be installed: its program is on PATH, or its folder of settings exists."""
        if self.program and shutil.which(self.program, path=machine.variables.get("PATH")):
            return True
        if self.user is None:
            return False
        path = self.user(machine)
        return path.exists() or (path.parent != machine.home and path.parent.is_dir())
