"""All uses of a symbol, and the account of every token that spells its name.

Candidate files come from the text index; each occurrence in them is resolved, and aliases are followed. Files are
examined likeliest first until the patience of the call ends. What was found is kept, so a later answer on the same
state of the tree contains an earlier one; what is left is counted, and its facts are computed in the background.
"""

from __future__ import annotations

import time
from collections import Counter, deque
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from leadline_tools import cancellation, patience
from leadline_tools.account import Account, Omission, Omitted
from leadline_tools.index.index import Index
from leadline_tools.index.text.scan import finder
from leadline_tools.index.text.source_text import Source
from leadline_tools.index.tree.marks import is_product
from leadline_tools.languages import UNKNOWN, has_regions, language_in, language_name, semantics_of
from leadline_tools.languages.facts import Facts
from leadline_tools.languages.language import Language
from leadline_tools.languages.outline import CALLABLE, CLASS_LIKE
from leadline_tools.languages.prose import is_prose
from leadline_tools.model import Reason, Tier
from leadline_tools.once import once
from leadline_tools.resolve.bindings.argument_names import attribute_uses, keyword_uses, named_by
from leadline_tools.resolve.bindings.promoted_parameters import parameter_uses, variables
from leadline_tools.resolve.hierarchy.implementations import fitting
from leadline_tools.resolve.occurrences.candidate_files import secret_code, total_size
from leadline_tools.resolve.occurrences.component_attributes import kebab_attributes
from leadline_tools.resolve.occurrences.tokens import FileKind, count_tokens, find_named, kind_of, places_of, tokens_of
from leadline_tools.resolve.overloads.override_shapes import OverrideShapes
from leadline_tools.resolve.project.resolution import SymbolRef
from leadline_tools.resolve.project.resolved_uses import FileUses, Override, ResolvedUse, SearchKey, account_of_uses
from leadline_tools.resolve.question import Question, asking
from leadline_tools.resolve.references.omissions import is_unreadable, omit, omit_unreadable
from leadline_tools.resolve.references.string_keys import StringKeys
from leadline_tools.resolve.references.symbol_names import SymbolNames
from leadline_tools.resolve.references.undecided import places_of_longer_names, undecided_token
from leadline_tools.resolve.references.written_names import written_uses
from leadline_tools.resolve.symbols.defined_symbol import DefinedSymbol, load_symbols
from leadline_tools.resolve.tiers.use_tiers import UseTiers
from leadline_tools.resolve.types.type import Type

_LEXED_BYTES = 64 << 20
"""Bytes of files that cannot name the symbol in which comments and strings are separated from code. In more than that,
every token counts as one that means something else: a comment there cannot make an answer wrong, and to read them all
would take seconds."""

_BATCH_FILES = 32
_BATCH_BYTES = 128 << 10
"""Bytes of a batch: what two workers resolve in about a fifth of a second, and two looks at the clock lie apart."""

_SLOW_BYTES = 256 << 10
"""Bytes of a file that takes longer than a batch: it comes last."""

_MOST_OTHERS = 5
"""Other symbols that the account names."""


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

    found: list[ResolvedUse]
    overriding: list[Override]
    unread: list[str]
    late: int
    account: Account
    seconds: float = 0.0

    def decided_again(self, found: list[ResolvedUse]) -> References:
        """Return the same after somebody else has decided uses: those that are not in ``found`` mean something else."""
        dropped = sum(one.spelled for one in self.found) - sum(one.spelled for one in found)
        return replace(self, found=found, account=account_of_uses(found, self.account, self.account.other + dropped))


def references(
    index: Index, target: DefinedSymbol, within: Collection[str] | None = None, question: Question | None = None
) -> References:
    """Return the occurrences that mean ``target`` or may mean it, and the account of its name.

    With ``within``, those in some files alone. Without a question that they are a part of they are one of their own.
    """
    if question is None:
        with asking(index) as asked:
            return references(index, target, within, asked)
    return _Search(index, target, within, question).run()


def _may_be_property(target: DefinedSymbol) -> bool:
    return bool(target.first.owner) or has_regions(target.path)


