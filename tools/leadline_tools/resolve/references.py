"""All uses of a symbol: candidate files from the text index, each occurrence resolved, aliases followed.

Files are resolved likeliest first until the time is up. What is left is counted by the lexer, is resolved while nobody
waits, and is found when the same is asked again.
"""

from __future__ import annotations

import time
from bisect import bisect_left
from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import accumulate, chain
from math import inf
from pathlib import PurePosixPath
from typing import NamedTuple

from leadline_tools import cancellation
from leadline_tools.index import scan
from leadline_tools.index.index import Index
from leadline_tools.index.names import MOST_FILES
from leadline_tools.languages import language_in, lexing, scoping_of
from leadline_tools.languages.facts import Facts, Use
from leadline_tools.languages.language import ScopeKind
from leadline_tools.languages.terms import BARE
from leadline_tools.model import Occurrence, Reason, Role, Tier
from leadline_tools.once import once
from leadline_tools.resolve.address import Target, defined, fields_apart
from leadline_tools.resolve.findings import NOTHING, Finding, Found, Override, Sought
from leadline_tools.resolve.meaning import Defined, Meaning
from leadline_tools.resolve.parts import everywhere, parts
from leadline_tools.resolve.project import family, holding
from leadline_tools.resolve.question import Question, asking, is_small
from leadline_tools.resolve.value import Value
from leadline_tools.resolve.visibility import seeing

SECONDS = 1.2
"""Seconds for which files are resolved; what is left is counted."""

SMALL_TREE_SECONDS = 5.0
"""The same in a small tree, where that mostly is enough for all of them."""

ALLOWANCE = 1.3
"""Seconds of CPU that facts may take the workers before there is an answer: 1.5 at most with what they do besides. They
go on with what is left after it."""

_LEAST_SECONDS = 0.3
"""Seconds for the likeliest files, however long it took to find them."""

UNLIKELY_SECONDS = 0.025
"""Seconds of the processor for files that most likely mean something else, where a member is first asked about in a
large tree: a name like ``flags`` is in thousands of files, and one call would keep all others waiting."""

_COUNTED_BYTES = 512 << 10
"""Bytes of files that the lexer counts uses in, where they were not resolved: 20 ms."""

_SCANNED_BYTES = 16 << 20
"""Bytes of files in which the name is counted wherever it stands, where that are more: up to a tenth of a second."""

_LONGEST_TEXT = 200
"""Characters of a line that are shown around an occurrence."""

_BATCH_FILES = 32
_BATCH_BYTES = 128 << 10
"""Bytes of a batch: what two workers resolve in about a fifth of a second, and two looks at the clock lie apart."""

_SLOW_BYTES = 256 << 10
"""Bytes of a file that takes longer than a batch: it comes last."""

_AHEAD_BYTES = 8 << 20
"""Bytes of files whose facts are found while nobody waits, for one question: ten seconds of all workers."""

_FEW_OWNERS = 4
"""Types with a member of one name, of which a file that names one most likely uses the member of that one."""

_MOST_OWNING = 4 * MOST_FILES
"""Files that define a name, among which the types that have such a member are not counted."""

_TIERS = list(Tier)
_NAMELESS = frozenset({"__init__", "index", "mod", "lib", "main"})
"""Names of files that are called by their folder."""


@dataclass(frozen=True, slots=True)
class Unresolved:
    """The files that were not resolved in time.

    Args:
        files: How many hold the name.
        times: How often they do, None where that was not counted.
        in_code: True where comments and strings do not count.

    """

    files: int = 0
    times: int | None = None
    in_code: bool = False


@dataclass(frozen=True, slots=True)
class References:
    """What was found of a symbol.

    Args:
        found: Its uses, the definition first, then the surest.
        overriding: What overrides it in the files that were looked into: these are no uses.
        unread: The files in which none could be looked for.
        unresolved: The files that were not looked into in time.

    """

    found: list[Found]
    overriding: list[Override]
    unread: list[str]
    unresolved: Unresolved


def references(
    index: Index, target: Target, within: Collection[str] | None = None, question: Question | None = None
) -> References:
    """Return the occurrences that mean ``target`` or may mean it; with ``within`` those in some files alone.

    Without a question that they are a part of they are one of their own.
    """
    if question is not None:
        return _references(index, target, within, question, inf)
    small = is_small(index)
    with asking(index, SMALL_TREE_SECONDS if small else SECONDS, ALLOWANCE) as asked:
        return _references(index, target, within, asked, inf if small else UNLIKELY_SECONDS)


