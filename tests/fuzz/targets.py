"""The targets: each takes any bytes, and must end without any error but those that it is meant to raise."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from leadline_server.errors import SCHEME, NoSuchResult
from leadline_server.store import Store
from leadline_tools.errors import PathError
from leadline_tools.index.text.gitignore import compile_glob
from leadline_tools.index.text.key_masking import mask_keys
from leadline_tools.index.text.secret_files import SecretPolicy
from leadline_tools.index.text.source_text import decoded
from leadline_tools.index.tree.descent import inside
from leadline_tools.languages import LANGUAGES
from leadline_tools.languages.language import Parser
from leadline_tools.languages.outline_walk.walk import outline

FIXTURES = Path(__file__).parents[2] / "fixtures"


@dataclass(frozen=True)
class Target:
    """A function of bytes, and bytes to begin with."""

    run: Callable[[bytes], None]
    seeds: Callable[[], list[bytes]]


def outlined(data: bytes) -> None:
    """Outline a text in the language that its first byte chooses; every place is in the text."""
    names = sorted(LANGUAGES)
    language = LANGUAGES[names[data[0] % len(names)]] if data else LANGUAGES[names[0]]
    # The grammar of Kotlin never ends where a text does with an annotation; in the server its worker is ended.
    source = decoded("any", data[1:] + b"\n")
    tree = _parser(language.name).parse(source.content)
    for definition in outline(tree.root_node, source.content, language):
        assert 1 <= definition.start_line <= definition.line <= max(definition.end_line, definition.line)
        assert definition.column >= 1
        start, end = definition.signature
        assert 0 <= start <= end <= len(source.content)


@cache
def _parser(name: str) -> Parser:
    return LANGUAGES[name].parser()


def path(data: bytes) -> None:
    """Take a path to pieces: what is not refused stays beneath the root."""
    with suppress(PathError):
        meant = inside(data.decode("utf-8", "surrogateescape"), "/root")
        assert not meant.startswith("/")
        assert ".." not in meant.split("/")
        assert "\0" not in meant


def uri(data: bytes) -> None:
    """Look for a result: nothing is found in an empty store."""
    with suppress(NoSuchResult):
        _store().get(SCHEME + data.decode("utf-8", "replace"), "anybody")
        raise AssertionError("found")


@cache
def _store() -> Store:
    return Store(None)


def gitignore(data: bytes) -> None:
    """Compile a glob and match it with what it was made of."""
    text = data.decode("utf-8", "replace")
    with suppress(ValueError):
        assert compile_glob(text)(text) in {True, False}


def secret(data: bytes) -> None:
    """Mask keys: as many bytes and lines as before, and nothing is left to mask."""
    seen = mask_keys(data)
    assert len(seen) == len(data)
    assert seen.count(b"\n") == data.count(b"\n")
    SecretPolicy().is_secret(data.decode("utf-8", "surrogateescape"))


def _fixtures() -> list[bytes]:
    names = sorted(LANGUAGES)
    found = [file for file in sorted(FIXTURES.rglob("*")) if file.is_file()]
    return [bytes([number % len(names)]) + file.read_bytes() for number, file in enumerate(found)]


TARGETS: Mapping[str, Target] = {
    "outline": Target(outlined, _fixtures),
    "path": Target(path, lambda: [b"a/../b", b"../a", b"/root/a", b"C:\\a", b"a\\..\\..\\b", b"\xff", b"a\0b", b"//"]),
    "uri": Target(uri, lambda: [b"", b"aaaaaaaa", b"?limit=0", b"../x", b"{id}", b"\0", b"%00"]),
    "gitignore": Target(
        gitignore, lambda: [b"*.py", b"!a", b"**/b/**", b"[a-z]", b"[[:alpha:]]", b"{a,b}", b"\\", b"[!"]
    ),
    "secrets": Target(secret, lambda: [b"ghp_" + b"a" * 36, b"-----BEGIN RSA PRIVATE KEY-----\n" + b"A" * 64, b".env"]),
}
