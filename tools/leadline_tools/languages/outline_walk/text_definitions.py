"""Definitions that the text of a source tells, so that no parser has to: those in what was left out of the tree."""

from __future__ import annotations

from collections.abc import Sequence

from leadline_tools.languages.blanking import TextDefinition
from leadline_tools.languages.outline import NO_SPAN, Definition
from leadline_tools.languages.outline_walk.parameters import macro_parameters
from leadline_tools.languages.positions import Positions
from leadline_tools.languages.tuples import new_tuple


class TextDefinitions:
    """Adds such definitions to those that the walk finds, in the order of the source.

    Attributes:
        next: The byte at which the next one begins; the end of the source where there is none.

    """

    def __init__(
        self, content: bytes, definitions: Sequence[TextDefinition], positions: Positions, *, parameters: bool
    ) -> None:
        self._content = content
        self._waiting = list(reversed(definitions))
        self._positions = positions
        self._parameters_wanted = parameters
        self.next = definitions[0].start if definitions else len(content)

    def add_before(self, end: int, found: list[Definition]) -> None:
        """Add the definitions that begin before a byte."""
        content, positions = self._content, self._positions
        while self._waiting and self._waiting[-1].start < end:
            kind, doc, start, name, name_end, signature_end, last = self._waiting.pop()
            start_line = positions.line_of(start)
            line, column = positions.at(name)
            values = (
                content[name:name_end].decode("utf-8", "replace"),
                kind,
                line,
                column,
                start_line,
                positions.line_of(last - 1),
                "",
                -1,
                (start, signature_end),
                (doc, start) if doc >= 0 else NO_SPAN,
                macro_parameters(content[name_end:last]) if self._parameters_wanted else None,
            )
            found.append(new_tuple(Definition, values))
        self.next = self._waiting[-1].start if self._waiting else len(content)
