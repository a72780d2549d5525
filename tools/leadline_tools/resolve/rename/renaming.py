"""A *renaming*: the edits that a new name needs, the uses that nobody can decide, and what is in the way."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from leadline_tools.account import Account
from leadline_tools.model import Occurrence
from leadline_tools.resolve.hierarchy.override_group import OverrideGroup
from leadline_tools.resolve.rename.collisions import Collision
from leadline_tools.resolve.rename.name_edit import NameEdit
from leadline_tools.resolve.rename.run_time import RunTimeLookup

SECONDS = 20.0
"""Seconds in which all files are resolved that hold the name: a rename has to know them all."""


@dataclass(frozen=True, slots=True)
class Renaming:
    """What a new name changes.

    Args:
        override_group: What is renamed together.
        places: What is changed, by path.
        undecided: Occurrences of the old name that may mean the symbol, the likelier first: they are not changed.
        code: All lines and columns of the old name that are code or may be, by path.
        collisions: What is in the way of the new name.
        exported: The files that export the symbol by its name.
        unread: Files that hold the name and cannot be parsed.
        left: How many files were not resolved in time.
        decorators: What is called with something that gets the new name, and may ask for it.
        lookups: Where some member is asked for by a name that is made at run time.
        account: What the tokens are that spell the old name; None for a local name.
        implicit_calls: Where it is called by signs, as an operator is.
        variables: Where the variable is named that it reads by its own name, as an attribute of Ruby does.
        namesakes: Members of other types that keep the name, where types are compared by their members.
        shared: Types that are declared for all files, which something from outside may declare too.
        fitted_by_functions: Members of types that are compared by their members, of which every function has one.
        other_names: Where it is used by another name, which may be made of its own.

    """

    override_group: OverrideGroup
    places: Mapping[str, Sequence[NameEdit]]
    undecided: Sequence[Occurrence]
    code: Mapping[str, set[tuple[int, int]]]
    collisions: Sequence[Collision]
    exported: Sequence[str]
    unread: Sequence[str]
    left: int
    decorators: Sequence[RunTimeLookup] = ()
    lookups: Sequence[RunTimeLookup] = ()
    account: Account | None = None
    implicit_calls: Sequence[RunTimeLookup] = ()
    variables: Sequence[RunTimeLookup] = ()
    namesakes: Sequence[RunTimeLookup] = ()
    shared: Sequence[RunTimeLookup] = ()
    fitted_by_functions: Sequence[RunTimeLookup] = ()
    other_names: Sequence[RunTimeLookup] = ()
