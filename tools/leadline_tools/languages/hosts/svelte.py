"""The code of a Svelte component: https://svelte.dev/docs/svelte/svelte-files.

The expressions of the markup see the top level of the scripts, and what the blocks around them bind.
"""

from __future__ import annotations

import re

from leadline_tools.languages.hosts.component_properties import (
    MADE,
    write_exported_properties,
    write_exported_variables,
    write_property,
)
from leadline_tools.languages.hosts.markup import VOID, Attribute, Braces, Depth, Markup, Raw, Tag
from leadline_tools.languages.regions import Regions, Writer, default_export
from leadline_tools.lazy_regex import lazy_compile

_BLOCK = lazy_compile(rb"(?P<sign>[#:/@])(?P<name>[a-z]+(?:\s+if\b)?)\s*+")
_AS = lazy_compile(rb".*\sas\s+(?P<bound>\S)", re.DOTALL)
_EXTRA = lazy_compile(rb"\s*(?:,\s*(?P<index>[A-Za-z_$][\w$]*)\s*)?(?:\((?P<key>.*)\)\s*)?", re.DOTALL)
_NAME = lazy_compile(rb"[A-Za-z_$][\w$]*")
_PROPERTY = lazy_compile(rb"(?:bind:)?(?P<name>[A-Za-z_$][\w$]*)")
_THEN = lazy_compile(rb"(?P<value>.*?)\s(?:then|catch)\b(?P<bound>.*)", re.DOTALL)
_BRACKETS = lazy_compile(rb"[][{}()]")
_STORE = lazy_compile(rb"(?<![\w$.\"'`])\$(?P<name>[A-Za-z_]\w*)")
_REACTIVE = lazy_compile(
    rb"^[ \t]*\$:[ \t]*(?:(?P<name>[A-Za-z_$][\w$]*)\s*=(?![=>])|(?P<open>\()\s*[{\[][^=()]*[}\]]\s*=(?![=>]))",
    re.MULTILINE,
)
"""A statement that is run again whenever what it reads has changed, and that gives something a value."""

_DECLARING = lazy_compile(rb"\b(?:let|const|var|function|class|import)\b([^;=()'\"]*)")
"""What declares names: they stand before what they are given."""

_LONGEST_STATEMENT = 4_000

_KEY_ALONE = lazy_compile(rb"(?<![\w$.:])[A-Za-z_$][\w$]*(?=\s*[,}\]=])")
_TYPED_PROPERTIES = lazy_compile(
    rb"(?P<pattern>\b(?:let|const)\s+\{(?:[^{}]|\{[^{}]*\})*\})(?P<type>\s*:\s*(?:[^={};]|\{[^{}]*\})+?)\s*=\s*"
    rb"(?P<call>\$props\s*\(\s*\))"
)
_TAKING_ALL = (b"$props", b"$$props", b"$$restProps")
"""What takes properties that no variable has to be called like."""

_RUNES = frozenset({b"bindable", b"derived", b"effect", b"host", b"inspect", b"props", b"state"})
"""What the compiler itself gives a meaning behind a dollar: https://svelte.dev/docs/svelte/what-are-runes."""

_VALUE = b".$value"
_LOOKED_AT = 200
"""Bytes before and behind a name that may tell whether it is a key."""

_BEFORE_KEYS, _AFTER_KEYS = (b"{", b","), (b"}", b",")
_FUNCTIONS = frozenset({b"use", b"transition", b"in", b"out", b"animate"})
"""Directives whose names are functions."""

_LANGUAGES = {b"ts": "typescript", b"typescript": "typescript", b"": "javascript", b"js": "javascript"}


def regions(path: str, content: bytes) -> Regions:
    """Return the regions of a component."""
    writer = _StoreWriter(content)
    parts = list(Markup(content, braces=True))
    scripts = [part for part in parts if isinstance(part, Raw) and part.tag.name.lower() == b"script"]
    language = _language(content, scripts)
    takes_typed = False
    for script in scripts:
        typed = _TYPED_PROPERTIES.search(content, script.start, script.end) if language else None
        if typed is not None:
            _copy_taking(writer, script, typed)
        elif language:
            _copy_script(writer, script.start, script.end)
        else:
            writer.leave(script.start, script.end)
        takes_typed = takes_typed or typed is not None
    if language:
        written = _Markup(writer)
        for part in parts:
            written.write(part)
        writer.write(written.depth.close_all())
    else:
        for part in parts:
            if isinstance(part, Braces | Tag):
                writer.leave(part.start, part.end)
    if takes_typed:
        write_exported_properties(writer, MADE)
    elif language and not any(word in content for word in _TAKING_ALL):
        write_exported_variables(writer, path.rpartition("/")[2].encode("utf-8", "replace"))
    writer.write(default_export(path))
    return writer.regions(language)


