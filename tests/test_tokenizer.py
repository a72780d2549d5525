"""Counts are those of o200k_base, offline and harmless; contract lines cost the same alone and together."""

from __future__ import annotations

import os
import socket
import sys
import tempfile
import threading
import time
import unicodedata
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import tiktoken
import tiktoken.registry
from hypothesis import example, given, settings
from hypothesis import strategies as st

from leadline_estimators import tokenizer
from leadline_estimators.tokenizer import RANKS, clip, contract_line, count, count_line, load

SPECIAL = ("<|endoftext|>", "<|endofprompt|>", "<|fim_prefix|>", "<|im_start|>system<|im_sep|>")

FRAGMENTS = (
    *(" ", "  ", "   ", "\t", "\t\t", " \t ", "\n", "\r", "\r\n", "\n\n", "\x0b", "\x0c", "\x1c", "\x1f"),
    *("\x85", "\u2028", "\u2029", "\xa0", "\u3000", "\u200b", "\ufeff", "\u202e", "\u180e"),
    *("/", "//", "/a", "a/", "./", "../", "\\", "|/", ")/\n/", "*/", "/*", "://"),
    *("中文", "漢字仮名", "한글", "ภาษาไทย", "العربية", "हिन्दी", "ЁЖ"),
    *("🙂", "👩\u200d👩\u200d👧", "🇩🇪", "✈️", "\U0010fffd", "e\u0301", "a\u0308\u0323", "\u0301", "\u20e3"),
    *("1", "22", "333", "4444", "55555", "٣", "Ⅷ", "½", "1,234.5", "0x1F"),
    *(".", ",", ":", ";", "()", "{}", "[]", "...", "'s", "'ll", "'T", '"""', "#", "--", "=>", "!=", "_", "__init__"),
    *(").\n", ",\n/", ":\n", "'\n", "\n.", "\n ", " \n", "'\r\n's"),
    *("a", "B", "camelCase", "ALLCAPS", "snake_case", "def f(x):", "the ", " QuerySet", "ß", "İ", "ﬀ"),
    *SPECIAL,
)
SURROGATES = ("\ud800", "\udfff", "\udbff\udffd", "\udc80")

adversarial = st.lists(st.sampled_from(FRAGMENTS), max_size=8).map("".join)
broken = st.lists(st.sampled_from(FRAGMENTS + SURROGATES), max_size=8).map("".join)
anything = st.one_of(st.text(max_size=20), adversarial, broken)


@pytest.fixture(scope="module")
def encode() -> Callable[[str], list[int]]:
    """Tiktoken as it comes, reading the file that is shipped."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TIKTOKEN_CACHE_DIR", str(RANKS.parent))
        return tiktoken.get_encoding("o200k_base").encode_ordinary


@pytest.fixture
def unloaded(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Nothing is loaded yet, and nothing of what a test loads stays."""
    monkeypatch.setattr(tokenizer, "_encode", None)
    monkeypatch.setattr(tiktoken.registry, "ENCODINGS", {})
    tokenizer.forget()
    yield
    tokenizer.forget()


@pytest.fixture
def closed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """A machine without a network; what was tried is noted."""
    tried: list[str] = []

    def refuse(*arguments: object, **_options: object) -> None:
        tried.append(repr(arguments))
        raise OSError("no network here")

    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    monkeypatch.setattr(socket, "create_connection", refuse)
    monkeypatch.setattr(socket.socket, "connect", refuse)
    return tried


def state_of(folder: Path) -> dict[str, tuple[int, int]]:
    return {str(p.relative_to(folder)): (p.stat().st_size, p.stat().st_mtime_ns) for p in folder.rglob("*")}


@given(text=anything)
@settings(max_examples=200, deadline=None)
def test_a_count_is_that_of_tiktoken(encode: Callable[[str], list[int]], text: str) -> None:
    assert count(text) == len(encode(text))
    assert count_line(text) == count(text)


@pytest.mark.parametrize("text", SPECIAL)
def test_special_tokens_are_plain_text(encode: Callable[[str], list[int]], text: str) -> None:
    assert count(text) == len(encode(text)) > 1


