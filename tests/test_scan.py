"""Words, texts and patterns are found wherever they stand, whatever the encoding, and code is told from the rest."""

from __future__ import annotations

import json
import random
import re
import time
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest
import re2
from hypothesis import example, given, settings
from hypothesis import strategies as st

import leadline_tools.navigation  # noqa: F401  declares the tools
from conftest import INDEXING_SECONDS, Asking, Open, write
from expectations import FIXTURES
from leadline_server.call import Request, Response, Session, Stored
from leadline_tools import cancellation
from leadline_tools.index.index import Index
from leadline_tools.index.text.required_literals import required_by_pattern
from leadline_tools.index.text.scan import finder, occurrences
from leadline_tools.index.workers.frames import Operation
from leadline_tools.index.workers.root_workers import RootWorkers
from leadline_tools.index.workers.worker_pool import Deliver
from leadline_tools.languages import LANGUAGES, language_in
from leadline_tools.languages.fact_walk.walk import facts
from leadline_tools.languages.facts import Facts, Use
from leadline_tools.languages.lexing import Span, in_code, spans
from leadline_tools.model import Role, TextMatch
from leadline_tools.patience import Patience
from leadline_tools.resolve.project.project import IndexedProject
from leadline_tools.resolve.references import occurrence_lines, omissions, references
from leadline_tools.result import Result
from leadline_tools.tool import TOOLS, Tool

WORDS = ("a", "ab", "été", "e", "x1", "_a", "straße", "数", "ﬁ")
"""Words whose neighbours decide: some are parts of others, some begin or end beyond ASCII."""

ALPHABET = "aabeé́_1² \n\r-.(數数²ß\u200d\ue000🙂Aﬁ\u017f"

TEXTS = st.lists(st.one_of(st.sampled_from(WORDS), st.sampled_from(ALPHABET)), max_size=40).map("".join)


def is_word(character: str) -> bool:
    """Tell what a reader takes for a part of a word: one character at a time, as the definition has it."""
    return (
        unicodedata.category(character)[0] in "LNM"
        or unicodedata.category(character) in ("Pc", "Co")
        or (character in "\u200c\u200d")
    )


def naive(text: str, word: str) -> list[int]:
    """Return the byte offsets of ``word`` in ``text``, standing alone, by trying every place."""
    found = []
    at = text.find(word)
    while at >= 0:
        end = at + len(word)
        alone = not (at and is_word(text[at - 1])) and not (end < len(text) and is_word(text[end]))
        if alone:
            found.append(len(text[:at].encode()))
        at = text.find(word, end if alone else at + 1)
    return found


def search(index: Index, query: str, **options: object) -> Result:
    arguments = TOOLS["search_text"].arguments.model_validate({"query": query, **options})
    result = TOOLS["search_text"].run(index, **dict(arguments))
    assert isinstance(result, Result)
    return result


def lines_with(result: Result) -> set[tuple[str, int]]:
    return {(item.path, item.line) for item in result.items if isinstance(item, TextMatch)}


# Words


@given(TEXTS, st.sampled_from(WORDS))
@example("été", "t")
@example("a\u0301 a", "a")
def test_a_word_is_found_where_it_stands_alone_and_nowhere_else(text: str, word: str) -> None:
    assert list(occurrences(text.encode(), word.encode())) == naive(text, word)


@given(TEXTS, st.sampled_from(WORDS), st.booleans())
def test_a_word_in_any_case_is_found_where_it_stands_alone(text: str, word: str, upper: bool) -> None:
    query = word.upper() if upper and len(word.upper()) == len(word) else word
    found = {start for start, _ in finder(query, word=True, case_sensitive=False).spans(text.encode())}
    assert found >= set(naive(text, word))


EXPRESSIONS = (r"foo\?", "foo|foobar", r"\?x", "a+", r"a\.?", "(?P<n>ab|a)c?", "é+", "(?:a|b)+", r"\w\.\w", "[^ ]+")


