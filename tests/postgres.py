"""A PostgreSQL server for tests: the one of this machine's packages, on a socket in a temporary folder of its own."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import NoReturn

import psycopg
import pytest
from psycopg.conninfo import conninfo_to_dict

_FOLDERS = ("/usr/lib/postgresql", "/usr/pgsql", "/opt/homebrew/opt", "/usr/local/opt")
"""Where the packages of systems put the programs of PostgreSQL, each version in a folder of its own."""

_USER = "postgres"
"""Who runs the server where the tests are run by root, which PostgreSQL refuses; Debian's package makes that user."""

_SECONDS = 60
_ATTEMPTS = 1_200
PASSWORD = "correct horse"
"""The password of the role ``guarded``, the only one that needs one."""

_SETTINGS = {
    "fsync": "off",
    "synchronous_commit": "off",
    "full_page_writes": "off",
    "shared_buffers": "16MB",
    "max_connections": "60",
    "listen_addresses": "",
    "timezone": "UTC",
    "lc_messages": "C",
}
_ACCESS = "local all guarded scram-sha-256\nlocal all all trust\n"


def programs() -> Path | None:
    """Return the folder of the programs of PostgreSQL, the newest version of several; None where there are none."""
    if sys.platform == "win32":  # without sockets in the file system
        return None
    found = [
        path.parent for folder in _FOLDERS for path in Path(folder).glob("*/bin/initdb") if "postgresql" in str(path)
    ]
    on_path = shutil.which("initdb")
    if found:
        return max(found, key=lambda path: int("".join(filter(str.isdigit, path.parent.name)) or 0))
    return Path(on_path).resolve().parent if on_path else None


def skip_without_server() -> NoReturn:
    """Skip the test where this machine has no PostgreSQL; fail where it was to be there."""
    if os.environ.get("LEADLINE_POSTGRES") == "required":
        pytest.fail("PostgreSQL is missing: scripts/database-environment gets it")
    pytest.skip("PostgreSQL is missing: scripts/database-environment gets it")


class PostgresServer:
    """A cluster that is stopped, started and killed by tests. ``url`` gives the address of a database of it."""

    def __init__(self, programs: Path) -> None:
        self._programs = programs
        self._folder = Path(
            tempfile.mkdtemp(prefix="leadline-pg-")
        )  # short: the path of a socket has 107 bytes at most
        self._process: subprocess.Popen[bytes] | None = None
        self._numbers = count(1)
        if os.getuid() == 0:
            shutil.chown(self._folder, _USER)
        options = ("-U", "postgres", "--auth=trust", "--no-sync", "-E", "UTF8", "--locale=C")
        if self._spawn("initdb", "-D", str(self._data), *options).wait(_SECONDS):
            self._fail("initdb failed")
        with (self._data / "postgresql.conf").open("a", encoding="utf-8") as settings:
            settings.writelines(f"{name} = '{value}'\n" for name, value in _SETTINGS.items())
            settings.write(f"unix_socket_directories = '{self._folder}'\n")
        (self._data / "pg_hba.conf").write_text(_ACCESS, encoding="utf-8")
        self.start()
        with self.session("postgres") as session:
            session.execute(f"create role guarded login superuser password '{PASSWORD}'".encode())

    @property
    def _data(self) -> Path:
        return self._folder / "data"

    @property
    def _log(self) -> Path:
        return self._folder / "log"

    def url(self, name: str = "postgres", user: str = "postgres") -> str:
        """Return the address of a database; ``user`` may have a password after a colon."""
        return f"postgresql://{user}@/{name}?host={self._folder}"

    def start(self) -> None:
        """Start the server, and wait until it answers."""
        self._process = self._spawn("postgres", "-D", str(self._data))
        for _ in range(_ATTEMPTS):
            try:
                psycopg.connect(self.url()).close()
            except psycopg.OperationalError:
                self._pause(self._process)
            else:
                return
        self._fail("PostgreSQL does not answer")

    def stop(self) -> None:
        """Stop the server at once, as an operator does; its clients lose their connections."""
        self._end(signal.SIGINT)

    def kill(self) -> None:
        """End the server as a crash does."""
        self._end(signal.SIGQUIT)

    def fresh(self) -> str:
        """Create an empty database, and return its address."""
        name = f"test_{next(self._numbers)}"
        with self.session("postgres") as session:
            session.execute(f"create database {name}".encode())
        return self.url(name)

    def drop(self, url: str) -> None:
        """Drop a database, whoever uses it."""
        name = conninfo_to_dict(url)["dbname"]
        with self.session("postgres") as session:
            session.execute(f"drop database if exists {name} with (force)".encode())

    @contextlib.contextmanager
    def owned(self) -> Iterator[str]:
        """The address of an empty database as its owner, who is no administrator: row security counts for them."""
        url = self.fresh()
        name = str(conninfo_to_dict(url)["dbname"])
        owner = f"owner_of_{name}"
        with self.session("postgres") as session:
            session.execute(f"create role {owner} login".encode())
            session.execute(f"alter database {name} owner to {owner}".encode())
        yield self.url(name, owner)
        self.drop(url)
        with self.session("postgres") as session:
            session.execute(f"drop role {owner}".encode())

    @contextlib.contextmanager
    def session(self, name: str) -> Iterator[psycopg.Connection[tuple[object, ...]]]:
        """Open a connection for the test itself."""
        with psycopg.connect(self.url(name), autocommit=True) as connection:
            yield connection

    def close(self) -> None:
        """Stop the server, and delete its files."""
        self._end(signal.SIGQUIT)
        shutil.rmtree(self._folder, ignore_errors=True)

    def _end(self, number: signal.Signals) -> None:
        if self._process is not None:
            self._process.send_signal(number)
            self._process.wait(_SECONDS)
            self._process = None

    def _pause(self, process: subprocess.Popen[bytes]) -> None:
        """Give the server a moment, and notice its death."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._fail(f"PostgreSQL ended with {process.wait(0.05)}")

    def _spawn(self, program: str, *arguments: str) -> subprocess.Popen[bytes]:
        with self._log.open("ab") as log:
            return subprocess.Popen(
                [str(self._programs / program), *arguments],
                cwd="/",
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                user=_USER if os.getuid() == 0 else None,
                group=_USER if os.getuid() == 0 else None,
                extra_groups=[] if os.getuid() == 0 else None,
            )

    def _fail(self, what: str) -> NoReturn:
        pytest.fail(f"{what}: {self._log.read_text(errors='replace')[-2_000:]}")
