"""The code of a Vue component: https://vuejs.org/api/sfc-spec.html.

The expressions of a template see what ``<script setup>`` binds, and what their directives bind around them. Without
``setup`` they see members of the component, which no rule here follows: then they are undecided.
"""

from __future__ import annotations

import re

from leadline_tools.languages.hosts.component_properties import MADE, write_exported_properties, write_property
from leadline_tools.languages.hosts.markup import VOID, Attribute, Braces, Depth, Markup, Raw, Tag
from leadline_tools.languages.hosts.vue_props import Properties, find_properties
from leadline_tools.languages.regions import Regions, Writer, default_export
from leadline_tools.lazy_regex import lazy_compile

_FOR = lazy_compile(rb"(?P<bound>.*?)\s(?:in|of)\s(?P<values>.*)", re.DOTALL)
_EXTRA = lazy_compile(rb",\s*([A-Za-z_$][\w$]*)\s*\Z")
_HANDLER = lazy_compile(rb"\s*+(?:(?:async\b\s*)?(?:function\b|\([^()]*\)\s*(?::[^=]*)?=>|[\w$]+\s*=>)|[\w$.?]+\s*\Z)")
_NAME = lazy_compile(rb"[A-Za-z_$][\w$]*")
_PROPERTY = lazy_compile(rb"(?::|\.|v-bind:)?(?P<name>[A-Za-z_$][\w$]*)")
_REF = b"ref"
_ASKS_BY_STRING = b"useTemplateRef"
_EXPRESSION = (b"(", b");\n")
_UNKNOWN = b"undefined"
_LANGUAGES = {b"ts": "typescript", b"tsx": "tsx", b"jsx": "javascript", b"js": "javascript", b"": "javascript"}
_MOST_EXTRA = 2


def regions(path: str, content: bytes) -> Regions:
    """Return the regions of a component."""
    writer = Writer(content)
    scripts, templates = _blocks(content)
    language = _language(content, scripts)
    has_setup = any(script.tag.attribute(b"setup") is not None for script in scripts)
    plain = [span for span in templates if _value(content, span[0], b"lang") in (b"", b"html")]
    has_resolved = bool(language) and has_setup and len(plain) == 1
    properties = find_properties(content, [(one.start, one.end) for one in scripts])
    for script in scripts:
        if language:
            _copy_script(writer, script, properties, moves=has_resolved)
        else:
            writer.leave(script.start, script.end)
    for tag, start, end in templates:
        if _value(content, tag, b"lang") in (b"", b"html"):
            if has_resolved and properties.unnamed[1]:
                writer.wrap(b"const " + MADE + b" = ", *properties.unnamed, b";\n")
            _Template(writer, properties, resolves=bool(language) and has_setup).write(start, end)
        else:
            writer.leave(start, end)
    if language and has_setup and properties.receiver and (has_resolved or properties.receiver != MADE):
        write_exported_properties(writer, properties.receiver)
    writer.write(default_export(path))
    return writer.regions(language)


def _copy_script(writer: Writer, script: Raw, properties: Properties, *, moves: bool) -> None:
    """Write a script out, but for the call whose result is given no variable, which the template has if it ``moves``.

    What takes the result apart takes it of a variable.
    """
    start, end = properties.unnamed
    declared, first, last = properties.taken
    if moves and script.start <= start < end <= script.end:
        writer.copy_statements(script.start, start)
        writer.copy_statements(end, script.end)
    elif moves and script.start <= declared < last <= script.end:
        writer.copy_statements(script.start, declared)
        writer.wrap(b"const " + MADE + b" = ", first, last, b";\n")
        writer.copy(declared, first)
        writer.write(MADE)
        writer.copy_statements(last, script.end)
    else:
        writer.copy_statements(script.start, script.end)


def _blocks(content: bytes) -> tuple[list[Raw], list[tuple[Tag, int, int]]]:
    """Return the scripts and the templates at the top of a component, these with their spans."""
    scripts: list[Raw] = []
    templates: list[tuple[Tag, int, int]] = []
    open_parts: list[Tag] = []
    for part in Markup(content, double=True):
        if isinstance(part, Raw):
            if not open_parts and part.tag.name.lower() == b"script":
                scripts.append(part)
        elif isinstance(part, Tag) and part.name.lower() == b"template" and not part.empty:
            if not part.closes:
                open_parts.append(part)
            elif open_parts:
                tag = open_parts.pop()
                if not open_parts:
                    templates.append((tag, tag.end, part.start - 2))
    if open_parts:
        templates.append((open_parts[0], open_parts[0].end, len(content)))
    return scripts, templates


def _language(content: bytes, scripts: list[Raw]) -> str:
    """Return the language of the scripts, empty for one that is not known."""
    languages = [value for script in scripts if (value := _value(content, script.tag, b"lang"))]
    return _LANGUAGES.get(languages[0].lower() if languages else b"", "")


def _value(content: bytes, tag: Tag, name: bytes) -> bytes:
    attribute = tag.attribute(name)
    return content[slice(*attribute.value)] if attribute is not None else b""