@given(st.sampled_from(EXPRESSIONS), st.text("abcfox?.é \n", max_size=12))
@example(r"foo\?", "is it foo?")
@example(r"foo\?", "foo?bar")
@example("foo|foobar", "foobar")
@example("[^ ]+", "aé")
@example(r"\w\.\w", "a.é")
@example(r"a\.?", "a.ab")
def test_an_expression_is_found_as_a_word_where_looking_around_finds_it(pattern: str, text: str) -> None:
    in_line = pattern.replace("[^ ]", "[^ \n]")  # no match goes on behind a line
    content, around = text.encode(), re.compile(rf"(?<!\w)(?:{in_line})(?!\w)")
    found = {content.count(b"\n", 0, start) for start, _ in finder(pattern, regex=True, word=True).spans(content)}
    assert found == {text.count("\n", 0, one.start()) for one in around.finditer(text)}


@given(st.binary(max_size=200), st.sampled_from(WORDS))
def test_bytes_that_are_no_text_are_searched_without_harm(content: bytes, word: str) -> None:
    for start in occurrences(content, word.encode()):
        assert content[start:].startswith(word.encode())


PIECES = st.sampled_from(
    [
        "a",
        "b",
        "\\.",
        ".",
        "a+",
        "b*",
        "a?",
        "[ab]",
        "(ab)",
        "(?:a|b)",
        "a{2}",
        "b{0,2}",
        "\\b",
        "^",
        "\\x61",
        "(a(b)?)",
        "A",
    ]
)


@settings(max_examples=300)
@given(st.lists(PIECES, max_size=6).map("".join), st.text("ab.A", max_size=12), st.booleans())
def test_every_match_of_an_expression_holds_its_required_text(pattern: str, text: str, sensitive: bool) -> None:
    find = finder(pattern or "a", regex=True, case_sensitive=sensitive)
    for start, end in find.spans(text.encode()):
        assert find.literal.lower() in text[start:end].lower()
        assert find.may_hold(text.encode())


@pytest.mark.parametrize(
    ("pattern", "literal"),
    [
        (r"raise [A-Z]\w+Error", "raise "),
        ("foo|bar", ""),
        ("(foo|bar)baz", "baz"),
        (r"foo\x41|b", ""),
        ("(?i)foo", "foo"),
        (r"[Gg]et_page\s*\(", "et_page"),
        (r"a(b|c+)d*", "a"),
        (r"x{3}y{2,}", "xxxy"),
        (r"\bkmalloc\(", "kmalloc("),
    ],
)
def test_the_required_text_of_an_expression_is_its_longest_sure_run(pattern: str, literal: str) -> None:
    assert required_by_pattern(pattern).literal == literal


# Files


def _encoded(text: str, encoding: str) -> bytes:
    """Return a text in an encoding, in UTF-8 where it cannot be, or could not be told from UTF-8."""
    try:
        raw = text.encode(encoding)
        if encoding == "latin-1":
            raw.decode()
    except UnicodeEncodeError:
        return text.encode()
    except UnicodeDecodeError:
        return text.encode(encoding)
    return raw


def generated(root: Path) -> dict[str, str]:
    """Write files of all encodings and line ends below ``root``; return their texts with LF alone."""
    chance = random.Random(3)
    texts: dict[str, str] = {}
    for number in range(120):
        pieces = chance.choices([*WORDS, *"  \n\n-.(_é🙂\u0301"], k=chance.randrange(60))
        text = "".join(pieces)
        encoding = chance.choice(["utf-8", "utf-8-sig", "utf-16", "latin-1"])
        end = chance.choice(["\n", "\r\n", "\r"])
        path = f"f{number}.{chance.choice(['py', 'txt', 'c'])}"
        raw = _encoded(text.replace("\n", end), encoding)
        texts[path] = text
        (root / path).write_bytes(raw)
    return texts


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, str]]:
    root = tmp_path_factory.mktemp("generated")
    texts = generated(root)
    (root / "picture.bin").write_bytes(b"\0\1ab \2")
    long = "x" * (1 << 20)
    texts["long.txt"] = f"{long} ab\n{long}été {long}"  # over the pieces in which files are read
    (root / "long.txt").write_bytes(texts["long.txt"].encode())
    return root, texts


