"""Model profiles: how a model's tokens follow from o200k tokens.

OpenAI's current models use o200k_base: factor 1, exact. Claude's tokenizer is closed: a factor per kind of text, the
worst ratio seen over 1,223 answers, rounded up, so that a limit holds in every one of them. A model that is not known
is taken for the dearest family.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum


class TextKind(StrEnum):
    """What an answer is made of, as far as its price depends on it."""

    Paths = "paths"
    References = "references"
    Symbols = "symbols"
    Outline = "outline"
    Code = "code"
    Json = "json"


@dataclass(frozen=True, slots=True)
class Profile:
    """How a family of models counts.

    Args:
        name: The name of the family.
        factors: Tokens of the model per o200k token, by kind of text.
        exact: True where the factors are all one because the tokenizer is the same.
    """

    name: str
    factors: Mapping[TextKind, float]
    exact: bool = False

    def limit(self, tokens: int, kind: TextKind) -> int:
        """Return the o200k tokens that surely fit into ``tokens`` of the model."""
        return tokens * 100 // self._hundredths(kind)

    def price(self, o200k: int, kind: TextKind) -> int:
        """Return what ``o200k`` tokens cost at most in tokens of the model."""
        return -(-o200k * self._hundredths(kind) // 100)

    def _hundredths(self, kind: TextKind) -> int:
        """Return a factor as an integer: 81 tokens at 2.7 pay for 30, which floating point makes 29."""
        return round(100 * self.factors[kind])


def _flat(factor: float, **others: float) -> Mapping[TextKind, float]:
    return {kind: others.get(kind.value, factor) for kind in TextKind}


_CLAUDE_FACTORS = _flat(2.70, references=2.55, symbols=2.35, outline=2.15, code=2.30, json=1.85)

PROFILES: Mapping[str, Profile] = {
    profile.name: profile
    for profile in (
        Profile("openai", _flat(1.0), exact=True),
        Profile("claude", _CLAUDE_FACTORS),
        Profile("claude-pre-4.7", _flat(1.70, json=1.35)),
        Profile("unknown", _CLAUDE_FACTORS),
    )
}
"""Every family by name; ``unknown`` is the dearest."""

_OPENAI = re.compile(r"(openai|gpt|chatgpt|o\d|codex)\b|gpt|chatgpt")
_OLDER_OPENAI = re.compile(r"gpt-(3|4(?![o.\d]))")
"""Models that count with cl100k_base."""

_CLAUDE = re.compile(r"(?:^|\.)claude")
_CLAUDE_VERSION = re.compile(r".*?claude\D*(\d+)(?:[.-](\d{1,2}))?(?!\d)")


def profile_of(model: str) -> Profile:
    """Return the profile of a model by its name (``gpt-5``, ``claude-opus-4-6``) or by the name of its family."""
    name = model.strip().lower().rpartition("/")[2]
    if name in PROFILES:
        return PROFILES[name]
    if _CLAUDE.search(name):  # Amazon's names put the region and the maker before it
        version = _CLAUDE_VERSION.match(name)
        if version is not None and (int(version[1]), int(version[2] or 0)) < (4, 7):
            return PROFILES["claude-pre-4.7"]
        return PROFILES["claude"]
    if _OPENAI.match(name) and not _OLDER_OPENAI.match(name):
        return PROFILES["openai"]
    return PROFILES["unknown"]
