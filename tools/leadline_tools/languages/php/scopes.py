"""Scopes of PHP: what binds names, and which names are members of traits, classes and namespaces.

A name is *absolute* that begins with a backslash: it is not looked for in the namespace around.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from tree_sitter import Node

from leadline_tools.languages.nodes import text
from leadline_tools.languages.php.outline import list_bare_names, spell_dotted
from leadline_tools.languages.rules.imports import MEMBERS, Imported
from leadline_tools.languages.rules.uses import Written
from leadline_tools.languages.terms import BARE, TOP, UNKNOWN, Spell, either
from leadline_tools.lazy_regex import lazy_compile
from leadline_tools.model import Role

_ALIAS_CALL = lazy_compile(r"\bclass_alias\b(?:['\"]|\s*\()")
_GIVEN_NAME = lazy_compile(
    r"\bclass_alias\s*\((?:[^,()]|\([^()]*\))*,\s*(?:'([\w\\]+)'|\"([\w\\]+)\"|([\w\\]+)::class)\s*[,)]"
)


def read_given_names(text_of_file: str) -> frozenset[str] | None:
    """Return the parts of the names that calls of ``class_alias`` give; None where one is computed.

    https://www.php.net/manual/en/function.class-alias.php
    """
    given = [next(filter(None, found.groups())) for found in _GIVEN_NAME.finditer(text_of_file)]
    if len(given) < len(_ALIAS_CALL.findall(text_of_file)):
        return None
    return frozenset(part for name in given for part in name.split("\\"))


def list_assigned(node: Node) -> Sequence[Node]:
    """Return what an assignment gives a value; a static property has to be declared, no assignment does."""
    left = node.child_by_field_name("left")
    return (left,) if left is not None and left.type != "scoped_property_access_expression" else ()


def list_given_for_null(node: Node) -> Sequence[Node]:
    """Return what ``$a ??= $b`` gives a value to; other operators make a value of that which is there."""
    return list_assigned(node) if text(node.child_by_field_name("operator")) == "??=" else ()


def list_loop_targets(node: Node) -> Sequence[Node]:
    """Return what ``foreach (a as k => v)`` binds: what stands between the iterated and the body."""
    body = node.child_by_field_name("body")
    return [child for child in node.named_children[1:] if child != body]


def split_scoped(node: Node) -> Sequence[Node | None]:
    """Read ``A::B``, whose parts the grammar does not name."""
    parts = node.named_children
    return (parts[0], parts[1]) if len(parts) > 1 else (None, None)


def split_qualified(node: Node) -> Sequence[Node | None]:
    r"""Read ``A\B``; what ``\A\B`` and ``\A`` name is not looked for in a namespace around."""
    space = next((child for child in node.named_children if child.type == "namespace_name"), None)
    return (space, _find_last_name(node)) if space is not None and not _is_absolute(node) else (None,)


def bind_absolute_name(node: Node, _spell: Spell) -> Iterator[tuple[Node, str]]:
    r"""Yield the name in ``\A\B`` and ``\A``, with the namespace that has it."""
    name = _find_last_name(node)
    if name is not None and _is_absolute(node):
        yield name, spell_absolute(node).rpartition(".")[0]


def _find_last_name(node: Node) -> Node | None:
    return next((child for child in reversed(node.named_children) if child.type == "name"), None)


_INTERPOLATED = frozenset({"encapsed_string", "heredoc_body", "shell_command_expression"})


def bind_name_of_variable(node: Node, _spell: Spell) -> Iterator[tuple[Node, str]]:
    """Yield the name in ``${name}``, which is that of a variable in a string and a constant elsewhere."""
    around = node.parent
    if around is not None and around.type in _INTERPOLATED:
        yield from ((child, UNKNOWN) for child in node.named_children if child.type == "name")


def _is_absolute(name: Node) -> bool:
    return text(name).startswith("\\")


def spell_absolute(name: Node) -> str:
    r"""Spell a name by its parts, ``\A`` as one outside of all namespaces."""
    return f"{TOP}.{spell_dotted(name)}" if _is_absolute(name) else spell_dotted(name)


def split_namespace(node: Node) -> Sequence[Node | None]:
    """Return the parts of the name of a namespace."""
    return node.named_children or (None,)


ITSELF = "self"


def _spell_used_traits(clause: Node, spell: Spell) -> str:
    """Spell the traits that the statement around a clause uses."""
    around = clause.parent.parent if clause.parent is not None else None
    used = around.named_children if around is not None else ()
    return either(spell(one) for one in used if one.type in ("name", "qualified_name"))


def _find_trait_member(clause: Node, spell: Spell) -> tuple[str, Node | None]:
    """Return the trait that a clause names, or all that are used, and the name of the method."""
    first = clause.named_children[0] if clause.named_children else None
    if first is None or first.type != "class_constant_access_expression":
        return _spell_used_traits(clause, spell), first if first is not None and first.type == "name" else None
    trait, method = split_scoped(first)
    return spell(trait), method


def _find_method_alias(clause: Node) -> Node | None:
    """Return the new name in ``m as n`` and ``m as private n``; none where only the visibility changes."""
    last = clause.named_children[-1] if clause.named_child_count > 1 else None
    return last if last is not None and last.type == "name" else None


def take_chosen_method(clause: Node, spell: Spell) -> Iterator[Imported]:
    """Yield the method in ``A::m insteadof B``: https://www.php.net/manual/en/language.oop5.traits.php."""
    trait, method = _find_trait_member(clause, spell)
    if method is not None:
        yield Imported(trait, text(method), text(method), space=MEMBERS)


