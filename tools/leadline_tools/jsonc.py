"""JSON as editors keep it, with comments and commas before a closing bracket: read as values, edited where it stands.

An edit touches nothing but its member, so comments, order and layout of the rest stay. Places are characters from 0.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

_TOKEN = re.compile(
    r"""(?P<blank>\s+|//[^\n]*|/\*.*?\*/)|(?P<string>"(?:[^"\\\n]|\\.)*")|(?P<mark>[{}\[\],:])|(?P<word>[\w.+-]+)""",
    re.DOTALL,
)
_BLANKS = re.compile(r"(?:\s+|//[^\n]*|/\*.*?\*/)*", re.DOTALL)
_LINE_REST = re.compile(r"[ \t]*(?://[^\n]*)?(?:\r?\n|\Z)")
_MOST_NESTED = 100


@dataclass(slots=True)
class _Value:
    """A value and where it stands; the members of an object are in ``members``."""

    value: object
    start: int
    end: int
    members: dict[str, _Member] | None = None


@dataclass(frozen=True, slots=True)
class _Member:
    start: int
    value: _Value


@dataclass(slots=True)
class _Reader:
    """Reads one text from its start to its end; raises ValueError, with the line, where it is no such text."""

    text: str
    place: int = 0
    depth: int = 0
    tokens: list[tuple[str, int, int]] = field(default_factory=list)

    def whole(self) -> _Value:
        while self.place < len(self.text):
            token = _TOKEN.match(self.text, self.place)
            if token is None:
                raise self.wrong(self.place)
            if token.lastgroup != "blank":
                self.tokens.append((token.lastgroup or "", token.start(), token.end()))
            self.place = token.end()
        self.tokens.reverse()
        value = self.value()
        if self.tokens:
            raise self.wrong(self.tokens[-1][1])
        return value

    def wrong(self, place: int) -> ValueError:
        return ValueError(f"line {self.text.count(chr(10), 0, place) + 1} is not JSON")

    def take(self) -> tuple[str, int, int]:
        if not self.tokens:
            raise ValueError("it ends too early")
        return self.tokens.pop()

    def ahead(self, mark: str) -> bool:
        return bool(self.tokens) and self.text[self.tokens[-1][1] : self.tokens[-1][2]] == mark

    def value(self) -> _Value:
        kind, start, end = self.take()
        raw = self.text[start:end]
        if raw in {"{", "["}:
            self.depth += 1
            if self.depth > _MOST_NESTED:
                raise ValueError("it is nested too deeply")
            made = self.object(start) if raw == "{" else self.array(start)
            self.depth -= 1
            return made
        if kind == "mark":
            raise self.wrong(start)
        try:
            return _Value(json.loads(raw, strict=False), start, end)
        except ValueError:
            raise self.wrong(start) from None

    def object(self, start: int) -> _Value:
        members: dict[str, _Member] = {}
        while not self.ahead("}"):
            kind, key_start, key_end = self.take()
            if kind != "string" or not self.ahead(":"):
                raise self.wrong(key_start)
            self.take()
            members[json.loads(self.text[key_start:key_end], strict=False)] = _Member(key_start, self.value())
            self.comma("}")
        plain = {name: member.value.value for name, member in members.items()}
        return _Value(plain, start, self.take()[2], members)

    def array(self, start: int) -> _Value:
        items: list[object] = []
        while not self.ahead("]"):
            items.append(self.value().value)
            self.comma("]")
        return _Value(items, start, self.take()[2])

    def comma(self, closing: str) -> None:
        if self.ahead(","):
            self.take()
        elif not self.ahead(closing):
            raise self.wrong(self.tokens[-1][1] if self.tokens else len(self.text))


def read(text: str) -> Mapping[str, object]:
    """Return the object that ``text`` is; an empty text is an empty object. Raises ValueError where it is none."""
    return _plain(_Reader(text).whole().value if _BLANKS.sub("", text, count=1) else {})


def _plain(value: object) -> dict[str, object]:
    if not isinstance(value, dict):
        raise ValueError("it contains no JSON object")
    return value