class _Search:
    """One search: the names under which the symbol goes, and the files that were examined for each."""

    def __init__(self, index: Index, target: DefinedSymbol, within: Collection[str] | None, question: Question) -> None:
        self._index = index
        self._target = target
        self._within = within
        self._question, self._project = question, question.project
        self._left: dict[str, dict[str, None]] = {}
        self._namesakes: list[Override] = []
        self._uses = UseTiers(index, target, question)
        self._string_keys = StringKeys(self._uses.symbol, question)
        self._known_as = SymbolNames(index, self._uses.symbol, question, within)
        self._unparsed: dict[str, dict[str, None]] = {}
        self._unreadable: dict[str, None] = {}
        self._large: dict[str, int] = {}
        self._examined_bytes = 0
        self._began = time.monotonic()

    def run(self) -> References:
        """Look for the symbol under its own name, then under each name that it is imported as."""
        found: dict[tuple[str, int, int], ResolvedUse] = {}
        other = text = 0
        other_symbols = Counter[str]()
        names = self._known_as.names()
        looked_for = set(names)
        while names:
            spelled = names.pop()
            for path, file_uses in self._file_uses(spelled):
                names += file_uses.aliases - looked_for
                looked_for |= file_uses.aliases
                self._namesakes += file_uses.namesakes
                other += file_uses.other
                text += file_uses.text
                other_symbols.update(dict(file_uses.other_symbols))
                for one in file_uses.uses:
                    key = path, one.use.line, one.use.column
                    if key not in found or one.spelled or not found[key].spelled:
                        found[key] = one
        index, question, target = self._index, self._question, self._target
        by_argument = keyword_uses(index, question, target), attribute_uses(index, question, target)
        for one in (*parameter_uses(question, target), *by_argument[0], *by_argument[1]):
            place = one.path, one.use.line, one.use.column
            if self._is_wanted(one.path) and place not in found:
                found[place] = one
                other -= 1  # as the variable that it is
        in_components = kebab_attributes(index, target.path, target.first.name) if _may_be_property(target) else ()
        found.update(
            ((one.path, one.use.line, one.use.column), one) for one in in_components if self._is_wanted(one.path)
        )
        overriding = self.overriding()
        omitted = (
            *self._omit(Omission.Late, self._left),
            *self._omit_elsewhere(),
            *self._omit(Omission.Unparsed, self._unparsed),
            *omit_unreadable(list(filter(self._is_wanted, self._unreadable))),
            *self._omit_large(),
            *self._omit_secrets(),
        )
        self._index.facts.request(self._left)
        ordered = _in_order(found.values(), self._target.path)
        binary = sum(map(self._is_wanted, self._index.files.binary))
        known = Account(
            text=text, not_examined=omitted, binary=binary, other_symbols=tuple(other_symbols.most_common(_MOST_OTHERS))
        )
        account = account_of_uses(ordered, known, other)
        late = sum(one.files for one in omitted if one.reason is Omission.Late)
        unread = [path for path in self._unparsed if self._is_wanted(path)]
        return References(ordered, overriding, unread, late, account, self._seconds_left())

    def _seconds_left(self) -> float:
        """Return about how long the files take that were not examined, at the rate of those that were."""
        left = total_size(self._index, self._left)
        elapsed = time.monotonic() - self._began
        return elapsed * left / self._examined_bytes if left and self._examined_bytes else 0.0

    def _omit(self, reason: Omission, names: Mapping[str, Iterable[str]]) -> Iterator[Omitted]:
        """Yield the tokens that were not examined for a reason, in the files that are asked about.

        A file that was to be searched for another name of the symbol alone has no tokens of the account.
        """
        wanted = {path: self._known_as.spellings.intersection(names[path]) for path in names if self._is_wanted(path)}
        yield from omit(self._index, reason, {path: wanted[path] for path in wanted if wanted[path]})
        if others := [path for path in wanted if not wanted[path]]:
            yield Omitted(reason, 0, len(others), others[0])

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
        if not any(one.name for one in self._uses.symbol.owner):
            return []
        known = self._question.use_cache.overriding(self._search_key(self._target.first.name))
        heirs = self._may_have_heirs()
        new = {one: heirs and self._inherits(one) for one in self._namesakes if one not in known}
        if not self._question.refused():
            known.update(new)
        fitting = self._structural(self._namesakes)
        shapes = OverrideShapes(self._index, self._target)
        found = [one for one in self._namesakes if new.get(one) or known.get(one) or one in fitting]
        return [one for one in found if shapes.may_override(one)]

    def _structural(self, members: Sequence[Override]) -> Collection[Override]:
        """Return those of some members whose types have all methods of the interface that has the symbol."""
        semantics = self._target.semantics
        if semantics is None or not semantics.members.structural or not self._target.callable:
            return ()
        named = {(one.path, one.name): one for one in members}
        found = fitting(self._index, self._target, self._question, load_symbols(self._index, list(named)))
        return {named[one.path, one.name] for one in found}

    def _may_have_heirs(self) -> bool:
        """Return whether a type of the code base may inherit from the one that has the symbol; most have none."""
        semantics = self._target.semantics
        root = semantics.members.root_type if semantics is not None else ""
        if root and self._uses.symbol.owner_name == root:
            return True
        return any(map(self._question.project.subtype_names.may_be_inherited, self._uses.symbol.owner))

    def _inherits(self, member: Override) -> bool:
        evaluator = self._question.resolver.evaluator
        implemented = evaluator.interfaces.implemented_at(member.path, member.name, (member.line,))
        if implemented is not None:
            return any(part.same(one) for one in implemented for part in self._uses.symbol.owner)
        owner, interface = evaluator.explicit_members.owner(member.path, member.name)
        of, other = (SymbolRef(one.path, one.name, Reason.Receiver) for one in (self._target, member))
        if interface not in ("", self._uses.symbol.owner_name) or evaluator.definitions.are_apart(of, other):
            return False
        above = evaluator.inheritance.mro(Type(owner))[1:]
        return any(part.same(one.origin) for one in above for part in self._uses.symbol.owner)

    def _omit_secrets(self) -> Iterator[Omitted]:
        """Yield the secret files that may hold code: not even how often they hold the name is said of them."""
        paths = list(filter(self._is_wanted, secret_code(self._index, self._target.path)))
        if paths:
            yield Omitted(Omission.Secret, len(paths), len(paths), paths[0])

    def _is_wanted(self, path: str) -> bool:
        """Return whether uses in a file are asked for."""
        return self._within is None or path in self._within

    def _file_uses(self, name: str) -> Iterator[tuple[str, FileUses]]:
        """Yield what each file that holds a name has of the symbol: what is known already, then the rest in time."""
        key, use_cache = self._search_key(name), self._question.use_cache
        known, found = use_cache.of(key), self._known_as.candidate_files(name)
        for path in found.among(known) if known else ():
            yield path, known[path] if self._is_wanted(path) else FileUses(aliases=known[path].aliases)
        waiting = [path for path in found.visible if path not in known]
        for path, facts in self._resolvable(name, waiting):
            file_uses = self._examine(path, facts, name)
            if file_uses is None:
                self._unreadable[path] = None
                continue
            if self._question.refused():
                _note(self._left, [path], name)  # what was not known in time might have been what it means
                continue
            if self._is_wanted(path):
                use_cache.put(key, path, file_uses)
            yield path, file_uses
        if name in self._known_as.spellings:
            yield from self._others(name, found.others, known, key)
            yield from self._too_large(name, known, key)

    def _others(
        self, name: str, paths: Sequence[str], known: Mapping[str, FileUses], key: SearchKey
    ) -> Iterator[tuple[str, FileUses]]:
        """Yield what the files have of the name in which the symbol cannot be named, or is not resolved."""
        lexed = total_size(self._index, paths) <= _LEXED_BYTES
        for path in paths:
            file_uses = known.get(path)
            if file_uses is None:
                cancellation.check()
                if self._project.late:
                    _note(self._left, [path], name)
                    continue
                file_uses = self._account_for(path, name, lexed=lexed)
                if file_uses is None:
                    self._unreadable[path] = None
                    continue
                self._question.use_cache.put(key, path, file_uses)
            yield path, file_uses

    def _too_large(self, name: str, known: Mapping[str, FileUses], key: SearchKey) -> Iterator[tuple[str, FileUses]]:
        """Yield what the files without code have of the name that are too large for the index; code is omitted."""
        for path in filter(self._is_wanted, self._index.words.large_files):
            file_uses = known.get(path)
            if file_uses is None:
                cancellation.check()
                if self._project.late:
                    _note(self._left, [path], name)
                    continue
                language = language_name(path)
                number = self._count(path, name, unread=int(language != UNKNOWN))
                if number and not is_prose(path, language):
                    self._large[path] = self._large.get(path, 0) + number
                    continue
                file_uses = FileUses(text=number)
                self._question.use_cache.put(key, path, file_uses)
            yield path, file_uses

    def _count(self, path: str, name: str, unread: int) -> int:
        """Return how often a file holds a name; ``unread`` for one that is too large to be read at all."""
        with self._index.tree.reading() as reader:
            raw = reader.raw(path)
            if raw is None:
                return unread
            return count_tokens(reader.text(path), name) if finder(name, word=True).may_hold(raw) else 0

    def _account_for(self, path: str, name: str, *, lexed: bool) -> FileUses | None:
        """Return what the tokens of a file are that cannot name the symbol, or whose names are not resolved.

        None stands for a file that cannot be read.
        """
        source = self._index.try_read(path)
        if source is None:
            return None if is_unreadable(self._index, path) else FileUses()
        hidden = self._known_as.is_local() or (self._known_as.sees is not None and not self._known_as.sees(path))
        kind = kind_of(source, self._language, hidden=hidden)
        if kind is FileKind.Foreign and not lexed and not has_regions(path):
            return FileUses(other=count_tokens(source.content, name))
        tokens = tokens_of(source, name)
        text = sum(token.is_text for token in tokens)
        code = [token for token in tokens if not token.is_text]
        keys = self._keys(source, name)
        undecided = code if kind is FileKind.Unruled else [token for token in code if token.is_undecided]
        found = [*(undecided_token(path, name, token) for token in undecided), *keys]
        return FileUses(found, other=len(code) - len(undecided), text=text - len(keys))

    @once
    def _language(self) -> Language | None:
        return language_in(self._target.path, self._target.source.content)

    def _search_key(self, name: str) -> SearchKey:
        apart = self._uses.constructions.overloads or self._uses.overloads or self._uses.has_other_side
        places = [f"{one.line}:{one.column}" for one in self._target.definitions] if apart else []
        kinds = frozenset(one.kind for one in self._target.definitions)
        return SearchKey(self._target.path, " ".join([self._target.name, *places]), kinds, name)

    def _examine(self, path: str, facts: Facts | None, name: str) -> FileUses | None:
        """Return what a file has of the symbol, and what else its tokens are; None where it cannot be read.

        Without facts no code of it has the name.
        """
        if not self._is_wanted(path):
            return FileUses(aliases=self._uses.symbol.aliases(path, facts, name) if facts is not None else frozenset())
        source = self._project.sources.get(path)
        if source is None and is_unreadable(self._index, path):
            return None
        if source is not None and name == self._known_as.written:
            return written_uses(self._target, source, name)
        places = places_of(source, name) if source is not None else frozenset()
        if facts is None:
            keys = self._keys(source, name)
            own = name == self._target.first.name  # the account is of that alone
            return FileUses(keys, text=len(places) - len(keys) if own else 0)
        uses: dict[tuple[int, int], ResolvedUse] = {}
        namesakes: list[Override] = []
        arguments = {(one.line, one.column) for one in facts.arguments.get(name, ())}
        alone = self._known_as.is_named_by_arguments_alone(path)
        self._uses.other_symbols.clear()
        for one in self._uses.uses(path, facts, name):
            if isinstance(one, ResolvedUse):
                place = one.use.line, one.use.column
                if alone and place not in arguments:
                    continue
                decided = self._decide_argument(one, name) if place in arguments else one
                if decided is not None:
                    spelled = place in places or not decided.spelled
                    uses[place] = decided if spelled else replace(decided, spelled=False)
            else:
                namesakes.append(one)
        aliases = self._uses.symbol.aliases(path, facts, name)
        if name != self._target.first.name:
            return FileUses([replace(one, spelled=False) for one in uses.values()], aliases, namesakes)
        resolved = {(use.line, use.column) for use in facts.uses.get(name, ())} | arguments
        resolved |= variables(path, facts, name, self._target.first.kind) | places_of_longer_names(path, facts, name)
        rest = places - uses.keys()
        unknown = rest - resolved
        named, keywords = find_named(source, name, unknown) if source is not None and unknown else ((), 0)
        keys = self._keys(source, name)
        undecided = (
            self._uses.dotted_use(path, facts, name, token) or undecided_token(path, name, token) for token in named
        )
        found = [*uses.values(), *undecided, *keys]
        other, text = len(rest) - len(unknown) + keywords, len(unknown) - keywords - len(named) - len(keys)
        return FileUses(found, aliases, namesakes, other, text, list(self._uses.other_symbols.items()) if other else ())

    def _keys(self, source: Source | None, name: str) -> list[ResolvedUse]:
        """Return the strings of a file that may name the symbol as a key."""
        if source is None or name != self._target.first.name:
            return []
        return [undecided_token(source.path, name, token) for token in self._string_keys.tokens(source, name)]

    def _decide_argument(self, found: ResolvedUse, name: str) -> ResolvedUse | None:
        """Return the name of an argument as a use; None where it means a parameter, or a field of another type.

        It never means a function or a type.
        """
        semantics = semantics_of(found.path)
        if found.tier is Tier.Exact or semantics is None:
            return found
        if self._target.first.kind in CALLABLE | CLASS_LIKE:
            return None
        if semantics.calls.records is not None:
            return found  # all that is known of its call is known to whoever resolved it
        named = list(named_by(self._index, self._question, found.path, name, found.use))
        if not named:
            return found
        fields = (SymbolRef(one.path, one.name, Reason.Receiver) for one in named if isinstance(one, DefinedSymbol))
        means = any(map(self._uses.symbol.is_meant_by, fields))
        return replace(found, tier=Tier.Exact, reason=Reason.Receiver) if means else None

    def _resolvable(self, name: str, paths: Sequence[str]) -> Iterator[tuple[str, Facts | None]]:
        """Yield files with their facts until the patience ends; the others are left.

        None stands for the facts of a file that does not use the name.
        """
        waiting, slow, spelling = deque(paths), deque[str](), self._known_as.spelling(name)
        limit, done = patience.current(), 0
        while waiting or slow:
            cancellation.check()
            batch = self._batch(waiting, slow) if waiting else [slow.popleft()]
            if self._project.late:
                _note(self._left, (*batch, *waiting, *slow), name)
                return
            unused = self._project.prepare(batch, spelling)
            self._project.sources.read(list(filter(self._is_wanted, batch)))
            for path in batch:
                facts = self._project.facts(path) if path not in unused else None
                if facts is not None or path in unused:
                    self._examined_bytes += self._index.files.size(path)
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
            own = self._index.files.size(path)
            if own > _SLOW_BYTES and path != self._target.path:
                slow.append(path)
            else:
                batch.append(path)
                size += own
        return batch


def _note(files: dict[str, dict[str, None]], paths: Iterable[str], name: str) -> None:
    """Note a name among those that were looked for in vain in some files."""
    for path in paths:
        files.setdefault(path, {})[name] = None


def _in_order(found: Iterable[ResolvedUse], home: str) -> list[ResolvedUse]:
    """Return uses, surer ones before others, those in the product before those in tests and the like."""
    ranks = {tier: number for number, tier in enumerate(Tier)}
    by_path: dict[str, list[ResolvedUse]] = {}
    for one in found:
        by_path.setdefault(one.path, []).append(one)
    paths = sorted(by_path, key=lambda path: (path != home, not is_product(path), path))
    uses = [one for path in paths for one in sorted(by_path[path], key=_place)]
    return sorted(uses, key=lambda one: ranks[one.tier])


def _place(found: ResolvedUse) -> tuple[int, int]:
    return found.use.line, found.use.column
