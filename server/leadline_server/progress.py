"""The progress of an answer, reported to a client that waits for it and asked for that."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import anyio
from mcp.server.session import ServerSession

from leadline_tools.index.files.coverage import Coverage
from leadline_tools.index.index import Index
from leadline_tools.patience import Patience

SECONDS = 0.5
"""Seconds between two notifications: as often as a person can read them."""


@asynccontextmanager
async def report_progress(client: ServerSession, index: Index, patience: Patience | None) -> AsyncIterator[None]:
    """Report progress while the block runs, and never after it: of the index first, then of the question itself.

    Without a patience the question has no progress of its own, and a complete index nothing to report.
    """
    if patience is None and index.scan.is_done() and index.coverage().complete:
        yield  # a task costs as much as a short answer
        return
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(_report, client, index, patience)
        yield
        tasks.cancel_scope.cancel()


async def _report(client: ServerSession, index: Index, patience: Patience | None) -> None:
    """Report each step forward: the progress never goes back, even if indexed files change."""
    sent = 0.0
    while True:
        await anyio.sleep(SECONDS)
        done, total, message = _progress(index, patience)
        if total and done > sent:
            await client.report_progress(done, total, message)
            sent = done


def _progress(index: Index, patience: Patience | None) -> tuple[float, float, str]:
    """Return what is done, of how much, and what a person reads of it.

    Where the question itself has progress, the index is the first half of the way.
    """
    coverage = index.coverage()
    half = 2.0 * coverage.files or 1.0  # nothing is to be indexed by a server of what a database hosts
    if not index.scan.is_done() or not coverage.complete:
        return coverage.texts + coverage.symbols, half if patience is None else 2 * half, _indexing_message(coverage)
    if patience is None or not patience.total:
        return 0, 0, ""
    examined = f"resolving: {patience.done:,} of {patience.total:,} files that hold the name"
    return half * (1 + patience.done / patience.total), 2 * half, examined


def _indexing_message(coverage: Coverage) -> str:
    """Return how far the index is as a person reads it: a file counts half for its words, half for its symbols."""
    return f"indexing: {(coverage.texts + coverage.symbols) // 2:,} of {coverage.files:,} files"
