"""The commands of the console, once their options are known: imported late, since the parts are heavy."""

from __future__ import annotations

import logging
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from leadline_estimators.tokenizer import load
from leadline_server.call import Request, Response, Session
from leadline_server.config import Config
from leadline_server.folders import is_writable_by_others
from leadline_server.memory import FreeMemory, collect_seldom, configure_malloc
from leadline_server.open_files import raise_limit
from leadline_server.outgoing import Outgoing
from leadline_server.root_index import index_of_root, root_of
from leadline_server.state import State
from leadline_tools.cancellation import CHECK_SECONDS, check
from leadline_tools.index.index import Index
from leadline_tools.index.open_roots import MOST_OPEN, OpenRoots
from leadline_tools.index.tree.programs import path_outside
from leadline_tools.index.workers.worker_pool import WorkerPool
from leadline_tools.index.workspace import Workspace

if TYPE_CHECKING:
    from mcp.server.lowlevel import Server  # half a second, which a command that does not serve need not wait
    from starlette.routing import BaseRoute

    from leadline_server.gate import Address
    from leadline_server.repositories.index_queue import IndexQueue
    from leadline_tools.database.pool import DatabasePool

log = logging.getLogger("leadline.cache")

CONSOLE = "console"
"""The name of the client that the console is."""

_PATIENCE = 20.0
"""Seconds that a single call waits for the first index: it has no second chance to be complete."""

_SWITCH_SECONDS = 0.001
"""Seconds that a thread may keep the interpreter from others: a quick call beside three slow ones takes a third as long
as with Python's own 0.005."""


@contextmanager
def session(config: Config) -> Iterator[Session]:
    """Open a session; the index begins to build at once."""
    configure_malloc()
    raise_limit()
    roots = (config.root, *config.roots.values())
    os.environ["PATH"] = path_outside([os.path.realpath(root) for root in roots])
    index = index_of(config)
    opened = Session(config, index, _shared_state(config, index))
    if config.cache is not None and is_writable_by_others(config.cache):
        log.warning(
            "other users can write to the cache folder %s: set --cache-dir to a folder of your own", config.cache
        )
    index.start_in_background()
    try:
        yield opened
    finally:
        opened.close()


def _shared_state(config: Config, index: Index) -> State | None:
    """Return the state that a server shares with others; None for a single server. Raises DatabaseError."""
    if config.database is None:
        return None
    from leadline_server.replicas.state import shared_state

    try:
        return shared_state(config, config.database, index)
    except BaseException:
        index.close()
        raise


def index_of(config: Config) -> Index:
    """Return the index of what was configured, not started: one root, or several that share the workers.

    Raises DatabaseError, and NothingHosted, where the index of a database is to be served and cannot be.
    """
    if config.hosted and config.database is not None:
        from leadline_server.repositories.indexing import hosted_index

        return hosted_index(config.database, config.policy, config.exclude, config.zoekt)
    if not config.roots:
        return index_of_root(config)
    pool = WorkerPool()
    roots = [root_of(config, name, pool) for name in config.roots]
    if len(roots) <= MOST_OPEN:
        return Workspace([root.open_index() for root in roots], pool)
    return Workspace(OpenRoots(roots, pool, FreeMemory().trim))


def server_of(opened: Session) -> Server[Any]:
    """Return the MCP server of a session, whose ledger then knows what its list of tools costs a model."""
    from leadline_server.app import build
    from leadline_server.listing import listing

    opened.ledger.note_listing(lambda: listing(opened.tools).total)
    return build(opened)


def serve_stdio(config: Config) -> None:
    """Serve one client over standard input and output until it is gone."""
    import anyio

    from leadline_server.lifecycle import exit_on_signals, watch_client
    from leadline_server.stdio import stdio_client

    prepare()
    with session(config) as opened:
        opened.index.facts.build_later()
        exit_on_signals(opened.close)
        watch_client(opened.close)
        server = server_of(opened)

        async def run() -> None:
            async with stdio_client(Outgoing(config.policy)) as (read, write):
                await server.run(read, write, server.create_initialization_options())

        anyio.run(run)


def serve_http(config: Config, address: Address, announce: Callable[[], None]) -> None:
    """Serve many clients over HTTP until interrupted; ``announce`` is called once connections are accepted."""
    from leadline_server.http import listen, serve
    from leadline_server.lifecycle import exit_on_termination
    from leadline_server.monitoring import monitoring_routes
    from leadline_server.page.routes import routes

    prepare()
    exit_on_termination()
    with listen(address) as listener, session(config) as opened:
        announce()
        opened.index.facts.build_later()
        queue = _queue(config, opened.state.pool)
        pages = (*routes(opened), *monitoring_routes(opened, queue), *_webhooks(config, opened.index, queue))
        serve(server_of(opened), address, listener, pages, Outgoing(config.policy))


def _queue(config: Config, pool: DatabasePool | None) -> IndexQueue | None:
    """Return the queue of the repositories that are hosted; None where none are."""
    if not config.hosted or config.database is None:
        return None
    from leadline_server.repositories.index_queue import IndexQueue

    return IndexQueue(config.database, pool)


def _webhooks(config: Config, index: Index, queue: IndexQueue | None) -> Sequence[BaseRoute]:
    """Return the routes of the webhooks of code hosts; raises BadSources."""
    if config.sources is None or queue is None:
        return ()
    from leadline_server.repositories.sources import load_sources
    from leadline_server.repositories.webhooks import Push, webhook_routes
    from leadline_tools.index.hosted.hosted_workspace import HostedWorkspace

    secrets = load_sources(config.sources).webhooks

    def note(push: Push) -> bool:
        known = isinstance(index, HostedWorkspace) and index.has_repository(push.repository)
        if known:
            queue.request([push.repository])
        return known

    return webhook_routes(secrets.github, secrets.gitlab, note)


def prepare() -> None:
    """Prepare for quick calls, while the client initializes."""
    sys.setswitchinterval(_SWITCH_SECONDS)
    collect_seldom()
    threading.Thread(target=load, name="leadline-ranks", daemon=True).start()


def call_once(config: Config, request: Request) -> Response:
    """Answer one call of the console on a session of its own."""
    import leadline_server.registry  # noqa: F401  declares the tools

    with session(config) as opened:
        return answer_console(opened, request)


def answer_console(opened: Session, request: Request) -> Response:
    """Answer a call of the console on an index that is waited for, complete with all that has changed in the tree."""
    index = opened.index_for(request)
    if index.scan.is_done():
        index.refresh()
    until = time.monotonic() + min(_PATIENCE, opened.config.patience)
    while not index.wait(CHECK_SECONDS) and time.monotonic() < until:
        check()
    response = opened.call(request)
    return replace(response, text=Outgoing(opened.config.policy).text(response.text))


def tools_table() -> str:
    """Return the tools, one a line, with their parameters and descriptions."""
    from leadline_server.registry import TOOLS

    return "\n".join(
        f"{tool.name}({', '.join(tool.arguments.model_fields)})\n    {' '.join(tool.description.split())}"
        for tool in TOOLS.values()
    )
