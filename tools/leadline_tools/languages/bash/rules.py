"""Bash and the shells like it: https://www.gnu.org/software/bash/manual/bash.html.

A function's assignment without ``local`` is one to a variable of the whole script, or of a function that called it:
only those made outside of functions are symbols, and what is not local is looked for among them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from posixpath import normpath

from tree_sitter import Node

from leadline_tools.languages import lexing, terms
from leadline_tools.languages.bash import bats as script_regions
from leadline_tools.languages.language import Language, Semantics
from leadline_tools.languages.nodes import fields, root_of, text
from leadline_tools.languages.rules.calls import CallRules
from leadline_tools.languages.rules.files import FileRules
from leadline_tools.languages.rules.imports import Imported, ImportRules, Paths
from leadline_tools.languages.rules.names import NameRules
from leadline_tools.languages.rules.outline import Defines, OutlineRules
from leadline_tools.languages.rules.scopes import Binds, ScopeKind, ScopeRules
from leadline_tools.languages.rules.source import SourceRules
from leadline_tools.languages.rules.uses import Quoted, UseRules
from leadline_tools.languages.rules.visibility import VisibilityRules
from leadline_tools.languages.terms import BARE, UNKNOWN
from leadline_tools.lazy_regex import lazy_compile
from leadline_tools.model import Role, SymbolKind

_SOURCE = frozenset({"source", "."})
_LOCAL = frozenset({"local", "declare", "typeset"})
_DECLARE = frozenset({"declare", "typeset", "readonly"})
_LONGEST_PATH = 500
_NAME = lazy_compile(r"[^\W\d]\w*")
_QUOTES = lazy_compile("[\"']")
_EXPANSION = lazy_compile(r"(.*?[$`].*?)/([^$`(){}]+)")
_OWN_FOLDER = lazy_compile(r"dirname|BASH_SOURCE|\$\{?0")


def _list_assigned_name(node: Node) -> Sequence[Node]:
    """Return the name of an assigned variable; an element of an array declares nothing."""
    return [name for name in node.children_by_field_name("name") if name.type == "variable_name"]


def _is_of_functions(node: Node) -> bool:
    """Return whether a declaration shows or changes functions, and declares no variable."""
    return not {"f", "F"}.isdisjoint(_flags(node))


def _list_declared_names(node: Node) -> Sequence[Node]:
    """Return the names that ``declare`` and its like are given, with or without a value."""
    names: list[Node] = []
    if _is_of_functions(node):
        return names
    for child in node.named_children:
        if child.type == "variable_assignment":
            names.extend(_list_assigned_name(child))
        elif child.type == "variable_name" and _keyword(node) in _DECLARE:
            names.append(child)
    return names


def _keyword(node: Node) -> str:
    return text(node.child(0))


def _flags(node: Node) -> str:
    return "".join(text(child) for child in node.named_children if child.type == "word" and text(child)[:1] == "-")


def _classify_declared(node: Node) -> SymbolKind:
    constant = _keyword(node) == "readonly" or "r" in _flags(node)
    return SymbolKind.Constant if constant else SymbolKind.Variable


def _locals(node: Node) -> Sequence[Node]:
    """Return the names that a declaration keeps in its function."""
    if _keyword(node) not in _LOCAL or "g" in _flags(node) or _is_of_functions(node):
        return ()
    return [
        name
        for child in node.named_children
        for name in (_list_assigned_name(child) if child.type == "variable_assignment" else (child,))
        if name.type == "variable_name"
    ]


def _command(node: Node) -> str:
    return text(node.child_by_field_name("name"))


_FILLS = {
    "getopts": "",
    "mapfile": "dnOsuCc",
    "read": "dinNptu",
    "readarray": "dnOsuCc",
}
"""The builtins that give variables values, with the options of each that are followed by something else than one:
https://www.gnu.org/software/bash/manual/bash.html#Bash-Builtins."""


def _classify_command(node: Node) -> SymbolKind | None:
    """Return what a command defines: an alias, or the variables that it fills."""
    name = _command(node)
    if name == "alias":
        return SymbolKind.Function
    return SymbolKind.Variable if name in _FILLS or name == "printf" else None


def _list_defined_names(node: Node) -> Sequence[Node]:
    name, arguments = _command(node), node.children_by_field_name("argument")
    if name == "alias":
        return [argument for argument in arguments if "=" in text(argument)]
    return _list_filled_names(name, arguments)


def _list_filled_names(name: str, arguments: Sequence[Node]) -> Sequence[Node]:
    """Return the names of the variables that a builtin gives values."""
    if name == "printf":
        found = arguments[1:2] if arguments and text(arguments[0]) == "-v" else ()
    elif name == "getopts":
        found = arguments[1:2]
    else:
        found = list(_operands(arguments, _FILLS[name]))
    return [one for one in found if one.type == "word" and _NAME.fullmatch(text(one))]


