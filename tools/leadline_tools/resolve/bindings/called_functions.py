"""Functions that are called by the name of a variable, which surely holds one.

What ``f.bind(a)`` gives runs ``f``: https://tc39.es/ecma262/#sec-function.prototype.bind
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from leadline_tools.index.index import Index
from leadline_tools.languages import semantics_of
from leadline_tools.languages.facts import Binding, Sort, Use
from leadline_tools.languages.terms import BARE, UNKNOWN, Op, Path, Step, parsed
from leadline_tools.model import Role
from leadline_tools.resolve.addresses.file_position import parse_position
from leadline_tools.resolve.addresses.used_names import uses_at
from leadline_tools.resolve.project.resolution import LocalName, SymbolRef
from leadline_tools.resolve.question import Question, asking
from leadline_tools.resolve.symbols.defined_symbol import DefinedSymbol, load_symbols

_BIND = Step(Op.Member, "bind")

_INITIALIZED = re.compile(r"\s*=\s*[\w$.]+\s*(?:$|[;,]|//|/\*|\.bind\s*\(|\.$)")
"""Behind the name of a variable: another name, or what that is bound to, and nothing else, such as a cast."""

_MADE = frozenset({Op.Call, Op.Given})
"""What gives another function each time."""

_DEEPEST = 8
"""Variables given the values of other variables."""


def function_run(question: Question, path: str, use: Use, meant: SymbolRef) -> SymbolRef | None:
    """Return the function that a call runs by the name of a variable; None where that is not known, or means itself."""
    semantics = semantics_of(path)
    if use.role is not Role.Call or semantics is None or not semantics.library.function_members:
        return None
    held = _held(question, meant, _DEEPEST)
    return held if held is not None and not held.same(meant) else None


def function_of_local(index: Index, address: str) -> Sequence[DefinedSymbol]:
    """Return the function that a call runs by the name of a local variable at a place; nothing for any other name."""
    place = parse_position(index, address)
    semantics = semantics_of(place.path) if place is not None and place.column else None
    if place is None or semantics is None or not semantics.library.function_members:
        return ()
    with asking(index.of(place.path), ahead=False) as question:
        for _, use, meanings in uses_at(index, question, place):
            local = meanings[0] if len(meanings) == 1 else None
            if use.role is Role.Call and use.receiver == BARE and isinstance(local, LocalName):
                held = _held(question, local, _DEEPEST)
                return load_symbols(index, [(held.path, held.name)]) if held is not None else ()
    return ()


def _held(question: Question, variable: SymbolRef | LocalName, deepest: int) -> SymbolRef | None:
    """Return the function that a variable holds; a function itself is one."""
    bound = _bindings(question, variable)
    if bound and all(one.sort == Sort.Callable for one in bound):
        return variable if isinstance(variable, SymbolRef) else None
    if len(bound) != 1 or bound[0].sort != Sort.Value or bound[0].type or not bound[0].made or not deepest:
        return None
    if not _is_initialized(question.project.lines(variable.path), bound[0]):
        return None  # what it is given later it need not hold yet
    either = parsed(bound[0].made)
    if len(either) != 1 or either[0].head in (UNKNOWN, BARE):
        return None
    function = _without_bind(either[0])
    if any(step.op in _MADE for step in function.steps):
        return None
    values = question.resolver.evaluator.evaluate_path(variable.path, function, bound[0].spelled)
    held = [one.origin for one in values if isinstance(one.origin, SymbolRef) and not one.is_instance]
    return _held(question, held[0], deepest - 1) if len(held) == len(values) == 1 else None


def _without_bind(path: Path) -> Path:
    """Return the path of ``f`` for that of ``f.bind(...)``; any other as it is."""
    steps = path.steps
    call = len(steps) - 1
    member = call - 1 - (call > 0 and steps[call - 1].op is Op.Given)
    if member >= 0 and steps[call].op is Op.Call and steps[member] == _BIND:
        return Path(path.head, steps[:member])
    return path


def _is_initialized(lines: Sequence[str], bound: Binding) -> bool:
    """Return whether a variable is declared with the name of its value, given the lines of its file."""
    line = lines[bound.line - 1] if bound.line <= len(lines) else ""
    return _INITIALIZED.match(line, bound.column - 1 + len(bound.name)) is not None


def _bindings(question: Question, of: SymbolRef | LocalName) -> Sequence[Binding]:
    facts = question.project.facts(of.path)
    if facts is None:
        return ()
    return facts.all_at(of.name) if isinstance(of, SymbolRef) else facts.within(of.name, of.scope)
