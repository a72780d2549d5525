"""The uses of a local variable or a parameter, and the account of its name in the file that holds it.

No other file can name a local variable. A parameter is named by the arguments of calls too, in any file.
"""

from __future__ import annotations

from collections.abc import Iterator

from leadline_tools.account import Account, Omission, Omitted
from leadline_tools.index.index import Index
from leadline_tools.languages.facts import Facts
from leadline_tools.model import Reason, Tier
from leadline_tools.resolve.arguments import Arguments, arguments, may_be_named
from leadline_tools.resolve.findings import Found
from leadline_tools.resolve.local import Local, function_of, uses_of
from leadline_tools.resolve.question import Question, asking
from leadline_tools.resolve.references import References
from leadline_tools.resolve.tokens import tokens_of


def local_references(index: Index, local: Local) -> References:
    """Return the uses of a local name, those that bind it among them, and the arguments that name it as a parameter.

    The account is that of the tokens in its file, with those arguments.
    """
    with asking(index) as question:
        facts = question.project.facts(local.path)
        if facts is None:
            return References([], [], [local.path], 0, Account(not_examined=(_unparsed([local.path]),)))
        named = _named_arguments(index, question, local)
        found = {(one.path, one.use.line, one.use.column): one for one in (*named.unsure, *named.sure)}
        found.update({(one.path, one.use.line, one.use.column): one for one in _own_uses(question, facts, local)})
        ordered = sorted(found.values(), key=lambda one: _order(one, local.path))
        return References(ordered, [], sorted(named.unread), named.left, _account(index, local, ordered, named))


def _own_uses(question: Question, facts: Facts, local: Local) -> Iterator[Found]:
    """Yield the uses in the scope of a local name."""
    for use in uses_of(question, local):
        yield Found(local.path, local.name, use, Tier.Exact, Reason.Scope, facts.around(use.scope))


def _named_arguments(index: Index, question: Question, local: Local) -> Arguments:
    """Return the arguments that name a local name as a parameter; none where it is a variable."""
    function = function_of(index, local) if may_be_named(index, local) else None
    return arguments(index, question, [function], local.word) if function is not None else Arguments()


def _account(index: Index, local: Local, found: list[Found], named: Arguments) -> Account:
    """Return the account of the tokens in the file of a local name, and of the arguments elsewhere that name it."""
    source, shift = index.try_read(local.path), len(local.sigil)
    used = {(one.use.line, one.use.column) for one in found if one.path == local.path}
    tokens = tokens_of(source, local.word) if source is not None else []
    rest = [token for token in tokens if (token.line, token.column - shift) not in used]
    places = {
        tier: frozenset((one.path, one.use.line, one.use.column) for one in found if one.tier is tier) for tier in Tier
    }
    omitted = [Omitted(Omission.Late, named.left, named.left)] if named.left else []
    if named.unread:
        omitted.append(_unparsed(sorted(named.unread)))
    return Account(
        exact=len(places[Tier.Exact]),
        likely=len(places[Tier.Likely]),
        other=sum(not token.is_text for token in rest),
        undecided=len(places[Tier.Name]),
        text=sum(token.is_text for token in rest),
        not_examined=tuple(omitted),
        meant_at=places[Tier.Exact] | places[Tier.Likely],
        undecided_at=places[Tier.Name],
    )


def _unparsed(paths: list[str]) -> Omitted:
    return Omitted(Omission.Unparsed, len(paths), len(paths), paths[0])


def _order(found: Found, home: str) -> tuple[int, bool, str, int, int]:
    return (list(Tier).index(found.tier), found.path != home, found.path, found.use.line, found.use.column)
