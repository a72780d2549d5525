"""What the server was started with."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from leadline_estimators.profiles import Profile, profile_of
from leadline_estimators.turn import FLOOR
from leadline_tools.index.secrets import Policy

DEFAULT_TOKENS = 2_000
"""What an answer may cost when the caller does not say."""

HARD_TOKENS = 9_000
HARD_CHARACTERS = 36_000
"""What the common clients show inline: Codex cuts near 10,000 tokens, Gemini CLI at 40,000 characters."""

READ_TOKENS = 20_000
"""The hard limit of ``read_result``, whose caller knows how much is coming."""

READ_CHARACTERS = 80_000

TURN_TOKENS = 12_000
"""The budget of a turn that a client names, where the server was started without one."""

_USUAL_SHARE, _HARD_SHARE, _READ_SHARE = 16, 4, 2
"""Of the model's window, one token in so many may go to an answer: unasked, at most, and of ``read_result``."""

FLOOR_HTTP = 90
"""O200k tokens of the floor where URIs are 18 characters longer."""


@dataclass(frozen=True, slots=True)
class Config:
    """The options of ``leadline serve``.

    Args:
        root: The root of the tree.
        cache: The folder for the index and stored results; None keeps both in memory.
        model: The name of the model whose tokens are counted.
        max_tokens: What an answer may cost when the caller does not say.
        tools: The names of the tools that are offered; none for all of them.
        structured: Whether results carry structuredContent.
        links: Whether an answer whose result is kept has a link to it beside its text.
        context_window: The window of the model; 0 for what is known of it.
        turn_tokens: What all answers of one turn may cost together; 0 for no limit but that of turns with a name.
        allow_secrets: Globs of files that are read as they are, though they are secret or hold keys.
        long_ids: Whether ids of results are long enough to be safe from guessing (HTTP).

    """

    root: Path
    cache: Path | None
    model: str = "unknown"
    max_tokens: int = DEFAULT_TOKENS
    tools: tuple[str, ...] = ()
    structured: bool = False
    links: bool = False
    context_window: int = 0
    turn_tokens: int = 0
    allow_secrets: tuple[str, ...] = ()
    long_ids: bool = False

    @property
    def profile(self) -> Profile:
        """Return how the model counts."""
        return profile_of(self.model, self.context_window or None)

    @property
    def policy(self) -> Policy:
        """Return which files are secret."""
        return Policy(self.allow_secrets)

    @property
    def usual_tokens(self) -> int:
        """Return what an answer may cost when the caller does not say: little of a small window."""
        return max(1, min(self.max_tokens, self.profile.window // _USUAL_SHARE))

    @property
    def hard_tokens(self) -> int:
        """Return what an answer may cost at most."""
        return max(1, min(HARD_TOKENS, self.profile.window // _HARD_SHARE))

    @property
    def read_tokens(self) -> int:
        """Return the same for ``read_result``."""
        return max(1, min(READ_TOKENS, self.profile.window // _READ_SHARE))

    @property
    def floor(self) -> int:
        """Return the o200k tokens below which no answer goes."""
        return FLOOR_HTTP if self.long_ids else FLOOR
