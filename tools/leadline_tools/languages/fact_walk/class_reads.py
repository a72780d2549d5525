"""Names that a class reads before it binds them: there they mean what is seen around the class, as in Python."""

from __future__ import annotations

from leadline_tools.languages.fact_walk.tables import FactTables


class ClassReads:
    """Collects the reads and the bindings, since only the end of a class tells what a read means."""

    def __init__(self, tables: FactTables) -> None:
        self._tables = tables
        self._reads: list[tuple[str, int, int]] = []
        self._bound_until: dict[tuple[int, str], int] = {}

    def add_read(self, name: str, start: int) -> None:
        """Note that the latest use of a name is read in a class at a byte."""
        self._reads.append((name, len(self._tables.uses[name]) - 1, start))

    def add_binding(self, scope: int, name: str, end: int) -> None:
        """Note that a scope has bound a name from a byte on."""
        self._bound_until.setdefault((scope, name), end)

    def move_early_reads(self) -> None:
        """Have the reads before the binding seen from around the class."""
        tables = self._tables
        for name, number, start in self._reads:
            use = tables.uses[name][number]
            if start < self._bound_until.get((use.scope, name), 0):
                tables.uses[name][number] = use._replace(scope=tables.scopes[use.scope].parent)
