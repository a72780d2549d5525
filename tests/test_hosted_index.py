"""The hosted index: every tool answers on PostgreSQL as on the index of a checkout, byte for byte."""

from __future__ import annotations

import contextlib
import hashlib
import itertools
import os
import re
import tempfile
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import psycopg
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from conftest import INDEXING_SECONDS
from leadline_server.call import Request, Session
from leadline_server.config import Config
from leadline_tools.database.address import DatabaseAddress
from leadline_tools.database.errors import DatabaseError
from leadline_tools.database.migrations import migrate
from leadline_tools.database.pool import DatabasePool
from leadline_tools.index.hosted import hosted_workspace
from leadline_tools.index.hosted.area import AREA
from leadline_tools.index.hosted.catalogue import Catalogue
from leadline_tools.index.hosted.hosted_files import HostedTree
from leadline_tools.index.hosted.hosted_reader import HostedReader
from leadline_tools.index.hosted.hosted_workspace import HostedRefs, HostedWorkspace
from leadline_tools.index.hosted.writing.content_parser import WorkersEnded
from leadline_tools.index.hosted.writing.ref_writer import RefUpdate, RefWriter
from leadline_tools.index.hosted.writing.repository_writer import writing
from leadline_tools.index.index import Index
from leadline_tools.index.questions.names import Names
from leadline_tools.index.text.secret_files import SecretPolicy
from leadline_tools.index.tree.stored_tree import StoredFile, StoredListing, StoredTree
from leadline_tools.index.workers.worker_pool import WorkerPool
from leadline_tools.index.workspace import Workspace
from postgres import PostgresServer
from untimed import UNLIMITED, without_limits_of_time

NAME = "example.org/acme/shop"
POLICY = SecretPolicy()
COMMITS = [f"{number:040x}" for number in range(1, 50)]


class MemoryStore:
    """Files in memory, their contents under the ids that git gives them."""

    place = "memory"

    def __init__(self, files: Mapping[str, bytes]) -> None:
        self._files = {path: (_git_id(content), content) for path, content in files.items()}

    def state(self) -> str:
        return hashlib.sha256(repr(sorted(self._files.items())).encode()).hexdigest()

    def listing(self) -> StoredListing:
        files = [StoredFile(path, len(content), key) for path, (key, content) in self._files.items()]
        return StoredListing(self.state(), files)

    def read(self, file: StoredFile) -> bytes:
        return next(content for key, content in self._files.values() if key == file.key)


def _git_id(content: bytes) -> bytes:
    return hashlib.sha1(b"blob %d\0" % len(content) + content, usedforsecurity=False).digest()


class Host:
    """A database, and the indexer that brings refs to it."""

    def __init__(self, url: str) -> None:
        address = DatabaseAddress.parse(url)
        migrate(address, [AREA])
        self.pool = DatabasePool(address)
        self.workers = WorkerPool(1)

    def update(self, files: Mapping[str, bytes], commit: str, ref: str = "main", name: str = NAME) -> RefUpdate:
        tree = StoredTree(MemoryStore(files), Path(), POLICY)
        with writing(self.pool, name, "") as writer:
            return RefWriter(writer, self.workers).update(ref, commit, tree)

    def index(self) -> HostedWorkspace:
        return HostedWorkspace(HostedRefs(HostedReader(self.pool), POLICY, (), self.workers), self.workers)

    def close(self) -> None:
        self.workers.close()
        self.pool.close()


