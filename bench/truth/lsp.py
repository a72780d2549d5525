"""A language server, asked for references until it gives the same answer twice."""

from __future__ import annotations

import json
import os
import queue
import subprocess
import threading
import time
import urllib.parse
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from truth.corpus import Corpus
from truth.engine import Told
from truth.record import Drawn, Place

FIRST_SECONDS = 1_200
"""Seconds for the first answers, while the server reads the tree."""

SECONDS = 180
PAUSE = 0.3
MOST_QUESTIONS = 12
MOST_OPEN = 400
"""Files that are open at most: servers check every open file again and again."""


class ServerError(Exception):
    """The server refused, fell silent or ended."""


@dataclass(frozen=True, slots=True)
class Server:
    """How a language server is run.

    Args:
        version: Its name and version.
        command: What runs it.
        language: What the protocol calls the language of the files.
        settings: What it is told when it asks for its configuration.
        environment: What it needs in its environment.
        opens: Whether it wants the files open in which it is to look.
        declares: Whether it is asked for other declarations of a symbol: they count for nobody.

    """

    version: str
    command: Sequence[str]
    language: str
    settings: Mapping[str, Any] = field(default_factory=dict)
    environment: Mapping[str, str] = field(default_factory=dict)
    opens: bool = True
    declares: bool = False


class Connection:
    """JSON-RPC with a server over its standard input and output."""

    def __init__(self, server: Server, root: Path) -> None:
        self._settings = server.settings
        self._process = subprocess.Popen(
            server.command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=root,
            env={**os.environ, **server.environment},
        )
        self._replies: queue.Queue[Mapping[str, Any]] = queue.Queue()
        self._sending = threading.Lock()
        self._asked = 0
        threading.Thread(target=self._listen, daemon=True).start()

    def request(self, method: str, parameters: object, seconds: float = SECONDS) -> Any:
        """Return the result of a request."""
        self._asked += 1
        self._send({"id": self._asked, "method": method, "params": parameters})
        until = time.monotonic() + seconds
        while True:
            try:
                reply = self._replies.get(timeout=max(until - time.monotonic(), 0.01))
            except queue.Empty:
                raise ServerError(f"{method}: no answer in {seconds} s") from None
            if reply.get("id") in (self._asked, None):
                break
        if "error" in reply:
            raise ServerError(f"{method}: {reply['error'].get('message')}")
        return reply.get("result")

    def notify(self, method: str, parameters: object) -> None:
        """Send a notification."""
        self._send({"method": method, "params": parameters})

    def close(self) -> None:
        """End the server."""
        try:
            self.request("shutdown", None, 5)
            self.notify("exit", None)
            self._process.wait(5)
        except (ServerError, OSError, subprocess.TimeoutExpired):
            self._process.kill()
            self._process.wait()

    def _send(self, message: Mapping[str, object]) -> None:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        with self._sending:
            assert self._process.stdin is not None
            self._process.stdin.write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
            self._process.stdin.flush()

    def _listen(self) -> None:
        while (message := self._received()) is not None:
            if "method" not in message:
                self._replies.put(message)
            elif "id" in message:
                self._send({"id": message["id"], "result": self._reply(message)})
        self._replies.put({"id": None, "error": {"message": "the server has ended"}})

    def _received(self) -> Mapping[str, Any] | None:
        """Return the next message; None at the end."""
        assert self._process.stdout is not None
        length = 0
        while (line := self._process.stdout.readline()).strip():
            name, _, value = line.partition(b":")
            if name.lower() == b"content-length":
                length = int(value)
        body = self._process.stdout.read(length) if line else b""
        return json.loads(body) if body else None

    def _reply(self, message: Mapping[str, Any]) -> object:
        """Return what a request of the server is answered with."""
        if message["method"] != "workspace/configuration":
            return None
        return [self._setting(item.get("section") or "") for item in message["params"]["items"]]

    def _setting(self, section: str) -> object:
        value: Any = self._settings
        for name in section.split(".") if section else ():
            value = value.get(name) if isinstance(value, Mapping) else None
        return value


