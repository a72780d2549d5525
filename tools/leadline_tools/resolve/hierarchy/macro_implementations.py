"""Implementations in the tokens of macros: they are no types or members of the tree until the macro is expanded.

A macro of Rust may hold ``impl Trait for $type`` or ``fn member``, or be given the name of a member that it declares.
None of it is resolved, so each is a place of which it is not known what inherits or overrides there.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import islice
from typing import NamedTuple

from leadline_tools import cancellation
from leadline_tools.index.index import Index
from leadline_tools.languages import semantics_of
from leadline_tools.languages.facts import Facts, Sort, Use
from leadline_tools.languages.terms import BARE
from leadline_tools.model import Role
from leadline_tools.resolve.hierarchy.search_record import Unnamed
from leadline_tools.resolve.project.project import language_group, same_language_group
from leadline_tools.resolve.project.resolution import SymbolRef
from leadline_tools.resolve.question import Question

_IMPLEMENTS = rb"\bimpl\b[^{};]*?\b%s\b[^{};]*?\bfor\b"
_IMPLEMENTED = rb"\bimpl\b[^{};]*?\b%s\b"
_IMPLEMENTS_GIVEN = re.compile(rb"\bimpl\b[^{};]*?\$")
_CALLED = re.compile(rb"\b(\w+)!\s*\Z")

_LONGEST = 20_000
"""Bytes of a macro that are looked at."""

_LONGEST_CALL = 2_000
"""Bytes between the beginning of a call and what it is given."""

_LONGEST_NAME = 100

_MOST_NAMED = 200
"""Places in one file that have a name."""

_MOST_FILES = 400
"""Files that hold the name of a type of which is looked at what macros they call."""

_TOKEN_ROLES = frozenset({Role.Read, Role.Other, Role.Type})
"""The roles of a name among the tokens of a macro that is no call."""


def macro_implementations(
    index: Index, question: Question, of: SymbolRef, member: str, late: set[str]
) -> list[Unnamed]:
    """Return where macros may implement a type, or declare a ``member`` of what implements it; empty for the type.

    Files whose facts come too late are added to ``late``. Nothing is found in a language without such macros.
    """
    semantics = semantics_of(of.path)
    if semantics is None or not semantics.macros.modules:
        return []
    base = of.name.rpartition(".")[2]
    found: list[Unnamed] = []
    for path in _candidates(index, of.path, member or base, "" if member else "impl"):
        cancellation.check()
        heads = _implementing_heads(question, path, base) if not member else None
        facts = question.project.facts(path) if heads is None or heads else None
        if facts is None:
            late.update([path] if question.project.late else ())
            continue
        lines = _lines_in_macros(facts, base, heads) if heads is not None else None
        tokens = (one for one in facts.uses.get(member or base, ()) if _is_macro_token(facts, member or base, one))
        found += (
            Unnamed(path, use.line, _macro_around(facts, use), member or base)
            for use in tokens
            if (lines is None or use.line in lines) and not _is_decided(question, of, member, path, use)
        )
    return found


def macros_implementing(content: bytes, facts: Facts, type_: str) -> list[str]:
    """Return the macros of a file that hold an implementation of something for a type, or of the type itself."""
    if type_ not in facts.uses or b"macro_rules" not in content:
        return []
    heads = re.finditer(_IMPLEMENTED % re.escape(type_.encode()), content)
    lines = {content.count(b"\n", 0, head.end()) + 1 for head in heads}
    found = (_macro_around(facts, use) for use in facts.uses[type_] if use.line in lines)
    return [name for name in dict.fromkeys(found) if name]


class ImplementingMacros(NamedTuple):
    """Macros that may implement something for a type, and the files that hold its name and were not searched."""

    names: Sequence[str]
    unsearched: Sequence[str]


def macros_elsewhere(index: Index, question: Question, of: SymbolRef) -> ImplementingMacros:
    """Return the macros that may implement something for a type, wherever they are defined or called.

    They hold its name behind ``impl``, or are given it and implement something for what they are given. Of a type whose
    name many files hold only some of them are searched.
    """
    name = of.name.rpartition(".")[2]
    found: list[str] = []
    candidates = _candidates(index, of.path, name, "")
    unsearched = candidates[_MOST_FILES:]
    for path in candidates[:_MOST_FILES]:
        cancellation.check()
        content = question.project.text(path)
        named = re.finditer(rb"\b%s\b" % re.escape(name.encode()), content) if b"!" in content else iter(())
        given = dict.fromkeys(_macro_given(content, one.start()) for one in islice(named, _MOST_NAMED))
        unsearched += [path] if next(named, None) is not None else []
        found += [macro for macro in filter(None, given) if _implements_given(index, question, of.path, macro)]
        facts = question.project.facts(path) if b"macro_rules" in content else None
        found += macros_implementing(content, facts, name) if facts is not None else ()
    return ImplementingMacros(list(dict.fromkeys(found)), unsearched)


def _macro_given(content: bytes, at: int) -> str:
    """Return the macro that is called with what stands at a byte; empty for none."""
    depth = 0
    for number in range(at - 1, max(-1, at - _LONGEST_CALL), -1):
        sign = content[number : number + 1]
        if sign in b")]}":
            depth += 1
        elif sign in b"([{" and depth:
            depth -= 1
        elif sign in b"([{;":
            called = _CALLED.search(content, max(0, number - _LONGEST_NAME), number) if sign != b";" else None
            return called[1].decode("utf-8", "replace") if called is not None else ""
    return ""


def _implements_given(index: Index, question: Question, home: str, macro: str) -> bool:
    """Return whether a macro of the tree may implement something for a type that it is given."""
    defines = re.compile(rb"\bmacro_rules!\s*%s\b" % re.escape(macro.encode()))
    for path in _candidates(index, home, macro, "macro_rules"):
        content = question.project.text(path)
        if any(_IMPLEMENTS_GIVEN.search(content, one.end(), one.end() + _LONGEST) for one in defines.finditer(content)):
            return True
    return False


def _candidates(index: Index, home: str, name: str, also: str) -> list[str]:
    """Return the files of the language of ``home`` that hold a name, and the word ``also`` if there is one."""
    files = index.words.files_with(filter(None, (name, also)), spelled=True)
    return same_language_group(files, language_group(home))


def _implementing_heads(question: Question, path: str, base: str) -> Sequence[frozenset[int]]:
    """Return the lines that have the name of a type in the head of each implementation of it, in macros or not."""
    content = question.project.text(path)
    name = re.compile(rb"\b%s\b" % re.escape(base.encode()))
    return [
        frozenset(content.count(b"\n", 0, one.start()) + 1 for one in name.finditer(content, head.start(), head.end()))
        for head in re.finditer(_IMPLEMENTS % re.escape(base.encode()), content)
    ]


def _lines_in_macros(facts: Facts, base: str, heads: Sequence[frozenset[int]]) -> frozenset[int]:
    """Return the lines of those heads that are no code, where the name would be that of a base.

    Bounds of type parameters have the name too: ``impl<T: Trait> Trait for Box<T>``.
    """
    inherited = {use.line for use in facts.uses.get(base, ()) if use.role is Role.Inherit}
    return frozenset(line for head in heads if inherited.isdisjoint(head) for line in head)


def _is_macro_token(facts: Facts, name: str, use: Use) -> bool:
    """Return whether a name is one of the tokens of a macro, and stands alone there."""
    if use.role not in _TOKEN_ROLES or use.receiver != BARE or use.imported >= 0:
        return False
    return not any((one.line, one.column) == (use.line, use.column) for one in facts.named(name))


def _is_decided(question: Question, of: SymbolRef, member: str, path: str, use: Use) -> bool:
    """Return whether a name is known to mean another type, or anything where a macro may declare a ``member``."""
    meanings = question.resolver.resolve(path, member or of.name.rpartition(".")[2], use)
    return bool(meanings) if member else any(not of.same(one) for one in meanings)


def _macro_around(facts: Facts, use: Use) -> str:
    """Return the name of the macro in whose definition a name stands; empty for none."""
    scope = facts.scopes[use.scope] if 0 <= use.scope < len(facts.scopes) else None
    binding = facts.at(scope.name) if scope is not None and scope.name else None
    return binding.name if binding is not None and binding.sort in (Sort.Macro, Sort.ExportedMacro) else ""
