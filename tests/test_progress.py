"""Who waits is told how far the index is; what nobody waits for is not done; nobody waits for what others asked."""

from __future__ import annotations

import itertools
import threading
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from subprocess import Popen
from typing import Any

import anyio
import anyio.to_thread
import pytest
from mcp import Client
from mcp.client.sse import sse_client
from mcp_types import CallToolResult

from conftest import Open, write
from leadline_server import progress
from leadline_server.app import build
from leadline_server.call import Request, Session
from leadline_tools import cancellation, patience
from leadline_tools.cancellation import Cancelled, Token
from leadline_tools.index.files.coverage import Coverage
from leadline_tools.index.index import Index
from leadline_tools.index.tree.disk.disk_tree import DiskTree
from leadline_tools.index.workers.frames import Operation
from leadline_tools.index.workers.frames import Request as WorkerRequest
from leadline_tools.index.workers.root_workers import RootWorkers
from leadline_tools.index.workers.worker_pool import Task, WorkerPool
from leadline_tools.patience import Patience
from leadline_tools.result import Result
from leadline_tools.tool import TOOLS
from serving import listening

DEADLINE = 60.0
"""Seconds after which something that does not happen is given up."""

FILES = 12
MANY = 10
"""Calls at once: more than of one tool are answered at once."""

pytestmark = pytest.mark.anyio


