"""``llms.txt``: the pages of the documentation in one list, for a model that looks something up in them."""

from __future__ import annotations

import re
from pathlib import Path

DOCS = Path(__file__).parent.parent / "docs"

_FIRST = ("installation.md", "quickstart.md", "why.md", "budgets.md", "configuration.md", "troubleshooting.md")
_LISTED = {"connect": "Clients", "tools": "Tools"}
_LONGEST = 160


def llms_page() -> str:
    """Return the list: a title, a summary, and sections of links with the first sentence of each page."""
    pages = sorted(path for path in DOCS.glob("*.md") if path.name not in {"index.md", *_FIRST})
    lines = [
        "# Leadline",
        "",
        "> An MCP server that lets AI agents explore code bases of any size within a token budget: every answer is",
        "> counted in the model's tokens, reports what it omits, and suggests next calls with their price.",
        "",
        "## Start",
        "",
        *(_link(DOCS / name) for name in _FIRST),
        "",
        "## Reference",
        "",
        *map(_link, pages),
    ]
    for folder, title in _LISTED.items():
        lines += ["", f"## {title}", "", *map(_link, sorted((DOCS / folder).glob("*.md")))]
    return "\n".join(lines) + "\n"


def _link(path: Path) -> str:
    text = path.read_text(encoding="utf-8")
    title = re.search(r"^# (.+)$", text, re.MULTILINE)
    target = path.relative_to(DOCS).with_suffix(".html").as_posix()
    return f"- [{title[1] if title else path.stem}]({target}): {_first_sentence(text)}"


def _first_sentence(text: str) -> str:
    """Return the first sentence of the first paragraph that is plain text."""
    for paragraph in re.split(r"\n{2,}", text):
        plain = " ".join(paragraph.split())
        if re.match(r"(\*\*)?[A-Z`\[(]", plain):
            plain = plain.replace("**", "")
            plain = re.sub(r"\[([^\]]+)\]\([^)]+\)", r"\1", plain)
            sentence = re.match(r"(.*?[.:])(?: |$)", plain)
            found = sentence[1] if sentence else plain
            return found if len(found) <= _LONGEST else found[: found.rindex(" ", 0, _LONGEST)] + " ..."
    return ""
