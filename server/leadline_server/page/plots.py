"""Plots as inline SVG, each with a table of the same numbers, which is what a screen reader reads."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from leadline_server.page.markup import Element, element

_WIDTH = 720
_LABEL, _VALUE = 190, 90
"""Units for the names on the left and the numbers on the right of bars."""

_BAR, _GAP, _GROUP = 13, 2, 12
_COLUMN_HEIGHT, _BELOW, _ABOVE = 200, 26, 22
_MOST_LABELS = 12
"""Days that are named below columns."""

_LONGEST_LABEL = 24


@dataclass(frozen=True, slots=True)
class Data:
    """Numbers with names: a row for each, with as many values as there are series; None where there is none."""

    heading: str
    series: tuple[str, ...]
    rows: tuple[tuple[str, tuple[int | None, ...]], ...]

    @property
    def most(self) -> int:
        """Return the largest value, at least 1."""
        return max((value for _, values in self.rows for value in values if value is not None), default=0) or 1


def figure(identity: str, caption: str, data: Data, plot: Element) -> Element:
    """Return a plot with its caption, its legend and its table."""
    legend = [
        element("li", element("span", class_=f"swatch series-{i}", aria_hidden="true"), name)
        for i, name in enumerate(data.series)
    ]
    return element(
        "figure",
        element("figcaption", caption, id=f"{identity}-caption"),
        element("ul", *legend, class_="legend") if len(legend) > 1 else None,
        plot,
        element("details", element("summary", f"Show as a table: {caption}"), table(data, caption)),
        class_="plot",
    )


def table(data: Data, caption: str) -> Element:
    """Return the numbers as a table."""
    head = element(
        "tr",
        element("th", data.heading, scope="col"),
        *(element("th", name, scope="col", class_="number") for name in data.series),
    )
    rows = [
        element(
            "tr",
            element("th", name, scope="row"),
            *(element("td", "-" if value is None else f"{value:,}", class_="number") for value in values),
        )
        for name, values in data.rows
    ]
    made = element("table", element("caption", caption), element("thead", head), element("tbody", *rows))
    return element("div", made, class_="scroll", tabindex="0", role="region", aria_label=caption)


def bars(data: Data) -> Element:
    """Return bars from left to right, those of one row below each other, all on one scale from 0."""
    drawn: list[Element] = []
    y = 0
    scale = (_WIDTH - _LABEL - _VALUE) / data.most
    for name, values in data.rows:
        drawn.append(_label(name, _LABEL - 8, y + _BAR - 2, "end"))
        for series, value in enumerate(values):
            if value is not None:
                width = round(value * scale, 1)
                drawn.append(element("rect", x=_LABEL, y=y, width=width, height=_BAR, class_=f"series-{series}"))
                drawn.append(_label(f"{value:,}", round(_LABEL + width + 5), y + _BAR - 2, "start"))
            y += _BAR + _GAP
        y += _GROUP
    return _drawing(y, drawn)


def columns(data: Data) -> Element:
    """Return columns from the bottom up, one row beside the other, as days follow each other."""
    drawn: list[Element] = []
    step = _WIDTH / max(1, len(data.rows))
    width = min(60.0, step * 0.8 / max(1, len(data.series)))
    every = -(-len(data.rows) // _MOST_LABELS)
    for place, (name, values) in enumerate(data.rows):
        middle = (place + 0.5) * step
        left = middle - width * len(values) / 2
        for series, value in enumerate(values):
            height = round((value or 0) * _COLUMN_HEIGHT / data.most, 1)
            top = round(_ABOVE + _COLUMN_HEIGHT - height, 1)
            x = round(left + series * width, 1)
            drawn.append(element("rect", x=x, y=top, width=round(width, 1), height=height, class_=f"series-{series}"))
            if value == data.most:
                drawn.append(_label(f"{value:,}", round(max(40, min(_WIDTH - 40, x + width / 2))), top - 6, "middle"))
        if place % every == 0:
            drawn.append(
                _label(name[5:] if len(name) == 10 else name, round(middle), _ABOVE + _COLUMN_HEIGHT + 18, "middle")
            )
    base = _ABOVE + _COLUMN_HEIGHT
    drawn.append(element("line", x1=0, x2=_WIDTH, y1=base, y2=base, class_="axis"))
    return _drawing(base + _BELOW, drawn)


def _drawing(height: int, drawn: Sequence[Element]) -> Element:
    """Return a drawing that is hidden from screen readers, which read the caption and the table."""
    return element("svg", *drawn, viewBox=f"0 0 {_WIDTH} {max(1, height)}", aria_hidden="true", focusable="false")


def _label(text: str, x: float, y: float, anchor: str) -> Element:
    short = text if len(text) <= _LONGEST_LABEL else text[: _LONGEST_LABEL - 3] + "..."
    return element("text", short, x=x, y=y, text_anchor=anchor)
