"""Text in the encodings that code was written in before UTF-8 is shown, searched and edited as what it says."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

from conftest import Open
from leadline_tools.index.text.encodings import UNDECIDED, detect
from leadline_tools.index.text.source_text import decoded

needs_detector = pytest.mark.skipif(
    importlib.util.find_spec("chardetng_py") is None, reason="chardetng-py is not installed: only declarations count"
)

WRITTEN = [
    ("gbk", "// 中文注释\nclass A {}\n", "中文注释"),
    ("gbk", "# 初始化服务器\nint main(void) { return 0; }\n/* 读取配置文件并返回结果 */\n", "配置文件"),
    ("gb18030", "// 读取配置文件并返回结果 \U00020000\nint x;\n", "配置文件"),
    ("shift_jis", "// 設定ファイルを読み込む\nint x; // ユーザー名\n", "ユーザー"),
    ("euc_jp", "// 設定ファイルを読み込む\nint x; // ユーザー名\n", "ユーザー"),
    ("euc_kr", "// 데이터베이스 연결\n// 사용자 이름을 반환한다\n", "사용자"),
    ("big5", "// 讀取設定檔並返回結果\n// 資料庫連線\n", "資料庫"),
    ("cp1251", "// Чтение файла конфигурации\nint x;\n", "файла"),
    ("koi8_r", "// Чтение файла конфигурации\nint x;\n", "файла"),
    ("cp1252", "// it\u2019s a \u201ctest\u201d of caf\u00e9s, as I said: tr\u00e8s d\u00e9j\u00e0 vu\n", "caf\u00e9s"),
    ("latin-1", "// Gr\u00f6\u00dfe der Fl\u00e4che\nint x;\n", "Fl\u00e4che"),
]


@needs_detector
@pytest.mark.parametrize(("encoding", "text", "query"), WRITTEN, ids=[one[0] for one in WRITTEN])
def test_a_text_is_shown_and_searched_as_what_it_says(
    tmp_path: Path, opened: Open, encoding: str, text: str, query: str
) -> None:
    (tmp_path / "a.c").write_bytes(text.encode(encoding))
    assert decoded("a.c", text.encode(encoding)).text == text
    ask = opened(tmp_path)
    shown = ask("read_file", path="a.c")
    assert query in shown
    line = next(number for number, one in enumerate(text.splitlines(), 1) if query in one)
    for word in (False, True):
        found = ask("search_text", query=query, word=word and query in text.replace("/", " ").split())
        assert f"{line}: " in found
    assert ("on disk it is" in shown) or ("of unknown encoding" in shown)


@pytest.mark.parametrize(
    ("declaration", "encoding"),
    [
        ("# -*- coding: shift_jis -*-\n", "cp932"),
        ("#!/usr/bin/env ruby\n# encoding: euc-jp\n", "euc_jp"),
        ("/* vim: set fileencoding=gbk : */\n", "gb18030"),
        ('<?xml version="1.0" encoding="big5"?>\n', "cp950"),
        ('@charset "gb2312";\n', "gb18030"),
        ("# coding: iso-8859-15\n", "iso8859-15"),
    ],
)
def test_what_a_file_declares_counts_however_little_it_holds(declaration: str, encoding: str) -> None:
    text = f"{declaration}x = '\u20ac'\n" if encoding.startswith("iso") else f"{declaration}x = '東'\n"
    source = decoded("a", text.encode(encoding))
    assert (source.text, source.encoding) == (text, encoding)


@pytest.mark.parametrize(
    "declared", ["utf-7", "rot13", "idna", "unicode_escape", "zlib", "utf-16", "none-such", "ascii"]
)
def test_a_declaration_of_what_is_no_encoding_of_text_or_does_not_fit_is_passed_over(declared: str) -> None:
    raw = f"# coding: {declared}\n".encode() + b"x = '\xe9'\n"
    assert detect(raw) == UNDECIDED


def test_a_declaration_that_the_bytes_contradict_is_passed_over() -> None:
    assert detect(b"# coding: euc_jp\nx = '\xff\xfe\xfd'\n") == UNDECIDED


def test_what_too_few_bytes_do_not_tell_is_said(tmp_path: Path, opened: Open) -> None:
    (tmp_path / "a.py").write_bytes("width = '3 µ'\n".encode("latin-1"))
    assert "of unknown encoding: read as latin-1" in opened(tmp_path)("read_file", path="a.py")


@needs_detector
@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize(("encoding", "text", "query"), WRITTEN[:9], ids=[one[0] for one in WRITTEN[:9]])
def test_a_rename_keeps_every_other_byte(
    tmp_path: Path, opened: Open, encoding: str, text: str, query: str, end: str
) -> None:
    code = (text.replace("//", "#").replace("/*", "#") + "def first():\n    return 1\nfirst()\n").replace("\n", end)
    code = "\n".join(line if line.startswith(("#", "def", "    ", "first")) else "" for line in code.split("\n"))
    raw = code.encode(encoding)
    root = tmp_path / "tree"
    root.mkdir()
    (root / "a.py").write_bytes(raw)
    ask = opened(root, cache=tmp_path / "cache", allow_edits=True)
    assert query in ask("search_text", query=query)
    ask("rename_symbol", symbol="first", new_name="second", apply=True)
    assert (root / "a.py").read_bytes() == raw.replace(b"first", b"second")


@needs_detector
def test_a_long_text_costs_no_more_than_its_beginning() -> None:
    raw = b"x = 1\n" * 10_000 + "# 初始化服务器读取配置文件\n".encode("gbk") * 20_000
    assert detect(raw) == "gb18030"