@pytest.fixture(scope="module")
def indexed(tree: tuple[Path, dict[str, str]]) -> Iterator[Index]:
    index = Index(tree[0], None, processes=1)
    index.start()
    assert index.wait(INDEXING_SECONDS)
    yield index
    index.close()


@pytest.fixture(scope="module")
def unindexed(tree: tuple[Path, dict[str, str]]) -> Iterator[Index]:
    """An index that knows the files and nothing of them, as before the first build."""
    index = Index(tree[0], None, processes=1)
    index.refresh()
    yield index
    index.close()


@pytest.mark.parametrize("state", ["indexed", "unindexed"])
@pytest.mark.parametrize("word", [*WORDS, "zz", "a b", "-"])
def test_no_line_with_a_word_is_missed(
    tree: tuple[Path, dict[str, str]], state: str, word: str, request: pytest.FixtureRequest
) -> None:
    found = search(request.getfixturevalue(state), word, word=True, case_sensitive=True)
    wanted = {
        (path, text.encode()[:offset].count(b"\n") + 1)
        for path, text in tree[1].items()
        for offset in naive(text, word)
    }
    assert lines_with(found) == wanted


@pytest.mark.parametrize("state", ["indexed", "unindexed"])
@pytest.mark.parametrize("query", ["a", "é", "ab é", ") a", "ß", "🙂", "é ab", " x", "-_", "b\u0301", "( é", "a "])
def test_no_line_with_a_text_is_missed(
    tree: tuple[Path, dict[str, str]], state: str, query: str, request: pytest.FixtureRequest
) -> None:
    found = search(request.getfixturevalue(state), query, case_sensitive=True)
    wanted = {
        (path, number)
        for path, text in tree[1].items()
        for number, line in enumerate(text.split("\n"), 1)
        if query in line
    }
    assert lines_with(found) == wanted


@pytest.mark.parametrize("pattern", ["a+b", "[xé]t", "^ab", "(?i)AB", r"é\w*"])
def test_no_line_that_matches_an_expression_is_missed(
    tree: tuple[Path, dict[str, str]], indexed: Index, pattern: str
) -> None:
    found = search(indexed, pattern, regex=True, case_sensitive=True)
    options = re2.Options()
    expression = re2.compile(pattern.encode(), options)
    wanted = {
        (path, number)
        for path, text in tree[1].items()
        for number, line in enumerate(text.split("\n"), 1)
        if expression.search(line.encode()) is not None
    }
    assert lines_with(found) == wanted


def test_a_binary_file_is_named_whether_it_holds_the_text_or_not(indexed: Index) -> None:
    for query in ("ab", "nowhere_at_all"):
        assert "binary, so not searched: picture.bin" in search(indexed, query, case_sensitive=True).notes


def test_binary_files_are_counted_in_every_account_of_a_name_and_in_every_search(tmp_path: Path, opened: Open) -> None:
    files = {"shop.py": "def add(item):\n    return item\n", "use.py": "from shop import add\nadd(1)\n"}
    root = write(tmp_path / "tree", files)
    for name in ("a.png", "b.png"):
        (root / name).write_bytes(b"\x89PNG\0 add item")
    (root / ".env").write_text("PASSWORD=add\n")
    ask = opened(root)
    assert "binary, so not searched: 2 files" in ask("search_text", query="add")
    assert "binary" not in ask("search_text", query="add", path="*.py")
    for symbol in ("shop.add", "shop.py:1:9"):
        assert "; 2 binary files not searched" in ask("find_references", symbol=symbol)
    request = Request("find_references", {"symbol": "shop.add"}, as_json=True)
    answer = json.loads(ask.session.call(request).text)
    assert (answer["account"]["binary_files"], answer["complete"]) == (2, True)


