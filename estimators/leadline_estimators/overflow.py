"""What the error of a model's server says: by how much the request was too long, or how long to wait.

A format is one entry: an expression whose named groups are the numbers in the message. They were written against the
bodies in ``tests/overflow_bodies.toml``, which name the server and the version that each was seen from.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from enum import StrEnum

MINOR_BELOW = 1_000
CATASTROPHIC_FROM = 50_000

_READ = 20_000
"""Characters read from either end of an error: a server may send the whole prompt back."""


class OverflowClass(StrEnum):
    """How bad an overflow is."""

    NoOverflow = "none"
    Unknown = "unknown"
    Minor = "minor"
    Major = "major"
    Catastrophic = "catastrophic"


@dataclass(frozen=True, slots=True)
class Overflow:
    """A request that was refused because it does not fit into the model's window.

    Args:
        server: The family of servers that words its errors so.
        limit: Tokens that would have fitted; None where that the server does not report it, as for the others.
        input: Tokens of what was sent.
        output: Tokens that were asked for as an answer.
        over: Tokens that were too many.
    """

    server: str
    limit: int | None = None
    input: int | None = None
    output: int | None = None
    over: int | None = None

    @property
    def requested(self) -> int | None:
        """Return all tokens that the request needed."""
        if self.limit is not None and self.over is not None:
            return self.limit + self.over
        return self.input

    @property
    def answer_alone(self) -> bool:
        """Return whether what was sent fits, and only the answer that was asked for is too long."""
        return self.input is not None and self.limit is not None and self.input < self.limit and bool(self.output)


class RateReason(StrEnum):
    """Why a server asks to wait."""

    Rate = "rate"
    Quota = "quota"
    Overloaded = "overloaded"


@dataclass(frozen=True, slots=True)
class RateLimit:
    """A request that was refused not for its own length, but for what was used in a time.

    Args:
        reason: Too much in a short time, or a quota that is used up, or a server that has too much to do.
        wait: Seconds to wait; None where that the server does not report it.
        limit: Tokens that are allowed in the time; None where that the server does not report it.
        requested: Tokens that the request needed; None where that the server does not report it.
    """

    reason: RateReason
    wait: float | None = None
    limit: int | None = None
    requested: int | None = None

    @property
    def too_long(self) -> bool:
        """Return whether the request alone is more than the time allows: no waiting helps, only a shorter request."""
        return self.limit is not None and self.requested is not None and self.requested > self.limit


@dataclass(frozen=True, slots=True)
class _Format:
    server: str
    words: re.Pattern[str]


def _format(server: str, words: str) -> _Format:
    return _Format(server, re.compile(words))


_N = r"(\d{1,12})"


def _n(name: str) -> str:
    return rf"(?P<{name}>\d{{1,12}})"


_PARTS = (
    rf"(?: \({_n('input')} (?:in your prompt|in the messages|of text input)"
    rf"(?:[^)]{{0,120}}?\b{_n('output')} (?:in the completion|for the completion|in the output))?)?"
)

FORMATS = (
    _format("vllm", rf"maximum context length is {_n('limit')} tokens\. however, you requested {_n('output')} output"
            rf" tokens and your prompt contains (?:at least )?{_n('input')} input tokens"),
    _format("vllm", rf"maximum context length is {_n('limit')} tokens\. however, your request has {_n('input')} input"
            rf" tokens plus {_n('output')} 'max_"),
    _format("vllm", rf"too large: {_n('output')}\. this model's maximum context length is {_n('limit')} tokens and your"
            rf" request has {_n('input')} input tokens"),
    _format("vllm", rf"maximum context length is {_n('limit')} tokens[.,]? (?:however, |and )?your request has"
            rf" {_n('input')} input tokens"),
    _format("vllm", rf"prompt \((?:total )?length {_n('input')}\) is (?:too long to fit into the model \(context|longer"
            rf" than the maximum model) length (?:of )?{_n('limit')}"),
    _format("vllm", rf"max_tokens must be at least 1, got -{_n('over')}"),
    _format("openai", rf"maximum context length is {_n('limit')} tokens[.,] however,? you requested (?:about )?"
            rf"{_n('requested')} tokens{_PARTS}"),
    _format("openai", rf"maximum context length is {_n('limit')} tokens[.,] however,? your messages resulted in"
            rf" {_n('input')} tokens"),
    _format("openai", rf"input tokens exceed the configured limit of {_n('limit')} tokens\. your messages resulted in"
            rf" {_n('input')} tokens"),
    _format("anthropic", rf"prompt is too long: {_n('input')} tokens > {_n('limit')} maximum"),
    _format("anthropic", rf"exceed context limit: {_n('input')} \+? ?{_n('output')} > {_n('limit')}"),
    _format("gemini", rf"input token count \(?{_n('input')}\)? exceeds the maximum number of tokens allowed"
            rf" \(?{_n('limit')}"),
    _format("gemini", rf"input token count is {_n('input')} but (?:the )?model only supports up to {_n('limit')}"),
    _format("llama.cpp", rf"[\"']n_prompt_tokens[\"'] ?: ?{_n('input')} ?, ?[\"']n_ctx[\"'] ?: ?{_n('limit')}"),
    _format("llama.cpp", rf"request \({_n('input')} tokens\) exceeds the available context size"
            rf" \({_n('limit')} tokens"),
    _format("llama-cpp-python", rf"requested tokens \({_n('input')}\) exceed context window of {_n('limit')}"),
    _format("ollama", rf"prompt too long; exceeded (?:max )?context length by {_n('over')} tokens"),
    _format("lm studio", rf"keep the first {_n('input')} tokens when (?:the )?context (?:the )?overflows\. however, the"
            rf" model is loaded with (?:a )?context length of only {_n('limit')}"),
    _format("lm studio", rf"n_keep: ?{_n('input')} ?>= ?n_ctx: ?{_n('limit')}"),
    _format("sglang", rf"maximum context length of {_n('limit')} tokens\. you requested a total of {_n('requested')}"
            rf" tokens: {_n('input')} tokens from the input messages and {_n('output')} tokens"),
    _format("sglang", rf"the input \({_n('input')} tokens\) is longer than the model's context length \({_n('limit')}"),
    _format("sglang", rf"input length \(?{_n('input')}(?: tokens)?\)? exceeds (?:the maximum allowed|model's maximum"
            rf" context) (?:input )?length (?:of )?\(?{_n('limit')}"),
    _format("text-generation-inference", rf"`inputs` tokens \+ `max_new_tokens` must be <= {_n('limit')}\. given:"
            rf" {_n('input')} `inputs` tokens and {_n('output')} `max_new_tokens`"),
    _format("text-generation-inference", rf"`inputs` must have less than {_n('limit')} tokens\. given: {_n('input')}"),
    _format("mistral", rf"prompt contains {_n('input')} tokens.{{0,40}}too large for model with {_n('limit')} maximum"),
    _format("xai", rf"maximum prompt length is {_n('limit')} but the request contains {_n('input')} tokens"),
    _format("copilot", rf"prompt token count of {_n('input')} exceeds the limit of {_n('limit')}"),
    _format("cerebras", rf"length of the messages or completion\. current length is {_n('input')} while limit is"
            rf" {_n('limit')}"),
    _format("moonshot", rf"exceeded model token limit: {_n('limit')} \(requested: {_n('input')}\)"),
    _format("dashscope", rf"range of input length should be \[1, ?{_n('limit')}\]"),
    _format("ollama", r"input (?:length )?exceeds (?:the |maximum )?context length"),
    _format("llama.cpp", r"exceeds the available context size"),
    _format("lm studio", r"tokens to keep from the initial prompt is greater than the context length"),
    _format("anthropic", r"prompt is too long|request size exceeds model context window|\brequest_too_large\b"),
    _format("bedrock", r"input is too long for requested model"),
    _format("z.ai", r"model_context_window_exceeded|prompt exceeds max length"),
    _format("minimax", r"context window exceeds limit"),
    _format("openai", r"exceeds the context window of this model|\bcontext_length_exceeded\b|contextwindowexceeded"
            r"|model_max_prompt_tokens_exceeded|maximum context length"),
)  # fmt: skip
"""Every format, those with numbers first."""

_UNITS = {"h": 3600.0, "m": 60.0, "s": 1.0, "ms": 0.001}
_SPAN = r"((?:\d{1,9}(?:\.\d{1,12})?(?:ms|h|m|s) ?){1,4}|\d{1,9}(?:\.\d{1,12})?(?= sec))"
_WAIT = re.compile(
    r"(?:try again in|retry in|retry after|reset after|[\"']retrydelay[\"'] ?: ?[\"']|retry-after[\"']? ?: ?[\"']?) ?"
    + _SPAN
)
_PIECE = re.compile(r"(\d+(?:\.\d+)?) ?(ms|h|m|s)")
_STATUS = re.compile(
    r"(?:^|\b(?:status|code|statuscode|status_code|http|error)[\"']? ?[:=]? ?[\"'(]?)(?P<status>429|529|503)\b"
)
_RATE = re.compile(r"rate[_ ]?limit|\bresource_exhausted\b|resource exhausted|too many requests|throttl|tokens per min")
_QUOTA = re.compile(r"insufficient_quota|exceeded your current quota|exceeded_current_quota|credit balance is too low")
_OVERLOADED = re.compile(r"overloaded_error|\boverloaded\b|[\"']unavailable[\"']")
_RATE_NUMBERS = re.compile(rf"\blimit:? {_N}(?:, used:? \d{{1,12}})?, requested:? {_N}")
_CERTAIN = re.compile(r"context_length_exceeded|maximum context length|prompt is too long")


def parse_overflow(text: str) -> Overflow | None:
    """Return what an error says of a request that is too long for the model; None where it is another error.

    A rate limit is none, even one that says that the request is too large: see ``parse_rate_limit``.

    Args:
        text: The body of the answer, or the text of the exception that a client made of it.
    """
    message = _normalize(text)
    if _rate_reason(message) is not None:
        return None
    for form in FORMATS:
        found = form.words.search(message)
        if found is not None:
            return _overflow(form.server, {name: int(n) for name, n in found.groupdict().items() if n is not None})
    return None


def classify_overflow(overflow: Overflow | None) -> OverflowClass:
    """Return how bad an overflow is: minor under 1,000 tokens over, catastrophic from 50,000 over."""
    if overflow is None:
        return OverflowClass.NoOverflow
    if overflow.over is None:
        return OverflowClass.Unknown
    if overflow.over < MINOR_BELOW:
        return OverflowClass.Minor
    return OverflowClass.Major if overflow.over < CATASTROPHIC_FROM else OverflowClass.Catastrophic


def parse_rate_limit(text: str, headers: Mapping[str, str] | None = None) -> RateLimit | None:
    """Return what an error says of a rate limit; None where it is another error.

    Args:
        text: The body of the answer, or the text of the exception that a client made of it.
        headers: The headers of the answer, for the time to wait.
    """
    message = _normalize(text)
    reason = _rate_reason(message)
    if reason is None:
        return None
    numbers = _RATE_NUMBERS.search(message)
    limit, requested = (int(numbers[1]), int(numbers[2])) if numbers else (None, None)
    wait_time = _WAIT.search(message)
    wait = _header_wait(headers or {})
    return RateLimit(reason, _seconds(wait_time[1]) if wait is None and wait_time else wait, limit, requested)


def _normalize(text: str) -> str:
    """Return an error in small letters, without the quoting of one JSON text inside of another."""
    if len(text) > 2 * _READ:
        text = f"{text[:_READ]} {text[-_READ:]}"
    text = re.sub(r"\\[nrt]", " ", re.sub(r"\\{2,}", r"\\", text)).replace("\\", "")
    return re.sub(r"(?<=\d),(?=\d{3}\b)", "", re.sub(r"\s+", " ", text)).strip().lower()


def _overflow(server: str, numbers: Mapping[str, int]) -> Overflow:
    limit, sent, output, over = numbers.get("limit"), numbers.get("input"), numbers.get("output"), numbers.get("over")
    requested = numbers.get("requested")
    if requested is None and sent is not None:
        requested = sent + (output or 0)
    elif requested is not None and (sent is None or output is not None):
        sent = max(0, requested - (output or 0))
    if over is None and limit is not None and requested is not None and requested >= limit:
        over = requested - limit
    return Overflow(server, limit, sent, output, over)


def _rate_reason(message: str) -> RateReason | None:
    status = _STATUS.search(message)
    if _QUOTA.search(message):
        return RateReason.Rate if _WAIT.search(message) else RateReason.Quota
    if _OVERLOADED.search(message) or (
        status is not None and status["status"] != "429" and not _CERTAIN.search(message)
    ):
        return RateReason.Overloaded
    if (_RATE.search(message) or status is not None) and not _CERTAIN.search(message):
        return RateReason.Rate
    return None


def _seconds(span: str) -> float:
    pieces = _PIECE.findall(span)
    return sum(float(number) * _UNITS[unit] for number, unit in pieces) if pieces else float(span)


def _header_wait(headers: Mapping[str, str]) -> float | None:
    """Return the seconds that headers ask to wait: Retry-After has seconds or a date, others a span."""
    lowered = {name.lower(): value.strip() for name, value in headers.items()}
    try:
        if "retry-after-ms" in lowered:
            return max(0.0, float(lowered["retry-after-ms"]) / 1000)
        if "retry-after" in lowered:
            return _retry_after(lowered["retry-after"])
        for name in ("x-ratelimit-reset-tokens", "x-ratelimit-reset-requests"):
            if name in lowered:
                return _seconds(lowered[name])
    except ValueError:
        return None
    return None


def _retry_after(value: str) -> float:
    if re.fullmatch(r"\d{1,9}(\.\d{1,9})?", value):
        return float(value)
    when = parsedate_to_datetime(value)
    now = datetime.now(UTC) if when.tzinfo else datetime.now(UTC).replace(tzinfo=None)
    return max(0.0, (when - now).total_seconds())
