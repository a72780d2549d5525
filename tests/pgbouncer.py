"""PgBouncer between a test and its PostgreSQL server: the one of this machine's packages, on a socket of its own."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import psycopg
import pytest

_USER = "postgres"
"""Who runs it where the tests are run by root, which PgBouncer refuses."""

_PROGRAMS = "/usr/sbin:/usr/bin:/opt/homebrew/bin:/usr/local/bin"
_ATTEMPTS = 400
_SECONDS = 60


def skip_without_pooler() -> None:
    """Skip the test where this machine has no PgBouncer; fail where it was to be there."""
    if shutil.which("pgbouncer", path=_PROGRAMS) is None:
        if os.environ.get("LEADLINE_POSTGRES") == "required":
            pytest.fail("PgBouncer is missing: scripts/database-environment gets it")
        pytest.skip("PgBouncer is missing: scripts/database-environment gets it")


class Pooler:
    """A PgBouncer that runs; ``url`` is the address of the database through it."""

    def __init__(self, database: str, mode: str, size: int) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="leadline-pb-"))  # short: see PostgresServer
        parts = urlsplit(database)
        self.url = database.replace(parse_qs(parts.query)["host"][0], str(self.folder))
        self._where = f"host={parse_qs(parts.query)['host'][0]}"
        self._size = size
        (self.folder / "users").write_text('"postgres" ""\n')
        self._write(mode)
        if os.getuid() == 0:
            for path in (self.folder, *self.folder.iterdir()):
                shutil.chown(path, _USER)
        self._process = subprocess.Popen(
            [str(shutil.which("pgbouncer", path=_PROGRAMS)), str(self.folder / "ini")],
            cwd="/",
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            user=_USER if os.getuid() == 0 else None,
            group=_USER if os.getuid() == 0 else None,
            extra_groups=[] if os.getuid() == 0 else None,
        )
        self._wait()

    def change(self, mode: str) -> None:
        """Pool otherwise from now on, for the clients that are there, too."""
        self._write(mode)
        with psycopg.connect(self._admin, autocommit=True) as admin:
            admin.execute("reload")

    def close(self) -> None:
        """Stop it, and delete its files."""
        self._process.kill()
        self._process.wait(_SECONDS)
        shutil.rmtree(self.folder, ignore_errors=True)

    @property
    def _admin(self) -> str:
        return f"postgresql://postgres@/pgbouncer?host={self.folder}"

    def _write(self, mode: str) -> None:
        (self.folder / "ini").write_text(
            f"[databases]\n* = {self._where}\n[pgbouncer]\nunix_socket_dir = {self.folder}\nlisten_addr =\n"
            f"listen_port = 5432\nauth_type = trust\nauth_file = {self.folder}/users\nadmin_users = postgres\n"
            f"pool_mode = {mode}\ndefault_pool_size = {self._size}\nlogfile = {self.folder}/log\n"
        )

    def _wait(self) -> None:
        for _ in range(_ATTEMPTS):
            with suppress(psycopg.OperationalError):
                psycopg.connect(self._admin, autocommit=True).close()
                return
            with suppress(subprocess.TimeoutExpired):
                pytest.fail(f"PgBouncer ended with {self._process.wait(0.05)}")
        pytest.fail("PgBouncer does not answer")


@contextmanager
def pooler(database: str, mode: str, size: int = 40) -> Iterator[Pooler]:
    """Run a PgBouncer before the database of an address: it has so many sessions, and lends them as the mode says."""
    skip_without_pooler()
    running = Pooler(database, mode, size)
    try:
        yield running
    finally:
        running.close()
