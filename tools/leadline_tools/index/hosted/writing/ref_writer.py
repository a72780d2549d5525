"""The writer of a ref: from the tree of a commit to the ref that holds it, parsing only what no repository has."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from leadline_tools.index.hosted.blob_form import form_of, rules_of
from leadline_tools.index.hosted.manifest import Manifest
from leadline_tools.index.hosted.writing.content_parser import ContentParser, FileToParse, words_of_names
from leadline_tools.index.hosted.writing.repository_writer import BlobKey, BlobWords, RefMove, RefRow, RepositoryWriter
from leadline_tools.index.packing.packed_symbols import names_in
from leadline_tools.index.store.packed_vocabulary import PackedPart, packed_part, unpacked_part
from leadline_tools.index.store.vocabulary import merged, parts_of
from leadline_tools.index.tree.stored_tree import StoredTree
from leadline_tools.index.workers.root_workers import RootWorkers
from leadline_tools.index.workers.worker_pool import WorkerPool

_MOST_FILES = 500
_MOST_BYTES = 8 << 20
"""What is parsed and added together."""

_AT_ONCE = 1_000
"""Blobs of which the symbols are read together."""

_GONE = PackedPart(b"", b"")


@dataclass(frozen=True, slots=True)
class RefUpdate:
    """What an update of a ref did.

    Args:
        files: How many files the ref has.
        parsed: How many contents were read and parsed.
        shared: How many contents another repository had already.
        moved: Whether the ref is at another commit, or under other rules, than before.

    """

    files: int
    parsed: int
    shared: int
    moved: bool


class RefWriter:
    """Brings refs of one repository to the commits of trees."""

    def __init__(self, into: RepositoryWriter, pool: WorkerPool) -> None:
        self._into = into
        self._pool = pool

    def update(self, name: str, commit: str, tree: StoredTree) -> RefUpdate:
        """Bring a ref to a commit, whose ``tree`` has no name; nothing is seen of it before it is complete."""
        ref, rules = self._into.ref(name), rules_of(tree.policy)
        walked = tree.walk()
        files = [file for one in walked.files if (file := tree.find(one.path)) is not None]
        if (ref.commit, ref.rules) == (commit, rules):
            return RefUpdate(len(files), 0, 0, moved=False)
        keys = [BlobKey(file.key, form_of(file.path, tree.policy)) for file in files]
        wanted = {key: FileToParse(file, key) for file, key in zip(files, keys, strict=True)}
        known = self._into.known(list(wanted), rules)
        workers = RootWorkers(tree, self._pool)
        parser = ContentParser(tree, workers)
        try:
            missing = [one for key, one in wanted.items() if key not in known]
            shared = self._add_postings_of_known(parser, {blob: wanted[key] for key, blob in known.items()})
            for batch in _batches(missing):
                known.update(self._add(parser, batch, rules))
        finally:
            workers.close()
        manifest = Manifest([file.path for file in files], [known[key] for key in keys], walked.skipped)
        anew = not ref.commit or ref.rules != rules
        vocabulary = self._vocabulary(ref, manifest.blobs, anew=anew)
        blobs = {*manifest.blobs}
        self._into.move(RefMove(ref.id, commit, rules, manifest.packed(), blobs, vocabulary, anew, len(files)))
        return RefUpdate(len(files), len(missing), shared, moved=True)

    def _add(self, parser: ContentParser, batch: Sequence[FileToParse], rules: str) -> Iterable[tuple[BlobKey, int]]:
        """Parse some files and add their contents; return the ids of these."""
        new = parser.parse(batch)
        ids = self._into.add(new, rules)
        held = self._into.held(ids)  # another indexer may have been faster
        pairs = list(zip(ids, new, strict=True))
        words = (BlobWords(blob, one.words, words_of_names(one.names)) for blob, one in pairs if blob not in held)
        self._into.add_postings(list(words))
        return [(one.key, blob) for blob, one in pairs]

    def _add_postings_of_known(self, parser: ContentParser, known: Mapping[int, FileToParse]) -> int:
        """Add the postings of contents that another repository has brought; return how many there are."""
        unheld = sorted(known.keys() - self._into.held(known))
        for some in _runs(unheld, _MOST_FILES):
            names = self._into.names(some)
            self._into.add_postings(
                [
                    BlobWords(blob, parser.words(known[blob].file.path), words_of_names(names.get(blob, b"")))
                    for blob in some
                ]
            )
        return len(unheld)

    def _vocabulary(self, ref: RefRow, blobs: Iterable[int], *, anew: bool) -> Mapping[tuple[int, int], PackedPart]:
        """Return the parts of the vocabulary of a ref that are others once it has some blobs."""
        before = () if anew else Manifest.unpacked(self._into.manifest(ref.id)).blobs
        change = Counter(blobs)
        change.subtract(before)
        counts: Counter[bytes] = Counter()
        for some in _runs(sorted(blob for blob, times in change.items() if times), _AT_ONCE):
            for blob, packed in self._into.symbols(some).items():
                for name in names_in(packed).split(b"\n"):
                    counts[name] += change[blob]
        changed = {(part.length, int(part.case)): part for part in parts_of(counts)}
        kept = {} if anew else self._into.vocabulary(ref.id, changed)
        found: dict[tuple[int, int], PackedPart] = {}
        for key, part in changed.items():
            old = [unpacked_part(*key, *kept[key])] if key in kept else []
            together = merged([*old, part])
            found[key] = packed_part(together[0]) if together else _GONE
        return found


def _runs(blobs: Sequence[int], length: int) -> Iterator[Sequence[int]]:
    """Yield blobs in runs of a length."""
    return (blobs[start : start + length] for start in range(0, len(blobs), length))


def _batches(files: Sequence[FileToParse]) -> Iterator[Sequence[FileToParse]]:
    """Yield files in runs that are parsed together."""
    batch: list[FileToParse] = []
    size = 0
    for one in files:
        if batch and (len(batch) == _MOST_FILES or size + one.file.size > _MOST_BYTES):
            yield batch
            batch, size = [], 0
        batch.append(one)
        size += one.file.size
    if batch:
        yield batch