@pytest.fixture(scope="module")
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Files that all use one function."""
    uses = {f"part_{i}.py": f"from lib import shared\n\nvalue_{i} = shared({i})\n" for i in range(FILES)}
    return write(tmp_path_factory.mktemp("tree"), {"lib.py": "def shared(n):\n    return n\n", **uses})


@pytest.fixture(scope="module")
def session(opened: Open, tree: Path) -> Session:
    return opened(tree).session


async def happened(event: threading.Event) -> None:
    """Wait for what another thread does."""
    assert await anyio.to_thread.run_sync(event.wait, DEADLINE, abandon_on_cancel=True)


class Busy:
    """A tool that works until its call is cancelled, or until somebody says that it is enough."""

    def __init__(self) -> None:
        self.begun = threading.Semaphore(0)
        self.enough = threading.Event()
        self.cancelled = threading.Event()

    def __call__(self, _index: Index, **_arguments: object) -> Result:
        self.begun.release()
        try:
            while not self.enough.wait(0.01):
                cancellation.check()
        except Cancelled:
            self.cancelled.set()
            raise
        return Result(subject="work", noun="lines", items=())


@pytest.fixture
def busy(monkeypatch: pytest.MonkeyPatch) -> Iterator[Busy]:
    """Work without end in place of ``search_text``."""
    found = Busy()
    monkeypatch.setitem(TOOLS, "search_text", replace(TOOLS["search_text"], run=found))
    yield found
    found.enough.set()


async def begin(busy: Busy, times: int = 1) -> None:
    """Wait until that many calls work."""
    for _ in range(times):
        assert await anyio.to_thread.run_sync(lambda: busy.begun.acquire(timeout=DEADLINE))


def search(client: Client, query: str = "anything") -> Callable[[], Any]:
    return lambda: client.call_tool("search_text", {"query": query})


# Cancellation


@pytest.fixture(scope="module")
def port(session: Session) -> Iterator[int]:
    with listening(build(session)) as found:
        yield found


@dataclass(frozen=True)
class Way:
    """How a client is connected."""

    transport: str
    mode: str


WAYS = (*(Way(t, m) for t in ("memory", "http") for m in ("auto", "legacy")), Way("sse", "legacy"))


@pytest.fixture(params=WAYS, ids=lambda way: f"{way.transport}-{way.mode}")
async def client(request: pytest.FixtureRequest, session: Session) -> AsyncIterator[Client]:
    way: Way = request.param
    target: Any = build(session)
    if way.transport != "memory":
        base = f"http://127.0.0.1:{request.getfixturevalue('port')}"
        target = f"{base}/mcp" if way.transport == "http" else sse_client(f"{base}/sse")
    async with Client(target, mode=way.mode, cache=None, read_timeout_seconds=DEADLINE) as found:
        yield found


async def test_the_work_of_a_cancelled_call_ends(client: Client, busy: Busy) -> None:
    async with anyio.create_task_group() as calls:
        calls.start_soon(search(client))
        await begin(busy)
        calls.cancel_scope.cancel()
    await happened(busy.cancelled)
    answer = await client.call_tool("list_files", {})
    assert not answer.is_error


@dataclass
class Impatience:
    """Somebody who waits for a call until it checks for the third time whether anybody does."""

    token: Token
    checks: int = 0

    def check(self) -> None:
        self.checks += 1
        if self.checks == 3:
            self.token.cancel()
        if self.token.cancelled:
            raise Cancelled


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [("search_text", {"query": "shared", "context": 1}), ("find_references", {"symbol": "lib.shared"})],
)
def test_a_call_that_nobody_waits_for_ends_at_the_next_file(
    session: Session, monkeypatch: pytest.MonkeyPatch, tool: str, arguments: dict[str, object]
) -> None:
    impatience = Impatience(Token())
    monkeypatch.setattr(cancellation, "check", impatience.check)
    with pytest.raises(Cancelled):
        impatience.token.run(lambda: session.call(Request(tool, arguments)))
    assert impatience.checks == 3


async def test_quick_calls_never_wait_for_slow_ones(client: Client, busy: Busy) -> None:
    async with anyio.create_task_group() as calls:
        for number in range(MANY):
            calls.start_soon(search(client, f"number {number}"))
        await begin(busy)
        answer = await client.call_tool("list_files", {})
        assert not answer.is_error
        assert not busy.enough.is_set()
        busy.enough.set()


# Progress


@dataclass
class Told:
    """What a client was told, in order."""

    steps: list[tuple[float, float | None, str | None]]
    enough: threading.Event
    wanted: int

    async def __call__(self, progress: float, total: float | None, message: str | None) -> None:
        self.steps.append((progress, total, message))
        if len(self.steps) >= self.wanted:
            self.enough.set()


def growing(monkeypatch: pytest.MonkeyPatch, index: Index, coverages: Iterator[Coverage]) -> threading.Event:
    """Let an index be asked for one coverage after the other; say when there were 20 questions."""
    asked, often = itertools.count(1), threading.Event()

    def coverage() -> Coverage:
        if next(asked) == 20:
            often.set()
        return next(coverages)

    monkeypatch.setattr(progress, "SECONDS", 0.01)
    monkeypatch.setattr(index, "coverage", coverage)
    return often


def first_build() -> Iterator[Coverage]:
    """Yield how far a first build of a thousand files is: it comes forward, and once it goes back."""
    for done in (*range(100, 300, 10), *range(250, 1_000, 10)):
        yield Coverage(1_000, done, done - 100)
    yield from itertools.repeat(Coverage(1_000, 1_000, 1_000))


async def test_a_client_that_waits_is_told_how_far_the_first_index_is(
    client: Client, busy: Busy, session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    growing(monkeypatch, session.index, first_build())
    told = Told([], busy.enough, 5)
    answer = await client.call_tool("search_text", {"query": "anything"}, progress_callback=told)
    assert not answer.is_error
    steps = list(told.steps)
    assert len(steps) >= 5
    done = [step[0] for step in steps]
    assert done == sorted(set(done))
    assert {step[1] for step in steps} == {2_000}
    for count, _, message in steps:
        assert message == f"indexing: {int(count) // 2:,} of 1,000 files"
    await client.call_tool("list_files", {})
    assert told.steps == steps, "told after the answer"


async def test_of_a_complete_index_there_is_nothing_to_tell(
    client: Client, busy: Busy, session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    growing(monkeypatch, session.index, itertools.repeat(Coverage(1_000, 1_000, 1_000)))
    told = Told([], busy.enough, 1)
    busy.enough.set()
    answer = await client.call_tool("search_text", {"query": "anything"}, progress_callback=told)
    assert not answer.is_error
    assert told.steps == []


async def test_of_an_index_that_is_complete_soon_there_is_nothing_to_tell(
    client: Client, busy: Busy, session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    almost, complete = Coverage(1_000, 1_000, 999), Coverage(1_000, 1_000, 1_000)
    often = growing(monkeypatch, session.index, itertools.chain([almost], itertools.repeat(complete)))
    told = Told([], busy.enough, 1)
    answers: list[CallToolResult] = []

    async def ask() -> None:
        answers.append(await client.call_tool("search_text", {"query": "anything"}, progress_callback=told))

    async with anyio.create_task_group() as calls:
        calls.start_soon(ask)
        await happened(often)
        busy.enough.set()
    assert not answers[0].is_error
    assert told.steps == []


async def test_a_client_that_waits_reads_how_many_files_with_the_name_are_examined(
    client: Client, session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    enough = threading.Event()
    told_of = Told([], enough, 4)

    def resolving(_index: Index, **_arguments: object) -> Result:
        """Examine ten files, each as soon as the client has read of the one before."""
        for done in range(1, 11):
            patience.current().advance(done, 10)
            while len(told_of.steps) < min(done, 4) and not enough.wait(0.01):
                cancellation.check()
        return Result(subject="work", noun="lines", items=())

    monkeypatch.setattr(progress, "SECONDS", 0.01)
    monkeypatch.setitem(TOOLS, "find_references", replace(TOOLS["find_references"], run=resolving))
    answer = await client.call_tool("find_references", {"symbol": "lib.shared"}, progress_callback=told_of)
    assert not answer.is_error
    steps = list(told_of.steps)
    files = session.index.coverage().files
    assert [step[0] for step in steps][:4] == [2.0 * files * (1 + done / 10) for done in range(1, 5)]
    assert {step[1] for step in steps} == {4.0 * files}
    assert [step[2] for step in steps][:4] == [
        f"resolving: {done} of 10 files that hold the name" for done in range(1, 5)
    ]


def test_a_question_has_examined_all_files_that_hold_the_name_when_it_is_answered(opened: Open, tree: Path) -> None:
    limit = Patience(60)
    session = opened(tree).session
    session.call(Request("find_references", {"symbol": "lib.shared"}, patience=limit))
    assert (limit.done, limit.total) == (FILES + 1, FILES + 1)


async def test_what_a_call_really_indexes_is_told_in_sentences(opened: Open, tree: Path) -> None:
    coverage = opened(tree).session.index.coverage()
    assert progress._indexing_message(coverage) == "indexing: 13 of 13 files"


# WorkerPool


class Watched(WorkerPool):
    """WorkerPool of one process that say what they are given, and ask somebody before they begin."""

    def __init__(self, root: Path, before: Callable[[], object]) -> None:
        super().__init__(1)
        self.root = RootWorkers(DiskTree(root), self)
        self.given: list[str] = []
        self.queued = 0
        self._before = before

    def put(self, task: Task, processes: int = 1) -> None:
        super().put(task, processes)
        self.queued += 1

    def _run(self, process: Popen[bytes], task: Task, request: WorkerRequest) -> int:
        self._before()
        self.given += request.paths
        return super()._run(process, task, request)


@contextmanager
def watched(root: Path, before: Callable[[], object]) -> Iterator[Watched]:
    workers = Watched(root, before)
    try:
        yield workers
    finally:
        workers.close()


def outlines(workers: Watched, paths: Sequence[str]) -> Callable[[], object]:
    return lambda: workers.root.gather(Operation.Outline, paths)


def test_what_is_queued_for_a_cancelled_call_is_not_parsed(tree: Path) -> None:
    token = Token()
    paths = [f"part_{i}.py" for i in range(FILES)]
    with watched(tree, token.cancel) as workers:
        with pytest.raises(Cancelled):
            token.run(outlines(workers, paths))
        replies = workers.root.gather(Operation.Outline, paths)
        assert all(reply.payload and not reply.error for reply in replies.values())
        assert workers.given == [paths[0], *paths]


def test_one_file_does_not_wait_for_the_many_of_another_call(tree: Path) -> None:
    both = threading.Event()
    many = [f"part_{i}.py" for i in range(FILES)]
    with watched(tree, lambda: both.wait(DEADLINE)) as workers:
        first = threading.Thread(target=outlines(workers, many))
        first.start()
        while not workers._running:  # the worker that has the first file
            first.join(0.01)
        second = threading.Thread(target=outlines(workers, ["lib.py"]))
        second.start()
        while workers.queued <= FILES:
            second.join(0.01)
        both.set()
        first.join(DEADLINE)
        second.join(DEADLINE)
        assert workers.given[:3] == [many[0], "lib.py", many[1]]