def _copy_taking(writer: Writer, script: Raw, typed: re.Match[bytes]) -> None:
    """Write a script out in which a pattern takes the properties apart: they have a variable with their type first.

    https://svelte.dev/docs/svelte/$props
    """
    _copy_script(writer, script.start, typed.start())
    writer.write(b"const " + MADE)
    writer.copy(*typed.span("type"))
    writer.write(b" = ")
    writer.copy(*typed.span("call"))
    writer.write(b";\n")
    writer.copy(*typed.span("pattern"))
    writer.write(b" = " + MADE)
    _copy_script(writer, typed.end(), script.end)


def _copy_script(writer: Writer, start: int, end: int) -> None:
    """Write a script out: ``$: a = b`` declares ``a`` where nothing else does, and so does ``$: ({ a } = b)``.

    https://svelte.dev/docs/svelte/legacy-reactive-assignments
    """
    content = writer.content
    before = (found[1] for found in _DECLARING.finditer(content, start, end))
    declared = {name for names in before for name in _NAME.findall(names)}
    for found in _REACTIVE.finditer(content, start, end):
        names = [found["name"]] if found["name"] is not None else _KEY_ALONE.findall(found[0])
        if not names or not declared.isdisjoint(names):
            continue
        declared.update(names)
        first = found.start("name") if found["name"] is not None else found.end("open")
        writer.copy(start, found.start())
        writer.write(b"let ")
        start = first
        close = _closing(content, first, min(end, first + _LONGEST_STATEMENT)) if found["open"] is not None else -1
        if close >= 0:
            writer.copy(start, close)
            start = close + 1
    writer.copy_statements(start, end)


def _closing(content: bytes, start: int, end: int) -> int:
    """Return where the bracket is closed in which a byte stands; -1 for nowhere."""
    depth = 1
    for found in _BRACKETS.finditer(content, start, end):
        depth += 1 if found[0] in b"[{(" else -1
        if depth == 0:
            return found.start()
    return -1


def _language(content: bytes, scripts: list[Raw]) -> str:
    languages = [script.tag.attribute(b"lang") for script in scripts]
    named = next((content[slice(*one.value)] for one in languages if one is not None), b"")
    return _LANGUAGES.get(named.lower(), "")


class _StoreWriter(Writer):
    """Writes ``$name`` as a member of the store ``name``: https://svelte.dev/docs/svelte/stores.

    The member has a name of its own, so that nothing is concluded of its type.
    """

    def copy(self, start: int, end: int) -> None:
        """Write a span of the file."""
        for found in _STORE.finditer(self.content, start, end):
            if found["name"] in _RUNES or self._may_be_key(start, end, found):
                continue
            super().copy(start, found.start())
            super().copy(*found.span("name"))
            self.write(_VALUE)
            start = found.end()
        super().copy(start, end)

    def _may_be_key(self, start: int, end: int, found: re.Match[bytes]) -> bool:
        """Return whether a name may stand for a key and its value in an object, where nothing else can be written."""
        before = self.content[max(start, found.start() - _LOOKED_AT) : found.start()].rstrip()
        behind = self.content[found.end() : min(end, found.end() + _LOOKED_AT)].lstrip()
        if not before or not behind or before.endswith(b"${"):
            return False
        return before[-1:] in _BEFORE_KEYS and behind[:1] in _AFTER_KEYS