def test_a_file_too_large_for_the_index_is_searched(
    tmp_path: Path, opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("leadline_tools.index.indexing.texts.LARGEST_TEXT", 1_000)
    monkeypatch.setattr("leadline_tools.index.indexing.indexer.LARGEST_TEXT", 1_000)
    ask = opened(write(tmp_path, {"small.txt": "needle\n", "large.txt": f"{'filler ' * 200}\nneedle\n"}))
    assert "2 lines in 2 files" in ask("search_text", query="needle", word=True)


def test_code_comes_before_prose(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, {"a.md": "needle\n", "b.py": "needle = 1\n", "c.txt": "needle\n"}))
    text = ask("search_text", query="needle")
    assert text.index("b.py") < text.index("a.md") < text.index("c.txt")


def test_a_search_that_takes_too_long_says_how_far_it_came(
    tmp_path: Path, opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    ask = opened(write(tmp_path, {f"{number}.txt": "needle\n" for number in range(40)}))
    monkeypatch.setattr("leadline_tools.navigation.search_text.MOST_MATCHES", -1)
    assert "stopped after 0 of 40 files" in ask("search_text", query="needle")
    monkeypatch.undo()
    assert "40 lines in 40 files" in ask("search_text", query="needle")


@pytest.mark.parametrize(
    "arguments",
    [
        {"query": "q*", "regex": True},
        {"query": "a|q*", "regex": True},
        {"query": "a", "word": True},
        {"query": "a", "word": True, "case_sensitive": True},
        {"query": "a+?", "word": True, "regex": True},
    ],
    ids=str,
)
def test_a_search_that_takes_too_long_in_one_file_says_so_and_goes_on_with_the_others(
    tmp_path: Path, opened: Open, arguments: dict[str, object]
) -> None:
    files = {"a.txt": "a\n" + "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab" * 150_000 + "\n", "b.txt": "a q\n"}
    ask = opened(write(tmp_path, files), patience=0.4)
    used = time.process_time()
    text = ask("search_text", **arguments)
    if "call it again to continue" in text:
        text = ask("search_text", **arguments)
    assert time.process_time() - used < 2.5
    assert "not searched to the end, which takes too long: a.txt" in text
    assert "complete" not in text.splitlines()[0]


def test_a_phrase_is_looked_for_where_its_words_are_and_one_begins_as_it_ends(
    tmp_path: Path, opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = {f"{number}.txt": "out of mind and memories\n" for number in range(40)}
    files |= {"a.txt": "without of memories\n", "b.txt": "out of memory\n", "c.txt": "out-of-memory\n"}
    ask = opened(write(tmp_path, files))
    assert "2 lines in 2 files" in ask("search_text", query="out of memor")
    monkeypatch.setattr("leadline_tools.navigation.search_text.MOST_MATCHES", -1)
    assert "stopped after 0 of 2 files" in ask("search_text", query="out of memory")


def test_where_a_phrase_is_nowhere_its_rarest_word_is_offered(tmp_path: Path, opened: Open) -> None:
    files = {"a/1.txt": "the blue needle\n", "a/2.txt": "the blue\n", "b.txt": "the\n"}
    ask = opened(write(tmp_path, files))
    assert 'next: search_text(query="needle", word=true)' in ask("search_text", query="the needle of blue")
    assert 'next: search_text(query="blue", word=true)' in ask("search_text", query="blue of the")
    assert "next:" not in ask("search_text", query="needle or the", path="b.txt")
    assert "next:" not in ask("search_text", query="neither of them")
    assert "next:" not in ask("search_text", query="the.needle", regex=True, path="b.txt")


# Comments and strings


def names_in_code(language: str, text: str) -> str:
    """Return the names that stand in code, one behind the other."""
    lexis = LANGUAGES[language].source.lexis
    assert lexis is not None
    words = {match.start(): match[0] for match in re.finditer(rb"[a-z]\w*", text.encode())}
    return " ".join(words[start].decode() for start in in_code(words, text.encode(), lexis))


@pytest.mark.parametrize(
    ("language", "text", "names"),
    [
        ("python", 'x = "a" # b', "x"),
        ("python", 'u = f"{v}b{c!r:{w}}" + \'d\' + """e\n"f" """ + g', "u f v c r w g"),
        ("c", "a /* b */ 'c' // d \\\n e\nf", "a f"),
        ("c", '#include <x.h>\nint y = "\\"z";', "include int y"),
        ("cpp", '1\'000 + a + R"x(b")")x" + \'c\' + d', "a d"),
        ("rust", "fn f<'a>(x: &'a u8) { 'b'; r#\"c\"d\"#; e }", "fn f a x a u8 r e"),
        ("rust", "a /* b /* c */ d */ e", "a e"),
        ("go", "a `b\n\\` 'c' + d", "a d"),
        ("java", '"""a "b" """ + c + \'d\'', "c"),
        ("javascript", "a = b / c / d; e = /f'/g; `h${i + `j${k}`}l`; m", "a b c d e i k m"),
        ("javascript", "#!/usr/bin/a\nb // c", "b"),
        ("typescript", "type a = 'b' // c", "type a"),
        ("tsx", "const a = <b c='d'>{e}</b>", "const a b c e b"),
        ("kotlin", '"a $b ${c("d")} e" + """f"g$h""" + \'i\' + j', "b c h j"),
        ("scala", 's"a$b ${c}d" + "e$f" + """g"h""" + \'i\' + j', "s b c j"),
        ("swift", '"a\\(b)c" + #"d"e"# + """\nf"g\\(h)""" /* i /* j */ k */ l', "b h l"),
        ("csharp", '@"a""b" + $"c{d}e{{f}}" + $@"g{h}""i" + """j"k""" + l', "d h l"),
        ("php", "a <?php $b 'c' . \"d $e {$f->g}\" # h\n?>i<?php j", "b e f g j"),
        ("lua", "a --[[ b\n]] c [==[d]]]==] e -- f", "a c e"),
        ("ruby", 'a "b#{c}d" # e\nf(<<~X, g)\n  h #{i}\nX\nj = k / l / m; n = /o\'/', "a c f g i j k l m n"),
        ("ruby", "=begin\na\n=end\nb %w[c d] ?' e\n__END__\nf", "b e"),
        ("bash", 'a "b $c $(d "e")" # f\ng#h \'i\' j\\\'k\ncat <<X\nl $m\nX\nn', "a c d g h j k cat m n"),
    ],
)
def test_names_in_comments_and_strings_are_no_code(language: str, text: str, names: str) -> None:
    assert names_in_code(language, text) == names


LEXED_LANGUAGES = sorted(name for name, language in LANGUAGES.items() if language.source.lexis is not None)


def test_every_language_whose_names_are_resolved_has_a_lexer() -> None:
    resolved = {name for name, language in LANGUAGES.items() if language.semantics is not None}
    assert resolved <= {*LEXED_LANGUAGES}


@pytest.mark.parametrize("name", LEXED_LANGUAGES)
@given(text=st.text("ab \n\\'\"`#/*{}()[]$<>-=%@rR_EX", max_size=80))
def test_spans_follow_one_another_whatever_the_text(name: str, text: str) -> None:
    lexis = LANGUAGES[name].source.lexis
    assert lexis is not None
    at = 0
    for span in spans(text.encode(), lexis):
        assert at <= span.start <= span.end <= len(text.encode())
        at = span.end


OPENINGS = """ " ' ` \"\"\" r#" R"a( @" $"{ ##" /* =/[ <<A %w< %q( `${ {$ "#{ [[ $( """.split()


@pytest.mark.parametrize("name", LEXED_LANGUAGES)
def test_openings_that_nothing_closes_are_read_in_one_pass(name: str) -> None:
    lexis = LANGUAGES[name].source.lexis
    assert lexis is not None
    for opening in OPENINGS:
        content = b"".join(f"{opening}x{number} ".encode() for number in range(20_000))
        assert sum(span.end - span.start for span in spans(content, lexis)) <= len(content)


CODE_IN_STRINGS = {"bash", "rust"}
"""Languages whose commands and macros read names in strings: ``trap 'clean' EXIT``, ``println!("{total}")``."""


@pytest.mark.parametrize("name", LEXED_LANGUAGES)
def test_every_name_that_the_parser_finds_in_the_fixtures_is_code_for_the_lexer(name: str) -> None:
    missed = []
    for file in sorted(FIXTURES.rglob("*")):
        content = file.read_bytes() if file.is_file() else b""
        language = language_in(file.name, content)
        if language is None or language.name != name or language.source.lexis is None:
            continue
        known = facts(language.parser().parse(content).root_node, content, language)
        strings = [span for span in spans(content, language.source.lexis) if not span.comment]
        quotes = bool(language.semantics and language.semantics.uses.quotes)
        offsets = sorted(at for at, use in _offsets(content, known) if not (quotes and _in_type(at, use, strings)))
        if language.semantics is not None and language.semantics.types.read_documentation is not None:
            documented = [one for one in spans(content, language.source.lexis) if content.startswith(b"/**", one.start)]
            offsets = [at for at in offsets if not any(span.start <= at < span.end for span in documented)]
        if name in CODE_IN_STRINGS:
            offsets = [at for at in offsets if not any(span.start <= at < span.end for span in strings)]
        found = set(in_code(offsets, content, language.source.lexis))
        named = (at for at in offsets if at not in found and not _quoted(content, at))
        missed += [(file.name, content[at : at + 20]) for at in named]
    assert not missed


def _quoted(content: bytes, at: int) -> bool:
    """Return whether a name is spelled as a string: a property with quotes, a constant that a call defines."""
    return any(quote in content[max(0, at - 1) : at + 1] for quote in (b"'", b'"'))


def _in_type(at: int, use: Use, strings: Sequence[Span]) -> bool:
    """Return whether a use is a type in quotes, which a language without a parser cannot tell from other strings."""
    return use.role is Role.Type and any(span.start <= at < span.end for span in strings)


def _offsets(content: bytes, found: Facts) -> Iterator[tuple[int, Use]]:
    starts = [0, *(match.end() for match in re.finditer(rb"\n", content))]
    for uses in found.uses.values():
        for use in uses:
            line = content[starts[use.line - 1] :].partition(b"\n")[0].decode()
            yield starts[use.line - 1] + len(line[: use.column - 1].encode()), use


# References


def test_a_use_whose_line_has_changed_meanwhile_is_not_shown(
    tmp_path: Path, opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    ask = opened(write(tmp_path, {"a.py": "def f():\n    pass\n", "b.py": "from a import f\n\nf()\nf()\n"}))
    before = occurrence_lines.occurrences_by_line

    def late(index: Index, found: object) -> object:
        (tmp_path / "b.py").write_text("from a import f\n\ng()\nf()\n")
        return before(index, found)  # type: ignore[arg-type]

    monkeypatch.setattr("leadline_tools.navigation.find_references.occurrences_by_line", late)
    assert "3 references" in ask("find_references", symbol="a.f")


def _until(batches: int) -> Callable[[IndexedProject], bool]:
    """Return what says that the time is up after so many looks at the clock."""
    looks = iter(range(1 << 30))
    return lambda _project: next(looks) >= batches


@pytest.fixture
def many(tmp_path: Path, opened: Open, monkeypatch: pytest.MonkeyPatch) -> Asking:
    monkeypatch.setattr(references, "_BATCH_FILES", 1)
    users = {f"user_{number}.py": f"from lib import f\n\nf()  # f {number}\n" for number in range(9)}
    return opened(write(tmp_path, {"lib.py": "def f():\n    pass\n", **users}))


def test_what_was_not_resolved_in_time_is_counted_in_code(many: Asking, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(IndexedProject, "late", property(_until(4)))
    text = many("find_references", symbol="lib.f")
    files = re.search(r">=(\d+) references in (\d+) files", text)
    assert files is not None
    left = 10 - int(files[2])
    assert left > 0
    assert f"not examined: {3 * left} in {left} files, ask again for more" in text
    assert 'next: find_references(symbol="lib.f")' in text


def test_in_a_rest_that_is_too_large_to_count_in_each_file_stands_for_one_token(
    many: Asking, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(IndexedProject, "late", property(_until(2)))
    monkeypatch.setattr(omissions, "_COUNTED_BYTES", 0)
    assert "not examined: >=9 in 9 files, " in many("find_references", symbol="lib.f")


def test_a_question_without_patience_says_what_was_not_examined_and_the_next_one_finds_it(many: Asking) -> None:
    hurried = many.session.call(Request("find_references", {"symbol": "lib.f"}, patience=Patience(0)))
    assert hurried.text.startswith("find_references lib.f: no certain references, 28 not examined |")
    assert "not examined: 28 in 10 files, ask again for more" in hurried.text
    assert "19 references in 10 files, complete" in many("find_references", symbol="lib.f")


def test_what_is_left_is_looked_into_once_the_answer_is_made(many: Asking, monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[str] = []
    submit, sent = RootWorkers.submit_last, Session._respond

    def submitted(
        workers: RootWorkers,
        operation: Operation,
        paths: Sequence[str],
        deliver: Deliver,
        processes: int,
        *,
        unhurried: bool,
    ) -> None:
        done.extend(paths)
        submit(workers, operation, paths, deliver, processes, unhurried=unhurried)

    def answered(session: Session, request: Request, tool: Tool, stored: Stored, asked: int | None) -> Response:
        response = sent(session, request, tool, stored, asked)
        done.append(response.text.partition(":")[0])
        return response

    monkeypatch.setattr(RootWorkers, "submit_last", submitted)
    monkeypatch.setattr(Session, "_respond", answered)
    monkeypatch.setattr(IndexedProject, "late", property(_until(4)))
    many("find_references", symbol="lib.f")
    assert many.session.index.facts.wait(INDEXING_SECONDS)
    assert done[0] == "find_references lib.f"
    assert len(done) > 1


def test_an_answer_that_was_not_complete_is_not_given_again(many: Asking, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(IndexedProject, "late", property(_until(4)))
    assert ">=" in many("find_references", symbol="lib.f")
    monkeypatch.undo()
    text = many("find_references", symbol="lib.f")
    assert "19 references in 10 files, complete" in text
    assert "not examined" not in text


def test_the_uses_of_what_belongs_to_a_function_are_in_its_file(tmp_path: Path, opened: Open) -> None:
    files = {"a.py": "def f():\n    def inner():\n        pass\n\n    inner()\n", "b.py": "import x\n\nx.inner()\n"}
    text = opened(write(tmp_path, files))("find_references", symbol="a.py:2")
    assert "2 references, complete" in text
    assert "account: exact 2, another symbol 1" in text


def test_what_one_question_found_out_does_not_outlive_a_change(tmp_path: Path, opened: Open) -> None:
    files = {"lib.py": "class A:\n    def f(self):\n        pass\n", "use.py": "from lib import A\n\nA().f()\n"}
    ask = opened(write(tmp_path, files))
    assert "use.py" in ask("find_references", symbol="A.f")
    (tmp_path / "lib.py").write_text(
        "class A:\n    def f(self):\n        pass\n\nclass B:\n    def f(self):\n        pass\n"
    )
    (tmp_path / "use.py").write_text("from lib import B as A\n\nA().f()\n")
    assert "use.py" not in ask("find_references", symbol="A.f", tier="likely")
    assert "use.py" in ask("find_references", symbol="B.f")


def test_groups_that_nothing_reads_cost_nothing() -> None:
    seconds = []
    for pattern in ("q*", "(" * 490 + ")" * 490):
        find = finder(pattern, regex=True)
        started = time.process_time()
        assert find.lines(b"some text\n" * 2_000) == []
        seconds.append(time.process_time() - started)
    assert seconds[1] < 5 * seconds[0] + 0.1


def test_a_search_ends_within_a_file_when_nobody_waits_for_it() -> None:
    token = cancellation.Token()
    find = finder("q*", regex=True)
    token.cancel()
    with pytest.raises(cancellation.Cancelled):
        token.run(lambda: find.lines(b"some text\n" * 2_000))
