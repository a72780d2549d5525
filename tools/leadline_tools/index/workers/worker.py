"""The worker process: parses, so that nothing that hostile input does to a parser happens in the server.

A worker reads requests from its standard input and writes replies to its standard output (see ``frames``), and ends
when its input ends. The system's alarm clock ends it when a file takes longer than the deadline, since parsing holds
the interpreter's lock and no thread of its own could; a limit on its memory makes a parse bomb end the worker, not the
machine.
"""

from __future__ import annotations

import contextlib
import ctypes
import gc
import json
import math
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from functools import cache, lru_cache, partial
from pathlib import Path
from typing import IO, TYPE_CHECKING

from leadline_tools.errors import BinaryFile, LeadlineError
from leadline_tools.index.packing import packed_facts, packed_includes, packed_relations
from leadline_tools.index.packing.packed_outline import packed
from leadline_tools.index.packing.packed_symbols import pack
from leadline_tools.index.packing.script_words import script_words
from leadline_tools.index.text.scan import occurrences
from leadline_tools.index.text.secret_files import SecretPolicy
from leadline_tools.index.text.source_text import Source
from leadline_tools.index.tree.disk.disk_files import DiskFiles
from leadline_tools.index.tree.source import Reader, Tree
from leadline_tools.index.workers.frames import Operation, Reply, Request, TreeOrigin, read_request, write_reply
from leadline_tools.index.workers.given_tree import GivenTree
from leadline_tools.languages import PARSED, embedded, language_by_name, language_in
from leadline_tools.languages.faults import faults, uncut
from leadline_tools.languages.highlighting import Highlight, highlights, highlights_of_regions
from leadline_tools.languages.language import Language, Parser
from leadline_tools.languages.lexing import in_code
from leadline_tools.languages.outline_walk.sources import symbols_besides_macros
from leadline_tools.languages.structural import UnusablePattern, knows, matches

if TYPE_CHECKING:
    from concurrent.futures import Executor

MEMORY = 1 << 30
"""Bytes of address space that parsing may take."""

_NICENESS, _LEAST = 5, 19
"""How far a worker stands back behind others: as a rule, and with what nobody waits for."""

_STACK = 16 << 20
"""Bytes of the stack of a thread that parses: a deep tree takes as much as the main thread has, and more."""

_WAITING = 3
"""How much longer than its work a file may take where other programs have the processors, and somebody waits for it."""

_KEPT_TREES = 8
"""Trees that are kept for the next request, with the files of each that were read last."""

_SET_DEATH_SIGNAL = 1
"""``PR_SET_PDEATHSIG`` of Linux."""

LARGEST = 4 << 20
"""Bytes of the largest file that is parsed; a larger one is data or generated, and stays in the text index alone."""

LARGEST_WITH_REGIONS = 16 << 20
"""Bytes of the largest file of which regions are parsed that are not larger than that together."""


def main() -> None:
    """Serve requests until the input ends."""
    _end_with_server()
    requests, replies = sys.stdin.buffer, _private_output()
    _limit_memory()
    _stand_back()
    _collect_seldom()
    with contextlib.suppress(BrokenPipeError):  # the server has ended, and nobody waits for the reply
        _serve(requests, replies)


def _serve(requests: IO[bytes], replies: IO[bytes]) -> None:
    accounted = start = time.process_time()
    while (request := read_request(requests)) is not None:
        tree = _disk_tree(request.tree) if request.contents is None else _given_tree(request)
        tree.known = dict(zip(request.paths, request.known, strict=False)).get
        with tree.reading() as reader:
            for path in request.paths:
                _alarm(request.deadline, math.inf if request.unhurried else request.deadline * _WAITING)
                reply = _run(partial(_reply, reader, request, path), unhurried=request.unhurried)
                spent = time.process_time() - accounted
                accounted += spent
                write_reply(replies, reply._replace(seconds=spent, start=start))
                start = 0.0
                _alarm(0, 0)


@lru_cache(_KEPT_TREES)
def _disk_tree(origin: TreeOrigin) -> Tree:
    return DiskFiles(Path(origin.root), SecretPolicy(origin.allowed), origin.name)


def _given_tree(request: Request) -> Tree:
    contents = dict(zip(request.paths, request.contents or (), strict=True))
    return GivenTree(contents, SecretPolicy(request.tree.allowed))


