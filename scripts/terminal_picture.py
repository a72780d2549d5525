"""The picture at the top of README.md: its first answer, as a terminal shows it.

The answer is taken from README.md itself, where the tests compare it with what Leadline answers about Django. Rich
draws it, with a template of ours: its own loads a font from elsewhere.
"""

from __future__ import annotations

import io
import re
from pathlib import Path

from rich.console import Console
from rich.terminal_theme import TerminalTheme
from rich.text import Text

README = Path(__file__).parent.parent / "README.md"

_WIDTH = 108
"""Columns of the terminal; longer lines are wrapped."""

_THEME = TerminalTheme(
    (250, 250, 250),
    (36, 41, 47),
    [
        (36, 41, 47),
        (207, 34, 46),
        (17, 99, 41),
        (149, 56, 0),
        (9, 105, 218),
        (130, 80, 223),
        (27, 124, 131),
        (87, 96, 106),
    ],
)
"""Dark letters on light ground, each with a contrast of more than 4.5."""

_STYLES = (
    (r"(?m)^\$ .*$", "bold"),
    (r"(?m)\| [\d,~]+ of [\d,]+ tokens$", "bold green"),
    (r"(?m), complete\b", "green"),
    (r"(?m)^(?:exact|likely|undecided) \d+$", "magenta"),
    (r"(?m)^[\w./-]+\.\w+(?=$|: )", "blue"),
    (r"(?m)^\d+(?=: )", "cyan"),
    (r"(?m)^(?:next|all|also)(?=[ :])", "yellow"),
    (r"~[\d,]+ tokens$", "bold green"),
)

_SVG = """<svg class="rich-terminal" viewBox="0 0 {width} {height}" role="img" xmlns="http://www.w3.org/2000/svg">
<title>An answer of Leadline about Django in a terminal, with what it costs</title>
<style>
.{unique_id}-matrix {{
  font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace;
  font-size: {char_height}px;
  line-height: {line_height}px;
}}
.{unique_id}-title {{ font: bold 18px system-ui, sans-serif }}
{styles}
</style>
<defs>
<clipPath id="{unique_id}-clip-terminal">
<rect x="0" y="0" width="{terminal_width}" height="{terminal_height}" />
</clipPath>
{lines}
</defs>
{chrome}
<g transform="translate({terminal_x}, {terminal_y})" clip-path="url(#{unique_id}-clip-terminal)">
{backgrounds}
<g class="{unique_id}-matrix">
{matrix}
</g>
</g>
</svg>
"""


def terminal_picture() -> str:
    """Return the picture, as SVG."""
    console = Console(record=True, width=_WIDTH, file=io.StringIO(), color_system="truecolor", force_terminal=True)
    text = Text(first_answer())
    for pattern, style in _STYLES:
        text.highlight_regex(pattern, style)
    console.print(text)
    drawn = console.export_svg(title="leadline", theme=_THEME, code_format=_SVG, unique_id="leadline")
    return "\n".join(line.rstrip() for line in drawn.splitlines() if line.strip()) + "\n"


def first_answer() -> str:
    """Return the first console block of README.md: a command and its answer."""
    block = re.search(r"^```console\n(.*?)^```$", README.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    if block is None:
        raise ValueError(f"{README} shows no answer")
    return block[1].rstrip("\n")
