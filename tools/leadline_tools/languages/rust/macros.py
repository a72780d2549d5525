"""Tokens of macros of Rust: names after a dot, calls, and the names that formatted texts capture.

The grammar knows no expressions in a macro's *token tree*; its names are read by the tokens around them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from tree_sitter import Node

from leadline_tools.languages.nodes import text
from leadline_tools.languages.rules.uses import Quoted
from leadline_tools.languages.rust.outline import find_last_segment
from leadline_tools.languages.rust.types import spell_known_result
from leadline_tools.languages.terms import BARE, MACRO, UNKNOWN, Spell, object_of, then
from leadline_tools.lazy_regex import lazy_compile
from leadline_tools.model import Role


def bind_member_names(node: Node, _spell: Spell) -> Iterator[tuple[Node, str]]:
    """Yield the names in the tokens of a macro that follow a dot or colons, as if they were an expression.

    So are the names of macros that are called there, and those of the fields of what ``Type { field: value }`` makes.
    """
    made = _made_before(node)
    argument = _FORMATTED if _find_called_macro(node) in _FORMATTING else UNKNOWN
    for child, after, term in _read_tokens(node.children):
        alone = _special_receiver(child, after, made, argument) if child.type == "identifier" else ""
        if alone:
            yield child, alone
        if child.type == "identifier" and after in (".", "::"):
            yield child, term


def spell_called_before(brackets: Node) -> str:
    """Return the term of what is called with the tokens in brackets, among the tokens of a macro; UNKNOWN for none."""
    chain, at = [brackets], brackets.prev_sibling
    if brackets.children[0].type != "(" or at is None or at.type != "identifier":
        return UNKNOWN
    while at is not None and at.type in _CHAINED and len(chain) < _LONGEST_CHAIN:
        chain.append(at)
        at = at.prev_sibling
    *_, (_, _, term) = _read_tokens(chain[::-1])
    return term


_CHAINED = frozenset("identifier metavariable self crate super integer_literal token_tree ? . ::".split())
_LONGEST_CHAIN = 60


def _read_tokens(tokens: Iterable[Node]) -> Iterator[tuple[Node, str, str]]:
    """Yield the tokens of a macro, each with the kind of the one before it and the term that ends there."""
    term, after, owner, name = UNKNOWN, "", UNKNOWN, ""
    for child in tokens:
        yield child, after, term
        kind = child.type
        if kind == "metavariable" and text(child) == "$crate":
            kind, term = "crate", "crate"
        elif kind == "identifier" and after in (".", "::"):
            owner, name = (term, text(child)) if after == "." else (UNKNOWN, "")
            term = then(term, f".{text(child)}")
        elif kind == "integer_literal" and after == "." and text(child).isdigit():
            term = then(term, f"#{text(child)}")
        elif kind in _BEGINNING:
            term, owner = text(child), UNKNOWN
        elif kind == "token_tree":
            term = then(term, _BRACKETS.get(child.children[0].type, "")) if after in _ENDING else UNKNOWN
            if after == "identifier" and owner != UNKNOWN and child.children[0].type == "(":
                term = spell_known_result(owner, name, term)
        elif kind == "?":
            term = then(term, "*")
        elif kind not in (".", "::"):
            term = UNKNOWN
        after = kind


def _made_before(tokens: Node) -> str:
    """Return the type that stands before tokens in braces, as before the fields of an object; empty for none."""
    at, path = tokens.prev_sibling, list[str]()
    while tokens.children[0].type == "{" and at is not None and at.type in _BEGINNING:
        path.insert(0, text(at))
        colons = at.prev_sibling
        at = colons.prev_sibling if colons is not None and colons.type == "::" else None
    return ".".join(path) if path and path[-1][:1].isupper() else ""


def _is_macro_name(name: Node) -> bool:
    """Return whether a name among tokens is that of a macro that is called: ``name!(..)``."""
    sign = name.next_sibling
    return sign is not None and sign.type == "!" and _opens_brackets(sign.next_sibling, "([{")


def _opens_brackets(node: Node | None, brackets: str) -> bool:
    return node is not None and node.type == "token_tree" and node.children[0].type in brackets


def list_called_names(node: Node) -> Sequence[Node]:
    """Return the names in the tokens of a macro that are called: what follows them is in parentheses, or ``!``."""
    return [
        child
        for child in node.named_children
        if child.type == "identifier"
        and (_opens_brackets(_skip_type_arguments(child), "(") or _is_macro_name(child))
        and not (child.prev_sibling is not None and child.prev_sibling.type in ("fn", "$"))
    ]


def _skip_type_arguments(name: Node) -> Node | None:
    """Return the token that follows a name and the types that it is given: ``name::<..>``."""
    token = name.next_sibling
    if token is None or token.type != "::" or token.next_sibling is None or token.next_sibling.type != "<":
        return token
    token, depth = token.next_sibling, 0
    while token is not None:
        depth += _DEPTHS.get(token.type, 0)
        token = token.next_sibling
        if depth <= 0:
            break
    return token


_DEPTHS = {"<": 1, "<<": 2, ">": -1, ">>": -2}
"""What tokens open or close of a list of types."""


def read_captured_names(node: Node) -> Iterator[Quoted]:
    """Yield the names in the text that a macro formats, but for those of its own arguments.

    What a macro does with its text that is not known may be the same.
    https://doc.rust-lang.org/std/fmt/#capturing-format-arguments-from-the-environment
    """
    macro = _find_called_macro(node)
    if not macro:
        return
    formats = macro in _FORMATTING
    children = node.children
    texts = [one for one in children if one.type in _STRINGS and _is_argument(one)]
    given = {text(one) for one in children if one.type == "identifier" and _precedes(one, "=")}
    for one in texts[:1] if formats else texts:
        for start, name in _find_captured(text(one)):
            if name not in given:
                yield Quoted(one, start, name, BARE if formats else UNKNOWN, Role.Read)


def _find_called_macro(tokens: Node) -> str:
    """Return the name of the macro that is given some tokens; empty where they are given to none."""
    sign = tokens.prev_sibling
    macro = sign.prev_sibling if sign is not None and sign.type == "!" else None
    return find_last_segment(macro) if macro is not None else ""


def _find_captured(formatted: str) -> Iterator[tuple[int, str]]:
    """Yield the names in the placeholders of a text, each with the byte at which it begins."""
    for found in _PLACEHOLDER.finditer(formatted):
        for name in (found[1] and found, *_COUNT.finditer(found[0])):
            if name:
                start = name.start(1) + (found.start() if name is not found else 0)
                yield len(formatted[:start].encode()), name[1]


def _is_argument(node: Node) -> bool:
    """Return whether a token is an argument as a whole."""
    before, after = node.prev_sibling, node.next_sibling
    return before is not None and before.type in _BEFORE_ARGUMENTS and (after is None or after.type in ",)]}")


def _precedes(node: Node, sign: str) -> bool:
    return node.next_sibling is not None and node.next_sibling.type == sign


_FORMATTING = frozenset(
    "assert assert_eq assert_ne debug_assert debug_assert_eq debug_assert_ne eprint eprintln format format_args panic"
    " print println todo unimplemented unreachable write writeln"
    " trace debug info warn error anyhow bail ensure eyre".split()
)
"""The macros that format a text: https://doc.rust-lang.org/std/fmt/#related-macros, and those of usual libraries:
https://docs.rs/log, https://docs.rs/tracing, https://docs.rs/anyhow, https://docs.rs/eyre."""

