"""Prices of next calls are near, and corrected by what such calls turned out to cost."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from statistics import mean

import pytest

from conftest import Asking, Open, write
from leadline_estimators import count
from leadline_server.calibration import LARGEST, Calibration
from leadline_server.ledger import Entry, LocalLedger
from leadline_server.ledger_file import Serving
from leadline_tools.result import Call

SOURCES = Path(__file__).parents[1] / "tools/leadline_tools"
OFFER = re.compile(r"^next: (\w+)\((.*)\) ~([\d,]+) tokens$", re.MULTILINE)

FILES = {
    f"part_{i}.py": "".join(f"def f{i}_{j}(a):\n    return [a, {j}]  # 1\n\n\n" for j in range(30)) for i in range(12)
}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return write(tmp_path / "tree", FILES)


def told(arguments: str) -> dict[str, object]:
    """Return the arguments of a call as an answer writes them."""
    texts: dict[str, object] = dict(re.findall(r'(\w+)="([^"]*)"', arguments))
    return texts | {name: int(value) for name, value in re.findall(r"(\w+)=(\d+)", arguments)}


def errors(ask: Asking, tool: str) -> list[float]:
    """Make the calls of a tool that answers about each file offer; return how far their prices were off."""
    found = []
    for path in FILES:
        for offered, arguments, price in OFFER.findall(ask("document_symbols", path=path, max_tokens=600)):
            if offered == tool:
                if ask.response(tool, **told(arguments), max_tokens=9_000).is_error:
                    continue
                sent = ask.session.ledger.recent("local")[-1].entry.charged
                found.append(abs(int(price.replace(",", "")) - sent) / sent)
    return found


def offered_tool(ask: Asking) -> str:
    """Return a tool that the outline of a file offers, of whose answer an estimate is known."""
    text = ask("document_symbols", path="part_0.py", max_tokens=600)
    offered = [str(tool) for tool, _, _ in OFFER.findall(text)]
    return next(tool for tool in ("read_file", "call_hierarchy", "find_references", *offered) if tool in offered)


@pytest.mark.parametrize("factor", [0.4, 2.5])
def test_prices_that_were_off_by_a_factor_are_off_by_less_once_calls_were_made(
    opened: Open, root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, factor: float
) -> None:
    monkeypatch.setattr("leadline_server.prices._PER_CHARACTER", 0.3 * factor)
    monkeypatch.setattr("leadline_server.prices._FRAME", round(60 * factor))
    first = opened(root, cache=tmp_path / "cache")
    tool = offered_tool(first)
    before = errors(first, tool)
    assert len(before) >= 5
    first.session.close()
    after = errors(opened(root, cache=tmp_path / "cache"), tool)
    assert mean(after) < 0.5 * mean(before)


def test_the_answers_are_the_same_to_the_byte_while_calls_are_learned_from(opened: Open, root: Path) -> None:
    ask = opened(root)
    before = ask("document_symbols", path="part_0.py")
    errors(ask, offered_tool(ask))
    assert ask("document_symbols", path="part_0.py") == before


def ledger_of(*ratios: float) -> LocalLedger:
    ledger = LocalLedger(None, Serving("one"))
    for ratio in ratios:
        ledger.add("local", Entry("read_file", 1, 1, 1, offered=1_000, came=round(1_000 * ratio)))
    return ledger


@pytest.mark.parametrize(
    ("ratios", "price"),
    [
        ((), 100),
        ((2.0,) * 4, 100),
        ((2.0,) * 5, 200),
        ((0.5, 2.0, 2.0, 2.0, 1_000.0), 200),
        ((1_000.0,) * 9, round(100 * LARGEST)),
        ((0.0,) * 9, round(100 / LARGEST)),
    ],
)
def test_the_correction_is_the_median_of_enough_calls_and_bounded(ratios: tuple[float, ...], price: int) -> None:
    assert Calibration(ledger_of(*ratios)).correct("read_file", 100) == price
    assert Calibration(ledger_of(*ratios)).correct("list_files", 100) == 100


def test_what_was_learned_is_looked_up_again_after_a_while() -> None:
    now = [0.0]
    ledger = ledger_of()
    calibration = Calibration(ledger, lambda: now[0])
    assert calibration.correct("read_file", 100) == 100
    for _ in range(9):
        ledger.add("local", Entry("read_file", 1, 1, 1, offered=100, came=150))
    assert calibration.correct("read_file", 100) == 100
    now[0] = 601.0
    assert calibration.correct("read_file", 100) == 150


def test_a_call_is_known_to_have_been_offered_whatever_it_may_cost() -> None:
    calibration = Calibration(ledger_of())
    calibration.note_offer("local", Call.of("read_file", path="a.py", start_line=3), 700)
    assert calibration.price_of("local", "read_file", {"start_line": 3, "path": "a.py", "max_tokens": 90}) == 700
    assert calibration.price_of("other", "read_file", {"start_line": 3, "path": "a.py"}) == 0
    assert calibration.price_of("local", "read_file", {"path": "a.py"}) == 0


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("find_references", {"symbol": "Size", "max_tokens": 700}),
        ("search_text", {"query": "Breakdown"}),
        ("document_symbols", {"path": "result.py"}),
        ("symbol_search", {"query": "Breakdown"}),
        ("type_members", {"symbol": "Result"}),
        ("read_file", {"path": "model.py", "num_lines": 20}),
    ],
)
def test_lines_are_offered_at_about_what_they_cost(
    tool: str, arguments: dict[str, object], tmp_path: Path, opened: Open
) -> None:
    for name in ("result.py", "model.py"):
        shutil.copy(SOURCES / name, tmp_path)
    ask = opened(tmp_path)
    offered = [one for one in OFFER.findall(ask(tool, **arguments)) if one[0] in ("read_file", "go_to_definition")]
    assert offered
    for called, written, price in offered:
        assert 0.75 < count(ask(called, **told(written))) / int(price.replace(",", "")) < 1.33
