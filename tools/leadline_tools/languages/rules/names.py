"""Names of symbols: which can be given, what they say, and how far they reach."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from leadline_tools.languages.reach import Reaching, anywhere

_IDENTIFIER: Final = re.compile(r"[^\W\d]\w*")


def says_private(_name: str, signature: str) -> bool:
    """Tell whether ``private`` or ``protected`` is among the modifiers of a member."""
    modifiers = signature.partition("(")[0].partition("=")[0].split()[:-1]
    return not {"private", "protected"}.isdisjoint(modifiers)


@dataclass(frozen=True, slots=True)
class NameRules:
    """What symbols can be called, who sees them, and what else a name says.

    Args:
        transparent_decorators: Where decorators are called with what they stand before: those of the language and its
            library that do not ask what it is called. None where they only say something of it.
        computed: What asks an object, in a method of its own, for a member whose name is made while the program runs;
            the group ``head`` is what that name begins with, as far as it is written.
        sigil: True where the name of a variable begins with ``$`` and nothing else does.
        file_named_after_type: True where a file has to be called like the type in it that is public.
        binds_in_text: Tells of the path and a line of what is no code, and a name in it, that the name is bound to it
            there: a directive, or assembly.
        is_private: Tells from the name and the signature of a member that it is for its own type only.
        own_head: From the head of a declaration on one line, and a name that it declares, to what declares that name
            alone. None where a declaration has a head for each name.
        reach: Tells from where a symbol can be named.
        constructors: The names of the methods that run when an object is made, but for those that are called like their
            type.
        keywords: The words that no symbol can be called.
        identifier: What a symbol can be called, but for these.
        refuses_rename: From a name and a new one to why the one cannot become the other, as part of a sentence; empty
            where it can: what a name is called may say what it is.

    """

    transparent_decorators: frozenset[str] | None = None
    computed: re.Pattern[str] | None = None
    sigil: bool = False
    file_named_after_type: bool = False
    binds_in_text: Callable[[str, str, str], bool] = lambda _path, _line, _name: False
    is_private: Callable[[str, str], bool] = says_private
    own_head: Callable[[str, str], str] | None = None
    reach: Reaching = anywhere
    constructors: frozenset[str] = frozenset()
    keywords: frozenset[str] = frozenset()
    identifier: re.Pattern[str] = _IDENTIFIER
    refuses_rename: Callable[[str, str], str] = lambda _old, _new: ""
