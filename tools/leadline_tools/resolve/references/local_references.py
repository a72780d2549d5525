"""All uses of a local name: those in its scope, and the arguments that name it where it is a parameter."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from leadline_tools import cancellation
from leadline_tools.account import Account, Omission, Omitted
from leadline_tools.index.index import Index
from leadline_tools.languages import language_of
from leadline_tools.languages.facts import LABEL_MARK, Facts, Use
from leadline_tools.languages.terms import UNKNOWN
from leadline_tools.model import Reason, Role, Tier
from leadline_tools.resolve.bindings.local import (
    Local,
    bindings_of,
    function_of,
    may_be_named,
    unresolved_uses,
    uses_in_texts,
    uses_of,
)
from leadline_tools.resolve.occurrences.candidate_files import total_size
from leadline_tools.resolve.occurrences.tokens import count_tokens, find_named, places_of, tokens_of
from leadline_tools.resolve.project.resolved_uses import ResolvedUse
from leadline_tools.resolve.question import Question, asking
from leadline_tools.resolve.references.arguments import Arguments, arguments_of, decide_unknown

_COUNTED_BYTES = 64 << 20
"""Bytes of files in which tokens are counted that cannot mean a local name; in more the files are counted alone."""


@dataclass(frozen=True, slots=True)
class LocalReferences:
    """What was found of a local name.

    Args:
        found: Its uses, what binds it first; those of which nothing could be proved last.
        account: What the tokens are that spell it.

    """

    found: Sequence[ResolvedUse]
    account: Account


def local_references(index: Index, local: Local) -> LocalReferences:
    """Return the uses of a local name in its scope, and of a parameter those by its name in calls."""
    with asking(index) as question:
        facts = question.project.facts(local.path)
        inside = list(_inside(question, facts, local)) if facts is not None else []
        function = function_of(index, local) if may_be_named(index, local) else None
        functions = [function] if function is not None else []
        named = arguments_of(index, question, functions, [local]) if functions else Arguments()
        known = {(one.path, one.use.line, one.use.column) for one in inside}
        outside = [one for one in (*named.sure, *named.unsure) if (one.path, one.use.line, one.use.column) not in known]
        decided = {(one.use.line, one.use.column) for one in (*inside, *outside) if one.path == local.path}
        rest = (one for one in unresolved_uses(question, local) if (one.use.line, one.use.column) not in decided)
        left = decide_unknown(index, question, [local], rest)
        found = [
            *inside,
            *outside,
            *left,
            *uses_in_texts(index, question, local),
            *_undecided(index, facts, local, inside, is_named=function is not None),
        ]
        return LocalReferences(found, _account(index, local, found, named))


def _inside(question: Question, facts: Facts, local: Local) -> Iterator[ResolvedUse]:
    """Yield the uses in the scope of a local name, the place that binds it first as its definition."""
    bound = {(one.line, one.column) for one in bindings_of(facts, local)}
    first = min(bound, default=(0, 0))
    # A key that is a name at once is two uses at one place.
    uses = {(use.line, use.column): use for use in uses_of(question, local)}
    for use in sorted(uses.values(), key=lambda use: ((use.line, use.column) != first, use.line, use.column)):
        place = (use.line, use.column)
        role = Role.Definition if place == first else Role.Write if place in bound else use.role
        container = facts.around(use.scope)
        yield ResolvedUse(local.path, local.written, use._replace(role=role), Tier.Exact, Reason.Scope, container)


def _undecided(
    index: Index, facts: Facts | None, local: Local, inside: Sequence[ResolvedUse], *, is_named: bool
) -> Iterator[ResolvedUse]:
    """Yield the tokens of the file of which no meaning is known: no use of the facts, no text, nothing by its signs."""
    source = index.try_read(local.path)
    if source is None or facts is None:
        return
    named = (local.written, f"{local.written}{LABEL_MARK}")
    known = {(use.line, use.column) for name in named for use in facts.uses.get(name, ())}
    known |= {(one.use.line, one.use.column) for one in inside}
    language, lines = language_of(local.path), source.lines()
    is_no_variable = language.names.is_no_variable if language is not None else None
    unknown = places_of(source, local.written) - known
    for token in find_named(source, local.written, unknown)[0] if unknown else ():
        end = token.column + len(local.written)
        line = lines[token.line - 1] if token.line <= len(lines) else ""
        before, behind = line[: token.column - 1], line[end - 1 :]
        names_argument = is_named and behind.startswith(":")
        if is_no_variable is not None and not names_argument and is_no_variable(before, behind):
            continue
        use = Use(token.line, token.column, end, 0, Role.Other, UNKNOWN, -1)
        yield ResolvedUse(local.path, local.written, use, Tier.Name, Reason.Name, "")


def _account(index: Index, local: Local, found: Sequence[ResolvedUse], named: Arguments) -> Account:
    """Return what the tokens are that spell a local name: elsewhere nothing but an argument can mean it."""
    holding = index.words.files_with((local.word,), spelled=True)
    source = index.try_read(local.path)
    counted: Collection[str] = holding
    if total_size(index, holding) > _COUNTED_BYTES:
        counted = {local.path, *(one.path for one in found)}
    total = 0
    with index.tree.reading() as reader:
        for path in counted:
            cancellation.check()
            total += count_tokens(reader.text(path), local.written)
    places = {tier: [(one.path, one.use.line, one.use.column) for one in found if one.tier is tier] for tier in Tier}
    known = {(one.use.line, one.use.column) for one in found if one.path == local.path}
    tokens = tokens_of(source, local.written) if source is not None else ()
    text = sum(token.is_text and (token.line, token.column) not in known for token in tokens)
    late = (Omitted(Omission.Late, 0, named.left),) if named.left else ()
    unread = (Omitted(Omission.Unparsed, 0, len(named.unread), min(named.unread)),) if named.unread else ()
    meant, undecided = (*places[Tier.Exact], *places[Tier.Likely]), places[Tier.Name]
    return Account(
        exact=len(places[Tier.Exact]),
        likely=len(places[Tier.Likely]),
        other=max(0, total - len(found) - text),
        undecided=len(undecided),
        text=text,
        not_examined=(*late, *unread),
        uncounted=len(holding) - len(counted),
        binary=len(index.files.binary),
        meant_at=frozenset(meant),
        undecided_at=frozenset(undecided),
    )
