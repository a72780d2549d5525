"""Discriminants of TypeScript: members whose values tell the types of a union apart.

A condition on such a member, a case of a ``switch``, or a test for a member narrows what has it.
https://www.typescriptlang.org/docs/handbook/2/narrowing.html
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from enum import StrEnum
from typing import NamedTuple

from tree_sitter import Node

from leadline_tools.languages import terms
from leadline_tools.languages.branch_narrowing import Branches, Decision, Span, is_left
from leadline_tools.languages.nodes import text
from leadline_tools.languages.terms import UNKNOWN, Spell, Step
from leadline_tools.lazy_regex import lazy_compile

_APART = "\0"
_LONGEST = 160
"""Characters of a term that is narrowed: what follows has to stay short enough to be kept."""


class Sign(StrEnum):
    """What a condition says of a member: its value is one of some, or none of them, it is true, it is there.

    ``Keys`` says no more than that it is one of the same members, with another type.
    """

    Equal = "="
    Unequal = "!"
    True_ = "+"
    False_ = "-"
    Has = "<"
    Lacks = ">"
    Keys = "~"


_OPPOSITE = {Sign.Equal: Sign.Unequal, Sign.True_: Sign.False_, Sign.Has: Sign.Lacks}
_OPPOSITE |= {after: before for before, after in _OPPOSITE.items()}


KEYS = Sign.Keys.value
"""The condition on what has the members of something, with other types."""


class Condition(NamedTuple):
    """A condition on a member of something; ``values`` are those that it is compared with, see ``literal``."""

    sign: Sign
    member: str
    values: tuple[str, ...] = ()

    def spelled(self) -> str:
        """Return it as a text; ``read`` is the way back."""
        return _APART.join((self.sign + self.member, *self.values))

    def negated(self) -> Condition:
        """Return the condition that holds where this one does not."""
        return self._replace(sign=_OPPOSITE[self.sign])


def read(step: Step) -> Condition:
    """Return the condition of a step that narrows."""
    first, *values = terms.sign_of(step).split(_APART)
    return Condition(Sign(first[:1]), first[1:], tuple(values))


# --- Values


_PLAIN = lazy_compile(r"-?\d[\w.]*|true|false|null|undefined")
_MEMBER = lazy_compile(r"[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)+")
_QUOTED = lazy_compile(r"(?s)([\"'`])((?:(?!\1)[^\\$])*)\1")
_FALSE = frozenset({"false", "null", "undefined", "0", '""', "-0"})


def literal(written: str) -> str:
    """Return a literal, or the member of an enumeration, as it is compared; empty for anything else."""
    written = written.strip().removeprefix("typeof ")
    quoted = _QUOTED.fullmatch(written)
    if quoted is not None:
        return f'"{quoted[2]}"'
    return written if _PLAIN.fullmatch(written) or _MEMBER.fullmatch(written) else ""


def may_equal(declared: Collection[str], value: str) -> bool:
    """Return whether a value may be one of those that are declared, each a literal."""
    return any(one == value or _may_name_another(one, value) for one in declared)


def _may_name_another(one: str, other: str) -> bool:
    """Return whether nothing says that two literals differ: a member of an enumeration may have any value."""
    if not (_MEMBER.fullmatch(one) or _MEMBER.fullmatch(other)):
        return False
    return one.rpartition(".")[0] != other.rpartition(".")[0]


def is_surely(declared: Collection[str], values: Collection[str]) -> bool:
    """Return whether what is declared is one of some values, whichever it is."""
    return bool(declared) and all(one in values for one in declared)


def may_be_true(declared: Collection[str]) -> bool:
    """Return whether one of some literals may count as true in a condition."""
    return any(one not in _FALSE for one in declared)


def may_be_false(declared: Collection[str]) -> bool:
    """Return whether one of some literals may count as false in a condition."""
    return any(one in _FALSE or _MEMBER.fullmatch(one) is not None for one in declared)


_NAMED = lazy_compile(r"\s*(\??)\s*[!]?\s*([:=])\s*")
_OPEN, _CLOSE = "([{<", ")]}>"


_DOCUMENTED = lazy_compile(r"@prop(?:erty)?\s+\{([^{}]*)\}\s*\Z")
"""What stands before the name of a property that a comment declares: https://jsdoc.app/tags-property."""


