"""The console: ``leadline`` and its commands, each a file of ``console``."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from leadline_server import __version__
from leadline_server.console.configuration import CONFIG, configure
from leadline_server.lifecycle import INTERRUPTED
from leadline_tools.errors import LeadlineError

COMMANDS = (
    "call",
    "completion",
    "database",
    "doctor",
    "index",
    "indexer",
    "install",
    "resident",
    "serve",
    "stats",
    "status",
    "stop",
    "tools",
)
"""The commands by name: each is imported when it is wanted, since a call must not wait for what serves."""

_WELCOME = """Leadline navigates a code base for a language model.

  leadline install CLIENT               connect Claude Code, Claude Desktop, VS Code, Cursor, Codex or Gemini CLI
  leadline call list_files recursive=true     print what a model would receive for a call in this folder
  leadline doctor                       check the installation, and how to fix what is wrong
  leadline --help                       list every command

Clients start the server themselves. Without a terminal, this command is the server."""


class Console(click.Group):
    """A group whose errors are one line each, and say what to do."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002  click passes it
        """Return the names of all commands."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002  idem
        """Return a command by its name; None for what is none."""
        if cmd_name not in COMMANDS:
            return None
        found: click.Command = getattr(importlib.import_module(f"leadline_server.console.{cmd_name}"), cmd_name)
        return found

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        **extra: Any,
    ) -> Any:
        """Run a command and end the process with its exit code."""
        if not standalone_mode:
            return super().main(args, prog_name, complete_var, standalone_mode=False, **extra)
        try:
            sys.exit(super().main(args, prog_name, complete_var, standalone_mode=False, **extra) or 0)
        except click.UsageError as error:
            command = error.ctx.command_path if error.ctx is not None else self.name
            _fail(f"{_usage_problem(error)} See {command} --help.", error.exit_code)
        except click.ClickException as error:
            _fail(error.format_message(), error.exit_code)
        except LeadlineError as error:
            _fail(f"{error} {error.hint}", 1)
        except click.Abort as error:
            if isinstance(error.__cause__, KeyboardInterrupt):
                _fail("Interrupted.", INTERRUPTED)
            _fail("Nothing was done.", 1)
        except KeyboardInterrupt:
            _fail("Interrupted.", INTERRUPTED)


def _usage_problem(error: click.UsageError) -> str:
    """Return what is wrong with the command line, or with the variable that an option was read from, as sentences."""
    message = error.format_message()
    if isinstance(error, click.BadParameter) and error.ctx is not None and error.param is not None:
        source = error.ctx.get_parameter_source(error.param.name or "")
        if source is ParameterSource.ENVIRONMENT and isinstance(error.param.envvar, str):
            message = f"Invalid value in {error.param.envvar}: {error.message}"
    return message if message.endswith((".", "?")) else f"{message}."


def _fail(message: str, code: int) -> None:
    from leadline_server.outgoing import terminal_text

    click.echo(f"leadline: {terminal_text(' '.join(message.split()))}", err=True)
    sys.exit(code)


@click.group("leadline", cls=Console, invoke_without_command=True)
@click.version_option(__version__, prog_name="leadline")
@CONFIG
@click.pass_context
def main(context: click.Context, config: Path | None) -> None:
    """Navigate a code base of any size, and know what every answer costs before it is sent.

    Without a command, prints a short guide on a terminal, and serves over stdio otherwise.

    Exit codes: 0 success; 1 failure, or the answer is an error; 2 wrong command line; 130 interrupted.
    """
    configure(context, config)
    if context.invoked_subcommand is not None:
        return
    if sys.stdin.isatty():
        click.echo(_WELCOME)
        return
    from leadline_server.console.serve import serve

    with serve.make_context("serve", [], parent=context) as serving:
        serve.invoke(serving)


if __name__ == "__main__":
    main()
