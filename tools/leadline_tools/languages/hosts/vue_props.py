"""The properties of a Vue component that its template names without a receiver.

A template sees what ``<script setup>`` binds, and the properties that ``defineProps`` declares there.
https://vuejs.org/api/sfc-script-setup.html#defineprops-defineemits
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from leadline_tools.languages.hosts.component_properties import MADE
from leadline_tools.lazy_regex import lazy_compile

_CALL = lazy_compile(
    rb"(?:(?:const|let|var)\s+(?P<bound>[A-Za-z_$][\w$]*|\{[^{}]*\})\s*(?::[^=\n]+)?=\s*)?"
    rb"(?P<call>(?<![\w$.])(?:withDefaults\s*\(\s*)?defineProps\s*(?P<open>[<(]))"
)
_NAMED = lazy_compile(rb"\s*([A-Za-z_$][\w$]*)\s*>")
_KEY = lazy_compile(rb"(?:readonly\s+)?(?:([A-Za-z_$][\w$]*)|'([\w$]+)'|\"([\w$]+)\")\s*\??\s*[:,(]")
_OBJECT_TYPE = lazy_compile(
    rb"\b(?:interface\s+(?P<interface>[A-Za-z_$][\w$]*)(?P<more>[^{};]*)|type\s+(?P<alias>[A-Za-z_$][\w$]*)\s*=\s*)\{"
)
_STRING = lazy_compile(rb"['\"]([A-Za-z_$][\w$]*)['\"]")
_WORD = lazy_compile(rb"(?<![\w$])[A-Za-z_$][\w$]*")
_DECLARED = lazy_compile(rb"\b(?:const|let|var|function\*?|class|enum)\s+([A-Za-z_$][\w$]*)")
_IMPORTED = lazy_compile(rb"\bimport\b([^;'\"]{0,2000}?)\bfrom\b")
_BRACKET = lazy_compile(rb"=>|[()<>\[\]{}]")
_OPENING, _CLOSING = b"([{", b")]}"


@dataclass(frozen=True, slots=True)
class Properties:
    """What ``defineProps`` declares.

    Args:
        names: The properties that the script binds no name for.
        receiver: The variable that has them.
        unnamed: The span of a call whose result no variable is given; an empty one for none.
        taken: Where the declaration begins that takes the result of a call apart, and the span of the call; zeros for
            none.
        script: The words of the script, where the names are not all known: their type is declared elsewhere. None
            where they are.

    """

    names: frozenset[bytes] = frozenset()
    receiver: bytes = b""
    unnamed: tuple[int, int] = (0, 0)
    taken: tuple[int, int, int] = (0, 0, 0)
    script: frozenset[bytes] | None = None

    def occurrences(self, expression: bytes) -> Iterator[tuple[int, int, bytes]]:
        """Yield the spans of properties in an expression of a template, each with what stands before it as code.

        That ends with a dot where it surely is a member of what has the properties.
        """
        for found in _WORD.finditer(expression) if self.names or self.script is not None else ():
            name, unsure = found[0], self.script is not None and found[0] not in self.script
            before = expression[: found.start()].rstrip()
            is_member = before.endswith(b".") and not before.endswith(b"...")
            if (name not in self.names and not unsure) or is_member or before.endswith((b"'", b'"')):
                continue
            after = expression[found.end() :].lstrip()
            in_object = before[-1:] in (b"{", b",") and _innermost(before) == b"{"
            if in_object and after.startswith(b":"):
                continue
            is_key = in_object and after[:1] in (b",", b"}")  # at once
            known = name in self.names and not is_key
            yield found.start(), found.end(), self.receiver + b"." if known else (name + b": ") * is_key


def find_properties(content: bytes, scripts: Sequence[tuple[int, int]]) -> Properties:
    """Return the properties that the scripts of a component declare, given the spans of the scripts."""
    for start, end in scripts:
        found = _CALL.search(content, start, end)
        if found is None:
            continue
        names, known = _declared(content, found.end(), found["open"], scripts)
        bound = found["bound"] or b""
        script = b"\n".join(content[slice(*span)] for span in scripts)
        words = None if known else frozenset(_WORD.findall(script))
        call = found.start("call"), _end_of_call(content, found.start("call"), end)
        if bound.startswith(b"{"):  # variables of the script
            return Properties(receiver=MADE, taken=(found.start(), *call), script=words)
        unnamed = (0, 0) if bound else call
        return Properties(frozenset(names) - _bound_names(script), bound or MADE, unnamed, script=words)
    return Properties()


def _declared(
    content: bytes, start: int, bracket: bytes, scripts: Sequence[tuple[int, int]]
) -> tuple[Sequence[bytes], bool]:
    """Return the names of the properties, and whether they are all."""
    given = content[start:].lstrip()
    place = len(content) - len(given)
    if given.startswith(b"{"):
        return list(_keys(content, place)), True
    if bracket == b"(" and given.startswith(b"["):
        return [one[1] for one in _STRING.finditer(content, place, max(place, content.find(b"]", place)))], True
    named = _NAMED.match(content, start) if bracket == b"<" else None
    if named is None:
        return [], False
    for first, last in scripts:
        for head in _OBJECT_TYPE.finditer(content, first, last):
            if named[1] in (head["interface"], head["alias"]):
                return list(_keys(content, head.end() - 1)), not (head["more"] or b"").strip()
    return [], False


def _keys(content: bytes, start: int) -> Iterator[bytes]:
    """Yield the keys of what is between the brace at a byte and the one that closes it."""
    depth, begins, at = 0, False, start
    while at < len(content):
        byte = content[at : at + 1]
        if byte in _OPENING and byte:
            depth += 1
            begins = depth == 1
        elif byte in _CLOSING and byte:
            depth -= 1
            if not depth:
                return
        elif byte in (b",", b";", b"\n"):
            begins = begins or depth == 1
        elif begins and not byte.isspace():
            begins = False
            key = _KEY.match(content, at)
            if key is not None and depth == 1:
                yield key[key.lastindex or 0]
        at += 1


def _end_of_call(content: bytes, start: int, stop: int) -> int:
    """Return where the call at a byte ends, at the latest at another one."""
    depth = 0
    for found in _BRACKET.finditer(content, start, stop):
        if found[0] == b"=>":
            continue
        depth += 1 if found[0] in (b"(", b"<", b"[", b"{") else -1
        if not depth and found[0] == b")":
            return found.end()
    return stop


def _bound_names(script: bytes) -> frozenset[bytes]:
    """Return the names that a script declares or imports."""
    imported = (name for found in _IMPORTED.finditer(script) for name in _WORD.findall(found[1]))
    return frozenset((*_DECLARED.findall(script), *imported))


def _innermost(text: bytes) -> bytes:
    """Return the innermost bracket that a text leaves open; nothing for none."""
    depth = 0
    for byte in reversed(text):
        if byte in _CLOSING:
            depth += 1
        elif byte in _OPENING:
            if not depth:
                return bytes((byte,))
            depth -= 1
    return b""
