"""The context of a node: what it hands down to its children."""

from __future__ import annotations

from leadline_tools.languages.fact_walk.node_rules import NodeRules
from leadline_tools.model import Role

_STRONGER = {Role.Call: (Role.Decorator,), Role.Type: (Role.Inherit, Role.Decorator)}
"""Roles that a node around it gives to what would otherwise be called or be a type: a base class is both."""


class Context:
    """The scope, the role, the rules and the imports of a node, as its children need them.

    Attributes:
        imports: The indexes of the imports that the node is in, the last exclusive.
        is_key: Whether a child in no field is a key.
        around: The scope before the latest definition that holds the rest, -1 for the same.

    """

    __slots__ = ("around", "imports", "is_key", "role", "rules", "scope")

    def __init__(
        self, scope: int, role: Role, rules: NodeRules, imports: tuple[int, int], is_key: bool = False, around: int = -1
    ) -> None:
        self.scope = scope
        self.role = role
        self.rules = rules
        self.imports = imports
        self.is_key = is_key
        self.around = around

    def inside(self, scope: int, around: int | None = None) -> Context:
        """Return what is handed down in another scope."""
        around = self.around if around is None else around
        return Context(scope, self.role, self.rules, self.imports, self.is_key, around)

    def child_role(self, field: str) -> Role:
        """Return the role of a child."""
        rules, role = self.rules, self.role
        if rules.roles:
            rule = rules.roles.get(field) or rules.roles.get("")
            if rule is not None:
                return role if role in _STRONGER.get(rule, ()) else rule
        if rules.member is not None and not rules.is_generic:
            is_member = not callable(rules.member) and field == rules.member[1]
            return role if is_member or role in (Role.Type, Role.Import) else Role.Read
        return rules.child_roles[role]

    def holds_key(self, rules: NodeRules, field: str) -> bool:
        """Return whether what is in no field of a child is a key."""
        return field in self.rules.keys if field else self.is_key and rules is self.rules
