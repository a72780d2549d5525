"""The plans of what questions ask of PostgreSQL: one about a repository reads no more where there are many more."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from leadline_server.call import Request
from leadline_tools.database.address import DatabaseAddress
from leadline_tools.database.pool import connected, unlimited
from postgres import PostgresServer
from test_hosted_index import COMMITS, FILES, Host, hosted

sys.path.insert(0, str(Path(__file__).parents[1] / "bench"))
from plans import Multiplied, Statement, failures, questions, sent

_ROOTS = [f"example.org/team/app{number}" for number in range(10)]
_SIZES = (100, 1_000)


@pytest.fixture
def owned(postgres: PostgresServer) -> Iterator[str]:
    with postgres.owned() as url:
        yield url


def test_no_question_reads_a_whole_table_or_more_of_more_repositories(owned: str) -> None:
    with closing(Host(owned)) as host:
        for number, name in enumerate(_ROOTS):
            files = {**FILES, "src/own.py": f"def only_in_app{number}(): ...\n".encode()}
            host.update(files, COMMITS[0], name=name)
        with hosted(host) as session:
            one, every = questions(_ROOTS[3], "src/cart.py", "Cart", "open_shop")
            session.call(Request("list_files", {}))  # reads what there is to see, as the first one after a push
            about_one = sent(lambda question: session.call(Request(*question)), one)
            others = sent(lambda question: session.call(Request(*question)), every)
    assert {tool for tool, _ in about_one.values()} >= {"symbol_search", "search_text", "find_references"}
    assert any("trigrams(body)" in statement.query for statement in others)
    with connected(DatabaseAddress.parse(owned)) as connection, unlimited(connection):
        database = Multiplied(connection)
        about_all = [statement for statement in others if statement not in about_one]
        wrong = [*failures(database, _SIZES, about_one, about_all)]
    assert not wrong, "\n".join(wrong)


def test_a_statement_that_reads_a_whole_table_is_reported(owned: str) -> None:
    with closing(Host(owned)) as host:
        host.update(FILES, COMMITS[0], name=_ROOTS[0])
    with connected(DatabaseAddress.parse(owned)) as connection:
        whole = Statement("select count(*) from blob where size > %s", (1,))
        wrong = "\n".join(failures(Multiplied(connection), (100, 1_000), {whole: ("count", {})}, ()))
    assert "1,000: all of blob is read by" in wrong
    assert "pages became" in wrong
