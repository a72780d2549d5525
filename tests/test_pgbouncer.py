"""PgBouncer before the database: sessions of its own serve, transactions of others' sessions are refused."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import anyio
import pytest
from click.testing import CliRunner

import serving
from leadline_server.cli import main
from leadline_server.repositories.index_queue import IndexQueue
from leadline_tools.database import pool as pool_module
from leadline_tools.database.address import DatabaseAddress
from leadline_tools.database.errors import TransactionPooling
from leadline_tools.database.pool import DatabasePool, connected
from leadline_tools.database.session_settings import STATEMENT_SECONDS
from pgbouncer import pooler
from repositories import commit
from test_gate import connected as client_of
from test_gate import text_of

SHOP = "example.org/acme/shop"


async def found(port: int, name: str) -> str:
    async with client_of(port) as client:
        return text_of(await client.call_tool("symbol_search", {"query": name}))


def test_everything_works_with_sessions_of_its_own(database: str, tmp_path: Path) -> None:
    commit(tmp_path / "shop", {"cart.py": "class Cart:\n    pass\n"})
    source = f"{SHOP}={tmp_path / 'shop'}"
    with pooler(database, "session") as pgbouncer:
        options = ["--database", pgbouncer.url]
        for command in (
            ["database", "migrate", *options],
            ["indexer", "--once", *options, "--source", source, "--cache-dir", str(tmp_path / "indexer")],
            ["database", "check", *options],
        ):
            done = CliRunner().invoke(main, command, catch_exceptions=False)
            assert done.exit_code == 0, done.output
        port = serving.free_port()
        serve = ["serve", "--hosted", "--http", f"127.0.0.1:{port}", *options, "--cache-dir", str(tmp_path / "server")]
        with serving.process([sys.executable, "-m", "leadline_server", *serve], port, dict(os.environ)):
            answer = anyio.run(found, port, "Cart")
        queue = IndexQueue(DatabaseAddress.parse(pgbouncer.url))
        indexed: list[str] = []
        queue.prepare()
        queue.request([SHOP])
        queue.work(indexed.append, lambda: (), forever=False)
    assert f"{SHOP}/cart.py" in answer
    assert indexed == [SHOP]


@pytest.mark.parametrize("mode", ["transaction", "statement"])
def test_no_command_uses_sessions_of_others(database: str, tmp_path: Path, mode: str) -> None:
    with pooler(database, mode) as pgbouncer:
        options = ["--database", pgbouncer.url]
        for command in (
            ["database", "migrate", *options],
            ["database", "check", *options],
            ["indexer", "--once", *options, "--source", f"{SHOP}={tmp_path}", "--cache-dir", str(tmp_path)],
            ["serve", "--hosted", "--http", "127.0.0.1:8765", *options, "--cache-dir", str(tmp_path)],
        ):
            done = CliRunner().invoke(main, command)
            assert done.exit_code == 1, done.output
            assert "gives each transaction another session" in done.output
            assert "Set pool_mode = session for this database in PgBouncer" in done.output


def test_a_pooler_without_a_free_session_is_none_that_shares_them(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pool_module, "WAIT_SECONDS", 0.2)
    with (
        pooler(database, "session", size=1) as pgbouncer,
        connected(DatabaseAddress.parse(pgbouncer.url)) as connection,
    ):
        assert connection.execute("select 1").fetchone() == (1,)


def use_two(pool: DatabasePool) -> None:
    """Lend two connections several times: a pooler takes a session back at the end of its next transaction."""
    for _ in range(3):
        with pool.connection(), pool.connection():
            pass


def test_a_server_notices_that_its_pooler_shares_sessions_from_now_on(database: str) -> None:
    with pooler(database, "session") as pgbouncer:
        pool = DatabasePool(DatabaseAddress.parse(pgbouncer.url), most=2)
        try:
            with pool.connection() as one, pool.connection() as other:
                assert one.execute("show statement_timeout").fetchone() == (f"{STATEMENT_SECONDS}s",)
                assert other.execute("show search_path").fetchone() == ("leadline, public",)
            pgbouncer.change("transaction")
            with pytest.raises(TransactionPooling):
                use_two(pool)
        finally:
            pool.close()
