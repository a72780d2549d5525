"""Code found by its structure, and written anew: patterns and rewrites in the notation of ast-grep.

A pattern is code of the language in which ``$A`` stands for any one node and ``$$$A`` for any number of them; a name
that occurs twice means the same code twice, and one that begins with ``_`` is not kept. A rewrite is text with the same
names. Lines of what a name stands for keep their indentation relative to its first one, as do the lines of a rewrite
relative to the match.

Patterns are parsed by the matcher's own grammars: it must run in a worker process, like every parser.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from leadline_tools.languages.language import Language
from leadline_tools.lazy_regex import lazy_compile

if TYPE_CHECKING:
    from ast_grep_py import Rule, SgNode

MOST = 20_000
"""Matches that are kept of one file."""

UNKNOWN = frozenset("toml markdown clojure dart dockerfile julia make objc perl sql zig".split())
"""The languages of which the matcher has no grammar, or one whose nodes are not what a pattern looks like."""

_AROUND = {
    "c": ("void a() {\n", ";\n}"),
    "cpp": ("void a() {\n", ";\n}"),
    "css": ("a {\n", "\n}"),
    "go": ("package a\nfunc a() {\n", "\n}"),
}
"""Code around a pattern, in languages in which what a pattern is alone is no file, or is read as something else."""

_REMEMBERED = 64
"""Patterns of which it is remembered how they are read: one is put to many files."""

_NAME = lazy_compile(r"\$\$\$([A-Z_][A-Z0-9_]*)|\$([A-Z_][A-Z0-9_]*)")
"""A metavariable: several nodes, or one."""

_COMMA_BEFORE = lazy_compile(r",\s*\Z")
_COMMA_BEHIND = lazy_compile(r"\s*,\s*")
_INDENT = lazy_compile(r"[ \t]*")


class Match(NamedTuple):
    """A match from the byte ``start`` to ``end``, and what takes its place; None where nothing is to."""

    start: int
    end: int
    text: str | None


class UnusablePattern(ValueError):  # noqa: N818  named by what is wrong, like all errors
    """A pattern that is no code of the language."""


def names_in(template: str) -> list[tuple[str, bool]]:
    """Return the metavariables of a pattern or a rewrite, each with whether it stands for several nodes."""
    return [(found[1] or found[2], bool(found[1])) for found in _NAME.finditer(template)]


def literals(pattern: str) -> list[str]:
    """Return the words that every match of a pattern holds."""
    return re.findall(r"[^\W\d]\w*", _NAME.sub(" ", pattern))


def knows(language: Language) -> bool:
    """Return whether code of a language can be matched."""
    return language.name not in UNKNOWN and (not language.embeds or language.outline.has_own_outline)


def matches(content: bytes, language: Language, pattern: str, rewrite: str | None) -> list[Match]:
    """Return the matches of a pattern, outer ones before those inside them, at most ``MOST``.

    Args:
        content: The text of a file.
        language: Its language, which the matcher knows.
        pattern: What to look for.
        rewrite: What takes its place; None for nothing.

    Raises UnusablePattern.

    """
    from ast_grep_py import SgRoot

    # A text that lacks a word of the pattern needs no tree: nothing is then searched but whether the pattern is code.
    text = content.decode("utf-8") if all(word.encode() in content for word in literals(pattern)) else ""
    root = SgRoot(text, language.name).root()
    try:
        found = root.find_all({"rule": _rule(pattern, language.name)})
    except RuntimeError as error:
        raise UnusablePattern(_reason(error)) from None
    if not found and not _is_code(pattern, language.name):  # what matches somewhere needs no such proof
        raise UnusablePattern(f"it does not parse as {language.name}")
    places = _Places(text, content, keeps_semicolon=not pattern.rstrip().endswith(";"))
    written = _Rewriting(text, rewrite) if rewrite is not None else None
    return [
        Match(*places.span(node), None if written is None else written.of(node))
        for node in found[:MOST]
        if node.range().start.index < node.range().end.index
    ]


@lru_cache(_REMEMBERED)
def _rule(pattern: str, name: str) -> Rule:
    """Return what matches a pattern: what it is inside the code that has to be around it, if it is anything there."""
    alone: Rule = {"pattern": pattern}
    if name not in _AROUND:
        return alone
    from ast_grep_py import SgRoot

    before, after = _AROUND[name]
    plain = _plain(pattern.strip(), name)
    root = SgRoot(f"{before}{plain}{after}", name).root()
    if root.find(kind="ERROR") is not None:
        return alone
    span = len(before), len(before) + len(plain)
    # The innermost node that is all of the pattern: around an expression there may be a statement as long as it.
    kind, waiting = "", [root]
    while waiting:
        node = waiting.pop()
        place = node.range()
        if (place.start.index, place.end.index) == span and node.is_named():
            kind = node.kind()
        if place.start.index <= span[0] and place.end.index >= span[1]:
            waiting += node.children()
    context = f"{before}{pattern.strip()}{after}"
    return {"pattern": {"context": context, "selector": kind, "strictness": "smart"}} if kind else alone


def _plain(pattern: str, name: str) -> str:
    """Return a pattern with names, or numbers, in the place of metavariables."""
    return _NAME.sub(lambda found: "0" if name == "json" else f"a{found[1] or found[2]}", pattern)


@lru_cache(_REMEMBERED)
def _is_code(pattern: str, name: str) -> bool:
    """Return whether a pattern parses."""
    from ast_grep_py import SgRoot

    return SgRoot(_plain(pattern, name), name).root().find(kind="ERROR") is None


def _reason(error: RuntimeError) -> str:
    """Return the innermost cause that the matcher tells, with the sign that it puts in the place of ``$`` put back."""
    causes = re.findall(r"^\s+\d+: (?!.*::)(.*)$", str(error).partition("Stack backtrace")[0], re.MULTILINE)
    cause = causes[-1] if causes else "it cannot be used"
    return re.sub("[µ\U00010000]", "$", cause).partition(" Please ")[0].rstrip(".")


class _Places:
    """From characters, which the matcher counts, to bytes.

    A statement is matched with its semicolon even by a pattern without one; it stays where it is then.
    """

    def __init__(self, text: str, content: bytes, *, keeps_semicolon: bool) -> None:
        self._text = text
        self._plain = len(text) == len(content)
        self._keeps_semicolon = keeps_semicolon

    def span(self, node: SgNode) -> tuple[int, int]:
        place = node.range()
        start, end = place.start.index, place.end.index
        if self._keeps_semicolon and end - start > 1 and self._text[end - 1] == ";":
            end -= 1
        return self._byte(start), self._byte(end)

    def _byte(self, index: int) -> int:
        return index if self._plain else len(self._text[:index].encode())


class _Line(NamedTuple):
    """A line of what is written, and whether it is indented like what is around it: the text of a string is not."""

    text: str
    moves: bool = True


class _Rewriting:
    """Makes the text of a rewrite for each match."""

    def __init__(self, text: str, rewrite: str) -> None:
        self._text = text
        self._rewrite = rewrite.replace("\r\n", "\n")

    def of(self, node: SgNode) -> str:
        """Return what takes the place of a match, its lines ended by LF."""
        written = [_Line("")]
        position = 0
        for name in _NAME.finditer(self._rewrite):
            _append(written, _lines(self._rewrite[position : name.start()]))
            position = name.end()
            value = self._value(node, name)
            if value:
                _append(written, _indent(value, _indent_of(written[-1].text)))
            elif name[1]:  # no argument: the comma before it, or behind it, is none either
                position += self._without_comma(written, position)
        _append(written, _lines(self._rewrite[position:]))
        return "\n".join(line.text for line in _indent(written, self._indent(node.range().start.index)))

    def _without_comma(self, written: list[_Line], position: int) -> int:
        """Remove the comma at the end of what is written; return how much to skip of the rewrite if there is none."""
        last = written[-1]
        shorter = _COMMA_BEFORE.sub("", last.text)
        if shorter != last.text:
            written[-1] = _Line(shorter, last.moves)
            return 0
        behind = _COMMA_BEHIND.match(self._rewrite, position)
        return len(behind.group()) if behind is not None else 0

    def _value(self, node: SgNode, name: re.Match[str]) -> list[_Line]:
        """Return what a name stands for, its further lines relative to the indentation of its first one."""
        one = None if name[1] else node.get_match(name[2])
        nodes = node.get_multiple_matches(name[1]) if name[1] else [one] if one is not None else []
        if not nodes:
            return []
        first, last = nodes[0].range(), nodes[-1].range()
        kept = {line for part in nodes for line in _inside_strings(part)}
        indent = self._indent(first.start.index)
        lines = []
        for number, text in enumerate(
            self._text[first.start.index : last.end.index].rstrip().split("\n"), first.start.line
        ):
            moves = number > first.start.line and number not in kept and text.startswith(indent)
            lines.append(_Line(text[len(indent) if moves else 0 :].removesuffix("\r"), moves))
        return lines

    def _indent(self, index: int) -> str:
        """Return the blanks at the beginning of a line."""
        found = _INDENT.match(self._text, self._text.rfind("\n", 0, index) + 1)
        return found.group() if found is not None else ""


def _lines(text: str) -> list[_Line]:
    return [_Line(line) for line in text.split("\n")]


def _append(written: list[_Line], lines: list[_Line]) -> None:
    """Go on with lines where the last line that is written ends."""
    written[-1] = _Line(written[-1].text + lines[0].text, written[-1].moves)
    written += lines[1:]


def _indent_of(text: str) -> str:
    found = _INDENT.match(text)
    return found.group() if found is not None else ""


def _indent(lines: list[_Line], indent: str) -> list[_Line]:
    """Return lines of which those after the first have gained an indentation, but for empty ones and strings."""
    first, *rest = lines
    return [first, *(_Line(indent + line.text, True) if line.moves and line.text.strip() else line for line in rest)]


def _inside_strings(node: SgNode) -> Iterator[int]:
    """Yield the lines, from 0, that begin inside a string of a node."""
    waiting = [node]
    while waiting:
        part = waiting.pop()
        place = part.range()
        if place.start.line == place.end.line:
            continue
        if "string" in part.kind() or "heredoc" in part.kind():
            yield from range(place.start.line + 1, place.end.line + 1)
        else:
            waiting += part.children()
