"""How far the first index is, told to a client that waits for an answer and asked to be told."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import anyio
from mcp.server.session import ServerSession

from leadline_tools.index.index import Coverage, Index

SECONDS = 0.5
"""Seconds between two notifications: as often as a person can read them."""


@asynccontextmanager
async def reported(client: ServerSession, index: Index) -> AsyncIterator[None]:
    """Tell the client of progress while the block runs, and never after it; nothing of an index that was complete."""
    if index.look_ended() and index.coverage().complete:  # a task for each call costs as much as a short answer
        yield
        return
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(_report, client, index)
        yield
        tasks.cancel_scope.cancel()


async def _report(client: ServerSession, index: Index) -> None:
    """Tell of each step forward; of an index that is complete there is nothing to tell.

    What is told never goes back, even where files that were indexed change meanwhile.
    """
    told = 0
    while True:
        await anyio.sleep(SECONDS)
        coverage = index.coverage()
        done = coverage.texts + coverage.symbols
        if done > told and (told or not coverage.complete):
            await client.report_progress(done, 2 * coverage.files, _message(coverage))
            told = done


def _message(coverage: Coverage) -> str:
    """Return how far the index is as a person reads it: a file counts half for its words, half for its symbols."""
    return f"indexing: {(coverage.texts + coverage.symbols) // 2:,} of {coverage.files:,} files"