def _references(
    index: Index, target: Target, within: Collection[str] | None, question: Question, patience: float
) -> References:
    search = _Search(index, target, within, question, patience)
    ordered = sorted(search.run(), key=lambda use: _order(use, target.path))
    unread = [path for path in search.unread if search.wanted(path)]
    return References(ordered, search.overriding(), unread, search.count_unresolved())


def occurrences(index: Index, found: Iterable[Found]) -> Iterator[Occurrence]:
    """Yield uses with their lines, in their order; those whose line does not hold the name any more are left out."""
    uses = list(found)
    texts = _texts(index, uses)
    for one in uses:
        use, line = one.use, texts.get((one.path, one.use.line), "")
        if line[use.column - 1 : use.end_column - 1] == one.name:
            yield Occurrence(
                one.path,
                use.line,
                use.column,
                use.end_column,
                use.role,
                one.tier,
                one.reason,
                _shortened(line.strip()),
                one.container,
            )


def _texts(index: Index, uses: Iterable[Found]) -> dict[tuple[str, int], str]:
    """Return the lines of uses by path and number; of what is read no more is kept."""
    wanted: dict[str, set[int]] = {}
    for one in uses:
        wanted.setdefault(one.path, set()).add(one.use.line)
    texts: dict[tuple[str, int], str] = {}
    for path, numbers in wanted.items():
        source = index.try_read(path)
        lines = source.lines() if source is not None else []
        texts.update(((path, number), lines[number - 1]) for number in numbers if number <= len(lines))
    return texts


def by_line(found: Iterable[Occurrence]) -> list[Occurrence]:
    """Return one item for all uses on a line of which the same is known, in the order of their first."""
    lines: dict[tuple[str, int, bool, Tier, Reason], list[Occurrence]] = {}
    for one in found:
        key = (one.path, one.line, one.role is Role.Definition, one.tier, one.reason)
        lines.setdefault(key, []).append(one)
    return [replace(first, again=tuple(one.column for one in more)) for first, *more in lines.values()]


class _Candidates(NamedTuple):
    """The files that may use a symbol: those that most likely do, the likeliest first, and the others."""

    likely: Sequence[str]
    others: Sequence[str]

    def among(self, known: Collection[str]) -> list[str]:
        """Return those of which something is known."""
        return [path for path in chain(*self) if path in known]

    def without(self, known: Collection[str]) -> _Candidates:
        """Return those of which nothing is known."""
        return _Candidates(*([path for path in paths if path not in known] for paths in self)) if known else self


