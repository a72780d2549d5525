"""What requests to a model use, and what that costs in dollars."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

MILLION = 1_000_000


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of one request, or of several added up.

    Args:
        input: Tokens read at the full price.
        output: Tokens written.
        cached: Tokens read from a cache of the provider.
        stored: Tokens written into that cache.
    """

    input: int = 0
    output: int = 0
    cached: int = 0
    stored: int = 0

    def __add__(self, other: Usage) -> Usage:
        return Usage(
            self.input + other.input,
            self.output + other.output,
            self.cached + other.cached,
            self.stored + other.stored,
        )

    @property
    def prompt(self) -> int:
        """Return all tokens that were sent, however they were charged."""
        return self.input + self.cached + self.stored

    @property
    def total(self) -> int:
        """Return all tokens, sent and written."""
        return self.prompt + self.output


@dataclass(frozen=True, slots=True)
class PriceTable:
    """Dollars per million tokens.

    Args:
        input: For tokens read.
        output: For tokens written.
        cached: For tokens read from a cache; as for others where None.
        stored: For tokens written into a cache; as for others where None.
        long: What holds for all tokens of a request whose prompt is longer than ``long_from``.
        long_from: The longest prompt at these prices.
    """

    input: float
    output: float
    cached: float | None = None
    stored: float | None = None
    long: PriceTable | None = None
    long_from: int = 0

    def cost(self, usage: Usage) -> float:
        """Return the dollars that one request costs."""
        if self.long is not None and usage.prompt > self.long_from:
            return self.long.cost(usage)
        cached = self.input if self.cached is None else self.cached
        stored = self.input if self.stored is None else self.stored
        dollars = usage.input * self.input + usage.output * self.output + usage.cached * cached + usage.stored * stored
        return dollars / MILLION


FREE = PriceTable(0, 0)
"""What a model on the own machine costs."""


def usage_of(report: Mapping[str, object]) -> Usage:
    """Return the usage that an answer reports, in the words of OpenAI, of Anthropic or of Gemini.

    OpenAI and Gemini count what came from the cache among the tokens read, Anthropic beside them.
    """
    if "promptTokenCount" in report:
        cached = _number(report, "cachedContentTokenCount")
        written = _number(report, "candidatesTokenCount") + _number(report, "thoughtsTokenCount")
        return Usage(max(0, _number(report, "promptTokenCount") - cached), written, cached)
    if "prompt_tokens" in report:
        cached = _number(report.get("prompt_tokens_details"), "cached_tokens")
        return Usage(max(0, _number(report, "prompt_tokens") - cached), _number(report, "completion_tokens"), cached)
    cached = _number(report.get("input_tokens_details"), "cached_tokens")
    return Usage(
        max(0, _number(report, "input_tokens") - cached),
        _number(report, "output_tokens"),
        cached + _number(report, "cache_read_input_tokens"),
        _number(report, "cache_creation_input_tokens"),
    )


def _number(report: object, name: str) -> int:
    found = report.get(name) if isinstance(report, Mapping) else None
    return found if isinstance(found, int) and found > 0 else 0
