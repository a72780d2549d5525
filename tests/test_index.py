"""The index is always true to the tree, whatever happens to the files, to its database and to its workers."""

from __future__ import annotations

import contextlib
import io
import os
import queue
import select
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import count as counting
from pathlib import Path
from typing import NamedTuple

import apsw
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, rule, run_state_machine_as_test

import leadline_tools.navigation  # noqa: F401  declares the tools
from conftest import columns, write
from leadline_tools.cancellation import Token
from leadline_tools.errors import LeadlineError, NotParsed
from leadline_tools.index import index as index_module
from leadline_tools.index.files.file import DONE, SYMBOLS, TEXT, File
from leadline_tools.index.files.file_table import FileTable
from leadline_tools.index.index import Index
from leadline_tools.index.indexing import writer
from leadline_tools.index.indexing.batch import Batch
from leadline_tools.index.indexing.stored_files import StoredFiles
from leadline_tools.index.indexing.writer import Writer
from leadline_tools.index.packing.packed_symbols import pack, unpack
from leadline_tools.index.questions import symbol_index
from leadline_tools.index.store import fingerprint
from leadline_tools.index.store.database import Database, index_path
from leadline_tools.index.store.rows import RowsBusyError, RowsError, RowWriter
from leadline_tools.index.text.secret_files import SecretPolicy
from leadline_tools.index.text.source_text import Known
from leadline_tools.index.tree.disk.disk_tree import DiskTree
from leadline_tools.index.workers import worker_pool
from leadline_tools.index.workers.frames import (
    Operation,
    Reply,
    Request,
    TreeOrigin,
    read_reply,
    read_request,
    write_reply,
    write_request,
)
from leadline_tools.index.workers.root_workers import RootWorkers
from leadline_tools.index.workers.worker_pool import Deliver, WorkerPool
from leadline_tools.languages.outline import Definition
from leadline_tools.model import FileEntry, Occurrence, SourceLine, Symbol, SymbolKind, TextMatch
from leadline_tools.result import Result
from leadline_tools.tool import TOOLS

INDEXING_SECONDS = 60.0

Opening = Callable[..., Index]


class Pool(WorkerPool):
    """Workers that several indexes use, one after the other or at once."""

    def close(self) -> None:
        """Stay: the pool ends with the tests."""

    def end(self) -> None:
        super().close()


@pytest.fixture(scope="module")
def pool() -> Iterator[Pool]:
    """One pool of workers for all trees: starting a process takes longer than most tests."""
    pool = Pool(1)
    yield pool
    pool.end()


