"""``leadline tools``: what can be asked, and what knowing it costs a model."""

from __future__ import annotations

import json
from collections.abc import Mapping

import click

from leadline_server.console.command import Command
from leadline_server.console.words import offered_words


@click.command(cls=Command)
@click.option(
    "--tools",
    "wanted",
    envvar="LEADLINE_TOOLS",
    metavar="all|core|NAMES",
    default="all",
    show_default=True,
    shell_complete=offered_words,
    help="Tools to list: all, core, or names separated by commas.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the table as JSON.")
def tools(wanted: str, as_json: bool) -> None:
    """List the tools with their arguments, and the o200k tokens that each schema costs a model in every conversation.

    The total is the cost of the list as a client receives it, with the instructions of the server.
    """
    from leadline_server.console.options import parse_tools
    from leadline_server.listing import listing
    from leadline_server.toolset import sort_tools
    from leadline_tools.tool import TOOLS

    cost = listing(parse_tools(wanted) or sort_tools(TOOLS))
    if as_json:
        rows = [
            {
                "name": name,
                "arguments": list(TOOLS[name].arguments.model_fields),
                "required": list(TOOLS[name].required),
                "description": " ".join(TOOLS[name].description.split()),
                "tokens": tokens,
            }
            for name, tokens in cost.tools.items()
        ]
        listed = {"tools": rows, "instructions": cost.instructions, "total": cost.total}
        click.echo(json.dumps(listed, ensure_ascii=False, indent=1))
        return
    _print_table(cost.tools, cost.instructions, cost.total)


def _print_table(tokens: Mapping[str, int], instructions: int, total: int) -> None:
    from rich import box
    from rich.console import Console
    from rich.table import Table

    from leadline_tools.tool import TOOLS

    table = Table(box=box.SIMPLE, show_footer=True)
    table.add_column("tool", footer="instructions\ntotal", no_wrap=True)
    table.add_column("arguments, required ones in bold")
    table.add_column("tokens", footer=f"{instructions:,}\n{total:,}", justify="right", no_wrap=True)
    for name, cost in tokens.items():
        tool = TOOLS[name]
        fields = (f"[bold]{field}[/]" if field in tool.required else field for field in tool.arguments.model_fields)
        table.add_row(name, ", ".join(fields), f"{cost:,}")
    Console().print(table)
