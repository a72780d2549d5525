"""A *fault*: a place where a file does not parse, and what a reader would want to know of it.

A parser that recovers from errors says where it gave up (ERROR) and what it had to make up (MISSING), and little else.
What is unexpected, which bracket is never closed and since which line: that is read off the tokens of the region.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from tree_sitter import Node

from leadline_tools.languages.nodes import outermost_errors

MOST = 1_000
"""Faults of one file that are told apart; a file with more of them is no source text of its language."""

_MOST_TOKENS = 5_000
"""Tokens of a region that are looked at for brackets."""

_LONGEST = 40
"""Characters of the source that a message repeats."""

_MOST_TRIED = 5
_LARGEST_TRIED = 256 << 10
"""Missing tokens that are put in to see whether the file then parses better, and bytes of the largest such file."""

_CLOSES = {")": "(", "]": "[", "}": "{"}

Reparse = Callable[[bytes], Node]


class Fault(NamedTuple):
    """A region that does not parse.

    Args:
        start: The byte at which the fault shows best: the bracket that is never closed, what is unexpected.
        end: The byte at which the region ends.
        message: What is wrong, as a sentence without its full stop.
        missing: What to put in at ``start``, where the file parses better with it; else empty. Its lines end in LF.

    """

    start: int
    end: int
    message: str
    missing: str = ""


def faults(root: Node, content: bytes, reparse: Reparse) -> list[Fault]:
    """Return the regions of a file that do not parse, at most ``MOST``, in their order.

    Args:
        root: The tree of the file.
        content: The text that it was made from.
        reparse: Gives the tree of another text of the language.

    """
    found: list[Fault] = []
    tried = 0
    for node in outermost_errors(root):
        if found and _same_line(found[-1], node, content):
            continue  # one mistake makes several regions
        if node.is_missing:
            tried += 1
            worth = tried <= _MOST_TRIED and len(content) <= _LARGEST_TRIED
            found.append(_missing(node, content, root, reparse if worth else None))
        else:
            found.append(_error(node, content))
        if len(found) >= MOST:
            break
    return found


def uncut(found: Iterable[Fault], content: bytes, directive: re.Pattern[bytes] | None) -> list[Fault]:
    """Return the faults without those of code that a directive cuts apart."""
    return [fault for fault in found if directive is None or not directive.search(_lines_of(fault, content))]


def _lines_of(fault: Fault, content: bytes) -> bytes:
    """Return the whole lines that a fault reaches over."""
    end = content.find(b"\n", fault.end)
    return content[content.rfind(b"\n", 0, fault.start) + 1 : end if end >= 0 else None]


def _same_line(last: Fault, node: Node, content: bytes) -> bool:
    return content.find(b"\n", min(last.start, node.start_byte), node.start_byte) < 0 or (
        node.start_byte < last.end  # the region of the last one goes on here
    )


def _missing(node: Node, content: bytes, root: Node, reparse: Reparse | None) -> Fault:
    start = node.start_byte
    if node.is_named or not node.type.isprintable() or node.type.startswith("_"):
        what = node.type.strip("_").replace("_", " ") if node.type.isprintable() else "the end of the line"
        return Fault(start, start, f"{what} or the like expected")
    message = f"`{node.type}` is missing"
    opener = _opener(node, content)
    if opener is not None and opener.start_point.row != node.start_point.row:
        message += f": the `{opener.type}` of line {opener.start_point.row + 1} is never closed"
    if reparse is None or node.type.isalnum():
        return Fault(start, start, message)
    text = _put(node, opener, content)
    mended = content[:start] + text.encode() + content[start:]
    return Fault(start, start, message, text if _count(reparse(mended)) < _count(root) else "")


def _opener(node: Node, content: bytes) -> Node | None:
    """Return the bracket that a missing one would close."""
    parent = node.parent
    if node.type not in _CLOSES or parent is None:
        return None
    suspect = _Brackets(parent, content).suspect
    return suspect or next((child for child in parent.children if child.type == _CLOSES[node.type]), None)


def _put(node: Node, opener: Node | None, content: bytes) -> str:
    """Return a missing token as it is put in: a brace on a line of its own where it closes more than one line."""
    end = node.start_byte == len(content) and content.endswith(b"\n")
    if node.type != "}" or opener is None or opener.start_point.row == node.start_point.row:
        return node.type + "\n" * end
    line = _line(opener, content).decode("utf-8", "replace")
    indent = line[: len(line) - len(line.lstrip())]
    return f"{indent}{node.type}\n" if end else f"\n{indent}{node.type}"


def _count(root: Node) -> int:
    return sum(1 for _, _ in zip(outermost_errors(root), range(MOST), strict=False))


def _error(node: Node, content: bytes) -> Fault:
    """Return what is wrong with a region that the parser gave up on."""
    brackets = _Brackets(node, content)
    end = node.end_byte
    if brackets.stray is not None:
        return Fault(brackets.stray.start_byte, end, f"`{brackets.stray.type}` closes nothing")
    if brackets.suspect is not None:
        opener = brackets.suspect
        return Fault(opener.start_byte, end, f"`{opener.type}` is never closed")
    inner = next((child for child in _descendants(node) if child.is_error and child.start_byte < child.end_byte), None)
    if inner is not None:
        return Fault(inner.start_byte, end, f"unexpected `{_first_line(inner)}`")
    return Fault(node.start_byte, end, _describe_unfinished(node, content))


def _describe_unfinished(node: Node, content: bytes) -> str:
    """Return what is wrong with a region whose tokens are all that is known of it."""
    line = _first_line(node)
    if not line:
        return "something is missing here"
    several = node.child_count > 1
    if several and not content[node.end_byte :].strip():
        return f"`{line}` is not complete"
    outermost = node.parent is None or node.parent.parent is None
    return f"`{line}` does not parse" if several and outermost else f"unexpected `{line}`"


class _Brackets:
    """The brackets of a region: the first that closes nothing, and the one that is probably never closed.

    That is the first one open at the end; where brackets lead a line that stands further to the left than the line of
    what they close, it is what they close: there a bracket was forgotten before.
    """

    def __init__(self, region: Node, content: bytes) -> None:
        self.stray: Node | None = None
        self.suspect: Node | None = None
        misaligned: Node | None = None
        open_tokens: list[Node] = []
        for number, token in enumerate(_descendants(region)):
            if number > _MOST_TOKENS:
                break
            if token.is_named or token.is_missing:
                continue
            if token.type in _CLOSES.values():
                open_tokens.append(token)
            elif token.type in _CLOSES:
                if not open_tokens or open_tokens[-1].type != _CLOSES[token.type]:
                    self.stray = self.stray or token
                    continue
                opener = open_tokens.pop()
                if misaligned is None and _leads(token, content) and _indent(token, content) < _indent(opener, content):
                    misaligned = opener
        if open_tokens:
            self.stray = None
            self.suspect = misaligned or open_tokens[0]


def _descendants(node: Node) -> Iterator[Node]:
    """Yield what is inside a node, in the order of the text."""
    cursor = node.walk()
    depth = 0
    while True:
        if cursor.goto_first_child():
            depth += 1
        else:
            while depth and not cursor.goto_next_sibling():
                cursor.goto_parent()
                depth -= 1
            if not depth:
                return
        if cursor.node is not None:
            yield cursor.node


def _line(node: Node, content: bytes) -> bytes:
    return content[content.rfind(b"\n", 0, node.start_byte) + 1 : node.start_byte]


def _leads(node: Node, content: bytes) -> bool:
    return not _line(node, content).strip()


def _indent(node: Node, content: bytes) -> int:
    before = content[content.rfind(b"\n", 0, node.start_byte) + 1 : node.end_byte].expandtabs(4)
    return len(before) - len(before.lstrip())


def _first_line(node: Node) -> str:
    """Return the beginning of what a node holds, on one line."""
    raw = (node.text or b"")[: 4 * _LONGEST].decode("utf-8", "replace")
    line = " ".join(raw.strip().partition("\n")[0].split())
    return f"{line[:_LONGEST].rstrip()}..." if len(line) > _LONGEST else line
