"""The provenance of a file, as far as its path tells: written here, copied from elsewhere, or generated."""

from __future__ import annotations

import re

_VENDORED = re.compile(
    r"(?:^|/)(?:node_modules|bower_components|vendor|vendored|_vendor|third_party|third-party|external|deps"
    r"|site-packages|dist-packages|\.venv|venv|Pods|Carthage)/",
)
"""Folders that package managers fill, and those in which projects keep copies."""

_GENERATED = re.compile(
    r"(?:\.min\.(?:js|css)|_pb2(?:_grpc)?\.pyi?|\.pb\.(?:go|cc|h)|\.g\.(?:cs|dart)|\.designer\.cs)$", re.IGNORECASE
)
"""Names that generators give: of bundles, of Protocol Buffers, of designers."""

_ASIDE = re.compile(
    r"(^|/)(tests?|testing|t|examples?|docs?|vendor|deps|third_party|node_modules|benchmarks?)(/|$)|_test\.|test_|\.spec\."
)
"""What is beside the product: tests, examples, documentation, copies."""


def is_product(path: str) -> bool:
    """Return whether a file is code of the product itself, no test, example, documentation or copy."""
    return _ASIDE.search(path) is None


def product_first(path: str) -> tuple[bool, int, str]:
    """Return what sorts files: product code first, then what lies less deep."""
    return not is_product(path), path.count("/"), path


def is_vendored(path: str) -> bool:
    """Return whether a file lies in a folder of copies of other projects' code."""
    return _VENDORED.search(path) is not None


def has_generated_name(path: str) -> bool:
    """Return whether a file has a name that only generators give."""
    return _GENERATED.search(path) is not None
