"""CMake: https://cmake.org/cmake/help/latest/manual/cmake-language.7.html."""

from __future__ import annotations

from collections.abc import Sequence

from tree_sitter import Node

from leadline_tools.languages.language import Language
from leadline_tools.languages.nodes import children_of_type, descend, fields, first_child, text
from leadline_tools.languages.pack import EXTENSIONS, PACKAGE
from leadline_tools.languages.rules.files import FileRules
from leadline_tools.languages.rules.outline import Defines, OutlineRules
from leadline_tools.model import SymbolKind

_COMMANDS = {
    "project": SymbolKind.Module,
    "set": SymbolKind.Variable,
    "option": SymbolKind.Variable,
    "add_library": SymbolKind.Object,
    "add_executable": SymbolKind.Object,
    "add_custom_target": SymbolKind.Object,
    "add_test": SymbolKind.Event,
}
_FIRST_ARGUMENT = descend(first_child("argument_list"), children_of_type("argument"))
_PLAIN = descend(first_child("unquoted_argument"))


def _kind(command: Node) -> SymbolKind | None:
    return _COMMANDS.get(text(next(iter(first_child("identifier")(command)), None)).lower())


def _name(command: Node) -> Sequence[Node]:
    """Return the first argument of a command where it is a word, without variables in it."""
    arguments = _FIRST_ARGUMENT(command)[:1]
    return [word for argument in arguments for word in _PLAIN(argument) if not word.named_child_count]


def _callable(head: str) -> Defines:
    return Defines(SymbolKind.Function, name=descend(first_child(head), _name), body=first_child("body"))


LANGUAGE = Language(
    name="cmake",
    grammar=(f"{PACKAGE}.bindings.cmake", "language"),
    files=FileRules(
        extensions=EXTENSIONS["cmake"],
        filenames=("CMakeLists.txt",),
    ),
    outline=OutlineRules(
        definitions={
            "normal_command": Defines(_kind, name=_name, body=fields()),
            "function_def": _callable("function_command"),
            "macro_def": _callable("macro_command"),
        },
        through=frozenset({"if_condition", "foreach_loop", "while_loop", "block_def", "body"}),
        comments=frozenset({"line_comment", "bracket_comment"}),
    ),
)
