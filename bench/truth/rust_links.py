"""The engine for definitions in Rust: the compiler, through the pages of sources that its rustdoc writes.

``rustdoc --generate-link-to-definition`` (nightly) makes a link of each path, method and local name in a page of
source code, and the link leads to the line of what the compiler means. It makes none of fields, of declarations, of
what stands in a macro and of what is not compiled: such identifiers have no truth. Of a method of a trait it does not
say whose implementation runs: where the tree has one of that name, a call has no truth either, nor has a field that is
initialised by a local name of the same spelling, which means both. Of a module in a file of its own it has the first
line that is no comment, which stands for the first line of the file. DIR holds the sources of the crates that a tree
needs, each in a folder of its name.
"""

from __future__ import annotations

import html
import posixpath
import re
import subprocess
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tree_sitter import Node

from leadline_tools.languages import LANGUAGES
from truth.corpus import Corpus
from truth.record import Place


@dataclass(frozen=True, slots=True)
class Crate:
    """A crate that is compiled: its name, the folder of its root file, the features that are on, and what it needs."""

    name: str
    folder: str
    features: Sequence[str] = ()
    needs: Sequence[str] = ()
    inside: bool = True
    edition: str = "2021"
    root: str = "lib.rs"


CRATES: Mapping[str, Sequence[Crate]] = {
    "itertools": (
        Crate("either", "either/src", ("use_std",), inside=False),
        Crate("itertools", "src", ("use_std", "use_alloc"), ("either",), edition="2018"),
    ),
    "regex": (
        Crate("regex_syntax", "regex-syntax/src", ("std", "unicode")),
        Crate(
            "regex_automata",
            "regex-automata/src",
            "std alloc syntax meta nfa dfa hybrid unicode nfa-thompson nfa-pikevm nfa-backtrack dfa-build dfa-search"
            " dfa-onepass".split(),
            ("regex_syntax",),
        ),
        Crate("regex_lite", "regex-lite/src", ("std", "string")),
        Crate("regex", "src", ("std", "unicode"), ("regex_syntax", "regex_automata")),
    ),
    "tokio": (
        Crate("pin_project_lite", "pin-project-lite/src", inside=False),
        Crate("bytes", "bytes/src", ("std",), inside=False),
        Crate(
            "tokio",
            "tokio/src",
            ("rt", "rt-multi-thread", "sync", "time", "io-util", "io-std", "fs"),
            ("pin_project_lite", "bytes"),
        ),
    ),
    "chrono": (
        Crate("num_traits", "num-traits/src", inside=False),
        Crate("chrono", "src", ("std", "alloc", "now"), ("num_traits",)),
    ),
    "syn": (
        Crate("unicode_ident", "unicode-ident/src", inside=False),
        Crate("proc_macro2", "proc-macro2/src", ("proc-macro",), ("unicode_ident",), inside=False),
        Crate("quote", "quote/src", ("proc-macro",), ("proc_macro2",), inside=False),
        Crate(
            "syn",
            "src",
            "derive full parsing printing visit visit-mut fold clone-impls extra-traits proc-macro".split(),
            ("proc_macro2", "quote", "unicode_ident"),
        ),
    ),
    "winnow": (Crate("winnow", "src", ("std", "alloc", "parser", "ascii", "binary")),),
    "num-bigint": (
        Crate("num_traits", "num-traits/src", ("std",), inside=False),
        Crate("num_integer", "num-integer/src", ("std",), ("num_traits",), inside=False),
        Crate("num_bigint", "src", ("std",), ("num_integer", "num_traits")),
    ),
    "clap": (
        Crate("anstyle", "anstyle/crates/anstyle/src", ("std",), inside=False),
        Crate("clap_lex", "clap_lex/src", edition="2024"),
        Crate(
            "clap_builder",
            "clap_builder/src",
            ("std", "help", "usage", "error-context", "string", "cargo", "env"),
            ("anstyle", "clap_lex"),
            edition="2024",
        ),
    ),
}
"""What is compiled of a tree, in this order; what is not inside of the tree is in DIR."""

