"""The rows of a hosted ref: they answer as those of SQLite do, and a ref is at one commit or at the next."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from leadline_tools import deflated
from leadline_tools.database.address import DatabaseAddress
from leadline_tools.database.migrations import migrate
from leadline_tools.database.pool import DatabasePool
from leadline_tools.index.files.file import DONE, File
from leadline_tools.index.hosted.area import AREA
from leadline_tools.index.hosted.catalogue import Catalogue
from leadline_tools.index.hosted.hosted_reader import HostedReader
from leadline_tools.index.hosted.manifest import Manifest
from leadline_tools.index.hosted.postgres_rows import PostgresRows
from leadline_tools.index.hosted.writing.content_parser import words_of_names
from leadline_tools.index.hosted.writing.repository_writer import (
    BlobKey,
    BlobWords,
    NewBlob,
    RefMove,
    RefTaken,
    RepositoryWriter,
    TooManyRefs,
    writing,
)
from leadline_tools.index.packing.packed_symbols import pack
from leadline_tools.index.store.packed_vocabulary import packed_part
from leadline_tools.index.store.rows import Blob, Held, RowReader, Words
from leadline_tools.index.store.sqlite_rows import SqliteRows
from leadline_tools.index.store.vocabulary import parts_of
from leadline_tools.index.store.words import WordPart, tokens
from leadline_tools.index.tree.walked_files import Skipped
from leadline_tools.languages.outline import Definition
from leadline_tools.model import SymbolKind

_RULES = "the rules of this test"
_WORDS = ("alpha", "Alpha", "beta_2", "größe", "GRÖSSE", "x", "a" * 900, "日本", "one.two", "e9", "it's", 'say"so')


@pytest.fixture(scope="module")
def pool(postgres: object) -> Iterator[DatabasePool]:
    """A database with the tables of the hosted index."""
    url = postgres.fresh()  # type: ignore[attr-defined]
    address = DatabaseAddress.parse(url)
    migrate(address, [AREA])
    with closing(DatabasePool(address)) as pool:
        yield pool
    postgres.drop(url)  # type: ignore[attr-defined]


class _Text:
    """A content: its text, and the names that it defines."""

    def __init__(self, text: str, names: Sequence[str]) -> None:
        self.text, self.names = text, tuple(names)
        self.digest = hashlib.sha256(repr((text, names)).encode()).digest()[:16]

    @property
    def listed(self) -> str:
        return "\n".join(self.names)

    @property
    def symbols(self) -> bytes:
        return pack([_definition(name, line) for line, name in enumerate(self.names, 1)]) if self.names else b""


def _definition(name: str, line: int) -> Definition:
    return Definition(name, SymbolKind.Function, line, 1, line, line, "", -1, (0, 0), (0, 0), None)


def _new_blob(text: _Text) -> NewBlob:
    return NewBlob(
        BlobKey(text.digest, ".py"),
        0,
        text.digest,
        len(text.text),
        1,
        DONE,
        "",
        text.text.encode(),
        frozenset(tokens(text.text)),
        deflated.compress(text.listed.encode()) if text.names else b"",
        text.symbols,
    )


def _host(writer: RepositoryWriter, files: Mapping[str, _Text], ref: str, commit: str) -> int:
    """Bring a ref to some files; return its id."""
    row = writer.ref(ref)
    new = {text.digest: _new_blob(text) for text in files.values()}
    ids = dict(zip(new, writer.add([*new.values()], _RULES), strict=True))
    held = writer.held(ids.values())
    words = [
        BlobWords(ids[digest], one.words, words_of_names(one.names))
        for digest, one in new.items()
        if ids[digest] not in held
    ]
    writer.add_postings(words)
    paths = sorted(files)
    counts: dict[bytes, int] = {}
    for path in paths:
        for name in files[path].names:
            counts[name.encode()] = counts.get(name.encode(), 0) + 1
    vocabulary = {(part.length, int(part.case)): packed_part(part) for part in parts_of(counts)}
    manifest = Manifest(paths, [ids[files[path].digest] for path in paths], [Skipped("link", "it leads out")])
    writer.move(RefMove(row.id, commit, _RULES, manifest.packed(), {*ids.values()}, vocabulary, anew=True))
    return row.id


def _hosted_rows(pool: DatabasePool, ref: int) -> PostgresRows:
    reader = HostedReader(pool)
    catalogue = Catalogue(reader, ())
    found = catalogue.manifest(ref)
    assert found is not None
    _, repository, packed = found
    manifest = Manifest.unpacked(packed)
    blobs = reader.blobs(manifest.blobs)
    known = [blobs[blob] for blob in manifest.blobs]
    digests, done = [one.digest for one in known], [one.done for one in known]
    return PostgresRows(reader, repository, manifest.blobs, digests, done, catalogue.vocabulary(ref))


def _embedded_rows(files: Mapping[str, _Text]) -> SqliteRows:
    rows = SqliteRows(None)
    with rows.writing() as writer:
        for number, path in enumerate(sorted(files), 1):
            text = files[path]
            writer.put_words(Words.Text, number, text.text)
            writer.put_words(Words.Names, number, text.listed)
            writer.put_blobs(Blob.Symbols, {number: text.symbols})
            writer.put_files([File(number, path, len(text.text), 0, 1, text.digest, DONE, "")])
    return rows


_words = st.lists(st.sampled_from(_WORDS), max_size=6)
_texts = st.builds(lambda words, names: _Text(" ".join(words), sorted({*names})), _words, _words)
_trees = st.dictionaries(st.sampled_from([f"src/{name}.py" for name in "abcdef"]), _texts, min_size=1)


def _answers(rows: RowReader, files: int) -> Iterator[object]:
    """Yield what rows answer to all that is asked of words, in every way that does not depend on an engine's order."""
    single = sorted({token for word in _WORDS for token in tokens(word)})
    for where in Words:
        for word in single:
            yield sorted(rows.holding(where, [word]))
            yield rows.count(where, [word])
            yield sorted(rows.holding(where, (), beginning=word[:3]))
            yield sorted(rows.holding(where, [single[0]], beginning=word))
            yield len(rows.holding(where, [word], 1))
            yield sorted(rows.holding_among(where, [word], [*range(1, files, 2)]))
        yield sorted(rows.holding(where, single[:2]))
        yield sorted(rows.holding_any(where, single[2:5]))
        clauses = [[Held(single[:1]), Held(single[1:2])], [Held((), single[3][:2])]]
        yield sorted(rows.holding_each(where, clauses))
    yield [rows.symbols_of(number, DONE) for number in range(1, files + 1)]
    yield sorted(rows.symbols())
    yield sorted(rows.symbols([1]))
    yield [rows.blob(kind, number) for kind in Blob for number in range(1, files + 1)]
    for name in _WORDS:
        yield rows.vocabulary().definitions(name)
    yield sorted(rows.vocabulary().inside("a").names)
    yield rows.vocabulary().total


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(trees=st.lists(_trees, min_size=1, max_size=4))
def test_rows_of_a_ref_answer_as_those_of_sqlite_however_it_has_moved(
    pool: DatabasePool, trees: Sequence[Mapping[str, _Text]]
) -> None:
    ref = 0
    with writing(pool, "example.org/a/moving", "") as writer:
        for number, files in enumerate(trees):
            ref = _host(writer, files, "main", f"{number:040x}")
    files = trees[-1]
    with closing(_embedded_rows(files)) as embedded:
        assert list(_answers(_hosted_rows(pool, ref), len(files))) == list(_answers(embedded, len(files)))


