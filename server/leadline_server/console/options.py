"""The options that several commands of the console share, and how their values are converted."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import click

from leadline_server.console.words import model_words
from leadline_server.database_type import DatabaseType
from leadline_server.defaults import DEFAULT_TOKENS, MOST_PATIENCE
from leadline_server.logs import LEVELS
from leadline_server.roots import ROOTS, Root, current_root
from leadline_server.settings import Settings
from leadline_server.sizes import Size, SizeType
from leadline_tools.index.facts.fact_size import USUAL_SIZE
from leadline_tools.patience import DEFAULT_SECONDS

if TYPE_CHECKING:
    from leadline_server.config import Config, ToolLimit
    from leadline_tools.language_servers.known import KnownServer

log = logging.getLogger("leadline.cache")

CACHE = click.option(
    "--cache-dir",
    envvar="LEADLINE_CACHE_DIR",
    type=click.Path(path_type=Path),
    default=None,
    help="The folder for indexes and stored results.",
)
RUNTIME = click.option(
    "--runtime-dir",
    envvar="LEADLINE_RUNTIME_DIR",
    type=click.Path(path_type=Path),
    default=None,
    help="The folder in which resident servers listen, private to you (mode 0700); by default the system names it.",
)
MODEL = click.option(
    "--model",
    envvar="LEADLINE_MODEL",
    default="unknown",
    show_default=True,
    shell_complete=model_words,
    help="The model whose tokens are counted: a name (gpt-5, claude-opus-4-6) or a family (openai, claude, gemini).",
)
TOKENS = click.option(
    "--max-tokens",
    envvar="LEADLINE_MAX_TOKENS",
    type=click.IntRange(min=1),
    default=None,
    help=f"Token budget of answers to calls without max_tokens (default: {DEFAULT_TOKENS:,}).",
)
WINDOW = click.option(
    "--context-window",
    envvar="LEADLINE_CONTEXT_WINDOW",
    type=click.IntRange(min=1),
    default=None,
    help="Context window in tokens, if it differs from the model's own.",
)

PATIENCE = click.option(
    "--patience",
    envvar="LEADLINE_PATIENCE",
    type=click.IntRange(min=0, max=int(MOST_PATIENCE)),
    default=None,
    help=f"Seconds after which a call returns what it has found (default: {DEFAULT_SECONDS:.0f}).",
)

FACTS = click.option(
    "--facts-size",
    envvar="LEADLINE_FACTS_SIZE",
    type=SizeType(),
    metavar="SIZE",
    default=f"{USUAL_SIZE // 10**6} MB",
    show_default=True,
    help="Disk space for the facts of one tree; with 0, none are computed before a call needs them.",
)
SECRETS = click.option(
    "--allow-secrets",
    envvar="LEADLINE_ALLOW_SECRETS",
    metavar="GLOB",
    multiple=True,
    callback=lambda _context, _option, globs: check_globs(globs),
    help="Read matching files unmasked, even if they are secret or contain keys. Repeatable.",
)
EXCLUDE = click.option(
    "--exclude",
    envvar="LEADLINE_EXCLUDE",
    metavar="GLOB",
    multiple=True,
    callback=lambda _context, _option, globs: check_globs(globs),
    help="Neither list nor search matching files: a line as in .gitignore, at the root. Repeatable.",
)
EDITS = click.option(
    "--allow-edits",
    envvar="LEADLINE_ALLOW_EDITS",
    is_flag=True,
    help="Allow calls with apply=true to write to the root; without this option nothing does.",
)
DATABASE = click.option(
    "--database",
    envvar="LEADLINE_DATABASE",
    type=DatabaseType(),
    metavar="postgresql://...",
    default=None,
    help="The PostgreSQL database that servers share; in LEADLINE_DATABASE, other users do not see its password.",
)


def log_level(meaning: str) -> Callable[[click.decorators.FC], click.decorators.FC]:
    """Return the option ``--log-level``, with what it means."""
    return click.option(
        "--log-level",
        envvar="LEADLINE_LOG_LEVEL",
        type=click.Choice(LEVELS),
        default="warning",
        show_default=True,
        help=meaning,
    )


SERVERS = click.option(
    "--language-servers",
    envvar="LEADLINE_LANGUAGE_SERVERS",
    metavar="auto|off|NAME|NAME=COMMAND",
    multiple=True,
    callback=lambda _context, _option, names: select_servers(names),
    help="Language servers, from PATH or the extra precise, to decide undecided uses. Repeatable.",
)


@dataclass(frozen=True, slots=True)
class Common:
    """The values of the options that all commands have which answer calls; fields are named like the parameters."""

    roots: tuple[Root, ...]
    cache_dir: Path | None
    model: str
    max_tokens: int | None
    context_window: int | None
    patience: int | None
    facts_size: Size
    allow_secrets: tuple[str, ...]
    exclude: tuple[str, ...]
    allow_edits: bool
    language_servers: tuple[KnownServer, ...]

    @classmethod
    def of(cls, parameters: Mapping[str, Any]) -> Self:
        """Return those among the parameters of a command."""
        return cls(**{field.name: parameters[field.name] for field in fields(cls)})

    def config(self) -> Config:
        """Return what these options and the configuration file say; raises UsageError where there is no root."""
        from leadline_server.config import Config

        chosen = self.roots or (current_root(),)
        roots = [root.path for root in chosen]
        return Config(
            roots[0],
            cache_outside(self.cache_dir, roots),
            self.model,
            self.max_tokens or DEFAULT_TOKENS,
            context_window=self.context_window or 0,
            patience=DEFAULT_SECONDS if self.patience is None else self.patience,
            allow_secrets=self.allow_secrets,
            exclude=self.exclude,
            allow_edits=self.allow_edits,
            language_servers=self.language_servers,
            limits=limits(),
            facts_size=self.facts_size,
            roots={root.name: root.path for root in self.roots if root.name},
            refs={root.name: root.ref for root in chosen if root.ref},
        )


def with_call_options(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command the options of ``Common``; it gets their values as one, in front of those of its own."""

    @wraps(command)
    def run(**given: Any) -> None:
        common = Common.of(given)
        command(common, **{name: value for name, value in given.items() if name not in Common.__slots__})

    with_options: Callable[..., None] = run
    listed = (ROOTS, CACHE, MODEL, TOKENS, WINDOW, PATIENCE, FACTS, SECRETS, EXCLUDE, EDITS, SERVERS)
    for option in reversed(listed):
        with_options = option(with_options)
    return with_options


