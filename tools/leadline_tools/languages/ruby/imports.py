"""Imports of Ruby: what ``require`` takes in, and where a module may lie."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Sequence

from tree_sitter import Node

from leadline_tools.languages.nodes import text
from leadline_tools.languages.ruby.outline import list_arguments, name_method
from leadline_tools.languages.rules.imports import Imported, Paths

_REQUIRES = frozenset({"require", "require_relative", "load"})


OPENS = "include"
"""The method by which the program has the constants of a module at the top, and all objects its methods."""

_CORE = frozenset(
    "ARGF ARGV ArgumentError Array BasicObject Binding Class ClosedQueueError Comparable Complex"
    " ConditionVariable Dir ENV EOFError Encoding EncodingError Enumerable Enumerator Errno Exception FalseClass"
    " Fiber FiberError File FileTest Float FloatDomainError FrozenError GC Gem Hash IO IOError IndexError Integer"
    " Interrupt Kernel KeyError LoadError LocalJumpError Marshal MatchData Math Method Module Monitor Mutex"
    " NameError NilClass NoMatchingPatternError NoMemoryError NoMethodError NotImplementedError Numeric Object"
    " ObjectSpace Proc Process Queue Ractor Random Range RangeError Rational RbConfig Refinement Regexp"
    " RegexpError RubyVM RuntimeError STDERR STDIN STDOUT ScriptError SecurityError Set Signal SignalException"
    " SizedQueue StandardError StopIteration String Struct Symbol SyntaxError SystemCallError SystemExit"
    " SystemStackError Thread ThreadError ThreadGroup Time TracePoint TrueClass TypeError UnboundMethod"
    " UncaughtThrowError Warning ZeroDivisionError".split()
)
"""Constants of ``Object``, which go before those of a module that it includes."""


def may_be_opened(name: str) -> bool:
    """Return whether a constant may be one of a module that is included at the top."""
    return name not in _CORE


def read_import(node: Node) -> Iterator[Imported]:
    """Read what takes in a file, or at the top of a file a module."""
    yield from _read_require(node)
    if name_method(node) == OPENS and node.parent is not None and node.parent.type == "program":
        named = (one for one in list_arguments(node) if one.type in ("constant", "scope_resolution"))
        yield from (Imported("", "*", "", space=text(one).removeprefix("::").replace("::", ".")) for one in named)


def _read_require(node: Node) -> Iterator[Imported]:
    """Read ``require "a"`` with a literal path; a relative one is given a leading dot."""
    method = name_method(node)
    arguments = list_arguments(node)
    if method not in _REQUIRES or len(arguments) != 1 or arguments[0].type != "string":
        return
    parts = arguments[0].named_children
    if len(parts) == 1 and parts[0].type == "string_content":
        path = text(parts[0]).removesuffix(".rb")
        yield Imported(f"./{path}" if method == "require_relative" else path, "*", "")


def locate_require(module: str, importer: str, paths: Paths) -> Sequence[str]:
    """Return the file of a require: beside the file, or on what is most likely the load path."""
    if not module:
        return ()
    if module.startswith("."):
        beside = posixpath.normpath(f"{posixpath.join(posixpath.dirname(importer), module)}.rb")
        return (beside,) if paths.exists(beside) else ()
    for form in (f"lib/{module}.rb", f"{module}.rb"):
        if paths.exists(form):
            return (form,)
        found = paths.ending(form)
        if len(found) == 1:
            return found
    return ()


def list_siblings(path: str, paths: Paths) -> Sequence[str]:
    """Return the files beside, above and below: a module is mostly told by its folder, and each file tells its own."""
    folder, _, name = path.rpartition("/")
    folders = dict.fromkeys((folder, posixpath.dirname(folder), posixpath.join(folder, name.rpartition(".")[0])))
    found = [other for each in folders if each for other in paths.inside(each)]
    return [other for other in dict.fromkeys(found) if other.endswith(".rb") and other != path]