@pytest.mark.parametrize(
    ("part", "holding"),
    [
        (WordPart("eta", ends=False), [1]),
        (WordPart("a_2", ends=True), [1]),
        (WordPart("a_", ends=True), []),
        (WordPart("%", ends=False), []),
        (WordPart("alph", ends=False), [2]),
    ],
)
def test_files_are_found_by_a_part_of_a_word(pool: DatabasePool, part: WordPart, holding: list[int]) -> None:
    with writing(pool, "example.org/a/parts", "") as writer:
        ref = _host(writer, {"a.py": _Text("beta_2 x", []), "b.py": _Text("alpha x", [])}, "main", "6" * 40)
    rows = _hosted_rows(pool, ref)
    assert rows.holding_part([part], 9) == holding
    assert rows.holding_part([WordPart("a", ends=False)], 1) is None


def test_refs_and_repositories_share_contents_and_nothing_else(pool: DatabasePool) -> None:
    shared, own, other = _Text("shared words", ["shared"]), _Text("of one alone", ["own"]), _Text("another", ["other"])
    with writing(pool, "example.org/a/one", "") as writer:
        one = _host(writer, {"x.py": shared, "y.py": own}, "main", "1" * 40)
        two = _host(writer, {"x.py": shared}, "next", "2" * 40)
    with writing(pool, "example.org/a/two", "") as writer:
        three = _host(writer, {"z.py": shared, "y.py": other}, "main", "3" * 40)
    found = [_hosted_rows(pool, ref) for ref in (one, two, three)]
    assert [rows.count(Words.Text, ["shared"]) for rows in found] == [1, 1, 1]
    assert [rows.count(Words.Text, ["alone"]) for rows in found] == [1, 0, 0]
    assert [rows.count(Words.Names, ["other"]) for rows in found] == [0, 0, 1]
    with pool.connection() as connection:
        blobs = connection.execute("select count(*) from blob where git = %s", (shared.digest,)).fetchone()
        refs = connection.execute("select refs from holder join blob on blob = id where git = %s", (shared.digest,))
        assert blobs == (1,)
        assert sorted(refs.fetchall()) == [(1,), (3,)]


