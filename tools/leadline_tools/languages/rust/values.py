"""Values of macros and operators of Rust, as terms: the tokens of a macro are no expressions for the grammar."""

from __future__ import annotations

from collections.abc import Sequence

from tree_sitter import Node

from leadline_tools.languages.nodes import text
from leadline_tools.languages.terms import UNKNOWN, Op, Spell, apply_type_arguments, object_of, then


def spell_macro(node: Node, spell: Spell) -> str:
    """Spell ``vec![a, b]`` by its first element, and ``format!()``; what other macros give is not known."""
    name, listed = text(node.child_by_field_name("macro")), node.named_children[-1]
    if name == "format":
        return object_of("String")
    if name != "vec" or listed.type != "token_tree":
        return UNKNOWN
    tokens = listed.children[1:-1]
    if not tokens:
        return "Vec.new()"
    return object_of(apply_type_arguments("Vec", [then(_spell_tokens(tokens, spell), Op.Itself)]))


def _spell_tokens(tokens: Sequence[Node], spell: Spell) -> str:
    """Spell the first value among tokens, up to a comma or a semicolon: a path, what is called or made, its members."""
    term, after = "", ""
    for token in tokens:
        kind = token.type
        if kind in (",", ";"):
            break
        if kind in _NAMES and (not term or after in (".", "::")):
            term = then(term, f".{text(token)}") if term else spell(token)
        elif kind == "token_tree" and after in _NAMES and token.children[0].type in "({":
            term = then(term, "()")
        elif kind == "?" and term:
            term = then(term, "*")
        elif kind not in (".", "::") and not (kind == "&" and not term):
            return UNKNOWN
        after = kind
    return term or UNKNOWN


_NAMES = frozenset({"identifier", "self", "crate", "super"})


def spell_binary(node: Node, spell: Spell) -> str:
    """Spell what an operator gives: a truth value, or what the operand's implementation of a trait returns.

    https://doc.rust-lang.org/std/ops/index.html
    """
    operator = text(node.child_by_field_name("operator"))
    if operator in _TRUTHS:
        return object_of("bool")
    left = spell(node.child_by_field_name("left"))
    return then(left, f".{_OPERATORS[operator]}()") if operator in _OPERATORS else UNKNOWN


_TRUTHS = frozenset(("==", "!=", "<", ">", "<=", ">=", "&&", "||"))
_OPERATORS = {"+": "add", "-": "sub", "*": "mul", "/": "div", "%": "rem"}
