"""Names that collide in everyday code: a tag and a variable, a module and a function, a method of a class and of objects."""

from __future__ import annotations

import re
from pathlib import Path

from conftest import Asking, Open, write


def _lines(ask: Asking, symbol: str, path: str) -> list[int]:
    """Return the lines of a file on which a symbol is certainly used or defined."""
    items = re.split(r"(?m)^(\S+\.\w+)\n", ask("find_references", symbol=symbol))
    text = dict(zip(items[1::2], items[2::2], strict=True)).get(path, "")
    return [int(one) for one in re.findall(r"(?m)^(\d+): ", text.partition("\nundecided")[0])]


TAG = {
    "port.c": (
        "struct state { int open; };\nstatic struct state state;\n"
        "static int check(const struct state *one) { return one->open; }\n"
        "int is_open(void) { return state.open + check(&state) + (int)sizeof(struct state); }\n"
    ),
}


def test_a_tag_of_c_is_another_symbol_than_the_variable_of_its_name(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, TAG))
    assert _lines(ask, "port.c:1:8", "port.c") == [1, 2, 3, 4]
    assert _lines(ask, "port.c:2:21", "port.c") == [2, 4]
    assert "2: static struct state state;" in ask("go_to_definition", symbol="port.c:4:28")
    assert "struct state {" in ask("go_to_definition", symbol="port.c:3:31")
    assert "struct port_state {" in ask("rename_symbol", symbol="port.c:1:8", new_name="port_state")
    assert "struct port_state {" not in ask("rename_symbol", symbol="port.c:2:21", new_name="port_state")
