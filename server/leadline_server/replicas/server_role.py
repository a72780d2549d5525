"""The role of servers: it reads the index, writes the state of replicas, and owns nothing.

Row security applies to it, and it cannot say that it writes the index: see ``0002_teams.sql``.
"""

from __future__ import annotations

from psycopg import sql

from leadline_tools.database.address import DatabaseAddress
from leadline_tools.database.pool import connected
from leadline_tools.database.session_settings import SCHEMA

_STATE = ("answer", "call", "preview", "replica", "reset", "secret", "seen", "session", "turn")
"""The tables that servers write."""


def grant_to_servers(address: DatabaseAddress, role: str) -> None:
    """Grant a role exactly what servers need; raises DatabaseError, as for a role that there is not.

    What it was granted before of the schema is taken back first.
    """
    schema, name = sql.Identifier(SCHEMA), sql.Identifier(role)
    state = sql.SQL(", ").join(sql.Identifier(SCHEMA, table) for table in _STATE)
    statements = (
        sql.SQL("revoke all on all tables in schema {} from {}").format(schema, name),
        sql.SQL("revoke all on schema {} from {}").format(schema, name),
        sql.SQL("grant usage on schema {} to {}").format(schema, name),
        sql.SQL("grant select on all tables in schema {} to {}").format(schema, name),
        sql.SQL("grant insert, update, delete on {} to {}").format(state, name),
    )
    with connected(address) as connection, connection.transaction():
        for statement in statements:
            connection.execute(statement)
