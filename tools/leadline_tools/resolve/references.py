"""All uses of a symbol: candidate files from the text index, each occurrence resolved, aliases followed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from leadline_tools import cancellation
from leadline_tools.index.index import Index
from leadline_tools.languages import language_of
from leadline_tools.languages.facts import Facts, Use
from leadline_tools.model import Occurrence, Reason, Role, Tier
from leadline_tools.resolve.address import Target
from leadline_tools.resolve.project import IndexedProject
from leadline_tools.resolve.resolver import Defined, Resolver
from leadline_tools.result import Size

_LONGEST_TEXT = 200
"""Characters of a line that are shown around an occurrence."""

_TIERS = list(Tier)


@dataclass(frozen=True, slots=True)
class References:
    """The uses of a symbol, and the files in which no use could be looked for, with the reasons."""

    occurrences: list[Occurrence]
    unread: list[str]


@dataclass(frozen=True, slots=True)
class _Use:
    path: str
    use: Use
    tier: Tier
    reason: Reason
    container: str


def references(index: Index, target: Target) -> References:
    """Return every occurrence that means ``target`` or may mean it, the definition first, then the surest."""
    search = _Search(index, target)
    uses = search.run()
    return References(list(_occurrences(index, uses, target.path)), search.unread)


def uses(index: Index, name: str) -> Size:
    """Return about how large a list of the uses of a name is: two lines for each file that holds it."""
    return Size(rows=2 * len(index.with_words((name,))), width=24)


class _Search:
    """One search: the names under which the symbol goes, and the files that were looked into for each."""

    def __init__(self, index: Index, target: Target) -> None:
        self._index = index
        self._target = target
        self._project = IndexedProject(index)
        self._resolver = Resolver(self._project)
        self.unread: list[str] = []

    def run(self) -> list[_Use]:
        """Look for the symbol under its own name, then under each name that it is imported as."""
        name = self._target.first.name
        found: dict[tuple[str, int, int], _Use] = {}
        names, looked_for = [name], {name}
        while names:
            spelled = names.pop()
            for path in self._candidates(spelled):
                cancellation.check()
                facts = self._project.facts(path)
                if facts is None:
                    self.unread.append(path)
                    continue
                for alias in self._aliases(path, facts, spelled) - looked_for:
                    looked_for.add(alias)
                    names.append(alias)
                for use in self._uses(path, facts, spelled, spelled == name):
                    found.setdefault((path, use.use.line, use.use.column), use)
        return list(found.values())

    def _candidates(self, name: str) -> list[str]:
        language = language_of(self._target.path)
        family = language.family if language is not None else ""
        found = [
            path
            for path in self._index.with_words((name,), spelled=True)
            if (other := language_of(path)) is not None and other.scoping is not None and other.family == family
        ]
        self._project.prepare(found)
        return found

    def _aliases(self, path: str, facts: Facts, name: str) -> set[str]:
        """Return the other names under which this file imports the symbol."""
        return {
            imported.alias
            for imported in facts.imports
            if imported.name == name
            and imported.alias not in (name, "")
            and self._means(self._resolver.follow(path, imported))
        }

    def _means(self, meaning: object) -> bool:
        return isinstance(meaning, Defined) and meaning.path == self._target.path and meaning.name == self._target.name

    def _uses(self, path: str, facts: Facts, name: str, own_name: bool) -> Iterator[_Use]:
        for use in facts.uses.get(name, ()):
            meaning = self._resolver.resolve(path, name, use)
            container = facts.scopes[use.scope].name
            if isinstance(meaning, Defined) and self._means(meaning):
                yield _Use(path, use, Tier.Exact, meaning.reason, container)
            elif meaning is None and own_name and use.role is not Role.Definition:
                yield _Use(path, use, Tier.Name, Reason.Name, container)


def _occurrences(index: Index, uses: list[_Use], home: str) -> Iterator[Occurrence]:
    """Yield uses with their lines: surest first, the defining file first, then in the order of the source."""
    lines: dict[str, list[str]] = {}
    for found in sorted(uses, key=lambda u: _order(u, home)):
        if found.path not in lines:
            source = index.try_read(found.path)
            lines[found.path] = source.lines() if source is not None else []
        use, text = found.use, lines[found.path]
        line = text[use.line - 1].strip() if use.line <= len(text) else ""
        yield Occurrence(
            found.path,
            use.line,
            use.column,
            use.end_column,
            use.role,
            found.tier,
            found.reason,
            line if len(line) <= _LONGEST_TEXT else f"{line[:_LONGEST_TEXT]}...",
            found.container,
        )


def _order(found: _Use, home: str) -> tuple[int, bool, str, int, int]:
    return (_TIERS.index(found.tier), found.path != home, found.path, found.use.line, found.use.column)
