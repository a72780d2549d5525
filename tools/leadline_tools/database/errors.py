"""Errors of the database: what is wrong, and what to do.

* DatabaseError
  x ExtraMissing         psycopg is not installed
  x BadAddress           the URL is none, or one of something else
  x Unreachable          nobody answers, the database is starting or stopping, or no connection was free in time
  x Refused              the database answered and does not let us in: password, role, name of the database
  x TransactionPooling   a pooler gives each transaction another session
  x Full                 no space, no memory or no connection left in the server
  x Slow                 a statement took longer than it may
  x NotPermitted         the role may not do this, or the server is read-only
  * SchemaError
    x SchemaMissing      nothing of Leadline is in the database
    x SchemaOlder        migrations are missing
    x SchemaNewer        a newer Leadline has migrated it
    x SchemaForeign      the schema was not made by Leadline's migrations
  x StatementFailed      anything else

``x`` marks what is raised.
"""
# ruff: noqa: N818  as in ``leadline_tools.errors``

from __future__ import annotations

from leadline_tools.errors import LeadlineError

EXTRA = "leadline[server]"
"""The optional dependency that holds what this package needs."""

_MIGRATE = "Run leadline database migrate."


class DatabaseError(LeadlineError):
    """The database cannot be used."""

    hint = "Try again. If this persists, the operator can run leadline database check."


class ExtraMissing(DatabaseError):
    """The driver of PostgreSQL is not installed."""

    hint = f"Run pip install '{EXTRA}'."

    def __init__(self) -> None:
        super().__init__("A database requires psycopg, which is not installed.")


class BadAddress(DatabaseError):
    """The address cannot be that of a database; the message repeats nothing of it, since it may hold a password."""

    hint = "Use postgresql://USER@HOST:PORT/DATABASE, with special characters in percent encoding (@ is %40)."

    def __init__(self, reason: str) -> None:
        super().__init__(f"The address of the database is not valid: {reason}.")


class Unreachable(DatabaseError):
    """No connection, or none any more: calls work again once the database answers."""

    hint = "Try again in a few seconds."

    def __init__(self, reason: str = "") -> None:
        super().__init__(f"The database of this server cannot be reached{f': {reason}' if reason else ''}.")


class Refused(DatabaseError):
    """The database does not accept the connection."""

    hint = "Correct the user, the password or the name in the address of the database."

    def __init__(self, reason: str) -> None:
        super().__init__(f"The database refuses the connection: {reason}.")


class TransactionPooling(DatabaseError):
    """A pooler is between here and the database, and a connection through it has no session of its own."""

    hint = "Set pool_mode = session for this database in PgBouncer, or use the address of PostgreSQL itself."

    def __init__(self) -> None:
        super().__init__("The pooler of this database gives each transaction another session.")


class Full(DatabaseError):
    """The server of the database has no space, memory or connection left."""

    hint = "The operator has to make room: leadline database check reports what the database says."

    def __init__(self, reason: str) -> None:
        super().__init__(f"The database has no room: {reason}.")


class Slow(DatabaseError):
    """A statement or the wait for a lock took longer than it may."""

    hint = "Try again, with a narrower question."

    def __init__(self, reason: str) -> None:
        super().__init__(f"The database did not answer in time: {reason}.")


class NotPermitted(DatabaseError):
    """The role may not do that, or the server is a read-only standby."""

    hint = (
        "Grant it to the role of the address, for servers by leadline database migrate --server-role ROLE,"
        " or use the address of the primary server."
    )

    def __init__(self, reason: str) -> None:
        super().__init__(f"The database does not permit this: {reason}.")


class SchemaError(DatabaseError):
    """The tables are not those that this version uses."""


class SchemaMissing(SchemaError):
    """The database has no tables of Leadline."""

    hint = _MIGRATE

    def __init__(self, area: str) -> None:
        super().__init__(f"The database has no tables of Leadline for {area}.")


class SchemaOlder(SchemaError):
    """Some migrations were not applied."""

    hint = _MIGRATE

    def __init__(self, area: str, applied: int, known: int) -> None:
        super().__init__(f"The tables for {area} are older than this Leadline: migration {applied} of {known}.")


class SchemaNewer(SchemaError):
    """Migrations were applied that this version does not know."""

    hint = "Update this Leadline, or restore a backup from before the update of the database."

    def __init__(self, area: str, applied: int, known: int) -> None:
        super().__init__(
            f"The tables for {area} are newer than this Leadline: migration {applied}, and it knows {known}."
        )


class SchemaForeign(SchemaError):
    """The schema of the database was made by something else, or its migrations were other ones."""

    hint = "Use a database of its own for Leadline: create one, then run leadline database migrate."

    def __init__(self, reason: str, schema: str = "leadline") -> None:
        super().__init__(f"The schema {schema} of the database was not made by this program: {reason}.")


class StatementFailed(DatabaseError):
    """Anything else that the database reports."""

    def __init__(self, code: str, reason: str) -> None:
        super().__init__(f"The database reports an error ({code}): {reason}.")