class _Search:
    """One search: the names under which the symbol goes, and the files that were looked into for each.

    It has so many seconds of CPU (``patience``) for files that most likely mean something else.
    """

    def __init__(
        self, index: Index, target: Target, within: Collection[str] | None, question: Question, patience: float
    ) -> None:
        self._index = index
        self._target = target
        self._within = within
        self._patience = patience
        self._question, self._project = question, question.project
        self._left: dict[str, str] = {}
        self._namesakes: list[Override] = []
        self._lines: dict[str, Sequence[str]] = {}
        self.unread: list[str] = []

    def overriding(self) -> list[Override]:
        """Return the definitions of the same name in types that inherit from the one that has the symbol."""
        if "." not in self._target.name:
            return []
        known = self._question.findings.overriding(self._sought(self._target.first.name))
        new = {one: self._inherits(one) for one in self._namesakes if one not in known}
        if not self._question.refused():
            known.update(new)
        return [one for one in self._namesakes if new.get(one) or known.get(one)]

    def _inherits(self, member: Override) -> bool:
        owner = Defined(member.path, member.name.rpartition(".")[0], Reason.Definition)
        above = self._question.resolver.values.inheritance.linear(Value(owner))[1:]
        return any(part.same(one.of) for one in above for part in self._owner)

    @once
    def _owner(self) -> Sequence[Defined]:
        """Return the type that has the symbol, as each of its parts declares it."""
        owner = self._target.name.rpartition(".")[0]
        return everywhere(self._index, Defined(self._target.path, owner, Reason.Definition))

    def wanted(self, path: str) -> bool:
        """Tell whether uses in a file are asked for."""
        return self._within is None or path in self._within

    def run(self) -> list[Found]:
        """Look for the symbol under its own name, then under each name that it is imported as."""
        found: dict[tuple[str, int, int], Found] = {}
        names = self._names()
        looked_for = set(names)
        while names:
            spelled = names.pop()
            for path, finding in self._findings(spelled):
                names += finding.aliases - looked_for
                looked_for |= finding.aliases
                self._namesakes += finding.namesakes
                found.update(((path, one.use.line, one.use.column), one) for one in finding.uses)
        return list(found.values())

    def _findings(self, name: str) -> Iterator[tuple[str, Finding]]:
        """Yield what each file that holds a name has of the symbol: what is known already, then the rest in time."""
        sought, findings = self._sought(name), self._question.findings
        known, candidates = findings.of(sought), self._candidates(name)
        for path in candidates.among(known) if known else ():
            yield path, known[path] if self.wanted(path) else known[path]._replace(uses=(), namesakes=())
        waiting = candidates.without(known)
        patience = self._patience if self._owner_name and not known else inf
        self._project.extend(_LEAST_SECONDS)
        likely, others = self._resolvable(name, waiting.likely, inf), self._resolvable(name, waiting.others, patience)
        for path, facts in chain(likely, others):
            finding = self._found_in(path, facts, name) if facts is not None else NOTHING
            if self._question.refused():
                self._left[path] = name  # what was not known in time might have been what it means
                continue
            if self.wanted(path):
                findings.put(sought, path, finding)
            yield path, finding

    def _sought(self, name: str) -> Sought:
        return Sought(self._target.path, self._target.name, self._target.callable, name)

    def _found_in(self, path: str, facts: Facts, name: str) -> Finding:
        """Look for the symbol in a file."""
        aliases = frozenset(self._aliases(path, facts, name))
        if not self.wanted(path):
            return Finding((), aliases, ())
        uses: list[Found] = []
        namesakes: list[Override] = []
        for one in self._uses(path, facts, name):
            if isinstance(one, Found):
                uses.append(one)
            else:
                namesakes.append(one)
        return Finding(uses, aliases, namesakes)

    def _names(self) -> list[str]:
        """Return the name of the symbol, and what is left of it where a use may leave out its ending."""
        name, scoping = self._target.first.name, scoping_of(self._target.path)
        endings = scoping.endings.values() if scoping is not None else ()
        return [name, *(name.removesuffix(ending) for ending in endings if name != ending and name.endswith(ending))]

    def count_unresolved(self) -> Unresolved:
        """Return what was not resolved, counted where that is little; have it resolved while nobody waits."""
        if not self._left:
            return Unresolved()
        self._index.find_facts(self._ahead())
        left = list(filter(self.wanted, self._left)) if self._within is not None else list(self._left)
        if any(size > _SCANNED_BYTES for size in accumulate(map(self._index.size, left))):
            return Unresolved(len(left))
        in_code = sum(map(self._index.size, left)) <= _COUNTED_BYTES
        with self._index.tree.reading() as reader:
            counts = [_count(path, self._left[path], reader.text(path), in_code=in_code) for path in left]
        return Unresolved(sum(map(bool, counts)), sum(counts), in_code)

    def _ahead(self) -> Iterator[str]:
        """Yield the files whose facts the same question will want."""
        size = 0
        for path in self._left:
            size += self._index.size(path)
            if size > _AHEAD_BYTES:
                return
            yield path

    def _asked(self, name: str) -> str:
        """Return a name as ``Index.facts`` takes it; empty where a string alone may mean the symbol.

        Where strings may hold names (annotations in quotes) that of a member has what it is a member of before it.
        """
        scoping = scoping_of(self._target.path)
        if scoping is None or not scoping.quotes:
            return name
        return f".{name}" if self._owner_name else ""

    def _resolvable(self, name: str, paths: Sequence[str], patience: float) -> Iterator[tuple[str, Facts | None]]:
        """Yield files with their facts, until the time is up or ``patience`` seconds of CPU; the others are left.

        None stands for the facts of a file that does not use the name.
        """
        waiting, slow, asked = deque(paths), deque[str](), self._asked(name)
        until = time.thread_time() + patience
        while waiting or slow:
            cancellation.check()
            batch = self._batch(waiting, slow) if waiting else [slow.popleft()]
            if self._project.late or not self._project.affords(batch) or time.thread_time() > until:
                self._left.update(dict.fromkeys((*batch, *waiting, *slow), name))
                return
            unused = self._project.prepare(batch, asked)
            for path in batch:
                facts = self._project.facts(path) if path not in unused else None
                if facts is not None or path in unused:
                    yield path, facts
                elif self._question.refused():
                    self._left[path] = name
                else:
                    self.unread.append(path)

    def _batch(self, waiting: deque[str], slow: deque[str]) -> list[str]:
        """Take the next files that together take a moment; what takes longer alone is put off."""
        batch: list[str] = []
        size = 0
        while waiting and size < _BATCH_BYTES and len(batch) < _BATCH_FILES:
            path = waiting.popleft()
            own = self._index.size(path)
            if own > _SLOW_BYTES and path != self._target.path:
                slow.append(path)
            else:
                batch.append(path)
                size += own
        return batch

    def _candidates(self, name: str) -> _Candidates:
        """Return the files that may use the symbol under a name, likeliest first.

        First is the one that defines it, then those beside it, those that name what it is a member of, those that
        import it, and others; last are those that are asked about for their aliases only.
        """
        home = self._target.path
        if self._is_local():
            return _Candidates([home], ())
        found = holding(self._index, name, home, self._sees)
        wanted = found if self._within is None else list(filter(self.wanted, found))
        many = len(found) > _BATCH_FILES
        first = [home] if home in found else []
        telling = [word for word in (self._owner_name, _called(home)) if word] if many else []
        naming = [frozenset(self._index.with_words((name, word))) for word in telling]
        named = (path for paths in naming for path in wanted if path in paths)
        likely = dict.fromkeys((*first, *_beside(home, wanted), *named))
        others = [path for path in dict.fromkeys((*wanted, *found)) if path not in likely]
        return _Candidates(list(likely), others) if many else _Candidates([*likely, *others], ())

    @property
    def _owner_name(self) -> str:
        """Return how the type is called that has the symbol; empty where it is no member."""
        return self._target.name.rpartition(".")[0].rpartition(".")[2]

    @once
    def _sees(self) -> Callable[[str], bool] | None:
        return seeing(self._index, self._target)

    def _is_local(self) -> bool:
        """Tell whether only the file that defines the symbol can use it: it belongs to a function."""
        facts = self._project.facts(self._target.path)
        binding = facts.at(self._target.name) if facts is not None else None
        if facts is None or binding is None or binding.scope <= 0:
            return False
        return facts.scopes[binding.scope].kind in (ScopeKind.Function, ScopeKind.Block)

    def _aliases(self, path: str, facts: Facts, name: str) -> set[str]:
        """Return the other names under which this file imports the symbol."""
        return {
            imported.alias
            for imported in facts.imports
            if imported.name == name
            and imported.alias not in (name, "")
            and self._means(self._question.resolver.follow(path, imported))
        }

    def _means(self, meaning: Meaning | None) -> bool:
        return isinstance(meaning, Defined) and (meaning.path, meaning.name) in self._declared

    def _is_kind(self, path: str, use: Use) -> bool:
        """Tell whether a use may mean the symbol, where there are a field and a method of its name."""
        if self._namesake is None or use.role is Role.Import:
            return True
        if use.role is Role.Definition:
            other = self._namesake.definitions if path == self._target.path else ()
            return not any((one.line, one.column) == (use.line, use.column) for one in other)
        called = use.role is Role.Call or self._before(path, use).endswith("::")
        return called is self._target.callable

    def _before(self, path: str, use: Use) -> str:
        """Return what stands before a use in its line."""
        if path not in self._lines:
            source = self._index.try_read(path)
            self._lines[path] = source.lines() if source is not None else []
        lines = self._lines[path]
        return lines[use.line - 1][: use.column - 1] if use.line <= len(lines) else ""

    @once
    def _namesake(self) -> Target | None:
        """Return the other symbol of the same dotted name: the method that is called like a field."""
        if not fields_apart(self._target.path):
            return None
        named = defined(self._index, [(self._target.path, self._target.name)])
        return next((target for target in named if target.callable is not self._target.callable), None)

    @once
    def _declared(self) -> frozenset[tuple[str, str]]:
        """Return where the symbol is declared: in its file, and in others that declare the same thing.

        Members of one name in the parts of a type are its overloads, which are one symbol in one file too.
        """
        path, name = self._target.path, self._target.name
        others = self._question.resolver.declarations(path, name)
        rest = ((part.path, part.name) for part in parts(self._index, self._target))
        beside = ((part.path, f"{part.name}.{name.rpartition('.')[2]}") for part in self._owner if "." in name)
        return frozenset({(path, name), *((other.path, other.name) for other in others), *rest, *beside})

    def _uses(self, path: str, facts: Facts, name: str) -> Iterator[Found | Override]:
        """Yield the occurrences of a name that mean the symbol or may mean it, and the members that are called so."""
        own_name = name == self._target.first.name
        for use in filter(partial(self._is_kind, path), facts.uses.get(name, ())):
            meanings = self._question.resolver.resolve(path, name, use)
            container = facts.around(use.scope)
            meant = next((meaning for meaning in meanings if self._means(meaning)), None)
            if isinstance(meant, Defined):
                yield Found(path, name, use, self._tier(path, use, meant), meant.reason, container)
            elif use.role is Role.Definition:
                owned = (one for one in meanings if isinstance(one, Defined) and "." in one.name)
                yield from (Override(path, use.line, one.name) for one in owned)
            elif not meanings and own_name:
                likely = self._is_likely(path, facts, use)
                reason = Reason.Receiver if likely else Reason.Name
                yield Found(path, name, use, Tier.Likely if likely else Tier.Name, reason, container)

    def _tier(self, path: str, use: Use, meant: Defined) -> Tier:
        """Tell how sure a use is that may mean the symbol: it may be from outside, or name what this implements."""
        values = self._question.resolver.values
        named = use.role not in (Role.Definition, Role.Import) and values.interfaces.implements(meant)
        return Tier.Likely if named or values.may_be_another(path, use, meant) else Tier.Exact

    def _is_likely(self, path: str, facts: Facts, use: Use) -> bool:
        """Tell of a member of something unknown whether it most likely is the one that is looked for.

        It is where nothing else in the code base has a member of that name, or few types have and the file names the
        one that is meant. Members that types from outside have too are told by that only.
        """
        owner, _, name = self._target.name.rpartition(".")
        if not owner or use.receiver == BARE or use.role in (Role.Import, Role.Other):
            return False
        if self._question.resolver.values.is_foreign(path, use.receiver, use.scope):
            return False
        scoping = scoping_of(path)
        common = scoping is not None and name in scoping.common
        if self._owners == 1 and not common:
            return True
        owner = owner.rpartition(".")[2]
        return 0 < self._owners <= _FEW_OWNERS and (owner in facts.uses or bool(facts.named(owner)))

    @once
    def _owners(self) -> int:
        """Return how many types have a member of the name, 0 where they are too many to count."""
        name = self._target.first.name
        if self._index.count_defining(name) > _MOST_OWNING:
            return 0
        found = self._index.names.exact(name)
        home = family(self._target.path)
        members = {(hit.file.path, hit.definition.container) for hit in found.hits if family(hit.file.path) == home}
        whole = not found.more and found.total == len(found.hits)
        return len([container for _, container in members if container]) if whole else 0


