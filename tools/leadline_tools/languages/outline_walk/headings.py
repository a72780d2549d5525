"""Headings: definitions that have a level in place of a body, as in Markdown.

A heading holds what follows it in the same place, up to the next one of its level or above.
"""

from __future__ import annotations

from collections.abc import Mapping

from leadline_tools.languages.outline import Definition


def nest_headings(found: list[Definition], levels: Mapping[int, int], last_line: int) -> list[Definition]:
    """Return ``found`` with every heading inside the one that it follows and that is above it.

    Args:
        found: All definitions of a file.
        levels: The levels of the headings, by their indexes.
        last_line: The last line of the file.

    """
    nested = list(found)
    open_headings: dict[int, list[int]] = {}
    for index, level in levels.items():
        around = found[index].parent
        chain = open_headings.setdefault(around, [])
        while chain and levels[chain[-1]] >= level:
            closed = chain.pop()
            nested[closed] = nested[closed]._replace(end_line=found[index].start_line - 1)
        end = found[around].end_line if around >= 0 else last_line
        nested[index] = found[index]._replace(end_line=end)
        if chain:
            nested[index] = nested[index]._replace(parent=chain[-1], container=nested[chain[-1]].path)
        chain.append(index)
    return nested
