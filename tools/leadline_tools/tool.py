"""A *tool*: one function, from which its name, its description and its schema follow."""

from __future__ import annotations

import inspect
import typing
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum, StrEnum, auto
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, create_model

from leadline_tools.edits.proposal import Proposal
from leadline_tools.once import once


class Takes(StrEnum):
    """What a parameter is about, so that an item of one answer can be handed to the next tool."""

    Symbol = "symbol"
    Type = "type"
    Callable = "callable"
    Code = "code"
    File = "file"
    Folder = "folder"


SYMBOLS = frozenset({Takes.Symbol, Takes.Type, Takes.Callable})
"""What an argument is about that names symbols."""

SymbolAddress = Annotated[str, Takes.Symbol]
"""A name, a dotted suffix of a qualified name, or ``path:line[:column]``."""

TypeAddress = Annotated[str, Takes.Type]
CallableAddress = Annotated[str, Takes.Callable]
"""The same, where most symbols would be refused."""

CodePath = Annotated[str, Takes.Code]
"""The path of a file whose language is known."""

FilePath = Annotated[str, Takes.File]
FolderPath = Annotated[str, Takes.Folder]


class Knowledge(Enum):
    """What is known of the files of a tree, from the first to the last."""

    Paths = auto()
    Texts = auto()
    """Their paths; the tool reads the texts itself."""
    Symbols = auto()


Detail = Literal["auto", "lean", "full"]

Run = Callable[..., object]
"""A tool's function; what it returns is a ``Result``, a ``Proposal`` or what its own pipeline makes of one."""

WRITING: Mapping[str, Any] = {"apply": (bool, False), "undo": (str, "")}
"""The arguments of every tool that writes, with their types and defaults: the pipeline of calls sees to them."""


def _number(value: object) -> object:
    """Refuse a truth value, which Python takes for 0 or 1."""
    if isinstance(value, bool):
        raise ValueError("Give a whole number")
    return value


@dataclass(frozen=True)
class Tool:
    """A question that can be put to a code base."""

    name: str
    description: str
    arguments: type[BaseModel]
    run: Run
    takes: Mapping[str, Takes]
    context: type
    writes: bool = False
    asks_for: Knowledge = Knowledge.Symbols
    """What the tool has to know of all files of the tree before its answer can be whole; a call waits for it."""
    counts_other_roots: bool = True
    """Whether an answer about a symbol, without a ``path``, counts what other roots than its own have of its name."""

    @once
    def needs_the_tree(self) -> bool:
        """Return whether the answer takes more than what one file holds, or what was kept of another answer."""
        return not {Takes.Code, Takes.File}.issuperset(self.takes.values())

    @once
    def resolves_names(self) -> bool:
        """Return whether the answer is about a symbol, which any file of the tree may use or define."""
        return not SYMBOLS.isdisjoint(self.takes.values())

    @once
    def symbol_argument(self) -> str:
        """Return the name of the parameter that names symbols; empty for none."""
        return next((name for name, takes in self.takes.items() if takes in SYMBOLS), "")

    @once
    def required(self) -> tuple[str, ...]:
        """Return the names of the parameters without a default."""
        return tuple(name for name, field in self.arguments.model_fields.items() if field.is_required())


TOOLS: dict[str, Tool] = {}
"""Every tool by name, in the order of their declaration."""


def tool(run: Run) -> Run:
    """Declare the function below as a tool.

    Its name is the tool's, its docstring the description, its signature the schema; the first parameter is what the
    question is put to and is no argument. One that returns a ``Proposal`` is a tool that writes: it takes ``apply`` and
    ``undo`` besides, which it never sees.
    """
    _declare(run, Knowledge.Symbols)
    return run


def tool_of_definitions(run: Run) -> Run:
    """Declare the function below as a tool about what a symbol is, which has to do with no other root than its own."""
    _declare(run, Knowledge.Symbols, counts_other_roots=False)
    return run


def tool_of_paths(run: Run) -> Run:
    """Declare the function below as a tool that can answer when no more than the paths of a tree are known."""
    _declare(run, Knowledge.Paths)
    return run


def tool_of_texts(run: Run) -> Run:
    """Declare the function below as a tool that reads the texts of a tree itself where no index has them yet."""
    _declare(run, Knowledge.Texts)
    return run


def _declare(run: Run, asks_for: Knowledge, *, counts_other_roots: bool = True) -> None:
    name = run.__name__
    if name in TOOLS:
        raise ValueError(f"two tools are called {name!r}")
    hints = typing.get_type_hints(run, include_extras=True)
    fields: dict[str, Any] = {}
    takes: dict[str, Takes] = {}
    context, *parameters = inspect.signature(run).parameters.values()
    for parameter in parameters:
        hint = hints[parameter.name]
        marks = [mark for mark in getattr(hint, "__metadata__", ()) if isinstance(mark, Takes)]
        if marks:
            takes[parameter.name] = marks[0]
            hint = hint.__origin__
        if hint is int:
            hint = Annotated[int, BeforeValidator(_number)]
        fields[parameter.name] = (hint, ... if parameter.default is parameter.empty else parameter.default)
    writes = hints["return"] is Proposal
    arguments = create_model(name, __config__=ConfigDict(extra="forbid"), **fields, **(WRITING if writes else {}))
    description = inspect.getdoc(run) or ""
    TOOLS[name] = Tool(
        name, description, arguments, run, takes, hints[context.name], writes, asks_for, counts_other_roots
    )
