"""Monitoring of a server: ``/ready`` for a balancer and ``/metrics`` for Prometheus.

``/ready`` is open to everybody and reports one thing: whether the server can answer calls. ``/metrics`` has counts by
tool over all clients, and no name of a client, a root or a file; who may read it is decided by the gate.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

import anyio.to_thread
from anyio import CapacityLimiter
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from leadline_server import __version__
from leadline_server.call import Session
from leadline_server.gate import METRICS, READY
from leadline_tools.database.errors import EXTRA, DatabaseError
from leadline_tools.index.index import VisibleByTeams

if TYPE_CHECKING:
    from prometheus_client.core import Metric

    from leadline_server.repositories.index_queue import IndexQueue

_AGAIN_SECONDS = 1.0
"""Seconds for which it is known whether the database answers: whoever asks more often does not burden it."""

_NO_STORE = {"Cache-Control": "no-store"}


def monitoring_routes(session: Session, queue: IndexQueue | None = None) -> Sequence[Route]:
    """Return the routes of what monitors a session, and the queue of its repositories if it has one."""
    monitor = _Monitor(session, queue)
    return (Route(READY, monitor.ready), Route(METRICS, monitor.metrics))


class _Monitor:
    """What answers the requests of a balancer and of Prometheus."""

    def __init__(self, session: Session, queue: IndexQueue | None) -> None:
        self._session = session
        self._queue = queue
        self._limiter = CapacityLimiter(1)
        self._is_ready = False
        self._until = 0.0

    async def ready(self, _request: Request) -> Response:
        """Return 200 where calls can be answered, 503 where they cannot."""
        ready = await anyio.to_thread.run_sync(self._check, limiter=self._limiter)
        text, status = ("ok", 200) if ready else ("The database cannot be reached.", 503)
        return PlainTextResponse(text, status, _NO_STORE)

    async def metrics(self, _request: Request) -> Response:
        """Return the metrics in the text format of Prometheus."""
        try:
            from prometheus_client import CollectorRegistry, generate_latest
            from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4
        except ImportError:
            return PlainTextResponse(f"Metrics require an extra: pip install '{EXTRA}'.", 501, _NO_STORE)
        ready = await anyio.to_thread.run_sync(self._check, limiter=self._limiter)

        def collect() -> bytes:
            registry = CollectorRegistry()
            registry.register(_Collector(self._session, self._queue, is_ready=ready))
            return generate_latest(registry)

        text = await anyio.to_thread.run_sync(collect, limiter=self._limiter)
        return Response(text, 200, _NO_STORE, CONTENT_TYPE_PLAIN_0_0_4)

    def _check(self) -> bool:
        """Return whether calls can be answered, as it is or was a moment ago."""
        if time.monotonic() >= self._until:
            self._is_ready = self._session.state.is_ready()
            self._until = time.monotonic() + _AGAIN_SECONDS
        return self._is_ready


class _Collector:
    """The metrics of a session, as Prometheus collects them."""

    def __init__(self, session: Session, queue: IndexQueue | None, *, is_ready: bool) -> None:
        self._session = session
        self._queue = queue
        self._is_ready = is_ready

    def collect(self) -> Iterator[Metric]:
        """Yield all metrics."""
        from prometheus_client.core import GaugeMetricFamily, InfoMetricFamily

        yield InfoMetricFamily("leadline", "The version of the server.", {"version": __version__})
        yield GaugeMetricFamily(
            "leadline_ready", "1 where the server can answer calls: the database answers.", int(self._is_ready)
        )
        yield from self._calls()
        yield from self._index()
        yield from self._repositories()

    def _calls(self) -> Iterator[Metric]:
        from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily

        calls = CounterMetricFamily("leadline_calls", "Calls that were answered.", labels=("tool", "outcome"))
        sent = CounterMetricFamily("leadline_tokens_sent", "O200k tokens that were sent.", labels=("tool",))
        saved = CounterMetricFamily(
            "leadline_tokens_saved", "O200k tokens that complete answers would have cost more.", labels=("tool",)
        )
        for spending in self._session.counts.by_tool():
            calls.add_metric((spending.name, "answer"), spending.calls - spending.errors)
            calls.add_metric((spending.name, "error"), spending.errors)
            sent.add_metric((spending.name,), spending.sent)
            saved.add_metric((spending.name,), spending.whole - spending.sent)
        yield from (calls, sent, saved)
        limits = self._session.load
        yield CounterMetricFamily("leadline_calls_refused", "Calls beyond the limits of a client.", limits.refused)
        yield GaugeMetricFamily("leadline_calls_open", "Calls that run or wait.", limits.running)
        yield GaugeMetricFamily(
            "leadline_calls_waiting", "Calls that wait for a thread.", self._session.counts.waiting()
        )

    def _index(self) -> Iterator[Metric]:
        from prometheus_client.core import GaugeMetricFamily

        try:
            index = self._session.index
            coverage = index.totals() if isinstance(index, VisibleByTeams) else index.coverage()
        except DatabaseError:
            return  # what cannot be known is no 0
        lag = 0.0 if isinstance(index, VisibleByTeams) else index.watcher.lag  # what is hosted is not watched
        yield GaugeMetricFamily("leadline_index_files", "Files of all roots.", coverage.files)
        yield GaugeMetricFamily("leadline_index_files_indexed", "Those whose symbols are indexed.", coverage.symbols)
        yield GaugeMetricFamily(
            "leadline_index_age_seconds", "Changes of so many last seconds may be missing in answers.", lag
        )

    def _repositories(self) -> Iterator[Metric]:
        """Yield how fresh hosted repositories are, and what the queue is doing."""
        from prometheus_client.core import GaugeMetricFamily

        index = self._session.index
        if isinstance(index, VisibleByTeams):
            with suppress(DatabaseError):
                followed, seconds = index.looks()
                yield GaugeMetricFamily("leadline_repositories", "Repositories that an indexer follows.", followed)
                yield GaugeMetricFamily(
                    "leadline_repository_age_seconds", "Since the last of them was looked at.", seconds
                )
        state = self._queue.state() if self._queue is not None else None
        if state is None:
            return
        jobs = GaugeMetricFamily("leadline_queue_jobs", "Repositories in the queue of indexers.", labels=("status",))
        for status, number in (("waiting", state.waiting), ("running", state.running), ("failed", state.failed)):
            jobs.add_metric((status,), number)
        yield jobs
        yield GaugeMetricFamily(
            "leadline_queue_oldest_seconds", "For how long the first that waits has waited.", state.oldest_seconds
        )
        yield GaugeMetricFamily("leadline_indexers", "Indexers that have given a sign of life.", state.indexers)
