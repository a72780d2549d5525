"""All uses of a name that the call of a macro declares, and the account of the tokens that spell it.

A use means the name where the macros that its file sees make it of the same word. The word spells another name, so it
is a use under another name: the definition.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace

from leadline_tools import cancellation
from leadline_tools.account import Account, Omission, Omitted, TokenPosition
from leadline_tools.index.index import Index
from leadline_tools.languages import language_in, language_name, semantics_of
from leadline_tools.languages.facts import Use
from leadline_tools.languages.prose import is_prose
from leadline_tools.languages.terms import BARE
from leadline_tools.model import Reason, Role, Tier
from leadline_tools.resolve.addresses.file_position import FilePosition
from leadline_tools.resolve.bindings.local import local_meant
from leadline_tools.resolve.bindings.macro_names import DeclaringCalls, MacroName, is_name_of_macro
from leadline_tools.resolve.occurrences.candidate_files import secret_code
from leadline_tools.resolve.occurrences.tokens import FileKind, count_tokens, kind_of, tokens_of
from leadline_tools.resolve.project.resolved_uses import ResolvedUse
from leadline_tools.resolve.question import Question, asking
from leadline_tools.resolve.references.omissions import omit, omit_unreadable
from leadline_tools.resolve.references.undecided import undecided_token


@dataclass
class MacroNameUses:
    """What was found of a name that a macro declares.

    Args:
        found: Its uses, the word of which it is made first; those of which nothing could be proved last.
        other: How many tokens mean something else.
        text: How many tokens are text.
        unread: The files that hold the name, by why they were not examined.
        namesakes: Names that are called so and that macros make of other words, in the files that were examined.
        account: How many tokens spell the name, by what they are.

    """

    found: list[ResolvedUse] = field(default_factory=list)
    other: int = 0
    text: int = 0
    unread: dict[Omission, list[str]] = field(default_factory=dict)
    namesakes: dict[FilePosition, MacroName] = field(default_factory=dict)
    account: Account = Account()

    def add(self, of_file: MacroNameUses) -> None:
        """Add what was found in one file."""
        self.found += of_file.found
        self.other += of_file.other
        self.text += of_file.text
        for reason, paths in of_file.unread.items():
            self.unread.setdefault(reason, []).extend(paths)
        self.namesakes.update(of_file.namesakes)


def macro_name_uses(index: Index, of: MacroName, within: Collection[str] | None) -> MacroNameUses:
    """Return the uses of a name that a macro declares, in some files or in all, and the account of its name."""
    index = index.of(of.given.path)
    known = MacroNameUses()
    paths = [one for one in index.words.files_with((of.name,), spelled=True) if within is None or one in within]
    with asking(index) as question:
        for path in paths:
            cancellation.check()
            of_file = _examine(index, question, path, of) if not question.project.late else None
            if of_file is None or question.refused():  # what was not known in time might have been what it means
                of_file = MacroNameUses(unread={Omission.Late: [path]})
            known.add(of_file)
    for path in index.words.large_files:
        if within is None or path in within:
            _count_in_large(index, path, of, known)
    secret = [path for path in secret_code(index, of.given.path) if within is None or path in within]
    ordered = sorted(known.found, key=lambda one: (one.tier is Tier.Name, one.path, one.use.line, one.use.column))
    definition = _definition(of) if within is None or of.given.path in within else []
    definition = [one for one in definition if _place(one) not in set(map(_place, ordered))]
    account = _account(index, of, ordered, len(definition), known, secret)
    return replace(known, found=[*definition, *ordered], account=account)


def _examine(index: Index, question: Question, path: str, of: MacroName) -> MacroNameUses:
    """Return what the tokens of a file are that spell the name."""
    source = index.try_read(path)
    if source is None:
        return MacroNameUses(unread={Omission.Unreadable: [path]})
    tokens = tokens_of(source, of.name)
    code = [token for token in tokens if not token.is_text]
    known = MacroNameUses(text=len(tokens) - len(code))
    home, semantics = language_in(of.given.path, b""), semantics_of(path)
    if semantics is None or semantics.macros.entries is None:
        undecided = kind_of(source, home, hidden=False) is FileKind.Unruled
        known.found += [undecided_token(path, of.name, token) for token in code if undecided]
        known.other += 0 if undecided else len(code)
        return known
    facts = question.project.facts(path) if code else None
    if facts is None and code:
        return MacroNameUses(unread={Omission.Unparsed: [path]})
    uses = {(use.line, use.column): use for use in (facts.uses.get(of.name, ()) if facts is not None else ())}
    calls = DeclaringCalls.find(question, path, of.name) if uses else None
    for token in code:
        use = uses.get((token.line, token.column))
        meant = calls.meant(use) if calls is not None and use is not None else None
        if use is not None and _means_another(question, path, of.name, use):
            known.other += 1
        elif use is None or meant is None or not is_name_of_macro(use):
            known.found.append(undecided_token(path, of.name, token))
        elif meant.given != of.given:
            known.other += 1
            known.namesakes[meant.given] = meant
        else:
            container = facts.around(use.scope) if facts is not None else ""
            known.found.append(ResolvedUse(path, of.name, use, Tier.Exact, Reason.Scope, container))
    return known


def _count_in_large(index: Index, path: str, of: MacroName, known: MacroNameUses) -> None:
    """Note how often a file that is too large for the index has the name."""
    with index.tree.reading() as reader:
        number = count_tokens(reader.text(path), of.name)
    if is_prose(path, language_name(path)):
        known.text += number
    elif number:
        known.unread.setdefault(Omission.Large, []).append(path)


def _means_another(question: Question, path: str, name: str, use: Use) -> bool:
    """Return whether a use means what something else than a macro declares."""
    resolved = question.resolver.resolve(path, name, use)
    return len(resolved) > 0 or local_meant(question, path, name, use) is not None


def _definition(of: MacroName) -> list[ResolvedUse]:
    line, column = of.given.line, of.given.column
    use = Use(line, column, column + len(of.word), 0, Role.Definition, BARE, -1)
    return [ResolvedUse(of.given.path, of.word, use, Tier.Exact, Reason.Definition, "", spelled=False)]


def _place(one: ResolvedUse) -> TokenPosition:
    return one.path, one.use.line, one.use.column


def _account(
    index: Index, of: MacroName, found: Sequence[ResolvedUse], aliased: int, known: MacroNameUses, secret: Sequence[str]
) -> Account:
    meant = frozenset(_place(one) for one in found if one.tier is Tier.Exact)
    undecided = frozenset(_place(one) for one in found if one.tier is Tier.Name)
    return Account(
        exact=len(meant),
        other=known.other,
        undecided=len(undecided),
        text=known.text,
        not_examined=tuple(_omissions(index, of, known, secret)),
        aliased=aliased,
        binary=len(index.files.binary),
        meant_at=meant,
        undecided_at=undecided,
    )


def _omissions(index: Index, of: MacroName, known: MacroNameUses, secret: Sequence[str]) -> Iterator[Omitted]:
    for reason, paths in known.unread.items():
        if reason is Omission.Unreadable:
            yield from omit_unreadable(paths)
        else:
            yield from omit(index, reason, {path: [of.name] for path in paths})
    if secret:
        yield Omitted(Omission.Secret, len(secret), len(secret), secret[0])
