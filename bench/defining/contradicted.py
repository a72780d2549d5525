"""What engines take for a definition although the language and its hosts say otherwise, or another place is it too.

The compiler of Rust knows of what a macro makes only the line on which the macro is called, so that line is no truth.
TypeScript's service leads from a module of JavaScript to the declaration file that lies beside another module and was
written for it, or by a compiler from it. The module is what is defined, so such a place is no truth either.

The service takes every name in the target of an assignment for one that the assignment declares, where it knows no
other declaration. Two kinds of these are contradicted here, for all identifiers of a tree alike:

- A name that stands before a dot is read: an assignment gives a value to the last property of its target alone.
  https://tc39.es/ecma262/#sec-assignment-operators, https://tc39.es/ecma262/#sec-property-accessors
- A member that a host gives to its own object is declared by the host, also where a program replaces it. The service
  knows that only where the types of the host are installed.
  https://nodejs.org/api/process.html, https://nodejs.org/api/events.html, https://v8.dev/docs/stack-trace-api
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from defining.record import Known, Vote
from leadline_tools.index.index import Index
from leadline_tools.languages import language_of
from truth.record import Place

_LANGUAGES = frozenset({"javascript", "typescript", "tsx"})
_OWNER = re.compile(r"(?:\s*\??\.\s*[\w$]+|\[[^\]]*\])+\s*=(?![=>])")
"""What follows a name that is read in the target of an assignment."""

_DECLARES = re.compile(r"\b(?:class|const|function|import|let|var)\s+$")
_HOST_MEMBERS: Mapping[str, frozenset[str]] = {
    "process": frozenset(
        "abort addListener allowedNodeEnvironmentFlags arch argv argv0 channel chdir config connected"
        " cpuUsage cwd debugPort disconnect dlopen emit emitWarning env eventNames execArgv execPath exit"
        " exitCode features getegid geteuid getgid getgroups getMaxListeners getuid hrtime kill listenerCount"
        " listeners mainModule memoryUsage nextTick off on once pid platform ppid prependListener"
        " prependOnceListener rawListeners release removeAllListeners removeListener report resourceUsage send"
        " setMaxListeners stderr stdin stdout title umask uptime version versions".split()
    ),
    "Error": frozenset({"captureStackTrace", "prepareStackTrace", "stackTraceLimit"}),
}
_TARGET = re.compile(r"\s*=(?!=)")


_CALLS_MACRO = re.compile(r"\s*(?!macro_rules\b)(?:\w+::)*\w+!\s*(?:\w+\s*)?[({\[]")
_DECLARATION_FILE = re.compile(r"\.d\.([cm]?)ts$")


def without_contradicted(index: Index, known: Known) -> Known:
    """Return an identifier without the places that cannot declare it; a member of a host is outside of the tree."""
    language = language_of(known.token.place.path)
    if language is not None and language.name == "rust":
        left = [vote for vote in known.votes if not _is_macro_call(index, known, vote.place)]
        return Known(known.token, left) if len(left) < len(known.votes) else known
    if language is None or language.name not in _LANGUAGES:
        return known
    votes = [vote for vote in known.votes if not _is_read_owner(index, known, vote.place)]
    if language.name == "javascript":
        votes = [vote for vote in votes if not _is_of_module_beside(index, vote.place)]
    outside = [Vote(None, vote.engines) if _is_host_member(index, vote.place, known) else vote for vote in votes]
    return Known(known.token, list(dict.fromkeys(outside))) if outside != list(known.votes) else known


def _is_macro_call(index: Index, known: Known, place: Place | None) -> bool:
    """Return whether a place is a line that begins with the call of a macro, and does not have the name."""
    line = _line(index, place) if place is not None else ""
    return _CALLS_MACRO.match(line) is not None and re.search(rf"\b{re.escape(known.token.name)}\b", line) is None


def _is_of_module_beside(index: Index, place: Place | None) -> bool:
    """Return whether a place is in a declaration file of a module that lies beside it."""
    found = _DECLARATION_FILE.search(place.path) if place is not None else None
    return (
        place is not None and found is not None and f"{place.path[: found.start()]}.{found[1]}js" in index.files.paths
    )


def _is_read_owner(index: Index, known: Known, place: Place | None) -> bool:
    """Return whether a place is one in the target of an assignment at which the name stands before a dot."""
    if place is None:
        return False
    line, start, name = _line(index, place), place.column - 1, known.token.name
    target = _OWNER.match(line, start + len(name)) if line.startswith(name, start) else None
    return target is not None and not _DECLARES.search(line[:start])


def _is_host_member(index: Index, place: Place | None, known: Known) -> bool:
    """Return whether a place is the target of an assignment to a member that a host gives to its object."""
    if place is None:
        return False
    line, start, name = _line(index, place), place.column - 1, known.token.name
    owner = line[:start].strip().removesuffix(".")
    is_target = line[start:].startswith(name) and _TARGET.match(line, start + len(name)) is not None
    return is_target and name in _HOST_MEMBERS.get(owner, ())


def _line(index: Index, place: Place) -> str:
    lines = index.read(place.path).lines()
    return lines[place.line - 1] if place.line <= len(lines) else ""