class _Markup:
    """Writes the expressions of markup out as code."""

    def __init__(self, writer: Writer) -> None:
        self._writer = writer
        self._content = writer.content
        self.depth = Depth()

    def write(self, part: object) -> None:
        """Write the code in a part of the markup."""
        if isinstance(part, Braces):
            self._braces(part.start, part.end)
        elif isinstance(part, Tag):
            self._tag(part)

    def _expression(self, start: int, end: int) -> None:
        if self._content[start:end].lstrip().startswith(b"..."):
            start = self._content.find(b"...", start) + 3
        self._writer.wrap(b"(", start, end, b");\n")

    def _tag(self, tag: Tag) -> None:
        if tag.closes:
            self._writer.write(self.depth.close(tag.name))
        if tag.name[:1].isupper():
            self._expression(tag.start, tag.start + len(tag.name))
        if tag.closes:
            return
        for attribute in tag.attributes:
            if tag.name[:1].isupper() and not self._property(tag, attribute):  # a member of the component
                self._writer.leave(attribute.start, attribute.start + len(attribute.name))
            self._attribute(attribute)
        bound = [one for one in tag.attributes if one.name.startswith(b"let:")]
        if tag.empty or tag.name.lower() in VOID:
            return
        if bound:
            self._writer.write(b"{")
        for one in bound:
            start = one.value[0] if one.has_value else one.start + len(b"let:")
            end = one.value[1] if one.has_value else one.start + len(one.name)
            self._writer.wrap(b"let ", start, end, b";\n")
        self.depth.enter(tag.name, b"}\n" if bound else b"")

    def _property(self, tag: Tag, attribute: Attribute) -> bool:
        """Write the name of an attribute as a member of the properties of a component; return whether it is one.

        https://svelte.dev/docs/svelte/basic-markup#Component-props
        """
        named = _PROPERTY.fullmatch(attribute.name) if attribute.has_value else None
        if named is None or _NAME.fullmatch(tag.name) is None:
            return False
        start = attribute.start + named.start("name")
        write_property(self._writer, tag.name, start, start + len(named["name"]))
        return True

    def _attribute(self, attribute: Attribute) -> None:
        name, (start, end) = attribute.name, attribute.value
        kind, colon, named = name.partition(b":")
        if kind == b"let":
            return
        if colon and kind in _FUNCTIONS:
            first = attribute.start + len(kind) + 1
            self._expression(first, first + len(named.partition(b"|")[0]))
        if not name:
            if _NAME.fullmatch(self._content, *self._writer.stripped(start, end)):
                self._writer.leave(start, end)  # the name of the attribute as well
            else:
                self._expression(start, end)
        elif attribute.braced:
            self._expression(start, end)
        elif not attribute.has_value and kind in (b"bind", b"class", b"style") and colon:
            self._writer.leave(attribute.start, attribute.start + len(name))
        elif b"{" in self._content[start:end]:
            for part in Markup(self._content, start, end, braces=True):
                if isinstance(part, Braces):
                    self._expression(part.start, part.end)

    def _braces(self, start: int, end: int) -> None:
        found = _BLOCK.match(self._content, *self._writer.stripped(start, end))
        if found is None:
            self._expression(start, end)
            return
        name, start = found["name"].split()[0], found.end()
        match found["sign"]:
            case b"#":
                self._open(name, start, end)
            case b":":
                self._go_on(name, start, end)
            case b"/":
                self._writer.write(self.depth.close(b"#" + name))
            case _ if name == b"const":
                self._writer.wrap(b"const ", start, end, b";\n")
            case _:
                self._expression(start, end)

    def _open(self, name: bytes, start: int, end: int) -> None:
        writer = self._writer
        self.depth.enter(b"#" + name, b"}\n")
        if name == b"each":
            self._each(start, end)
        elif name == b"snippet":
            writer.wrap(b"function ", start, end, b" {\n")
        elif name == b"await" and (then := _THEN.fullmatch(self._content, start, end)) is not None:
            writer.wrap(b"{ (", *then.span("value"), b");\n")
            writer.wrap(b"let ", *then.span("bound"), b";\n")
        else:
            writer.write(b"{\n")
            self._expression(start, end)

    def _each(self, start: int, end: int) -> None:
        """Write ``items as item, index (key)`` as the head of a loop."""
        writer = self._writer
        found = _AS.match(self._content, start, end)
        if found is None:
            writer.write(b"{\n")
            self._expression(start, end)
            return
        bound = found.start("bound")
        last = self._pattern_end(bound, end)
        values = self._content.rfind(b" as", start, bound)
        values = values if values >= 0 else found.start("bound")
        extra = _EXTRA.match(self._content, last, end)
        writer.write(b"for (const ")
        writer.copy_stripped(bound, last)
        writer.write(b" of ")
        writer.copy_stripped(start, values)
        writer.write(b") {\n")
        if extra is not None and extra["index"] is not None:
            writer.wrap(b"let ", *extra.span("index"), b";\n")
        if extra is not None and extra["key"] is not None:
            self._expression(*extra.span("key"))

    def _pattern_end(self, start: int, end: int) -> int:
        """Return where the name or the pattern ends that begins at a byte."""
        if self._content[start] not in b"[{":
            named = _NAME.match(self._content, start, end)
            return named.end() if named is not None else end
        depth = 0
        for found in _BRACKETS.finditer(self._content, start, end):
            depth += 1 if found[0] in b"[{(" else -1
            if depth == 0:
                return found.end()
        return end

    def _go_on(self, name: bytes, start: int, end: int) -> None:
        """Write where another branch of a block begins."""
        self._writer.write(b"}\n{\n")
        if name in (b"then", b"catch"):
            self._writer.wrap(b"let ", start, end, b";\n")
        else:
            self._expression(start, end)
