"""``leadline resident``: the server that ``leadline call`` starts; for internal use only."""

from __future__ import annotations

from collections.abc import Sequence

import click

from leadline_server.console.call import call, request_of
from leadline_server.console.command import Command
from leadline_server.console.options import Common
from leadline_server.resident.address import Address
from leadline_server.resident.server import Options, Question, serve
from leadline_server.roots import current_root


@click.command(cls=Command, hidden=True, context_settings={"ignore_unknown_options": True})
@click.argument("folder")
@click.argument("key")
@click.argument("words", nargs=-1, type=click.UNPROCESSED)
@click.pass_context
def resident(context: click.Context, folder: str, key: str, words: tuple[str, ...]) -> None:
    """Answer the calls of the console that have the options WORDS, at the socket KEY in FOLDER."""
    from leadline_server.logs import configure

    configure("warning", "text")
    serve(Address(folder, key), lambda: _options(context, words))


def _options(context: click.Context, words: Sequence[str]) -> Options:
    with call.make_context("call", list(words), parent=None, obj=context.obj, default_map=_defaults(context)) as own:
        common = Common.of(own.params)
        config = common.config()
        roots = [str(root) for root in common.roots or (current_root(),)]
        return Options(
            config, lambda asked: _question(context, [*words, *asked]), roots, words, own.params["idle_seconds"]
        )


def _question(context: click.Context, words: list[str]) -> Question:
    """Read the words of a call as the command line of ``leadline call``; raises UsageError."""
    with call.make_context("call", words, parent=None, obj=context.obj, default_map=_defaults(context)) as own:
        asked = request_of(own.params["tool"], own.params["arguments"], as_json=own.params["as_json"])
        return Question(asked, Common.of(own.params).config())


def _defaults(context: click.Context) -> dict[str, object]:
    return dict((context.find_root().default_map or {}).get("call", {}))
