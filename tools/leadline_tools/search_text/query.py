"""The query of a search of texts, with its options."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass

from leadline_tools.index.text.scan import Finder, finder
from leadline_tools.once import once
from leadline_tools.stored_json import parse_stored


@dataclass(frozen=True)  # without slots: what is cached needs a place
class TextQuery:
    """What is looked for.

    Args:
        text: The text or expression.
        regex: True for an RE2 expression.
        word: True for matches that are whole words.
        case_sensitive: False to take upper and lower case for the same.
        context: Lines around a match that are shown with it.

    """

    text: str
    regex: bool = False
    word: bool = False
    case_sensitive: bool = False
    context: int = 0

    @once
    def finder(self) -> Finder:
        """Return what finds it; raises BadPattern."""
        return finder(self.text, regex=self.regex, word=self.word, case_sensitive=self.case_sensitive)

    def dumped(self) -> bytes:
        """Return it as bytes that ``loaded`` takes."""
        return json.dumps(asdict(self)).encode()

    @classmethod
    def loaded(cls, dumped: bytes) -> TextQuery:
        """Return what was dumped; raises ValueError for what is none."""
        match parse_stored(dumped):
            case {
                "text": str(text),
                "regex": bool(regex),
                "word": bool(word),
                "case_sensitive": bool(case_sensitive),
                "context": int(context),
            }:
                return cls(text, regex, word, case_sensitive, context)
            case _:
                raise ValueError("it is no query")
