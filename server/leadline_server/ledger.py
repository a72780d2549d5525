"""What every call was estimated to cost, what was sent, and what the full result would have cost."""

from __future__ import annotations

import contextlib
import threading
import time
from dataclasses import dataclass
from pathlib import Path

import apsw

from leadline_tools.index.database import private_folder

_SCHEMA = """
create table if not exists call(
    at real not null, session text not null, principal text not null, tool text not null,
    estimated integer not null, sent integer not null, whole integer not null);
create index if not exists call_at on call(at);
"""
_KEPT_SECONDS = 90 * 24 * 3600


@dataclass(frozen=True, slots=True)
class Entry:
    """One call: tokens of the page as estimated and as sent, and of the complete answer; o200k tokens."""

    tool: str
    estimated: int
    sent: int
    whole: int


@dataclass(frozen=True, slots=True)
class Spending:
    """The calls of one tool together."""

    tool: str
    calls: int
    estimated: int
    sent: int
    whole: int


class Ledger:
    """The calls of this session, and in a file those of the sessions before."""

    def __init__(self, path: Path | None, session: str) -> None:
        self._session = session
        self._lock = threading.Lock()
        self._entries: list[tuple[str, Entry]] = []
        self._connection = self._open(path)

    def add(self, principal: str, entry: Entry) -> None:
        """Note a call; a ledger that cannot be written forgets it at the end of the session."""
        with self._lock:
            self._entries.append((principal, entry))
            if self._connection is not None:
                with contextlib.suppress(apsw.Error):
                    self._connection.execute(
                        "insert into call values(?,?,?,?,?,?,?)",
                        (time.time(), self._session, principal, entry.tool, entry.estimated, entry.sent, entry.whole),
                    )

    def session(self, principal: str) -> list[Spending]:
        """Return what this session spent, by tool, most first."""
        with self._lock:
            entries = [entry for owner, entry in self._entries if owner == principal]
        tools = {entry.tool: None for entry in entries}
        spent = [_together(tool, [entry for entry in entries if entry.tool == tool]) for tool in tools]
        return sorted(spent, key=lambda spending: -spending.sent)

    def reset(self, principal: str) -> None:
        """Begin to count anew; what is in the file stays."""
        with self._lock:
            self._entries = [(owner, entry) for owner, entry in self._entries if owner != principal]

    def close(self) -> None:
        """Close the database."""
        with self._lock:
            if self._connection is not None:
                self._connection.close()
                self._connection = None

    def _open(self, path: Path | None) -> apsw.Connection | None:
        if path is None:
            return None
        try:
            private_folder(path.parent)
            connection = apsw.Connection(str(path))
            connection.set_busy_timeout(1_000)
            connection.execute("pragma journal_mode=wal; pragma synchronous=off")
            connection.execute(_SCHEMA)
            connection.execute("delete from call where at < ?", (time.time() - _KEPT_SECONDS,))
        except (OSError, apsw.Error):
            return None
        return connection


def _together(tool: str, entries: list[Entry]) -> Spending:
    return Spending(
        tool,
        len(entries),
        sum(entry.estimated for entry in entries),
        sum(entry.sent for entry in entries),
        sum(entry.whole for entry in entries),
    )
