"""The address of a database: a URL of which no message shows the password.

The forms are those of libpq (PostgreSQL manual, 34.1.1.2 "Connection URIs"). libpq reads ``user:pa/ss@host/name`` as
the host ``user`` and the database ``ss@host/name``, so an error of libpq would show half of the password. Addresses in
which an unescaped character makes the end of the password doubtful are therefore refused.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from urllib.parse import unquote

from leadline_tools.database.errors import BadAddress, ExtraMissing

HIDDEN = "****"

_SECRET = frozenset({"password", "sslpassword", "oauth_client_secret"})
"""Parameters of a connection that no message shows."""

_SCHEMES = ("postgresql://", "postgres://")
_URL = re.compile(
    r"(?P<user>[^:@/?#]*)(?P<password>:[^@/?#]*)?(?P<at>@)(?P<host>[^@/?#]*)(?P<path>/[^@/?#]*)?(?:\?(?P<query>[^@#]*))?"
)


@dataclass(frozen=True, slots=True)
class DatabaseAddress:
    """Where a database is, and how to connect; ``str`` and ``repr`` show it without its password.

    Args:
        url: The URL as it was given.
        shown: The same without secrets.

    """

    url: str = field(repr=False)
    shown: str

    @classmethod
    def parse(cls, url: str) -> DatabaseAddress:
        """Return the address that a URL is; raises BadAddress, or ExtraMissing where psycopg is not installed."""
        scheme = next((scheme for scheme in _SCHEMES if url.startswith(scheme)), "")
        if not scheme:
            raise BadAddress("it does not start with postgresql://")
        rest = url.removeprefix(scheme)
        parts = _URL.fullmatch(rest if "@" in rest else f"@{rest}")
        if parts is None or not rest.isprintable():
            raise BadAddress("a character in it must be percent-encoded")
        try:
            import psycopg_pool  # noqa: F401  what uses the address needs it
            from psycopg import ProgrammingError
            from psycopg.conninfo import conninfo_to_dict
        except ImportError:
            raise ExtraMissing from None
        try:
            conninfo_to_dict(url)
        except ProgrammingError:  # its message repeats parts of the address
            raise BadAddress("PostgreSQL cannot read it") from None
        return cls(url, _shown(parts))

    def __str__(self) -> str:
        return self.shown


def _shown(parts: re.Match[str]) -> str:
    """Return an address without its secrets."""
    user, password, host = parts["user"], parts["password"], parts["host"]
    login = f"{user}{f':{HIDDEN}' if password else ''}@" if user or password else ""
    query = "&".join(map(_shown_parameter, parts["query"].split("&"))) if parts["query"] else ""
    return f"postgresql://{login}{host}{parts['path'] or ''}{f'?{query}' if query else ''}"


def _shown_parameter(parameter: str) -> str:
    name, _, _ = parameter.partition("=")
    return f"{name}={HIDDEN}" if unquote(name) in _SECRET else parameter
