"""Overloads that differ in what they take: the types of the arguments, their names and type arguments choose."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from conftest import Open, write

JAVA = {
    "R.java": "class R {\n  String body;\n  int status;\n  long length() { return 1; }\n"
    "  boolean ok() { return true; }\n"
    "  R next(int a) { return this; }\n}\n",
    "A.java": "class A {\n  void log(Object o) {}\n  void log(String s) {}\n  void log(int i) {}\n"
    "  void log(long l) {}\n"
    "  void log(byte[] all) {}\n  void run(Runnable r) {}\n  void run(java.util.concurrent.Callable c) {}\n"
    "  void f(R r, Object o) {\n    log(r.body);\n    log(r.status);\n    log(r.next(1).length());\n    log(r);\n"
    '    log(r.ok());\n    log("a" + r.status);\n    log(r.status + r.length());\n    log(r.ok() ? 1 : 2);\n'
    "    log(((R) o).status);\n    log(new byte[3]);\n    log('c');\n    log(null);\n    log(r.status == 1);\n"
    "    log(unknown());\n    run(() -> {});\n    run(() -> 1);\n    run(() -> f(r, o));\n  }\n}\n",
}
CSHARP = {
    "M.cs": "class Metre { public static implicit operator Metre(int a) => null; }\n",
    "A.cs": "using System;\nclass Ttl {}\n\n"
    "class Cache {}\nclass Cache<T> {}\nclass P {\n  public static Cache Get(string key, TimeSpan ttl) => null;\n"
    "  public static Cache Get(string key, Ttl plan) => null;\n"
    "  public static Cache<T> Get<T>(string key, TimeSpan ttl) => null;\n"
    "  static void Run(Action a) {}\n  static void Run(Func<int> a) {}\n  static void Go(Metre m) {}\n"
    "  static void Go(string s) {}\n"
    '  void F(Ttl t, TimeSpan s, int i) {\n    Get("a", s);\n    Get("a", t);\n    Get<int>("a", s);\n'
    '    Get("a", plan: t);\n'
    '    Get("a", ttl: s);\n    Run(() => 1);\n    Run(() => { });\n    Go(i);\n    Run(F2);\n  }\n}\n',
}
KOTLIN = {
    "b.kt": "package b\n\nclass Event(val name: String)\n",
    "a.kt": "package a\n\nimport b.Event as Old\n\nopen class Event\nclass Made : Event()\ntypealias Text = String\n"
    "fun emit(event: Event) {}\nfun emit(event: Old) {}\nfun emit(name: String) {}\nfun emit(count: Int) {}\n"
    "fun emit(f: (Int) -> Unit) {}\nfun emit(all: Long) {}\nfun key(a: b.Event) {}\nfun key(a: Event) {}\n"
    'fun use(old: Old, made: Made) {\n    emit(Event())\n    emit(made)\n    emit(old)\n    emit("x")\n    emit(1)\n'
    "    emit { it }\n    emit(name = x())\n    emit(old.name)\n    key(old)\n    key(made)\n    emit(x())\n}\n",
}
CALLS: Mapping[str, tuple[Mapping[str, str], Mapping[int, set[int]]]] = {
    "A.java": (
        JAVA,
        {
            10: {3},
            11: {4},
            12: {5},
            13: {2},
            14: {2},
            15: {3},
            16: {5},
            17: {4},
            18: {4},
            19: {6},
            20: {4},
            22: {2},
            24: {7},
            25: {8},
            26: {7, 8},
        },
    ),
    "A.cs": (CSHARP, {15: {7}, 16: {8}, 17: {9}, 18: {8}, 19: {7}, 20: {11}, 21: {10}, 22: {12}}),
    "a.kt": (KOTLIN, {17: {8}, 18: {8}, 19: {9}, 20: {10}, 21: {11}, 22: {12}, 23: {10}, 24: {10}, 25: {14}, 26: {15}}),
}


@pytest.mark.parametrize("path", CALLS)
def test_a_call_leads_to_the_overload_that_suits_its_arguments_best(path: str, tmp_path: Path, opened: Open) -> None:
    files, wanted = CALLS[path]
    ask = opened(write(tmp_path, dict(files)))
    assert {line: _lines(ask("go_to_definition", symbol=f"{path}:{line}:5")) for line in wanted} == wanted


def _lines(answer: str) -> set[int]:
    """Return the numbers of the lines that an answer shows."""
    heads = [line.partition(":")[0] for line in answer.split("\nnext:", maxsplit=1)[0].split("\n")]
    return {int(head) for head in heads if head.isdigit()}


@pytest.mark.parametrize("path", CALLS)
def test_an_overload_has_the_calls_that_can_mean_it(path: str, tmp_path: Path, opened: Open) -> None:
    files, calls = CALLS[path]
    ask = opened(write(tmp_path, dict(files)))
    for place in {place for places in calls.values() for place in places}:
        column = files[path].split("\n")[place - 1].index("(") - len(_name(files[path], place)) + 1
        shown = _lines(ask("find_references", symbol=f"{path}:{place}:{column}"))
        assert {line for line, places in calls.items() if place in places} <= shown
        assert not shown & {line for line, places in calls.items() if place not in places}


def _name(text: str, line: int) -> str:
    """Return the name of the function that a line declares."""
    return text.split("\n")[line - 1].partition("(")[0].split()[-1]
