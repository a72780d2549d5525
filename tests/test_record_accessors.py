"""Components of records that implement methods of interfaces: https://docs.oracle.com/javase/specs/jls/se21/html/jls-8.html#jls-8.10.3."""

from __future__ import annotations

from pathlib import Path

import pytest

from conftest import Asking, Open, write

CODE = """interface Event { int order(); default int order(int other) { return other; } }
record Paid(int order) implements Event {}
class Use {
  int run(Paid paid, Event event) {
    paid.order();
    new Paid(1).order();
    event.order();
    paid.order(3);
    java.util.function.ToIntFunction<Paid> taken = Paid::order;
  }
}
"""


@pytest.fixture
def events(tmp_path: Path, opened: Open) -> Asking:
    return opened(write(tmp_path, {"Use.java": CODE}))


@pytest.mark.parametrize(("place", "leads"), [("5:10", "2:17"), ("6:17", "2:17"), ("7:11", "1:23"), ("8:10", "1:44")])
def test_a_call_on_a_record_means_the_component_that_implements_the_method(
    place: str, leads: str, events: Asking
) -> None:
    answer = events("go_to_definition", symbol=f"Use.java:{place}")
    assert f"Use.java:{leads}" in answer
    assert "2 definitions" not in answer


def test_calls_on_a_record_are_references_of_its_component(events: Asking) -> None:
    found = events("find_references", symbol="Use.java:2:17")
    assert "5: paid.order();" in found
    assert "6: new Paid(1).order();" in found
    assert "event.order" not in found