def put(text: str, path: Sequence[str], value: object) -> str:
    """Return ``text`` with the member at ``path`` set to ``value``; objects on the way are made where there are none.

    Raises ValueError where ``text`` is not JSON, or something on the way is no object.
    """
    if not _BLANKS.sub("", text, count=1):
        text += "{}\n"
    at = _Reader(text).whole()
    for number, name in enumerate(path):
        if at.members is None:
            raise ValueError(f"{'.'.join(path[:number]) or 'it'} is not a JSON object")
        member = at.members.get(name)
        if member is None:
            for missing in reversed(path[number + 1 :]):
                value = {missing: value}
            return _inserted(text, at, name, value)
        at = member.value
    made = _layout(value, _indent(text, at.start), _unit(text), _newline(text), "\n" in text)
    return text[: at.start] + made + text[at.end :]


def drop(text: str, path: Sequence[str]) -> str:
    """Return ``text`` without the member at ``path``; as it is where there is none."""
    if not _BLANKS.sub("", text, count=1):
        return text
    at, within, start = _Reader(text).whole(), None, 0
    for name in path:
        member = at.members.get(name) if at.members is not None else None
        if member is None:
            return text
        within, start, at = at, member.start, member.value
    return text if within is None else _without(text, within, start, at.end)


def _without(text: str, within: _Value, start: int, end: int) -> str:
    """Return ``text`` without a member of ``within``, its comma, and its lines where it has them for itself."""
    after = _BLANKS.match(text, end)
    follows = after.end() if after is not None else end
    if text[follows] == ",":
        end = follows + 1
    elif before := [other.value.end for other in (within.members or {}).values() if other.value.end < start]:
        comma = text.index(",", _skipped(text, max(before)))
        text = text[:comma] + text[comma + 1 :]
        start, end = start - 1, end - 1
    line = text.rfind("\n", 0, start) + 1
    rest = _LINE_REST.match(text, end)
    if not text[line:start].strip() and rest is not None:
        start, end = line, rest.end()
    return text[:start] + text[end:]


def _skipped(text: str, place: int) -> int:
    """Return the place after the blanks and comments at ``place``."""
    blanks = _BLANKS.match(text, place)
    return blanks.end() if blanks is not None else place


def _inserted(text: str, within: _Value, name: str, value: object) -> str:
    """Return ``text`` with a new last member of an object, laid out like the members before it."""
    key = json.dumps(name, ensure_ascii=False)
    members = list((within.members or {}).values())
    close = within.end - 1
    newline, unit = _newline(text), _unit(text)
    if members and "\n" not in text[within.start : within.end]:
        made = f"{key}: {_layout(value, '', '', newline, lines=False)}"
        last = members[-1].value.end
        comma = _skipped(text, last)
        end = comma + 1 if text[comma] == "," else last
        return f"{text[:last]}, {made}{text[end:]}"
    outer = _indent(text, within.start)
    indent = _indent(text, members[0].start) if members else outer + unit
    made = f"{indent}{key}: {_layout(value, indent, unit, newline, lines=True)}"
    if members:
        last = members[-1].value.end
        trailing = text[_skipped(text, last)] == ","
        if trailing:
            made += ","
        else:
            text, close = f"{text[:last]},{text[last:]}", close + 1
    head = text[:close].rstrip()
    return f"{head}{newline}{made}{newline}{outer}{text[close:]}"


def _layout(value: object, indent: str, unit: str, newline: str, lines: bool) -> str:
    """Return ``value`` as JSON: objects over several lines, lists of plain values on one."""
    if not lines or not isinstance(value, Mapping) or not value:
        return json.dumps(value, ensure_ascii=False)
    inner = indent + unit
    members = (
        f"{inner}{json.dumps(name, ensure_ascii=False)}: {_layout(part, inner, unit, newline, lines)}"
        for name, part in value.items()
    )
    return "{" + newline + f",{newline}".join(members) + f"{newline}{indent}}}"


def _indent(text: str, place: int) -> str:
    """Return the white space at the beginning of the line of ``place``."""
    line = text[text.rfind("\n", 0, place) + 1 : place]
    return line[: len(line) - len(line.lstrip())]


def _unit(text: str) -> str:
    """Return what a level is indented by."""
    first = re.search(r"\n([ \t]+)\S", text)
    return first[1] if first is not None else "  "


def _newline(text: str) -> str:
    return "\r\n" if "\r\n" in text else "\n"
