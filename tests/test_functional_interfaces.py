"""Functional interfaces of Java: https://docs.oracle.com/javase/specs/jls/se21/html/jls-9.html#jls-9.8."""

from __future__ import annotations

from pathlib import Path

import pytest

from conftest import Asking, Open, write

CODE = """interface Base { String handle(String text); }
interface Handler extends Base { default void rest() {} boolean equals(Object other); }
interface Two { void one(); void two(); }
interface Given extends Base { default String handle(String text) { return text; } }
sealed interface Closed permits Only { void run(); }
record Only() implements Closed { public void run() {} }
abstract class Plain { abstract void go(); }
class Upper implements Handler { public String handle(String text) { return text; } }
class Use { Handler made = text -> text; }
"""
NOTE = "lambdas and method references may implement it"


@pytest.fixture
def handlers(tmp_path: Path, opened: Open) -> Asking:
    return opened(write(tmp_path, {"Handlers.java": CODE}))


@pytest.mark.parametrize("symbol", ["Base", "Handler", "Base.handle"])
def test_an_interface_with_one_open_method_has_no_complete_list_of_implementations(
    symbol: str, handlers: Asking
) -> None:
    answer = handlers("find_implementations", symbol=symbol)
    assert NOTE in answer
    assert "complete" not in answer.splitlines()[0]


@pytest.mark.parametrize("symbol", "Two Two.one Given Closed Closed.run Plain Handler.rest Upper".split())
def test_no_lambda_is_of_any_other_type(symbol: str, handlers: Asking) -> None:
    assert NOTE not in handlers("find_implementations", symbol=symbol)


def test_an_interface_without_classes_may_still_have_implementations(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, {"A.java": "interface Named { String name(); }\n"}))
    first = ask("find_implementations", symbol="Named").splitlines()[0]
    assert "no certain subtypes, lambdas not listed" in first
