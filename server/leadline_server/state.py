"""The state of a server: what its calls leave behind, as narrow as it is used.

Results, turns, ledger and limits each have two implementations: one for a single server, in SQLite files of the cache
folder or in memory, and one for *replicas*, servers that share a PostgreSQL database (``leadline_server.replicas``).
"""

from __future__ import annotations

import uuid
from collections.abc import Callable, Collection, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from leadline_estimators.profiles import Profile
from leadline_estimators.turn import Grant, TurnState
from leadline_server.config import Config
from leadline_server.ledger import Entry, LocalLedger, RecordedCall, Spending
from leadline_server.ledger_file import Serving
from leadline_server.load import Load
from leadline_server.store import Store
from leadline_server.turns import MemoryTurns
from leadline_tools.index.index import Index
from leadline_tools.result import Call, Result

if TYPE_CHECKING:
    from leadline_tools.database.pool import DatabasePool  # an extra

LEDGER = "ledger.db"
"""The file of the ledger in the cache folder."""


class Results(Protocol):
    """The complete results, and the files on which edits were previewed."""

    def uri(self, principal: str, call: Call, state: str) -> str:
        """Return the URI of the answer to ``call`` on a state of the index."""
        ...

    def put(self, uri: str, call: Call, result: Result, principal: str, roots: Collection[str] = ()) -> None:
        """Keep a result of a principal about some roots; one that is kept already stays as it is.

        What cannot be kept is no error.
        """
        ...

    def find(self, uri: str, principal: str, index: Index | None = None) -> tuple[Call, Result] | None:
        """Return what is kept under ``uri`` for a principal; None for nothing, and where ``get`` raises."""
        ...

    def get(self, uri: str, principal: str, index: Index | None = None) -> tuple[Call, Result]:
        """Return what is kept under ``uri`` for a principal, who sees the roots of an ``index``.

        Raises NoSuchResult, also for what is another's, and ResultWithdrawn for what is about other roots.
        """
        ...

    def remember_preview(self, question: str, before: Mapping[str, str]) -> None:
        """Remember the digests of the files, by path, on which the edit that a question asks for was previewed."""
        ...

    def recall_preview(self, question: str) -> dict[str, str] | None:
        """Return what was remembered of a question in the last day; None for nothing."""
        ...

    def close(self) -> None:
        """Write what is to be kept, and close what is open."""
        ...


class Turns(Protocol):
    """The turns of all callers."""

    def call(self, principal: str, name: str, asked: int, floor: int) -> AbstractContextManager[Grant]:
        """Grant tokens to a call: what it asks for, at most half of the rest of its turn, never under the floor."""
        ...

    def has_seen(self, principal: str, name: str, uri: str, tokens: int) -> bool:
        """Return whether an answer that may cost as much was given in a turn with a name; note that it is given now."""
        ...

    def state(self, principal: str) -> TurnState | None:
        """Return the state of the turn of a principal; None where turns have no limit."""
        ...

    def reset(self, principal: str) -> None:
        """Begin a new turn."""
        ...


class Ledger(Protocol):
    """What every call was estimated to cost, and what was sent. Nothing here delays an answer or makes it fail."""

    def note_listing(self, schema: Callable[[], int]) -> None:
        """Note that a model receives the list of tools, whose o200k tokens ``schema`` returns."""
        ...

    def add(self, principal: str, entry: Entry, question: Call | None = None) -> None:
        """Note a call; it is written soon, without its ``question``, the call as it came in."""
        ...

    def flush(self) -> None:
        """Write what is still to be written, as far as that can be done now."""
        ...

    def session(self, principal: str) -> list[Spending]:
        """Return what a principal spent since its session began or was reset, by tool, most first."""
        ...

    def offers(self) -> Mapping[str, list[float]]:
        """Return the ratios of cost to offered price of calls, by tool."""
        ...

    def recent(self, principal: str | None) -> list[RecordedCall]:
        """Return the last calls of a principal, or of all, oldest first."""
        ...

    def reset(self, principal: str) -> None:
        """Restart the count of a principal."""
        ...

    @property
    def troubles(self) -> tuple[str, ...]:
        """Return the problems of the ledger, one line each; none where all is well."""
        ...

    def close(self) -> None:
        """Write what is still to be written, and close what is open."""
        ...


class Limits(Protocol):
    """Limits of concurrent and frequent calls."""

    @property
    def running(self) -> int:
        """Return how many calls are under way or wait."""
        ...

    @property
    def refused(self) -> int:
        """Return how many calls were refused since the server started."""
        ...

    def call(self, principal: str) -> AbstractContextManager[None]:
        """Count a call as long as the block runs; raises Busy where there are too many."""
        ...


@dataclass(frozen=True, slots=True)
class State:
    """Everything that calls leave behind."""

    results: Results
    turns: Turns
    ledger: Ledger
    limits: Limits
    is_ready: Callable[[], bool] = lambda: True
    """Whether it can be read and written now."""
    close_rest: Callable[[], None] = lambda: None
    """Closes what the four share."""
    pool: DatabasePool | None = None
    """The connections to the database that they are in; None where they are in none."""

    def close(self) -> None:
        """Write what is to be kept, and close what is open."""
        self.results.close()
        self.ledger.close()
        self.close_rest()


def local_state(config: Config, index: Index) -> State:
    """Return the state of a single server, in its cache folder or in memory."""
    cache = config.cache
    return State(
        Store(cache / "results.db" if cache else None, config.long_ids, index),
        MemoryTurns(config.turn_tokens),
        LocalLedger(cache / LEDGER if cache else None, session_info(config.profile)),
        Load(),
    )


def session_info(profile: Profile) -> Serving:
    """Return what a session serves, under a name of its own."""
    price = None if profile.prices is None else profile.prices.input
    return Serving(uuid.uuid4().hex, profile.name, profile.family.name, price)