@pytest.fixture
def pools(pool: Pool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let indexes share their workers."""
    monkeypatch.setattr(index_module, "WorkerPool", lambda _processes: pool)


@pytest.fixture
def opening() -> Iterator[Opening]:
    """Open indexes that are complete, and close them at the end."""
    with contextlib.ExitStack() as stack:

        def start(root: Path, cache: Path | None = None) -> Index:
            index = Index(root, cache, 1)
            stack.callback(index.close)
            index.start()
            settle(index)
            return index

        yield start


@pytest.fixture
def parsed(pools: None, monkeypatch: pytest.MonkeyPatch) -> list[str]:  # noqa: ARG001
    """The files that workers are asked to parse for the index, as often as they are."""
    asked: list[str] = []
    submit = RootWorkers.submit

    def spy(self: RootWorkers, operation: Operation, paths: Sequence[str], deliver: Deliver) -> None:
        asked.extend(paths)
        submit(self, operation, paths, deliver)

    monkeypatch.setattr(RootWorkers, "submit", spy)
    return asked


def settle(index: Index) -> None:
    """Wait until the index is complete and written, however often waiting ends before that."""
    until = time.monotonic() + INDEXING_SECONDS
    while not index.coverage().complete:
        assert time.monotonic() < until
        index.wait(0.1)
    with index.kept.database.writing():
        assert index.coverage().complete


Answer = Result | tuple[str, str, str]


def answer(index: Index, tool: str, **arguments: object) -> Answer:
    """Return what a tool says, an error too."""
    try:
        result = TOOLS[tool].run(index, **arguments)
    except LeadlineError as error:
        return type(error).__name__, str(error), error.hint
    assert isinstance(result, Result)
    return replace(result, items=tuple(result.items))


_PLACED = FileEntry | Occurrence | SourceLine | Symbol | TextMatch


def places(index: Index, tool: str, **arguments: object) -> list[str]:
    """Return the places that a tool finds, in the order of their paths."""
    result = TOOLS[tool].run(index, **arguments)
    assert isinstance(result, Result)
    items = [item for item in result.items if isinstance(item, _PLACED)]
    return sorted(f"{item.path}:{getattr(item, 'line', 0)}" for item in items)


# What is packed is what was found


class Nested(NamedTuple):
    """A definition to be made: how it lies to the one before, and its numbers."""

    name: str
    kind: SymbolKind
    up: int
    own: str
    numbers: tuple[int, int, int, int, int, int, int, int]


names = st.text(st.characters(codec="utf-8", exclude_characters="\n\0"), min_size=1, max_size=8)
small = st.integers(0, 2**20)
nested = st.builds(
    Nested,
    names,
    st.sampled_from(SymbolKind),
    st.integers(0, 3),
    st.one_of(st.just(""), names),
    st.tuples(*[small] * 8),
)


def made(rows: list[Nested]) -> list[Definition]:
    found: list[Definition] = []
    for i, row in enumerate(rows):
        line, column, before, after, start, length, doc, doc_length = row.numbers
        parent = max(-1, i - row.up) if row.up and i else -1
        container = row.own or (found[parent].path if parent >= 0 else "")
        documentation = (doc, doc + doc_length) if doc_length else (0, 0)
        span = (start, start + length)
        found.append(
            Definition(
                row.name,
                row.kind,
                line,
                column,
                line - before,
                line + after,
                container,
                parent,
                span,
                documentation,
                None,
            )
        )
    return found


@given(rows=st.lists(nested, max_size=12))
@settings(max_examples=150, deadline=None)
def test_definitions_come_out_of_the_blob_as_they_went_in(rows: list[Nested]) -> None:
    definitions = made(rows)
    assert unpack(pack(definitions)) == definitions


@given(rows=st.lists(nested, min_size=1, max_size=4), at=st.integers(0, 10**6), bit=st.integers(0, 7))
@settings(max_examples=60, deadline=None)
def test_a_damaged_blob_is_refused(rows: list[Nested], at: int, bit: int) -> None:
    blob = pack(made(rows))
    at %= len(blob)
    flipped = blob[:at] + bytes([blob[at] ^ 1 << bit]) + blob[at + 1 :]
    for damaged in (blob[:at], flipped):
        try:
            found = unpack(damaged)
        except ValueError:
            continue
        assert found == made(rows)  # a bit that means nothing to zlib


@given(blob=st.binary(max_size=40))
def test_what_is_no_blob_is_refused(blob: bytes) -> None:
    with pytest.raises(ValueError, match="damaged"):
        unpack(blob)


# What the server and its workers say to each other


@given(
    digest=st.binary(min_size=16, max_size=16),
    lines=st.integers(0, 2**32 - 1),
    found=st.binary(max_size=20),
    payload=st.binary(max_size=20),
    error=st.text(st.characters(codec="utf-8"), max_size=20),
    seconds=st.tuples(st.floats(0, 100), st.floats(0, 100)),
)
@settings(max_examples=60)
def test_a_reply_arrives_as_it_was_sent(
    digest: bytes, lines: int, found: bytes, payload: bytes, error: str, seconds: tuple[float, float]
) -> None:
    reply = Reply(digest, lines, found, payload, error, seconds=seconds[0], start=seconds[1])
    stream = io.BytesIO()
    write_reply(stream, reply)
    whole = stream.getvalue()
    assert read_reply(io.BytesIO(whole + b"next")) == reply
    assert read_reply(io.BytesIO(whole[:-1])) is None
    assert read_reply(io.BytesIO(b"")) is None


@given(
    operation=st.sampled_from(Operation),
    files=st.lists(st.binary(max_size=20).map(os.fsdecode), max_size=5),
    tree=st.builds(TreeOrigin, st.binary(max_size=20).map(os.fsdecode), st.text(), st.just(("a.env", "b"))),
    known=st.none() | st.builds(Known, st.binary(min_size=16, max_size=16), st.integers(0, 1 << 40)),
)
@settings(max_examples=60)
def test_a_request_arrives_as_it_was_sent_whatever_the_files_are_called(
    operation: Operation, files: list[str], tree: TreeOrigin, known: Known | None
) -> None:
    request = Request(operation, 2.5, tuple(files), tree, known=(known,) * len(files))
    stream = io.BytesIO()
    write_request(stream, request)
    assert read_request(io.BytesIO(stream.getvalue())) == request
    assert read_request(io.BytesIO(b"\0\0")) is None


# The table of files


table = st.lists(
    st.builds(
        lambda path, size, done: File(0, path, size, size, 0, b"", done, ""),
        st.sampled_from(["a", "b", "a/b", "a/c", "a-b", "a0"]),
        st.integers(0, 3),
        st.sampled_from([0, TEXT, SYMBOLS, DONE]),
    ),
    max_size=12,
)


@given(history=table, gone=st.lists(st.sampled_from(["a", "b", "a/b", "a-b"]), max_size=4))
@settings(max_examples=100)
def test_the_table_knows_only_what_is_there_now_however_it_came_to_be(history: list[File], gone: list[str]) -> None:
    files = FileTable()
    for number, file in enumerate(history):
        known = files.get(file.path)
        files.put(file._replace(id=known.id if known is not None else number + 1))
    for path in gone:
        files.remove(path)
    last = {file.path: file for file in history if file.path not in gone}
    anew = FileTable()
    anew.fill(columns([file._replace(id=number + 1) for number, file in enumerate(last.values())]))
    assert list(files.paths()) == sorted(last)
    assert files.state == anew.state
    assert (files.progress.texts, files.progress.symbols) == (anew.progress.texts, anew.progress.symbols)
    assert files.progress.texts == sum(bool(file.done & TEXT) for file in last.values())
    assert files.progress.symbols == sum(bool(file.done & SYMBOLS) for file in last.values())
    assert list(files.below("a")) == [path for path in sorted(last) if path.startswith("a/")]
    for file in files:
        assert files.by_id(file.id) == file


# An index that follows the tree is that of the tree

PATHS = ("a.py", "b.py", "pkg/__init__.py", "pkg/c.py", "pkg/deep/d.py", "web/e.ts", "notes.txt", "data.bin")
CONTENTS = (
    b"",
    b"def alpha():\n    return Beta()\n",
    b"class Beta:\n    def alpha(self):\n        return gamma_delta\n\n    def epsilon(self): ...\n",
    b"from a import alpha\n\n\ndef zeta():\n    return alpha()\n",
    b"gamma_delta = 1\n# alpha and Beta\n",
    b"epsilon = 1\n# alpha, zeta, Beta\n\n",  # as long as the one before
    b"export function alpha() { return zeta(); }\n",
    b"alpha beta\nzeta\n",
    b"# na\xefve\ndef alpha(): pass\n",
    b"\0alpha\0",
    b"def broken(:\n    alpha(((\n",
)
RULES = (b"", b"b.py\n", b"pkg/\n", b"*.txt\n!notes.txt\n", b"*\n")
BRANCHES = ("main", "other")
NAMES = ("alpha", "Beta", "gamma_delta", "epsilon", "zeta", "broken", "alhpa")


class Following(RuleBasedStateMachine):
    """Changes of a tree, and an index that is asked now and then."""

    root: Path
    cache: Path
    clock = counting(1_700_000_000)

    def __init__(self) -> None:
        super().__init__()
        for folder in (self.root, self.cache):
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()
        self.index = self.opened(self.cache)

    def opened(self, cache: Path | None) -> Index:
        index = Index(self.root, cache, 1)
        index.start()
        return index

    def stamp(self, path: Path) -> None:
        """Give a file a time of its own: two changes within one tick of the clock look like one."""
        seconds = next(self.clock)
        os.utime(path, (seconds, seconds))

    @rule(path=st.sampled_from(PATHS), content=st.sampled_from(CONTENTS))
    def create_or_edit(self, path: str, content: bytes) -> None:
        target = self.root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)
        self.stamp(target)

    @rule(rules=st.sampled_from(RULES), folder=st.sampled_from(("", "pkg")))
    def ignore(self, rules: bytes, folder: str) -> None:
        self.create_or_edit(f"{folder}/.gitignore" if folder else ".gitignore", rules)

    @rule(path=st.sampled_from(PATHS))
    def delete(self, path: str) -> None:
        (self.root / path).unlink(missing_ok=True)

    @rule(folder=st.sampled_from(("pkg", "web")))
    def delete_folder(self, folder: str) -> None:
        shutil.rmtree(self.root / folder, ignore_errors=True)

    @rule(path=st.sampled_from(PATHS), other=st.sampled_from(PATHS))
    def rename(self, path: str, other: str) -> None:
        if (self.root / path).exists():
            (self.root / other).parent.mkdir(parents=True, exist_ok=True)
            (self.root / path).replace(self.root / other)

    @rule(path=st.sampled_from(PATHS))
    def touch(self, path: str) -> None:
        if (self.root / path).exists():
            self.stamp(self.root / path)

    @rule(path=st.sampled_from(PATHS), mode=st.sampled_from((0o600, 0o644, 0o755)))
    def change_mode(self, path: str, mode: int) -> None:
        if (self.root / path).exists():
            (self.root / path).chmod(mode)

    @rule(branch=st.sampled_from(BRANCHES))
    def commit(self, branch: str) -> None:
        """Commit what is there to a branch, the first time in a new repository."""
        self.git("init", "-q", "-b", "main")
        if self.git("show-ref", "-q", "--heads", branch):
            self.git("symbolic-ref", "HEAD", f"refs/heads/{branch}")
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", "all")
        self.git("branch", branch)

    @rule(branch=st.sampled_from(BRANCHES))
    def switch_branch(self, branch: str) -> None:
        """Put what was committed to a branch in the place of what is there; nothing happens without such a branch."""
        self.git("checkout", "-q", "-f", branch)

    def git(self, *arguments: str) -> bool:
        """Run git in the tree; return whether it did what it was asked to."""
        who = ("-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false")
        within = {**os.environ, "GIT_CEILING_DIRECTORIES": str(self.root.parent)}
        command = ["git", *who, *arguments]
        done = subprocess.run(command, cwd=self.root, env=within, capture_output=True, timeout=60, check=False)
        return done.returncode == 0

    @rule()
    def restart(self) -> None:
        self.index.close()
        self.index = self.opened(self.cache)

    @rule()
    def refresh_without_waiting(self) -> None:
        self.index.refresh(0)

    @rule()
    def ask(self) -> None:
        self.index.refresh()
        settle(self.index)
        fresh = self.opened(None)
        try:
            settle(fresh)
            assert [file.path for file in self.index.files.below()] == [file.path for file in fresh.files.below()]
            for tool, arguments in questions():
                assert answer(self.index, tool, **arguments) == answer(fresh, tool, **arguments), (tool, arguments)
            # A change of mode alone counts as an edit that leaves size and time: a fresh index knows of none.
            assert self.index.files.state.startswith(fresh.files.state.removesuffix("0"))
        finally:
            fresh.close()

    def teardown(self) -> None:
        try:
            self.ask()
        finally:
            self.index.close()


Question = tuple[str, dict[str, object]]


def questions() -> Iterator[Question]:
    for name in (*NAMES, "a", "GD"):
        yield "symbol_search", {"query": name}
    for name in NAMES:
        yield "search_text", {"query": name}
        yield "search_text", {"query": name, "word": True}
    for symbol in (*NAMES, "Beta.alpha", "a.py:1", "pkg/c.py:2"):
        yield "go_to_definition", {"symbol": symbol}
        yield "find_references", {"symbol": symbol, "tier": "name"}
    for path in ("a.py", "web/e.ts"):
        yield "document_symbols", {"path": path}
    yield "count_files", {"by": "language"}
    yield "list_files", {"recursive": True}


@pytest.mark.usefixtures("pools")
def test_an_index_that_follows_changes_answers_like_one_that_is_made_anew(tmp_path: Path) -> None:
    class Machine(Following):
        root = tmp_path / "tree"
        cache = tmp_path / "cache"

    run_state_machine_as_test(
        Machine,
        settings=settings(
            max_examples=8,
            stateful_step_count=14,
            deadline=None,
            phases=(Phase.generate,),  # shrinking would take minutes
            suppress_health_check=(HealthCheck.too_slow, HealthCheck.large_base_example),
        ),
    )


@pytest.mark.usefixtures("pools")
@pytest.mark.parametrize("content", [b"", b"\0alpha\0"])
def test_a_text_that_becomes_empty_or_binary_has_no_lines_and_no_words_any_more(
    tmp_path: Path, opening: Opening, content: bytes
) -> None:
    root = write(tmp_path / "tree", {"a.txt": "alpha\nbeta\n", "b.py": "def alpha():\n    pass\n"})
    index = opening(root)
    for name in ("a.txt", "b.py"):
        (root / name).write_bytes(content)
    index.refresh()
    settle(index)
    assert places(index, "search_text", query="alpha") == places(index, "symbol_search", query="alpha") == []
    assert [file.lines for file in index.files.below()] == [0, 0]
    assert answer(index, "count_files", by="language") == answer(opening(root), "count_files", by="language")


@pytest.mark.usefixtures("pools")
def test_what_is_known_of_the_paths_is_kept_as_long_as_no_file_comes_or_goes(tmp_path: Path, opening: Opening) -> None:
    root = write(tmp_path / "tree", {"a.py": "def alpha(): pass\n", "sub/b.py": "from a import alpha\n"})
    index = opening(root)
    paths = index.files.paths
    index.refresh()
    write(root, {"a.py": "def beta(): pass\n"})
    index.refresh()
    assert places(index, "symbol_search", query="beta")
    assert index.files.paths is paths
    write(root, {"c.py": "def gamma(): pass\n"})
    index.refresh()
    assert index.files.paths == ["a.py", "c.py", "sub/b.py"]


@pytest.mark.usefixtures("pools")
def test_waiting_does_not_end_before_what_was_found_last_is_indexed(tmp_path: Path, opening: Opening) -> None:
    root = write(tmp_path / "tree", {"a.py": "def alpha(): pass\n"})
    index = opening(root)
    assert index.wait(INDEXING_SECONDS)
    write(root, {f"m_{i}.py": f"def beta_{i}(): pass\n" for i in range(40)})
    index.refresh(0)
    assert index.wait(INDEXING_SECONDS)
    assert index.coverage().complete


@pytest.mark.usefixtures("pools")
def test_what_is_indexed_and_not_committed_yet_is_found(
    tmp_path: Path, opening: Opening, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = write(tmp_path / "tree", {"a.py": "def alpha(): pass\n"})
    index = opening(root, tmp_path / "cache")
    writing, here = index.kept.writing, threading.current_thread()
    written, asked = threading.Event(), threading.Event()

    @contextlib.contextmanager
    def slow() -> Iterator[RowWriter]:
        with writing() as rows:
            yield rows
            if threading.current_thread() is not here:
                written.set()
                assert asked.wait(INDEXING_SECONDS)

    monkeypatch.setattr(index.kept, "writing", slow)
    write(root, {"b.py": "def beta(): return alpha()\n"})
    index.refresh(0)
    assert written.wait(INDEXING_SECONDS)
    try:
        assert places(index, "search_text", query="beta", word=True) == ["b.py:1"]
        assert places(index, "go_to_definition", symbol="beta") == ["b.py:1"]
    finally:
        asked.set()


@pytest.mark.parametrize("cache", [True, False])
def test_questions_are_answered_rightly_while_the_index_is_built(tmp_path: Path, cache: bool) -> None:
    lines = "".join(f"value_{i} = 'some words {i} here'\n" for i in range(100))
    root = write(tmp_path / "tree", {f"m_{i}.py": f"def alpha_{i}(): pass\n{lines}" for i in range(400)})
    index = Index(root, tmp_path / "cache" if cache else None, 1)
    try:
        index.start()
        for step in range(4):
            write(root, {f"new_{step}.py": f"def beta_{step}(): pass\n"})
            index.refresh(0)
            assert places(index, "search_text", query=f"beta_{step}", word=True) == [f"new_{step}.py:1"]
            assert places(index, "search_text", query=f"alpha_{step}", word=True) == [f"m_{step}.py:1"]
            assert places(index, "go_to_definition", symbol=f"beta_{step}") == [f"new_{step}.py:1"]
        settle(index)
    finally:
        index.close()


@pytest.mark.usefixtures("pools")
def test_an_index_that_is_opened_again_starts_no_worker_and_parses_nothing(
    tmp_path: Path, opening: Opening, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = write(tmp_path / "tree", {"a.py": "def alpha(): pass\n", "b.txt": "alpha\n"})
    opening(root, tmp_path / "cache").close()

    def refuse(*_arguments: object, **_options: object) -> None:
        raise AssertionError("parsed anew")

    monkeypatch.setattr(RootWorkers, "submit", refuse)
    again = opening(root, tmp_path / "cache")
    assert places(again, "symbol_search", query="alpha") == ["a.py:1"]
    assert places(again, "search_text", query="alpha") == ["a.py:1", "b.txt:1"]


@pytest.mark.usefixtures("pools")
def test_files_that_are_touched_are_parsed_anew_only_if_they_say_something_else(
    tmp_path: Path, opening: Opening, parsed: list[str]
) -> None:
    root = write(tmp_path / "tree", {"a.py": "def alpha(): pass\n", "b.py": "def gamma(): pass\n", "c.txt": "alpha\n"})
    opening(root, tmp_path / "cache").close()
    (root / "b.py").write_text("def omega(): pass\n")
    for number, path in enumerate(sorted(root.iterdir())):
        os.utime(path, (1_700_000_000 + number, 1_700_000_000 + number))
    parsed.clear()
    index = opening(root, tmp_path / "cache")
    assert parsed == ["b.py"]
    assert places(index, "symbol_search", query="alpha", match="exact") == ["a.py:1"]
    assert places(index, "symbol_search", query="omega", match="exact") == ["b.py:1"]
    assert places(index, "symbol_search", query="gamma", match="exact") == []
    assert places(index, "search_text", query="alpha", word=True) == ["a.py:1", "c.txt:1"]
    assert places(index, "search_text", query="gamma", word=True) == []
    assert index.coverage().complete


# The database is a cache: whatever is wrong with it costs time only

TREE = {
    f"part_{i % 3}/m_{i}.py": f"def alpha_{i}():\n    return beta_{i}\n"
    + "".join(f"x_{i}_{j} = {j}\n" for j in range(200))
    for i in range(24)
}


class Kept(NamedTuple):
    """A tree and the bytes of its index."""

    root: Path
    database: bytes


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Kept:
    root = write(tmp_path_factory.mktemp("kept"), TREE)
    cache = tmp_path_factory.mktemp("cache")
    index = Index(root, cache, 1)
    index.start()
    settle(index)
    index.close()
    path = index_path(cache, index.root)
    assert {file.name for file in path.parent.iterdir()} == {path.name, f"{path.name}.lock"}
    return Kept(root, path.read_bytes())


@pytest.fixture
def kept(built: Kept, pools: None) -> Kept:  # noqa: ARG001
    return built


def assert_right(index: Index) -> None:
    assert places(index, "symbol_search", query="alpha_7") == ["part_1/m_7.py:1"]
    assert len(places(index, "symbol_search", query="lpha_")) == 24
    assert places(index, "search_text", query="beta_9", word=True) == ["part_0/m_9.py:2"]
    assert places(index, "find_references", symbol="alpha_7") == ["part_1/m_7.py:1"]


def placed(root: Path, cache: Path, content: bytes) -> Path:
    path = index_path(cache, root)
    path.parent.mkdir(parents=True)
    path.write_bytes(content)
    return path


def foreign() -> bytes:
    with contextlib.closing(apsw.Connection(":memory:")) as connection:
        connection.execute("create table file(a); insert into file values(1)")
        return bytes(connection.serialize("main"))


def changed(content: bytes, sql: str) -> bytes:
    with contextlib.closing(apsw.Connection(":memory:")) as connection:
        connection.deserialize("main", content[:18] + b"\1\1" + content[20:])  # without its log, which memory has not
        connection.execute(sql)
        return bytes(connection.serialize("main"))


DAMAGES: dict[str, Callable[[bytes], bytes]] = {
    "empty": lambda _content: b"",
    "no database": lambda _content: b"not a database\n" * 500,
    "cut in half": lambda content: content[: len(content) // 2],
    "cut in its head": lambda content: content[:60],
    "cut in its schema": lambda content: content[:3000],
    "zeros": lambda content: bytes(len(content)),
    "schema overwritten": lambda content: content[:100] + b"\xff" * 3996 + content[4096:],
    "other version": lambda content: changed(content, "update meta set value='0.0:0'"),
    "no version": lambda content: changed(content, "delete from meta"),
    "a table missing": lambda content: changed(content, "drop table file"),
    "of another program": lambda _content: foreign(),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_index_is_made_anew_and_kept_again(kept: Kept, opening: Opening, tmp_path: Path, damage: str) -> None:
    path = placed(kept.root, tmp_path, DAMAGES[damage](kept.database))
    index = opening(kept.root, tmp_path)
    assert index.kept.database.path == path
    assert index.kept.database.warning == ""
    assert_right(index)
    index.close()
    assert_right(opening(kept.root, tmp_path))


@pytest.mark.parametrize("quarter", range(4))
def test_an_index_whose_inside_is_overwritten_is_made_anew(
    kept: Kept, opening: Opening, tmp_path: Path, quarter: int
) -> None:
    size = len(kept.database)
    start = max(3 * 4096, size * quarter // 4)
    end = size * (quarter + 1) // 4
    placed(kept.root, tmp_path, kept.database[:start] + b"\xa5" * (end - start) + kept.database[end:])
    assert_right(opening(kept.root, tmp_path))


def test_an_index_of_another_version_is_made_anew(
    kept: Kept, opening: Opening, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = placed(kept.root, tmp_path, kept.database)
    monkeypatch.setattr(fingerprint, "SCHEMA_VERSION", 10**6)
    assert_right(opening(kept.root, tmp_path))
    with contextlib.closing(apsw.Connection(str(path))) as connection:
        assert connection.execute("select value from meta").fetchall() == [(fingerprint.fingerprint(),)]


def test_an_index_that_a_process_of_another_version_keeps_is_left_alone_and_answers_are_right(
    kept: Kept, opening: Opening, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = placed(kept.root, tmp_path, kept.database)
    older = opening(kept.root, tmp_path)
    assert_right(older)
    with monkeypatch.context() as newer:
        newer.setattr(fingerprint, "SCHEMA_VERSION", 10**6)
        index = opening(kept.root, tmp_path)
        assert_right(index)
        assert index.kept.database.path is None
        assert "another version" in index.kept.database.warning
        assert path.exists()
        older.close()
        assert opening(kept.root, tmp_path).kept.database.path == path


def test_an_index_made_with_other_rules_of_a_language_is_made_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    before = fingerprint.fingerprint()
    assert fingerprint.fingerprint() == before
    monkeypatch.setattr(fingerprint, "RULES", "leadline_tools.resolve")
    assert fingerprint.fingerprint() != before


@pytest.mark.parametrize("suffix", ["-wal", "-shm", "-journal"])
def test_rubbish_beside_the_index_does_no_harm(kept: Kept, opening: Opening, tmp_path: Path, suffix: str) -> None:
    path = placed(kept.root, tmp_path, kept.database)
    path.with_name(path.name + suffix).write_bytes(b"rubbish" * 9_000)
    assert_right(opening(kept.root, tmp_path))


def test_a_folder_in_the_place_of_the_index_is_left_alone_and_the_index_lives_in_memory(
    kept: Kept, opening: Opening, tmp_path: Path
) -> None:
    path = index_path(tmp_path, kept.root)
    (path / "mine").mkdir(parents=True)
    index = opening(kept.root, tmp_path)
    assert index.kept.database.path is None
    assert "cannot be stored" in index.kept.database.warning
    assert_right(index)
    assert (path / "mine").is_dir()


def test_a_file_in_the_place_of_the_cache_folder_is_left_alone(kept: Kept, opening: Opening, tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("mine")
    index = opening(kept.root, tmp_path / "cache")
    assert "cannot be stored" in index.kept.database.warning
    assert_right(index)
    assert (tmp_path / "cache").read_text() == "mine"


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="rights do not bind this user")
@pytest.mark.parametrize("there", [False, True])
def test_a_cache_folder_that_cannot_be_written_costs_the_index_its_place_on_disk(
    kept: Kept, opening: Opening, tmp_path: Path, there: bool
) -> None:
    folder = placed(kept.root, tmp_path, kept.database).parent
    if not there:
        index_path(tmp_path, kept.root).unlink()
    folder.chmod(0o500)
    try:
        assert_right(opening(kept.root, tmp_path))
    finally:
        folder.chmod(0o700)


def test_without_a_cache_nothing_is_written(kept: Kept, opening: Opening, tmp_path: Path) -> None:
    index = opening(kept.root)
    assert index.kept.database.path is None
    assert index.kept.database.warning == ""
    assert_right(index)
    assert list(tmp_path.iterdir()) == []


@pytest.fixture
def narrow(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no index on the disk grow by more than a page, as on one that is full."""
    connect = Database._connect  # what a disk says that is full, on any system

    def connected(self: Database, target: str) -> apsw.Connection:
        connection = connect(self, target)
        [[pages]] = connection.execute("pragma page_count")
        if self.path is not None and pages:
            connection.execute(f"pragma max_page_count={pages + 1}")
        return connection

    monkeypatch.setattr(Database, "_connect", connected)


@pytest.mark.usefixtures("narrow")
def test_an_index_whose_disk_is_full_goes_on_in_memory(kept: Kept, opening: Opening, tmp_path: Path) -> None:
    root = shutil.copytree(kept.root, tmp_path / "tree")
    index = opening(root, tmp_path / "cache")
    assert "full" in index.kept.database.warning
    assert index.kept.database.path is None
    assert_right(index)
    write(root, {"part_2/new.py": "def omega():\n    return alpha_7\n"})
    index.refresh()
    assert places(index, "symbol_search", query="omega") == ["part_2/new.py:1"]


def test_an_index_that_lacks_little_stays_on_its_disk_though_that_is_full(
    kept: Kept, opening: Opening, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    root, cache = shutil.copytree(kept.root, tmp_path / "tree"), tmp_path / "cache"
    placed(root, cache, kept.database)
    opening(root, cache).close()
    request.getfixturevalue("narrow")
    index = opening(root, cache)
    write(root, {"part_2/new.py": f"def omega():\n    return {list(range(9_000))}, beta_9\n"})
    index.refresh()
    assert places(index, "symbol_search", query="omega") == ["part_2/new.py:1"]
    assert places(index, "search_text", query="beta_9", word=True) == ["part_0/m_9.py:2", "part_2/new.py:2"]
    assert index.kept.database.path is not None
    assert not index.coverage().complete


def test_an_index_is_kept_again_once_its_disk_has_room(
    kept: Kept, opening: Opening, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    request.getfixturevalue("narrow")
    assert opening(kept.root, tmp_path).kept.database.path is None
    monkeypatch.undo()
    again = opening(kept.root, tmp_path)
    assert again.kept.database.path is not None
    assert_right(again)


def test_who_cannot_take_over_what_another_process_has_written_tries_again(
    kept: Kept, opening: Opening, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers = iter([False])
    lead, adopt = Database.lead, StoredFiles.adopt
    failures = [RowsBusyError("somebody else writes")]

    def troubled(self: StoredFiles) -> None:
        if failures:
            raise failures.pop()
        adopt(self)

    monkeypatch.setattr(Database, "lead", lambda self: next(answers, True) and lead(self))
    monkeypatch.setattr(StoredFiles, "adopt", troubled)
    assert_right(opening(kept.root, tmp_path))
    assert not failures


def test_what_could_not_be_written_is_written_later_and_no_more_than_that_is_parsed_again(
    kept: Kept, opening: Opening, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, parsed: list[str]
) -> None:
    write = Batch.write
    lost: list[int] = []

    def troubled(self: Batch, rows: RowWriter) -> None:
        if self.written and not lost:
            lost.append(sum(map(self.has_symbols, self.written.values())))
            raise RowsBusyError("somebody else writes")
        write(self, rows)

    monkeypatch.setattr(Batch, "write", troubled)
    monkeypatch.setattr(writer, "_PAUSE_SECONDS", 0.0)
    assert_right(opening(kept.root, tmp_path))
    assert len(parsed) == len(TREE) + lost[0]


@pytest.mark.usefixtures("pools")
@pytest.mark.parametrize("step", ["adopt", "writing"])
def test_a_session_that_follows_another_one_tries_again_what_failed(
    tmp_path: Path, opening: Opening, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    root = write(tmp_path / "tree", {f"m_{i}.py": f"def alpha_{i}(): pass\n" for i in range(9)})
    leader, follower = (opening(root, tmp_path / "cache") for _ in range(2))
    failures = [RowsBusyError("somebody else writes")]
    following, looking = follower._indexer._writer, threading.Event()
    owner = follower.rows if step == "writing" else following._stored
    done = getattr(owner, step)

    def troubled() -> object:
        if failures and following._adopted == following._files.state:
            raise failures.pop()
        return done()

    monkeypatch.setattr(writer, "_PAUSE_SECONDS", 0.0)
    monkeypatch.setattr(owner, step, troubled)
    monkeypatch.setattr(leader._indexer._writer, "_look", looking.set)
    assert looking.wait(INDEXING_SECONDS)  # as it does once without a reason
    monkeypatch.setattr(leader._indexer._writer, "_look", leader._indexer.refresh)
    leader.watcher.close()  # it learns of the change from the follower alone
    write(root, {"m_1.py": "def omega(): pass\n"})
    follower.refresh(0)
    settle(follower)
    assert places(follower, "symbol_search", query="omega") == ["m_1.py:1"]
    assert not failures


@pytest.mark.usefixtures("pools")
def test_what_a_reader_kept_from_being_committed_in_memory_is_committed_when_it_is_done(
    tmp_path: Path, opening: Opening, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = write(tmp_path, {f"m_{i}.py": f"def alpha_{i}(): pass\n" for i in range(9)})
    index, recover, failed = opening(root), Writer._recover, threading.Event()

    def recovered(self: Writer, error: RowsError) -> None:
        failed.set()
        recover(self, error)

    monkeypatch.setattr(Writer, "_recover", recovered)
    monkeypatch.setattr(writer, "_PAUSE_SECONDS", 0.0)
    monkeypatch.setattr(index.kept.database, "_patience", 0.05)
    reading = index.kept.database.connection().execute("select * from file")
    assert next(reading)
    write(root, {"b.py": "def beta(): pass\n"})
    index.refresh(0)
    assert failed.wait(INDEXING_SECONDS)
    assert len(list(reading)) == 8
    settle(index)
    assert places(index, "symbol_search", query="beta") == ["b.py:1"]


@pytest.mark.usefixtures("pools")
def test_while_an_index_is_made_anew_files_are_looked_into_in_its_place(
    tmp_path: Path, opening: Opening, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = write(tmp_path, {f"m_{i}.py": f"def alpha_{i}(): pass\n" for i in range(9)})
    index, keep = opening(root), Database._keep_in_memory
    seen: list[Sequence[str]] = []

    def kept_and_asked(self: Database) -> None:
        keep(self)
        seen.append(places(index, "search_text", query="alpha_7", word=True))

    monkeypatch.setattr(Database, "_keep_in_memory", kept_and_asked)
    index.renew()
    assert seen == [["m_7.py:1"]]


@pytest.mark.usefixtures("pools")
def test_macros_are_found_in_an_index_that_was_made_anew(tmp_path: Path, opening: Opening) -> None:
    index = opening(write(tmp_path, {"b.py": "B_77 = 1\n", "c.py": "C_77 = 1\n"}))
    registers = "".join(f"#define A_{i} 0x{i:x}\n" for i in range(400))
    write(tmp_path, {"a.h": registers})  # its row is behind those of the others, until all are numbered anew
    index.refresh()
    settle(index)
    for again in range(2):
        assert places(index, "symbol_search", query="A_77", match="exact") == ["a.h:78"]
        if not again:
            index.renew()
            settle(index)


@pytest.mark.usefixtures("pools")
def test_a_damaged_index_that_cannot_be_taken_away_is_left_for_one_in_memory(
    kept: Kept, opening: Opening, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    index = opening(kept.root, tmp_path)

    def refuse(_self: Database, _path: Path) -> None:
        raise PermissionError("another process has it open")

    monkeypatch.setattr(Database, "_discard", refuse)
    index.renew()
    settle(index)
    assert index.kept.database.path is None
    assert_right(index)


def test_a_file_that_is_gone_does_not_come_back_with_what_was_written_of_it() -> None:
    files = FileTable()
    files.put(File(1, "a.py", 1, 1, 0, b"", 0, ""))
    files.remove("a.py")
    assert not files.change("a.py", lambda file: file._replace(done=DONE))
    assert len(files) == 0


@pytest.mark.usefixtures("pools")
def test_two_sessions_on_one_cache_both_answer_right_while_files_change(tmp_path: Path, opening: Opening) -> None:
    root = write(tmp_path / "tree", {f"m_{i}.py": f"def alpha_{i}(): pass\n" for i in range(8)})
    sessions = [opening(root, tmp_path / "cache") for _ in range(2)]
    for step in range(4):
        write(root, {f"m_{step}.py": f"def beta_{step}(): return {step}\n", f"new_{step}.py": f"new_{step} = 1\n"})
        (root / f"m_{7 - step}.py").unlink()
        for index in sessions if step % 2 else sessions[::-1]:
            index.refresh()
            settle(index)
        for index in sessions:
            assert places(index, "symbol_search", query=f"beta_{step}", match="exact") == [f"m_{step}.py:1"]
            assert places(index, "search_text", query=f"new_{step}", word=True) == [f"new_{step}.py:1"]
            assert places(index, "symbol_search", query=f"alpha_{7 - step}", match="exact") == []
            assert len(places(index, "list_files", recursive=True)) == 8


@pytest.mark.usefixtures("pools")
def test_a_session_finds_its_files_though_another_saw_the_same_changes_in_fewer_steps(
    tmp_path: Path, opening: Opening
) -> None:
    root = write(tmp_path / "tree", {f"{name}.py": f"def name_{name}(): pass\n" for name in "abz"})
    first, second = (opening(root, tmp_path / "cache") for _ in range(2))
    (root / "z.py").unlink()
    write(root, {"p.py": "def name_p(): pass\n"})
    first.refresh()
    settle(first)
    write(root, {"a0.py": "def name_a0(): pass\n"})
    first.refresh()
    settle(first)
    second.refresh()
    settle(second)
    for index in (first, second):
        for name in ("p", "a0"):
            assert places(index, "search_text", query=f"name_{name}", word=True) == [f"{name}.py:1"]
            assert places(index, "symbol_search", query=f"name_{name}", match="exact") == [f"{name}.py:1"]


# WorkerPool may die; files that kill them are named

HOSTILE = """
import os, signal
import leadline_tools.index.workers.worker as worker
answered = worker._answered
def hostile(source, request):
    while "hangs" in source.path:
        pass
    if "waits" in source.path:
        signal.pause()
    if "crashes" in source.path:
        os.kill(os.getpid(), signal.SIGKILL)
    return answered(source, request)
worker._answered = hostile
worker.main()
"""

SMALL = """
import leadline_tools.index.workers.worker as worker
worker.MEMORY = 320 << 20
worker.main()
"""

posix = pytest.mark.skipif(sys.platform == "win32", reason="signals and limits of POSIX")


@pytest.fixture
def workers_that(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Let workers run other code once they are started."""

    def become(code: str) -> None:
        before, found, _ = worker_pool._START.rpartition("from leadline_tools.index.workers.worker")
        assert found
        monkeypatch.setattr(worker_pool, "_START", before + code)

    return become


@posix
def test_a_file_that_was_blamed_is_tried_again_at_the_next_start(
    tmp_path: Path, opening: Opening, workers_that: Callable[[str], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    healthy = worker_pool._START
    workers_that(HOSTILE)
    root = write(tmp_path / "tree", {"f_07_crashes.py": "def seventh(): pass\n", "a.py": "def first(): pass\n"})
    index = opening(root, tmp_path / "cache")
    assert [file.path for file in index.files.failed] == ["f_07_crashes.py"]
    index.close()
    monkeypatch.setattr(worker_pool, "_START", healthy)
    again = opening(root, tmp_path / "cache")
    assert not again.files.failed
    assert places(again, "symbol_search", query="seventh") == ["f_07_crashes.py:1"]


@posix
def test_files_that_kill_their_worker_are_named_and_cost_the_others_nothing(
    tmp_path: Path, opening: Opening, workers_that: Callable[[str], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    workers_that(HOSTILE)
    monkeypatch.setattr(worker_pool, "DEADLINE", 1.0)
    bad = {"f_07_crashes.py", "f_08_hangs.py", "f_09_waits.py", "f_39_crashes.py"}
    good = {f"f_{i:02}.py" for i in range(40)} - {"f_07.py", "f_08.py", "f_09.py", "f_39.py"}
    root = write(tmp_path / "tree", {name: f"def in_{name[:4]}(): pass\n" for name in bad | good})
    index = opening(root, tmp_path / "cache")
    errors = {file.path: file.error for file in index.files.failed}
    assert set(errors) == bad
    assert errors["f_08_hangs.py"] == errors["f_09_waits.py"] == "took longer than 1 s to parse"
    assert errors["f_07_crashes.py"] == errors["f_39_crashes.py"] == "made the parser crash"
    assert {f"{name}:1" for name in good} == set(places(index, "symbol_search", query="in_"))
    assert places(index, "search_text", query="in_f_07") == ["f_07_crashes.py:1"]
    with pytest.raises(NotParsed, match=r"f_07_crashes\.py.* made the parser crash"):
        index.symbols.outline(index.read("f_07_crashes.py"))
    index.refresh()
    settle(index)
    assert {file.path for file in index.files.failed} == bad
    index.close()
    again = opening(root, tmp_path / "cache")
    assert {file.path: file.error for file in again.files.failed} == errors


def test_a_file_that_is_not_parsed_in_time_is_not_parsed_again_when_it_is_asked_for_again(
    tmp_path: Path, opening: Opening, monkeypatch: pytest.MonkeyPatch
) -> None:
    index = opening(write(tmp_path / "tree", {"slow.py": "def alpha(): pass\n" * 2_000}))
    asked: list[str] = []
    ask = RootWorkers.ask

    def noted(workers: RootWorkers, operation: Operation, path: str, deliver: Deliver, call: Token) -> None:
        asked.append(path)
        ask(workers, operation, path, deliver, call)

    monkeypatch.setattr(RootWorkers, "ask", noted)
    monkeypatch.setattr(symbol_index, "_PATIENCE", 0.0)
    with pytest.raises(NotParsed, match="not parsed within 0 s"):
        index.symbols.outline(index.read("slow.py"))
    monkeypatch.setattr(symbol_index, "_PATIENCE", 60.0)
    assert [len(index.symbols.outline(index.read("slow.py"))) for _ in range(2)] == [2_000, 2_000]
    assert asked == ["slow.py"]
    (index.root / "slow.py").write_text("def beta(): pass\n")
    assert [definition.name for definition in index.symbols.outline(index.read("slow.py"))] == ["beta"]


@posix
def test_a_parse_bomb_ends_at_the_memory_limit_of_its_worker(
    tmp_path: Path, opening: Opening, workers_that: Callable[[str], None]
) -> None:
    workers_that(SMALL)
    root = write(tmp_path / "tree", {"bomb.py": "[" * 3_000_000, "good.py": "def alpha(): pass\n"})
    index = opening(root)
    assert {file.path: file.error for file in index.files.failed} == {"bomb.py": "made the parser crash"}
    assert places(index, "symbol_search", query="alpha") == ["good.py:1"]
    assert [definition.name for definition in index.symbols.outline(index.read("good.py"))] == ["alpha"]


def test_a_file_too_large_to_parse_keeps_its_text_and_says_why_it_has_no_symbols(
    tmp_path: Path, opening: Opening
) -> None:
    root = write(tmp_path / "tree", {"large.py": "def alpha(): pass\n" + "# filler words\n" * 300_000})
    index = opening(root)
    assert [file.error for file in index.files.failed] == ["too large to parse"]
    assert places(index, "search_text", query="alpha") == ["large.py:1"]


@pytest.mark.parametrize(("each", "processes"), [(50, 1), (20, 2)])
def test_a_processor_is_left_to_the_words_and_then_used_where_more_files_wait_than_one_process_is_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, each: int, processes: int
) -> None:
    monkeypatch.setattr(worker_pool, "_FILES_OF_ONE", each)
    files = {f"m_{i}.py": f"def alpha_{i}(): pass\n" for i in range(49)}
    pool = WorkerPool(2)
    workers = RootWorkers(DiskTree(write(tmp_path / "tree", files), SecretPolicy(()), ""), pool)
    looked, replies = threading.Event(), queue.SimpleQueue[str]()

    def deliver(path: str, _reply: Reply) -> None:
        looked.wait(INDEXING_SECONDS)
        replies.put(path)

    with contextlib.closing(pool):
        workers.submit(Operation.Symbols, list(files), deliver)
        assert len(pool._threads) == 1
        workers.join_in()
        assert len(pool._threads) == processes
        looked.set()
        assert {replies.get(timeout=INDEXING_SECONDS) for _ in files} == set(files)


def test_what_workers_took_to_start_is_told_once_and_files_whose_facts_are_kept_cost_nothing(
    tmp_path: Path, opening: Opening
) -> None:
    root = write(tmp_path / "tree", {"a.py": "alpha = 1\n", "b.py": "beta = 2\n"})
    first = opening(root, tmp_path / "cache")
    first.facts.fetch(["a.py"])
    first.close()
    index = opening(root, tmp_path / "cache")
    kept = index.facts.fetch(["a.py"])
    assert (kept.looked_into, kept.seconds, kept.start) == ([], 0, 0)
    some = index.facts.fetch(["a.py", "b.py"])
    assert some.looked_into == ["b.py"]
    assert some.seconds > 0
    assert some.start > 0
    more = index.facts.fetch(["gone.py"])
    assert (more.looked_into, more.start) == (["gone.py"], 0)


@posix
def test_workers_end_when_the_index_is_closed_and_answer_what_waits(tmp_path: Path) -> None:
    root = write(tmp_path / "tree", {f"m_{i}.py": f"def alpha_{i}(): pass\n" for i in range(50)})
    index = Index(root, None, 2)
    index.start()
    index.symbols.outline(index.read("m_1.py"))
    other = index.read("m_2.py")
    processes = list(index.workers.pool._running)
    assert processes
    index.close()
    with pytest.raises(NotParsed, match="the server is closing"):
        index.symbols.outline(other)
    assert all(process.poll() is not None for process in processes)
    assert not [thread for thread in index.workers.pool._threads if thread.is_alive()]


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="this system does not list open files")
def test_threads_that_have_ended_leave_no_file_open(tmp_path: Path, opening: Opening) -> None:
    index = opening(write(tmp_path / "tree", {"a.py": "def alpha(): pass\n"}), tmp_path / "cache")
    open_files, together = [], 8
    for _ in range(3):
        threads = [
            threading.Thread(target=places, args=(index, "symbol_search"), kwargs={"query": "alpha"})
            for _ in range(together)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        open_files.append(len(list(Path("/proc/self/fd").iterdir())))
    assert max(open_files) - min(open_files) < together


def test_what_is_in_memory_outlives_the_thread_that_opened_it(tmp_path: Path, opening: Opening) -> None:
    root = write(tmp_path / "tree", {"a.py": "def alpha(): pass\n"})
    opened: list[Index] = []
    thread = threading.Thread(target=lambda: opened.append(opening(root)))
    thread.start()
    thread.join()
    assert places(opened[0], "symbol_search", query="alpha") == ["a.py:1"]


SERVER = """
import json, sys, time
sys.path[:] = json.loads(sys.argv[2])
from pathlib import Path
from leadline_tools.index.index import Index
index = Index(Path(sys.argv[1]), None, 2)
index.start()
index.wait(60)
index.symbols.outline(index.read("m_0.py"))
print(*[process.pid for process in index.workers.pool._running], flush=True)
sys.stdin.read()
"""


@pytest.mark.skipif(not hasattr(os, "pidfd_open"), reason="needs pidfd")
def test_workers_die_with_a_server_that_is_killed(tmp_path: Path) -> None:
    import json

    root = write(tmp_path / "tree", {f"m_{i}.py": f"def alpha_{i}(): pass\n" for i in range(100)})
    command = [sys.executable, "-I", "-c", SERVER, str(root), json.dumps(sys.path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        numbers = [int(number) for number in server.stdout.readline().split()]
        assert numbers
        with contextlib.ExitStack() as stack:
            poll = select.poll()
            for number in numbers:
                descriptor = os.pidfd_open(number)
                stack.callback(os.close, descriptor)
                poll.register(descriptor, select.POLLIN)
            server.kill()
            ended = set[int]()
            while len(ended) < len(numbers):
                events = poll.poll(60_000)
                assert events, "a worker outlived its server"
                for descriptor, _ in events:
                    ended.add(descriptor)
                    poll.unregister(descriptor)
    assert server.returncode == -signal.SIGKILL


# Symbols stand where an editor shows them

BODY = "first = 1\n\n\ndef target():\n    return 'grüße'\n"
LAST = BODY.replace("\n", "\r")

ENCODED: dict[str, tuple[bytes, int]] = {
    "utf-8": (BODY.encode(), 4),
    "utf-8 with a mark": (b"\xef\xbb\xbf" + BODY.encode(), 4),
    "latin-1": (BODY.encode("latin-1"), 4),
    "utf-16": (BODY.encode("utf-16"), 4),
    "utf-16-le": (b"\xff\xfe" + BODY.encode("utf-16-le"), 4),
    "utf-16-be": (b"\xfe\xff" + BODY.encode("utf-16-be"), 4),
    "utf-32": (BODY.encode("utf-32"), 4),
    "crlf": (BODY.replace("\n", "\r\n").encode(), 4),
    "cr": (LAST.encode(), 4),
    "cr in utf-16": (LAST.encode("utf-16"), 4),
    "crlf and cr and lf": (b"first = 1\r\n\r\ndef target():\n    return 1\r", 3),
    "cr before crlf": (b"first = 1\r\r\ndef target(): pass\n", 3),
    "form feed alone on a line": (b"first = 1\n\x0c\ndef target(): pass\n", 3),
    "form feed before the name": (b"first = 1\n\x0cdef target(): pass\n", 2),
    "separators in strings": ("a = '\u2028 \u2029 \x85 \x0b \x0c \x1c'\ndef target(): pass\n".encode(), 2),
    "no end of the last line": (b"first = 1\ndef target(): pass", 2),
}


@pytest.mark.usefixtures("pools")
def test_symbols_and_text_have_the_line_numbers_of_an_editor_whatever_the_encoding(
    tmp_path: Path, opening: Opening
) -> None:
    root = tmp_path / "tree"
    root.mkdir()
    expected = []
    for number, (content, line) in enumerate(ENCODED.values()):
        (root / f"f_{number:02}.py").write_bytes(content)
        expected.append(f"f_{number:02}.py:{line}")
    index = opening(root)
    assert index.files.failed == []
    assert places(index, "symbol_search", query="target", match="exact") == expected
    assert places(index, "search_text", query="def target") == expected
    assert places(index, "search_text", query="target", word=True) == expected
    for number, place in enumerate(expected):
        found = [(d.name, d.line) for d in index.symbols.outline(index.read(f"f_{number:02}.py")) if d.name == "target"]
        assert found == [("target", int(place.rpartition(":")[2]))]
        lines = index.read(f"f_{number:02}.py").lines()
        assert "def target" in lines[found[0][1] - 1]


@pytest.mark.usefixtures("pools")
def test_columns_count_code_points_whatever_the_encoding(tmp_path: Path, opening: Opening) -> None:
    root = tmp_path / "tree"
    root.mkdir()
    line = "/* grüße 中文 🙂 e\u0301 */ function target() {}\n"
    for name, codec in (("a.js", "utf-8"), ("b.js", "utf-16"), ("c.js", "utf-8-sig")):
        (root / name).write_bytes(line.encode(codec))
    (root / "d.js").write_bytes("/* grüße */ function target() {}\n".encode("latin-1"))
    index = opening(root)
    result = TOOLS["symbol_search"].run(index, query="target")
    assert isinstance(result, Result)
    columns = {item.path: item.column for item in result.items if isinstance(item, Symbol)}
    column = line.index("target") + 1
    assert columns == {"a.js": column, "b.js": column, "c.js": column, "d.js": len("/* grüße */ function ") + 1}


# Headers that define macros and little else


def test_the_macros_of_a_header_of_registers_are_found_by_their_names(tmp_path: Path, opening: Opening) -> None:
    registers = "".join(f"#define REG_{i}\t\t0x{i:04x}\n" for i in range(150))
    last = "  # define  MASK_ALL(x) \\\n\t((x) | \\\n\t 1)\nint after;\n"
    root = write(tmp_path / "tree", {"regs.h": f"/* é */\n{registers}{last}", "use.c": "int used = REG_7;\n"})
    index = opening(root, tmp_path / "cache")
    assert index.coverage().textual == 1
    assert places(index, "symbol_search", query="REG_7") == ["regs.h:9"]
    assert places(index, "go_to_definition", symbol="MASK_ALL") == ["regs.h:152", "regs.h:153", "regs.h:154"]
    assert places(index, "go_to_definition", symbol="regs.h:9") == ["regs.h:9"]
    indexed = {d.name: d for d in index.symbols.definitions(index.read("regs.h"))}
    outlined = {d.name: d._replace(parameters=None) for d in index.symbols.outline(index.read("regs.h"))}
    assert set(outlined) == set(indexed)
    for name in ("REG_0", "REG_149", "MASK_ALL", "after"):
        assert indexed[name][:8] == outlined[name][:8]
    (root / "regs.h").write_text("#define REG_7 1\n", encoding="utf-8")
    index.refresh()
    settle(index)
    assert index.coverage().textual == 0
    assert places(index, "symbol_search", query="REG_7") == ["regs.h:1"]


def test_what_a_header_of_macros_declares_besides_is_found_like_any_symbol(tmp_path: Path, opening: Opening) -> None:
    registers = "".join(f"#define REG_{i}\t\t0x{i:04x}\n" for i in range(150))
    structure = "\nstruct sensor {\n\tint temperature;\n#define SENSOR_ON 1\n\tint id;\n};\n"
    root = write(tmp_path / "tree", {"regs.h": registers + structure + "#define LAST \\\n\t2\nextern int read;\n"})
    index = opening(root, tmp_path / "cache")
    assert index.coverage().textual == 1
    assert places(index, "symbol_search", query="temperature") == ["regs.h:153"]
    assert places(index, "symbol_search", query="temper") == ["regs.h:153"]
    assert places(index, "symbol_search", query="SENSOR_ON") == ["regs.h:154"]
    indexed = index.symbols.definitions(index.read("regs.h"))
    assert [one.path for one in indexed[150:]] == [
        "sensor", "sensor.temperature", "SENSOR_ON", "sensor.id", "LAST", "read",
    ]  # fmt: skip
    assert [one.parent for one in indexed[150:]] == [-1, 150, -1, 150, -1, -1]
    (root / "regs.h").write_text(registers + structure.replace("temperature", "heat"), encoding="utf-8")
    index.refresh()
    settle(index)
    assert places(index, "symbol_search", query="heat") == ["regs.h:153"]
    assert places(index, "symbol_search", query="temperature") == []


def test_of_a_list_of_values_that_another_file_takes_in_only_the_words_are_indexed(
    tmp_path: Path, opening: Opening
) -> None:
    values = '/* Checks.\n */\n// two\n{\n\t"reads past the end",\n\t.run = { READ(1), EXIT() },\n#define LAST 2\n},\n'
    taking = 'static struct check checks[] = {\n#include "values.c"\n};\n'
    root = write(tmp_path / "tree", {"values.c": values, "checks.c": taking, "block.c": "int one(void)\n{\n}\n"})
    index = opening(root, tmp_path / "cache")
    assert index.coverage().textual == 1
    assert places(index, "symbol_search", query="LAST") == ["values.c:7"]
    assert places(index, "symbol_search", query="checks") == ["checks.c:1"]
    assert places(index, "symbol_search", query="one") == ["block.c:1"]
    assert places(index, "search_text", query="EXIT") == ["values.c:6"]
