"""The *mark* of a file, by its path: code of the product, or what else it is.

Tests, benchmarks, examples, copies of other projects, generated code, declarations, documentation and configuration are
told by the folders that a file lies in and by its name. Whatever prefers code of the product asks here.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from enum import StrEnum
from functools import lru_cache
from typing import Final

from leadline_tools.languages import language_name
from leadline_tools.languages.prose import is_prose


class Mark(StrEnum):
    """What a file is; empty for code of the product."""

    Product = ""
    Test = "test"
    Benchmark = "benchmark"
    Example = "example"
    Vendored = "vendored"
    Generated = "generated"
    Declarations = "declarations"
    Documentation = "documentation"
    Configuration = "configuration"


_FOLDERS: Final[Mapping[Mark, str]] = {
    # Those that package managers fill, and those in which projects keep copies.
    Mark.Vendored: r"node_modules|bower_components|vendor|vendored|_vendor|third_party|third-party|external|deps"
    r"|site-packages|dist-packages|\.venv|venv|Pods|Carthage",
    Mark.Test: r"tests?|__tests__|specs?|t|test[-_]?data|__fixtures__|fixtures?|__mocks__|mocks?|__snapshots__"
    r"|e2e|cypress|testsuite|selftests|androidTest|commonTest|jvmTest",
    Mark.Benchmark: r"bench|benches|benchmarks?",
    Mark.Example: r"examples?|samples?|demos?|tutorials?|docs_src|stories|__stories__|\.storybook",
    Mark.Documentation: r"[Dd]ocs?|[Dd]ocumentation",
}
"""Names of folders by what is in them; the first that fits counts."""

_FIRST_FOLDERS: Final[Mapping[Mark, str]] = {
    Mark.Test: r"fuzz|fuzzing|fuzzers?",
    Mark.Benchmark: r"perf",
    Mark.Documentation: r"website",
}
"""The same for the first folder of a tree or of one of its packages: deeper ones are mostly parts of a product."""

_PACKAGE = r"(?:(?:packages|crates|libs|modules|apps)/(?:[^/]+/)?)?"

_NAMES: Final[Mapping[Mark, str]] = {
    # Those that generators give: of bundles, of Protocol Buffers, of designers.
    Mark.Generated: r"(?i:.*(?:\.min\.(?:js|css)|_pb2(?:_grpc)?\.pyi?|\.pb\.(?:go|cc|h)))"
    r"|(?i:.*(?:\.g\.(?:cs|dart)|\.designer\.cs))",
    Mark.Test: r"test_.*|conftest\..*|tests?\..*|.*(?:_tests?|_spec|\.test|\.spec)\.[^/]*"
    r"|.*(?:Tests?|Spec|TestCase)\.(?:java|kt|cs|scala|swift|php|hs|groovy|dart)",
    Mark.Benchmark: r".*(?:_bench(?:mark)?|\.bench)\.[^/]*|.*Benchmark\.(?:java|kt|cs|scala|swift|php|hs|groovy|dart)",
    Mark.Example: r".*\.stories\.(?:[jt]sx?|mdx|svelte|vue)",
    Mark.Declarations: r".*\.(?:d\.[cm]?ts|pyi)",
}
"""Names of files by what they are."""

_IN_FOLDERS: Final = tuple((mark, re.compile(rf"(?:^|/)(?:{names})/")) for mark, names in _FOLDERS.items())
_IN_FIRST_FOLDERS: Final = tuple(
    (mark, re.compile(rf"{_PACKAGE}(?:{names})/")) for mark, names in _FIRST_FOLDERS.items()
)
_CALLED: Final = tuple((mark, re.compile(names)) for mark, names in _NAMES.items())

_CONFIGURATION = frozenset({"json", "toml", "yaml", "ini", "properties", "xml", "hcl", "cmake", "make", "dockerfile"})
_CONFIGURATION_ENDINGS = (".cfg", ".conf", ".ini", ".properties", ".lock", ".xml", ".env.example", ".editorconfig")

_OF_PRODUCT = frozenset({Mark.Product, Mark.Declarations})


def mark_of(path: str) -> Mark:
    """Return what the file at a path is."""
    mark = _mark_by_name(path)
    if mark is not Mark.Product:
        return mark
    language = language_name(path)
    if language in _CONFIGURATION or path.endswith(_CONFIGURATION_ENDINGS):
        return Mark.Configuration
    return Mark.Documentation if is_prose(path, language) else _mark_of_folder(path.rpartition("/")[0])


@lru_cache(16_384)
def is_product(path: str) -> bool:
    """Return whether the names of a file and its folders say nothing but code of the product itself."""
    return _mark_by_name(path) in _OF_PRODUCT and _mark_of_folder(path.rpartition("/")[0]) is Mark.Product


def product_first(path: str) -> tuple[bool, int, str]:
    """Return what sorts files: product code first, then what lies less deep."""
    return not is_product(path), path.count("/"), path


def is_vendored(path: str) -> bool:
    """Return whether a file lies in a folder of copies of other projects' code."""
    return _mark_of_folder(path.rpartition("/")[0]) is Mark.Vendored


def has_generated_name(path: str) -> bool:
    """Return whether a file has a name that only generators give."""
    return _mark_of_name(path.rpartition("/")[2]) is Mark.Generated


def _mark_by_name(path: str) -> Mark:
    """Return what a path says by the names in it, but for folders of documentation: what is in them may be more."""
    folder, _, name = path.rpartition("/")
    mark = _mark_of_folder(folder)
    return _mark_of_name(name) if mark in (Mark.Product, Mark.Documentation) else mark


@lru_cache(65_536)
def _mark_of_folder(folder: str) -> Mark:
    inside = f"{folder}/"
    found = (mark for mark, names in _IN_FOLDERS if names.search(inside))
    first = (mark for mark, names in _IN_FIRST_FOLDERS if names.match(inside))
    return next(found, None) or next(first, Mark.Product)


def _mark_of_name(name: str) -> Mark:
    return next((mark for mark, names in _CALLED if names.fullmatch(name)), Mark.Product)