def list_declared_values(after: str, before: str) -> frozenset[str]:
    """Return the literals that a member may be, from the source around its name; empty where it may be others.

    Args:
        after: The source from behind the name.
        before: The line up to the name.

    """
    documented = _DOCUMENTED.search(before) if "@prop" in before else None
    if documented is not None:
        after = f": {documented[1]}\n"
    named = _NAMED.match(after)
    if named is None:
        return frozenset()
    written = _type_at(after[named.end() :])
    if named[2] == "=":
        constant = written.endswith(" as const") or "readonly " in before
        written = written.removesuffix(" as const") if constant else ""
    values = [literal(one) for one in _alternatives(written)]
    if named[1]:
        values.append("undefined")
    return frozenset(values) if all(values) else frozenset()


def _type_at(source: str) -> str:
    """Return the type that a text begins with: up to the end of the member, a comment or a line that ends it."""
    depth = 0
    quote = ""
    for at, char in enumerate(source):
        if quote:
            quote = "" if char == quote else quote
        elif char in "\"'`":
            quote = char
        elif char in _OPEN:
            depth += 1
        elif char in _CLOSE and source[at - 1 : at] != "=":
            depth -= 1
        elif char == "/" and source[at : at + 2] in ("//", "/*"):
            return source[:at].strip()
        if depth < 0 or (not depth and not quote and char in ",;="):
            return source[:at].strip()
        if char == "\n" and not depth and not quote and not _goes_on(source[:at], source[at:]):
            return source[:at].strip()
    return source.strip()


def _goes_on(before: str, after: str) -> bool:
    return not before.strip() or before.rstrip().endswith("|") or after.lstrip().startswith("|")


def _alternatives(written: str) -> Sequence[str]:
    """Return the types that a union is of; one that is written with brackets is not taken apart."""
    if any(char in written for char in "([{<"):
        return ("",)
    return [one.strip() for one in written.strip().removeprefix("|").split("|")]


# --- Conditions


_NARROWED = frozenset({"identifier", "member_expression", "subscript_expression"})
_EQUAL = frozenset({"===", "=="})
_UNEQUAL = frozenset({"!==", "!="})


def _narrow(owner: Node | None, condition: Condition, spell: Spell) -> Iterator[tuple[str, str]]:
    """Yield what a condition on a member says of the object that has it."""
    if owner is None or owner.type not in _NARROWED:
        return
    term = spell(owner)
    narrowed = terms.where(term, condition.spelled())
    if term != UNKNOWN and len(narrowed) <= _LONGEST:
        yield text(owner), narrowed


def _member(node: Node | None) -> tuple[Node | None, str]:
    """Return what ``a.b`` is a member of, and its name."""
    if node is None or node.type != "member_expression":
        return None, ""
    name = node.child_by_field_name("property")
    return node.child_by_field_name("object"), text(name) if name is not None else ""


def _find_compared(node: Node) -> tuple[Node | None, Condition] | None:
    """Return what has the member that a comparison compares with a literal, and the condition."""
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    operator = text(node.child_by_field_name("operator"))
    if operator == "in" and left is not None and left.type == "string":
        return right, Condition(Sign.Has, text(left)[1:-1])
    if left is None or right is None or operator not in _EQUAL | _UNEQUAL:
        return None
    sign = Sign.Equal if operator in _EQUAL else Sign.Unequal
    for member, value in ((left, right), (right, left)):
        owner, name = _member(member)
        compared = literal(text(value))
        loose = operator in ("==", "!=") and compared in ("null", "undefined")
        if owner is not None and compared:
            return owner, Condition(sign, name, ("null", "undefined") if loose else (compared,))
    return None


