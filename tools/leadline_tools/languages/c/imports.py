"""Includes of C: which file an ``#include`` takes in."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Sequence
from itertools import takewhile
from operator import eq
from typing import Final

from tree_sitter import Node

from leadline_tools.languages.nodes import text
from leadline_tools.languages.rules.imports import Imported, Paths


def read_include(node: Node) -> Iterator[Imported]:
    """Read an include whose path is written there."""
    path = node.child_by_field_name("path")
    if path is not None and path.type in ("string_literal", "system_lib_string"):
        yield Imported(text(path), "*", "")


_STANDARD_HEADERS: Final = frozenset(
    (
        "assert complex ctype errno fenv float inttypes iso646 limits locale math setjmp signal stdalign stdarg"
        " stdatomic stdbit stdbool stdckdint stddef stdint stdio stdlib stdnoreturn string tgmath threads time"
        " uchar wchar wctype aio arpa/inet cpio devctl dirent dlfcn endian fcntl fmtmsg fnmatch ftw glob grp iconv"
        " langinfo libgen libintl monetary mqueue ndbm net/if netdb netinet/in netinet/tcp nl_types poll pthread"
        " pwd regex sched search semaphore spawn strings stropts sys/ipc sys/mman sys/msg sys/resource sys/select"
        " sys/sem sys/shm sys/socket sys/stat sys/statvfs sys/time sys/times sys/types sys/uio sys/un sys/utsname"
        " sys/wait syslog tar termios ulimit unistd utime utmpx wordexp"
    ).split()
)
"""The headers of the standard library (7.1.2 of C23) and of POSIX.1-2024.

A tree with headers of its own for some system keeps them in a folder that only the compiler of that system searches.
"""


def locate_include(module: str, importer: str, paths: Paths) -> Sequence[str]:
    """Return the file of an include: beside the includer, from the root, or the one that lies nearest.

    A header of the standard library in angle brackets is that of the system where it is in none of the usual folders.
    """
    name = module.strip('"<>')
    if name == module:
        return ()  # a namespace
    folder = posixpath.dirname(importer)
    if module.startswith('"') and paths.exists(beside := posixpath.normpath(posixpath.join(folder, name))):
        return (beside,)
    for path in (name, f"include/{name}"):
        if paths.exists(path):
            return (path,)
    if module.startswith("<") and name.removesuffix(".h") in _STANDARD_HEADERS:
        return ()
    parts = [part for part in name.split("/") if part not in ("", ".", "..")]
    found = sorted(paths.ending("/".join(parts)), key=lambda path: _measure_distance(path, folder)) if parts else []
    if len(found) > 1 and _measure_distance(found[0], folder) == _measure_distance(found[1], folder):
        return ()
    return found[:1]


def replaces_standard(path: str) -> bool:
    """Return whether a file is called like a header of the standard library: a compiler may be told to take it."""
    parts = path.removesuffix(".h").split("/")
    return path.endswith(".h") and any("/".join(parts[-number:]) in _STANDARD_HEADERS for number in (1, 2))


def _measure_distance(path: str, folder: str) -> tuple[int, int]:
    """Return how far a file lies from a folder: by the folders that they share, then by how deep it is."""
    parts, folders = path.split("/"), folder.split("/")
    return -sum(1 for _ in takewhile(bool, map(eq, parts, folders))), len(parts)
