"""The checker that asks language servers: what they find wrong, and the repairs that they offer.

A server guesses what was meant, so each of its repairs is an unsafe one, chosen by its id. One that is a command to the
editor, or that touches other files than the one that is wrong, is left out.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from leadline_tools.diagnostics.checker import Checked, Finding, Repair, Report
from leadline_tools.diagnostics.text_positions import TextPositions
from leadline_tools.edits.plan import Edit
from leadline_tools.index.index import Index
from leadline_tools.index.text.key_masking import MASK, clip_text
from leadline_tools.language_servers.client import Client
from leadline_tools.language_servers.server_pool import ManagedServer, ServerPool, ServerTask, pool_of, wait
from leadline_tools.languages import language_of
from leadline_tools.model import Severity

SECONDS = 2.0
"""Seconds that an answer waits for a server."""

MOST_FILES = 20
"""Files of one question that a server is shown."""

_MOST_MENDED = 40
"""Diagnostics of one file that a server is asked to mend: it is asked once for each."""

_MOST_REPAIRS = 4
_LONGEST = 300
_SEVERITIES = {1: Severity.Error, 2: Severity.Warning, 3: Severity.Information, 4: Severity.Hint}
"""``DiagnosticSeverity`` of LSP."""


class Served:
    """Reports what the language servers of an index say."""

    name = "server"
    beside = True

    def check(self, index: Index, paths: Sequence[str], until: float) -> Report:
        """Ask the server of each language, where it has one."""
        files: list[Checked] = []
        notes: list[str] = []
        servers = pool_of(index)
        if servers is None:
            return Report()
        for server, own in _by_server(servers, paths).items():
            if len(own) > MOST_FILES:
                notes.append(f"{server.name} was not used: it checks up to {MOST_FILES} files, narrow the path")
                continue
            visit = servers.inquire(server, (index.files.state, tuple(own)), Visit(index, server.name, own))
            wait(visit, min(SECONDS, until - time.monotonic()))
            if not visit.done.is_set():
                notes.append(f"{server.name} is still reading: ask again for what it finds")
            elif visit.failure:
                notes.append(f"{server.name} {visit.failure}: its results are missing")
            files += visit.files if visit.done.is_set() else ()
        return Report(tuple(files), notes=tuple(notes))

    def errors_in(self, index: Index, path: str, content: bytes) -> int | None:
        """Return None: a server knows files as they are."""
        del index, path, content
        return None


def _by_server(servers: ServerPool, paths: Sequence[str]) -> Mapping[ManagedServer, list[str]]:
    found: dict[ManagedServer, list[str]] = {}
    for path in paths:
        language = language_of(path)
        server = servers.of(language.name) if language is not None else None
        if server is not None:
            found.setdefault(server, []).append(path)
    return found


class Visit(ServerTask):
    """Some files on their way to a server and back."""

    def __init__(self, index: Index, name: str, paths: Sequence[str]) -> None:
        super().__init__()
        self.files: Sequence[Checked] = ()
        self._index, self._name, self._paths = index, name, paths

    def run(self, client: Client) -> None:
        """Ask a server. Raises ServerFault."""
        shown = client.show(self._paths)
        found = []
        for path, digest, diagnostics in client.diagnoses(shown):
            source = self._index.try_read(path)
            if source is not None and source.digest == digest:
                findings = _findings(client, path, TextPositions(source.content), diagnostics)
                found.append(Checked(path, digest, self._name, tuple(findings)))
        self.files = found


def _findings(client: Client, path: str, places: TextPositions, diagnostics: Sequence[Any]) -> Iterator[Finding]:
    """Yield the findings of a file; what is no diagnostic is left out."""
    for number, one in enumerate(diagnostics):
        span = _span(client, path, one.get("range")) if isinstance(one, dict) else None
        if span is None or not isinstance(one.get("message"), str):
            continue
        code = one.get("code")
        yield Finding(
            *span,
            _severity(one.get("severity")),
            str(code) if isinstance(code, str | int) else client.name,
            clip_text(" ".join(client.shown(path, one["message"]).split()), _LONGEST),
            tuple(_repairs(client, path, places, one)) if number < _MOST_MENDED else (),
        )


def _severity(told: object) -> Severity:
    """Return how grave a diagnostic is; a warning where it does not say."""
    return _SEVERITIES.get(told, Severity.Warning) if isinstance(told, int) else Severity.Warning


def _span(client: Client, path: str, span: Any) -> tuple[tuple[int, int], tuple[int, int]] | None:
    """Return the lines and columns of a range of the protocol."""
    if not isinstance(span, dict):
        return None
    start, end = (client.place(path, span.get(name)) for name in ("start", "end"))
    if start is None or end is None:
        return None
    begins, ends = (start.line, start.column), (end.line, end.column)
    return begins, max(begins, ends)


def _repairs(client: Client, path: str, places: TextPositions, diagnostic: Mapping[str, Any]) -> Iterator[Repair]:
    """Yield the repairs of a diagnostic that touch nothing but its file."""
    found = 0
    for action in client.actions(path, diagnostic):
        edits = _edits(client, path, places, action["edit"])
        if edits and isinstance(action.get("title"), str) and found < _MOST_REPAIRS:
            found += 1
            yield Repair(clip_text(" ".join(client.shown(path, action["title"]).split()), _LONGEST), edits, unsafe=True)


def _edits(client: Client, path: str, places: TextPositions, edit: Mapping[str, Any]) -> tuple[Edit, ...]:
    """Return the edits of a ``WorkspaceEdit``, in the order of the text; none where one is of another file."""
    found: list[Edit] = []
    for uri, one in _text_edits(edit):
        span = _span(client, path, one.get("range")) if isinstance(one, dict) else None
        if span is None or client.path(uri) != path or not isinstance(one.get("newText"), str):
            return ()
        text = one["newText"].replace("\r\n", "\n")
        if MASK in text or client.shown(path, text) != text:
            return ()
        found.append(Edit(places.byte(*span[0]), places.byte(*span[1]), text))
    found.sort()
    overlapping = any(one.end > other.start for one, other in itertools.pairwise(found))
    return () if overlapping else tuple(found)


def _text_edits(edit: Mapping[str, Any]) -> Iterator[tuple[Any, Any]]:
    """Yield the edits of texts, each with its URI; a file that is made, renamed or deleted has none that is known."""
    changes = edit.get("changes")
    for uri, edits in changes.items() if isinstance(changes, dict) else ():
        yield from ((uri, one) for one in edits if isinstance(edits, list))
    documents = edit.get("documentChanges")
    for change in documents if isinstance(documents, list) else ():
        document = change.get("textDocument") if isinstance(change, dict) else None
        edits = change.get("edits") if isinstance(change, dict) else None
        uri = document.get("uri") if isinstance(document, dict) else None
        yield from ((uri, one) for one in (edits if isinstance(edits, list) else (None,)))
