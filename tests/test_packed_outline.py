"""An outline is kept as it is packed, and its symbols are those that would be made of all definitions at once."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from conftest import Open, write
from leadline_server.errors import NoSuchResult
from leadline_server.store import Store
from leadline_tools.index.packing.describe import outline_symbols
from leadline_tools.index.packing.packed_outline import PackedOutline, packed, unpacked
from leadline_tools.index.text.source_text import decoded
from leadline_tools.languages import LANGUAGES
from leadline_tools.languages.outline import Definition
from leadline_tools.languages.outline_walk.walk import outline
from leadline_tools.model import OutlineSymbol
from leadline_tools.result import Call, Result

SOURCE = b'''"""A module."""


class Outer(Base):
    """What is outside."""

    class Inner:
        depth: int = 2

        def deep(self, first, *others):
            """Go down."""

    def shallow(self) -> None: ...


LIMIT = 3


def alone(a, b=None, **rest):
    # nothing
    return a
'''
PATH = "pkg/sample.py"


def definitions() -> list[Definition]:
    language = LANGUAGES["python"]
    return outline(language.parser().parse(SOURCE).root_node, SOURCE, language)


def symbols() -> list[OutlineSymbol]:
    return outline_symbols(decoded(PATH, SOURCE), definitions())


def outlined(deepest: int = 0) -> PackedOutline:
    return PackedOutline(PATH, packed(SOURCE, definitions()), deepest)


def test_definitions_come_back_as_they_were_packed() -> None:
    assert [*unpacked(packed(SOURCE, definitions()))] == definitions()
    assert [*unpacked(packed(b"", []))] == []


def test_an_outline_has_the_symbols_that_its_definitions_make() -> None:
    assert [*outlined()] == symbols()
    assert len(symbols()) == 7


@pytest.mark.parametrize("deepest", [1, 2, 3])
def test_levels_that_lie_deeper_are_counted_and_left_out(deepest: int) -> None:
    shown = outlined(deepest)
    assert [*shown] == [symbol for symbol in symbols() if symbol.depth < deepest]
    assert shown.hidden == len(symbols()) - len(shown)


def test_what_is_told_of_all_symbols_is_true_of_each() -> None:
    shown = outlined(2)
    assert shown.depths == [symbol.depth for symbol in shown]
    assert shown.kinds == [one.symbol.kind for one in shown]
    assert shown.heights == [one.symbol.end_line - one.symbol.line + 1 for one in shown]
    assert shown.whole_width == sum(map(shown.width, range(len(shown))))


def test_any_run_of_an_outline_is_that_run_of_its_symbols(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("leadline_tools.index.packing.packed_outline._PAGE", 2)
    chance = random.Random(7)
    for _ in range(60):
        run = slice(chance.randrange(8), chance.choice((None, chance.randrange(9))), chance.choice((None, 1, 2)))
        part = outlined()[run]
        assert [*part] == symbols()[run]
        if isinstance(part, PackedOutline):
            assert [*PackedOutline.loaded(part.dumped())] == symbols()[run]
            assert [*part[1:]] == symbols()[run][1:]


def test_a_stored_outline_is_the_same_after_a_restart(tmp_path: Path) -> None:
    call = Call.of("document_symbols", path=PATH)
    result = Result(subject=PATH, noun="symbols", items=outlined(2))
    store = Store(tmp_path / "results.db")
    uri = store.uri("local", call, "state")
    store.put(uri, call, result, "local")
    store.close()
    again = Store(tmp_path / "results.db")
    kept = again.get(uri, "local")[1]
    assert [*kept.items] == [*result.items]
    again.close()


def test_a_damaged_outline_is_no_result(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(PackedOutline, "dumped", lambda _: b'["a.py", 0, 0, 1]\nno outline')
    call = Call.of("document_symbols", path=PATH)
    store = Store(tmp_path / "results.db")
    uri = store.uri("local", call, "state")
    store.put(uri, call, Result(subject=PATH, noun="symbols", items=outlined()), "local")
    with pytest.raises(NoSuchResult):
        store.get(uri, "local")
    store.close()


@pytest.mark.parametrize(
    ("comment", "told"),
    [
        ("/// <summary>Something to buy.</summary>", "Something to buy."),
        (
            '/// <summary>\n/// What <see cref="T:Shop.Cart"/> holds,\n/// a <c>List&lt;Item&gt;</c>.\n/// </summary>\n'
            "/// <remarks>No more.</remarks>",
            "What Shop.Cart holds, a List<Item>.",
        ),
        ("/// <summary>\n/// Up to here\n///\n/// and no further.</summary>", "Up to here"),
        ("/// Neither <summary> nor <b>.", "Neither <summary> nor <b>."),
    ],
)
def test_of_a_documentation_comment_in_xml_the_summary_is_told_without_its_tags(
    tmp_path: Path, opened: Open, comment: str, told: str
) -> None:
    ask = opened(write(tmp_path, {"Item.cs": f"{comment}\nclass Item {{ }}\n"}))
    assert f"  {told}" in ask("symbol_search", query="Item").splitlines()
