"""Class components of React: their ``props``, ``state`` and ``setState``, by the type arguments of what they extend."""

from __future__ import annotations

from pathlib import Path

import pytest

from conftest import Open, write

TYPES = """\
export interface Props { title: string; onPick(id: number): void }
export interface State { title: string; total: number }
"""
HEAD = 'import React, { Component, PureComponent } from "react";\nimport { Props, State } from "./types";\n'
PANEL = "export class Panel extends Component<Props, State> {}\n"


def destination(opened: Open, folder: Path, line: str, name: str) -> str:
    """Return where the first use of a name in the last line of a file leads."""
    text = f"{HEAD}{PANEL}{line}"
    write(folder, {"types.ts": TYPES, "use.tsx": f"{text}\n"})
    number, column = text.count("\n") + 1, line.index(name) + 1
    return opened(folder)("go_to_definition", symbol=f"use.tsx:{number}:{column}")


@pytest.mark.parametrize(
    ("line", "name", "meant"),
    [
        ("class A extends React.Component<Props, State> { go() { this.props.title } }", "title", "types.Props.title"),
        ("class A extends Component<Props, State> { go() { this.state.title } }", "title", "types.State.title"),
        (
            "class A extends PureComponent<Props> { go() { const { title } = this.props } }",
            "title",
            "types.Props.title",
        ),
        ("class A extends Component<Props, State> { go() { this.setState({ total: 1 }) } }", "total", "State.total"),
        ("class A extends Component<{}, State> { go() { this.setState(s => s.total) } }", "total", "State.total"),
        ("class A extends Panel { go() { this.props.onPick(1) } }", "onPick", "types.Props.onPick"),
    ],
)
def test_a_component_has_the_types_that_it_gives_its_base(
    opened: Open, tmp_path: Path, line: str, name: str, meant: str
) -> None:
    said = destination(opened, tmp_path, line, name)
    assert meant in said
    assert "not found" not in said


@pytest.mark.parametrize(
    "line",
    [
        "class A { props: { title: 1 } }; new A().props.title",
        "class Component2<P> {}; class A extends Component2<Props> { go() { this.props.title } }",
        "const F = (p: { title: string }) => null; F.props = { title: 1 }; export const a = <F title='x' />",
    ],
)
def test_nothing_else_certainly_has_them(opened: Open, tmp_path: Path, line: str) -> None:
    said = destination(opened, tmp_path, line, "title")
    assert "types.Props.title" not in said or "the definition was not found; this is likely it" in said
