"""One running language server: the files that it is shown, and the questions that it is asked."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from leadline_tools.index.index import Index
from leadline_tools.index.tree.programs import start
from leadline_tools.language_servers.connection import Connection, ServerFault
from leadline_tools.language_servers.known import LANGUAGE_IDS, KnownServer
from leadline_tools.language_servers.literals import hide_foreign_values
from leadline_tools.language_servers.locations import SourceLocation, parse_locations, to_column, to_units
from leadline_tools.language_servers.view import TreeView
from leadline_tools.languages import language_of

MEMORY = 4 << 30
"""Bytes of data that a server may have: of those that were measured the largest took 1.7 GB."""

MOST_OPEN = 400
"""Files that are open at most: servers check every open file again and again."""

_START_SECONDS = 30.0
_ANSWER_SECONDS = 20.0
_GOODBYE_SECONDS = 1.0
_AT_ONCE = 16
"""Questions that are sent together."""

_CREATED, _CHANGED, _DELETED = 1, 2, 3
"""``FileChangeType`` of LSP."""

_COORDINATES = ("line", "character")
_ENCODINGS = ("utf-8", "utf-16", "utf-32")
_CAPABILITIES: Mapping[str, Any] = {
    "general": {"positionEncodings": ["utf-8", "utf-16"]},
    "textDocument": {
        "synchronization": {},
        "definition": {"linkSupport": True},
        "references": {},
        "implementation": {"linkSupport": True},
        "hover": {"contentFormat": ["plaintext"]},
        "codeAction": {
            "codeActionLiteralSupport": {"codeActionKind": {"valueSet": ["quickfix"]}},
            "dataSupport": True,
            "resolveSupport": {"properties": ["edit"]},
        },
        "diagnostic": {},
        "publishDiagnostics": {},
    },
    "workspace": {
        "configuration": True,
        "workspaceFolders": True,
        "didChangeWatchedFiles": {"dynamicRegistration": True},
    },
    "window": {"workDoneProgress": True},
}


class Client:
    """A server that runs, and what it was told of the tree. One thread asks at a time."""

    def __init__(self, known: KnownServer, index: Index) -> None:
        """Start a server and greet it. Raises ServerFault and OSError."""
        self.name = known.name
        self._index = index
        self._view = TreeView(index, known.languages)
        self._opened: dict[str, bytes] = {}
        self._lines: dict[str, Sequence[str]] = {}
        self._state, self._seen = index.files.state, _seen(index)
        try:
            self._connection = self._greet(known)
        except BaseException:
            self._view.close()
            raise

    def _greet(self, known: KnownServer) -> Connection:
        """Start the server in the view and learn what it can do. Raises ServerFault and OSError."""
        folder = {"uri": Path(self._view.folder).as_uri(), "name": self._index.root.name or "root"}
        readable = (self._view.folder, *known.readable(str(self._index.root)))
        companion = start(known.command, self._view.folder, known.environment, MEMORY, readable)
        connection = Connection(companion, known.settings, folder)
        greeting = {
            "processId": os.getpid(),
            "rootUri": folder["uri"],
            "workspaceFolders": [folder],
            "capabilities": _CAPABILITIES,
            "initializationOptions": known.options,
        }
        answer = connection.request("initialize", greeting, _START_SECONDS)
        able = answer.get("capabilities") if isinstance(answer, dict) else None
        if not isinstance(able, dict) or not able.get("definitionProvider"):
            connection.end("finds no definitions")
            raise ServerFault(connection.fault)
        self._able: Mapping[str, Any] = able
        encoding = able.get("positionEncoding")
        self._encoding = encoding if encoding in _ENCODINGS else "utf-16"
        connection.notify("initialized", {})
        connection.notify("workspace/didChangeConfiguration", {"settings": known.settings})
        return connection

    @property
    def fault(self) -> str:
        """Return what ended it; empty while it runs."""
        return self._connection.fault

    def end(self) -> None:
        """Say goodbye, and end it whatever it answers."""
        with contextlib.suppress(ServerFault):
            self._connection.request("shutdown", None, _GOODBYE_SECONDS)
            self._connection.notify("exit", None)
        self._connection.end()
        self._view.close()

    def show(self, paths: Iterable[str]) -> list[str]:
        """Open files as they are now, at most ``MOST_OPEN``, and tell what else has changed; return those opened."""
        self._tell_changes()
        wanted = list(dict.fromkeys(paths))[:MOST_OPEN]
        for path in [path for path in self._opened if path not in wanted][
            : max(0, len(wanted) - MOST_OPEN + len(self._opened))
        ]:
            self._close(path)
        return [path for path in wanted if self._open(path)]

    def definitions(
        self, places: Sequence[SourceLocation]
    ) -> Iterator[tuple[SourceLocation, Sequence[SourceLocation]]]:
        """Yield places in opened files, each with those at which the server says what stands there is defined."""
        for first in range(0, len(places), _AT_ONCE):
            asked = places[first : first + _AT_ONCE]
            results = self._connection.requests(
                "textDocument/definition", [self._position(place) for place in asked], _ANSWER_SECONDS
            )
            for place, result in zip(asked, results, strict=True):
                yield place, [self._place(spot.uri, spot.line, spot.character) for spot in parse_locations(result)]

    @property
    def tells_implementations(self) -> bool:
        """Return whether the server knows what implements a symbol."""
        return bool(self._able.get("implementationProvider"))

    def implementations(self, place: SourceLocation) -> Sequence[SourceLocation]:
        """Return where the server says that what is named at a place in an opened file is implemented."""
        result = self._connection.request("textDocument/implementation", self._position(place), _ANSWER_SECONDS)
        return [self._place(spot.uri, spot.line, spot.character) for spot in parse_locations(result)]

    def hover(self, place: SourceLocation) -> str:
        """Return what the server says of the name at a place in an opened file; empty where it says nothing."""
        if not self._able.get("hoverProvider"):
            return ""
        result = self._connection.request("textDocument/hover", self._position(place), _ANSWER_SECONDS)
        contents = result.get("contents") if isinstance(result, dict) else None
        parts = contents if isinstance(contents, list) else [contents]
        texts = (part.get("value") if isinstance(part, dict) else part for part in parts)
        return self.shown(place.path, "\n".join(text for text in texts if isinstance(text, str)).strip())

    def shown(self, path: str, said: str) -> str:
        """Return what the server says of a file of the tree, without values from files that it was not shown."""
        self.line(path, 1)
        return hide_foreign_values(said, "\n".join(self._lines.get(path, ())))

    def diagnoses(self, paths: Sequence[str]) -> Iterator[tuple[str, bytes, Sequence[Any]]]:
        """Yield opened files, each with the digest of what is open and what the server says is wrong with it."""
        uris = {self._uri(path): path for path in paths}
        if self._able.get("diagnosticProvider"):
            asked = [{"textDocument": {"uri": uri}} for uri in uris]
            results = self._connection.requests("textDocument/diagnostic", asked, _ANSWER_SECONDS)
            lists = (result.get("items") if isinstance(result, dict) else None for result in results)
            found: Mapping[str, Sequence[Any]] = {
                uri: items for uri, items in zip(uris, lists, strict=True) if isinstance(items, list)
            }
        else:
            found = self._connection.published(uris, _ANSWER_SECONDS)
        for uri, path in uris.items():
            if uri in found and path in self._opened:
                yield path, self._opened[path], found[uri]

    def actions(self, path: str, diagnostic: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
        """Yield the code actions that mend a diagnostic of an opened file, each with its ``edit``."""
        provider = self._able.get("codeActionProvider")
        if not provider:
            return
        context = {"diagnostics": [diagnostic], "only": ["quickfix"]}
        asked = {"textDocument": {"uri": self._uri(path)}, "range": diagnostic["range"], "context": context}
        found = self._connection.request("textDocument/codeAction", asked, _ANSWER_SECONDS)
        resolves = isinstance(provider, dict) and provider.get("resolveProvider")
        for action in found if isinstance(found, list) else ():
            if isinstance(action, dict) and "edit" not in action and resolves and "data" in action:
                action = self._connection.request("codeAction/resolve", action, _ANSWER_SECONDS)  # noqa: PLW2901
            if isinstance(action, dict) and isinstance(action.get("edit"), dict):
                yield action

    def place(self, path: str, position: Any) -> SourceLocation | None:
        """Return a position of the protocol in a file of the tree as a place; None for what is none."""
        line, character = (position.get(name) if isinstance(position, dict) else None for name in _COORDINATES)
        if not (isinstance(line, int) and isinstance(character, int)) or min(line, character) < 0:
            return None
        return SourceLocation(path, line + 1, to_column(self.line(path, line + 1), character, self._encoding))

    def path(self, uri: Any) -> str:
        """Return the path of the tree that a URI names; empty where it names something else."""
        path, outside = self._view.path_of(uri) if isinstance(uri, str) else ("", True)
        return "" if outside else path

    def line(self, path: str, line: int) -> str:
        """Return a line of a file of the tree as the server knows it; empty where there is none."""
        if path not in self._lines:
            source = self._index.try_read(path) if self._index.paths.exists(path) else None
            self._lines[path] = source.lines() if source is not None else []
        lines = self._lines[path]
        return lines[line - 1] if 0 < line <= len(lines) else ""

    def _position(self, place: SourceLocation) -> Mapping[str, Any]:
        character = to_units(self.line(place.path, place.line), place.column, self._encoding)
        return {
            "textDocument": {"uri": self._uri(place.path)},
            "position": {"line": place.line - 1, "character": character},
        }

    def _place(self, uri: str, line: int, character: int) -> SourceLocation:
        path, outside = self._view.path_of(uri)
        if outside:
            return SourceLocation(path, line + 1, character + 1, outside=True)
        return SourceLocation(path, line + 1, to_column(self.line(path, line + 1), character, self._encoding))

    def _uri(self, path: str) -> str:
        return Path(self._view.on_disk(path)).as_uri()

    def _open(self, path: str) -> bool:
        source, language = self._index.try_read(path), language_of(path)
        if source is None or language is None:
            self._close(path)
            return False
        if self._opened.get(path) != source.digest:
            self._close(path)
            document = {
                "uri": self._uri(path),
                "languageId": LANGUAGE_IDS.get(language.name, language.name),
                "version": 1,
                "text": source.text,
            }
            self._connection.forget(self._uri(path))
            self._connection.notify("textDocument/didOpen", {"textDocument": document})
            self._opened[path], self._lines[path] = source.digest, source.lines()
        return True

    def _close(self, path: str) -> None:
        if self._opened.pop(path, None) is not None:
            self._connection.notify("textDocument/didClose", {"textDocument": {"uri": self._uri(path)}})

    def _tell_changes(self) -> None:
        """Copy and tell what has changed since this was told last: servers leave it to their client to watch."""
        if self._index.files.state == self._state:
            self._view.keep()
            return
        self._state, before, self._seen = self._index.files.state, self._seen, _seen(self._index)
        known = before.keys() | self._seen.keys()
        changed = self._view.refresh(path for path in known if before.get(path) != self._seen.get(path))
        changes = [{"uri": self._uri(path), "type": _kind(path, before, self._seen)} for path in changed]
        self._lines.clear()
        self._connection.notify("workspace/didChangeWatchedFiles", {"changes": changes})


_Seen = Mapping[str, tuple[int, int]]


def _seen(index: Index) -> _Seen:
    return {file.path: (file.size, file.changed_ns) for file in index.files.below()}


def _kind(path: str, before: _Seen, now: _Seen) -> int:
    if path not in before:
        return _CREATED
    return _CHANGED if path in now else _DELETED
