"""Repositories that are not as one expects: what the indexer makes of each, and what a question then gets."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from leadline_server.call import Request, Session
from leadline_server.cli import main
from leadline_server.config import Config
from leadline_server.errors import CodeHostFailed
from leadline_server.repositories.indexing import hosted_index
from leadline_tools.database.address import DatabaseAddress
from leadline_tools.index.hosted.writing import ref_writer
from leadline_tools.index.text.secret_files import SecretPolicy
from repositories import commit, git

GOOD = "example.org/acme/good"
ODD = "example.org/acme/odd"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with one good repository, which is indexed beside each odd one."""
    commit(tmp_path / "good", {"good.py": "def good(): ...\n"})
    return tmp_path


def index(address: DatabaseAddress, folder: Path, *, refs: str = "", name: str = ODD, place: str = "odd") -> Result:
    wanted = f'refs = ["{refs}"]\n' if refs else ""
    file = folder / "sources.toml"
    file.write_text(
        f'[[repository]]\nurl = "{(folder / "good").as_uri()}"\nname = "{GOOD}"\n'
        f'[[repository]]\nurl = "{(folder / place).as_uri()}"\nname = "{name}"\n{wanted}'
    )
    options = ["--database", address.url, "--cache-dir", str(folder / "cache"), "--sources", str(file)]
    return CliRunner().invoke(main, ["indexer", "--once", *options])


def ask(address: DatabaseAddress, tool: str, **arguments: object) -> str:
    session = Session(Config(Path("/"), None, "openai"), hosted_index(address, SecretPolicy(), ()))
    try:
        return session.call(Request(tool, arguments)).text
    finally:
        session.close()


def test_an_empty_repository_has_nothing_and_costs_the_others_nothing(address: DatabaseAddress, folder: Path) -> None:
    (folder / "odd").mkdir()
    git(folder / "odd", "init", "--quiet", "-b", "main")
    done = index(address, folder)
    assert done.exit_code == 0, done.output
    assert f"{ODD}: nothing to index" in done.output
    assert "good.py" in ask(address, "list_files", recursive=True)
    commit(folder / "odd", {"first.py": "def first(): ...\n"})
    assert index(address, folder).exit_code == 0
    assert "first.py" in ask(address, "list_files", recursive=True)


def test_of_a_repository_without_a_default_branch_the_named_refs_are_indexed(
    address: DatabaseAddress, folder: Path
) -> None:
    commit(folder / "odd", {"only.py": "def only(): ...\n"})
    git(folder / "odd", "symbolic-ref", "HEAD", "refs/heads/nothing")
    done = index(address, folder)
    assert done.exit_code == 0, done.output
    assert f"{ODD}: nothing to index" in done.output
    assert index(address, folder, refs="main").exit_code == 0
    assert "only.py" in ask(address, "list_files", recursive=True)


def test_a_rewritten_branch_is_followed_and_nothing_of_its_past_is_found(
    address: DatabaseAddress, folder: Path
) -> None:
    commit(folder / "odd", {"a.py": "def before(): ...\n"})
    commit(folder / "odd", {"b.py": "def more(): ...\n"})
    assert index(address, folder).exit_code == 0
    git(folder / "odd", "reset", "--quiet", "--hard", "HEAD~1")
    (folder / "odd" / "a.py").write_text("def after(): ...\n")
    git(folder / "odd", "commit", "--quiet", "--all", "--amend", "-m", "another")
    assert index(address, folder).exit_code == 0
    found = ask(address, "list_files", recursive=True)
    assert "a.py" in found
    assert "b.py" not in found
    assert "after" in ask(address, "symbol_search", query="after")
    assert "def before" not in ask(address, "search_text", query="before")


def test_a_deleted_repository_is_reported_and_its_last_commit_answers(address: DatabaseAddress, folder: Path) -> None:
    commit(folder / "odd", {"a.py": "def kept(): ...\n"})
    assert index(address, folder).exit_code == 0
    (folder / "odd").rename(folder / "elsewhere")
    done = index(address, folder)
    assert done.exit_code == 1
    assert f"The repository {ODD} cannot be fetched" in done.output
    assert "good.py" in ask(address, "list_files", recursive=True)
    assert f"{ODD}/a.py" in ask(address, "symbol_search", query="kept")


def test_a_renamed_repository_is_parsed_no_second_time(address: DatabaseAddress, folder: Path) -> None:
    commit(folder / "odd", {"a.py": "def kept(): ...\n"})
    assert index(address, folder).exit_code == 0
    done = index(address, folder, name="example.org/acme/renamed")
    assert "example.org/acme/renamed main at" in done.output
    assert "1 files, 0 parsed" in done.output
    assert "example.org/acme/renamed/a.py" in ask(address, "symbol_search", query="kept")


def test_a_large_repository_comes_in_batches_and_continues_after_the_last_one(
    address: DatabaseAddress, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    commit(folder / "odd", {f"part{number}.py": f"def part{number}(): ...\n" for number in range(7)})
    monkeypatch.setattr(ref_writer, "_MOST_FILES", 2)
    add = ref_writer.RefWriter._add
    batches: list[int] = []

    def fail_at_third(*given: Any) -> object:
        batches.append(1)
        if len(batches) == 3:
            raise CodeHostFailed("nothing", "the indexer was ended")
        return add(*given)

    with monkeypatch.context() as patched:
        patched.setattr(ref_writer.RefWriter, "_add", fail_at_third)
        assert index(address, folder).exit_code == 1
    assert "part" not in ask(address, "list_files", recursive=True)
    assert "7 files, 5 parsed" in index(address, folder).output  # the other repository had a batch too
    assert f"{ODD}/part6.py" in ask(address, "symbol_search", query="part6")


def test_links_are_not_followed_and_nothing_that_a_repository_configures_is_run(
    address: DatabaseAddress, folder: Path
) -> None:
    secret, mark = folder / "secret.py", folder / "ran"
    secret.write_text("def outside(): ...\n")
    odd = folder / "odd"
    commit(odd, {"a.py": "def inside(): ...\n", ".gitattributes": "*.py filter=run\n"})
    (odd / "link.py").symlink_to(secret)
    (odd / "folder").symlink_to(folder)
    git(odd, "config", "filter.run.smudge", f"touch {mark}")
    git(odd, "config", "core.fsmonitor", f"touch {mark}")
    git(odd, "config", "uploadpack.packObjectsHook", f"touch {mark}; exec")
    (odd / ".git" / "hooks" / "post-checkout").write_text(f"#!/bin/sh\ntouch {mark}\n")
    (odd / ".git" / "hooks" / "post-checkout").chmod(0o700)
    commit(odd, {"b.py": "def more(): ...\n"})
    mark.unlink(missing_ok=True)
    assert index(address, folder).exit_code == 0
    assert not mark.exists()
    assert "outside" not in ask(address, "search_text", query="outside()").partition("\n")[2]
    assert f"{ODD}/a.py" in ask(address, "symbol_search", query="inside")
    assert "link" in ask(address, "read_file", path=f"{ODD}/link.py").replace("link.py", "")
