"""Attributes of Angular in a template of its own file: https://angular.dev/guide/templates/binding."""

from __future__ import annotations

from pathlib import Path

from conftest import Open, write

CARD = """export class CardComponent {
  readonly hero = input.required<string>();
  readonly removed = output();
  title = '';
}
"""
PAGE = """<app-card [hero]="one" (removed)="two()" title="text of hero" />
"""


def test_the_name_of_a_bound_attribute_is_an_undecided_use(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, {"card.component.ts": CARD, "page.component.html": PAGE}))
    for name in ("hero", "removed"):
        answer = ask("find_references", symbol=f"CardComponent.{name}")
        assert "1 reference, 1 undecided" in answer.partition("\n")[0]
        assert "1: <app-card [hero]=" in answer