def _operands(arguments: Sequence[Node], valued: str) -> Iterator[Node]:
    """Yield the arguments that are neither options nor the values of those in ``valued``."""
    is_value = False
    for one in arguments:
        if is_value:
            is_value = False
        elif text(one).startswith("-"):
            is_value = text(one)[-1:] in valued
        else:
            yield one


def _read_loop_condition(loop: Node) -> Iterator[Quoted]:
    """Yield the names in the conditions of ``for ((i = 0; i < n; i++))`` that the grammar takes for words."""
    body = loop.child_by_field_name("body")
    stack = [child for child in loop.named_children if child != body]
    while stack:
        node = stack.pop()
        if node.type == "word" and _NAME.fullmatch(text(node)):
            yield Quoted(node, 0, text(node), BARE, Role.Read)
        stack.extend(node.named_children)


_ASSOCIATIVE = lazy_compile(rb"\s-\w*A")
_LARGEST_SEARCHED = 200_000
"""Bytes of a file that is searched for associative arrays."""


def _read_index(subscript: Node) -> Iterator[Quoted]:
    """Yield the variable that ``a[i]`` is indexed by, in a file without associative arrays, of which ``i`` is a key.

    https://www.gnu.org/software/bash/manual/bash.html#Arrays
    """
    index = subscript.child_by_field_name("index")
    if index is None or index.type != "word" or not _NAME.fullmatch(text(index)):
        return
    root = root_of(subscript)
    if root.end_byte <= _LARGEST_SEARCHED and not _has_associative_arrays(root.text or b""):
        yield Quoted(index, 0, text(index), BARE, Role.Read)


@lru_cache(1)
def _has_associative_arrays(content: bytes) -> bool:
    """Return whether a file may declare one, found once for all of its indexes."""
    return _ASSOCIATIVE.search(content) is not None


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


# --- Functions that are named where commands are built in

_PREFIXES = frozenset({"coproc", "time"})
"""Keywords before a command that the grammar takes for commands:
https://www.gnu.org/software/bash/manual/bash.html#Pipelines, and #Coprocesses."""

_PROGRAMS = frozenset({"builtin", "command", "exec"})
"""What runs a program or a builtin of a name, and never a function."""

_NO_FUNCTION = terms.TUPLE
"""The receiver of the name of what is no function: a type of which no script declares members."""

_EVALUATED = {"eval": 0, "trap": 0}
"""What runs the commands in an argument, with the place of that among those that are no options."""

_CALLBACKS = {
    "compgen": ("-F",),
    "complete": ("-F", "-C"),
    "mapfile": ("-C",),
    "readarray": ("-C",),
}
"""The options that are followed by a function, or by commands:
https://www.gnu.org/software/bash/manual/bash.html#Programmable-Completion-Builtins."""

_SHELLS = frozenset({"bash", "sh", "zsh", "ksh", "dash"})
_HOOKS = {"add-zsh-hook": 1, "compdef": 0, "zle": 1}
"""The commands of zsh that are given a function, with the place of that: https://zsh.sourceforge.io/Doc/."""

_RUN_BEFORE_PROMPTS = "PROMPT_COMMAND"

_WORDS = frozenset({"word", "raw_string", "string", "concatenation"})
_FIRST_WORDS = lazy_compile(
    r"(?:^|[;&|\n({])\s*(?:(?:\w+=\S*|then|do|else|elif|if|while|until|time|!|\{|\()\s+)*"
    r"([^\s;&|()<>{}$\"'`=!\[\]#*?~]+)(?![^\s;&|)}\"'<>])"
)
"""The first words of the commands in a text."""


def _read_named_functions(node: Node) -> Iterator[Quoted]:
    """Yield the functions that a command is given to run, now or later, or to tell something of; what it fills."""
    name, arguments = _command(node), [one for one in node.children_by_field_name("argument") if one.type in _WORDS]
    plain = [one for one in arguments if not text(one).startswith("-")]
    if name in _FILLS or name == "printf":
        given = _list_filled_names(name, node.children_by_field_name("argument"))
        yield from (_read_quoted(one, 0, text(one), BARE, Role.Write) for one in given)
    if name in _PREFIXES or name in _PROGRAMS:
        yield from _first_run(name, arguments, plain)
    elif name in _EVALUATED:
        yield from _commands(plain[: _EVALUATED[name] + 1])
    elif name in _CALLBACKS:
        pairs = pairwise(arguments)
        yield from _commands([value for option, value in pairs if text(option) in _CALLBACKS[name]])
    elif name in _SHELLS:
        pairs = pairwise(arguments)
        yield from _commands([value for option, value in pairs if text(option) == "-c"], UNKNOWN)
    elif name == "alias":
        yield from _commands(arguments, assigned=True)
    elif name == "type" or (name in _HOOKS and (name != "zle" or any(text(one) == "-N" for one in arguments))):
        given = plain if name == "type" else plain[: _HOOKS[name] + 1][-1:]
        yield from (_read_quoted(one, 0, text(one), BARE, Role.Other) for one in given if one.type == "word")


