"""A code base with everything that makes answers large, and sessions on it."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

import leadline_server.registry  # noqa: F401  declares the tools
from consoles import Console
from fast import pytest_addoption, pytest_collection_modifyitems, pytest_configure, pytest_ignore_collect
from leadline_server.call import Request, Response, Session
from leadline_server.config import Config
from leadline_server.running import index_of
from leadline_tools.database.address import DatabaseAddress
from leadline_tools.index.facts.file_facts import Fetched, FileFacts
from leadline_tools.index.files.file import Columns, File
from leadline_tools.index.index import Index
from leadline_tools.index.workers.worker_pool import WorkerPool

if TYPE_CHECKING:
    from postgres import PostgresServer  # which imports psycopg

__all__ = ["pytest_addoption", "pytest_collection_modifyitems", "pytest_configure", "pytest_ignore_collect"]
"""The hooks of ``--fast``, which pytest finds here."""

INDEXING_SECONDS = 60.0 * float(os.environ.get("LEADLINE_TORTURE_PATIENCE", "1"))

os.environ["LEADLINE_ALONE"] = "1"  # no call leaves a resident server behind

# A busy machine makes no test fail. Examples drawn at random are for those who can fix what they find.
settings.register_profile("untimed", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "untimed")


class Asking:
    """A session, and a short way to ask it."""

    def __init__(self, session: Session) -> None:
        self.session = session

    def __call__(self, tool: str, **arguments: object) -> str:
        """Return the text of an answer that is no error."""
        response = self.response(tool, **arguments)
        assert not response.is_error, response.text
        return response.text

    def response(self, tool: str, **arguments: object) -> Response:
        return self.session.call(Request(tool, arguments))

    def error(self, tool: str, **arguments: object) -> str:
        response = self.response(tool, **arguments)
        assert response.is_error, response.text
        return response.text


Open = Callable[..., Asking]


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="session")
def sessions() -> Iterator[list[Session]]:
    """The sessions that are open; all are closed at the end."""
    found: list[Session] = []
    yield found
    _close(found, 0)


@pytest.fixture(autouse=True)
def closing(sessions: list[Session]) -> Iterator[None]:
    """Close what a test has opened for itself: each session has a watch of the system, and those are few."""
    before = len(sessions)
    yield
    _close(sessions, before)


def _close(sessions: list[Session], first: int) -> None:
    for session in sessions[first:]:
        session.close()
    del sessions[first:]


@pytest.fixture(scope="session")
def parsers() -> Iterator[WorkerPool]:
    """The processes that parse for all sessions: to start one for each test takes longer than most tests.

    They are two, since sessions that stay open have facts computed in advance meanwhile.
    """
    pool = WorkerPool(2)
    yield pool
    pool.close()


@pytest.fixture(scope="session")
def opened(sessions: list[Session], parsers: WorkerPool) -> Open:
    """Open sessions on trees."""

    def start(root: Path, *, model: str = "openai", cache: Path | None = None, **options: object) -> Asking:
        config = Config(root, cache, model, **options)  # type: ignore[arg-type]
        index = Index(root, cache, policy=config.policy, exclude=config.exclude, pool=parsers)
        session = Session(config, index)
        sessions.append(session)
        index.start()
        assert index.wait(INDEXING_SECONDS)
        return Asking(session)

    return start


@pytest.fixture
def interruptible() -> Iterator[None]:
    """Let the processes of a test be interrupted, as those of a shell that runs tests in the background cannot be."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


@pytest.fixture(scope="session")
def postgres() -> Iterator[PostgresServer]:
    """A PostgreSQL server; a test that stops it starts it again."""
    from postgres import PostgresServer, programs, skip_without_server

    folder = programs()
    if folder is None:
        skip_without_server()
    server = PostgresServer(folder)
    yield server
    server.close()


@pytest.fixture
def database(postgres: PostgresServer) -> Iterator[str]:
    """The address of an empty database."""
    url = postgres.fresh()
    yield url
    postgres.drop(url)


