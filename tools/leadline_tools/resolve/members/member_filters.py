"""Filters of members: whether a type that is made of another has a member of that one."""

from __future__ import annotations

from leadline_tools.resolve.types.evaluation import MemberTypes
from leadline_tools.resolve.types.type import MemberFilter, Type


def leaves_member(members: MemberTypes, type_: Type, name: str) -> bool:
    """Return whether a type does not leave out a member of what it is made of."""
    return all(_is_named(members, one, name) is one.picks for one in type_.filters)


def _is_named(members: MemberTypes, one: MemberFilter, name: str) -> bool:
    return name in one.names or any(True for of in one.of for _ in members.resolve_member(of, name))
