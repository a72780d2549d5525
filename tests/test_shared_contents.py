"""Two trees of one repository: what was found in a content is taken over, and is what a parser would have found."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import apsw
import pytest

from conftest import INDEXING_SECONDS
from leadline_tools.deflated import decompress
from leadline_tools.index.index import Index
from leadline_tools.index.tree.commit.commit_store import commit_tree
from leadline_tools.index.workers.frames import Operation, Reply
from leadline_tools.index.workers.root_workers import RootWorkers
from repositories import commit, git

FIXTURES = Path(__file__).parents[1] / "fixtures"


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """Return a repository with the fixtures of some languages, with tag v1 and one file more on main."""
    folder = tmp_path / "shop"
    folder.mkdir()
    for language in ("python", "typescript", "c", "go"):
        shutil.copytree(FIXTURES / language, folder / language)
    commit(folder, {"script": "#!/usr/bin/env python3\ndef scripted(): pass\n"})
    git(folder, "tag", "v1")
    commit(folder, {"more.py": "def more(): pass\n"})
    return folder


@pytest.fixture
def parsed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The paths whose symbols or facts the workers are asked for."""
    asked: list[str] = []
    submit, submit_last = RootWorkers.submit, RootWorkers.submit_last

    def watched(
        self: RootWorkers, operation: Operation, paths: list[str], deliver: Callable[[str, Reply], None]
    ) -> None:
        asked.extend(paths)
        submit(self, operation, paths, deliver)

    def watched_last(self: RootWorkers, operation: Operation, paths: list[str], *rest: object, **named: object) -> None:
        asked.extend(paths)
        submit_last(self, operation, paths, *rest, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(RootWorkers, "submit", watched)
    monkeypatch.setattr(RootWorkers, "submit_last", watched_last)
    return asked


def build(folder: Path, ref: str, cache: Path) -> Path:
    """Index a commit, or the folder itself without one, with all facts; return the file of the index."""
    index = Index(folder, cache, processes=1, tree=commit_tree(folder, ref) if ref else None)
    try:
        index.start()
        assert index.settle(INDEXING_SECONDS)
        index.facts.build(hurried=True)
        assert index.facts.wait(INDEXING_SECONDS)
        assert index.kept.path is not None
        return index.kept.path
    finally:
        index.close()


def content(path: Path) -> list[list[object]]:
    """Return all that an index says of its files, by their paths."""
    connection = apsw.Connection(str(path))
    connection.execute("create virtual table temp.word using fts5vocab(main, names, instance)")
    connection.execute("create virtual table temp.text_word using fts5vocab(main, words, instance)")
    queries = (
        "select path, size, lines, digest, done, error from file order by path",
        *(
            f"select path, blob from {kind} join file on file = id order by path"
            for kind in ("symbols", "included", "related")
        ),
        *(
            f"select distinct path, term from temp.{table} join file on id = doc order by path, term"
            for table in ("word", "text_word")
        ),
    )
    try:
        return [[tuple(map(unpacked, row)) for row in connection.execute(query)] for query in queries]
    finally:
        connection.close()


def unpacked(value: object) -> object:
    """Return a value as it was before it was compressed, which need not give the same bytes twice."""
    try:
        return decompress(value)
    except ValueError:
        return value


@pytest.mark.parametrize(("first", "second"), [("v1", "main"), ("main", ""), ("", "v1")])
def test_what_is_taken_over_is_what_a_parser_would_have_found(
    repository: Path, tmp_path: Path, parsed: list[str], first: str, second: str
) -> None:
    build(repository, first, tmp_path / "shared")
    assert len(parsed) > 100
    parsed.clear()
    shared = build(repository, second, tmp_path / "shared")
    assert set(parsed) <= {"more.py", "script"}
    assert content(shared) == content(build(repository, second, tmp_path / "alone"))


def test_a_sibling_that_is_damaged_or_of_another_version_is_not_believed(
    repository: Path, tmp_path: Path, parsed: list[str]
) -> None:
    build(repository, "v1", tmp_path / "cache").write_bytes(b"nonsense" * 1000)
    parsed.clear()
    shared = build(repository, "main", tmp_path / "cache")
    assert "more.py" in parsed
    assert content(shared) == content(build(repository, "main", tmp_path / "alone"))


def test_what_other_secrets_allow_is_not_shared(repository: Path, tmp_path: Path, parsed: list[str]) -> None:
    from leadline_tools.index.text.secret_files import SecretPolicy

    build(repository, "v1", tmp_path / "cache")
    parsed.clear()
    index = Index(repository, tmp_path / "cache", processes=1, tree=commit_tree(repository, "v1", SecretPolicy(("*",))))
    index.start()
    assert index.settle(INDEXING_SECONDS)
    index.close()
    assert len(parsed) > 50
