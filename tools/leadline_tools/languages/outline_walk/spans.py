"""Spans of a definition: its signature and its documentation.

The *signature* is the head of a definition, without its body and without what decorates it. The *documentation* is the
comment above it or the first string in its body; both are spans of bytes. The *head* ends where the body begins.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from tree_sitter import Node

from leadline_tools.languages.language import Language
from leadline_tools.languages.outline import NO_SPAN
from leadline_tools.languages.outline_walk.levels import Level
from leadline_tools.languages.rules.outline import Defines

_ENDS_HEAD: Final = (b")", b":")
"""What most heads end with: their last token then."""

_DECORATED: Final = b"@[#"
"""What annotations and attributes begin with."""

_MODIFIERS: Final = "modifiers"
"""The node that holds annotations beside keywords in the grammars that have one: Java, Kotlin and Swift."""

_DEEPEST_INDENTATION: Final = 500
"""A comment that begins further to the right does not begin its line."""

_MAYBE_COMMENT: Final = re.compile(rb"//|#|--|;|%")
"""What begins a comment that ends with its line."""


_MAYBE_DOCUMENTED: Final = re.compile(rb"[a-zA-Z]{0,2}[\"']|#")
"""How a body begins whose first statement is a string, or that begins with a comment."""


class SpanFinder:
    """Finds the spans of the definitions of one source."""

    def __init__(self, content: bytes, language: Language) -> None:
        self._content = content
        self._comments = language.outline.comments
        self._decorations = language.outline.decorations
        self.has_docstrings = language.outline.docstring

    def signature(self, node: Node, name: Node, bodies: Sequence[Node], rule: Defines, level: Level) -> tuple[int, int]:
        """Return the signature of what a node defines with a name."""
        lead = level.lead if level.lead >= 0 else node.start_byte
        if self._decorations and self._content[lead] in _DECORATED:
            lead = self._skip_decorations(node)
        return lead, self._signature_end(node, name, bodies, rule) if bodies else node.end_byte

    def _skip_decorations(self, node: Node) -> int:
        """Return where a definition begins behind what decorates it."""
        left_out = self._decorations | self._comments
        parts = (part for child in node.children for part in (child.children if child.type == _MODIFIERS else (child,)))
        return next((part.start_byte for part in parts if part.type not in left_out), node.start_byte)

    def _signature_end(self, node: Node, name: Node, bodies: Sequence[Node], rule: Defines) -> int:
        if bodies[0].id == node.id:  # no node of its own holds what is inside, as in a TOML table
            rest = (child.start_byte for child in node.named_children if child.start_byte >= name.end_byte)
            end = next(rest, node.end_byte)
            line = self._content.find(b"\n", name.end_byte, end)
            return line if line >= 0 else end
        if bodies[0].start_byte < name.start_byte and rule.beside is None:
            return node.end_byte
        return self.head_end(node, bodies)

    def head_end(self, node: Node, bodies: Sequence[Node]) -> int:
        """Return where the last token before the body ends: comments between the two belong to neither."""
        start = bodies[0].start_byte
        last = node.start_byte
        head = self._content[last:start].rstrip()
        if head.endswith(_ENDS_HEAD) and not _MAYBE_COMMENT.search(head, head.rfind(b"\n") + 1):
            return last + len(head)  # to look at each child takes several times as long
        for child in node.children:
            if child.start_byte >= start:
                return last
            end = child.end_byte
            if end > start:
                return start  # the body lies deeper, as that of a function assigned to a constant does
            if child.type not in self._comments and child.type not in ("=", "{"):
                last = end
        return start

    def begins_documentation(self, comment: Node) -> bool:
        """Return whether a comment begins its line, and is not the first line that says what runs the file."""
        column = comment.start_point[1]
        begins_line = column <= _DEEPEST_INDENTATION and not (
            self._content[comment.start_byte - column : comment.start_byte].strip()
        )
        return begins_line and not (comment.start_byte == 0 and self._content.startswith(b"#!"))

    def is_adjacent(self, before: Node, after: Node) -> bool:
        """Return whether ``after`` begins on the line below the one on which ``before`` ends."""
        end = before.end_byte
        if self._content[end - 1 : end] == b"\n":
            end -= 1
        return self._content.count(b"\n", end, after.start_byte) <= 1

    def documentation(self, node: Node, bodies: Sequence[Node], comment: Node | None, level: Level) -> tuple[int, int]:
        """Return the documentation of what a node defines below a comment."""
        if self.has_docstrings:
            return self._docstring(bodies) if bodies else NO_SPAN
        if comment is None:
            return NO_SPAN
        whole = level.wrapper or node
        end = whole.start_byte if whole.start_byte > comment.start_byte else node.start_byte
        return comment.start_byte, end

    def _docstring(self, bodies: Sequence[Node]) -> tuple[int, int]:
        if _MAYBE_DOCUMENTED.match(self._content, bodies[0].start_byte) is None:
            return NO_SPAN
        first = self._first_statement(bodies)
        if first is not None and first.type == "expression_statement":
            first = next(iter(first.named_children), first)
        return (first.start_byte, first.end_byte) if first is not None and first.type == "string" else NO_SPAN

    def _first_statement(self, bodies: Sequence[Node]) -> Node | None:
        """Return the first node in bodies that is no comment; a node keeps its children for the walk to come."""
        return next(
            (child for body in bodies for child in body.named_children if child.type not in self._comments), None
        )
