"""The first moments of a server: what one file holds is told at once, the rest when the tree was looked at."""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from conftest import INDEXING_SECONDS, Asking, Open, columns, write
from leadline_server.call import Request, Session
from leadline_server.config import Config
from leadline_tools.index.files.file import File
from leadline_tools.index.files.file_table import FileTable
from leadline_tools.index.index import Index
from leadline_tools.index.indexing import first_scan, indexer, texts
from leadline_tools.index.indexing.writer import Writer
from leadline_tools.index.store import postings
from leadline_tools.index.store.rows import RowsBusyError
from leadline_tools.index.tree.disk import disk_tree
from leadline_tools.index.tree.disk.walk import PathScan, walk
from leadline_tools.index.tree.walked_files import Walked
from leadline_tools.index.workspace import Workspace
from leadline_tools.navigation import search_text
from leadline_tools.search_text import candidates

SHOP = {"shop/cart.py": "class Cart:\n    def add(self):\n        pass\n", "README.md": "# Shop\n"}


class Looking:
    """Looks at each file of a tree that begin when they are let, once its paths are known."""

    def __init__(self) -> None:
        self.begun, self.let = threading.Event(), threading.Event()

    def scan(self, root: Path, exclude: tuple[str, ...] = ()) -> PathScan:
        scan = PathScan(root, exclude)
        with_files = scan.with_files

        def held() -> Walked:
            self.begun.set()
            assert self.let.wait(INDEXING_SECONDS)
            return with_files()

        scan.with_files = held  # type: ignore[method-assign]
        return scan


@pytest.fixture
def looking(monkeypatch: pytest.MonkeyPatch) -> Iterator[Looking]:
    held = Looking()
    monkeypatch.setattr(disk_tree, "PathScan", held.scan)
    yield held
    held.let.set()


@pytest.fixture
def begun(tmp_path: Path, looking: Looking, sessions: list[Session]) -> Asking:
    """A session on a tree that is not looked at yet."""
    return _begun(tmp_path, Index(write(tmp_path, SHOP), None, processes=1), looking, sessions)


def _begun(root: Path, index: Index, looking: Looking, sessions: list[Session], cache: Path | None = None) -> Asking:
    sessions.append(Session(Config(root, cache, "openai"), index))
    index.start_in_background()
    assert looking.begun.wait(INDEXING_SECONDS)
    return Asking(sessions[-1])


def test_what_one_file_holds_is_told_while_the_tree_is_looked_at(begun: Asking, looking: Looking) -> None:
    assert "1: class Cart:" in begun("read_file", path="shop/cart.py")
    # The first worker of a busy machine may come too late for the first call.
    outlines = (begun.response("document_symbols", path="shop/cart.py") for _ in range(12))
    assert "add" in next(outline.text for outline in outlines if not outline.is_error)
    assert not looking.let.is_set()


def test_what_is_asked_of_the_tree_waits_until_it_was_looked_at(begun: Asking, looking: Looking) -> None:
    with ThreadPoolExecutor(1) as others:
        counted = others.submit(lambda: begun("count_files"))
        assert "Cart" in begun("read_file", path="shop/cart.py")
        assert not counted.done()
        looking.let.set()
        assert "total: 2 files," in counted.result(INDEXING_SECONDS)
    assert begun.session.index.wait(INDEXING_SECONDS)
    assert "Cart" in begun("symbol_search", query="Cart")


def test_which_files_there_are_is_told_before_each_was_looked_at(begun: Asking, looking: Looking) -> None:
    assert "2 files, complete" in begun("list_files", recursive=True)
    top = begun("list_files")
    assert "shop/ 1" in top
    assert 'next: read_file(path="README.md")' in top
    assert "cart.py" in begun("list_files", path="shop")
    assert "no file or folder" in begun.error("list_files", path="shopp")
    told = told_as_json(begun)
    assert [(item["path"], item["bytes"]) for item in told] == [("README.md", 7), ("shop/cart.py", 44)]
    assert not looking.let.is_set()
    looking.let.set()
    assert begun.session.index.wait(INDEXING_SECONDS)
    assert [item["tokens"] for item in told_as_json(begun)] == [item["tokens"] for item in told]