_ANCHOR = re.compile(r"<a (?P<attributes>[^>]*)>(?P<text>.*?)</a>|<[^>]*>|(?P<plain>[^<]+)")
_HREF = re.compile(r'href="?(?P<href>[^"\s>]*)')
_PAGE = re.compile(r"<pre class=\"rust\"><code>(?P<code>.*)</code></pre>", re.DOTALL)
_NUMBER = re.compile(r"<a href=#\d+ id=\d+ data-nosnippet>\d+</a>")
_LAST = re.compile(r"(?P<name>\w+)!?\s*$")
_TAG = re.compile(r"<[^>]*>")
_FLAGS = ("-Zunstable-options", "--generate-link-to-definition", "--document-private-items")


def defining(corpus: Corpus, name: str, copy: Path, folder: Path) -> Sequence[RustLinks]:
    """Return the engine for a copy of a tree, of which all crates are compiled."""
    return [RustLinks(corpus, CRATES[name], copy, folder)]


class RustLinks:
    """Answers from the links in the pages that rustdoc writes."""

    def __init__(self, corpus: Corpus, crates: Sequence[Crate], copy: Path, folder: Path) -> None:
        ran = subprocess.run(["rustdoc", "+nightly", "--version"], capture_output=True, text=True, check=True)
        self.version = f"{ran.stdout.strip()}, links"
        self._paths = frozenset(corpus.paths)
        self._crates = {crate.name: crate for crate in crates if crate.inside}
        self._found: dict[Place, frozenset[Place | None]] = {}
        self._unclear = _Unclear.of(corpus)
        self._seen: set[str] = set()
        out = copy.parent / "rustdoc"
        for crate in crates:
            _compile(crate, copy, folder, out)
            pages = out / "doc/src" / crate.name
            for page in pages.rglob("*.rs.html") if crate.inside else ():
                path = f"{crate.folder}/{page.relative_to(pages).as_posix().removesuffix('.html')}"
                self._read(path, page.read_text(encoding="utf-8"))

    def sees(self, path: str) -> bool:
        """Return whether there is a page of a file."""
        return path in self._seen

    def definitions(self, place: Place) -> frozenset[Place | None]:
        """Return where what stands at a place is defined; None for what is outside of the tree."""
        return self._found.get(place, frozenset())

    def close(self) -> None:
        """Do nothing: all has been read."""

    def _read(self, path: str, page: str) -> None:
        code = _PAGE.search(page)
        if code is None:
            return
        self._seen.add(path)
        for number, line in enumerate(_NUMBER.sub("", code["code"]).split("\n"), 1):
            for column, name, href in _links(line):
                place = Place(path, number, column)
                for target in () if place in self._unclear.fields else self._targets(path, href):
                    if not self._unclear.may_be_implemented(name, target, href):
                        self._found[place] = frozenset((self._unclear.whole_file(name, target),))

    def _targets(self, path: str, href: str) -> Sequence[Place | None]:
        """Return where a link leads, None for outside of the tree; nothing where it says nothing of it."""
        where, _, fragment = href.partition("#")
        line = re.match(r"\d+", fragment)
        if not where:
            return (Place(path, int(line[0]), 1),) if line is not None else ()
        if where.startswith("http"):
            return (None,)
        crate = self._crate_of(path)
        page = posixpath.normpath(
            posixpath.join("src", crate.name, posixpath.dirname(path[len(crate.folder) + 1 :]), where)
        )
        parts = page.split("/")
        if parts[0] != "src":
            return () if parts[0] in self._crates else (None,)
        there = self._crates.get(parts[1])
        if there is None or line is None:
            return (None,) if there is None else ()
        return (Place(f"{there.folder}/{'/'.join(parts[2:]).removesuffix('.html')}", int(line[0]), 1),)

    def _crate_of(self, path: str) -> Crate:
        holding = [crate for crate in self._crates.values() if path.startswith(f"{crate.folder}/")]
        return max(holding, key=lambda crate: len(crate.folder))


