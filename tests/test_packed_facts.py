"""Facts come out of the bytes that hold them as they went in."""

from __future__ import annotations

from dataclasses import replace

from leadline_tools.index.packing.packed_facts import pack, unpack
from leadline_tools.languages import language_of
from leadline_tools.languages.fact_walk.walk import facts
from leadline_tools.languages.facts import Facts
from leadline_tools.languages.language import Parser

IMPORTING = b"""\
/** @import { Basket } from "./basket.js" */
/** @typedef {import("./shop.js").Shop} Shop */
const fs = require("fs");
/** @param {Shop} shop */
function open(shop) { return fs.open(shop.path); }
"""


def _facts() -> Facts:
    language = language_of("a.js")
    assert language is not None
    return facts(Parser(language).parse(IMPORTING).root_node, IMPORTING, language)


def test_bindings_of_imports_in_comments_are_found_by_name_and_among_all() -> None:
    known = _facts()
    found = unpack(pack(known))
    assert "Basket" in {one.name for one in known.bindings if one.imported >= 0}
    assert [found.named(one.name) for one in known.bindings] == [known.named(one.name) for one in known.bindings]
    assert sorted(found.bindings) == sorted(known.bindings)
    assert sorted(found.wide) == sorted(known.wide)


def test_a_binding_that_only_repeats_its_import_takes_no_line_of_its_own() -> None:
    known = _facts()
    repeating = [one for one in known.bindings if one.imported >= 0 and (one.line, one.column) == (1, 1)]
    others = [one for one in known.bindings if one not in repeating]
    assert len(repeating) > 1
    assert len(pack(known)) - len(pack(replace(known, bindings=others))) <= 2 * len(repeating)


def test_the_uses_on_a_line_are_the_same_packed_and_unpacked() -> None:
    known = _facts()
    found = unpack(pack(known))
    on_lines = [known.uses_on(line) for line in range(1, IMPORTING.count(b"\n") + 1)]
    assert sum(map(len, on_lines)) == sum(map(len, known.uses.values()))
    assert [found.uses_on(line) for line in range(1, IMPORTING.count(b"\n") + 1)] == on_lines


DECORATED = b"""\
def shown(first, *, last=","):
    return f"{first}{last}"

class Shelf[Item: "Basket", Other]:
    limit: str = '"",-1,"","","",'

    @property
    @shown
    def first[T](self, item: T) -> T:
        label = [1, 2, 13]
        return item

@shown
class Basket: ...
"""
"""It holds texts that look like rows of facts."""


def test_decorators_and_type_parameters_are_the_same_packed_and_unpacked() -> None:
    language = language_of("a.py")
    assert language is not None
    known = facts(Parser(language).parse(DECORATED).root_node, DECORATED, language)
    found = unpack(pack(known))
    names = sorted(name for uses in known.decorators.values() for name, _ in uses)
    assert names == ["property", "shown", "shown"]
    assert found.decorators == known.decorators
    assert {"Item", "Other", "T"} <= {one.name for one in known.type_parameters}
    assert found.type_parameters == known.type_parameters
    assert sorted(found.bindings) == sorted(known.bindings)


def test_a_file_without_decorators_and_type_parameters_has_none_unpacked() -> None:
    found = unpack(pack(_facts()))
    assert not found.decorators
    assert not found.type_parameters