_STRINGS = frozenset({"string_literal", "raw_string_literal"})
_PLACEHOLDER = lazy_compile(r"\{\{|\{([^\W\d]\w*)?(?::[^{}]*)?\}")
_COUNT = lazy_compile(r"([^\W\d]\w*)\$")


def bind_macro_name(node: Node, _spell: Spell) -> Iterator[tuple[Node, str]]:
    """Yield the name of a macro that is called without a path."""
    name = node.child_by_field_name("macro")
    if name is not None and name.type == "identifier":
        yield name, MACRO


_BEGINNING = frozenset({"identifier", "self", "crate", "super"})


def _special_receiver(name: Node, after: str, made: str, argument: str) -> str:
    """Return the receiver of a name among tokens that is a macro's, a field's or an argument's; empty for any other.

    ``made`` is the type before the tokens: what they stand for are its fields. ``argument`` is the receiver of what
    names an argument.
    """
    if made and after in _BEFORE_FIELD and _precedes(name, ":"):
        return object_of(made)
    if after not in (".", "::") and _is_macro_name(name):
        return MACRO
    # The name of an argument, unless the macro makes an assignment of it.
    return argument if after in _BEFORE_ARGUMENTS and _precedes(name, "=") else ""


_FORMATTED = "std.fmt"
"""What stands before the name of an argument of a text, which is for the library alone."""


_BEFORE_FIELD = frozenset({"{", ","})
_BEFORE_ARGUMENTS = frozenset({"(", "[", "{", ","})
_ENDING = frozenset({"identifier", "token_tree"})
_BRACKETS = {"(": "()", "[": "[]"}
