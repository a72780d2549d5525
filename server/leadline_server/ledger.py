"""The ledger: what every call was estimated to cost, what was sent, and what the alternatives would have cost.

The ledger never delays an answer: calls are written together, a second after the first of them. If the file cannot be
written, answers are sent all the same, the calls wait in memory, and ``troubles`` reports it.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from leadline_server.ledger_file import LedgerFile, Row, Serving
from leadline_tools.result import Call

_RECENT = 200
"""Calls that are kept one by one, for who watches."""

_OFFERS = 2_000
"""Calls from which is learned what calls cost."""

_WRITE_SECONDS = 1.0
"""Seconds until a call is in the file, with those after it: a transaction costs as much as many a short answer."""

_BACKWARDS = 60.0
"""Seconds that a clock may be set back without a word."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One call; tokens as they are counted for the model, unless it says otherwise.

    Args:
        tool: The tool that was called.
        estimated: The text that was sent, as estimated from the costs of its lines.
        sent: The text that was sent, as counted.
        whole: The complete answer in the same form, every item in normal detail: at least what was sent.
        files: All files together that the lines sent are in, read whole; 0 where the answer has no lines of files.
        charged: What was sent in tokens of the model, an upper bound where its tokenizer is not public.
        client: The name of the client, as it says.
        kind: What the text is made of.
        sampled: Whether ``whole`` rests on a sample.
        error: Whether the answer was an error.
        offered: The price at which an answer offered the call, before correction; 0 where none did.
        came: What it then would have cost with no limit. Both are tokens of the model.

    """

    tool: str
    estimated: int
    sent: int
    whole: int
    files: int = 0
    charged: int = 0
    client: str = ""
    kind: str = ""
    sampled: bool = False
    error: bool = False
    offered: int = 0
    came: int = 0


@dataclass(frozen=True, slots=True)
class RecordedCall:
    """A call of this session: its number, from 1, and when it was, in seconds since 1970.

    ``question`` is the call as it came in, which is in no file; None for an unknown tool and for one that is too long.
    """

    number: int
    at: float
    principal: str
    entry: Entry
    question: Call | None = None


@dataclass(frozen=True, slots=True)
class Spending:
    """Calls together, by whatever they have in common; tokens as they are counted but for ``charged``.

    Args:
        name: What they have in common.
        calls: How many there were.
        estimated: The texts that were sent, as estimated.
        sent: The same, as counted.
        whole: The complete answers.
        off: How far the estimates were off, added up whichever way.
        worst: The largest such share of one text.
        files: The files that the lines sent are in, read whole, over the calls with lines of files.
        instead: What was sent in those calls.
        charged: Tokens of the model.
        errors: How many of the calls were answered by an error.

    """

    name: str
    calls: int = 0
    estimated: int = 0
    sent: int = 0
    whole: int = 0
    off: int = 0
    worst: float = 0.0
    files: int = 0
    instead: int = 0
    charged: int = 0
    errors: int = 0

    def with_(self, other: Spending) -> Spending:
        """Return the calls of both."""
        return Spending(
            self.name,
            self.calls + other.calls,
            self.estimated + other.estimated,
            self.sent + other.sent,
            self.whole + other.whole,
            self.off + other.off,
            max(self.worst, other.worst),
            self.files + other.files,
            self.instead + other.instead,
            self.charged + other.charged,
            self.errors + other.errors,
        )

    @property
    def error_share(self) -> float:
        """Return how far the estimates were off, as a share of what was sent."""
        return self.off / self.sent if self.sent else 0.0


def spending_of(entry: Entry) -> Spending:
    """Return one call as spending of its tool."""
    off = abs(entry.estimated - entry.sent)
    return Spending(
        entry.tool,
        1,
        entry.estimated,
        entry.sent,
        entry.whole,
        off,
        off / max(1, entry.sent),
        entry.files,
        entry.sent if entry.files else 0,
        entry.charged,
        int(entry.error),
    )


class LocalLedger:
    """The calls of this session, and in a file those of the sessions before.

    Args:
        path: The file; None for memory alone.
        serving: What the session serves.
        clock: The time in seconds since 1970.
    """

    def __init__(self, path: Path | None, serving: Serving, clock: Callable[[], float] = time.time) -> None:
        self._lock = threading.Lock()
        self._clock = clock
        self._spent: dict[str, dict[str, Spending]] = {}
        self._recent: deque[RecordedCall] = deque(maxlen=_RECENT)
        self._number = 0
        self._latest = 0.0
        self._set_back = 0.0
        self._file = LedgerFile(path, serving) if path is not None else None
        self._due = False

    def note_listing(self, schema: Callable[[], int]) -> None:
        """Note that a model receives the list of tools, whose o200k tokens ``schema`` returns."""
        if self._file is not None:
            self._file.schema = schema

    def add(self, principal: str, entry: Entry, question: Call | None = None) -> None:
        """Note a call; one that cannot be written soon is written later, or forgotten at the end of the session."""
        spending = spending_of(entry)
        with self._lock:
            now = self._clock()
            self._set_back = max(self._set_back, self._latest - now)
            self._latest = max(self._latest, now)
            self._number += 1
            self._recent.append(RecordedCall(self._number, now, principal, entry, question))
            tools = self._spent.setdefault(principal, {})
            tools[entry.tool] = tools[entry.tool].with_(spending) if entry.tool in tools else spending
            if self._file is not None:
                self._file.note(row_of(now, principal, entry))
                self._write_soon()

    def flush(self) -> None:
        """Write what is still to be written, as far as that can be done now."""
        with self._lock:
            self._due = False
            if self._file is not None:
                self._file.flush()

    def _write_soon(self) -> None:
        """See to it that what waits is written before long; the caller holds the lock."""
        if not self._due:
            self._due = True
            timer = threading.Timer(_WRITE_SECONDS, self.flush)
            timer.daemon = True
            timer.start()

    def session(self, principal: str) -> list[Spending]:
        """Return what this session spent since it began or was reset, by tool, most first."""
        with self._lock:
            spent = list(self._spent.get(principal, {}).values())
        return sorted(spent, key=lambda spending: -spending.sent)

    def offers(self) -> dict[str, list[float]]:
        """Return the ratios of cost to offered price of calls, by tool: from the file, or of this session."""
        self.flush()
        with self._lock:
            if self._file is not None:
                found = self._file.offers(_OFFERS)
            else:
                entries = (noted.entry for noted in self._recent)
                found = [(entry.tool, entry.offered, entry.came) for entry in entries if entry.offered]
        ratios: dict[str, list[float]] = {}
        for tool, offered, came in found:
            ratios.setdefault(tool, []).append(came / offered)
        return ratios

    def recent(self, principal: str | None) -> list[RecordedCall]:
        """Return the last calls of a principal, or of all, oldest first."""
        with self._lock:
            return [noted for noted in self._recent if principal in {None, noted.principal}]

    def reset(self, principal: str) -> None:
        """Restart the count; what is in the file stays."""
        with self._lock:
            self._spent.pop(principal, None)

    @property
    def troubles(self) -> tuple[str, ...]:
        """Return the problems of the ledger, one line each; none where all is well."""
        self.flush()
        with self._lock:
            lines = list(self._file.troubles) if self._file is not None else []
            if self._set_back > _BACKWARDS:
                lines.append(f"the clock was set back by {self._set_back:,.0f} s: days in the ledger may be wrong")
        return tuple(f"ledger: {trouble}" for trouble in lines)

    def close(self) -> None:
        """Write what is still to be written, and close the file."""
        with self._lock:
            if self._file is not None:
                self._file.close()


def row_of(at: float, principal: str, entry: Entry) -> Row:
    """Return a call as a ledger writes it; ``at`` is in seconds since 1970."""
    return Row(
        at,
        storable_text(principal),
        entry.tool,
        entry.estimated,
        entry.sent,
        entry.whole,
        entry.files,
        entry.charged,
        storable_text(entry.client),
        entry.kind,
        entry.sampled,
        entry.error,
        entry.offered,
        entry.came,
    )


def storable_text(text: str) -> str:
    """Return a text as every database takes it: without NUL and without what is no character."""
    return text.replace("\0", "\ufffd").encode("utf-8", "replace").decode()
