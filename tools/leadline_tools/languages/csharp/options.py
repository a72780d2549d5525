"""Options of C# that a program configures: https://learn.microsoft.com/dotnet/core/extensions/options."""

from __future__ import annotations

from tree_sitter import Node

from leadline_tools.languages.csharp.types import spell_expected
from leadline_tools.languages.nodes import text
from leadline_tools.languages.terms import UNKNOWN, Op, Spell, object_of, then
from leadline_tools.lazy_regex import lazy_compile


def spell_given(function: Node, number: int, spell: Spell) -> str:
    """Spell what the place of a lambda gives one of its parameters."""
    given = then(spell_expected(function, spell), f"%{number}")
    options = _spell_configured(function, spell) if not number else UNKNOWN
    if UNKNOWN in (options, given):
        return given if options == UNKNOWN else options
    return then(options, f"{Op.Otherwise}{given}>")


def _spell_configured(function: Node, spell: Spell) -> str:
    """Spell the options that ``services.Configure<Options>(o => ..)`` gives a lambda; UNKNOWN for any other call."""
    argument = function.parent
    listed = argument.parent if argument is not None and argument.type == "argument" else None
    called = listed.parent.child_by_field_name("function") if listed is not None and listed.parent is not None else None
    owner = called.child_by_field_name("expression") if called is not None else None
    name = called.child_by_field_name("name") if called is not None else None
    if owner is None or name is None or name.type != "generic_name" or not _SERVICES.search(text(owner)):
        return UNKNOWN
    types = next((child for child in name.named_children if child.type == "type_argument_list"), None)
    if types is None or types.named_child_count != 1 or text(name.named_children[0]) not in _CONFIGURING:
        return UNKNOWN
    return object_of(spell(types.named_children[0]))


_SERVICES = lazy_compile(r"(?:^|\.)_?[sS]ervices$")
_CONFIGURING = frozenset({"Configure", "ConfigureAll", "PostConfigure", "PostConfigureAll"})
