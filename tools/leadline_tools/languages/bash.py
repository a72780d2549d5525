"""Bash and the shells like it: https://www.gnu.org/software/bash/manual/bash.html.

A function's assignment without ``local`` is one to a variable of the whole script, or of a function that called it:
only those made outside of functions are symbols, and what is not local is looked for among them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from posixpath import normpath

from tree_sitter import Node

from leadline_tools.languages import lexing, script_regions
from leadline_tools.languages.language import (
    Binds,
    Defines,
    Imported,
    Language,
    Paths,
    ScopeKind,
    Scoping,
    fields,
    text,
)
from leadline_tools.model import Role, SymbolKind

_SOURCE = frozenset({"source", "."})
_LOCAL = frozenset({"local", "declare", "typeset"})
_DECLARE = frozenset({"declare", "typeset", "readonly"})
_LONGEST_PATH = 500
_QUOTES = re.compile("[\"']")
_EXPANSION = re.compile(r"(.*?[$`].*?)/([^$`(){}]+)")
_OWN_FOLDER = re.compile(r"dirname|BASH_SOURCE|\$\{?0")


def _assigned(node: Node) -> Sequence[Node]:
    """Return the name of an assigned variable; an element of an array declares nothing."""
    return [name for name in node.children_by_field_name("name") if name.type == "variable_name"]


def _declared(node: Node) -> Sequence[Node]:
    """Return the names that ``declare`` and its like are given, with or without a value."""
    names: list[Node] = []
    for child in node.named_children:
        if child.type == "variable_assignment":
            names.extend(_assigned(child))
        elif child.type == "variable_name" and _keyword(node) in _DECLARE:
            names.append(child)
    return names


def _keyword(node: Node) -> str:
    return text(node.child(0))


def _flags(node: Node) -> str:
    return "".join(text(child) for child in node.named_children if child.type == "word" and text(child)[:1] == "-")


def _declared_kind(node: Node) -> SymbolKind:
    constant = _keyword(node) == "readonly" or "r" in _flags(node)
    return SymbolKind.Constant if constant else SymbolKind.Variable


def _locals(node: Node) -> Sequence[Node]:
    """Return the names that a declaration keeps in its function."""
    if _keyword(node) not in _LOCAL or "g" in _flags(node):
        return ()
    return [
        name
        for child in node.named_children
        for name in (_assigned(child) if child.type == "variable_assignment" else (child,))
        if name.type == "variable_name"
    ]


def _command(node: Node) -> str:
    return text(node.child_by_field_name("name"))


def _alias_kind(node: Node) -> SymbolKind | None:
    return SymbolKind.Function if _command(node) == "alias" else None


def _aliases(node: Node) -> Sequence[Node]:
    return [argument for argument in node.children_by_field_name("argument") if "=" in text(argument)]


def _source(node: Node) -> Iterator[Imported]:
    """Read ``source ./a.sh`` and ``. "$FOLDER/a.sh"``."""
    argument = node.child_by_field_name("argument")
    if argument is not None and _command(node) in _SOURCE and argument.end_byte - argument.start_byte < _LONGEST_PATH:
        yield Imported(_QUOTES.sub("", text(argument)), "*", "")


def _locate(module: str, importer: str, paths: Paths) -> Sequence[str]:
    """Return the sourced file: beside the importer or from the root; behind an expansion the only one that fits."""
    folder = importer.rpartition("/")[0]
    expansion = _EXPANSION.fullmatch(module)
    tail = expansion[2] if expansion else module
    beside = normpath(f"{folder}/{tail}" if folder else tail)
    if expansion and not _OWN_FOLDER.search(expansion[1]):
        found = paths.ending(normpath(tail).removeprefix("../"))
        return found if len(found) == 1 else ()
    return [path for path in (beside, normpath(tail)) if paths.exists(path)][:1]


_KEYWORDS = frozenset("case coproc do done elif else esac fi for function if in select then time until while".split())

LANGUAGE = Language(
    name="bash",
    extensions=(".sh", ".bash", ".zsh", ".ksh", ".bats", ".ebuild", ".eclass"),
    grammar=("tree_sitter_bash", "language"),
    filenames=(
        ".bashrc",
        ".bash_profile",
        ".bash_aliases",
        ".bash_logout",
        ".profile",
        ".zshrc",
        ".zshenv",
        ".zprofile",
        "PKGBUILD",
        "APKBUILD",
    ),
    interpreters=("sh", "bash", "zsh", "dash", "ksh", "bats"),
    regions=script_regions.bats,
    definitions={
        "function_definition": Defines(SymbolKind.Function, parameters=fields()),
        "variable_assignment": Defines(SymbolKind.Variable, name=_assigned, body=fields()),
        "declaration_command": Defines(_declared_kind, name=_declared, body=fields()),
        "command": Defines(
            _alias_kind, name=_aliases, body=fields(), spell=lambda name: text(name).partition("=")[0].lstrip("'\"")
        ),
        # What is in broken code is in a function as likely as not: its functions are found, its variables are not.
        "ERROR": Defines(SymbolKind.Function, name=fields(), body=lambda node: (node,), emits=False),
    },
    through=frozenset(
        "if_statement elif_clause else_clause case_statement case_item for_statement c_style_for_statement"
        " while_statement do_group list compound_statement redirected_statement negated_command".split()
    ),
    lexis=lexing.BASH,
    keywords=_KEYWORDS,
    identifier=re.compile(r"[^\W\d][\w.:-]*"),
    scoping=Scoping(
        identifiers=frozenset({"variable_name", "command_name"}),
        scopes={"function_definition": ScopeKind.Function},
        binds={"declaration_command": Binds(_locals)},
        roles={
            ("command", "name"): Role.Call,
            ("variable_assignment", "name"): Role.Write,
            ("variable_assignment", "value"): Role.Read,
            ("for_statement", "variable"): Role.Write,
            ("unset_command", ""): Role.Write,
        },
        imports={"command": _source},
        locate=_locate,
        opaque=frozenset({"subscript"}),
    ),
)
