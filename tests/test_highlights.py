"""The highlights of a source: what its tokens are for a reader, in each language."""

from __future__ import annotations

from pathlib import Path

import pytest

from conftest import Open, write
from leadline_tools.index.questions.highlights import find_highlights

SOURCES = {
    "a.py": ('x = f"a{name!r}b"  # note', [("x", "name"), ('f"a', "string"), ("name", "name"), ('b"', "string")]),
    "a.ts": (
        "const a: string = `q${b}`",
        [("const", "keyword"), ("string", "keyword"), ("`q", "string"), ("b", "name")],
    ),
    "a.go": ("func F(a int) { return 1 } // c", [("func", "keyword"), ("int", "type"), ("1", "number")]),
    "a.rb": ('def f; "a#{b}c"; end', [("def", "keyword"), ("f", "name"), ('"a', "string"), ("b", "name")]),
    "a.rs": ("let x: u8 = 1; // é c", [("let", "keyword"), ("u8", "type"), ("// é c", "comment")]),
    "a.php": ('<?php return "a $b c";', [("return", "keyword"), ('"a ', "string"), ("b", "name")]),
    "a.java": ("class A { String f; /* c */ }", [("class", "keyword"), ("String", "type"), ("/* c */", "comment")]),
    "a.json": ('{"a": [1, true]}', [('"a"', "string"), ("1", "number"), ("true", "keyword")]),
}


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    files = {path: f"{line}\n" for path, (line, _) in SOURCES.items()}
    files["é.py"] = '"""One\ntwo é\n"""\nGrüße = "x"\n'
    files["page.vue"] = (
        '<template>\n  <b>{{ total }}</b>\n</template>\n<script setup>\nconst total = "x" // é\n</script>\n'
    )
    files["page.html"] = '<p class="a">text</p>\n<script>\nlet total = 1\n</script>\n'
    files["read.md"] = "# Title é\n\ntext\n"
    files["notes.txt"] = "class A\n"
    return write(tmp_path_factory.mktemp("highlights"), files)


@pytest.mark.parametrize("path", SOURCES)
def test_comments_strings_numbers_keywords_types_and_names_are_highlighted(opened: Open, root: Path, path: str) -> None:
    line, expected = SOURCES[path]
    found = find_highlights(opened(root).session.index.workers, path, 1, 1)
    assert all(place == 1 for place, *_ in found)
    tokens = [(line[start - 1 : end - 1], kind) for _, start, end, kind in found]
    assert [token for token in tokens if token in expected] == expected


def test_columns_count_characters_and_a_token_of_several_lines_is_one_for_each(opened: Open, root: Path) -> None:
    workers = opened(root).session.index.workers
    assert find_highlights(workers, "é.py", 1, 4) == [
        (1, 1, 7, "string"),
        (2, 1, 6, "string"),
        (3, 1, 4, "string"),
        (4, 1, 6, "name"),
        (4, 9, 12, "string"),
    ]
    assert find_highlights(workers, "é.py", 2, 2) == [(2, 1, 6, "string")]


def test_a_file_without_a_grammar_or_a_missing_one_has_no_highlights(opened: Open, root: Path) -> None:
    workers = opened(root).session.index.workers
    assert list(find_highlights(workers, "notes.txt", 1, 1)) == []
    assert list(find_highlights(workers, "nothing.py", 1, 1)) == []


def test_code_inside_of_other_files_is_highlighted_where_the_file_has_it(opened: Open, root: Path) -> None:
    workers = opened(root).session.index.workers
    found = find_highlights(workers, "page.vue", 1, 6)
    assert (2, 9, 14, "name") in found
    assert [one for one in found if one[0] == 5] == [
        (5, 1, 6, "keyword"),
        (5, 7, 12, "name"),
        (5, 15, 18, "string"),
        (5, 19, 23, "comment"),
    ]
    page = find_highlights(workers, "page.html", 1, 4)
    assert {(1, 2, 3, "keyword"), (3, 1, 4, "keyword"), (3, 5, 10, "name")} <= set(page)
    assert list(page) == sorted(page)


def test_headings_of_documents_are_highlighted(opened: Open, root: Path) -> None:
    assert find_highlights(opened(root).session.index.workers, "read.md", 1, 3) == [(1, 1, 10, "heading")]
