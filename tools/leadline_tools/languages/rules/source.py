"""Sources: what the parser reads, and where comments, strings and code are."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from leadline_tools.languages.blanking import Bodies
from leadline_tools.languages.lexing import Lexis
from leadline_tools.languages.regions import Regions

RegionsOf = Callable[[str, bytes], Regions | None]
"""From the path and the content of a file to the regions with code in it; None where all of it is code."""


@dataclass(frozen=True, slots=True)
class SourceRules:
    """What the parser reads in place of a source, and what the index leaves out of it.

    Args:
        lexis: Where comments and strings are.
        mask: Returns what is parsed in place of a source, of the same length and lines: without what the grammar does
            not accept. Words that it blanks are still names.
        select: Returns what is compiled together of a source, of the same length and lines: one branch of a condition
            that cuts through brackets, or a form that the grammar accepts. Nothing is known of words that it blanks.
        bodies: Returns what is left out of a source for the index: bodies in which nothing is defined, and lines whose
            text says what they define.
        directives: Returns what is left out of a source for the whole outline: lines that the grammar accepts nowhere.
        empty_body: The two brackets that replace a body; empty: its own.
        textual: Decides from the path and content of a file whether its symbols need no index beside its words.
        besides_macros: Returns what is left out of such a file to find its other symbols; None where it can have none.
        directive: The expression of lines that choose what is compiled, where the grammar accepts them only between
            statements. What they cut apart elsewhere does not parse, and is no error.
        regions: Where the code is, in a file that also holds other things.
        words: Returns the text whose words are indexed in place of the content, where an escape may precede a word.

    """

    lexis: Lexis | None = None
    mask: Callable[[bytes], bytes] | None = None
    select: Callable[[bytes], bytes] | None = None
    bodies: Callable[[bytes], Bodies] | None = None
    directives: Callable[[bytes], Bodies] | None = None
    empty_body: bytes = b""
    textual: Callable[[str, bytes], bool] | None = None
    besides_macros: Callable[[bytes], Bodies | None] | None = None
    directive: re.Pattern[bytes] | None = None
    regions: RegionsOf | None = None
    words: Callable[[str], str] | None = None

    @property
    def is_prepared(self) -> bool:
        """Return whether something else than a source may be parsed in its place."""
        return self.select is not None or self.mask is not None

    def prepare(self, content: bytes) -> bytes:
        """Return what is parsed in place of a source."""
        if self.select is not None:
            content = self.select(content)
        return self.mask(content) if self.mask is not None else content
