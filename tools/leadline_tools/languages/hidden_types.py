"""Types that the walk of ``outline`` does not come upon: those without a name, and those deep in bodies.

Their heads are found in the text, so the index knows which files have them; what stands in a comment or a string may be
among them. Facts tell what they really inherit from.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final

import re2

from leadline_tools.languages import blanking
from leadline_tools.languages.rules.members import Subtype
from leadline_tools.lazy_regex import lazy_compile

_PARENTHESES: Final = lazy_compile(rb"\([^()]*\)")
_ARGUMENTS: Final = lazy_compile(rb"<[^<>]*>|\[[^\[\]]*\]")
_SEPARATORS: Final = lazy_compile(rb"[,&|+()\[\]{}<>]|\b(?:extends|implements|with|for|using)\b|(?<!:):(?!:)")
_LAST: Final = lazy_compile(rb"(?<![\w$.:\\])(?:[\w$]+\s*(?:::|\.|\\)\s*|\\)*([^\W\d][\w$]*)\s*\Z")
_DELEGATE: Final = lazy_compile(rb"\bby\b[^,]*")
_DEEPEST: Final = 8
_INERT: Final = (
    rb"\"(?>(?:[^\"\\\n]++|\\.)*)\"|'(?>(?:[^'\\\n]++|\\.)*)'"
    rb"|/(?:/[^\n]*+|\*[^*]*+(?>(?:\*(?!/)[^*]*+)*)\*/|(?![/*]))|[\"']"
)
_IN_PARENTHESES: Final = blanking.nested_expression(rb"\(", rb"[^()\"'/]++|" + _INERT, rb"\)")
_IN_BRACES: Final = blanking.nested_expression(rb"\{", rb"[^{}\"'/]++|" + _INERT, rb"\}")
_TYPE_ARGUMENTS: Final = rb"(?>(?:" + blanking.nested_expression(rb"<", rb"[^<>(){};]++", rb">") + rb")?)"
_PIECE: Final = lazy_compile(_INERT + rb"|[()]", re.DOTALL)

Find = Callable[[bytes], Iterable[Subtype]]


def names_in(clause: bytes, *, called: bool = False) -> tuple[str, ...]:
    """Return the last segments of the names in a clause of bases.

    With ``called`` what is between parentheses may be bases too: those of a mixin.
    """
    for expression in (_ARGUMENTS,) if called else (_PARENTHESES, _ARGUMENTS):
        for _ in range(_DEEPEST):
            clause, replaced = expression.subn(b" ", clause)
            if not replaced:
                break
    found = (_LAST.search(part.rstrip()) for part in _SEPARATORS.split(_DELEGATE.sub(b"", clause)))
    return tuple(dict.fromkeys(one[1].decode("utf-8", "replace") for one in found if one is not None))


def _find_types(expression: bytes, content: bytes, maybe: Any, *, called: bool = False) -> Iterator[Subtype]:
    """Yield the types whose heads match an expression: its groups are the name, which may be missing, and the bases.

    It is tried where ``maybe`` matches: RE2 passes in linear time over what is nothing.
    """
    match, done = blanking.compile_expression(expression).match, 0
    for candidate in maybe.finditer(content):
        found = match(content, candidate.start()) if candidate.start() >= done else None
        if found is None:
            continue
        done = found.end()
        name, bases = found.groups()
        names = names_in(bases, called=called)
        if names:
            yield Subtype((name or b"").decode("utf-8", "replace"), names)


def _find_anonymous_types(content: bytes, head: re.Pattern[bytes]) -> Iterator[Subtype]:
    """Yield the anonymous types that ``new`` makes: a body stands behind the arguments, however these are nested."""
    arguments = blanking.compile_expression(_IN_PARENTHESES)
    for maybe in _MAYBE_NEW.finditer(content):
        found = head.match(content, maybe.start())
        if found is None:
            continue
        start = found.end() - 1
        whole = arguments.match(content, start)
        end = whole.end() if whole is not None else _end_of_arguments(content, start)
        if _OPENED.match(content, end):
            names = names_in(found[1])
            if names:
                yield Subtype("", names)


def _end_of_arguments(content: bytes, start: int) -> int:
    """Return where parentheses end that are nested deeper than an expression follows."""
    depth = 0
    for piece in _PIECE.finditer(content, start):
        depth += (piece[0] == b"(") - (piece[0] == b")")
        if not depth and piece[0] == b")":
            return piece.end()
    return len(content)


_MAYBE_NEW: Final = re2.compile(rb"\bnew[ \t\n]")
_MAYBE_JAVA: Final = re2.compile(rb"\b(?:class|interface|enum|record)\s+[\w$]+[^{};=\"']*\b(?:extends|implements)\b")
_MAYBE_OBJECT: Final = re2.compile(rb"\b(?:data\s+)?object\b[^:{}=;()]*:")
_MAYBE_TYPE: Final = re2.compile(rb"\b(?:class|interface|object|struct|enum|actor|extension)\s+\w[^{};=]*:")
_MAYBE_PHP: Final = re2.compile(rb"(?i)\b(?:new\s+)?class\b[^{};]*(?:\b(?:extends|implements)\b|\{\s*use\b)")
_MAYBE_SCALA: Final = re2.compile(rb"\b(?:class|trait|object)\s+\w[^{}=;\n]*\bextends\b")
_MAYBE_JAVASCRIPT: Final = re2.compile(rb"\bclass\b[^{};]*\b(?:extends|implements)\b")
_MAYBE_RUBY: Final = re2.compile(rb"\bClass\.new\b")
_MAYBE_CPP: Final = re2.compile(rb"\b(?:class|struct)\b[^{};()=?]*[^:{};()=?]:[^:{};()=?][^{};()=?]*\{")
_MAYBE_RUST: Final = re2.compile(rb"\bimpl\b[^{};]*\bfor\b")
_MAYBE_TRAIT: Final = re2.compile(rb"\btrait\s+\w+[^{};]*:")
_MAYBE_DEFINED: Final = re2.compile(rb"\btype[ \t]+\w+[^=(){};\n]*[ \t][^=(){};\n]+(?:\n|;|/|\})")
_MAYBE_GO: Final = re2.compile(rb"\b(?:struct|interface)[ \t]*\{")
_OPENED: Final = lazy_compile(rb"(?>(?:\s++|//[^\n]*+|/\*(?>(?:[^*]++|\*(?!/))*)\*/)*)\{")
_NEW: Final = lazy_compile(rb"\bnew\s+(?>(?:@[\w.]+\s+)*)([\w.$\x80-\xff]+)\s*" + _TYPE_ARGUMENTS + rb"\s*\(")
_JAVA_HEAD: Final = (
    rb"\b(?:class|interface|enum|record)\s+([\w$]+)[^{};=\"']*?\b((?:extends|implements)\b[^{};=\"']*)\{"
)


def java(content: bytes) -> Iterator[Subtype]:
    """Yield the anonymous classes of a Java source, and all with a name and bases."""
    yield from _find_anonymous_types(content, _NEW)
    yield from _find_types(_JAVA_HEAD, content, _MAYBE_JAVA)


_KOTLIN_OBJECT: Final = rb"\b(?:data\s+)?object(\s+\w+)?\s*:([^{}=;]*+)\{"
_KOTLIN_HEAD: Final = (
    rb"\b(?:class|interface|object)\s+(\w+)\s*"
    + _TYPE_ARGUMENTS
    + rb"(?>(?:[\w@ \t\n]*?constructor)?)\s*(?>(?:"
    + _IN_PARENTHESES
    + rb")?)\s*:(?!:)([^{}=;\n]*(?:,[ \t]*\n[^{}=;\n]*)*)"
)


def kotlin(content: bytes) -> Iterator[Subtype]:
    """Yield the objects and local classes of a Kotlin source."""
    yield from _find_types(_KOTLIN_OBJECT, content, _MAYBE_OBJECT)
    yield from _find_types(_KOTLIN_HEAD, content, _MAYBE_TYPE)


_PHP_HEAD: Final = (
    rb"(?i)\b(?:new\s+)?class\b(?>(?:\s+(?!extends\b|implements\b)(\w+))?)\s*(?>(?:" + _IN_PARENTHESES + rb")?)\s*"
    rb"((?:extends|implements)\b[^{};()]*)\{"
)
_PHP_USES: Final = rb"(?i)\bnew\s+()class\b[^{};]*\{\s*use\s+([\w\\, \n]+)[;{]"


def php(content: bytes) -> Iterator[Subtype]:
    """Yield the anonymous classes of a PHP source, and those that are declared where a condition holds."""
    yield from _find_types(_PHP_HEAD, content, _MAYBE_PHP)
    yield from _find_types(_PHP_USES, content, _MAYBE_PHP)


_SCALA_NEW: Final = (
    rb"\bnew\s+()([\w.]+(?:\[[^\]{}]*\])?\s*(?>(?:" + _IN_PARENTHESES + rb")?)(?:\s*\bwith\s+[\w.]+(?:\[[^\]{}]*\])?)*)"
    rb"\s*[{:]"
)
_SCALA_HEAD: Final = rb"\b(?:class|trait|object)\s+(\w+)[^{}=;\n]*?\bextends\s+([^{}=;\n]+)"


def scala(content: bytes) -> Iterator[Subtype]:
    """Yield the anonymous and local classes of a Scala source."""
    yield from _find_types(_SCALA_NEW, content, _MAYBE_NEW)
    yield from _find_types(_SCALA_HEAD, content, _MAYBE_SCALA)


_JAVASCRIPT_HEAD: Final = (
    rb"\bclass\b(?>(?:\s+(?!extends\b|implements\b)([\w$]+))?)\s*"
    + _TYPE_ARGUMENTS
    + rb"\s*((?:extends|implements)\b[^{};]*)\{"
)


def javascript(content: bytes) -> Iterator[Subtype]:
    """Yield the classes of a JavaScript or TypeScript source, those that stand in an expression too."""
    yield from _find_types(_JAVASCRIPT_HEAD, content, _MAYBE_JAVASCRIPT, called=True)


_RUBY_NEW: Final = rb"\bClass\.new()\s*\(?\s*([A-Z][\w:]*)"


def ruby(content: bytes) -> Iterator[Subtype]:
    """Yield the classes that ``Class.new`` makes."""
    yield from _find_types(_RUBY_NEW, content, _MAYBE_RUBY)


_CPP_HEAD: Final = (
    rb"\b(?:class|struct)\b\s*(?>(?:[A-Z][A-Z0-9_]+\s+)*)([\w:]*?)\s*"
    + _TYPE_ARGUMENTS
    + rb"\s*(?:\bfinal\s*)?:(?!:)([^{};()=?]*)\{"
)


def cpp(content: bytes) -> Iterator[Subtype]:
    """Yield the classes of a C++ source, those of functions too."""
    for one in _find_types(_CPP_HEAD, content, _MAYBE_CPP):
        yield Subtype(one.path.rpartition(":")[2], one.bases)


_SWIFT_HEAD: Final = rb"\b(?:class|struct|enum|actor|extension)\s+([\w.]+)\s*" + _TYPE_ARGUMENTS + rb"\s*:([^{}=;]*)\{"


def swift(content: bytes) -> Iterator[Subtype]:
    """Yield the types of a Swift source, those of functions too."""
    yield from _find_types(_SWIFT_HEAD, content, _MAYBE_TYPE)


_RUST_HEAD: Final = rb"\bimpl\b()\s*" + _TYPE_ARGUMENTS + rb"\s*([\w:]+)\s*" + _TYPE_ARGUMENTS + rb"\s+for\b"

_RUST_TRAIT: Final = rb"\btrait\s+(\w+)\s*" + _TYPE_ARGUMENTS + rb"\s*:(?!:)([^{};]*)"


def rust(content: bytes) -> Iterator[Subtype]:
    """Yield the traits that a Rust source implements, and those that others need, in blocks too."""
    yield from _find_types(_RUST_HEAD, content, _MAYBE_RUST)
    yield from _find_types(_RUST_TRAIT, content, _MAYBE_TRAIT)


_GO_TYPE: Final = rb"\b(?:struct|interface)[ \t]*(" + _IN_BRACES + rb")"
_GO_EMBEDDED: Final = lazy_compile(
    rb"(?:[{;\n]|^)[ \t]*\*?(?:\w+\.)?([^\W\d]\w*)(?:\[[^\]\n]*\])?[ \t]*(?:[\"`;\n}]|//|/\*)"
)

_GO_DEFINED: Final = rb"\btype[ \t]+(\w+)(?:\[[^\]\n]*\])?[ \t]+([\w.]+)(?:\[[^\]\n]*\])?[ \t]*(?:[\n;}]|//|/\*)"


def go(content: bytes) -> Iterator[Subtype]:
    """Yield what structs and interfaces embed that are written out, and what types in functions are defined as."""
    yield from _find_types(_GO_DEFINED, content, _MAYBE_DEFINED)
    for maybe in _MAYBE_GO.finditer(content):
        found = blanking.compile_expression(_GO_TYPE).match(content, maybe.start())
        if found is None:
            continue
        at, end = found.start(1), found.end(1)
        names: dict[str, None] = {}
        while (field := _GO_EMBEDDED.search(content, at, end)) is not None:
            names[field[1].decode("utf-8", "replace")] = None
            at = field.end(1)
        if names:
            yield Subtype("", tuple(names))


def unknown_subtypes(find: Find, content: bytes, known: Iterable[Subtype]) -> list[Subtype]:
    """Return the types in a source that name a base which no type does that is known.

    Of a file it is looked up which bases it names: what is known once suffices.
    """
    bases = {name for one in known for name in one.bases}
    found = (Subtype(one.path, tuple(name for name in one.bases if name not in bases)) for one in find(content))
    return list(dict.fromkeys(one for one in found if one.bases))
