"""The language servers that are known: how each is started, for what, and so that it runs nothing of the tree."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
import sysconfig
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from leadline_tools.index.tree.descent import beneath
from leadline_tools.index.tree.programs import find_program, path_outside

_C = ("c", "cpp")
_SCRIPTS = ("javascript", "typescript", "tsx")


@dataclass(frozen=True, slots=True)
class KnownServer:
    """One language server.

    Args:
        name: What it is called, in ``--language-servers`` and in answers.
        languages: The languages that it knows, by our names.
        command: Its program and the arguments.
        options: Its ``initializationOptions``.
        settings: What it is told when it asks for its configuration.
        environment: Variables that it sees besides the usual ones.
        runs: What of the tree it may run: one that runs something is started only where it is named.
        named: Whether somebody named it, and will miss it where it is not found.
        version: The arguments with which its program tells its version; none where it has no such.
        cure: How it is installed where it is missing.
        reads: Folders in the user's home that it reads: its packages and its cache.
        needs: What must lie beside its program, outside of the tree, and what then becomes of ``options``.

    """

    name: str
    languages: tuple[str, ...]
    command: tuple[str, ...]
    options: Mapping[str, Any] = field(default_factory=dict)
    settings: Mapping[str, Any] = field(default_factory=dict)
    environment: Mapping[str, str] = field(default_factory=dict)
    runs: str = ""
    named: bool = False
    version: tuple[str, ...] = ("--version",)
    cure: str = ""
    reads: tuple[str, ...] = ()
    needs: Callable[[str], Mapping[str, Any] | None] | None = None

    def readable(self, root: str) -> tuple[str, ...]:
        """Return what it may read besides the view of the tree, once its program is found: nothing below ``root``."""
        home = str(Path.home())
        node = shutil.which("node", path=self.environment.get("PATH"))
        own = (
            prefix for program in (self.command[0], node) if program for prefix in _installed_at(program, home, root)
        )
        named = (word for word in self.command if Path(word).is_absolute())
        kept = (f"{home}/{folder}" for folder in self.reads)
        readable = dict.fromkeys((*_SYSTEM, *own, *named, *kept, sys.prefix, sys.base_prefix))
        return tuple(path for path in readable if not beneath(os.path.realpath(path), root))

    def found(self, root: str) -> KnownServer | None:
        """Return it with the path of its program; None where there is none outside of ``root``, or something lacks."""
        program = find_program(self.command[0], root, (sysconfig.get_path("scripts"),))
        options = self.options
        if program is not None and self.needs is not None:
            lying = self.needs(program)
            if lying is None:
                return None
            options = {**options, **lying}
        if program is None:
            return None
        environment = {**self.environment, "PATH": path_outside((root,))}
        return replace(self, command=(program, *self.command[1:]), options=options, environment=environment)


def _tsserver(program: str) -> Mapping[str, Any] | None:
    """Return where the server finds TypeScript: beside itself, since it would rather run the one in the tree.

    The second process that it would start answers at once, but without the types of the library.
    """
    real = Path(os.path.realpath(program))
    for folder in real.parents:
        path = folder / "typescript" / "lib" / "tsserver.js"
        if path.is_file():
            return {"tsserver": {"path": str(path), "useSyntaxServer": "never"}}
    return None


_PYRIGHT = {
    "analysis": {"diagnosticMode": "openFilesOnly", "typeCheckingMode": "off", "indexing": False},
}

KNOWN: tuple[KnownServer, ...] = (
    KnownServer(
        "ty",
        ("python",),
        ("ty", "server"),
        options={"diagnosticMode": "openFilesOnly"},
        cure='pip install "leadline[precise]"',
    ),
    KnownServer(
        "basedpyright",
        ("python",),
        ("basedpyright-langserver", "--stdio"),
        settings={"python": _PYRIGHT, "basedpyright": _PYRIGHT},
        version=(),
        cure="pip install basedpyright",
    ),
    KnownServer(
        "pyright",
        ("python",),
        ("pyright-langserver", "--stdio"),
        settings={"python": _PYRIGHT},
        version=(),
        cure="npm install -g pyright",
        runs="a download of itself, if pip installed it",
    ),
    KnownServer(
        "gopls",
        ("go",),
        ("gopls",),
        version=("version",),
        cure="go install golang.org/x/tools/gopls@latest",
        reads=("go", ".cache/go-build", ".config/go"),
        environment={"GOPROXY": "off", "GOTOOLCHAIN": "local", "GOFLAGS": "-mod=readonly", "CGO_ENABLED": "0"},
    ),
    KnownServer(
        "rust-analyzer",
        ("rust",),
        ("rust-analyzer",),
        cure="rustup component add rust-analyzer",
        options={
            "cargo": {"buildScripts": {"enable": False}},
            "procMacro": {"enable": False},
            "checkOnSave": False,
            "cachePriming": {"enable": False},
        },
        environment={"CARGO_NET_OFFLINE": "true"},
        reads=(".cargo", ".rustup"),
        runs="the compiler and the wrappers that .cargo/config.toml and rust-toolchain.toml name",
    ),
    KnownServer(
        "clangd",
        _C,
        ("clangd", "--enable-config=0", "--background-index=0", "--clang-tidy=0", "--log=error"),
        cure="apt-get install clangd, or another package of LLVM",
    ),
    KnownServer("tsgo", _SCRIPTS, ("tsgo", "--lsp", "--stdio"), cure="npm install -g @typescript/native-preview"),
    KnownServer(
        "typescript-language-server",
        _SCRIPTS,
        ("typescript-language-server", "--stdio"),
        options={"disableAutomaticTypingAcquisition": True},
        cure="npm install -g typescript-language-server typescript@5",
        needs=_tsserver,
    ),
)
"""Every server that is known; of those of one language the first that is found is taken."""

LANGUAGE_IDS: Mapping[str, str] = {"tsx": "typescriptreact"}
"""What the protocol calls a language, where that is not our name."""

_SYSTEM = (
    *(
        "/usr",
        "/bin",
        "/sbin",
        "/lib",
        "/lib32",
        "/lib64",
        "/opt",
        "/nix/store",
        "/gnu/store",
        "/snap",
        "/home/linuxbrew",
    ),
    *(
        "/proc",
        "/sys",
        "/dev",
        "/etc/ld.so.cache",
        "/etc/ld.so.preload",
        "/etc/ssl",
        "/etc/localtime",
        "/etc/alternatives",
    ),
)
"""Where programs and their libraries are on Linux, and what the system says of itself."""

OFF, AUTO = "off", "auto"


def chosen(told: Sequence[str]) -> tuple[KnownServer, ...]:
    """Return the servers that ``--language-servers`` stands for; each of ``told`` is off, auto, NAME or NAME=COMMAND.

    A command without arguments is given the usual ones. Raises ValueError, which says what is allowed.
    """
    named = {server.name: server for server in KNOWN}
    servers: list[KnownServer] = []
    for one in told:
        name, equals, command = (part.strip() for part in one.partition("="))
        if name in (OFF, AUTO) and not equals:
            servers = [] if name == OFF else [*servers, *(server for server in KNOWN if not server.runs)]
        elif name not in named:
            raise ValueError(
                f"there is no language server {name!r}: use off, auto, {', '.join(named)}, or NAME=COMMAND"
            )
        else:
            words = tuple(shlex.split(command))
            if equals and not words:
                raise ValueError(f"{one!r} has no command")
            usual = named[name].command
            command_line = (*words, *usual[1:]) if len(words) == 1 else words or usual
            given = replace(named[name], command=command_line, named=True)
            servers = [given, *(server for server in servers if server.name != name)]
    return tuple(servers)


def _installed_at(program: str, home: str, root: str) -> Iterator[str]:
    """Yield where a program is installed: the folder above its own, unless the user's files or the tree are in that."""
    for path in (Path(program), Path(program).resolve()):
        folder, above = path.parent, str(path.parent.parent)
        yield str(folder) if beneath(home, above) or beneath(root, above) else above