class LanguageServer:
    """An engine that speaks the Language Server Protocol.

    Args:
        server: How it is run.
        corpus: What it is asked about.
        root: The tree that it reads.
        paths: The files that it knows, all of the corpus mostly.

    """

    def __init__(self, server: Server, corpus: Corpus, root: Path, paths: Iterable[str] | None = None) -> None:
        self._server = server
        self._corpus = corpus
        self._root = root
        self._open: dict[str, None] = {}
        self._paths = frozenset(corpus.paths if paths is None else paths)
        self._answered = False
        self._connection = Connection(server, root)
        folder = {"uri": root.as_uri(), "name": root.name}
        self._connection.request(
            "initialize",
            {
                "processId": os.getpid(),
                "rootUri": root.as_uri(),
                "workspaceFolders": [folder],
                "initializationOptions": server.settings,
                "capabilities": {
                    "workspace": {"configuration": True, "workspaceFolders": True},
                    "textDocument": {
                        "references": {},
                        "definition": {"linkSupport": True},
                        "rename": {},
                        "publishDiagnostics": {},
                    },
                    "general": {"positionEncodings": ["utf-16"]},
                },
            },
        )
        self._connection.notify("initialized", {})
        self._connection.notify("workspace/didChangeConfiguration", {"settings": server.settings})

    @property
    def version(self) -> str:
        """Return its name and version."""
        return self._server.version

    def sees(self, path: str) -> bool:
        """Return whether it looks into a file."""
        return path in self._paths

    def close(self) -> None:
        """End the server."""
        self._connection.close()

    def tell(self, symbols: Iterable[Drawn]) -> Iterator[Told | None]:
        """Yield for each symbol what means it; None for one that the server does not know."""
        for symbol in symbols:
            if not self.sees(symbol.place.path):
                yield None
                continue
            holding = filter(self.sees, self._corpus.holding(symbol.name)) if self._server.opens else ()
            self._show(filter(self.sees, (symbol.place.path, *holding)))
            places = self._settled(symbol.place)
            if symbol.place not in places:
                yield None
            elif self._server.declares:
                uses = self._asked(symbol.place, declaration=False) | {symbol.place}
                yield Told(uses, places - uses)
            else:
                yield Told(places)

    def definitions(self, place: Place) -> frozenset[Place | None]:
        """Return where what stands at a place is defined, its file open; None for what is outside of the corpus."""
        self._show((place.path,))
        try:
            found = self._connection.request("textDocument/definition", self._position(place), SECONDS)
        except ServerError as error:
            print(f"{self.version}: {place}: {error}")
            return frozenset()
        return frozenset(map(self._place, _locations(found)))

    def renamed(self, symbol: Drawn, new: str) -> frozenset[Place] | None:
        """Return the places that a new name for a symbol changes, asked until two answers are the same.

        None where the server does not know the symbol, or will not rename it.
        """
        place = symbol.place
        if not self.sees(place.path):
            return None
        self._show(filter(self.sees, (place.path, *self._corpus.holding(symbol.name))))
        last: frozenset[Place] | None = None
        for _ in range(MOST_QUESTIONS):
            try:
                answer = self._connection.request(
                    "textDocument/rename",
                    {**self._position(place), "newName": new},
                    SECONDS if self._answered else FIRST_SECONDS,
                )
            except ServerError as error:
                print(f"{self.version}: {place}: {error}")
                return None
            self._answered = True
            found = frozenset(there for one in _edits(answer) if (there := self._place(one)) is not None)
            if found == last:
                return found or None
            last = found
            time.sleep(PAUSE)
        return None

    def _settled(self, place: Place) -> frozenset[Place]:
        """Ask until two answers are the same."""
        last = self._asked(place)
        for _ in range(MOST_QUESTIONS):
            time.sleep(PAUSE)
            again = self._asked(place)
            if again == last:
                return again
            last = again
        return frozenset()

    def _asked(self, place: Place, *, declaration: bool = True) -> frozenset[Place]:
        try:
            found = self._connection.request(
                "textDocument/references",
                {**self._position(place), "context": {"includeDeclaration": declaration}},
                SECONDS if self._answered else FIRST_SECONDS,
            )
        except ServerError as error:
            print(f"{self.version}: {place}: {error}")
            return frozenset()
        self._answered = True
        return frozenset(there for location in found or () if (there := self._place(location)) is not None)

    def _position(self, place: Place) -> Mapping[str, Any]:
        line = self._corpus.line(place.path, place.line)
        character = len(line[: place.column - 1].encode("utf-16-le")) // 2
        return {
            "textDocument": {"uri": self._uri(place.path)},
            "position": {"line": place.line - 1, "character": character},
        }

    def _place(self, location: Mapping[str, Any]) -> Place | None:
        """Return where a location begins; None outside of the corpus."""
        path = self._path(location["uri"])
        if path not in self._paths:
            return None
        start = location["range"]["start"]
        line = self._corpus.line(path, start["line"] + 1)
        before = line.encode("utf-16-le")[: 2 * start["character"]].decode("utf-16-le", "replace")
        return Place(path, start["line"] + 1, len(before) + 1)

    def _show(self, paths: Iterable[str]) -> None:
        """Open files; close those that were opened long ago."""
        wanted = dict.fromkeys(paths)
        for path in wanted:
            if path not in self._open:
                text = (self._root / path).read_text(encoding="utf-8", errors="replace")
                document = {"uri": self._uri(path), "languageId": self._server.language, "version": 1, "text": text}
                self._connection.notify("textDocument/didOpen", {"textDocument": document})
            self._open.pop(path, None)
            self._open[path] = None
        for path in list(self._open)[: max(len(self._open) - max(MOST_OPEN, len(wanted)), 0)]:
            del self._open[path]
            self._connection.notify("textDocument/didClose", {"textDocument": {"uri": self._uri(path)}})

    def _uri(self, path: str) -> str:
        return (self._root / path).as_uri()

    def _path(self, uri: str) -> str:
        path = Path(urllib.parse.unquote(urllib.parse.urlparse(uri).path))
        return path.relative_to(self._root).as_posix() if path.is_relative_to(self._root) else ""


def _locations(answer: Mapping[str, Any] | Sequence[Mapping[str, Any]] | None) -> Iterator[Mapping[str, Any]]:
    """Yield the places of a ``Location``, of several, or of what each ``LocationLink`` leads to."""
    for one in [answer] if isinstance(answer, Mapping) else answer or ():
        yield {"uri": one["targetUri"], "range": one["targetSelectionRange"]} if "targetUri" in one else one


def _edits(answer: Mapping[str, Any] | None) -> Iterator[Mapping[str, Any]]:
    """Yield the edits of a ``WorkspaceEdit``, each with the URI of its file."""
    for uri, edits in ((answer or {}).get("changes") or {}).items():
        yield from ({**edit, "uri": uri} for edit in edits)
    for change in (answer or {}).get("documentChanges") or ():
        yield from ({**edit, "uri": change["textDocument"]["uri"]} for edit in change.get("edits", ()))