def _first_run(name: str, arguments: Sequence[Node], plain: Sequence[Node]) -> Iterator[Quoted]:
    """Yield the name after a word before a command: ``command -v`` describes functions, ``command`` runs none."""
    described = name == "command" and any(text(one) in ("-v", "-V") for one in arguments)
    named = plain if described else plain[:1]
    for one in named:
        if one.type == "word":
            receiver = BARE if described or name in _PREFIXES else _NO_FUNCTION
            yield _read_quoted(one, 0, text(one), receiver, Role.Other if described else Role.Call)


def _commands(nodes: Sequence[Node], receiver: str = BARE, *, assigned: bool = False) -> Iterator[Quoted]:
    """Yield the first words of the commands that words hold, ``assigned`` where they stand behind a name and ``=``."""
    for node in nodes:
        written = text(node)
        start = written.find("=") + 1 if assigned else 0
        start += written[start : start + 1] in ("'", '"') or written[start : start + 2] == "$'"
        for found in _FIRST_WORDS.finditer(written[start:].rstrip("'\"")):
            before = written[: start + found.start(1)]
            yield _read_quoted(node, len(before.encode()), found[1], receiver, Role.Call)


def _read_quoted(node: Node, start: int, name: str, receiver: str, role: Role) -> Quoted:
    return Quoted(node, start, name, receiver, role)


def _run_before_prompts(node: Node) -> Iterator[Quoted]:
    """Yield the functions in the commands that run before each prompt."""
    if text(node.child_by_field_name("name")) == _RUN_BEFORE_PROMPTS:
        yield from _commands([one for one in node.children_by_field_name("value") if one.type in _WORDS])


_KEYWORDS = frozenset("case coproc do done elif else esac fi for function if in select then time until while".split())

LANGUAGE = Language(
    name="bash",
    grammar=("tree_sitter_bash", "language"),
    files=FileRules(
        extensions=(".sh", ".bash", ".zsh", ".ksh", ".bats", ".ebuild", ".eclass"),
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
    ),
    outline=OutlineRules(
        definitions={
            "function_definition": Defines(SymbolKind.Function, parameters=fields()),
            "variable_assignment": Defines(SymbolKind.Variable, name=_list_assigned_name, body=fields()),
            "declaration_command": Defines(_classify_declared, name=_list_declared_names, body=fields()),
            "command": Defines(
                _classify_command,
                name=_list_defined_names,
                body=fields(),
                spell=lambda name: text(name).partition("=")[0].lstrip("'\""),
            ),
            "for_statement": Defines(SymbolKind.Variable, name=fields("variable"), body=fields("body"), holds=True),
            # What is in broken code is in a function as likely as not: its functions are found, its variables are not.
            "ERROR": Defines(SymbolKind.Function, name=fields(), body=lambda node: (node,), emits=False),
        },
        through=frozenset(
            "if_statement elif_clause else_clause case_statement case_item c_style_for_statement"
            " while_statement do_group list compound_statement redirected_statement negated_command".split()
        ),
    ),
    names=NameRules(
        keywords=_KEYWORDS,
        identifier=lazy_compile(r"[^\W\d][\w.:-]*"),
    ),
    source=SourceRules(
        regions=script_regions.bats,
        lexis=lexing.BASH,
    ),
    semantics=Semantics(
        scopes=ScopeRules(
            identifiers=frozenset({"variable_name", "command_name"}),
            opens={"function_definition": ScopeKind.Function},
            binds={"declaration_command": Binds(_locals)},
            opaque=frozenset({"subscript"}),
        ),
        uses=UseRules(
            roles={
                ("command", "name"): Role.Call,
                ("variable_assignment", "name"): Role.Write,
                ("variable_assignment", "value"): Role.Read,
                ("for_statement", "variable"): Role.Write,
                ("declaration_command", ""): Role.Other,  # a variable, or a function
                ("unset_command", ""): Role.Other,
            },
            quotes={
                "c_style_for_statement": _read_loop_condition,
                "subscript": _read_index,
                "command": _read_named_functions,
                "variable_assignment": _run_before_prompts,
            },
        ),
        calls=CallRules(calls_apart=True),
        visibility=VisibilityRules(shares_variables=True),
        imports=ImportRules(
            statements={"command": _source},
            locate=_locate,
        ),
    ),
)
