"""The pool of language servers of an index: each is started when it is first needed, once more if it fails.

One that nobody asks for a while is ended, and started again when it is needed.
"""

from __future__ import annotations

import logging
import threading
import time
from abc import ABC, abstractmethod
from collections import OrderedDict
from collections.abc import Hashable, Iterable
from typing import Final, NamedTuple, TypeVar
from weakref import WeakKeyDictionary

from leadline_tools import cancellation
from leadline_tools.index.index import Index
from leadline_tools.index.tree.disk.disk_files import DiskFiles
from leadline_tools.language_servers.client import Client
from leadline_tools.language_servers.connection import ServerFault
from leadline_tools.language_servers.known import KnownServer
from leadline_tools.languages import language_of

log = logging.getLogger("leadline.language_servers")

MOST_STARTS: Final = 2
"""Times that a server is started."""

IDLE_SECONDS = 900.0
"""Seconds after which a server that nobody asks is ended: some hold a gigabyte."""

_MOST_KEPT = 64
"""Inquiries whose outcome is kept for whoever asks the same."""


class ServerTask(ABC):
    """What a server is asked.

    Attributes:
        done: Set once the server has answered, or will not.
        failure: Why it has not answered; empty where it has.
        closing: Set where the server is being closed.

    """

    def __init__(self) -> None:
        self.failure = ""
        self.done = threading.Event()
        self.closing = threading.Event()

    @abstractmethod
    def run(self, client: Client) -> None:
        """Ask a server. Raises ServerFault."""


_Task = TypeVar("_Task", bound=ServerTask)


class ManagedServer:
    """One server as long as it is of use: not started, running, or given up."""

    def __init__(self, known: KnownServer, index: Index) -> None:
        self.name = known.name
        self.given_up = ""
        self.closing = threading.Event()
        self._known, self._index = known, index
        self._asking = threading.Lock()
        self._client: Client | None = None
        self._starts = 0
        self._idle: threading.Timer | None = None

    @property
    def is_running(self) -> bool:
        """Return whether the program of the server runs."""
        return self._client is not None

    def begin(self, inquiry: ServerTask) -> None:
        """Let an inquiry ask the server, in a thread of its own: one after the other."""
        inquiry.closing = self.closing
        threading.Thread(target=self._ask, args=(inquiry,), name="leadline-inquiry", daemon=True).start()

    def _ask(self, inquiry: ServerTask) -> None:
        try:
            with self._asking:
                while not self.given_up and not self.closing.is_set():
                    try:
                        inquiry.run(self._running())
                        self._rest_later()
                        return
                    except (ServerFault, OSError) as fault:
                        self._failed(fault)
                inquiry.failure = self.given_up or "is being closed"
        except Exception:
            log.exception("%s could not be used", self.name)
            inquiry.failure = "could not be used"
        finally:
            inquiry.done.set()

    def close(self) -> None:
        """End the server; inquiries under way come to nothing."""
        self.closing.set()
        if self._idle is not None:
            self._idle.cancel()
        client = self._client
        if client is not None:
            client.end()

    def _rest_later(self) -> None:
        """End the server once nobody has asked it for a while; who asks meanwhile puts that off."""
        if self._idle is not None:
            self._idle.cancel()
        self._idle = threading.Timer(IDLE_SECONDS, self._rest)
        self._idle.daemon = True
        self._idle.start()

    def _rest(self) -> None:
        with self._asking:
            if self._client is not None and self._idle is threading.current_thread():
                log.info("%s is stopped: it was not used for %g s", self.name, IDLE_SECONDS)
                self._client.end()
                self._client, self._starts = None, 0

    def _running(self) -> Client:
        if self._client is None:
            self._starts += 1
            self._client = Client(self._known, self._index)
            if self.closing.is_set():
                self._client.end()
        return self._client

    def _failed(self, fault: Exception) -> None:
        if self._client is not None:
            self._client.end()
            self._client = None
        if self._starts >= MOST_STARTS:
            self.given_up = str(fault)


class ServerPool:
    """The servers that may be asked about the files of an index."""

    def __init__(self, index: Index, chosen: Iterable[KnownServer]) -> None:
        """Look for the programs of servers; of those of one language the first that is found is taken."""
        self._servers: dict[str, ManagedServer] = {}
        self._inquiries: OrderedDict[Hashable, ServerTask] = OrderedDict()
        self._lock = threading.Lock()
        root = str(index.root)
        for known in chosen if isinstance(index.tree, DiskFiles) else ():  # servers open the files by themselves
            if all(name in self._servers for name in known.languages):
                continue
            found = known.found(root)
            if found is None and known.named:
                log.warning(
                    "the language server %s was not found outside of %s: %s", known.name, root, known.command[0]
                )
            if found is not None:
                server = ManagedServer(found, index)
                for name in found.languages:
                    self._servers.setdefault(name, server)

    @property
    def names(self) -> str:
        """Return what they are called, with commas; empty for none."""
        return ",".join(sorted({server.name for server in self._servers.values()}))

    def are_running(self) -> bool:
        """Return whether the program of one of them runs."""
        return any(server.is_running for server in self._servers.values())

    def of(self, language: str) -> ManagedServer | None:
        """Return the server for a language, by our name of it."""
        return self._servers.get(language)

    def inquire(self, server: ManagedServer, key: Hashable, inquiry: _Task) -> _Task:
        """Return what is asked under a key, under way or done; where nothing is, or it failed, ``inquiry`` is begun."""
        with self._lock:
            known = self._inquiries.get(key)
            if isinstance(known, type(inquiry)) and not known.failure:
                self._inquiries.move_to_end(key)
                return known
            self._inquiries[key] = inquiry
            while len(self._inquiries) > _MOST_KEPT:
                self._inquiries.popitem(last=False)
        server.begin(inquiry)
        return inquiry

    def close(self) -> None:
        """End all of them."""
        for server in set(self._servers.values()):
            server.close()


_ATTACHED: WeakKeyDictionary[Index, ServerPool] = WeakKeyDictionary()


def attach_pool(index: Index, servers: ServerPool) -> None:
    """Let the questions to an index ask these servers too, which are closed before it is.

    While one of them runs, the index stays open.
    """
    _ATTACHED[index] = servers

    def detach() -> None:
        servers.close()
        _ATTACHED.pop(index, None)

    index.dependents.add(detach, servers.are_running)


def pool_of(index: Index) -> ServerPool | None:
    """Return the servers that may be asked about an index; None where there are none."""
    return _ATTACHED.get(index)


class Server(NamedTuple):
    """The server of one language, and the pool that it is asked through."""

    pool: ServerPool
    managed: ManagedServer


def server_for(index: Index, path: str) -> Server | None:
    """Return the server that may be asked about a file of an index; None where there is none."""
    pool, language = pool_of(index), language_of(path)
    managed = pool.of(language.name) if pool is not None and language is not None else None
    return Server(pool, managed) if pool is not None and managed is not None else None


def wait(asked: ServerTask, seconds: float) -> None:
    """Wait for a server for some seconds; raises Cancelled."""
    until = time.monotonic() + seconds
    while (left := until - time.monotonic()) > 0 and not asked.done.wait(min(left, cancellation.CHECK_SECONDS)):
        cancellation.check()
