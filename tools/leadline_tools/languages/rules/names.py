"""Names of symbols: which can be given, what they say, and how far they reach."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from leadline_tools.languages.access import IsPrivate, has_modifier
from leadline_tools.languages.reach import Reaching, anywhere

_IDENTIFIER: Final = re.compile(r"[^\W\d]\w*")


@dataclass(frozen=True, slots=True)
class NameRules:
    """What symbols can be called, who sees them, and what else a name says.

    Args:
        keywords: The words that no symbol can have as its name.
        identifier: The expression of a name of a symbol, keywords included.
        is_private: Decides whether a member is private; None where its other declarations decide.
        reach: Returns from where a symbol can be named.
        called_by_language: Decides whether the language or its library calls a member of a name by other signs than it.
        runs: The names of the functions outside of types that the language itself calls.
        gives_to_parameters: Decides from the lines above a function and its head whether a tool calls it and gives its
            result to parameters of its name. None for no such tool.
        may_be_given: Decides from the file of such a function, and from the file and the head of another, whether the
            tool may give the other the result.
        constructors: The names of the methods that run when an object is made, without those that are called like their
            type.
        refuses_rename: Returns why a name cannot become another one, as a part of a sentence, where a name says what it
            is; empty where it can.
        binds_in_text: Returns whether a name in a line without code is bound to the symbol there: in a directive, or in
            assembly. Takes the path, the line and the name.
        finds_parameter: Returns where a line of the comment above a function names a parameter, from the line and the
            name; -1 where it does not.
        file_named_after_type: True where a file has to be called like its public type.
        own_head: Returns the head of one declared name, from a head on one line that declares several. None where each
            declaration has its own head.
        endings: The signs that may end a name, without which it is another one: ``a?`` is not ``a``.
        sigil: True where names of variables, and nothing else, begin with ``$``.
        variable_signs: What names of variables begin with that are no methods, whatever attributes read them.
        is_no_variable: Decides from the text before and behind a word whether the signs there say that it is no local
            variable, unless it names an argument.
        transparent_decorators: The decorators of the language and its library that do not use the name of what they
            decorate, where decorators are called. None where decorators are only annotations.
        computed: The expression of an access to a member of the own object whose name is made while the program runs.
            The group ``head`` is the beginning of the name, as far as it is written.

    """

    keywords: frozenset[str] = frozenset()
    identifier: re.Pattern[str] = _IDENTIFIER
    is_private: IsPrivate = has_modifier
    reach: Reaching = anywhere
    called_by_language: Callable[[str], bool] = lambda _name: False
    runs: frozenset[str] = frozenset()
    gives_to_parameters: Callable[[str], bool] | None = None
    may_be_given: Callable[[str, str, str], bool] | None = None
    constructors: frozenset[str] = frozenset()
    refuses_rename: Callable[[str, str], str] = lambda _old, _new: ""
    binds_in_text: Callable[[str, str, str], bool] = lambda _path, _line, _name: False
    finds_parameter: Callable[[str, str], int] | None = None
    file_named_after_type: bool = False
    own_head: Callable[[str, str], str] | None = None
    endings: tuple[str, ...] = ()
    sigil: bool = False
    variable_signs: tuple[str, ...] = ()
    is_no_variable: Callable[[str, str], bool] = lambda _before, _behind: False
    transparent_decorators: frozenset[str] | None = None
    computed: re.Pattern[str] | None = None