def _private_output() -> IO[bytes]:
    """Return the pipe to the server; whatever else prints goes to the error stream."""
    pipe = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    return pipe


def _end_with_server() -> None:
    """Have the system end this process with the server, even in the middle of parsing.

    Elsewhere than on Linux it ends with the file, or when the time for it is up.
    """
    if sys.platform == "linux":
        with contextlib.suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(_SET_DEATH_SIGNAL, signal.SIGKILL)


def _limit_memory() -> None:
    if sys.platform != "win32":
        import resource

        hard = resource.getrlimit(resource.RLIMIT_AS)[1]
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY if hard < 0 else min(hard, MEMORY), hard))


def _stand_back() -> None:
    """Leave the processors to whoever wants them besides, the server first."""
    if sys.platform != "win32":
        os.nice(_NICENESS)


def _run(function: Callable[[], Reply], *, unhurried: bool) -> Reply:
    """Call a function; one that is ``unhurried`` where all other programs go before it, if the system can do that."""
    if not unhurried or sys.platform != "linux":
        return function()
    return _unhurried_thread().submit(function).result()


@cache
def _unhurried_thread() -> Executor:
    """Return a thread of the lowest priority, as Linux has them: a process cannot raise its own again."""
    from concurrent.futures import ThreadPoolExecutor

    threading.stack_size(_STACK)
    return ThreadPoolExecutor(1, initializer=lambda: os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), _LEAST))


def _collect_seldom() -> None:
    """Look for garbage that refers to itself a hundredth as often: parsing makes many objects and hardly any of it."""
    gc.freeze()
    gc.set_threshold(100_000, 20, 20)
    gc.enable()


def _alarm(working: float, waiting: float) -> None:
    """End this process after some seconds of work, or some more of which other programs have most."""
    if sys.platform != "win32":
        signal.setitimer(signal.ITIMER_PROF, working)
        signal.setitimer(signal.ITIMER_REAL, 0 if waiting == math.inf else waiting)


def _reply(reader: Reader, request: Request, path: str) -> Reply:
    try:
        return _answered(reader.read(path), request)
    except BinaryFile:
        return Reply(b"", 0, b"", b"")
    except LeadlineError as error:
        return Reply(b"", 0, b"", b"", str(error))
    except Exception as error:  # one bad file never costs the others
        return Reply(b"", 0, b"", b"", f"{type(error).__name__}: {error}")


def _answered(source: Source, request: Request) -> Reply:
    operation = request.operation
    language = language_in(source.path, source.content)
    if language is None:
        return _with_names(source, [], b"") if operation is Operation.Symbols else Reply.of(source, b"", b"")
    if (
        operation is Operation.Symbols
        and language.source.textual
        and language.source.textual(source.path, source.content)
    ):
        return _besides_macros(source, language)
    if _code_size(source, language) > LARGEST:
        return Reply.of(source, b"", b"", "too large to parse")
    return _OPERATIONS[operation](source, language, request.argument)


def _code_size(source: Source, language: Language) -> int:
    """Return the bytes of the code of a file: most of a large notebook are pictures."""
    size = len(source.content)
    if not LARGEST < size <= LARGEST_WITH_REGIONS:
        return size
    regions = embedded.regions_of(source.path, source.content, language)
    return size if regions is None or language.outline.has_own_outline else len(regions.code)


@cache
def _parser(name: str) -> Parser:
    return PARSED[name].parser()


def _symbols(source: Source, language: Language, _argument: str) -> Reply:
    if not language.outline.indexed:
        return Reply.of(source, b"", b"")
    found, said = embedded.symbols_and_relations(source.path, source.content, language, _parser)
    relations = packed_relations.complete(said)
    known_as = script_words(language.name) if language_by_name(source.path) is None else ()
    words = [*[definition.name for definition in found], *packed_relations.tokens(relations), *known_as]
    return _with_names(source, words, pack(found) if found else b"", packed_relations.packed(relations))


def _besides_macros(source: Source, language: Language) -> Reply:
    """Return the reply for a header of macros: the names of what else it declares."""
    fits = len(source.content) <= LARGEST
    found = symbols_besides_macros(source.content, _parser(language.name)) if fits else []
    reply = _with_names(source, [definition.name for definition in found], pack(found) if found else b"")
    return reply._replace(textual=True)


