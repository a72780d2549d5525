"""What an indexer and a server make of a database that does not do what they need; see also test_replicas."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import psycopg
import pytest
from click.testing import CliRunner, Result

from leadline_server.cli import main
from leadline_tools.database.address import DatabaseAddress
from repositories import commit
from test_indexer import SHOP, ask
from test_replicas import FULL, FULL_FUNCTION


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    commit(tmp_path / "shop", {"cart.py": "class Cart: ...\n"})
    return tmp_path / "shop"


def run(url: str, folder: Path, *command: str) -> Result:
    return CliRunner().invoke(main, [*command, "--database", url, "--cache-dir", str(folder / "cache")])


def index(url: str, shop: Path) -> Result:
    return run(url, shop.parent, "indexer", "--once", "--source", f"{SHOP}={shop}")


def serve(url: str, folder: Path, *options: str) -> Result:
    return run(url, folder, "serve", "--http", "127.0.0.1:8765", *options)


@pytest.fixture
def role(address: DatabaseAddress) -> Iterator[str]:
    """The address of a database for a role that has been granted nothing."""
    with psycopg.connect(address.url, autocommit=True) as connection:
        connection.execute("create role stranger login")
        yield address.url.replace("postgres@", "stranger@")
        connection.execute("drop owned by stranger")
        connection.execute("drop role stranger")


def test_a_server_without_the_right_to_read_the_index_does_not_start(
    role: str, shop: Path, address: DatabaseAddress
) -> None:
    assert index(address.url, shop).exit_code == 0
    for options in (("--hosted",), ("--root", str(shop))):
        refused = serve(role, shop.parent, *options)
        assert refused.exit_code == 1
        assert "does not permit this: permission denied for schema leadline" in refused.output
        assert "leadline database migrate --server-role" in refused.output


@pytest.mark.parametrize("command", [("serve",), ("indexer",)])
def test_a_standby_is_refused(address: DatabaseAddress, shop: Path, command: Sequence[str]) -> None:
    assert index(address.url, shop).exit_code == 0
    with psycopg.connect(address.url, autocommit=True) as connection:
        name = connection.info.dbname
        connection.execute(f"alter database {name} set default_transaction_read_only = on".encode())
    commit(shop, {"sale.py": "class Sale: ...\n"})
    refused = serve(address.url, shop.parent, "--hosted") if command == ("serve",) else index(address.url, shop)
    assert refused.exit_code == 1
    assert "use the address of the primary server" in refused.output


def test_a_full_database_leaves_a_branch_at_its_last_commit(address: DatabaseAddress, shop: Path) -> None:
    assert index(address.url, shop).exit_code == 0
    commit(shop, {"sale.py": "class Sale: ...\n"})
    with psycopg.connect(address.url, autocommit=True) as connection:
        connection.execute(FULL_FUNCTION)
        connection.execute(FULL.format(table="blob").encode())
        refused = index(address.url, shop)
        connection.execute("drop trigger full_blob on leadline.blob")
    assert refused.exit_code == 1
    assert "The database has no room" in refused.output
    assert f"{SHOP}/cart.py" in ask(address, "list_files", recursive=True)
    assert "sale.py" not in ask(address, "list_files", recursive=True)
    assert index(address.url, shop).exit_code == 0
    assert "sale.py" in ask(address, "list_files", recursive=True)


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ("insert into leadline.migration values ('index', 99, 'x', 'y')", "tables for index are newer"),
        ("delete from leadline.migration where area = 'index' and number > 2", "tables for index are older"),
        ("update leadline.migration set digest = 'x' where area = 'index'", "was not made by this program"),
        ("delete from leadline.migration where area = 'index'", "no tables of Leadline for index"),
        ("drop table leadline.migration", "no record of migrations"),
    ],
)
def test_an_index_of_another_version_is_neither_written_nor_served(
    address: DatabaseAddress, shop: Path, change: str, problem: str
) -> None:
    assert index(address.url, shop).exit_code == 0
    with psycopg.connect(address.url, autocommit=True) as connection:
        connection.execute(change.encode())
    for refused in (index(address.url, shop), serve(address.url, shop.parent, "--hosted")):
        assert refused.exit_code == 1
        assert problem in refused.output
