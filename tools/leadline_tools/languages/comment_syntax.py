"""The comments of languages whose names are not resolved, by the language or the ending of a file.

A language with rules for names says itself what its comments and strings look like (``lexing``). Of the others it is
known what begins a comment. What may be a part of a string is taken for code.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from leadline_tools.languages.lexing import Span
from leadline_tools.lazy_regex import lazy_compile


def _line_comment(sign: bytes) -> bytes:
    """Return what matches a comment up to the end of its line: alone on it, or after code without quotes."""
    return rb"^(?:[ \t]*|[^\"'`\n]*?[ \t;])(?P<line>" + sign + rb"[^\n]*)"


_HASH = lazy_compile(_line_comment(rb"#(?![{\[(])") + rb"|(?P<block>(?!))", re.MULTILINE)
_DASHES = lazy_compile(_line_comment(rb"--(?!-*[!#$%&*+./<=>?@^|~])") + rb"|(?P<block>(?!))", re.MULTILINE)
_PERCENT = lazy_compile(_line_comment(rb"%") + rb"|(?P<block>(?!))", re.MULTILINE)
_SEMICOLON = lazy_compile(_line_comment(rb";") + rb"|(?P<block>(?!))", re.MULTILINE)
_SLASHES = lazy_compile(
    rb"^(?:(?!/\*)[^\"'`\n])*?(?:(?<![^ \t;\n])(?P<line>//[^\n]*)|(?P<block>/\*(?s:.*?)\*/))", re.MULTILINE
)

_ENDINGS = {
    _HASH: "ac am awk cmake coffee exp gn gyp ksh nim nix ninja ps1 r raku robot sed star tcl tk",
    _DASHES: "adb ads elm purs vhd vhdl",
    _PERCENT: "erl hrl",
    _SEMICOLON: "asm clj cljc cljs el lisp lsp nasm rkt scm",
    _SLASHES: "cu cuh dts dtsi fs fsi fsx fx gd glsl gradle groovy hlsl ld lds metal mm proto pug s sol sv svh thrift"
    " v",
}
_LANGUAGES = {_HASH: "dockerfile elixir hcl julia make perl", _DASHES: "haskell sql", _SLASHES: "dart zig"}

_BY_ENDING: Mapping[str, re.Pattern[bytes]] = {one: found for found, some in _ENDINGS.items() for one in some.split()}
_BY_LANGUAGE: Mapping[str, re.Pattern[bytes]] = {
    one: found for found, some in _LANGUAGES.items() for one in some.split()
}


def comments(content: bytes, path: str, language: str) -> Iterator[Span]:
    """Yield the comments of a text in the order of the source; none where nothing is known of its language.

    Args:
        content: The text.
        path: The path of its file.
        language: The name of its language; ``text`` for an unknown one.

    """
    ending = path.rpartition("/")[2].rpartition(".")[2].lower()
    found = _BY_ENDING.get(ending) if language == "text" else _BY_LANGUAGE.get(language)
    for one in found.finditer(content) if found is not None else ():
        start, end = one.span("line" if one["line"] is not None else "block")
        yield Span(start, end, comment=True)
