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
        mask: What is parsed in place of the content, of the same length and lines: without what the grammar trips over.
            The words that it leaves out are names all the same.
        select: What of a source is compiled together, of the same length and lines: of the branches of a condition that
            cut through brackets one alone; or forms that the grammar does not know as it knows them. Nothing is known
            of the words that it leaves out.
        bodies: What is left out of a source that is parsed for the index: bodies and whatever else has brackets, in
            which nothing is defined, and lines whose text tells what they define.
        directives: What is left out of a source whose whole outline is made: lines that the grammar does not know
            wherever they may stand.
        empty_body: The two brackets that are parsed for such a body; empty: its own.
        textual: Tells from the path and content of a file that its symbols are not worth an index beside its words.
        besides_macros: Of such a file what is left out to find its other symbols; None where it can have none.
        directive: The lines that choose what is compiled, where the grammar knows them only between declarations and
            statements: what they cut apart elsewhere does not parse, and is right all the same.
        lexis: Where its comments and strings are.
        regions: Where the code is in a file that holds other things too.
        words: The text whose words are indexed in place of the content, where an escape may stand before a word.

    """

    mask: Callable[[bytes], bytes] | None = None
    select: Callable[[bytes], bytes] | None = None
    bodies: Callable[[bytes], Bodies] | None = None
    directives: Callable[[bytes], Bodies] | None = None
    empty_body: bytes = b""
    textual: Callable[[str, bytes], bool] | None = None
    besides_macros: Callable[[bytes], Bodies | None] | None = None
    directive: re.Pattern[bytes] | None = None
    lexis: Lexis | None = None
    regions: RegionsOf | None = None
    words: Callable[[str], str] | None = None

    @property
    def is_prepared(self) -> bool:
        """Tell whether something else than a source may be parsed in its place."""
        return self.select is not None or self.mask is not None

    def prepare(self, content: bytes) -> bytes:
        """Return what is parsed in place of a source."""
        if self.select is not None:
            content = self.select(content)
        return self.mask(content) if self.mask is not None else content
