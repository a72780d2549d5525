"""Makefiles: https://www.gnu.org/software/make/manual/make.html."""

from __future__ import annotations

from collections.abc import Sequence

from tree_sitter import Node

from leadline_tools.languages.language import Language
from leadline_tools.languages.nodes import children_of_type, fields, text
from leadline_tools.languages.rules.files import FileRules
from leadline_tools.languages.rules.outline import Defines, OutlineRules
from leadline_tools.model import SymbolKind

_WORDS = children_of_type("word")


def _names(targets: Node) -> Sequence[Node]:
    """Return the targets that somebody can make by name: no patterns, and none of the special ones (``.PHONY``)."""
    return [target for target in _WORDS(targets) if "%" not in text(target) and not _is_special(text(target))]


def _is_special(target: str) -> bool:
    return target.startswith(".") and target[1:].replace("_", "").isupper()


_VARIABLE = Defines(SymbolKind.Variable, body=fields())

LANGUAGE = Language(
    name="make",
    grammar=("tree_sitter_make", "language"),
    files=FileRules(
        extensions=(".mk", ".mak"),
        filenames=("Makefile", "makefile", "GNUmakefile", "Makefile.am", "Makefile.in"),
    ),
    outline=OutlineRules(
        definitions={
            "targets": Defines(SymbolKind.Function, name=_names, body=fields()),
            "variable_assignment": _VARIABLE,
            "shell_assignment": _VARIABLE,
            "define_directive": _VARIABLE,
        },
        wrappers=frozenset({"rule"}),
        through=frozenset(
            # The recipe of a rule holds the conditionals that follow it as well.
            {"export_directive", "override_directive", "private_directive", "recipe", "conditional"}
            | {"else_directive", "elsif_directive"}
        ),
    ),
)
