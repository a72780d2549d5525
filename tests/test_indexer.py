"""``leadline indexer``: refs of repositories come into the database, and servers answer from there."""

from __future__ import annotations

import hashlib
import hmac
import http.client
import json
import os
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import serving
from conftest import write
from leadline_server.call import Request, Session
from leadline_server.cli import main
from leadline_server.config import Config
from leadline_server.errors import CodeHostFailed
from leadline_server.repositories.index_queue import IndexQueue
from leadline_server.repositories.indexing import SourceRef, hosted_index, repository_indexer
from leadline_server.repositories.indexing_service import IndexingService
from leadline_server.repositories.sources import GitHubSource, HostSource, RepositorySource, Sources
from leadline_tools.database.address import DatabaseAddress
from leadline_tools.index.hosted.hosted_workspace import NothingHosted
from leadline_tools.index.text.secret_files import SecretPolicy
from repositories import git

SHOP = "example.org/acme/shop"


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    """A repository with a branch and a tag."""
    folder = write(tmp_path / "shop", {"src/cart.py": "class Cart:\n    pass\n", "README.md": "# Shop\n"})
    git(folder, "init", "--quiet", "-b", "main")
    git(folder, "add", ".")
    git(folder, "commit", "--quiet", "-m", "first")
    git(folder, "tag", "v1")
    write(folder, {"src/sale.py": "from cart import Cart\n\nsold = Cart()\n"})
    git(folder, "add", ".")
    git(folder, "commit", "--quiet", "-m", "second")
    write(folder, {"src/cart.py": "class Changed: ...\n"})  # not committed
    return folder


def index(address: DatabaseAddress, cache: Path, *sources: str) -> Result:
    options = [option for source in sources for option in ("--source", source)]
    arguments = ["indexer", "--once", "--database", address.url, "--cache-dir", str(cache), *options]
    return CliRunner().invoke(main, arguments)


def ask(address: DatabaseAddress, tool: str, **arguments: object) -> str:
    session = Session(Config(Path("/"), None, "openai"), hosted_index(address, SecretPolicy(), ()))
    try:
        return session.call(Request(tool, arguments)).text
    finally:
        session.close()


def test_refs_of_a_local_repository_are_served_side_by_side(
    address: DatabaseAddress, shop: Path, tmp_path: Path
) -> None:
    done = index(address, tmp_path / "cache", f"{SHOP}={shop}@main", f"{SHOP}={shop}@v1")
    assert done.exit_code == 0, done.output
    assert f"{SHOP} main at {git(shop, 'rev-parse', 'main')[:8]}: 3 files, 3 parsed" in done.output
    assert f"{SHOP} v1 at {git(shop, 'rev-parse', 'v1')[:8]}: 2 files, 0 parsed" in done.output
    found = ask(address, "find_references", symbol=f"{SHOP}/src/cart.py:Cart")
    assert f"{SHOP}/src/sale.py" in found
    assert f"{SHOP}@v1/src/cart.py" in ask(address, "symbol_search", query="Cart")
    assert "Changed" not in ask(address, "read_file", path=f"{SHOP}/src/cart.py")
    again = index(address, tmp_path / "cache", f"{SHOP}={shop}@main")
    assert "is indexed already" in again.output


def test_a_repository_elsewhere_is_fetched_into_a_mirror(address: DatabaseAddress, shop: Path, tmp_path: Path) -> None:
    done = index(address, tmp_path / "cache", f"{SHOP}={shop.as_uri()}@main")
    assert done.exit_code == 0, done.output
    assert "3 files, 3 parsed" in done.output
    assert "class Cart" in ask(address, "read_file", path=f"{SHOP}/src/cart.py")
    git(shop, "commit", "--quiet", "--all", "-m", "third")
    assert "3 files, 1 parsed" in index(address, tmp_path / "cache", f"{SHOP}={shop.as_uri()}@main").output
    assert "class Changed" in ask(address, "read_file", path=f"{SHOP}/src/cart.py")


@pytest.mark.parametrize(
    ("source", "problem"),
    [
        ("shop", "write NAME=PATH_OR_URL"),
        ("=x", "write NAME=PATH_OR_URL"),
        ("a=ext::sh -c date", "cannot be used"),
        ("a=https://user:word@example.org/x", "a password in an address"),
    ],
)
def test_a_source_that_is_none_is_refused_before_git_sees_it(
    address: DatabaseAddress, tmp_path: Path, source: str, problem: str
) -> None:
    done = index(address, tmp_path, source)
    assert done.exit_code != 0
    assert problem in f"{done.output}{done.exception}"


def test_a_ref_that_there_is_not_is_an_error_that_names_similar_ones(
    address: DatabaseAddress, shop: Path, tmp_path: Path
) -> None:
    done = index(address, tmp_path, f"{SHOP}={shop}@mian")
    assert done.exit_code != 0
    assert "mian" in f"{done.output}{done.exception}"


def test_a_database_without_repositories_says_what_to_run(address: DatabaseAddress) -> None:
    with pytest.raises(NothingHosted) as error:
        hosted_index(address, SecretPolicy(), ())
    assert "Run leadline indexer" in error.value.hint


