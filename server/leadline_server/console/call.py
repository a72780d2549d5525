"""``leadline call``: one question, as a model would put it."""

from __future__ import annotations

import click

from leadline_server.console.command import Command
from leadline_server.console.options import Common, answering
from leadline_server.console.words import argument_words, tool_words, tools


@click.command(cls=Command, context_settings={"ignore_unknown_options": True})
@click.argument("tool", required=False, shell_complete=tool_words)
@click.argument("arguments", nargs=-1, metavar="[KEY=VALUE]...", shell_complete=argument_words)
@answering
@click.option("--json", "as_json", is_flag=True, help="Print the JSON form.")
def call(common: Common, tool: str | None, arguments: tuple[str, ...], as_json: bool) -> None:
    """Call a tool once and print exactly what a model would get; without a tool, list the tools.

    For example: leadline call search_text query=TODO path=src max_tokens=500. Exit code 1: the answer is an error.
    """
    from leadline_server import running

    if tool is None:
        click.echo(running.tools_table())
        return
    pairs = (_pair(argument, _first_argument(tool)) for argument in arguments)
    given = {name: _value(tool, name, value) for name, value in pairs}
    response = running.call_once(common.config(), tool, given, as_json=as_json)
    click.echo(response.text, nl=False)
    click.get_current_context().exit(1 if response.is_error else 0)


def _first_argument(tool: str) -> str:
    """Return the name of the first argument of a tool, the one that a value alone is probably meant for."""
    known = tools().get(tool)
    return next(iter(known.arguments.model_fields), "query") if known is not None else "query"


def _pair(argument: str, likely: str) -> tuple[str, str]:
    name, equals, value = argument.partition("=")
    if not equals:
        meant = f"{argument.lstrip('-')}=VALUE" if argument.startswith("--") else f"{likely}={argument}"
        raise click.UsageError(f"{argument!r} is not KEY=VALUE: write, say, {meant}")
    return name.lstrip("-").replace("-", "_"), value


def _value(tool: str, name: str, value: str) -> object:
    """Return a value as a model would send it: a number or a truth value where the argument is one."""
    known = tools().get(tool)
    field = known.arguments.model_fields.get(name) if known is not None else None
    wanted = int if name == "max_tokens" else field.annotation if field is not None else str
    if wanted is int and value.isascii() and value.isdecimal():
        return int(value)
    return value == "true" if wanted is bool and value in ("true", "false") else value
