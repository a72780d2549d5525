"""The source of TypeScript as its parser gets it: forms that the grammar does not know, written as it knows them.

What ``readable`` returns has the same length and lines, so that what is found in it is where the source has it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from leadline_tools.languages import lexing
from leadline_tools.languages.blanking import blank
from leadline_tools.lazy_regex import lazy_compile

_GENERIC_SIGNATURE: Final = lazy_compile(
    rb"<(?<=[ \t]<)\s*(?:const\s+)?[A-Za-z_$][\w$]*(?:\s+extends\b|\s*[,=]|\s*>\s*\()"
)
"""What may begin a call signature that has type parameters, where only blanks are before it on its line.

It begins with what is searched for first: to try each place at which a line begins takes five times as long.
"""

_TYPES_OF_MODULE: Final = lazy_compile(rb"export(?<!\wexport)[ \t]+(type)[ \t]+\*")
_VARIANCE: Final = lazy_compile(rb"[<,]\s*((?:in|out)\s+(?:out\s+)?)(?=[A-Za-z_$])")
_GENERIC_TYPE: Final = lazy_compile(rb"(?:class|interface|type)\s+[\w$]+\s*<")
_END_OF_TYPE: Final = lazy_compile(rb"[\w$>\])}'\"`]")
_BRACKET: Final = lazy_compile(rb"=>|[<>(){}\[\]]")
_CLOSING: Final = {b"<": b">", b"(": b")", b"{": b"}", b"[": b"]"}
_DEFAULT_ABSTRACT: Final = lazy_compile(
    rb"export(?<!\wexport)\s+default\s+(abstract)\s+class(?=\s*\{|\s+(?:extends|implements)\b)"
)
_USING: Final = lazy_compile(
    rb"(?P<await>await[ \t]+)?(?P<using>using)(?<![\w$.]using)(?=[ \t]+[A-Za-z_$][\w$]*\s*(?:[=:]|of\b))"
)
_PARAMETERS: Final = lazy_compile(rb"\s*\(")
_RESULT: Final = lazy_compile(rb"\s*:")

_LONGEST: Final = 8_000
"""Bytes of type parameters, or of parameters, that are looked through for their end."""


def readable(content: bytes) -> bytes:
    """Return a source in which each call signature after a member without an end begins with a semicolon.

    The grammar takes its type parameters for type arguments of the type before it, and loses the whole body.
    In ``export type * from`` the word ``type`` is left out, and so are ``in`` and ``out`` before type parameters and
    ``abstract`` before a class without a name: the grammar does not know them there. ``using`` is ``const`` to it.
    """
    changes = [(*found.span(1), b"    ") for found in _TYPES_OF_MODULE.finditer(content)]
    changes += ((*found.span(1), b" " * len(found[1])) for found in _DEFAULT_ABSTRACT.finditer(content))
    for found in _USING.finditer(content):
        changes.append((*found.span("using"), b"const"))
        changes += [(*found.span("await"), blank(found["await"]))] if found["await"] else []
    changes += ((*span, blank(content[slice(*span)])) for span in _variances(content))
    if next(_generic_signatures(content), None) is not None:
        changes += ((place - 1, place, b";") for place in _signatures(content))
    if not changes:
        return content
    changed = bytearray(content)
    for start, end, text in changes:
        changed[start:end] = text
    return bytes(changed)


def _variances(content: bytes) -> Iterator[tuple[int, int]]:
    """Yield the spans of variance annotations, which type parameters of classes, interfaces and aliases may have.

    https://www.typescriptlang.org/docs/handbook/2/generics.html#variance-annotations
    """
    if _VARIANCE.search(content) is None:
        return
    for declared in _GENERIC_TYPE.finditer(content):
        start = declared.end() - 1
        end = _end_of_bracket(content, start)
        yield from (found.span(1) for found in _VARIANCE.finditer(content, start, end))


def _generic_signatures(content: bytes) -> Iterator[int]:
    """Yield where lines begin, behind blanks, that may begin with a call signature that has type parameters."""
    for found in _GENERIC_SIGNATURE.finditer(content):
        place = found.start()
        if not content[content.rfind(b"\n", 0, place) + 1 : place].strip(b" \t"):
            yield place


def _signatures(content: bytes) -> Iterator[int]:
    """Yield where a call signature begins that follows a type, which nothing ends."""
    code = bytearray(content)
    for span in lexing.spans(content, lexing.JAVASCRIPT):
        size = span.end - span.start
        code[span.start : span.end] = blank(content[span.start : span.end]) if span.comment else b"'" * size
    text = bytes(code)
    for place in _generic_signatures(text):
        before = text[max(0, place - _LONGEST) : place].rstrip()
        if _END_OF_TYPE.fullmatch(before[-1:]) and not before.endswith(b"=>") and _is_signature(text, place):
            yield place


def _is_signature(code: bytes, place: int) -> bool:
    """Return whether type parameters, parameters and a type of the result stand at a place."""
    types = _end_of_bracket(code, place)
    parameters = _PARAMETERS.match(code, types) if types else None
    end = _end_of_bracket(code, parameters.end() - 1) if parameters is not None else 0
    return bool(end) and _RESULT.match(code, end) is not None


def _end_of_bracket(code: bytes, place: int) -> int:
    """Return where the bracket at a place is closed; 0 where it is not, or too far away."""
    closing: list[bytes] = []
    for found in _BRACKET.finditer(code, place, place + _LONGEST):
        one = found[0]
        if one in _CLOSING:
            closing.append(_CLOSING[one])
        elif one == b"=>":
            continue
        elif not closing or closing.pop() != one:
            return 0
        if not closing:
            return found.end()
    return 0