def narrow_by_comparison(node: Node, spell: Spell) -> Iterator[tuple[str, str]]:
    """Yield what ``a.b === "c"`` and ``"b" in a`` tell of ``a`` where they are true."""
    found = _find_compared(node)
    if found is not None:
        yield from _narrow(*found, spell)


def differs(node: Node, spell: Spell) -> Iterator[tuple[str, str]]:
    """Yield what such a comparison tells where it is false."""
    found = _find_compared(node)
    if found is not None:
        yield from _narrow(found[0], found[1].negated(), spell)


def is_true(node: Node, spell: Spell) -> Iterator[tuple[str, str]]:
    """Yield what the condition ``a.b`` says of ``a``."""
    owner, name = _member(node)
    yield from _narrow(owner, Condition(Sign.True_, name), spell)


def is_false(node: Node, spell: Spell) -> Iterator[tuple[str, str]]:
    """Yield what the condition ``a.b`` says of ``a`` where it is false."""
    owner, name = _member(node)
    yield from _narrow(owner, Condition(Sign.False_, name), spell)


# --- Cases


_LEAVES = frozenset({"return_statement", "throw_statement", "continue_statement", "break_statement"})
_CASES = frozenset({"switch_case", "switch_default"})


def _case(node: Node) -> Iterator[Decision]:
    """Yield the condition of a case, or of ``default``, and where it holds."""
    body = node.children_by_field_name("body")
    if body:
        yield Decision(node, Span(body[0].start_byte, node.end_byte))


def _falls_through(case: Node) -> bool:
    body = case.children_by_field_name("body")
    return not body or not is_left(body[-1], _LEAVES)


def _list_entered_cases(case: Node) -> Sequence[Node]:
    """Return a case with those before it that go on to it."""
    found = [case]
    before = case.prev_named_sibling
    while before is not None and (before.type not in _CASES or _falls_through(before)):
        if before.type in _CASES:
            found.append(before)
        before = before.prev_named_sibling
    return found


def of_case(node: Node, spell: Spell) -> Iterator[tuple[str, str]]:
    """Yield what is known in a case of a ``switch`` of what has the member whose value decides."""
    body = node.parent
    switched = body.parent.child_by_field_name("value") if body is not None and body.parent is not None else None
    inner = switched.named_children[0] if switched is not None and switched.named_children else None
    owner, name = _member(inner)
    if body is None or owner is None:
        return
    entered = _list_entered_cases(node)
    if all(one.type == "switch_case" for one in entered):
        values = [_value(one) for one in entered]
        sign = Sign.Equal
    else:
        others = [one for one in body.named_children if one.type == "switch_case" and one not in entered]
        values = [_value(one) for one in others]
        sign = Sign.Unequal
        values = [one for one in values if one]
    if values and all(values):
        yield from _narrow(owner, Condition(sign, name, tuple(values)), spell)


def _value(case: Node) -> str:
    value = case.child_by_field_name("value")
    return literal(text(value)) if value is not None else ""


def narrowing(branches: Branches) -> Branches:
    """Return how a language decides, together with the discriminants."""
    tested, refuted = branches.tests["binary_expression"], branches.refutes["binary_expression"]

    def both(node: Node, spell: Spell) -> Iterator[tuple[str, str]]:
        yield from tested(node, spell)
        yield from narrow_by_comparison(node, spell)

    def neither(node: Node, spell: Spell) -> Iterator[tuple[str, str]]:
        yield from refuted(node, spell)
        yield from differs(node, spell)

    cases = dict.fromkeys(sorted(_CASES), of_case)
    return replace(
        branches,
        decides={**branches.decides, **dict.fromkeys(sorted(_CASES), _case)},
        tests={**branches.tests, "binary_expression": both, "member_expression": is_true, **cases},
        refutes={**branches.refutes, "binary_expression": neither, "member_expression": is_false},
    )