@dataclass(slots=True)
class _Unclear:
    """What a link does not decide: fields by a local name, methods of traits that the tree implements."""

    fields: set[Place] = field(default_factory=set[Place])
    traits: set[tuple[str, int]] = field(default_factory=set[tuple[str, int]])
    implemented: set[str] = field(default_factory=set[str])
    first_lines: dict[str, int] = field(default_factory=dict[str, int])

    @classmethod
    def of(cls, corpus: Corpus) -> _Unclear:
        """Return what is unclear in a corpus."""
        unclear = cls()
        for path in corpus.paths:
            unclear._read(path, corpus.text(path).encode())
        return unclear

    def may_be_implemented(self, name: str, target: Place | None, href: str) -> bool:
        """Return whether a link leads to a method of a trait of which there is an implementation in the tree."""
        of_trait = "/trait." in href if target is None else target[:2] in self.traits
        return of_trait and name in self.implemented

    def whole_file(self, name: str, target: Place | None) -> Place | None:
        """Return the beginning of a file for a link to a module of its name: the compiler skips comments before it."""
        if target is None or self.first_lines.get(target.path) != target.line:
            return target
        *_, folder, file = ("", *target.path.removesuffix(".rs").split("/"))
        return Place(target.path, 1, 1) if name == (folder if file == "mod" else file) else target

    def _read(self, path: str, content: bytes) -> None:
        lines = content.split(b"\n")
        root = LANGUAGES["rust"].parser().parse(content).root_node
        code = (one for one in root.children if one.type not in ("line_comment", "block_comment"))
        self.first_lines[path] = next((one.start_point[0] + 1 for one in code), 1)
        for node in _walk(root):
            if node.type == "shorthand_field_initializer":
                name = node.named_children[-1]
                row, column = name.start_point
                self.fields.add(Place(path, row + 1, len(lines[row][:column].decode()) + 1))
            elif node.type == "trait_item":
                self.traits.update((path, one.start_point[0] + 1) for one in _functions(node))
            elif node.type == "impl_item" and node.child_by_field_name("trait") is not None:
                names = (one.child_by_field_name("name") for one in _functions(node))
                self.implemented.update(
                    name.text.decode() for name in names if name is not None and name.text is not None
                )


def _functions(node: Node) -> Iterable[Node]:
    body = node.child_by_field_name("body")
    kinds = ("function_item", "function_signature_item")
    return [one for one in body.named_children if one.type in kinds] if body is not None else ()


def _name(node: Node) -> str:
    name = node.child_by_field_name("name")
    return name.text.decode() if name is not None and name.text is not None else ""


def _walk(node: Node) -> Iterator[Node]:
    yield node
    for child in node.named_children:
        yield from _walk(child)


def _links(line: str) -> Iterator[tuple[int, str, str]]:
    """Yield the column at which the last name of a link begins, that name, and where it leads."""
    column = 1
    for found in _ANCHOR.finditer(line):
        text = html.unescape(found["plain"] or _TAG.sub("", found["text"] or ""))
        href = _HREF.search(found["attributes"] or "")
        if href is not None:
            last = _LAST.search(text)
            if last is not None:
                yield column + last.start(), last["name"], html.unescape(href["href"])
        column += len(text)


def _compile(crate: Crate, copy: Path, folder: Path, out: Path) -> None:
    """Compile a crate, and write its pages if it is inside of the tree."""
    source = (copy if crate.inside else folder) / crate.folder / crate.root
    given = [f"--edition={crate.edition}", f"--crate-name={crate.name}", f"-L{out}", "--cap-lints=allow"]
    given += [f"--cfg=feature={feature!r}".replace("'", '"') for feature in crate.features]
    given += [f"--extern={need}={out / f'lib{need}.rmeta'}" for need in crate.needs]
    out.mkdir(exist_ok=True)
    for command in (
        ["rustc", "+nightly", "--crate-type=lib", "--emit=metadata", f"--out-dir={out}", *given],
        ["rustdoc", "+nightly", *_FLAGS, "-o", str(out / "doc"), *given],
    ):
        if command[0] == "rustc" or crate.inside:
            subprocess.run([*command, str(source)], cwd=copy, check=True)