def _beside(home: str, paths: Sequence[str]) -> list[str]:
    """Return those of some sorted paths that are in the folder of a file, not below it."""
    folder = home[: home.rfind("/") + 1]
    first = bisect_left(paths, folder)
    last = bisect_left(paths, f"{folder[:-1]}0") if folder else len(paths)
    return [path for path in paths[first:last] if "/" not in path[len(folder) :]]


def _count(path: str, name: str, content: bytes, *, in_code: bool) -> int:
    """Return how often a name stands in a file with some content, or in its code alone."""
    language = language_in(path, content) if in_code else None
    starts: Iterator[int] = scan.occurrences(content, name.encode())
    if language is not None and language.lexis is not None:
        starts = lexing.in_code(starts, content, language.lexis)
    return sum(1 for _ in starts)


def _called(path: str) -> str:
    """Return the word by which whoever imports a file most likely calls it."""
    pure = PurePosixPath(path)
    stem = pure.name.partition(".")[0]
    return pure.parent.name if stem in _NAMELESS and pure.parent.name else stem


def _shortened(line: str) -> str:
    return line if len(line) <= _LONGEST_TEXT else f"{line[:_LONGEST_TEXT]}..."


def _order(found: Found, home: str) -> tuple[int, bool, str, int, int]:
    return (_TIERS.index(found.tier), found.path != home, found.path, found.use.line, found.use.column)