@pytest.fixture
def unnoted() -> Iterator[None]:
    """Answers without notes of the commit and of its age: they take tokens that an answer on a checkout has left."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(HostedTree, "note", "")
        patched.setattr(HostedTree, "age", 0.0)
        yield


@pytest.fixture
def host(database: str) -> Iterator[Host]:
    with closing(Host(database)) as host:
        yield host


@contextmanager
def hosted(host: Host) -> Iterator[Session]:
    """A session on what a database hosts."""
    with closing(Session(Config(Path("/"), None, "openai", patience=UNLIMITED), host.index())) as session:
        yield session


@contextmanager
def embedded(root: Path, name: str = NAME) -> Iterator[Session]:
    """A session on a folder, whose index and facts are complete."""
    index = Workspace([Index(root, None, 1, POLICY, name)])
    with closing(Session(Config(root, None, "openai", patience=UNLIMITED), index)) as session:
        index.start()
        assert index.wait(INDEXING_SECONDS)
        assert index.settle(INDEXING_SECONDS)
        index.facts.build(hurried=True)
        assert index.facts.wait(INDEXING_SECONDS)
        yield session


_URI = re.compile(r"leadline://result/\w+")
_OF_ITS_OWN = re.compile(
    r"^(\S+ is at commit|.*nothing can be written|.*nothing is written|next: rename_symbol).*\n", re.MULTILINE
)
"""Lines that only one of them has, which say whether files can be edited."""


_ENOUGH = 9_000
"""Tokens that no answer here needs: what is cut depends on the length of ids."""


def answer(session: Session, tool: str, arguments: Mapping[str, object], *, as_json: bool) -> str:
    """Return an answer without the ids of results, and without what only a checkout or a commit has."""
    text = session.call(Request(tool, {**arguments, "max_tokens": _ENOUGH}, as_json=as_json)).text
    return _OF_ITS_OWN.sub("", _URI.sub("leadline://", text))


def differences(one: Session, other: Session, questions: Iterable[tuple[str, Mapping[str, object]]]) -> list[str]:
    """Return where answers differ that have as much time as they need, as texts that show both."""
    found = []
    with without_limits_of_time():
        for tool, arguments in questions:
            for as_json in (False, True):
                here, there = (answer(session, tool, arguments, as_json=as_json) for session in (one, other))
                if here != there:
                    found.append(f"{tool} {arguments}\n--- checkout\n{here}\n--- hosted\n{there}")
    return found


_CART = b"""# Carts.

class Cart:
    'Holds goods.'

    def add(self, good):
        self.goods.append(good)