def test_a_question_reads_one_state_while_a_ref_moves(pool: DatabasePool) -> None:
    with writing(pool, "example.org/a/read", "") as writer:
        ref = _host(writer, {"a.py": _Text("before", [])}, "main", "4" * 40)
        reader = HostedReader(pool)
        catalogue = Catalogue(reader, ())
        with reader.transaction():
            before = catalogue.manifest(ref)
            _host(writer, {"b.py": _Text("after", [])}, "main", "5" * 40)
            assert catalogue.manifest(ref) == before
        assert catalogue.manifest(ref) != before
        [state] = [state for state in catalogue.refs() if state.id == ref]
        assert (state.repository, state.name, state.commit, state.moves) == ("example.org/a/read", "main", "5" * 40, 2)


def test_two_indexers_do_not_write_one_repository(pool: DatabasePool) -> None:
    with writing(pool, "example.org/a/taken", ""):
        with pytest.raises(RefTaken, match="Another indexer"), writing(pool, "example.org/a/taken", ""):
            pass
        with writing(pool, "example.org/a/free", ""):
            pass
    with writing(pool, "example.org/a/taken", ""):
        pass


def test_a_repository_has_at_most_63_refs(pool: DatabasePool) -> None:
    with writing(pool, "example.org/a/many", "") as writer:
        ids = {writer.ref(f"r{number}").id for number in range(63)}
        assert len(ids) == 63
        with pytest.raises(TooManyRefs, match="63 refs already"):
            writer.ref("one more")
        assert writer.ref("r7").id in ids


def test_a_manifest_is_read_as_it_was_written() -> None:
    whole = Manifest(["a b/ü.py", "c\udcff"], [7, 2**31 - 1], [Skipped("d", "it is a pipe")])
    again = Manifest.unpacked(whole.packed())
    assert (list(again.paths), list(again.blobs), list(again.skipped)) == tuple(map(list, whole))
    assert not Manifest.unpacked(Manifest([], []).packed()).paths
    with pytest.raises(ValueError, match="damaged"):
        Manifest.unpacked(whole.packed()[:-3])
