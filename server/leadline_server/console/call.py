"""``leadline call``: one question, as a model would put it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import click

from leadline_server.console.command import Command
from leadline_server.console.options import RUNTIME, Common, with_call_options
from leadline_server.console.words import argument_words, tool_words, tools
from leadline_server.errors import NoAnswer
from leadline_server.folders import runtime_folder
from leadline_server.model_name import model_problem
from leadline_server.resident.address import find_obstacle
from leadline_server.resident.client import ask_started, may_write
from leadline_server.resident.command_line import read_command_line
from leadline_server.resident.wire import Lost, Reply

if TYPE_CHECKING:
    from leadline_server.call import Request

_WORDS = "leadline.words"
"""Where a context keeps the words of the command line."""


class Call(Command):
    """A command that remembers its words: a server gets them as they are."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Note the words and take them."""
        ctx.meta[_WORDS] = tuple(args)
        return super().parse_args(ctx, args)


@click.command(cls=Call, context_settings={"ignore_unknown_options": True})
@click.argument("tool", required=False, shell_complete=tool_words)
@click.argument("arguments", nargs=-1, metavar="[KEY=VALUE]...", shell_complete=argument_words)
@with_call_options
@click.option("--json", "as_json", is_flag=True, help="Print the JSON form.")
@click.option(
    "--alone",
    envvar="LEADLINE_ALONE",
    is_flag=True,
    help="Answer in this process, without using or starting a resident server.",
)
@click.option(
    "--idle-seconds",
    envvar="LEADLINE_IDLE_SECONDS",
    type=click.FloatRange(min=0, min_open=True),
    default=600,
    show_default=True,
    help="Idle seconds after which a resident server that this call starts exits.",
)
@RUNTIME
@click.pass_context
def call(
    context: click.Context,
    /,
    common: Common,
    tool: str | None,
    arguments: tuple[str, ...],
    as_json: bool,
    **_server: object,
) -> None:
    """Call a tool once and print exactly what a model would receive; without a tool, list the tools.

    For example: leadline call search_text query=TODO path=src max_tokens=500. A resident server of the root answers;
    the first call starts it. Exit code 1: the answer is an error.
    """
    from leadline_server import running

    if tool is None:
        click.echo(running.tools_table())
        return
    request = request_of(tool, arguments, as_json=as_json)
    config = common.config()
    reply = _ask(context)
    if reply is None:
        _warn(context)
        response = running.call_once(config, request)
        reply = Reply(response.text, 1 if response.is_error else 0, warning=model_problem(config.model))
    _finish(reply, context)


def request_of(tool: str, arguments: tuple[str, ...], *, as_json: bool) -> Request:
    """Return what the words of a command line ask; raises UsageError for one that is not KEY=VALUE."""
    from leadline_server.call import Request
    from leadline_server.running import CONSOLE

    pairs = (_pair(tool, argument) for argument in arguments)
    given = {name: _value(tool, name, value) for name, value in pairs}
    return Request(tool, given, as_json=as_json, client=CONSOLE)


def _ask(context: click.Context) -> Reply | None:
    """Return what a server answers that is started, where none runs; None where the call is answered alone."""
    named: Path | None = context.find_root().params.get("config")
    words: tuple[str, ...] = context.meta[_WORDS]
    line = read_command_line(words, str(named or ""))
    try:
        return None if line is None else ask_started(line)
    except Lost:
        if may_write(words):
            raise NoAnswer from None
        return None


def _warn(context: click.Context) -> None:
    """Print to standard error why no server can run, if the user can change that."""
    params = context.params
    obstacle = "" if params["alone"] else find_obstacle(runtime_folder(str(params["runtime_dir"] or "")))
    if obstacle:
        click.echo(
            f"leadline: Each call opens the index itself, because no resident server can run: {obstacle}.", err=True
        )


def _finish(reply: Reply, context: click.Context) -> NoReturn:
    if reply.usage:
        raise click.UsageError(reply.usage, context)
    if reply.warning:
        click.echo(f"leadline: {reply.warning}", err=True)
    click.echo(reply.out, nl=False)
    context.exit(reply.code)


def _argument_names(tool: str) -> list[str]:
    """Return the arguments of a tool; the first is the one that a value alone is probably meant for."""
    known = tools().get(tool)
    return [*(known.arguments.model_fields if known is not None else ("query",)), "max_tokens"]


def _pair(tool: str, argument: str) -> tuple[str, str]:
    name, equals, value = argument.partition("=")
    if not equals:
        names = _argument_names(tool)
        word = name.lstrip("-").replace("-", "_")
        if argument.startswith("-") and word not in names:
            raise _no_such_option(argument)
        meant = f"{word}=VALUE" if argument.startswith("-") else f"{names[0]}={argument}"
        raise click.UsageError(f"{argument!r} is not KEY=VALUE: write, for example, {meant}.")
    return name.lstrip("-").replace("-", "_"), value


def _no_such_option(word: str) -> click.UsageError:
    """Return the error for a word that looks like an option and is none, with the option that was probably meant."""
    from leadline_tools.likeness import nearest

    options = [name for option in call.params for name in option.opts if name.startswith("--")]
    near = nearest(word, options)
    hint = f"Did you mean {near}?" if near else f"An argument of the tool is written {word.lstrip('-')}=VALUE."
    return click.UsageError(f"There is no option {word}. {hint}")


def _value(tool: str, name: str, value: str) -> object:
    """Return a value as a model would send it: a number or a truth value where the argument is one."""
    known = tools().get(tool)
    field = known.arguments.model_fields.get(name) if known is not None else None
    wanted = int if name == "max_tokens" else field.annotation if field is not None else str
    if wanted is int and value.isascii() and value.isdecimal():
        return int(value)
    return value == "true" if wanted is bool and value in ("true", "false") else value
