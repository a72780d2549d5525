"""The symbols of contents that a sibling has indexed: they are copied, so that no content is parsed for each branch."""

from __future__ import annotations

import time
from collections.abc import Mapping

import apsw

from leadline_tools.index.packing import packed_includes, packed_relations
from leadline_tools.index.packing.packed_symbols import names_in
from leadline_tools.index.store.siblings import SharedContent, SiblingIndex, Siblings, StoredSymbols
from leadline_tools.index.workers.frames import Reply
from leadline_tools.languages import language_by_name

_REFRESH_SECONDS = 2.0
"""Seconds after which it is looked again what a sibling has that is being indexed itself."""


class SharedSymbols:
    """What siblings know, for the thread that writes an index. Whatever is wrong with one, the file is parsed."""

    def __init__(self, siblings: Siblings | None) -> None:
        """Take the siblings; None where nothing is shared."""
        self._siblings = siblings
        self._open: dict[str, SiblingIndex] = {}
        self._known: dict[str, Mapping[SharedContent, int]] = {}
        self._versions: dict[str, object] = {}
        self._refreshed = -_REFRESH_SECONDS

    @property
    def are_there(self) -> bool:
        """Return whether there is any sibling."""
        return self._siblings is not None and bool(self._siblings.others())

    def find(self, path: str, digest: bytes) -> Reply | None:
        """Return what a worker would say of the symbols of a file; None where no sibling tells."""
        if not any(digest) or language_by_name(path) is None:
            return None
        self._refresh()
        content = SharedContent(digest, path.rpartition("/")[2])
        for name, known in self._known.items():
            file = known.get(content)
            if file is None:
                continue
            try:
                stored = self._open[name].symbols(file, digest)
                return None if stored is None else _reply(digest, stored)
            except (apsw.Error, ValueError):
                continue
        return None

    def forget(self) -> None:
        """Let go of what is known of the siblings, until it is asked for again."""
        for sibling in self._open.values():
            sibling.close()
        self._open, self._known, self._versions = {}, {}, {}
        self._refreshed = -_REFRESH_SECONDS

    def _refresh(self) -> None:
        """Look what the siblings have by now."""
        now = time.monotonic()
        if self._siblings is None or now - self._refreshed < _REFRESH_SECONDS:
            return
        for path in self._siblings.others():
            name = str(path)
            try:
                if name not in self._open:
                    self._open[name] = SiblingIndex(path)
                version = self._open[name].version()
                if name not in self._known or version != self._versions.get(name):
                    self._known[name], self._versions[name] = self._open[name].contents(), version
            except apsw.Error:
                self._known.pop(name, None)
        self._refreshed = time.monotonic()


def _reply(digest: bytes, stored: StoredSymbols) -> Reply:
    """Return the reply of a worker that led to what is stored; raises ValueError for what is damaged."""
    words = names_in(stored.symbols).decode("utf-8", "replace").split("\n") if stored.symbols else []
    if stored.related:
        words += packed_relations.tokens(packed_relations.unpacked(stored.related))
    if stored.included:
        words += map(packed_includes.token, packed_includes.unpacked(stored.included))
    names = "\n".join(dict.fromkeys(words)).encode("utf-8", "replace")
    return Reply(
        digest,
        stored.lines,
        names,
        stored.symbols,
        textual=stored.textual,
        included=stored.included,
        related=stored.related,
    )