class _Template:
    """Writes the expressions of a template out as code."""

    def __init__(self, writer: Writer, properties: Properties, *, resolves: bool) -> None:
        self._writer = writer
        self._properties = properties
        self._bound: list[frozenset[bytes]] = []  # what each loop and slot around binds
        self._content = writer.content
        self._resolves = resolves
        self._depth = Depth()

    def write(self, start: int, end: int) -> None:
        """Write the template in a span."""
        for part in Markup(self._content, start, end, double=True):
            if isinstance(part, Braces):
                self._expression(part.start, part.end)
            elif isinstance(part, Tag):
                self._tag(part)
        self._writer.write(self._depth.close_all())

    def _expression(self, start: int, end: int) -> None:
        if self._resolves:
            self._wrap(_EXPRESSION[0], start, end, _EXPRESSION[1])
        else:
            self._writer.leave(start, end)

    def _wrap(self, before: bytes, start: int, end: int, after: bytes) -> None:
        """Write a span as code between glue, the properties in it as members of what has them."""
        start, end = self._writer.stripped(start, end)
        if end > start:
            self._writer.write(before)
            self._copy(start, end)
            self._writer.write(after)

    def _copy(self, start: int, end: int) -> None:
        done = start
        for first, last, before in self._properties.occurrences(self._content[start:end]):
            place, behind = start + first, start + last
            if any(self._content[place:behind] in names for names in self._bound):
                continue
            self._writer.copy(done, place)
            is_member = before.endswith(b".")
            self._writer.write(before if is_member else before + _UNKNOWN)
            if not is_member:
                self._writer.leave(place, behind)
            done = place if is_member else behind
        self._writer.copy(done, end)

    def _tag(self, tag: Tag) -> None:
        if tag.closes:
            self._close(self._depth.close(tag.name))
            self._component(tag)
            return
        self._component(tag)
        closing = b""
        loop = tag.attribute(b"v-for")
        if loop is not None:
            closing += self._loop(*loop.value)
        for attribute in tag.attributes:
            if _names_code(tag, attribute) and not self._property(tag, attribute):
                self._writer.leave(attribute.start, attribute.start + len(attribute.name))
            if attribute is not loop and not _is_slot(attribute):
                self._directive(attribute)
        for attribute in tag.attributes:
            if _is_slot(attribute):
                closing += self._slot(*attribute.value)
        if tag.empty or tag.name.lower() in VOID:
            self._close(closing)
        else:
            self._depth.enter(tag.name, closing)

    def _close(self, glue: bytes) -> None:
        """Write what ends scopes, each of which binds something."""
        self._writer.write(glue)
        del self._bound[len(self._bound) - glue.count(b"}") :]

    def _bind(self, start: int, end: int) -> None:
        self._bound.append(frozenset(_NAME.findall(self._content, start, end)))

    def _component(self, tag: Tag) -> None:
        """Write the name of an element as what it is where it is that of a component."""
        if tag.name[:1].isupper():
            self._expression(tag.start, tag.start + len(tag.name))

    def _property(self, tag: Tag, attribute: Attribute) -> bool:
        """Write the name of an attribute as a member of the properties of a component; return whether it is one.

        https://vuejs.org/guide/components/props.html
        """
        named = _PROPERTY.fullmatch(attribute.name) if self._resolves and tag.name[:1].isupper() else None
        if named is None or not attribute.has_value or _NAME.fullmatch(tag.name) is None:
            return False
        start = attribute.start + named.start("name")
        write_property(self._writer, tag.name, start, start + len(named["name"]))
        return True

    def _directive(self, attribute: Attribute) -> None:
        name, (start, end) = attribute.name, attribute.value
        if name == _REF and attribute.has_value:
            self._ref(start, end)
        if not name.startswith((b"v-", b":", b"@", b".")):
            return
        if not attribute.has_value:
            if name.startswith((b":", b"v-bind:")):  # the name of the value as well
                self._writer.leave(attribute.start, attribute.start + len(name))
        elif name == b"v-for" or not self._resolves:
            self._writer.leave(start, end)
        elif name.startswith((b"@", b"v-on")) and not _HANDLER.match(self._content, start, end):
            self._wrap(b"{", start, end, b"\n}\n")
        else:
            self._expression(start, end)

    def _ref(self, start: int, end: int) -> None:
        """Write what ``ref="name"`` names: a variable of the script, unless the component asks for it by a string.

        https://vuejs.org/guide/essentials/template-refs.html
        """
        if _ASKS_BY_STRING in self._content or _NAME.fullmatch(self._content, start, end) is None:
            self._writer.leave(start, end)
        else:
            self._expression(start, end)

    def _loop(self, start: int, end: int) -> bytes:
        """Write ``(item, index) in items`` as the head of a loop; return what ends it."""
        found = _FOR.fullmatch(self._content, start, end)
        if found is None or not self._resolves:
            self._writer.leave(start, end)
            return b""
        first, last = self._writer.stripped(*found.span("bound"))
        extra: list[tuple[int, int]] = []
        if self._content[first : first + 1] == b"(" and self._content[last - 1 : last] == b")":
            first, last = self._writer.stripped(first + 1, last - 1)
        while len(extra) < _MOST_EXTRA and (another := _EXTRA.search(self._content, first, last)) is not None:
            extra.append(another.span(1))
            last = another.start()
        self._writer.write(b"for (const ")
        self._writer.copy_stripped(first, last)
        self._writer.write(b" of ")
        self._copy(*self._writer.stripped(*found.span("values")))
        self._writer.write(b") {")
        self._bind(*found.span("bound"))
        for span in extra:
            self._writer.wrap(b"let ", *span, b";")
        self._writer.write(b"\n")
        return b"}\n"

    def _slot(self, start: int, end: int) -> bytes:
        """Write what a slot hands over as variables of a block; return what ends it."""
        if not self._resolves:
            self._writer.leave(start, end)
            return b""
        if not self._content[start:end].strip():
            return b""
        self._writer.wrap(b"{let ", start, end, b";\n")
        self._bind(start, end)
        return b"}\n"


def _is_slot(attribute: Attribute) -> bool:
    return attribute.name.startswith((b"#", b"v-slot")) or attribute.name == b"slot-scope"


def _names_code(tag: Tag, attribute: Attribute) -> bool:
    """Return whether the name of an attribute is a member of a component, or holds an expression in brackets."""
    return b"[" in attribute.name or tag.name[:1].isupper() or b"-" in tag.name
