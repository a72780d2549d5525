"""The engines for Python: three type checkers over their protocol, and Jedi.

They are installed in one virtual environment, together with what the corpora import:

    python -m venv DIR; DIR/bin/pip install ty basedpyright pyrefly jedi asgiref sqlparse httpcore anyio certifi ...

They read the tree in a copy, which has a configuration for each of them: the folders from which its modules are
imported. What they tell of methods is checked, see ``confirmed``.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from truth.confirmed import Confirmed, Leading
from truth.corpus import Corpus
from truth.engine import Engine, Told
from truth.lsp import LanguageServer, Server
from truth.record import Drawn, Place

SOURCES = {
    "django": (".", "tests"),
    "httpx": (".",),
    "flask": ("src", "tests"),
    "sqlalchemy": ("lib", "."),
    "click": ("src", "tests"),
    "poetry": ("src", "."),
}
"""The folders from which a corpus imports its modules."""


def engines(corpus: Corpus, name: str, copy: Path, folder: Path) -> Sequence[Engine]:
    """Return the engines of the virtual environment at ``folder`` for a copy of a corpus."""
    return [Confirmed(engine, corpus) for engine in leading(corpus, name, copy, folder)]


def leading(corpus: Corpus, name: str, copy: Path, folder: Path) -> Sequence[Leading]:
    """Return the same as they are, unchecked."""
    return [*servers(corpus, name, copy, folder), Jedi(corpus, copy, folder, _sources(name, copy))]


def servers(corpus: Corpus, name: str, copy: Path, folder: Path) -> Sequence[LanguageServer]:
    """Return those that are language servers; what they tell is not checked."""
    _configure(copy, folder, _sources(name, copy))
    analysis = {"diagnosticMode": "openFilesOnly", "typeCheckingMode": "off", "indexing": True}
    interpreter = str(folder / "bin/python")
    kinds = [
        Server(version_in(folder, "ty"), [str(folder / "bin/ty"), "server"], "python", opens=False),
        Server(
            version_in(folder, "pyrefly"),
            [str(folder / "bin/pyrefly"), "lsp", "--indexing-mode", "lazy-blocking"],
            "python",
        ),
        Server(
            version_in(folder, "basedpyright"),
            [str(folder / "bin/basedpyright-langserver"), "--stdio"],
            "python",
            {"python": {"pythonPath": interpreter, "analysis": analysis}, "basedpyright": {"analysis": analysis}},
        ),
    ]
    return [LanguageServer(server, corpus, copy) for server in kinds]


def version_in(folder: Path, package: str) -> str:
    """Return the name and the version of a package in a virtual environment."""
    code = f"import importlib.metadata as m; print(m.version({package!r}))"
    ran = subprocess.run([folder / "bin/python", "-c", code], capture_output=True, text=True, check=True)
    return f"{package} {ran.stdout.strip()}"


def _sources(name: str, copy: Path) -> Sequence[Path]:
    """Return the folders of a copy from which its modules are imported."""
    return [copy / source for source in SOURCES.get(name, (".",))]


def _configure(copy: Path, folder: Path, sources: Sequence[Path]) -> None:
    """Write what each checker reads of the copy."""
    paths = json.dumps([str(source) for source in sources])
    interpreter = json.dumps(str(folder / "bin/python"))
    (copy / "ty.toml").write_text(f'[environment]\nroot = {paths}\npython = "{folder}"\npython-version = "3.11"\n')
    (copy / "pyrefly.toml").write_text(
        f'search-path = {paths}\npython-interpreter-path = {interpreter}\nproject-includes = ["**/*.py"]\n'
    )
    (copy / "pyrightconfig.json").write_text(
        json.dumps({"extraPaths": [str(source) for source in sources], "typeCheckingMode": "off", "exclude": []})
    )


class Jedi:
    """Jedi, in a process of its environment: it is asked a line of JSON, and answers with one."""

    def __init__(self, corpus: Corpus, copy: Path, folder: Path, sources: Sequence[Path]) -> None:
        self._corpus = corpus
        self.version = version_in(folder, "jedi")
        self._paths = frozenset(corpus.paths)
        program = Path(__file__).with_name("jedi_answers.py")
        self._process = subprocess.Popen(
            [folder / "bin/python", program, copy, *sources],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=sys.stderr,
            text=True,
        )

    def sees(self, path: str) -> bool:
        """Return whether it looks into a file."""
        return path in self._paths

    def tell(self, symbols: Iterable[Drawn]) -> Iterator[Told | None]:
        """Yield for each symbol what means it; None for one that Jedi does not know."""
        for symbol in symbols:
            places = frozenset(there for there in self._asked("references", symbol.place) if there is not None)
            yield Told(places) if symbol.place in places else None

    def definitions(self, place: Place) -> frozenset[Place | None]:
        """Return where what stands at a place is defined, past imports; None for what is outside of the corpus."""
        return frozenset(self._asked("definitions", place))

    def _asked(self, wanted: str, place: Place) -> Iterator[Place | None]:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        print(json.dumps((wanted, *place)), file=self._process.stdin, flush=True)
        for there in json.loads(self._process.stdout.readline() or "[]"):
            yield Place(*there) if there is not None and there[0] in self._paths else None

    def close(self) -> None:
        """End the process."""
        self._process.kill()
        self._process.wait()