def select_servers(names: tuple[str, ...]) -> tuple[KnownServer, ...]:
    """Return the language servers that are meant; raises BadParameter."""
    if not names:
        return ()
    from leadline_tools.language_servers.known import chosen

    try:
        return chosen(names)
    except ValueError as error:
        raise click.BadParameter(str(error)) from None


def check_globs(globs: tuple[str, ...]) -> tuple[str, ...]:
    """Return globs that make sense; raises BadParameter for the first that does not."""
    if not globs:
        return ()
    from leadline_tools.index.text.gitignore import compile_glob

    for glob in globs:
        try:
            compile_glob(glob)
        except ValueError as error:
            raise click.BadParameter(f"{glob!r}: {error}") from None
    return globs


def cache_folder(cache: Path | None) -> Path:
    """Return the folder for indexes and results, without links; raises UsageError for a path that can be none."""
    from leadline_tools.index.store.database import default_cache

    folder = Path(os.path.realpath(cache if cache is not None else default_cache()))
    try:
        folder.stat()
    except PermissionError:
        pass  # the index is then in memory
    except (OSError, ValueError) as error:
        if not isinstance(error, FileNotFoundError | NotADirectoryError):
            reason = error.strerror if isinstance(error, OSError) else str(error)
            raise click.UsageError(f"The cache folder cannot be used: {reason}. Pass another --cache-dir.") from None
    return folder


def cache_outside(cache: Path | None, roots: Iterable[Path]) -> Path | None:
    """Return the folder for indexes and results; None where the usual one is in a tree, which nothing is written to.

    Raises UsageError for one that was named and is in a tree.
    """
    folder = cache_folder(cache)
    root = next((root for root in roots if folder.is_relative_to(os.path.realpath(root))), None)
    if root is None:
        return folder
    if cache is not None:
        raise click.UsageError(f"The cache folder {folder} is in the root {root}. Pass a --cache-dir outside of it.")
    log.warning("the cache folder %s is in the root %s, so the index is in memory: set --cache-dir", folder, root)
    return None


def limits() -> Mapping[str, ToolLimit]:
    """Return what the configuration file says that tools send at most."""
    settings = click.get_current_context().find_object(Settings)
    return {} if settings is None else settings.limits


def parse_tools(tools: str) -> tuple[str, ...]:
    """Return the names of the tools to offer; none are all."""
    import leadline_server.registry  # noqa: F401  declares the tools
    from leadline_server.errors import UnknownTool
    from leadline_server.toolset import select_tools

    try:
        return select_tools(tools)
    except UnknownTool as error:
        raise click.BadParameter(f"{error} {error.hint}", param_hint="--tools") from None
