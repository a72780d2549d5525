"""Members that macros are given: of ``FOREACH(item, list, entry)`` the last is a member of what the first points to."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from leadline_tools.languages.facts import Use
from leadline_tools.languages.language import Semantics
from leadline_tools.languages.terms import BARE
from leadline_tools.model import Role
from leadline_tools.resolve.project.name_resolver import NameResolver
from leadline_tools.resolve.project.resolution import Resolution, SymbolRef
from leadline_tools.resolve.receivers.receiver_members import ReceiverMembers

_LINES_AROUND = 4
"""Lines before and after an argument on which its call stands."""

_BEFORE, _AFTER = ("(", ",", ""), (")", ",", "")


class GivenMembers:
    """Resolves words that macros take as members of other arguments.

    Args:
        resolver: Where texts and includes come from.
        members: Looks up members of terms.

    """

    def __init__(self, resolver: NameResolver, members: ReceiverMembers) -> None:
        self._resolver = resolver
        self._members = members
        self._macros: tuple[str, frozenset[str]] = "", frozenset()

    def forget(self) -> None:
        """Let go of what was found out; it is found out again where it is asked for."""
        self._macros = "", frozenset()

    def resolve(self, path: str, semantics: Semantics, name: str, use: Use) -> Sequence[Resolution]:
        """Return the member that a bare name means as a macro is given it; nothing for any other name."""
        if semantics.macros.receiver_of is None or use.role is not Role.Read or use.receiver != BARE:
            return ()
        lines = self._resolver.project.lines(path)
        line = lines[use.line - 1] if use.line <= len(lines) else ""
        before, after = line[: use.column - 1], line[use.end_column - 1 :]
        if before.rstrip()[-1:] not in _BEFORE or after.strip()[:1] not in _AFTER:
            return ()
        above = "".join(f"{one}\n" for one in lines[max(0, use.line - 1 - _LINES_AROUND) : use.line - 1]) + before
        below = "\n".join((line[use.column - 1 :], *lines[use.line : use.line + _LINES_AROUND]))
        content = above.encode() + below.encode()
        term = semantics.macros.receiver_of(content, len(above.encode()), partial(self._defining, path))
        found = self._members.resolve(path, term, use.scope, name) if term else ()
        return [one for one in found if isinstance(one, SymbolRef)]

    def _defining(self, path: str, name: str) -> Iterator[bytes]:
        """Yield the texts that define a macro with parameters for a file."""
        if name in self._seen(path):
            for file in self._resolver.includes.defining(path, name):
                yield self._resolver.project.text(file)
            yield self._resolver.project.text(path)

    def _seen(self, path: str) -> frozenset[str]:
        """Return the macros with parameters of a file and of what it includes; those of the last file are kept."""
        if self._macros[0] != path:
            files = self._resolver.includes.of(path) or ()
            names = (self._resolver.project.macros.with_parameters(file) for file in files)
            self._macros = path, frozenset().union(*names)
        return self._macros[1]
