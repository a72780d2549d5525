"""Model profiles: the tokens, window, clients and prices that follow from a model's name.

A tokenizer that is shipped counts exactly. The tokens of Claude are estimated by a model of its tokenizer (``claude``).
Those of every other family are taken from the count in o200k. What is not exact has a factor per kind of text, the
worst ratio of the family's tokens to what is counted that was seen, rounded up, so that a limit holds. Those of Claude
come from the answers that ``bench/claude.py`` asks for; those of the open tokenizers from 1,833 texts made of eleven
repositories in the shape of our answers. They promise nothing of prose in other scripts than Latin: Georgian takes up
to 2.5 cl100k tokens for one of o200k. An unknown model is counted as the most expensive family, by 1,223 answers.

Windows and prices are what was known of them in November 2026, some of it from tables of third parties and not checked
with the makers. Pass your own where it matters.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum

from leadline_estimators.claude import Generation, tokenizer
from leadline_estimators.prices import FREE, PriceTable
from leadline_estimators.tokenizer import O200K as O200K_TOKENIZER
from leadline_estimators.tokenizer import Tokenizer, is_degraded

SMALL_GUARD = 2_000
"""Characters of one tool result that a small model is given."""

LARGE_GUARD = 10_000
"""Characters of one tool result that a large model is given."""

SMALL_WINDOW = 32_768
"""Up to this window a model is small, whatever its name."""

_LAST = (1_000, 0)
"""A version that no maker reaches."""


class TextKind(StrEnum):
    """What an answer is made of, as far as its price depends on it."""

    Paths = "paths"
    References = "references"
    Symbols = "symbols"
    Outline = "outline"
    Code = "code"
    Json = "json"


@dataclass(frozen=True, slots=True)
class Family:
    """Models that count alike.

    Args:
        name: The name of their tokenizer.
        factors: Their tokens per token that is counted, at most, by kind of text.
        exact: True where the factors are all one because the tokenizer is the same.
        tokenizer: What texts are counted with.
    """

    name: str
    factors: Mapping[TextKind, float]
    exact: bool = False
    tokenizer: Tokenizer = O200K_TOKENIZER


@dataclass(frozen=True, slots=True)
class Client:
    """A program that passes results of tools to a model.

    Args:
        name: The name of the program.
        tokens: The longest result that it passes on whole; None where tokens are not what it counts.
        characters: The same in characters.
    """

    name: str
    tokens: int | None
    characters: int | None


@dataclass(frozen=True, slots=True)
class Profile:
    """What is known of a model.

    Args:
        name: The name of the profile.
        family: How the model counts.
        window: Tokens of its context window, what is read and what is written together.
        output: The most tokens that it writes at once.
        guard: Characters of one tool result that it is given.
        client: The strictest of the common clients that use it.
        prices: What it costs; None where that is not known.
        names: A regular expression that the model's name contains.
        since: The first version of the maker's that is meant.
        before: The first version that is no more.
    """

    name: str
    family: Family
    window: int
    output: int
    guard: int
    client: Client
    prices: PriceTable | None
    names: str
    since: tuple[int, int] = (0, 0)
    before: tuple[int, int] = _LAST

    @property
    def factors(self) -> Mapping[TextKind, float]:
        """Return tokens of the model per token that is counted, at most, by kind of text."""
        return self.family.factors

    @property
    def tokenizer(self) -> Tokenizer:
        """Return what texts are counted with for the model."""
        return self.family.tokenizer

    @property
    def exact(self) -> bool:
        """Return whether the model's tokens are counted, not bounded; False too where the ranks turned out damaged."""
        return self.family.exact and not is_degraded()

    def limit(self, tokens: int, kind: TextKind) -> int:
        """Return the tokens, as they are counted, that surely fit into ``tokens`` of the model."""
        return tokens * 100 // self._hundredths(kind)

    def price(self, counted: int, kind: TextKind) -> int:
        """Return what ``counted`` tokens are at most in tokens of the model."""
        return -(-counted * self._hundredths(kind) // 100)

    def price_of(self, text: str, kind: TextKind) -> int:
        """Return what a text costs at most in tokens of the model."""
        return self.price(self.tokenizer.count(text), kind)

    def frame(self, o200k: int, kind: TextKind) -> int:
        """Return what the frame of an answer, of so many o200k tokens, costs at most in tokens of the model."""
        return self.price(self.tokenizer.scale(o200k), kind)

    def within(self, window: int) -> Profile:
        """Return the profile of the same model when it is run with another window."""
        window = max(1, window)
        guard = min(self.guard, SMALL_GUARD) if window <= SMALL_WINDOW else self.guard
        return replace(self, window=window, output=max(1, min(self.output, window // 4)), guard=guard)

    def means(self, name: str) -> bool:
        """Return whether a model of that name, in small letters and without its provider's, is meant."""
        return re.search(self.names, name) is not None and self.since <= _version(name) < self.before

    def _hundredths(self, kind: TextKind) -> int:
        """Return a factor as an integer: 81 tokens at 2.7 pay for 30, which floating point makes 29."""
        return round(100 * self.factors[kind])


_VERSION = re.compile(r"(?:claude|gemini)\D*(\d+)(?:[.-](\d{1,2}))?(?!\d)")
_NEWEST = (999, 99)


def _version(name: str) -> tuple[int, int]:
    """Return the version in a maker's name of a model; the newest where it has none."""
    found = _VERSION.search(name)
    return min((int(found[1]), int(found[2] or 0)), _NEWEST) if found else _NEWEST


def _flat(factor: float, **others: float) -> Mapping[TextKind, float]:
    return {kind: others.get(kind.value, factor) for kind in TextKind}


O200K = Family("o200k", _flat(1.0), exact=True)
CL100K = Family("cl100k", _flat(1.10))
_LATE = _flat(1.16, symbols=1.13, outline=1.12, code=1.12, json=1.08)
_EARLY = _flat(1.13, symbols=1.15, outline=1.12, json=1.08)
CLAUDE = Family("claude", _LATE, tokenizer=tokenizer(Generation.Late, per_o200k=2.35))
CLAUDE_BEFORE = Family("claude-pre-4.7", _EARLY, tokenizer=tokenizer(Generation.Early, per_o200k=1.50))
GEMMA = Family("gemma-3", _flat(1.55, references=1.50, symbols=1.60, outline=1.80, code=1.65, json=1.30))
"""Gemini 2 and 3 count with it: the maker's own client for Python counts their tokens so."""

LLAMA_3 = Family("llama-3", _flat(1.10))
LLAMA_2 = Family("llama-2", _flat(1.65, symbols=1.75, outline=1.85, code=1.85, json=1.45))
QWEN = Family("qwen-2", _flat(1.30, symbols=1.20, outline=1.35, code=1.50, json=1.20))
DEEPSEEK = Family("deepseek-3", _flat(1.20, paths=1.55, outline=1.35, code=1.40))
LOCAL = Family("local", _flat(1.65, symbols=1.75, outline=1.85, code=1.85, json=1.45))
"""The most expensive of the open tokenizers, for a model of which only the window is known."""

UNKNOWN = Family("unknown", _flat(2.70, references=2.55, symbols=2.35, outline=2.15, code=2.30, json=1.85))
"""The worst of Claude, which is the worst of all; not counted like Claude, as others cost more in other texts."""

CODEX = Client("Codex CLI", 10_000, None)
CLAUDE_CODE = Client("Claude Code", 25_000, 50_000)
GEMINI_CLI = Client("Gemini CLI", None, 40_000)
ANY = Client("any", 10_000, 40_000)
"""What every common client passes on whole."""


def _openai(
    name: str, names: str, window: int, output: int, prices: PriceTable | None = None, family: Family = O200K
) -> Profile:
    small = re.search(r"mini|nano|3\.5", name) is not None
    return Profile(name, family, window, output, SMALL_GUARD if small else LARGE_GUARD, CODEX, prices, names)


def _claude(
    name: str,
    names: str,
    window: int,
    output: int,
    prices: PriceTable | None = None,
    since: tuple[int, int] = (4, 7),
    before: tuple[int, int] = _LAST,
) -> Profile:
    family = CLAUDE if since >= (4, 7) else CLAUDE_BEFORE
    guard = SMALL_GUARD if "haiku" in name else LARGE_GUARD
    return Profile(name, family, window, output, guard, CLAUDE_CODE, prices, rf"(?:^|\.)claude{names}", since, before)


def _gemini(name: str, names: str, prices: PriceTable | None = None, before: tuple[int, int] = (3, 5)) -> Profile:
    family = GEMMA if before == (3, 5) else UNKNOWN
    guard = SMALL_GUARD if "flash" in name else LARGE_GUARD
    since = (2, 0) if family is GEMMA else (0, 0)
    return Profile(name, family, 1_048_576, 65_536, guard, GEMINI_CLI, prices, f"^gemini{names}", since, before)


def _open(name: str, names: str, family: Family, window: int = 8_192, output: int = 2_048) -> Profile:
    guard = SMALL_GUARD if window <= SMALL_WINDOW else LARGE_GUARD
    return Profile(name, family, window, output, guard, ANY, FREE, names)


def _local(window: int) -> Profile:
    return _open(f"local-{window}", rf"^local-{window}$", LOCAL, window, window // 4)


_NEVER = r"(?!)"

PROFILES: Mapping[str, Profile] = {
    profile.name: profile
    for profile in (
        _openai("gpt-3.5", r"^gpt-3", 16_385, 4_096, PriceTable(0.5, 1.5), CL100K),
        _openai("gpt-4-turbo", r"^gpt-4-(turbo|1106|0125|vision)", 128_000, 4_096, PriceTable(10, 30), CL100K),
        _openai("gpt-4", r"^gpt-4(?![o.\d])", 8_192, 4_096, PriceTable(30, 60), CL100K),
        _openai("gpt-4o-mini", r"^gpt-4o-mini", 128_000, 16_384, PriceTable(0.15, 0.6, 0.075)),
        _openai("gpt-4o", r"gpt-4o", 128_000, 16_384, PriceTable(2.5, 10, 1.25)),
        _openai("gpt-4.1-nano", r"^gpt-4\.1-nano", 1_047_576, 32_768, PriceTable(0.1, 0.4, 0.025)),
        _openai("gpt-4.1-mini", r"^gpt-4\.1-mini", 1_047_576, 32_768, PriceTable(0.4, 1.6, 0.1)),
        _openai("gpt-4.1", r"^gpt-4\.1", 1_047_576, 32_768, PriceTable(2, 8, 0.5)),
        _openai("o4-mini", r"^o[34]-mini", 200_000, 100_000, PriceTable(1.1, 4.4, 0.55)),
        _openai("o3", r"^o3(?!-pro)", 200_000, 100_000, PriceTable(2, 8, 0.5)),
        _openai("gpt-5-nano", r"^gpt-5-nano", 400_000, 128_000, PriceTable(0.05, 0.4, 0.005)),
        _openai("gpt-5-mini", r"^gpt-5-mini", 400_000, 128_000, PriceTable(0.25, 2, 0.025)),
        _openai("gpt-5", r"^gpt-5(\.1)?(?!\.|.*-(pro|mini|nano))", 400_000, 128_000, PriceTable(1.25, 10, 0.125)),
        _openai("gpt-5.4-nano", r"^gpt-5\.4-nano", 400_000, 128_000, PriceTable(0.2, 1.25, 0.02)),
        _openai("gpt-5.4-mini", r"^gpt-5\.4-mini", 400_000, 128_000, PriceTable(0.75, 4.5, 0.075)),
        _openai(
            "gpt-5.4",
            r"^gpt-5\.4(?!.*-pro)",
            1_050_000,
            128_000,
            PriceTable(2.5, 15, 0.25, long=PriceTable(5, 22.5, 0.5), long_from=272_000),
        ),
        _openai(
            "gpt-5.5",
            r"^gpt-5\.5(?!.*-pro)",
            1_050_000,
            128_000,
            PriceTable(5, 30, 0.5, long=PriceTable(10, 45, 1), long_from=272_000),
        ),
        _openai("gpt-oss", r"^gpt-oss", 131_072, 32_768, FREE),
        _openai("openai", r"^(gpt|chatgpt|(openai|o\d+|codex)\b)", 128_000, 16_384),
        _claude(
            "claude-haiku",
            r".*haiku",
            1_000_000,
            128_000,
            PriceTable(0.1, 0.5, 0.01, 0.125, PriceTable(0.5, 2.5, 0.05, 0.625), 100_000),
        ),
        _claude("claude-haiku-pre-4.7", r".*haiku", 200_000, 64_000, PriceTable(1, 5, 0.1, 1.25), (4, 5), (4, 7)),
        _claude("claude-haiku-3", r"(.*haiku|-instant)", 200_000, 4_096, PriceTable(0.8, 4, 0.08, 1), (0, 0), (4, 5)),
        _claude("claude-sonnet", r".*sonnet", 1_000_000, 128_000, PriceTable(2, 10, 0.2, 2.5)),
        _claude("claude-sonnet-pre-4.7", r".*sonnet", 200_000, 64_000, PriceTable(3, 15, 0.3, 3.75), (0, 0), (4, 7)),
        _claude("claude-opus", r".*opus", 1_000_000, 128_000, PriceTable(4, 20, 0.2, 5), (5, 5)),
        _claude("claude-opus-5", r".*opus", 1_000_000, 128_000, PriceTable(5, 25, 0.5, 6.25), (4, 7), (5, 5)),
        _claude("claude-opus-pre-4.7", r".*opus", 200_000, 64_000, PriceTable(5, 25, 0.5, 6.25), (4, 5), (4, 7)),
        _claude("claude-opus-4", r".*opus", 200_000, 32_000, PriceTable(15, 75, 1.5, 18.75), (0, 0), (4, 5)),
        _claude("claude-fable", r".*(fable|mythos)", 1_000_000, 128_000, PriceTable(10, 50, 1, 12.5)),
        _claude("claude-pre-4.7", r"", 200_000, 4_096, None, (0, 0), (4, 7)),
        _claude("claude", r"", 200_000, 64_000),
        _gemini("gemini-2.5-flash-lite", r"-2\.5-flash-lite", PriceTable(0.1, 0.4, 0.01)),
        _gemini("gemini-2.5-flash", r"-2\.5-flash", PriceTable(0.3, 2.5, 0.03)),
        _gemini(
            "gemini-2.5-pro",
            r"-2\.5-pro",
            PriceTable(1.25, 10, 0.125, long=PriceTable(2.5, 15, 0.25), long_from=200_000),
        ),
        _gemini(
            "gemini-3-pro",
            r"-3(\.1)?-pro",
            PriceTable(2, 12, 0.2, long=PriceTable(4, 18, 0.4), long_from=200_000),
        ),
        _gemini("gemini-2-flash", r".*flash"),
        _gemini("gemini-2", r""),
        _gemini("gemini-later", r"", before=_LAST),
        _open("qwen", r"qwen-?(2(\.5)?|3)(?![.\d])", QWEN),
        _open("llama-3", r"llama-?3", LLAMA_3),
        _open("llama", r"llama", LLAMA_2),
        _open("deepseek-3", r"deepseek-?(v3|r1)(?!.*distill)", DEEPSEEK, 131_072, 8_192),
        _open("gemma-3", r"gemma-?3", GEMMA),
        *map(_local, (8_192, 16_384, 32_768, 65_536, 131_072)),
        Profile("unknown", UNKNOWN, 128_000, 4_096, LARGE_GUARD, ANY, None, _NEVER),
    )
}
"""Every profile by name; a model has the first that means it. One more entry adds a model."""

_LOCAL = re.compile(r"local(?:-(\d{1,9}))?")

FAMILY_NAMES: Mapping[str, str] = {
    "anthropic": "claude",
    "gemini": "gemini-3-pro",
    "google": "gemini-3-pro",
    "chatgpt": "openai",
    "gpt": "openai",
}
"""Names of makers and families that are no profile, and the profile of their current models.

A name with a version, such as ``gemini-4``, is not one of them: its tokenizer may be another.
"""

_SHORT_CLAUDE = re.compile(r"(opus|sonnet|haiku|fable|mythos)\b")
"""How the names of Claude begin where the maker's part is left out, as in Claude Code's own ``/model opus``."""


class UnknownModelWarning(UserWarning):
    """A model's name is not known, so its tokens are counted as those of the most expensive family."""


def profile_of(model: str, window: int | None = None) -> Profile:
    """Return the profile of a model. Issues UnknownModelWarning for a name that it does not know.

    Args:
        model: Its name (``gpt-5``, ``claude-opus-4-6``, ``local-24576``), a family (``claude``, ``gemini``), or the
            name of a profile; ``unknown`` or an empty name, without a warning, for a model that is not known.
        window: The context window that it is run with, where that is not its largest.
    """
    if not is_known_model(model):
        near = suggest_model(model)
        hint = f" Did you mean {near!r}?" if near else ""
        warnings.warn(
            f"the model {model!r} is not known; its tokens are counted as the most expensive ones.{hint}",
            UnknownModelWarning,
            stacklevel=2,
        )
    return find_profile(model, window)


def find_profile(model: str, window: int | None = None) -> Profile:
    """Return the same without a warning, for a caller that reports an unknown model in its own way."""
    name = _normal_name(model)
    profile = PROFILES.get(name) or _first_meant(name)
    return profile if window is None else profile.within(window)


def as_profile(model: Profile | str | None) -> Profile | None:
    """Return a profile that may be given by its model's name; None for none."""
    return profile_of(model) if isinstance(model, str) else model


def is_known_model(model: str) -> bool:
    """Return whether the tokens of a model are known; true of the names ``unknown`` and the empty one, which ask."""
    return _normal_name(model) in {"", "unknown"} or find_profile(model).family is not UNKNOWN


def suggest_model(model: str) -> str | None:
    """Return the name that was probably meant by one that is not known; None where none is alike enough."""
    import difflib  # only a name that is not known needs it

    name = _normal_name(model)
    known = model_names()
    near = difflib.get_close_matches(name, known, 1, _ALIKE)
    head = name.split("-")[0]  # cluade-opus-4-6 is like claude, whatever version follows
    return next(iter(near or difflib.get_close_matches(head, known, 1, _ALIKE)), None)


def model_names() -> list[str]:
    """Return the names that a person would write, sorted: profiles whose tokens are known, and families."""
    known = [name for name, profile in PROFILES.items() if profile.family is not UNKNOWN]
    return sorted({*known, *FAMILY_NAMES})


_ALIKE = 0.7
"""Share of their letters that two names have in common, in the same order, to be taken for one another."""


def _normal_name(model: str) -> str:
    """Return a name in small letters, without its provider, and a family's as that of its profile."""
    name = model.strip().lower().rpartition("/")[2]
    if _SHORT_CLAUDE.match(name):
        name = f"claude-{name}"
    return FAMILY_NAMES.get(name, name)


def _first_meant(name: str) -> Profile:
    local = _LOCAL.fullmatch(name)
    if local is not None:
        return _local(max(1, int(local[1] or 8_192)))
    return next((profile for profile in PROFILES.values() if profile.means(name)), PROFILES["unknown"])
