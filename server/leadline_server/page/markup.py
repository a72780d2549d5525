"""HTML from elements: what is text is always escaped, so no name of a file or a tool becomes markup."""

from __future__ import annotations

from xml.etree import ElementTree as ET

from leadline_server.outgoing import printable

Element = ET.Element
Child = Element | str | None
"""What an element holds: elements, text, or nothing."""


def element(tag: str, *children: Child, **attributes: str | float | None) -> Element:
    """Return an element.

    Attributes are named as in HTML, with underscores for dashes and one after a keyword (``class_``); one that
    is None is left out, and one without a value is the empty text.
    """
    names = {name: name.rstrip("_").replace("_", "-") for name in attributes}
    made = Element(tag, {names[name]: _text(value) for name, value in attributes.items() if value is not None})
    last: Element | None = None
    for child in children:
        if isinstance(child, str):
            text = "\n".join(map(printable, child.split("\n")))
            if last is None:
                made.text = (made.text or "") + text
            else:
                last.tail = (last.tail or "") + text
        elif child is not None:
            made.append(child)
            last = child
    return made


def html(made: Element) -> str:
    """Return an element as HTML."""
    return ET.tostring(made, encoding="unicode", method="html")


def _text(value: str | float) -> str:
    return printable(value) if isinstance(value, str) else f"{value:g}" if isinstance(value, float) else str(value)
