"""The mark of a file that is no code of the product, by its path: test, example, documentation and the like."""

from __future__ import annotations

import re
from collections.abc import Callable
from enum import StrEnum

from leadline_tools.index.tree.provenance import has_generated_name, is_vendored
from leadline_tools.languages import language_name
from leadline_tools.languages.prose import is_prose


class Mark(StrEnum):
    """What a file is; empty for code of the product."""

    Product = ""
    Test = "test"
    Example = "example"
    Vendored = "vendored"
    Generated = "generated"
    Declarations = "declarations"
    Documentation = "documentation"
    Configuration = "configuration"


_TEST = re.compile(
    r"(?:^|/)(?:tests?|__tests__|specs?|t|testdata|fixtures?|mocks?|__mocks__|e2e|benchmarks?|bench|testsuite|selftests"
    r"|androidTest|commonTest|jvmTest)/|(?:^|/)(?:test_|conftest\.|tests?\.)[^/]*$"
    r"|(?:^|/)[^/]*(?:_tests?|_spec|_bench(?:mark)?|\.test|\.spec|\.bench)\.[^/]*$"
    r"|(?:^|/)[^/]*(?:Tests?|Spec|TestCase|Benchmark)\.(?:java|kt|cs|scala|swift|php|hs|groovy|dart)$"
)
_EXAMPLE = re.compile(r"(?:^|/)(?:examples?|samples?|demos?|tutorials?|docs_src)/")
_DECLARATIONS = re.compile(r"\.(?:d\.[cm]?ts|pyi)$")
_CONFIGURATION = frozenset({"json", "toml", "yaml", "ini", "properties", "xml", "hcl", "cmake", "make", "dockerfile"})
_CONFIGURATION_ENDINGS = (".cfg", ".conf", ".ini", ".properties", ".lock", ".xml", ".env.example", ".editorconfig")

_MARKS: tuple[tuple[Mark, Callable[[str], object]], ...] = (
    (Mark.Vendored, is_vendored),
    (Mark.Generated, has_generated_name),
    (Mark.Test, _TEST.search),
    (Mark.Example, _EXAMPLE.search),
    (Mark.Declarations, _DECLARATIONS.search),
)


def mark_of(path: str) -> Mark:
    """Return what the file at a path is."""
    mark = next((mark for mark, holds in _MARKS if holds(path)), None)
    if mark is not None:
        return mark
    language = language_name(path)
    if language in _CONFIGURATION or path.endswith(_CONFIGURATION_ENDINGS):
        return Mark.Configuration
    return Mark.Documentation if is_prose(path, language) else Mark.Product
