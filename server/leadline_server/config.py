"""The configuration that the server was started with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from leadline_server.defaults import DEFAULT_TOKENS
from leadline_tools.database.address import DatabaseAddress
from leadline_tools.index.facts.fact_size import USUAL_SIZE
from leadline_tools.index.text.secret_files import SecretPolicy
from leadline_tools.language_servers.known import KnownServer
from leadline_tools.patience import DEFAULT_SECONDS

if TYPE_CHECKING:
    from leadline_estimators.profiles import Profile  # what builds an index counts no tokens

HARD_TOKENS = 9_000
HARD_CHARACTERS = 36_000
"""What the common clients show inline: Codex cuts near 10,000 tokens, Gemini CLI at 40,000 characters."""

READ_TOKENS = 20_000
"""The hard limit of ``read_result``, whose caller knows how much is coming."""

TURN_TOKENS = 12_000
"""The budget of a turn that a client names, where the server was started without one."""

_USUAL_SHARE, _HARD_SHARE, _READ_SHARE = 16, 4, 2
"""Of the model's window, one token in so many may go to an answer: unasked, at most, and of ``read_result``."""

FLOOR_HTTP = 90
"""O200k tokens of the floor where URIs are 18 characters longer."""

LARGEST_LIMIT = READ_TOKENS
"""The most that a configuration may make a tool send at most."""


@dataclass(frozen=True, slots=True)
class ToolLimit:
    """Tokens of the model that a tool sends at most: when the caller does not say, and whatever it asks for."""

    unasked: int
    asked: int


FOUND_TOKENS = 600
"""Of ``find_code`` and ``symbol_search``, unasked: about fifteen places, of which the first are the likely ones."""

_LISTS = ToolLimit(8_000, HARD_TOKENS)
_USUAL_LIMIT = ToolLimit(HARD_TOKENS, HARD_TOKENS)
_LIMITS: Mapping[str, ToolLimit] = {
    "read_result": ToolLimit(HARD_TOKENS, READ_TOKENS),
    "find_code": ToolLimit(FOUND_TOKENS, HARD_TOKENS),
    "symbol_search": ToolLimit(FOUND_TOKENS, HARD_TOKENS),
    **dict.fromkeys(
        ("find_references", "type_members", "find_implementations", "rename_symbol", "apply_code_fix"),
        _LISTS,
    ),
}
"""The tools that send less than the usual unasked, or more when asked."""


def limit_of(tool: str) -> ToolLimit:
    """Return what a tool sends at most where nothing is configured and the window is large."""
    return _LIMITS.get(tool, _USUAL_LIMIT)


@dataclass(frozen=True, slots=True)
class Config:
    """The options of ``leadline serve``.

    Args:
        root: The root of the tree; of several the first.
        cache: The folder for the index and stored results; None keeps both in memory.
        model: The name of the model whose tokens are counted.
        max_tokens: What an answer may cost when the caller does not say.
        tools: The names of the tools that are offered; none for all of them.
        structured: Whether every answer is also sent as structuredContent.
        links: Whether an answer whose result is kept has a link to it beside its text.
        context_window: The window of the model; 0 for what is known of it.
        patience: Seconds of wall clock that a question may take before it returns what it has.
        turn_tokens: What all answers of one turn may cost together; 0 for no limit but that of turns with a name.
        allow_secrets: Globs of files that are read as they are, though they are secret or hold keys.
        exclude: Rules as in .gitignore, of files that are neither listed nor searched.
        allow_edits: Whether tools may write if a call has ``apply=true``.
        language_servers: The language servers that may be asked, the first of those of one language before the others.
        facts_size: Bytes of facts that are kept for each root.
        roots: The roots by their names, where they have names; none for one without.
        refs: The commits of those roots that are no folders, by their names; of one without a name by the empty one.
        hosted: Whether the repositories that are indexed in the database are served, not roots.
        sources: The file of the sources of these repositories, which has the secrets of webhooks; None without any.
        zoekt: The URL of the zoekt server that searches their texts; empty for none.
        long_ids: Whether ids of results are long enough to be safe from guessing (HTTP).
        limits: What tools send at most, by their names, where it is not the usual.
        database: The database that keeps the state of this server for all replicas; None for a single server.

    """

    root: Path
    cache: Path | None
    model: str = "unknown"
    max_tokens: int = DEFAULT_TOKENS
    tools: tuple[str, ...] = ()
    structured: bool = False
    links: bool = False
    context_window: int = 0
    patience: float = DEFAULT_SECONDS
    turn_tokens: int = 0
    allow_secrets: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    long_ids: bool = False
    limits: Mapping[str, ToolLimit] = field(default_factory=dict)
    allow_edits: bool = False
    language_servers: tuple[KnownServer, ...] = ()
    facts_size: int = USUAL_SIZE
    roots: Mapping[str, Path] = field(default_factory=dict)
    database: DatabaseAddress | None = None
    refs: Mapping[str, str] = field(default_factory=dict)
    hosted: bool = False
    sources: Path | None = None
    zoekt: str = ""

    @property
    def profile(self) -> Profile:
        """Return how the model counts."""
        from leadline_estimators.profiles import find_profile

        return find_profile(self.model, self.context_window or None)

    @property
    def policy(self) -> SecretPolicy:
        """Return which files are secret."""
        return SecretPolicy(self.allow_secrets)

    @property
    def usual_tokens(self) -> int:
        """Return what an answer costs at most when the caller does not say and its tool has no limit of its own."""
        return min(HARD_TOKENS, self._default)

    def default_tokens(self, tool: str) -> int:
        """Return what an answer of a tool may cost when the caller does not say."""
        return min(self._default, self._limit(tool).unasked, self.most_tokens(tool))

    def most_tokens(self, tool: str) -> int:
        """Return what an answer of a tool may cost at most."""
        share = _READ_SHARE if tool == "read_result" else _HARD_SHARE
        return max(1, min(self._limit(tool).asked, self.profile.window // share))

    def characters(self, tool: str) -> int:
        """Return how many characters an answer of a tool may have, whatever they cost."""
        return HARD_CHARACTERS * max(HARD_TOKENS, self._limit(tool).asked) // HARD_TOKENS

    @property
    def _default(self) -> int:
        """Return what was configured, or little of a small window."""
        return max(1, min(self.max_tokens, self.profile.window // _USUAL_SHARE))

    def _limit(self, tool: str) -> ToolLimit:
        return self.limits.get(tool) or limit_of(tool)

    @property
    def floor(self) -> int:
        """Return the o200k tokens below which no answer goes."""
        from leadline_estimators.turn import FLOOR

        return FLOOR_HTTP if self.long_ids else FLOOR