@given(text=anything)
@settings(max_examples=100, deadline=None)
@example("")
@example(" \t\n")
@example("\u2028")
@example("/etc/passwd")
@example("\n/x")
def test_any_text_becomes_one_contract_line(text: str) -> None:
    line = contract_line(text)
    assert line.endswith("\n")
    assert line.count("\n") == 1
    assert "\r" not in line
    assert line.strip()
    assert not line.startswith("/")
    assert contract_line(line) == line


@given(texts=st.lists(anything, max_size=6))
@settings(max_examples=150, deadline=None)
@example([")", "/", "/x"])
@example(["a ", " b", "\u2028", "\u2028c"])
@example(["x'", "s", "'s", "'", "'S"])
@example(["1", "22", "333"])
@example(["\u0301", "\u0301"])
@example(["(", "(\n\n", "\n\n)"])
def test_contract_lines_cost_the_same_alone_and_together(texts: list[str]) -> None:
    lines = [contract_line(text) for text in texts]
    assert sum(map(count, lines)) == count("".join(lines))


@pytest.mark.parametrize("inside", ["x{}x", "{}", "({})", "{}'", " {} "])
def test_whatever_ends_a_contract_line_and_begins_the_next_each_costs_what_it_costs_alone(inside: str) -> None:
    lines = [contract_line(inside.format(fragment)) for fragment in FRAGMENTS + SURROGATES]
    alone = [count(line) for line in lines]
    together = [[count(first + second) for second in lines] for first in lines]
    assert together == [[first + second for second in alone] for first in alone]


def test_every_character_of_the_first_blocks_ends_and_begins_a_contract_line() -> None:
    assigned = [chr(c) for c in range(0x3000) if unicodedata.category(chr(c)) not in ("Cn", "Cs")]
    lines = [contract_line(f"{character}x{character}") for character in assigned]
    assert sum(map(count, lines)) == count("".join(lines))
    bare = [contract_line(character) for character in assigned]
    assert sum(map(count, bare)) == count("".join(bare))


@given(heading=anything, marks=st.lists(st.integers(1, 10**7), min_size=1, max_size=30))
@settings(max_examples=100, deadline=None)
def test_line_numbers_on_one_line_cost_what_each_costs_and_one_more(heading: str, marks: list[int]) -> None:
    for head in (contract_line(heading).rstrip("\n") + ": ", "also "):
        line = head + ",".join(map(str, marks)) + "\n"
        assert count(line) == count(head) + sum(count(str(mark)) + 1 for mark in marks)


@given(number=st.integers(1, 10**12))
def test_a_line_number_costs_a_token_for_three_digits(number: int) -> None:
    assert count(str(number)) == -(-len(str(number)) // 3)


@given(text=anything, tokens=st.integers(-1, 40))
@settings(max_examples=100, deadline=None)
def test_a_clipped_text_fits_and_one_more_character_would_not(text: str, tokens: int) -> None:
    clipped = clip(text, tokens)
    assert text.startswith(clipped)
    assert count(clipped) <= max(0, tokens)
    assert clipped == text or count(text[: len(clipped) + 1]) > tokens


def test_a_text_that_costs_no_more_than_is_allowed_is_not_clipped() -> None:
    text = "def bulk_create(self, objects, batch_size=None):"
    assert clip(text, count(text)) == text
    assert clip(text, 0) == ""


@pytest.mark.parametrize("character", [" ", "\n", "\u3000", "/", "a", "中"])
def test_a_million_equal_characters_are_counted_without_a_panic(character: str) -> None:
    text = character * 1_000_000
    assert 0 < count(text) <= len(text.encode())


def test_many_contract_lines_cost_the_same_alone_and_together() -> None:
    line = contract_line("    return self.filter(**kwargs)  # 中文 🙂")
    lines = 30_000
    assert len(line) * lines > 2 * tokenizer._LONGEST_PIECE
    assert count(line * lines) == count(line) * lines


def test_a_panic_of_tiktoken_costs_a_bound_and_not_the_server(monkeypatch: pytest.MonkeyPatch) -> None:
    class PanicException(BaseException):  # as pyo3 calls it
        pass

    def panics(text: str) -> list[int]:
        raise PanicException(text[:10])

    class Panicking:
        encode_ordinary = staticmethod(panics)

    monkeypatch.setattr(tokenizer, "_encode", None)
    monkeypatch.setattr(tiktoken, "Encoding", lambda **_parameters: Panicking)
    assert count("ü is two bytes") == 15


def test_an_interrupt_while_counting_is_not_swallowed(monkeypatch: pytest.MonkeyPatch) -> None:
    class Interrupted:
        @staticmethod
        def encode_ordinary(_text: str) -> list[int]:
            raise KeyboardInterrupt

    monkeypatch.setattr(tokenizer, "_encode", None)
    monkeypatch.setattr(tiktoken, "Encoding", lambda **_parameters: Interrupted)
    with pytest.raises(KeyboardInterrupt):
        count("text")


@pytest.mark.usefixtures("unloaded")
@pytest.mark.parametrize("before", [None, "somewhere"])
def test_loading_needs_no_network_writes_nothing_and_leaves_the_environment(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, closed: list[str], before: str | None
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))  # where tiktoken keeps what it downloads
    monkeypatch.delenv("DATA_GYM_CACHE_DIR", raising=False)
    monkeypatch.delenv("TIKTOKEN_CACHE_DIR", raising=False)
    if before is not None:
        monkeypatch.setenv("TIKTOKEN_CACHE_DIR", str(tmp_path / before))
    shipped, environment = state_of(RANKS.parent), dict(os.environ)
    assert load()
    assert count("hello world") == 2
    assert closed == []
    assert state_of(tmp_path) == {}
    assert state_of(RANKS.parent) == shipped
    assert dict(os.environ) == environment


