"""Of the assignments of a local name of Python, a use has the values of those that reach it, or its declared type."""

from __future__ import annotations

import re
from pathlib import Path

from conftest import Asking, Open, write

CLASSES = """from typing import Generic, Protocol, TypeVar
class A:
    def run(self): ...
class B(A):
    def run(self): ...
class C:
    def run(self): ...
class D(A):
    def run(self): ...
class P(Protocol):
    def run(self): ...
T = TypeVar("T")
class Box(Generic[T]):
    def get(self) -> T: ...
class Large(Box[T]):
    pass
def make() -> A: ...
"""

DECLARED = """
def f(h: A | None = None):
    h.run()  # A
    if h is None:
        h = B()
        h.run()  # B
    h.run()  # A B
def f(h: A, c):
    if c:
        h = B()
    elif c > 1:
        h = D()
    return h.run()  # A B D
def f(h: A, c):
    while True:
        h = B()
        break
    h.run()  # A B
def f(h: A, c):
    for _ in c:
        h.run()  # A B
        h = B()
def f(h: A, c):
    if c:
        h = make()
    h.run()  # A
def f(h: B, c):
    if c:
        h = make()
    h.run()  # B
def f(h: A, c):
    if c:
        h = c.unknown()
    h.run()  # A
def f(h: P, c):
    if c:
        h = C()
    h.run()  # C P
def f(h: A = B()):
    h.run()  # A
def f(c):
    h: A = B()
    h.run()  # B
    if c:
        h = A()
    h.run()  # A B
def f(c):
    h: A
    if c:
        h = B()
    else:
        h = D()
    h.run()  # B D
def f(c):
    h: A | None = None
    if c:
        h = B()
    h.run()  # B
def f(c):
    h: Box[A] = Large()
    h.get().run()  # A
def f(h: A, c):
    if c:
        h = B()
    def inner():
        h.run()  # A B
"""

LEAVING = """
def f(c):
    x = A()
    if c:
        x = C(); return x
    x.run()  # A
def f(c):
    x = A()
    if c:
        x = C()
        if c > 1:
            return x
        else:
            raise ValueError
    x.run()  # A
def f(c):
    x = A()
    if c:
        x = C()
        if c > 1:
            return x
    x.run()  # A C
def f(c):
    x = A()
    if c:
        x = B()
    elif c > 1:
        x = C()
        return x
    x.run()  # A B
def f(c):
    x = A()
    if c:
        x = B()
    else:
        return
    x.run()  # B
def f(c):
    x = A()
    match c:
        case 1:
            x = C()
            return x
        case 2:
            x = B()
    x.run()  # A B
def f(c):
    for x in [A()]:
        if c:
            x = C()
            continue
        x.run()  # A
def f(c):
    x = A()
    for _ in c:
        if c:
            x = C()
            break
        x.run()  # A
    x.run()  # A C
def f(c):
    x = A()
    for _ in c:
        x.run()  # A C
        if c:
            x = C()
            continue
        x.run()  # A C
def f(c):
    x = A()
    for _ in c:
        for _ in c:
            if c:
                x = C()
                break
        x.run()  # A C
def f(c):
    x = A()
    for _ in c:
        if c:
            x = C()
            if c > 2:
                continue
            return x
        x.run()  # A C
def f(c):
    x = A()
    try:
        if c:
            x = C()
            return c(x)
        x.run()  # A
    except ValueError:
        x.run()  # A C
    x.run()  # A C
def f(c):
    x = A()
    try:
        if c:
            x = C()
            return x
    finally:
        x.run()  # A C
def f(c):
    x = None
    try:
        x = A()
    except ValueError:
        x = C()
        raise
    else:
        x.run()  # A
    x.run()  # A
def f(c):
    x = A()
    for _ in c:
        try:
            if c:
                x = C()
                return c(x)
        except ValueError:
            continue
        x.run()  # A C
def f(c):
    x = A()
    with c:
        if c:
            x = C()
            return c(x)
        x.run()  # A
    x.run()  # A C
"""

_MARKED = re.compile(r"\.run\(\)  # ([A-Z ]+)$")


def meant(ask: Asking, source: str) -> list[str]:
    """Return the lines of a file, those that run something with the classes of what is run."""
    lines = source.split("\n")
    classes = {number + 2: line[6] for number, line in enumerate(lines) if line.startswith("class")}
    found: list[str] = []
    for number, line in enumerate(lines, 1):
        if _MARKED.search(line) is not None:
            shown = ask("go_to_definition", symbol=f"u.py:{number}:{line.index('.run') + 2}")
            names = sorted(name for place, name in classes.items() if re.search(rf"(?:^|\n){place}: ", shown))
            found.append(f"{line.partition('#')[0]}# {' '.join(names)}")
        else:
            found.append(line)
    return found


def test_a_subtype_that_is_assigned_to_a_declared_name_is_meant_where_the_assignment_reaches(
    tmp_path: Path, opened: Open
) -> None:
    source = CLASSES + DECLARED
    ask = opened(write(tmp_path, {"u.py": source}))
    assert meant(ask, source) == source.split("\n")


def test_an_assignment_in_a_block_that_leaves_reaches_nothing_behind_the_block(tmp_path: Path, opened: Open) -> None:
    source = CLASSES + LEAVING
    ask = opened(write(tmp_path, {"u.py": source}))
    assert meant(ask, source) == source.split("\n")
