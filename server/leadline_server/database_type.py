"""The address of a database as an option: a URL whose value no message repeats, since it may hold a password."""

from __future__ import annotations

import click

from leadline_tools.database.address import DatabaseAddress
from leadline_tools.database.errors import DatabaseError


class DatabaseType(click.ParamType["DatabaseAddress"]):
    """A ``postgresql://`` URL."""

    name = "database"
    allowed = "an address such as postgresql://USER@HOST/DATABASE"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> DatabaseAddress:
        """Return an address; fails for what is none, or where the driver is not installed."""
        if isinstance(value, DatabaseAddress):
            return value
        try:
            return DatabaseAddress.parse(str(value))
        except DatabaseError as error:
            self.fail(f"{error} {error.hint}", param, ctx)
