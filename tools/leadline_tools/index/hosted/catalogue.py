"""The *catalogue* of a caller: the repositories that their teams may see, and the refs of these.

Everything that a question is about comes from a catalogue: an index is made of the manifest that it returns, and there
is no other way to a manifest. So totals, what is left out, similar names, completions and prices are those of what the
caller may see, and of nothing else. Row security says the same once more in the database.

A repository that the team ``EVERYONE`` may see is seen by all whom the server answers.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from leadline_tools.index.hosted.hosted_reader import HostedReader, RefState, VocabularyRow

EVERYONE: Final = "*"
"""The team of all: no caller can be in a team of that name."""


class Catalogue:
    """What the members of some teams may see, as it is at each question. All methods raise DatabaseError."""

    def __init__(self, reader: HostedReader, teams: Collection[str]) -> None:
        self._reader = reader
        self._teams = [EVERYONE, *sorted(team for team in teams if team and "\n" not in team)]

    def refs(self) -> list[RefState]:
        """Return the state of all refs, by the names of their repositories."""
        rows = self._reader.all_for(
            self._teams,
            "select ref.id, repository.name, ref.name, commit, indexed_at, moves, rules"
            " from ref join repository on repository.id = ref.repository where exists"
            " (select from repository_team team where team.repository = repository.id and team.team = any(%s))"
            " order by repository.name, ref.name",
            self._teams,
        )
        return [RefState(*row) for row in rows]

    def manifest(self, ref: int) -> tuple[int, int, bytes] | None:
        """Return how often a ref was moved, the id of its repository and its manifest; None where there is none."""
        rows = self._reader.all_for(
            self._teams,
            "select moves, repository, manifest from ref where id = %s and exists"
            " (select from repository_team team where team.repository = ref.repository and team.team = any(%s))",
            ref,
            self._teams,
        )
        return (rows[0][0], rows[0][1], rows[0][2]) if rows else None

    def vocabulary(self, ref: int) -> list[VocabularyRow]:
        """Return the names of the definitions of a ref that has a manifest, the shortest first."""
        rows = self._reader.all_for(
            self._teams,
            "select length, spelling, names, counts from vocabulary where ref = %s order by length, spelling",
            ref,
        )
        return [VocabularyRow(*row) for row in rows]
