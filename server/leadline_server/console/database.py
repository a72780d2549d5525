"""``leadline database``: the tables that replicas share."""

from __future__ import annotations

import click

from leadline_server.console.command import Command
from leadline_server.console.options import DATABASE
from leadline_tools.database.address import DatabaseAddress


class _Group(Command, click.Group):
    """A group of commands with the checks of all commands."""


@click.group(cls=_Group, no_args_is_help=False)
def database() -> None:
    """Prepare and check the PostgreSQL database that several servers share."""


@database.command(cls=Command)
@DATABASE
@click.option(
    "--server-role",
    envvar="LEADLINE_SERVER_ROLE",
    metavar="ROLE",
    default="",
    help="A role of the database that gets what leadline serve needs, and nothing more.",
)
def migrate(database: DatabaseAddress | None, server_role: str) -> None:
    """Create the tables, or bring those of an older version up to date; all or nothing.

    Several can run at once: one migrates, the others wait. Servers of the older version should be stopped before.
    """
    from leadline_server.replicas.areas import areas
    from leadline_tools.database.migrations import migrate as apply

    address = _required(database)
    applied = apply(address, areas())
    for area, migration in applied:
        click.echo(f"{area}: applied {migration.number:04} {migration.name}")
    what = f"{len(applied)} {'migration' if len(applied) == 1 else 'migrations'} applied" if applied else "up to date"
    click.echo(f"{address}: {what}.")
    if server_role:
        from leadline_server.replicas.server_role import grant_to_servers

        grant_to_servers(address, server_role)
        click.echo(f"{address}: {server_role} has what servers need.")


@database.command(cls=Command)
@DATABASE
def check(database: DatabaseAddress | None) -> None:
    """Report whether servers of this version can use the database. Exit code 1: they cannot."""
    from leadline_server.replicas.areas import areas
    from leadline_tools.database.migrations import check as compare
    from leadline_tools.database.migrations import is_unrestricted
    from leadline_tools.database.pool import connected

    address = _required(database)
    with connected(address) as connection:
        row = connection.execute("select current_setting('server_version'), pg_database_size(current_database())")
        version, size = row.fetchone() or ("unknown", 0)
    click.echo(f"{address}: PostgreSQL {version}, {int(size) / 1e6:,.1f} MB.")
    for applied in compare(address, areas()):
        click.echo(f"{applied.area}: migration {applied.number} of {applied.known}")
    if is_unrestricted(address):
        click.echo("The role of this address is an administrator: row security does not apply to it.")


def _required(address: DatabaseAddress | None) -> DatabaseAddress:
    """Return the address; raises UsageError where none was given."""
    if address is None:
        raise click.UsageError("Which database? Set LEADLINE_DATABASE or pass --database postgresql://...")
    return address
