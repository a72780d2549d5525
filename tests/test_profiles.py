"""A model's name tells its family; what is priced in its tokens never exceeds a limit in them."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from leadline_estimators.profiles import PROFILES, Profile, TextKind, profile_of

FAMILIES = {
    "gpt-4o": "openai",
    "gpt-4o-mini-2024-07-18": "openai",
    "chatgpt-4o-latest": "openai",
    "gpt-4.1": "openai",
    "gpt-5": "openai",
    "gpt-5-codex": "openai",
    "gpt-oss-120b": "openai",
    "codex-mini-latest": "openai",
    "o1": "openai",
    "o3": "openai",
    "o3-mini": "openai",
    "o4-mini-2025-04-16": "openai",
    "openai": "openai",
    "openai/gpt-4o": "openai",
    "openrouter/openai/gpt-5": "openai",
    "claude-2.1": "claude-pre-4.7",
    "claude-instant-1.2": "claude-pre-4.7",
    "claude-3-opus": "claude-pre-4.7",
    "claude-3-opus-20240229": "claude-pre-4.7",
    "claude-3-5-sonnet-20241022": "claude-pre-4.7",
    "claude-3-7-sonnet-latest": "claude-pre-4.7",
    "claude-sonnet-4-20250514": "claude-pre-4.7",
    "claude-opus-4-1-20250805": "claude-pre-4.7",
    "claude-sonnet-4-5": "claude-pre-4.7",
    "claude-haiku-4-5-20251001": "claude-pre-4.7",
    "claude-opus-4-6": "claude-pre-4.7",
    "claude-opus-4.6": "claude-pre-4.7",
    "anthropic/claude-3.5-sonnet": "claude-pre-4.7",
    "claude-opus-4-7": "claude",
    "claude-opus-4-7-20270101": "claude",
    "claude-sonnet-4.8": "claude",
    "claude-opus-4-10": "claude",
    "claude-5": "claude",
    "claude-opus-5": "claude",
    "claude-sonnet-5-20270101": "claude",
    "claude": "claude",
    "claude-sonnet": "claude",
    "claude-pre-4.7": "claude-pre-4.7",
    "gemini": "unknown",
    "gemini-2.5-pro": "unknown",
    "llama": "unknown",
    "meta-llama/Llama-3.3-70B-Instruct": "unknown",
    "qwen3-coder": "unknown",
    "mistral-large-2411": "unknown",
    "olmo-2": "unknown",
    "unknown": "unknown",
    "": "unknown",
    "  ": "unknown",
}

profiles = st.sampled_from(sorted(PROFILES)).map(PROFILES.__getitem__)
kinds = st.sampled_from(TextKind)
amounts = st.integers(0, 10**7)


@pytest.mark.parametrize("model", FAMILIES)
def test_the_name_of_a_model_tells_its_family(model: str) -> None:
    assert profile_of(model).name == FAMILIES[model]
    assert profile_of(f" {model.upper()} ").name == FAMILIES[model]


@pytest.mark.parametrize(
    "model",
    [
        "us.anthropic.claude-3-5-sonnet-20241022-v2:0",
        "anthropic.claude-opus-4-7-v1:0",
        "claude-sonnet-4@20250514",
        "claude-3-5-sonnet-v2@20241022",
        "bedrock/eu.anthropic.claude-sonnet-4-20250514-v1:0",
    ],
)
def test_a_name_as_a_cloud_provider_gives_it_is_never_taken_for_a_cheaper_model(model: str) -> None:
    plain = model.rpartition("anthropic.")[2].partition("@")[0]
    named, meant = profile_of(model), profile_of(plain)
    assert all(named.factors[kind] >= meant.factors[kind] > 1 for kind in TextKind)


@given(name=st.text(max_size=30))
@settings(max_examples=150)
def test_any_name_has_a_profile_and_none_but_those_of_openai_are_exact(name: str) -> None:
    profile = profile_of(name)
    assert PROFILES[profile.name] is profile
    if profile.exact:
        assert re.search(r"openai|gpt|codex|o\d", name.lower())
    else:
        assert min(profile.factors.values()) > 1


@pytest.mark.parametrize("name", PROFILES)
def test_every_family_is_known_by_its_own_name_and_has_a_factor_for_every_kind_of_text(name: str) -> None:
    profile = PROFILES[name]
    assert profile_of(name) is profile
    assert set(profile.factors) == set(TextKind)
    assert profile.exact is all(factor == 1 for factor in profile.factors.values())


@pytest.mark.parametrize("kind", TextKind)
def test_no_family_is_dearer_than_one_that_is_not_known(kind: TextKind) -> None:
    assert max(profile.factors[kind] for profile in PROFILES.values()) == PROFILES["unknown"].factors[kind]


@given(profile=profiles, tokens=amounts, kind=kinds)
@settings(max_examples=300)
def test_what_fits_a_limit_is_never_priced_above_it(profile: Profile, tokens: int, kind: TextKind) -> None:
    fitting = profile.limit(tokens, kind)
    assert 0 <= fitting <= tokens
    assert profile.price(fitting, kind) <= tokens
    assert profile.price(fitting + 1, kind) > tokens


@given(profile=profiles, o200k=amounts, kind=kinds)
@settings(max_examples=300)
def test_a_limit_of_what_a_text_costs_lets_the_text_through(profile: Profile, o200k: int, kind: TextKind) -> None:
    price = profile.price(o200k, kind)
    assert price >= o200k
    assert profile.limit(price, kind) >= o200k


@given(profile=profiles, kind=kinds, amount=amounts, more=amounts)
@settings(max_examples=100)
def test_more_never_costs_less(profile: Profile, kind: TextKind, amount: int, more: int) -> None:
    assert profile.price(amount, kind) <= profile.price(amount + more, kind)
    assert profile.limit(amount, kind) <= profile.limit(amount + more, kind)


@given(o200k=amounts, kind=kinds)
def test_the_tokens_of_openai_are_counted_as_they_are(o200k: int, kind: TextKind) -> None:
    openai = profile_of("gpt-5")
    assert openai.exact
    assert openai.price(o200k, kind) == openai.limit(o200k, kind) == o200k


def test_factors_are_at_least_the_worst_ratio_that_was_measured() -> None:
    measured = {
        TextKind.Paths: (1.67, 2.65),
        TextKind.References: (1.59, 2.50),
        TextKind.Symbols: (1.49, 2.32),
        TextKind.Outline: (1.45, 2.11),
        TextKind.Code: (1.57, 2.27),
        TextKind.Json: (1.31, 1.81),
    }
    for kind, (before, later) in measured.items():
        assert profile_of("claude-opus-4-6").factors[kind] >= before
        assert profile_of("claude-opus-4-7").factors[kind] >= later