def take_aliased_method(clause: Node, spell: Spell) -> Iterator[Imported]:
    """Yield the method that a class has under another name too."""
    trait, method = _find_trait_member(clause, spell)
    alias = _find_method_alias(clause)
    if method is not None and alias is not None:
        yield Imported(trait, text(method), text(alias), space=MEMBERS)


def bind_method_names(clause: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
    """Yield the names in ``m as n``: the one is a member of a trait, the other of the class."""
    trait, method = _find_trait_member(clause, spell)
    alias = _find_method_alias(clause)
    if method is not None and method.parent == clause:
        yield method, trait
    if alias is not None:
        yield alias, ITSELF


def read_static_property(node: Node) -> Iterator[Written]:
    """Yield the name in ``A::$name`` without its dollar: so the property is declared."""
    scope = node.child_by_field_name("scope")
    for name in list_bare_names(node.child_by_field_name("name")):
        if scope is not None and scope.type in ("name", "qualified_name", "relative_scope", "variable_name"):
            yield Written(name.start_byte, text(name), Role.Read, spell_absolute(scope))


def read_declared_property(node: Node) -> Iterator[Written]:
    """Yield the name that a property is declared by, without its dollar."""
    for name in list_bare_names(node.child_by_field_name("name")):
        yield Written(name.start_byte, text(name), Role.Definition, BARE)


def read_callable(node: Node) -> Iterator[Written]:
    """Yield the method in ``[A::class, 'method']`` and ``[$this, 'method']``.

    https://www.php.net/manual/en/language.types.callable.php
    """
    elements = [child.named_children for child in node.named_children if child.type == "array_element_initializer"]
    if len(elements) != _PARTS_OF_CALLABLE or any(len(parts) != 1 for parts in elements):
        return
    (first,), (second,) = elements
    owner = _spell_callable_owner(first)
    content = second.named_children if second.type in ("string", "encapsed_string") else ()
    if owner and len(content) == 1 and text(content[0]).isidentifier():
        yield Written(content[0].start_byte, text(content[0]), Role.Call, owner)


_PARTS_OF_CALLABLE = 2


def _spell_callable_owner(first: Node) -> str:
    """Spell whose method an array names; nothing where its first element is no class, no new and not the own object."""
    if first.type == "variable_name":
        return text(first) if text(first) == "$this" else ""
    if first.type == "object_creation_expression":
        made = next((one for one in first.named_children if one.type in ("name", "qualified_name")), None)
        return f"{spell_absolute(made)}()" if made is not None else ""
    scope, name = split_scoped(first) if first.type == "class_constant_access_expression" else (None, None)
    if scope is None or text(name) != "class" or scope.type not in ("name", "qualified_name", "relative_scope"):
        return ""
    return spell_absolute(scope)


_ALIASING = lazy_compile(r"\sas\s+(?:\w+\s+)?$")
"""What stands before another name of a method."""


def names_constant(before: str, after: str) -> bool | None:
    """Return whether a member that is not called is a constant; None for a method of a trait: ``A::m insteadof B``.

    https://www.php.net/manual/en/language.oop5.paamayim-nekudotayim.php
    """
    if after.lstrip().startswith(("insteadof ", "as ")) or _ALIASING.search(before) is not None:
        return None
    if before.rstrip().endswith(("$", "->")):
        return False
    return None if before.endswith("\\") else True  # what is in a namespace may be of any kind


def names_type(before: str, after: str) -> bool | None:
    """Return whether a name is that of a class: constants and functions may be called like one.

    https://www.php.net/manual/en/language.namespaces.rules.php
    """
    made = _MADE.search(before) is not None
    return made or after.lstrip().startswith("::")


def imports_type(before: str) -> bool | None:
    """Return whether an import names a class or a namespace, by the text before the name; None where that says nothing.

    https://www.php.net/manual/en/language.namespaces.importing.php
    """
    if _FUNCTION.search(before) is not None:
        return False
    return True if _USE.search(before) is not None else None


_USE = lazy_compile(r"(?i)\buse\s[^;]*$")
_FUNCTION = lazy_compile(r"(?i)\buse\s+(?:function|const)\s[^;]*$|[{,]\s*(?:function|const)\s+[\w\\]*$")
"""What stands before the name of a function or a constant in an import."""

_MADE = lazy_compile(r"(?i)\b(?:new|instanceof)\s+[\w\\]*$")
"""What stands before the name of a class whose object is made, or tested for."""


_ABSTRACT = re.compile(r"\babstract\b", re.IGNORECASE)
_TRAIT = re.compile(r"\btrait\s*$", re.IGNORECASE)


def is_demanded(type_head: str, member_head: str) -> bool:
    """Return whether a trait only demands a method of the classes that use it, which may inherit that.

    https://www.php.net/manual/en/language.oop5.traits.php#language.oop5.traits.abstract
    """
    return _ABSTRACT.search(member_head) is not None and _TRAIT.search(type_head) is not None
