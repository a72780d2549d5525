"""All uses of a symbol, and the account of every token that spells its name.

Candidate files come from the text index; each occurrence in them is resolved, and aliases are followed. Files are
examined likeliest first until the patience of the call ends. What was found is kept, so a later answer on the same
state of the tree contains an earlier one; what is left is counted, and its facts are computed in the background.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from leadline_tools import cancellation, patience
from leadline_tools.account import Account, Omission, Omitted, Place
from leadline_tools.index.index import Index
from leadline_tools.index.names import MOST_FILES
from leadline_tools.index.scan import finder
from leadline_tools.languages import UNKNOWN, has_regions, language_in, language_name, scoping_of
from leadline_tools.languages.facts import NAMELESS, Facts, Use
from leadline_tools.languages.language import Language, ScopeKind
from leadline_tools.languages.outline import CALLABLE, CLASS_LIKE
from leadline_tools.languages.prose import is_prose
from leadline_tools.languages.terms import BARE, WRITTEN
from leadline_tools.model import Occurrence, Reason, Role, SymbolKind, Tier
from leadline_tools.once import once
from leadline_tools.resolve.address import Target, defined, fields_apart, side, values_apart
from leadline_tools.resolve.candidates import Candidates, candidates, secret_code, total_size, with_signs
from leadline_tools.resolve.findings import Finding, Found, Override, Sought
from leadline_tools.resolve.local import constructs
from leadline_tools.resolve.meaning import Defined, Elsewhere, Meaning
from leadline_tools.resolve.omissions import is_unreadable, omit, omit_unreadable
from leadline_tools.resolve.overloads import Fit, Overloads
from leadline_tools.resolve.parts import everywhere, parts
from leadline_tools.resolve.project import family, related
from leadline_tools.resolve.proof import Proof
from leadline_tools.resolve.question import Question, asking
from leadline_tools.resolve.shared_names import is_shared
from leadline_tools.resolve.tokens import FileKind, Token, count_tokens, kind_of, tokens_of
from leadline_tools.resolve.unlisted import embedded_types, name_of
from leadline_tools.resolve.value import Value
from leadline_tools.resolve.visibility import seeing

_LEXED_BYTES = 16 << 20
"""Bytes of files that cannot name the symbol in which comments and strings are separated from code. In more than that,
every token counts as one that means something else: a comment there cannot make an answer wrong, and to read them all
would take seconds."""

_LONGEST_TEXT = 200
"""Characters of a line that are shown around an occurrence."""

_BATCH_FILES = 32
_BATCH_BYTES = 128 << 10
"""Bytes of a batch: what two workers resolve in about a fifth of a second, and two looks at the clock lie apart."""

_SLOW_BYTES = 256 << 10
"""Bytes of a file that takes longer than a batch: it comes last."""

_FEW_OWNERS = 4
"""Types with a member of one name, of which a file that names one most likely uses the member of that one."""

_MOST_OWNING = 4 * MOST_FILES
"""Files that define a name, among which the types that have such a member are not counted."""

_INITIALIZED = "this|"
"""The receiver of what a constructor initializes: a member, or the object as one of a base (C++)."""

_TIERS = list(Tier)

_EXPORTS = ("export default ", "export = ")
"""What stands before a name of which both the value and the type are exported."""


@dataclass(frozen=True, slots=True)
class References:
    """What was found of a symbol.

    Args:
        found: Its uses, the definition first, then the surest; those of which nothing could be proved last.
        overriding: What overrides it in the files that were examined: these are no uses.
        unread: The files that hold its name and could not be parsed.
        late: How many files with its name were not examined before the patience of the call ended.
        account: How many tokens spell its name, by what they are.
        seconds: About how many seconds more the rest takes; 0 where nothing is left.

    """

    found: list[Found]
    overriding: list[Override]
    unread: list[str]
    late: int
    account: Account
    seconds: float = 0.0

    def decided_again(self, found: list[Found]) -> References:
        """Return the same after somebody else has decided uses: those that are not in ``found`` mean something else."""
        dropped = sum(one.spelled for one in self.found) - sum(one.spelled for one in found)
        return replace(self, found=found, account=_account(found, self.account, self.account.other + dropped))


def references(
    index: Index, target: Target, within: Collection[str] | None = None, question: Question | None = None
) -> References:
    """Return the occurrences that mean ``target`` or may mean it, and the account of its name.

    With ``within``, those in some files alone. Without a question that they are a part of they are one of their own.
    """
    if question is None:
        with asking(index) as asked:
            return references(index, target, within, asked)
    return _Search(index, target, within, question).run()


def _account(found: Iterable[Found], known: Account, other: int) -> Account:
    """Return the account in which the tokens of some uses are counted by how sure they are."""
    places: dict[Tier, list[Place]] = {tier: [] for tier in Tier}
    aliased = 0
    for one in found:
        if one.spelled:
            places[one.tier].append((one.path, one.use.line, one.use.column))
        elif one.tier is not Tier.Name:
            aliased += 1
    return replace(
        known,
        exact=len(places[Tier.Exact]),
        likely=len(places[Tier.Likely]),
        undecided=len(places[Tier.Name]),
        other=other,
        aliased=aliased,
        meant_at=frozenset((*places[Tier.Exact], *places[Tier.Likely])),
        undecided_at=frozenset(places[Tier.Name]),
    )


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


class _Search:
    """One search: the names under which the symbol goes, and the files that were examined for each."""

    def __init__(self, index: Index, target: Target, within: Collection[str] | None, question: Question) -> None:
        self._index = index
        self._target = target
        self._within = within
        self._question, self._project = question, question.project
        self._left: dict[str, dict[str, None]] = {}
        self._namesakes: list[Override] = []
        self._lines: dict[str, Sequence[str]] = {}
        self._unparsed: dict[str, dict[str, None]] = {}
        self._unreadable: dict[str, None] = {}
        self._large: dict[str, int] = {}
        self._examined_bytes = 0
        self._began = time.monotonic()

    def run(self) -> References:
        """Look for the symbol under its own name, then under each name that it is imported as."""
        found: dict[tuple[str, int, int], Found] = {}
        other = text = 0
        names = self._names()
        looked_for = set(names)
        while names:
            spelled = names.pop()
            for path, finding in self._findings(spelled):
                names += finding.aliases - looked_for
                looked_for |= finding.aliases
                self._namesakes += finding.namesakes
                other += finding.other
                text += finding.text
                for one in finding.uses:
                    key = path, one.use.line, one.use.column
                    if key not in found or one.spelled or not found[key].spelled:
                        found[key] = one
        overriding = self.overriding()
        omitted = (
            *self._omit(Omission.Late, self._left),
            *self._omit_elsewhere(),
            *self._omit(Omission.Unparsed, self._unparsed),
            *omit_unreadable(list(filter(self._is_wanted, self._unreadable))),
            *self._omit_large(),
            *self._omit_secrets(),
        )
        self._index.find_facts(self._left)
        ordered = sorted(found.values(), key=lambda use: _order(use, self._target.path))
        account = _account(ordered, Account(text=text, not_examined=omitted), other)
        late = sum(one.files for one in omitted if one.reason is Omission.Late)
        unread = [path for path in self._unparsed if self._is_wanted(path)]
        return References(ordered, overriding, unread, late, account, self._seconds_left())

    def _seconds_left(self) -> float:
        """Return about how long the files take that were not examined, at the rate of those that were."""
        left = total_size(self._index, self._left)
        elapsed = time.monotonic() - self._began
        return elapsed * left / self._examined_bytes if left and self._examined_bytes else 0.0

    def _omit(self, reason: Omission, names: Mapping[str, Iterable[str]]) -> Iterator[Omitted]:
        """Yield the tokens that were not examined for a reason, in the files that are asked about."""
        return omit(self._index, reason, {path: names[path] for path in names if self._is_wanted(path)})

    def _omit_large(self) -> Iterator[Omitted]:
        """Yield the files of code that are too large for the index, and hold the name."""
        if self._large:
            yield Omitted(Omission.Large, sum(self._large.values()), len(self._large), min(self._large))

    def _omit_elsewhere(self) -> Iterator[Omitted]:
        """Yield the late files that are not asked about: those asked about may use another name that they give."""
        paths = [path for path in self._left if not self._is_wanted(path)]
        if paths:
            yield Omitted(Omission.Late, 0, len(paths), paths[0])

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
        values = self._question.resolver.values
        owner, interface = values.declared.owner(member.path, member.name)
        if interface not in ("", self._owner_name):
            return False
        above = values.inheritance.linear(Value(owner))[1:]
        return any(part.same(one.of) for one in above for part in self._owner)

    @once
    def _owner(self) -> Sequence[Defined]:
        """Return the type that has the symbol, as each of its parts declares it."""
        owner = self._target.name.rpartition(".")[0]
        return everywhere(self._index, Defined(self._target.path, owner, Reason.Definition))

    def _omit_secrets(self) -> Iterator[Omitted]:
        """Yield the secret files that may hold code: not even how often they hold the name is said of them."""
        paths = list(filter(self._is_wanted, secret_code(self._index, self._target.path)))
        if paths:
            yield Omitted(Omission.Secret, len(paths), len(paths), paths[0])

    def _is_wanted(self, path: str) -> bool:
        """Return whether uses in a file are asked for."""
        return self._within is None or path in self._within

    def _findings(self, name: str) -> Iterator[tuple[str, Finding]]:
        """Yield what each file that holds a name has of the symbol: what is known already, then the rest in time."""
        sought, findings = self._sought(name), self._question.findings
        known, found = findings.of(sought), self._candidates(name)
        for path in found.among(known) if known else ():
            yield path, known[path] if self._is_wanted(path) else Finding(aliases=known[path].aliases)
        waiting = [path for path in found.visible if path not in known]
        for path, facts in self._resolvable(name, waiting):
            finding = self._examine(path, facts, name)
            if finding is None:
                self._unreadable[path] = None
                continue
            if self._question.refused():
                _note(self._left, [path], name)  # what was not known in time might have been what it means
                continue
            if self._is_wanted(path):
                findings.put(sought, path, finding)
            yield path, finding
        if name == self._target.first.name:
            yield from self._others(name, found.others, known, sought)
            yield from self._too_large(name, known, sought)

    def _others(
        self, name: str, paths: Sequence[str], known: Mapping[str, Finding], sought: Sought
    ) -> Iterator[tuple[str, Finding]]:
        """Yield what the files have of the name in which the symbol cannot be named, or is not resolved."""
        lexed = total_size(self._index, paths) <= _LEXED_BYTES
        for path in paths:
            finding = known.get(path)
            if finding is None:
                cancellation.check()
                if self._project.late:
                    _note(self._left, [path], name)
                    continue
                finding = self._account_for(path, name, lexed=lexed)
                if finding is None:
                    self._unreadable[path] = None
                    continue
                self._question.findings.put(sought, path, finding)
            yield path, finding

    def _too_large(self, name: str, known: Mapping[str, Finding], sought: Sought) -> Iterator[tuple[str, Finding]]:
        """Yield what the files without code have of the name that are too large for the index; code is omitted."""
        for path in filter(self._is_wanted, self._index.large_files):
            finding = known.get(path)
            if finding is None:
                cancellation.check()
                if self._project.late:
                    _note(self._left, [path], name)
                    continue
                language = language_name(path)
                number = self._count(path, name, unread=int(language != UNKNOWN))
                if number and not is_prose(path, language):
                    self._large[path] = number
                    continue
                finding = Finding(text=number)
                self._question.findings.put(sought, path, finding)
            yield path, finding

    def _count(self, path: str, name: str, unread: int) -> int:
        """Return how often a file holds a name; ``unread`` for one that is too large to be read at all."""
        with self._index.tree.reading() as reader:
            raw = reader.raw(path)
            if raw is None:
                return unread
            return count_tokens(reader.text(path), name) if finder(name, word=True).may_hold(raw) else 0

    def _account_for(self, path: str, name: str, *, lexed: bool) -> Finding | None:
        """Return what the tokens of a file are that cannot name the symbol, or whose names are not resolved.

        None stands for a file that cannot be read.
        """
        source = self._index.try_read(path)
        if source is None:
            return None if is_unreadable(self._index, path) else Finding()
        hidden = self._is_local() or (self._sees is not None and not self._sees(path))
        kind = kind_of(source, self._language, hidden=hidden)
        if kind is FileKind.Foreign and not lexed and not has_regions(path):
            return Finding(other=count_tokens(source.content, name))
        tokens = tokens_of(source, name)
        text = sum(token.is_text for token in tokens)
        code = [token for token in tokens if not token.is_text]
        undecided = code if kind is FileKind.Unruled else [token for token in code if token.is_undecided]
        found = [_undecided(path, name, token) for token in undecided]
        return Finding(found, other=len(code) - len(undecided), text=text)

    @once
    def _language(self) -> Language | None:
        return language_in(self._target.path, self._target.source.content)

    def _sought(self, name: str) -> Sought:
        places = [f"{one.line}:{one.column}" for one in self._target.definitions] if self._overloads else []
        kinds = frozenset(one.kind for one in self._target.definitions)
        return Sought(self._target.path, " ".join([self._target.name, *places]), kinds, name)

    def _examine(self, path: str, facts: Facts | None, name: str) -> Finding | None:
        """Return what a file has of the symbol, and what else its tokens are; None where it cannot be read.

        Without facts no code of it has the name.
        """
        if not self._is_wanted(path):
            return Finding(aliases=self._aliases(path, facts, name) if facts is not None else frozenset())
        source = self._index.try_read(path)
        if source is None and is_unreadable(self._index, path):
            return None
        tokens = tokens_of(source, name) if source is not None else []
        if facts is None:
            return Finding(text=len(tokens))
        places = {(token.line, token.column) for token in tokens}
        uses: dict[tuple[int, int], Found] = {}
        namesakes: list[Override] = []
        arguments = self._named_arguments(facts, name)
        for one in self._uses(path, facts, name):
            if isinstance(one, Found):
                if one.tier is Tier.Name and (one.use.line, one.use.column) in arguments:
                    continue
                place = one.use.line, one.use.column
                uses[place] = one if place in places else replace(one, spelled=False)
            else:
                namesakes.append(one)
        aliases = self._aliases(path, facts, name)
        if name != self._target.first.name:
            return Finding([replace(one, spelled=False) for one in uses.values()], aliases, namesakes)
        resolved = {(use.line, use.column) for use in facts.uses.get(name, ())} | arguments
        rest = [token for token in tokens if (token.line, token.column) not in uses]
        other = [token for token in rest if (token.line, token.column) in resolved]
        code = [token for token in rest if not token.is_text and (token.line, token.column) not in resolved]
        found = [*uses.values(), *(_undecided(path, name, token) for token in code)]
        return Finding(found, aliases, namesakes, len(other), len(rest) - len(other) - len(code))

    def _named_arguments(self, facts: Facts, name: str) -> set[tuple[int, int]]:
        """Return the places of arguments with the name: they name a parameter or a field, never a function or type."""
        if self._target.first.kind not in CALLABLE | CLASS_LIKE:
            return set()
        return {(one.line, one.column) for one in facts.arguments.get(name, ())}

    def _names(self) -> list[str]:
        """Return the name of the symbol, and what is left of it where a use may leave out its ending."""
        name, scoping = self._target.first.name, scoping_of(self._target.path)
        endings = scoping.endings.values() if scoping is not None else ()
        shorter = [name.removesuffix(ending) for ending in endings if name != ending and name.endswith(ending)]
        made = [self._owner_name] if self._is_constructor and self._owner_name and not self._signs else []
        return list(dict.fromkeys((name, *shorter, *made, *sorted(self._constructing), *self._signs)))

    @once
    def _signs(self) -> Sequence[str]:
        """Return the signs by which the symbol may be called without its name."""
        scoping = scoping_of(self._target.path)
        return scoping.signs_of(self._target.first.name) if scoping is not None and self._target.callable else ()

    def _spelling(self, name: str) -> str:
        """Return a name as ``Index.facts`` takes it; empty where a string alone or an import may mean the symbol.

        Where strings may hold names (annotations in quotes) that of a member has what it is a member of before it.
        """
        scoping = scoping_of(self._target.path)
        if name in self._signs or is_shared(self._target.path, name):
            return ""
        if scoping is None or not scoping.quotes:
            return name
        return f".{name}" if self._owner_name else ""

    def _resolvable(self, name: str, paths: Sequence[str]) -> Iterator[tuple[str, Facts | None]]:
        """Yield files with their facts until the patience ends; the others are left.

        None stands for the facts of a file that does not use the name.
        """
        waiting, slow, spelling = deque(paths), deque[str](), self._spelling(name)
        limit, done = patience.current(), 0
        while waiting or slow:
            cancellation.check()
            batch = self._batch(waiting, slow) if waiting else [slow.popleft()]
            if self._project.late:
                _note(self._left, (*batch, *waiting, *slow), name)
                return
            unused = self._project.prepare(batch, spelling)
            for path in batch:
                facts = self._project.facts(path) if path not in unused else None
                if facts is not None or path in unused:
                    self._examined_bytes += self._index.size(path)
                    yield path, facts
                else:
                    _note(self._left if self._question.refused() else self._unparsed, [path], name)
            done += len(batch)
            limit.advance(done, len(paths))

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

    def _candidates(self, name: str) -> Candidates:
        """Return the files that hold the symbol under a name; a local name is visible in its own file alone."""
        home = self._target.path
        if name in self._constructing:
            return Candidates(self._running(), ())
        sees = home.__eq__ if self._is_local() else self._sees
        owner = "" if self._owner_name.startswith(NAMELESS) else self._owner_name
        if name in self._signs:
            return with_signs(self._index, name, home, owner, sees, self._within, self._target.first.name)
        return candidates(self._index, name, home, owner, sees, self._within)

    @once
    def _constructing(self) -> frozenset[str]:
        """Return the keywords that run the constructor which is looked for."""
        scoping = scoping_of(self._target.path)
        return scoping.constructing if scoping is not None and self._is_constructor else frozenset()

    def _running(self) -> list[str]:
        """Return the files in which a keyword may run the constructor: they name its type, or inherit from it."""
        home, owner = self._target.path, self._owner_name
        inheriting = self._index.related.inheriting((owner,))
        naming = candidates(self._index, owner, home, "", None, self._within).visible
        return list(dict.fromkeys((home, *related(inheriting, family(home)), *naming)))

    @property
    def _owner_name(self) -> str:
        """Return how the type is called that has the symbol; empty where it is no member."""
        return self._target.name.rpartition(".")[0].rpartition(".")[2]

    @once
    def _sees(self) -> Callable[[str], bool] | None:
        return seeing(self._index, self._target)

    def _is_local(self) -> bool:
        """Return whether only the file that defines the symbol can use it: it belongs to a function, or to a block."""
        facts = self._project.facts(self._target.path)
        binding = facts.at(self._target.name) if facts is not None else None
        if facts is None or binding is None or binding.scope <= 0:
            return False
        if facts.scopes[binding.scope].kind not in (ScopeKind.Function, ScopeKind.Block):
            return False
        container = self._target.first.container
        around = defined(self._index, [(self._target.path, container)]) if container else []
        return all(part.kind in CALLABLE for one in around for part in one.definitions)

    def _aliases(self, path: str, facts: Facts, name: str) -> frozenset[str]:
        """Return the other names under which this file imports the symbol."""
        return frozenset(
            imported.alias
            for imported in facts.imports
            if imported.name == name
            and imported.alias not in (name, "")
            and not imported.alias.startswith(WRITTEN)
            and self._means(self._question.resolver.follow(path, imported))
        )

    def _means(self, meaning: Meaning | None) -> bool:
        return meaning is not None and name_of(meaning) in self._declared

    def _is_declaration(self, path: str, use: Use) -> bool:
        """Return whether a use is the declaration of the symbol, where no outline lists it."""
        first = self._target.first
        here = path == self._target.path and (use.line, use.column) == (first.line, first.column)
        return here and use.role is not Role.Definition

    def _is_embedded(self, meanings: Sequence[Meaning]) -> bool:
        """Return whether a use means a field that is called by the type which the symbol is."""
        if self._target.first.kind not in CLASS_LIKE:
            return False
        return any(self._means(one) for meaning in meanings for one in embedded_types(self._question, meaning))

    def _is_kind(self, path: str, use: Use) -> bool:
        """Tell whether a use may mean the symbol, where something else has its dotted name or may have it."""
        if use.role is Role.Import:
            return True
        if self._namesake is None:
            return not (self._is_field_apart and use.role is Role.Call and self._before(path, use).endswith("."))
        if use.role is Role.Definition:
            other = self._namesake.definitions if path == self._target.path else ()
            return not any((one.line, one.column) == (use.line, use.column) for one in other)
        if values_apart(self._target.path):
            return self._means_type(path, use) in (None, side(self._target))
        called = use.role is Role.Call or self._before(path, use).endswith("::")
        return called is self._target.callable

    def _means_type(self, path: str, use: Use) -> bool | None:
        """Return whether a use means a type; None where it may mean a value as well, as an export does."""
        before = self._before(path, use)
        if use.role is not Role.Inherit:
            return None if before.endswith(_EXPORTS) else use.role is Role.Type
        types = "implements" in before or "interface" in before
        return types if types or "class" in before else None

    def _before(self, path: str, use: Use) -> str:
        """Return what stands before a use in its line."""
        if path not in self._lines:
            source = self._index.try_read(path)
            self._lines[path] = source.lines() if source is not None else []
        lines = self._lines[path]
        return lines[use.line - 1][: use.column - 1] if use.line <= len(lines) else ""

    @once
    def _is_field_apart(self) -> bool:
        """Tell whether the symbol is a field that no call of a member means."""
        return self._target.first.kind is SymbolKind.Field and fields_apart(self._target.path)

    @once
    def _namesake(self) -> Target | None:
        """Return the other symbol of the same dotted name: a method beside a field, a value beside a type."""
        if not (fields_apart(self._target.path) or values_apart(self._target.path)):
            return None
        named = defined(self._index, [(self._target.path, self._target.name)])
        mine = self._target.definitions
        return next((target for target in named if not any(one in mine for one in target.definitions)), None)

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
        exports = name != self._target.first.name and path == self._target.path and is_shared(path, name)
        uses = filter(partial(self._is_kind, path), facts.uses.get(name, ()))
        for use in (one for one in uses if not exports or one.role is Role.Import):
            meanings = self._question.resolver.resolve(path, name, use)
            container = facts.around(use.scope)
            found = self._certain(path, facts, name, use, meanings) or self._uncertain(path, facts, name, use, meanings)
            if self._is_another_overload(path, facts, use, meanings):
                continue
            if found is None or found[0] is Tier.Name:
                owned = (one for one in meanings if isinstance(one, Defined) and "." in one.name)
                yield from (Override(path, use.line, one.name) for one in owned if use.role is Role.Definition)
            if found is not None:
                yield Found(path, name, use._replace(role=self._role(path, use, *found)), *found, container)

    def _role(self, path: str, use: Use, tier: Tier, reason: Reason) -> Role:
        """Return what an occurrence does: a method that gives a value to an attribute of a base declares nothing."""
        if self._is_declaration(path, use):
            return Role.Definition
        if self._is_constructor and reason is Reason.Receiver and use.role is Role.Read:
            return Role.Call
        assigned = use.role is Role.Definition and reason is Reason.Receiver and tier is not Tier.Name
        return Role.Write if assigned else use.role

    def _certain(
        self, path: str, facts: Facts, name: str, use: Use, meanings: Sequence[Meaning]
    ) -> tuple[Tier, Reason] | None:
        """Return how sure it is that an occurrence means the symbol, and why; None where it is not known to."""
        if self._is_declaration(path, use):
            return Tier.Exact, Reason.Definition
        meant = next((meaning for meaning in meanings if self._means(meaning)), None)
        if meant is not None:
            reason = meant.reason if isinstance(meant, Defined) else Reason.Receiver
            runs = name in self._constructing
            return self._tier_of_construction(path, facts, use) if runs else self._tier(path, use, meant), reason
        if self._is_construction(path, use, meanings):
            return self._tier_of_construction(path, facts, use), Reason.Receiver
        if name == self._target.first.name and self._is_embedded(meanings):
            return Tier.Exact, Reason.Receiver
        return None

    def _uncertain(
        self, path: str, facts: Facts, name: str, use: Use, meanings: Sequence[Meaning]
    ) -> tuple[Tier, Reason] | None:
        """Return how likely it is that an occurrence means the symbol, and why; None where it means another one."""
        own_name = name == self._target.first.name
        if use.role is not Role.Definition:
            if not _is_local(meanings) and self._may_be_bound(path, facts, name, use):
                return Tier.Likely, Reason.Import
            if own_name and not meanings:
                likely = self._is_likely(path, facts, use)
                return (Tier.Likely, Reason.Receiver) if likely else (Tier.Name, Reason.Name)
        if own_name and not self._proof.is_another(path, facts, name, use, meanings):
            return Tier.Name, Reason.Name
        return None

    @once
    def _is_constructor(self) -> bool:
        return constructs(self._target)

    def _is_construction(self, path: str, use: Use, meanings: Sequence[Meaning]) -> bool:
        """Return whether a use makes an object of the type whose constructor the symbol is."""
        if not self._is_constructor or not any(
            isinstance(one, Defined) and any(part.same(one) for part in self._owner) for one in meanings
        ):
            return False
        return (
            use.role in (Role.Call, Role.Decorator)
            or use.receiver == _INITIALIZED
            or (bool(self._constructing) and self._after(path, use).startswith("::new"))
        )

    def _after(self, path: str, use: Use) -> str:
        """Return what stands after a use in its line, and after its type arguments."""
        self._before(path, use)
        lines = self._lines[path]
        text = lines[use.line - 1][use.end_column - 1 :] if use.line <= len(lines) else ""
        return text[text.find(">::") + 1 :] if text.startswith("<") else text

    @once
    def _overloads(self) -> Overloads | None:
        """Return the constructors of the type, where not all of them are asked about."""
        overloads = Overloads(self._index, self._question, self._target) if self._constructing else None
        return overloads if overloads is not None and overloads.are_several else None

    def _is_another_overload(self, path: str, facts: Facts, use: Use, meanings: Sequence[Meaning]) -> bool:
        """Return whether a use runs or declares a constructor of the type that is not asked about."""
        if self._overloads is None or not (
            any(map(self._means, meanings)) or self._is_construction(path, use, meanings)
        ):
            return False
        return self._overloads.fit(path, facts, use) is Fit.Excluded

    def _tier_of_construction(self, path: str, facts: Facts, use: Use) -> Tier:
        """Return how sure it is that a construction runs the constructor that is asked about."""
        if self._overloads is None or self._overloads.fit(path, facts, use) is Fit.Sure:
            return Tier.Exact
        return Tier.Likely

    @once
    def _proof(self) -> Proof:
        return Proof(self._index, self._question, self._target)

    def _may_be_bound(self, path: str, facts: Facts, name: str, use: Use) -> bool:
        """Return whether one of several imports that bind a bare name binds it to the symbol: a condition decides."""
        if use.receiver != BARE or use.imported >= 0 or use.role is Role.Definition:
            return False
        imports = [facts.imports[one.imported] for one in facts.named(name) if one.imported >= 0]
        return len(facts.named(name)) > 1 and any(
            self._means(self._question.resolver.follow(path, one)) for one in imports
        )

    def _tier(self, path: str, use: Use, meant: Meaning) -> Tier:
        """Tell how sure a use is that may mean the symbol: it may be from outside, or name what this implements."""
        values = self._question.resolver.values
        declares = use.role in (Role.Definition, Role.Import)
        named = not declares and isinstance(meant, Defined) and values.interfaces.implements(meant)
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
        if use.taken and scoping is not None and scoping.signs:  # types from outside have most operators
            return False
        common = scoping is not None and name in scoping.common
        if self._owners == 1 and not common:
            return True
        owner = owner.rpartition(".")[2]
        return 0 < self._owners <= _FEW_OWNERS and (owner in facts.uses or bool(facts.named(owner)))

    @once
    def _owners(self) -> int:
        """Return how many types have a member of the name, 0 where they are too many to count."""
        name = self._target.first.name
        if self._owner_name.startswith(NAMELESS) or self._index.count_defining(name) > _MOST_OWNING:
            return 0
        found = self._index.names.exact(name)
        home = family(self._target.path)
        members = {(hit.file.path, hit.definition.container) for hit in found.hits if family(hit.file.path) == home}
        whole = not found.more and found.total == len(found.hits)
        return len([container for _, container in members if container]) if whole else 0


def _is_local(meanings: Sequence[Meaning]) -> bool:
    """Return whether a use surely means a local name."""
    return bool(meanings) and all(isinstance(one, Elsewhere) and bool(one.path) for one in meanings)


def _note(files: dict[str, dict[str, None]], paths: Iterable[str], name: str) -> None:
    """Note a name among those that were looked for in vain in some files."""
    for path in paths:
        files.setdefault(path, {})[name] = None


def _undecided(path: str, name: str, token: Token) -> Found:
    """Return a token of which no rule says what it is."""
    use = Use(token.line, token.column, token.column + len(name), 0, Role.Other, BARE, -1)
    return Found(path, name, use, Tier.Name, Reason.Name, "")


def _shortened(line: str) -> str:
    return line if len(line) <= _LONGEST_TEXT else f"{line[:_LONGEST_TEXT]}..."


def _order(found: Found, home: str) -> tuple[int, bool, str, int, int]:
    return (_TIERS.index(found.tier), found.path != home, found.path, found.use.line, found.use.column)