@pytest.mark.parametrize("word", [False, True])
@pytest.mark.parametrize("query", ["class Cart", "def add(self)"])
def test_text_is_found_before_each_file_was_looked_at(begun: Asking, looking: Looking, query: str, word: bool) -> None:
    assert "1 line, complete" in begun("search_text", query=query, word=word)
    assert not looking.let.is_set()
    looking.let.set()
    assert begun.session.index.wait(INDEXING_SECONDS)
    assert "1 line, complete" in begun("search_text", query=query, word=word)


def test_where_there_is_no_time_for_all_files_those_are_searched_first_that_are_called_alike(
    tmp_path: Path, looking: Looking, sessions: list[Session], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(search_text, "MOST_MATCHES", 0)  # no file is looked into once there is one
    monkeypatch.setattr(candidates, "_FEW", 0)
    paths = ["app/views.py", "shop/cart_total.py", "shop/stock.py"]
    uses = dict.fromkeys(paths, "total = cart_total()\n")
    begun = _begun(tmp_path, Index(write(tmp_path / "root", uses), None, processes=1), looking, sessions)
    assert "shop/cart_total.py\n" in begun("search_text", query="cart_total(")


def test_what_was_found_before_each_file_was_looked_at_is_not_told_again(
    begun: Asking, looking: Looking, tmp_path: Path
) -> None:
    question = Request("search_text", {"query": "Cart"}, store=True)
    assert "class Cart" in begun.session.call(question).text
    write(tmp_path, {"shop/cart.py": "class Basket:\n    pass\n"})
    assert "no lines" in begun.session.call(question).text
    assert not looking.let.is_set()


def test_the_roots_that_are_known_are_true_while_another_is_looked_at(
    tmp_path: Path, looking: Looking, sessions: list[Session]
) -> None:
    one, two = (write(tmp_path / name, SHOP) for name in ("one", "two"))
    before = Index(one, tmp_path / "cache", 1, name="one")
    before.start()
    assert before.wait(INDEXING_SECONDS)
    before.close()
    known = Index(one, tmp_path / "cache", 1, name="one")
    ask = _begun(tmp_path, Workspace([known, Index(two, None, 1, name="two")]), looking, sessions)
    assert known.scan.is_done(INDEXING_SECONDS)
    write(one, {"shop/late.py": "late_comer = 1\n"})
    assert "one/shop/late.py" in ask("search_text", query="late_comer", word=True)
    assert not looking.let.is_set()


def test_files_with_the_words_are_searched_before_those_whose_words_are_not_indexed(
    tmp_path: Path, opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(search_text, "MOST_MATCHES", 0)
    for module in (indexer, texts):
        monkeypatch.setattr(module, "LARGEST_TEXT", 200)
    uses = {"a/cart_total.py": "total = cart_total()\n" * 20, "b/stock.py": "total = cart_total()\n"}
    ask = opened(write(tmp_path, uses))
    assert ask.session.index.wait(INDEXING_SECONDS)
    for word in (False, True):
        assert "b/stock.py\n" in ask("search_text", query="cart_total", word=word)


def test_a_question_is_asked_again_where_the_index_is_made_anew_in_the_midst_of_it(
    tmp_path: Path, opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    ask, holding = opened(write(tmp_path, SHOP)), postings.holding_each
    renewals = [ask.session.index.renew]

    def held(*arguments: Any, **options: Any) -> Sequence[int]:
        while renewals:
            renewals.pop()()
        return holding(*arguments, **options)

    monkeypatch.setattr(postings, "holding_each", held)
    assert "1 line, complete" in ask("search_text", query="Cart", word=True)
    assert not renewals


def test_of_a_tree_that_is_known_from_before_a_list_waits_for_what_has_changed(
    tmp_path: Path, sessions: list[Session], monkeypatch: pytest.MonkeyPatch
) -> None:
    root, cache = write(tmp_path / "root", SHOP), tmp_path / "cache"
    before = Index(root, cache, processes=1)
    before.start()
    assert before.wait(INDEXING_SECONDS)
    before.close()
    write(root, {"late.py": "late = 1\n"})
    let = threading.Event()

    def held(there: Path, exclude: tuple[str, ...]) -> Walked:
        assert let.wait(INDEXING_SECONDS)
        return walk(there, exclude)

    monkeypatch.setattr(disk_tree, "walk", held)
    opened = Index(root, cache, processes=1)
    sessions.append(Session(Config(root, cache, "openai"), opened))
    opened.start_in_background()
    with ThreadPoolExecutor(1) as others:
        listed = others.submit(lambda: Asking(sessions[-1])("list_files", recursive=True))
        assert "Cart" in Asking(sessions[-1])("read_file", path="shop/cart.py")
        assert not listed.done()
        let.set()
        assert "3 files, complete" in listed.result(INDEXING_SECONDS)


def told_as_json(begun: Asking) -> Sequence[Mapping[str, Any]]:
    response = begun.session.call(Request("list_files", {"recursive": True}, as_json=True))
    items: Sequence[Mapping[str, Any]] = json.loads(response.text)["items"]
    return items


def test_of_many_files_a_list_is_counted_and_kept_before_each_was_looked_at(
    tmp_path: Path, looking: Looking, sessions: list[Session]
) -> None:
    root = write(tmp_path / "root", {f"pkg/{number:04}.py": "x = 1\n" * (number % 7) for number in range(2_500)})
    cache = tmp_path / "cache"
    begun = _begun(root, Index(root, cache, processes=1), looking, sessions, cache)
    response = begun.response("list_files", recursive=True)
    assert ".py 2,500" in response.text
    assert not looking.let.is_set()
    page = begun("read_result", uri=response.uri, offset=2_490)
    assert "2499.py" in page
    looking.let.set()
    assert begun.session.index.scan.is_done(INDEXING_SECONDS)
    begun.session.close()
    sessions.append(Session(Config(root, cache, "openai"), Index(root, cache, processes=1)))
    assert Asking(sessions[-1])("read_result", uri=response.uri, offset=2_490) == page


def test_what_nobody_has_looked_at_when_the_server_ends_is_not_kept(
    tmp_path: Path, looking: Looking, sessions: list[Session]
) -> None:
    cache, root = tmp_path / "cache", tmp_path / "root"
    write(root, {f"pkg/{number:04}.py": "" for number in range(2_500)})
    begun = _begun(root, Index(root, cache, processes=1), looking, sessions, cache)
    response = begun.response("list_files", recursive=True)
    begun.session.close()
    looking.let.set()
    sessions.append(Session(Config(root, cache, "openai"), Index(root, cache, processes=1)))
    assert "does not exist" in Asking(sessions[-1]).error("read_result", uri=response.uri)


def test_a_tree_that_changes_after_its_paths_were_scanned_is_walked(
    tmp_path: Path, looking: Looking, monkeypatch: pytest.MonkeyPatch, sessions: list[Session]
) -> None:
    root = write(tmp_path, SHOP)

    def changed(there: Path, exclude: tuple[str, ...]) -> PathScan:
        scan = looking.scan(there, exclude)
        write(root, {"late.py": "late = 1\n"})
        return scan

    monkeypatch.setattr(disk_tree, "PathScan", changed)
    opened = Index(root, None, processes=1)
    sessions.append(Session(Config(root, None, "openai"), opened))
    opened.start_in_background()
    assert "total: 3 files" in Asking(sessions[-1])("count_files")
    assert not looking.begun.is_set()


def test_the_path_that_was_meant_is_told_once_the_tree_was_looked_at(begun: Asking, looking: Looking) -> None:
    with ThreadPoolExecutor(1) as others:
        told = others.submit(lambda: begun.error("read_file", path="cart.py"))
        looking.let.set()
        assert "shop/cart.py" in told.result(INDEXING_SECONDS)


def test_a_call_says_when_to_come_back_where_the_look_takes_long(
    begun: Asking, looking: Looking, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(first_scan, "LOOK_SECONDS", 0.05)
    told = begun.error("count_files")
    assert "The first scan of the tree is not finished after 0.05 s" in told
    assert "Call it again in a few seconds" in told
    assert "no file" in begun.error("read_file", path="nowhere.py")
    assert "2 calls" in begun("budget")
    looking.let.set()
    monkeypatch.undo()
    assert "README.md" in begun("list_files")


def test_what_was_looked_at_in_vain_is_looked_at_by_the_next_call(
    tmp_path: Path, sessions: list[Session], monkeypatch: pytest.MonkeyPatch
) -> None:
    def troubled(_: PathScan) -> Walked:
        raise RowsBusyError("somebody else writes")

    monkeypatch.setattr(PathScan, "with_files", troubled)
    opened = Index(write(tmp_path, SHOP), None, processes=1)
    sessions.append(Session(Config(tmp_path, None, "openai"), opened))
    opened.start_in_background()
    assert "total: 2 files," in Asking(sessions[-1])("count_files")
    assert opened.wait(INDEXING_SECONDS)


def test_the_end_does_not_wait_for_a_walk_that_takes_long(begun: Asking, looking: Looking) -> None:
    starting = [thread for thread in threading.enumerate() if thread.name == "leadline-start"]
    before = set(threading.enumerate())
    begun.session.close()
    looking.let.set()
    for thread in starting:
        thread.join(INDEXING_SECONDS)
    assert not any(thread.name == "leadline-indexer" for thread in set(threading.enumerate()) - before)


def test_the_end_waits_for_no_writer_that_is_about_to_look(
    tmp_path: Path, opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    ask, close = opened(write(tmp_path, SHOP)), Writer.close

    def looking(self: Writer) -> None:
        look = threading.Thread(target=self._look, daemon=True)
        look.start()
        look.join(INDEXING_SECONDS)
        assert not look.is_alive()
        close(self)

    monkeypatch.setattr(Writer, "close", looking)
    ask.session.index.close()


def test_several_roots_begin_in_the_background_too(tmp_path: Path, looking: Looking, sessions: list[Session]) -> None:
    roots = Workspace([Index(write(tmp_path / name, SHOP), None, 1, name=name) for name in ("one", "two")])
    ask = _begun(tmp_path, roots, looking, sessions)
    assert "class Cart" in ask("read_file", path="two/shop/cart.py")
    assert "2 lines in 2 files, complete" in ask("search_text", query="class Cart", word=True)
    assert not looking.let.is_set()
    looking.let.set()
    assert "one/shop/\ncart.py" in ask("list_files", path="one", recursive=True)


class _Met(dict[str, bytes]):
    """Files of which one comes while the others are looked through."""

    def __init__(self, known: dict[str, bytes], comes: Callable[[], None]) -> None:
        super().__init__(known)
        self._comes = comes

    def __iter__(self) -> Iterator[str]:
        seen = list(super().keys())
        self._comes()
        return iter(seen)


def test_a_file_that_comes_while_the_others_are_sorted_is_not_lost() -> None:
    files = FileTable()
    files.fill(columns([_file("a.py"), _file("c.py")]))
    files._rows = _Met(files._rows, lambda: files.put(_file("b.py")))  # no other thread can be held just there
    assert "c.py" in files.paths()
    files._rows = dict(files._rows.items())
    assert list(files.paths()) == ["a.py", "b.py", "c.py"]


def _file(path: str) -> File:
    return File(0, path, 1, 1, 0, b"", 0, "")


def test_a_closed_index_looks_at_its_tree_no_more(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(indexer, "_MANY", 0)
    monkeypatch.setattr(indexer, "_HEAD_START", 100 * INDEXING_SECONDS)
    before = set(threading.enumerate())
    opened = Index(write(tmp_path, SHOP), None, processes=1)
    opened.start()
    due = [thread for thread in set(threading.enumerate()) - before if isinstance(thread, threading.Timer)]
    opened.close()
    for thread in due:
        thread.join(INDEXING_SECONDS)
    assert len(due) == 2
    assert not any(thread.is_alive() for thread in due)


def test_a_file_that_was_replaced_between_two_servers_with_its_size_and_time_is_read_again(
    tmp_path: Path, opened: Open
) -> None:
    root = write(tmp_path / "tree", {"a.py": "def aaa(): ...\naaa()\n", "b.py": "x = 1\n"})
    ask = opened(root, cache=tmp_path / "cache")
    assert "2 references" in ask("find_references", symbol="aaa")
    ask.session.close()
    before = (root / "a.py").stat()
    (tmp_path / "new").write_text("def bbb(): ...\nbbb()\n")
    os.utime(tmp_path / "new", ns=(before.st_atime_ns, before.st_mtime_ns))
    (tmp_path / "new").replace(root / "a.py")
    ask = opened(root, cache=tmp_path / "cache")
    assert "2 references" in ask("find_references", symbol="bbb")
    assert "There is no symbol 'aaa'" in ask.error("find_references", symbol="aaa")