@pytest.mark.usefixtures("unloaded")
@pytest.mark.parametrize("damage", ["missing", "empty", "cut", "changed", "folder"])
def test_without_a_sound_rank_file_counts_are_bounds_and_the_file_stays_as_it_is(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, closed: list[str], damage: str
) -> None:
    ranks = tmp_path / "data" / RANKS.name
    ranks.parent.mkdir()
    sound = RANKS.read_bytes()
    match damage:
        case "empty":
            ranks.touch()
        case "cut":
            ranks.write_bytes(sound[: len(sound) // 2])
        case "changed":
            assert sound.startswith(b"IQ== 0")
            ranks.write_bytes(sound.replace(b"IQ== 0", b"IQ== 9", 1))
        case "folder":
            ranks.mkdir()
    monkeypatch.setattr(tokenizer, "RANKS", ranks)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    found = state_of(tmp_path)
    assert not load()
    assert count("hello world") == len("hello world")
    assert state_of(tmp_path) == found
    assert closed == []


@pytest.mark.usefixtures("unloaded")
def test_without_tiktoken_nothing_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "tiktoken", None)
    with pytest.raises(ImportError):
        load()
    with pytest.raises(ImportError):
        count("grüße")


@given(text=anything)
@settings(max_examples=100, deadline=None)
@example("\udbff\udffd")
@example("\ud800\ud800")
def test_the_bound_is_never_below_the_exact_count(encode: Callable[[str], list[int]], text: str) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tokenizer, "_encode", tokenizer._bound)
        bound = count(text)
    assert bound >= len(encode(text))


@given(texts=st.lists(anything, max_size=8))
@settings(max_examples=30, deadline=None)
def test_contract_lines_cost_the_same_alone_and_together_where_counts_are_bounds(texts: list[str]) -> None:
    lines = [contract_line(text) for text in texts]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tokenizer, "_encode", tokenizer._bound)
        assert sum(map(count, lines)) == count("".join(lines))


def test_threads_that_count_first_load_the_ranks_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tokenizer, "_encode", None)
    together = threading.Barrier(8)
    loads: list[str] = []

    def loaded() -> Callable[[str], bytes]:
        loads.append(threading.current_thread().name)
        return str.encode

    monkeypatch.setattr(tokenizer, "_load", loaded)
    counts: list[int] = []

    def run() -> None:
        together.wait()
        counts.append(count("four"))

    threads = [threading.Thread(target=run) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert counts == [4] * 8
    assert len(loads) == 1


def test_a_very_long_line_is_clipped_and_counted_in_good_time() -> None:
    text = "1," * 1_500_000
    exact = count(text)
    started = time.monotonic()
    assert all(count(text) == exact for _ in range(20))
    assert count(clip(text, 500)) == 500
    assert time.monotonic() - started < 2.0
