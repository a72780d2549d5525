"""Angular: what is injected, and code in the strings of a component."""

from __future__ import annotations

from pathlib import Path

import pytest

from conftest import Asking, Open, write

SERVICE = (
    'import { InjectionToken } from "@angular/core";\n'
    "export abstract class Store<T> {\n  all(): T[] {\n    return [];\n  }\n}\n"
    "export interface Doc {\n  title: string;\n}\n"
    "export class Docs extends Store<Doc> {\n  get(id: number): Doc {\n    return this.all()[id];\n  }\n}\n"
    "export class Other {\n  get(id: number) {}\n}\n"
    'export const TOKEN = new InjectionToken<Docs>("docs");\n'
)
PAGE = (
    'import { Component, inject } from "@angular/core";\nimport { Docs, Store, Doc, TOKEN } from "./service";\n'
    '@Component({\n  template: `<b [class.on]="isOn" (click)="save()">{{ title }}</b>`,\n'
    '  host: { "(window:resize)": "resize()" },\n})\n'
    "export class Page {\n  isOn = true;\n  title = 'title';\n"
    "  private docs = inject(Docs);\n  private store = inject<Store<Doc>>(Store);\n"
    "  private maybe = inject(Docs, { optional: true });\n  private token = inject(TOKEN);\n"
    "  save() {\n    this.docs.get(1).title;\n    this.store.all()[0].title;\n    this.maybe?.get(2);\n"
    "    this.token.get(3);\n  }\n  resize() {}\n}\n"
)


@pytest.fixture
def page(tmp_path: Path, opened: Open) -> Asking:
    return opened(write(tmp_path, {"service.ts": SERVICE, "page.ts": PAGE}))


def test_what_is_injected_is_an_object_of_the_class_or_of_the_declared_type(page: Asking) -> None:
    text = page("find_references", symbol="Docs.get")
    assert "15: this.docs.get(1).title;" in text
    assert "17: this.maybe?.get(2);" in text
    assert "3 references in 2 files, 1 undecided" in text
    assert "16: this.store.all()[0].title;" in page("find_references", symbol="Doc.title")


@pytest.mark.parametrize(
    ("member", "line", "count"), [("isOn", 4, 1), ("save", 4, 1), ("title", 4, 1), ("resize", 5, 2)]
)
def test_strings_of_a_component_that_hold_code_may_use_its_members(
    page: Asking, member: str, line: int, count: int
) -> None:
    text = page("find_references", symbol=f"Page.{member}")
    assert f"{count} undecided" in text.splitlines()[0]
    assert f"\n{line}: " in text
    renamed = page("rename_symbol", symbol=f"Page.{member}", new_name="other")
    assert f"{count} undecided" in renamed.splitlines()[0]


def test_strings_of_other_files_are_text(tmp_path: Path, opened: Open) -> None:
    code = "export class Page {\n  save() {}\n  options = { template: `save()` };\n}\n"
    assert "complete" in opened(write(tmp_path, {"page.ts": code}))("find_references", symbol="Page.save")