@pytest.mark.parametrize(
    ("written", "place", "ref"),
    [
        ("a/b=https://example.org/x@v1", "https://example.org/x", "v1"),
        ("a/b=https://example.org/x", "https://example.org/x", ""),
        ("a/b=git@example.org:acme/shop.git", "git@example.org:acme/shop.git", ""),
        ("a/b=git@example.org:acme/shop.git@next", "git@example.org:acme/shop.git", "next"),
        ("a/b=./shop@feature/x", "./shop", "feature/x"),
    ],
)
def test_a_source_is_a_name_a_place_and_a_ref(written: str, place: str, ref: str) -> None:
    assert SourceRef.parse(written) == SourceRef("a/b", place, ref)


# The file of sources


def sources_file(folder: Path, *urls: str) -> Path:
    file = folder / "sources.toml"
    file.write_text("".join(f'[[repository]]\nurl = "{url}"\nname = "{SHOP}{n or ""}"\n' for n, url in enumerate(urls)))
    return file


def test_all_sources_are_indexed_once_and_one_that_fails_costs_the_others_nothing(
    address: DatabaseAddress, shop: Path, tmp_path: Path
) -> None:
    file = sources_file(tmp_path, (tmp_path / "nothing").as_uri(), shop.as_uri())
    arguments = ["indexer", "--once", "--database", address.url, "--cache-dir", str(tmp_path / "cache")]
    done = CliRunner().invoke(main, [*arguments, "--sources", str(file)])
    assert done.exit_code == 1
    assert f"The repository {SHOP} cannot be fetched" in done.output
    assert f"{SHOP}1 main at {git(shop, 'rev-parse', 'main')[:8]}: 3 files, 3 parsed" in done.output


def test_pushes_are_followed_and_repositories_of_code_hosts_are_indexed(
    address: DatabaseAddress, shop: Path, tmp_path: Path
) -> None:
    listed = [RepositorySource(url=shop.as_uri(), name=SHOP)]

    def list_owner(owner: HostSource) -> Iterator[RepositorySource]:
        assert owner.owner == "acme"
        if not listed:
            raise CodeHostFailed(owner.api, "it cannot be reached")
        yield listed.pop()

    queue = IndexQueue(address)
    queue.prepare()
    with repository_indexer(address, tmp_path / "mirrors", SecretPolicy(), ()) as indexing:
        service = IndexingService(Sources(github=[GitHubSource(owner="acme")]), indexing, list_owner)
        commits: list[str] = []

        def index_repository(name: str) -> None:
            commits.extend(one.commit for one in service.index(name))

        queue.work(index_repository, service.repositories, forever=False)
        git(shop, "commit", "--quiet", "--all", "-m", "third")
        queue.work(index_repository, service.repositories, forever=False)  # the host fails: what it listed stays
    assert commits == [git(shop, "rev-parse", "main~1"), git(shop, "rev-parse", "main")]
    with closing(hosted_index(address, SecretPolicy(), ())) as hosted:
        followed, seconds = hosted.looks()
    assert followed == 1
    assert 0 <= seconds < 60


def test_a_webhook_of_a_hosted_repository_is_queued(
    address: DatabaseAddress, shop: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    secret = "a-secret-of-a-webhook"
    monkeypatch.setenv("LEADLINE_TEST_SECRET", secret)
    assert index(address, tmp_path / "cache", f"{SHOP}={shop}@main").exit_code == 0
    file = tmp_path / "sources.toml"
    file.write_text('[webhooks]\ngithub_secret_variable = "LEADLINE_TEST_SECRET"\n')
    IndexQueue(address).prepare()
    port = serving.free_port()
    command = [sys.executable, "-m", "leadline_server", "serve", "--hosted", "--http", f"127.0.0.1:{port}"]
    options = ["--sources", str(file), "--cache-dir", str(tmp_path / "served")]
    statuses: list[int] = []
    with serving.process([*command, *options], port, {**os.environ, "LEADLINE_DATABASE": address.url}):
        for name, key in ((SHOP, secret), (SHOP, "another"), ("example.org/acme/none", secret)):
            body = json.dumps({"repository": {"html_url": f"https://{name}"}, "ref": "refs/heads/main"}).encode()
            proof = f"sha256={hmac.new(key.encode(), body, hashlib.sha256).hexdigest()}"
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
            headers = {"X-GitHub-Event": "push", "X-Hub-Signature-256": proof}
            connection.request("POST", "/hooks/github", body, headers)
            statuses.append(connection.getresponse().status)
            connection.close()
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        connection.request("GET", "/metrics")
        metrics = connection.getresponse().read().decode()
        connection.close()
    for line in ('leadline_queue_jobs{status="waiting"} 1.0', "leadline_indexers 0.0", "leadline_repositories 0.0"):
        assert f"\n{line}\n" in metrics
    assert statuses == [202, 401, 404]
    done: list[str] = []
    IndexQueue(address).work(done.append, lambda: (), forever=False)
    assert done == [SHOP]