@pytest.fixture
def address(database: str) -> DatabaseAddress:
    """The address of a database with all tables."""
    from leadline_server.replicas.areas import areas
    from leadline_tools.database.migrations import migrate

    found = DatabaseAddress.parse(database)
    migrate(found, areas())
    return found


def start_configured(config: Config, sessions: list[Session]) -> Asking:
    """Open a session on all roots of a configuration, as the server does, and wait until they are indexed."""
    session = Session(config, index_of(config))
    sessions.append(session)
    session.index.start()
    assert session.index.wait(INDEXING_SECONDS)
    return Asking(session)


def write(root: Path, files: dict[str, str]) -> Path:
    """Write files below ``root``."""
    for path, text in files.items():
        target = root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
    return root


def columns(files: Sequence[File]) -> Columns:
    """Return files by column, as a database gives them."""
    return Columns(*zip(*files, strict=True)) if files else Columns(*((),) * len(Columns._fields))


def late_facts(monkeypatch: pytest.MonkeyPatch, late: Callable[[str], bool]) -> None:
    """Have the facts of the files that are ``late`` not come in time."""
    fetch = FileFacts.fetch

    def in_time(facts: FileFacts, paths: Iterable[str], until: float = 0.0, name: str = "") -> Fetched:
        return fetch(facts, [path for path in paths if not late(path)], until, name)

    monkeypatch.setattr(FileFacts, "fetch", in_time)


def chain(links: int) -> str:
    """Return functions of which each calls the next, up to ``link_LINKS``."""
    calling = "".join(f"def link_{i}():\n    return link_{i + 1}()\n\n\n" for i in range(1, links))
    return f"{calling}def link_{links}():\n    return {links}\n"


def fan(depth: int, width: int, name: str = "fan") -> str:
    """Return a function that ``width`` others call, each of which that many others call, and so on."""
    called = f"def {name}():\n    return 1\n\n\n" if name == "fan" else ""
    for i in range(width if depth else 0):
        called += f"def {name}_{i}():\n    {name}()\n    return {name}()\n\n\n" + fan(depth - 1, width, f"{name}_{i}")
    return called


@pytest.fixture(scope="session")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A class of 120 members, a symbol of 600 references, a file of 250 symbols, deep folders, deep and wide calls."""
    root = tmp_path_factory.mktemp("large")
    members = "\n".join(
        f'    def member_{i}(self, first: int, second: str = "x") -> int:\n'
        f'        """Return number {i} of the members.\n\n'
        f'        Second paragraph.\n        """\n        return {i}\n'
        for i in range(120)
    )
    functions = "\n".join(f"def function_{i}(a, b, *rest, c=None):\n    return a\n" for i in range(250))
    files = {
        "README.md": "# Large\n\nA tree for tests.\n\n## Part\n\ntext\n",
        "pkg/__init__.py": "from .core import Widget as Widget\n",
        "pkg/core.py": f'class Widget:\n    """A widget with many members."""\n\n{members}\n',
        "pkg/many.py": functions,
        "pkg/long.py": f"VALUE = '{'x' * 30_000}'\n" + "\n".join(f"line_{i} = {i}" for i in range(2_000)),
        "pkg/empty.py": "",
        "pkg/chain.py": chain(25),
        "pkg/fan.py": fan(3, 9),
        "data/numbers.txt": "\n".join(str(i) for i in range(5_000)) + "\n",
        "data/ünïcode 中文.txt": "grüße 中文 🙂\n" * 50,
    }
    for folder in range(12):
        for number in range(10):
            uses = "\n".join(f"    Widget().member_{i}({i})  # use {i} of Widget" for i in range(4))
            files[f"app/part_{folder}/deep/er/module_{number}.py"] = (
                f"from pkg import Widget\n\n\ndef use_{folder}_{number}():\n{uses}\n"
            )
    return write(root, files)


@pytest.fixture(scope="session")
def ask(opened: Open, large: Path) -> Asking:
    """Ask about the large tree, counting in o200k tokens."""
    return opened(large)


@pytest.fixture
def console(tmp_path: Path) -> Console:
    """The console in an empty folder, with an empty home."""
    for name in ("home", "work"):
        (tmp_path / name).mkdir()
    return Console(tmp_path / "home", tmp_path / "work")