"""
_COMPONENT = b"<script>\nexport default { name: 'till', methods: { ring() {} } }\n</script>\n"

FILES = {
    "README.md": b"# Shop\n\nSells carts. See `open_shop`.\n",
    "src/cart.py": _CART,
    "src/sale.py": b"from cart import Cart\n\n\ndef sell():\n    cart = Cart()\n    cart.add(1)\n    return cart\n",
    "src/copy_of_cart.py": _CART,
    "web/Till.vue": _COMPONENT,
    "web/Desk.vue": _COMPONENT,
    "include/shop.h": b"#define SHOP_OPEN 1\nstruct shop { int carts; };\n",
    "lib/shop.c": b'#include "shop.h"\nint open_shop(struct shop *s) { return s->carts + SHOP_OPEN; }\n',
    "app/Shelf.kt": b"package app\n\nopen class Shelf {\n    open fun fill() {}\n}\n",
    "app/Rack.kt": b"package app\n\nclass Rack(val a: Int) : Shelf() {\n    val x = = when {\n    fun fill() {\n",
    "bin/run": b"#!/usr/bin/env python3\ndef run_shop():\n    pass\n",
    "data/odd.txt": "größe in Köln\n".encode("latin-1"),
    "data/picture.bin": b"\x00\x01picture",
    ".env": b"PASSWORD=secret\n",
    "empty.py": b"",
}

QUESTIONS: list[tuple[str, dict[str, object]]] = [
    ("list_files", {"recursive": True, "limit": 50}),
    ("count_files", {"by": "language"}),
    ("read_file", {"path": f"{NAME}/src/cart.py"}),
    ("read_file", {"path": f"{NAME}/data/odd.txt"}),
    ("read_file", {"path": f"{NAME}/data/picture.bin"}),
    ("read_file", {"path": f"{NAME}/.env"}),
    ("read_file", {"path": f"{NAME}/src/crat.py"}),
    ("document_symbols", {"path": f"{NAME}/src/cart.py", "detail": "full"}),
    ("document_symbols", {"path": f"{NAME}/web/Till.vue"}),
    ("search_text", {"query": "Cart"}),
    ("search_text", {"query": "größe"}),
    ("search_text", {"query": r"open_\w+", "regex": True}),
    ("symbol_search", {"query": "Cart"}),
    ("symbol_search", {"query": "Rack"}),
    ("symbol_search", {"query": "Rac"}),
    ("find_implementations", {"symbol": f"{NAME}/app/Shelf.kt:3"}),
    ("symbol_search", {"query": "shop"}),
    ("symbol_search", {"query": "carrt"}),
    ("find_code", {"query": "add goods to a cart"}),
    ("repo_map", {}),
    ("go_to_definition", {"symbol": f"{NAME}/src/sale.py:5:12"}),
    ("find_references", {"symbol": f"{NAME}/src/cart.py:Cart"}),
    ("find_references", {"symbol": "open_shop", "tier": "name"}),
    ("find_references", {"symbol": "SHOP_OPEN"}),
    ("find_implementations", {"symbol": "Cart"}),
    ("type_members", {"symbol": f"{NAME}/src/cart.py:Cart"}),
    ("call_hierarchy", {"symbol": "open_shop"}),
    ("rename_symbol", {"symbol": f"{NAME}/src/cart.py:Cart.add", "new_name": "put"}),
    ("apply_code_fix", {}),
]


def checked_out(files: Mapping[str, bytes], root: Path) -> Path:
    """Write files below a folder."""
    for path, content in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(content)
    return root


@pytest.mark.usefixtures("unnoted")
def test_every_tool_answers_as_on_a_checkout(host: Host, tmp_path: Path) -> None:
    root = checked_out(FILES, tmp_path)
    done = host.update(FILES, COMMITS[0])
    assert (done.files, done.parsed, done.shared, done.moved) == (len(FILES), len(FILES) - 1, 0, True)
    with embedded(root) as one, hosted(host) as other:
        assert differences(one, other, QUESTIONS) == []


def test_a_search_names_a_binary_file_that_it_did_not_look_into_though_its_content_is_not_kept(host: Host) -> None:
    host.update(FILES, COMMITS[0])
    with hosted(host) as session:
        said = answer(session, "search_text", {"query": "picture"}, as_json=False)
        assert f"binary, so not searched: {NAME}/data/picture.bin" in said
        assert "no lines" in said.splitlines()[0]


_PATHS = [path for path in FILES if path != "data/picture.bin"]
_CONTENTS = st.sampled_from(
    [
        *FILES.values(),
        b"class Cart:\n    def add(self, good):\n        return open_shop(good)\n\n    def pay(self): ...\n",
        b"from src.cart import Cart as Basket\n\n\nclass Trolley(Basket):\n"
        b"    def add(self, good):\n        super().add(good)\n",
        b"def open_shop(cart):\n    return Cart().add(cart).pay()\n\n\nSHOP_OPEN = open_shop(sell)\n",
        b'int open_shop(struct shop *s);\n#include "shop.h"\n#define SHOP_OPEN 2\n#define CART 3\n',
        b"# Till\n\nring `open_shop`, then sell the Cart\n",
        b"def broken(:\n",
        b"\r\nclass Till:\r\n    sell = 1\r\n",
    ]
)
_EDITS = st.lists(
    st.dictionaries(st.sampled_from([*_PATHS, "src/new.py", "docs/till.md"]), st.none() | _CONTENTS, max_size=4),
    min_size=1,
    max_size=3,
)


@pytest.mark.usefixtures("unnoted")
@settings(
    max_examples=int(os.environ.get("LEADLINE_EXAMPLES", "8")),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(edits=_EDITS)
def test_after_any_edits_every_tool_answers_as_on_a_checkout(
    postgres: PostgresServer, edits: Sequence[Mapping[str, bytes | None]]
) -> None:
    url = postgres.fresh()
    files = dict(FILES)
    del files["data/picture.bin"]
    with closing(Host(url)) as host, tempfile.TemporaryDirectory() as folder:
        host.update(files, COMMITS[0])
        with hosted(host) as other:
            for commit, edit in zip(COMMITS[1:], edits, strict=False):
                files.update({path: content for path, content in edit.items() if content is not None})
                for path in (path for path, content in edit.items() if content is None):
                    files.pop(path, None)
                host.update(files, commit)  # the session follows
            with embedded(checked_out(files, Path(folder))) as one:
                assert differences(one, other, QUESTIONS) == []
    postgres.drop(url)


def test_an_indexer_that_is_killed_at_any_statement_leaves_a_ref_at_one_commit_or_the_next(
    host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    host.update(FILES, COMMITS[0])
    catalogue = Catalogue(HostedReader(host.pool), ())
    questions = [("symbol_search", {"query": "pay"}), ("search_text", {"query": "Cart"}), ("list_files", {})]
    interrupted = 0
    with hosted(host) as session:
        for number in range(1, len(COMMITS)):
            files = {**FILES, "src/cart.py": FILES["src/cart.py"] + b"\n\ndef pay%d(): ...\n" % number}
            before = catalogue.refs()[0].commit, [answer(session, *one, as_json=False) for one in questions]
            with monkeypatch.context() as patched:
                killed = _kill_at(patched, 2 * number)
                with contextlib.suppress(DatabaseError, psycopg.Error):
                    host.update(files, COMMITS[number])
            interrupted += killed()
            _wait_for_ended_connections(host)
            after = catalogue.refs()[0].commit, [answer(session, *one, as_json=False) for one in questions]
            assert after == before or after[0] == COMMITS[number]
            host.update(files, COMMITS[number])  # goes on where it was killed
            assert catalogue.refs()[0].commit == COMMITS[number]
            assert f"pay{number}" in answer(session, *questions[0], as_json=False)
            if not killed():
                break
    assert interrupted > 5


def _kill_at(patched: pytest.MonkeyPatch, number: int) -> Callable[[], bool]:
    """Have the connection end at a statement, as that of a process that is killed; return whether it came to that."""
    seen = itertools.count(1)
    reached = [False]

    def wrapped(method: Callable[..., object]) -> Callable[..., object]:
        def run(cursor: psycopg.Cursor[object], *given: object, **options: object) -> object:
            if next(seen) == number:
                reached[0] = True
                cursor.connection.pgconn.finish()
            return method(cursor, *given, **options)

        return run

    for name in ("execute", "executemany", "copy"):
        patched.setattr(psycopg.Cursor, name, wrapped(getattr(psycopg.Cursor, name)))
    return lambda: reached[0]


def _wait_for_ended_connections(host: Host) -> None:
    """Wait until the database has noticed which connections have ended, and has released their locks."""
    with host.pool.connection() as connection:
        for _ in range(3_000):
            if connection.execute("select 1 from pg_locks where locktype = 'advisory' limit 1").fetchone() is None:
                return
            connection.execute("select pg_sleep(0.01)")
    pytest.fail("a connection that has ended holds its lock")


def _statements(patched: pytest.MonkeyPatch) -> list[str]:
    """The statements from now on, as they are executed."""
    seen: list[str] = []
    execute: Any = psycopg.Cursor.execute

    def run(cursor: Any, query: object, *given: object, **options: object) -> object:
        seen.append(str(query))
        return execute(cursor, query, *given, **options)

    patched.setattr(psycopg.Cursor, "execute", run)
    return seen


@pytest.mark.parametrize("files", [40, 400])
def test_a_question_takes_few_statements_however_many_files_it_reads(
    host: Host, monkeypatch: pytest.MonkeyPatch, files: int
) -> None:
    used = {
        f"src/use{number}.py": b"from cart import Cart\n\n\ndef use%d():\n    return Cart().add(1)\n" % number
        for number in range(files)
    }
    host.update({"src/cart.py": _CART, **used}, COMMITS[0])
    with hosted(host) as session:
        seen = _statements(monkeypatch)
        found = answer(session, "find_references", {"symbol": f"{NAME}/src/cart.py:Cart"}, as_json=False)
    assert f"of {2 * files + 1:,} references" in found or f"{2 * files + 1:,} references" in found
    assert len(seen) < 60
    assert len([one for one in seen if "from content" in one]) <= 3 + files // 32  # one for each batch of files
    assert len([one for one in seen if "from ref join repository" in one]) == 1


def test_an_indexer_whose_workers_have_ended_keeps_nothing_that_was_not_parsed(host: Host) -> None:
    host.workers.close()
    with pytest.raises(WorkersEnded):
        host.update(FILES, COMMITS[0])
    host.workers = WorkerPool(1)
    host.update(FILES, COMMITS[0])
    with hosted(host) as session:
        assert "src/cart.py" in answer(session, "symbol_search", {"query": "Cart"}, as_json=False)


def test_a_database_that_stops_is_reported_and_answers_come_again_by_themselves(postgres: PostgresServer) -> None:
    url = postgres.fresh()
    with closing(Host(url)) as host:
        host.update(FILES, COMMITS[0])
        with hosted(host) as session:
            before = answer(session, *QUESTIONS[0], as_json=False)
            postgres.stop()
            refused = session.call(Request("search_text", {"query": "Cart"}))
            assert refused.is_error
            assert "The database of this server cannot be reached" in refused.text
            postgres.start()
            assert answer(session, *QUESTIONS[0], as_json=False) == before
    postgres.drop(url)


def test_answers_say_of_which_commit_they_are_and_how_old_it_is(host: Host) -> None:
    host.update(FILES, COMMITS[0])
    host.update({"a.py": b"def other(): ...\n"}, COMMITS[1], "next")
    with hosted(host) as session:
        found = answer(session, "symbol_search", {"query": "other"}, as_json=False)
        assert f"{NAME}: commit 00000000 (main), {NAME}@next: commit 00000000 (next)" in found
        assert "indexed less than a minute ago or later" in found
        assert f"{NAME}@next/a.py" in found
        with host.pool.connection() as connection:
            connection.execute("update ref set indexed_at = now() - interval '3 hours', moves = moves + 1")
        read = answer(session, "read_file", {"path": f"{NAME}@next/a.py"}, as_json=False)
        assert f"{NAME}@next: commit 00000000 (next)" in read
        assert "indexed 3 h ago" in read


@pytest.mark.parametrize(
    ("path", "found"),
    [
        ("example.org/b", {"example.org/b/mail", "example.org/b/post"}),
        ("example.org/*/mail/**", {"example.org/a/mail", "example.org/b/mail"}),
        ("example.org/b/post/*.py, example.org/a/**", {"example.org/a/mail", "example.org/b/post"}),
    ],
)
def test_a_path_is_a_pattern_over_repositories(host: Host, path: str, found: set[str]) -> None:
    names = ("example.org/a/mail", "example.org/b/mail", "example.org/b/post")
    for name in names:
        host.update({"send.py": b"def send_letter(): ...\n"}, COMMITS[0], name=name)
    with hosted(host) as session:
        for tool, query in (("search_text", "send_letter"), ("symbol_search", "send_letter"), ("find_code", "letter")):
            text = answer(session, tool, {"query": query, "path": path}, as_json=True)
            assert {name for name in names if f'"{name}/send.py"' in text} == found, (tool, text)


def test_names_are_unpacked_after_the_first_question(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    host.update(FILES, COMMITS[0])
    unpacked = threading.Event()
    monkeypatch.setattr(hosted_workspace, "_LOAD_SECONDS", 0)
    monkeypatch.setattr(Names, "load", lambda _names: unpacked.set())
    with hosted(host) as session:
        answer(session, "list_files", {}, as_json=False)
        assert unpacked.wait(60)


def test_a_repository_that_comes_later_is_found_by_the_next_question(host: Host) -> None:
    host.update(FILES, COMMITS[0])
    with hosted(host) as session:
        done = host.update(
            {"copied.py": FILES["src/cart.py"], "x.py": b"x = 1\n"}, COMMITS[1], name="example.org/b/mail"
        )
        assert (done.parsed, done.shared) == (1, 1)
        found = answer(session, "search_text", {"query": "Holds goods"}, as_json=False)
        assert "example.org/b/mail/copied.py" in found
        assert f"{NAME}/src/cart.py" in found