def _with_names(source: Source, names: Sequence[str], payload: bytes, related: bytes = b"") -> Reply:
    """Return the reply for a file that is found by some names, with what it takes in."""
    taken = packed_includes.written(source.path, source.content) or ()
    listed = "\n".join(dict.fromkeys((*names, *map(packed_includes.token, taken)))).encode("utf-8", "replace")
    included = packed_includes.packed(taken)
    return Reply(source.digest, source.line_count, listed, payload, included=included, related=related)


def _outline(source: Source, language: Language, _argument: str) -> Reply:
    found = embedded.whole_outline(source.path, source.content, language, _parser)
    return Reply.of(source, b"", packed(source.content, found.definitions, found.unparsed))


def _facts(source: Source, language: Language, name: str) -> Reply:
    if name and not _may_use(source, language, name):
        return Reply.of(source, b"", b"")._replace(textual=True)
    found = embedded.facts(source.path, source.content, language, _parser)
    return Reply.of(source, b"", packed_facts.pack(found))


def _may_use(source: Source, language: Language, name: str) -> bool:
    """Return whether a name stands in code of a file, or may do."""
    regions = embedded.regions_of(source.path, source.content, language)
    if regions is None:
        return _uses(source.content, language, name)
    return bool(regions.undecided or (regions.language and _uses(regions.code, PARSED[regions.language], name)))


_MEMBERS = (b".%s", b'["%s"]', b"['%s']")
"""How a string, or an index that is one, names a member."""


def _uses(content: bytes, language: Language, name: str) -> bool:
    """Return whether a name is in code, or may be; one with a dot before it in a string that holds names as well."""
    if language.source.lexis is None or language.source.lexis.heredoc:
        return True
    if name.startswith(".") and any(form % name[1:].encode() in content for form in _MEMBERS):
        return True
    word = name.removeprefix(".").encode()
    if any(True for _ in in_code(occurrences(content, word), content, language.source.lexis)):
        return True
    is_documented = language.semantics.types.is_documented_type if language.semantics is not None else None
    return is_documented is not None and any(is_documented(offset, content) for offset in occurrences(content, word))


def _faults(source: Source, language: Language, other: str) -> Reply:
    """Return what does not parse in a file, or in what another text would make of it."""
    if embedded.regions_of(source.path, source.content, language) is not None and not language.outline.has_own_outline:
        return Reply.of(source, b"", json.dumps([]).encode())  # what does not parse may be glue
    parser = _parser(language.name)
    content = other.encode() or source.content
    found = faults(parser.parse(content).root_node, content, lambda text: parser.parse(text).root_node)
    return Reply.of(source, b"", json.dumps(uncut(found, content, language.source.directive)).encode())


def _matches(source: Source, language: Language, argument: str) -> Reply:
    pattern, rewrite = json.loads(argument)
    if not knows(language):
        return Reply.of(source, b"", json.dumps(f"{language.name} has no patterns").encode())
    try:
        return Reply.of(source, b"", json.dumps(matches(source.content, language, pattern, rewrite)).encode())
    except UnusablePattern as error:
        return Reply.of(source, b"", json.dumps(str(error)).encode())


def _highlights(source: Source, language: Language, argument: str) -> Reply:
    """Return what the tokens of some lines of a file are, those of the code in it among them."""
    first, last = json.loads(argument)
    content, regions = source.content, embedded.regions_of(source.path, source.content, language)
    found: list[Highlight] = []
    if regions is None or language.outline.has_own_outline:
        found += highlights(_parser(language.name).parse(content).root_node, content, first, last)
    if regions is not None and regions.language and regions.pieces:
        root = _parser(regions.language).parse(regions.code).root_node
        found += highlights_of_regions(root, regions, content, first, last)
    return Reply.of(source, b"", json.dumps(sorted(found)).encode())


_OPERATIONS: Mapping[Operation, Callable[[Source, Language, str], Reply]] = {
    Operation.Symbols: _symbols,
    Operation.Outline: _outline,
    Operation.Facts: _facts,
    Operation.Faults: _faults,
    Operation.Matches: _matches,
    Operation.Highlights: _highlights,
}

if __name__ == "__main__":
    main()
