"""Writes what follows from the code: parts of README.md (the tables of tools and clients, the languages), and files.

With ``--check`` nothing is written, and the exit code is 1 where something is stale.
"""

from __future__ import annotations

import json
import re
import sys
import textwrap
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path

from client_pages import client_page, client_table, index_page, skill_page
from console_page import console_page
from extending_page import extending_page
from manifests import bundle_manifest, marketplace_json, plugin_json, server_json
from plots import budget_plot, shell_plot
from quickstart_page import quickstart_page
from terminal_picture import terminal_picture
from tool_pages import in_order, tool_page, tools_index

from leadline_server.clients.known import CLIENTS
from leadline_server.clients.skill import skill_text
from leadline_server.listing import listing
from leadline_tools.languages import HOSTS, LANGUAGES
from leadline_tools.languages.language import Language
from leadline_tools.tool import Tool

README = Path(__file__).parent.parent / "README.md"
_WIDTH = 118

_SPELLED = {
    "cpp": "C++",
    "csharp": "C#",
    "css": "CSS",
    "hcl": "HCL (Terraform)",
    "html": "HTML",
    "javascript": "JavaScript",
    "json": "JSON",
    "objc": "Objective-C",
    "erb": "ERB",
    "jupyter": "Jupyter",
    "mdx": "MDX",
    "php": "PHP",
    "sql": "SQL",
    "toml": "TOML",
    "tsx": "TSX",
    "typescript": "TypeScript",
    "yaml": "YAML",
}
"""Names of languages that are more than capitalized."""

_IN_OTHERS = ("Bats", "Blade")
"""Kinds of files with code of a language that their ending already tells."""


def tool_table() -> str:
    """Return a row for each tool, in the order in which a client sees them, and what the list costs a model."""
    tools = in_order()
    rows = ["| tool | arguments | answers |", "|---|---|---|", *map(_row, tools), "", _cost(tools)]
    return "\n".join(rows)


def _row(tool: Tool) -> str:
    arguments = ", ".join(
        f"`{name}`" if field.is_required() else f"`{name}={json.dumps(field.default)}`"
        for name, field in tool.arguments.model_fields.items()
    )
    description = " ".join(tool.description.split()).replace("|", "\\|")
    return f"| `{tool.name}` | {arguments} | {description} |"


def _cost(tools: Sequence[Tool]) -> str:
    """Return what tools and instructions cost a model before its first call."""
    tokens = listing(tool.name for tool in tools).total
    text = (
        f"Every tool also takes `max_tokens`. The {len(tools)} tools with their schemas, and the server's instructions,"
        f" cost a model {tokens:,} o200k tokens."
    )
    return textwrap.fill(text, _WIDTH)


def language_list() -> str:
    """Return the languages, by what is known of them."""
    levels: dict[str, list[str]] = {
        "Outlines, symbol search, definitions and references": [],
        "Outlines and symbol search": [],
        "Outlines": [],
    }
    resolved, searched, outlined = levels.values()
    for language in LANGUAGES.values():
        known = resolved if language.semantics is not None else searched if language.outline.indexed else outlined
        known.append(_spelled(language))
    levels["Code inside other files"] = [*map(_spelled, HOSTS.values()), *_IN_OTHERS]
    lines = (f"- {level}: {', '.join(sorted(names, key=str.casefold))}." for level, names in levels.items() if names)
    return "\n".join(textwrap.fill(line, _WIDTH, subsequent_indent="  ") for line in lines)


def _spelled(language: Language) -> str:
    return _SPELLED.get(language.name, language.name.capitalize())


PARTS: Mapping[str, Callable[[], str]] = {
    "tools": tool_table,
    "languages": language_list,
    "clients": lambda: client_table("docs/connect/"),
}
"""What stands between ``<!-- NAME -->`` and ``<!-- /NAME -->``, by name."""

FILES: Mapping[str, Callable[[], str]] = {
    "server.json": server_json,
    "packaging/manifest.json": bundle_manifest,
    ".claude-plugin/marketplace.json": marketplace_json,
    "packaging/claude-plugin/.claude-plugin/plugin.json": plugin_json,
    "packaging/claude-plugin/skills/leadline/SKILL.md": skill_text,
    "docs/answer.svg": terminal_picture,
    "docs/connect/index.md": index_page,
    "docs/connect/skill.md": skill_page,
    **{f"docs/connect/{name}.md": partial(client_page, client) for name, client in CLIENTS.items()},
    "docs/console.md": console_page,
    "docs/extending.md": extending_page,
    "docs/plots/budgets.svg": budget_plot,
    "docs/plots/shell.svg": shell_plot,
    "docs/quickstart.md": quickstart_page,
    "docs/tools/index.md": tools_index,
    **{f"docs/tools/{tool.name}.md": partial(tool_page, tool) for tool in in_order()},
}
"""The files that are generated as a whole, by their paths."""


def rewritten(text: str) -> str:
    """Return ``text`` with its generated parts made anew; raises ValueError where the marks of one are missing."""
    for name, make in PARTS.items():
        begin, end = f"<!-- {name} -->", f"<!-- /{name} -->"
        between = re.compile(f"(?<={begin}\n).*?(?={end})", re.DOTALL)
        if not between.search(text):
            raise ValueError(f"there is no {begin} ... {end}")
        made = f"{make()}\n"
        text = between.sub(lambda _: made, text, count=1)  # noqa: B023  used at once
    return text


def main(arguments: Sequence[str], readme: Path = README) -> int:
    """Write all that is generated, or check it; return the exit code. The files are beside ``readme``."""
    text = readme.read_text(encoding="utf-8")
    wanted = {readme: rewritten(text), **{readme.parent / path: make() for path, make in FILES.items()}}
    stale = [path for path, made in wanted.items() if not path.exists() or path.read_text(encoding="utf-8") != made]
    if list(arguments) == ["--check"]:
        for path in stale:
            sys.stderr.write(f"{path.relative_to(readme.parent)} is stale: run scripts/generate\n")
        return int(bool(stale))
    if arguments:
        sys.stderr.write("usage: scripts/generate [--check]\n")
        return 2
    for path in stale:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(wanted[path], encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
