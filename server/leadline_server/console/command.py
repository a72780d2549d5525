"""A command of the console: its options never take the next option for their value."""

from __future__ import annotations

from itertools import pairwise, takewhile

import click


class Command(click.Command):
    """A command that refuses ``--html --help``, where a file called ``--help`` would be written."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Take the words of the command line; raises BadOptionUsage where an option is left without its value."""
        valued = {
            name
            for option in self.params
            if isinstance(option, click.Option) and not option.is_flag
            for name in option.opts
        }
        for word, value in pairwise(takewhile("--".__ne__, args)):
            if word in valued and value.startswith("--"):
                raise click.BadOptionUsage(word, f"Option {word!r} requires a value before {value}.", ctx)
        return super().parse_args(ctx, args)
