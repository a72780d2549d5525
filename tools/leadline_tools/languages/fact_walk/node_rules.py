"""The rules for the nodes of one type, found once: most types have none."""

from __future__ import annotations

from tree_sitter import Node

from leadline_tools.languages.language import Language, Semantics
from leadline_tools.model import Role

_STICKY = frozenset({Role.Type, Role.Inherit, Role.Decorator, Role.Import, Role.Write})
"""Roles that a node hands down to all in it."""


class NodeRules:
    """The rules for the nodes of one type: what ``Language`` and ``Semantics`` say by that type, and what follows.

    Attributes:
        name: The type of the nodes.
        child_roles: The role of a child of which no rule says one, by the role of the node.
        declares: Whether a node may define, open or bind something.
        has_evidence: Whether a node may tell of what type something is, or names what the walk does not come upon.
        has_flow: Whether a node may pass a value on: to a member, to an argument, to a collection, to a branch.
        has_fields: Whether the fields of the children matter.
        hands_on: Whether a child has the context of the node, if no rule says more.
        is_plain: Whether no rule says anything of the node itself.
        texts_alone: What reads a node of which no rule says more.

    """

    __slots__ = (
        "arguments",
        "assigns",
        "binds",
        "borrows",
        "child_roles",
        "constructs",
        "decides",
        "declares",
        "definition",
        "fills",
        "gives",
        "hands_on",
        "has_evidence",
        "has_fields",
        "has_flow",
        "implicit_calls",
        "interrupts",
        "is_capture",
        "is_generic",
        "is_global",
        "is_identifier",
        "is_import",
        "is_opaque",
        "is_plain",
        "is_shorthand",
        "is_type",
        "keys",
        "labels",
        "member",
        "name",
        "narrows_scope",
        "opens",
        "outside",
        "pairs",
        "puts",
        "quotes",
        "receives",
        "rest",
        "returns",
        "roles",
        "shortens",
        "takes",
        "texts",
        "texts_alone",
    )

    def __init__(self, name: str, language: Language, semantics: Semantics) -> None:
        self.name = name
        self.is_identifier = name in semantics.scopes.identifiers
        self.definition = language.outline.definitions.get(name)
        self.rest = self.definition is not None and self.definition.rest
        self.is_generic = name in semantics.scopes.generic
        self.member = semantics.uses.members.get(name)
        self.is_opaque = name in semantics.scopes.opaque
        self.opens = semantics.scopes.opens.get(name)
        self.binds = semantics.scopes.binds.get(name)
        self.is_import = name in semantics.imports.statements
        self.is_global = name in semantics.scopes.globals
        self.is_capture = name in semantics.scopes.captures
        self.borrows = self.is_global or self.is_capture or name in semantics.scopes.nonlocals
        self.fills = semantics.uses.literal_keys.get(name)
        self.texts = semantics.uses.texts.get(name)
        self.returns = semantics.types.returns.get(name)
        self.quotes = semantics.uses.quotes.get(name)
        self.narrows_scope = semantics.types.narrows_scope.get(name)
        self.puts = semantics.types.puts.get(name)
        self.constructs = semantics.calls.constructs.get(name)
        self.implicit_calls = semantics.calls.implicit_calls.get(name)
        self.takes = semantics.members.mixins.get(name)
        self.pairs = semantics.uses.pairs.get(name)
        self.arguments = semantics.calls.arguments.get(name)
        branches = semantics.types.narrows_branches
        self.decides = branches if name in branches.decides else None
        self.gives = branches.gives.get(name, "")
        self.assigns = branches.assigns.get(name)
        self.receives = branches.receives.get(name)
        self.interrupts = branches.interrupts.get(name)
        self.has_flow = bool(
            self.pairs or self.arguments or self.decides or self.gives or self.puts or self.constructs or self.takes
        )
        infers = self.implicit_calls or self.fills or self.returns or self.quotes or self.narrows_scope or self.has_flow
        self.has_evidence = bool(infers or self.texts)
        self.roles = {field: role for (kind, field), role in semantics.uses.roles.items() if kind == name}
        self.keys = frozenset(field for kind, field in semantics.uses.keys if kind == name)
        self.labels = frozenset(field for kind, field in semantics.uses.labels if kind == name)
        self.outside = {
            field: is_outside for (kind, field), is_outside in semantics.scopes.outside.items() if kind == name
        }
        self.has_fields = bool(self.roles or self.keys or self.labels or self.member or self.outside)
        self.is_type = name in semantics.scopes.type_identifiers
        special = (
            self.is_generic
            or self.is_opaque
            or name in semantics.uses.shorthands
            or name in semantics.uses.shorthands_in
            or name in semantics.scopes.same_named
        )
        self.hands_on = not (self.has_fields or special)
        self.is_shorthand = name in semantics.uses.shorthands
        self.shortens = semantics.uses.shorthands_in.get(name)
        self.declares = bool(self.definition or self.opens or self.binds or self.interrupts)
        acts = self.is_identifier or self.member or self.declares or self.is_import or self.borrows
        self.is_plain = not (acts or self.has_evidence)
        self.texts_alone = self.texts if not (acts or infers) else None
        self.child_roles = {role: self._child_role(role) for role in Role}

    def _child_role(self, role: Role) -> Role:
        if self.is_generic:
            return role
        return role if role in _STICKY and not (role is Role.Write and self.is_opaque) else Role.Read


_RULES: dict[str, dict[int, NodeRules | None]] = {}


def known_rules(language: Language) -> dict[int, NodeRules | None]:
    """Return the rules for the nodes that were met so far, by the grammar's number of their type; None for no name."""
    return _RULES.setdefault(language.name, {})


def find_rules(node: Node, language: Language, semantics: Semantics) -> NodeRules | None:
    """Return the rules for the nodes of the type of one; None where it has no name."""
    return NodeRules(node.type, language, semantics) if node.is_named else None
