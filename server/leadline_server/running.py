"""The commands of the console, once their options are known: imported late, since the parts are heavy."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from leadline_estimators.tokenizer import load
from leadline_server.call import Request, Response, Session
from leadline_server.config import Config
from leadline_server.outgoing import printable
from leadline_tools.index.index import Coverage, Index

_INDEXING_SECONDS = 3_600.0
_REPORT_SECONDS = 0.2
_FAILURES_TOLD = 20
_PATIENCE = 20.0
"""Seconds that a single call waits for the first index: it has no second chance to be complete."""


@contextmanager
def session(config: Config) -> Iterator[Session]:
    """Open a session; the index begins to build at once."""
    index = Index(config.root, config.cache)
    opened = Session(config, index)
    index.start()
    try:
        yield opened
    finally:
        opened.close()


def serve_stdio(config: Config) -> None:
    """Serve one client over standard input and output until it is gone."""
    import anyio
    from mcp.server.stdio import stdio_server

    from leadline_server.app import build
    from leadline_server.lifecycle import exit_on_signals, watch_client

    threading.Thread(target=load, name="leadline-ranks", daemon=True).start()
    with session(config) as opened:
        exit_on_signals(opened.close)
        watch_client(opened.close)
        server = build(opened)

        async def run() -> None:
            async with stdio_server() as (read, write):
                await server.run(read, write, server.create_initialization_options())

        anyio.run(run)


def serve_http(config: Config, host: str, port: int) -> None:
    """Serve many clients over HTTP until interrupted."""
    from leadline_server.app import build
    from leadline_server.http import serve

    threading.Thread(target=load, name="leadline-ranks", daemon=True).start()
    with session(config) as opened:
        serve(build(opened), host, port)


def call_once(config: Config, tool: str, arguments: Mapping[str, Any], *, as_json: bool) -> Response:
    """Answer one call on a complete index."""
    import leadline_server.app  # noqa: F401  declares the tools

    with session(config) as opened:
        opened.index.wait(_PATIENCE)
        return opened.call(Request(tool, arguments, as_json=as_json))


def tools_table() -> str:
    """Return the tools, one a line, with their parameters and descriptions."""
    import leadline_server.app  # noqa: F401  declares the tools
    from leadline_tools.tool import TOOLS

    return "\n".join(
        f"{tool.name}({', '.join(tool.arguments.model_fields)})\n    {' '.join(tool.description.split())}"
        for tool in TOOLS.values()
    )


def build_index(config: Config) -> Indexed:
    """Bring the index up to date, with a progress bar where the error stream is a terminal."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    started = time.monotonic()
    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with (
        session(config) as opened,
        Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress,
    ):
        words, symbols = progress.add_task("words"), progress.add_task("symbols")
        done, words_seconds = False, 0.0
        while not done and time.monotonic() - started < _INDEXING_SECONDS:
            done = opened.index.wait(_REPORT_SECONDS)
            coverage = opened.index.coverage()
            if not words_seconds and coverage.texts == coverage.files:
                words_seconds = time.monotonic() - started
            progress.update(words, completed=coverage.texts, total=coverage.files)
            progress.update(symbols, completed=coverage.symbols, total=coverage.files)
        failed = tuple((file.path, file.error) for file in opened.index.failed)
        where = str(opened.index.database.path or "memory")
        return Indexed(opened.index.coverage(), time.monotonic() - started, words_seconds, where, failed)


@dataclass(frozen=True, slots=True)
class Indexed:
    """What ``leadline index`` has to tell; ``failed`` are paths with the reason why something of them is missing.

    Text could be searched after ``words_seconds`` of the ``seconds`` that all took.
    """

    coverage: Coverage
    seconds: float
    words_seconds: float
    where: str
    failed: tuple[tuple[str, str], ...]

    def text(self) -> str:
        """Return a summary for people."""
        files, rate = self.coverage.files, self.coverage.files / max(self.seconds, 0.001)
        lines = [f"{files:,} files in {self.seconds:.1f} s ({rate:,.0f} a second), in {self.where}"]
        if not self.coverage.complete:
            lines.append(f"unfinished: words of {self.coverage.texts:,}, symbols of {self.coverage.symbols:,} files")
        lines.extend(f"  {printable(path)}: {printable(error)}" for path, error in self.failed[:_FAILURES_TOLD])
        if len(self.failed) > _FAILURES_TOLD:
            lines.append(f"  and {len(self.failed) - _FAILURES_TOLD:,} more")
        return "\n".join(lines)

    def json(self) -> str:
        """Return the same for programs, as one JSON object."""
        coverage = {"files": self.coverage.files, "words": self.coverage.texts, "symbols": self.coverage.symbols}
        failed = [{"path": printable(path), "error": printable(error)} for path, error in self.failed]
        seconds = {"seconds": round(self.seconds, 3), "words_seconds": round(self.words_seconds, 3)}
        return json.dumps({**coverage, **seconds, "index": self.where, "failed": failed})
