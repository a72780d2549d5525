"""A model's name tells its family; what is priced in its tokens never exceeds a limit in them."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from leadline_estimators import count
from leadline_estimators.prices import FREE, PriceTable, Usage, usage_of
from leadline_estimators.profiles import (
    LARGE_GUARD,
    PROFILES,
    SMALL_GUARD,
    SMALL_WINDOW,
    Profile,
    TextKind,
    UnknownModelWarning,
    find_profile,
    is_known_model,
    model_names,
    profile_of,
    suggest_model,
)
from leadline_estimators.tokenizer import O200K

MODELS = {
    "gpt-4o": ("gpt-4o", "o200k"),
    "gpt-4o-mini-2024-07-18": ("gpt-4o-mini", "o200k"),
    "chatgpt-4o-latest": ("gpt-4o", "o200k"),
    "gpt-4.1": ("gpt-4.1", "o200k"),
    "gpt-4.1-nano-2025-04-14": ("gpt-4.1-nano", "o200k"),
    "gpt-5": ("gpt-5", "o200k"),
    "gpt-5-codex": ("gpt-5", "o200k"),
    "gpt-5.1": ("gpt-5", "o200k"),
    "gpt-5.1-codex-mini": ("openai", "o200k"),
    "gpt-5-pro": ("openai", "o200k"),
    "gpt-5-mini": ("gpt-5-mini", "o200k"),
    "gpt-5.2": ("openai", "o200k"),
    "gpt-5.4": ("gpt-5.4", "o200k"),
    "gpt-5.4-mini": ("gpt-5.4-mini", "o200k"),
    "gpt-5.5": ("gpt-5.5", "o200k"),
    "gpt-5.5-pro": ("openai", "o200k"),
    "gpt-6": ("openai", "o200k"),
    "gpt-oss-120b": ("gpt-oss", "o200k"),
    "gpt-oss:20b": ("gpt-oss", "o200k"),
    "codex-mini-latest": ("openai", "o200k"),
    "o1": ("openai", "o200k"),
    "o3": ("o3", "o200k"),
    "o3-mini": ("o4-mini", "o200k"),
    "o4-mini-2025-04-16": ("o4-mini", "o200k"),
    "openai": ("openai", "o200k"),
    "openai/gpt-4o": ("gpt-4o", "o200k"),
    "openrouter/openai/gpt-5": ("gpt-5", "o200k"),
    "gpt-4": ("gpt-4", "cl100k"),
    "gpt-4-0613": ("gpt-4", "cl100k"),
    "gpt-4-turbo-2024-04-09": ("gpt-4-turbo", "cl100k"),
    "gpt-3.5-turbo": ("gpt-3.5", "cl100k"),
    "gpt-35-turbo": ("gpt-3.5", "cl100k"),
    "claude-2.1": ("claude-pre-4.7", "claude-pre-4.7"),
    "claude-instant-1.2": ("claude-haiku-3", "claude-pre-4.7"),
    "claude-3-opus": ("claude-opus-4", "claude-pre-4.7"),
    "claude-3-opus-20240229": ("claude-opus-4", "claude-pre-4.7"),
    "claude-3-5-haiku-20241022": ("claude-haiku-3", "claude-pre-4.7"),
    "claude-3-5-sonnet-20241022": ("claude-sonnet-pre-4.7", "claude-pre-4.7"),
    "claude-3-7-sonnet-latest": ("claude-sonnet-pre-4.7", "claude-pre-4.7"),
    "claude-sonnet-4-20250514": ("claude-sonnet-pre-4.7", "claude-pre-4.7"),
    "claude-opus-4-1-20250805": ("claude-opus-4", "claude-pre-4.7"),
    "claude-sonnet-4-5": ("claude-sonnet-pre-4.7", "claude-pre-4.7"),
    "claude-haiku-4-5-20251001": ("claude-haiku-pre-4.7", "claude-pre-4.7"),
    "claude-opus-4-6": ("claude-opus-pre-4.7", "claude-pre-4.7"),
    "claude-opus-4.6": ("claude-opus-pre-4.7", "claude-pre-4.7"),
    "anthropic/claude-3.5-sonnet": ("claude-sonnet-pre-4.7", "claude-pre-4.7"),
    "claude-opus-4-7": ("claude-opus-5", "claude"),
    "claude-opus-4-7-20270101": ("claude-opus-5", "claude"),
    "claude-sonnet-4.8": ("claude-sonnet", "claude"),
    "claude-opus-4-10": ("claude-opus-5", "claude"),
    "claude-5": ("claude", "claude"),
    "claude-opus-5": ("claude-opus-5", "claude"),
    "claude-opus-5-5": ("claude-opus", "claude"),
    "claude-sonnet-5-20270101": ("claude-sonnet", "claude"),
    "claude-haiku-5-5": ("claude-haiku", "claude"),
    "claude-fable-5-1": ("claude-fable", "claude"),
    "claude": ("claude", "claude"),
    "claude-sonnet": ("claude-sonnet", "claude"),
    "claude-pre-4.7": ("claude-pre-4.7", "claude-pre-4.7"),
    "gemini-2.0-flash": ("gemini-2-flash", "gemma-3"),
    "gemini-2.5-flash-lite": ("gemini-2.5-flash-lite", "gemma-3"),
    "gemini-2.5-pro": ("gemini-2.5-pro", "gemma-3"),
    "gemini-3-pro-preview": ("gemini-3-pro", "gemma-3"),
    "gemini-1.5-pro": ("gemini-later", "unknown"),
    "gemini-3.5-flash": ("gemini-later", "unknown"),
    "gemini-4": ("gemini-later", "unknown"),
    "gemini": ("gemini-3-pro", "gemma-3"),
    "google": ("gemini-3-pro", "gemma-3"),
    "anthropic": ("claude", "claude"),
    "sonnet": ("claude-sonnet", "claude"),
    "opus-5": ("claude-opus-5", "claude"),
    "opus-4-6": ("claude-opus-pre-4.7", "claude-pre-4.7"),
    "grok-4": ("unknown", "unknown"),
    "llama": ("llama", "llama-2"),
    "codellama:13b": ("llama", "llama-2"),
    "llama3.1:8b": ("llama-3", "llama-3"),
    "meta-llama/Llama-3.3-70B-Instruct": ("llama-3", "llama-3"),
    "qwen3-coder": ("qwen", "qwen-2"),
    "qwen2.5-coder:32b": ("qwen", "qwen-2"),
    "qwen3.5-35b": ("unknown", "unknown"),
    "deepseek-v3.2": ("deepseek-3", "deepseek-3"),
    "deepseek-r1-distill-mistral": ("unknown", "unknown"),
    "gemma3:27b": ("gemma-3", "gemma-3"),
    "local-8192": ("local-8192", "local"),
    "local-24576": ("local-24576", "local"),
    "local": ("local-8192", "local"),
    "mistral-large-2411": ("unknown", "unknown"),
    "olmo-2": ("unknown", "unknown"),
    "unknown": ("unknown", "unknown"),
    "": ("unknown", "unknown"),
    "  ": ("unknown", "unknown"),
}

profiles = st.sampled_from(sorted(PROFILES)).map(PROFILES.__getitem__)
kinds = st.sampled_from(TextKind)
amounts = st.integers(0, 10**7)


@pytest.mark.parametrize("model", MODELS)
def test_the_name_of_a_model_tells_its_profile_and_its_tokenizer(model: str) -> None:
    for name in (model, f" {model.upper()} "):
        found = find_profile(name)
        assert (found.name, found.family.name) == MODELS[model]


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
    assert named.tokenizer is meant.tokenizer or named.tokenizer.per_o200k > meant.tokenizer.per_o200k
    assert all(named.factors[kind] >= meant.factors[kind] > 1 for kind in TextKind)


@given(name=st.text(max_size=30))
@settings(max_examples=150)
def test_any_name_has_a_profile_and_none_but_those_of_openai_are_exact(name: str) -> None:
    profile = find_profile(name)
    assert profile.window > profile.output > 0
    if profile.exact:
        assert re.search(r"openai|gpt|codex|o\d", name.lower())
    else:
        assert min(profile.factors.values()) > 1


@pytest.mark.parametrize("name", PROFILES)
def test_every_profile_is_known_by_its_own_name_and_has_a_factor_for_every_kind_of_text(name: str) -> None:
    profile = PROFILES[name]
    assert find_profile(name) is profile
    assert set(profile.factors) == set(TextKind)
    assert profile.exact is all(factor == 1 for factor in profile.factors.values())


@pytest.mark.parametrize("kind", TextKind)
def test_no_model_is_dearer_than_one_that_is_not_known(kind: TextKind) -> None:
    counted_alike = [profile for profile in PROFILES.values() if profile.tokenizer is O200K]
    assert max(profile.factors[kind] for profile in counted_alike) == PROFILES["unknown"].factors[kind]


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


def test_a_model_that_is_not_known_has_at_least_the_worst_ratio_that_was_measured() -> None:
    measured = {
        TextKind.Paths: 2.65,
        TextKind.References: 2.50,
        TextKind.Symbols: 2.32,
        TextKind.Outline: 2.11,
        TextKind.Code: 2.27,
        TextKind.Json: 1.81,
    }
    for kind, worst in measured.items():
        assert find_profile("a-model-of-tomorrow").factors[kind] >= worst


@pytest.mark.parametrize("model", ["claude-opus-5", "claude-haiku", "claude-opus-4-6"])
def test_a_frame_in_o200k_tokens_fits_what_its_model_is_given_for_it(model: str) -> None:
    frame = "find_references ring_buffer_nest_end: 1-2 of 168 | ~140/150\nall: leadline://result/7f3kq2ab\n"
    profile = profile_of(model)
    assert profile.frame(count(frame), TextKind.References) >= profile.price_of(frame, TextKind.References)


def test_factors_of_open_tokenizers_are_at_least_the_worst_ratio_that_was_measured() -> None:
    kinds = (TextKind.Paths, TextKind.References, TextKind.Symbols, TextKind.Outline, TextKind.Code, TextKind.Json)
    measured = {
        "gpt-4": (1.066, 1.015, 1.011, 1.092, 1.059, 1.029),
        "llama3.1:8b": (1.066, 1.015, 1.011, 1.092, 1.059, 1.029),
        "gemini-2.5-pro": (1.511, 1.456, 1.571, 1.788, 1.613, 1.275),
        "qwen3-coder": (1.294, 1.258, 1.179, 1.317, 1.459, 1.174),
        "deepseek-r1": (1.539, 1.182, 1.191, 1.321, 1.362, 1.186),
        "llama-2-70b": (1.630, 1.631, 1.708, 1.823, 1.842, 1.441),
    }
    for model, worst in measured.items():
        factors = profile_of(model).factors
        assert all(factors[kind] >= ratio for kind, ratio in zip(kinds, worst, strict=True))
        assert all(profile_of("local-8192").factors[kind] >= ratio for kind, ratio in zip(kinds, worst, strict=True))


@pytest.mark.parametrize("name", PROFILES)
def test_every_profile_has_a_window_an_output_a_guard_and_a_client(name: str) -> None:
    profile = PROFILES[name]
    assert 0 < profile.output < profile.window
    assert profile.guard in {SMALL_GUARD, LARGE_GUARD}
    assert profile.client.tokens or profile.client.characters
    prices = profile.prices
    assert prices is None or prices is FREE or 0 < (prices.cached or prices.input) <= prices.input < prices.output


@pytest.mark.parametrize("model", ["claude-haiku-4-5", "claude-haiku-5-5", "gpt-3.5-turbo", "gpt-5-mini", "local-8192"])
def test_small_models_get_2000_characters_of_a_result(model: str) -> None:
    assert profile_of(model).guard == 2_000


@pytest.mark.parametrize("model", ["claude-opus-4-6", "claude-sonnet-5-5", "gpt-5", "gemini-2.5-pro", "local-131072"])
def test_large_models_get_10000_characters_of_a_result(model: str) -> None:
    assert profile_of(model).guard == 10_000


def test_every_profile_but_the_last_can_be_meant_by_a_name() -> None:
    reached = {find_profile(model).name for model in MODELS}
    assert {"gemini-2", "gemini-2.5-flash", "gpt-4.1-mini", "gpt-5-nano", "gpt-5.4-nano"} >= {
        name for name in set(PROFILES) - reached if not name.startswith("local-")
    }


@given(name=st.sampled_from(sorted(MODELS)), window=st.integers(-5, 10**7))
def test_a_window_that_is_given_is_the_window_of_the_profile(name: str, window: int) -> None:
    profile = find_profile(name, window)
    assert profile.window == max(1, window)
    assert 0 < profile.output <= max(1, profile.window // 4)
    assert profile.factors == find_profile(name).factors
    if window <= SMALL_WINDOW:
        assert profile.guard == SMALL_GUARD


def test_a_long_prompt_costs_more_where_its_maker_says_so() -> None:
    prices = profile_of("gemini-2.5-pro").prices
    assert prices is not None
    assert prices.cost(Usage(input=200_000)) == pytest.approx(0.25)
    assert prices.cost(Usage(input=100_000, cached=100_001)) == pytest.approx(0.25 + 0.025, rel=0.01)


def test_what_is_read_from_a_cache_costs_less() -> None:
    prices = profile_of("claude-opus-4-6").prices
    assert prices is not None
    assert prices.cost(Usage(1_000_000, 100_000, 2_000_000, 400_000)) == pytest.approx(5 + 2.5 + 1 + 2.5)
    assert PriceTable(3, 15).cost(Usage(input=1, cached=1, stored=1)) == pytest.approx(9e-6)


@pytest.mark.parametrize(
    ("report", "usage"),
    [
        (
            {"prompt_tokens": 120, "completion_tokens": 30, "prompt_tokens_details": {"cached_tokens": 100}},
            Usage(20, 30, 100),
        ),
        ({"prompt_tokens": 120, "completion_tokens": 30, "total_tokens": 150}, Usage(120, 30)),
        ({"input_tokens": 120, "output_tokens": 30, "input_tokens_details": {"cached_tokens": 20}}, Usage(100, 30, 20)),
        (
            {
                "input_tokens": 20,
                "output_tokens": 30,
                "cache_read_input_tokens": 100,
                "cache_creation_input_tokens": 5,
            },
            Usage(20, 30, 100, 5),
        ),
        (
            {
                "promptTokenCount": 120,
                "candidatesTokenCount": 20,
                "thoughtsTokenCount": 10,
                "cachedContentTokenCount": 50,
            },
            Usage(70, 30, 50),
        ),
        ({"prompt_tokens": None, "completion_tokens": -4, "prompt_tokens_details": "?"}, Usage()),
        ({}, Usage()),
    ],
)
def test_the_usage_that_an_answer_reports_is_read_in_the_words_of_its_maker(
    report: dict[str, object], usage: Usage
) -> None:
    assert usage_of(report) == usage
    assert usage.total == usage.prompt + usage.output


@pytest.mark.parametrize(
    ("model", "near"),
    [
        ("clade", "claude"),
        ("cluade-opus-4-6", "claude-opus-4"),
        ("cluade-opus-4", "claude-opus-4"),
        ("gtp-5", "gpt-5"),
        ("gemni", "gemini"),
        ("grok-4", None),
    ],
)
def test_an_unknown_name_is_counted_as_the_most_expensive_with_a_warning_that_has_the_nearest(
    model: str, near: str | None
) -> None:
    with pytest.warns(UnknownModelWarning, match=re.escape(f"{near!r}" if near else "not known")):
        assert profile_of(model).name == "unknown"
    assert (is_known_model(model), suggest_model(model)) == (False, near)


@pytest.mark.parametrize("model", ["", "unknown", "claude-opus-5", "google", "sonnet", "local-8192"])
def test_a_known_name_and_the_request_for_the_unknown_model_give_no_warning(model: str) -> None:
    profile_of(model)  # warnings are errors here
    assert is_known_model(model)


def test_every_name_that_is_offered_is_known_by_itself() -> None:
    assert {"claude", "gemini", "openai", "google"} <= set(model_names())
    assert all(is_known_model(name) for name in model_names())
