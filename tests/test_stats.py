"""``leadline stats``: what answers cost and saved is told by tool, by day and against a baseline that has a name."""

from __future__ import annotations

import json
import re
import time
from html.parser import HTMLParser
from pathlib import Path

import apsw
import pytest
from click.testing import CliRunner, Result
from hypothesis import given
from hypothesis import strategies as st

from leadline_server.account import DAY, account
from leadline_server.cli import main
from leadline_server.ledger import Entry, LocalLedger, Spending
from leadline_server.ledger_file import Serving
from leadline_server.page.markup import element, html
from leadline_server.page.plots import Data, bars, columns, figure
from leadline_server.page.statement import statement

NOW = time.time()
REFERENCES = Entry("find_references", 102, 100, 400, 1_000, 100, "a client", "references")
LIST = Entry("list_files", 50, 50, 5_000, 0, 50, "", "paths")
ERROR = Entry("unknown", 20, 20, 20, 0, 20, "a client", error=True)
SCHEMA = 1_500


@pytest.fixture
def cache(tmp_path: Path) -> Path:
    """A ledger with two sessions: one with a client and a model that has a price, one from the console, last week."""
    served = LocalLedger(tmp_path / "ledger.db", Serving("served", "gpt-5", "o200k", 2.0), lambda: NOW)
    served.note_listing(lambda: SCHEMA)
    for entry in (REFERENCES, REFERENCES, ERROR):
        served.add("local", entry)
    served.close()
    once = LocalLedger(tmp_path / "ledger.db", Serving("once"), lambda: NOW - 7 * DAY)
    once.add("local", LIST)
    once.close()
    return tmp_path


def run(cache: Path, *options: str) -> Result:
    return CliRunner().invoke(main, ["stats", "--cache-dir", str(cache), *options], env={"COLUMNS": "100"})


def figures(cache: Path, *options: str) -> dict[str, object]:
    result = run(cache, "--json", *options)
    assert result.exit_code == 0, result.output
    found: dict[str, object] = json.loads(result.stdout)
    return found


# Figures


def test_the_figures_are_told_by_tool_day_model_and_client(cache: Path) -> None:
    found = account(cache / "ledger.db", 30)
    assert [(s.name, s.calls, s.sent) for s in found.by_tool] == [
        ("find_references", 2, 200),
        ("list_files", 1, 50),
        ("unknown", 1, 20),
    ]
    assert [(s.name, s.calls) for s in found.by_model] == [("gpt-5", 3), ("unknown", 1)]
    assert [(s.name, s.calls) for s in found.by_client] == [("a client", 3), ("console", 1)]
    days = [time.strftime("%Y-%m-%d", time.localtime(NOW - ago)) for ago in (7 * DAY, 0)]
    assert [(s.name, s.calls) for s in found.by_day] == list(zip(days, (1, 3), strict=True))
    assert found.total.errors == 1


def test_what_was_saved_is_told_against_two_baselines_and_the_list_of_tools_beside_them(cache: Path) -> None:
    found = figures(cache)
    assert found["saved_against_complete_answers"] == 2 * 300 + 4_950
    assert found["saved_against_files_read_whole"] == 2 * 900
    assert (found["sessions"], found["listed"]) == (1, SCHEMA)


def test_dollars_are_told_of_the_calls_whose_model_has_a_price(cache: Path) -> None:
    found = figures(cache)
    assert found["dollars"] == pytest.approx(220 * 2.0 / 1e6)
    assert found["unpriced"] == 1


def test_prices_of_offered_calls_are_told_beside_what_came(cache: Path) -> None:
    followed = LocalLedger(cache / "ledger.db", Serving("followed"), lambda: NOW)
    followed.add("local", Entry("read_file", 90, 90, 90, offered=120, came=100))
    followed.close()
    assert figures(cache)["offers"] == {"calls": 1, "estimated": 120, "actual": 100}
    assert "1 call had been offered with a price: 120 tokens estimated, 100 actual." in " ".join(
        run(cache).stdout.split()
    )
    assert "add up to 120 tokens; without a limit, the calls would have cost 100." in statement(
        account(cache / "ledger.db", 30)
    )


def test_the_error_of_estimates_is_told_in_all_and_at_worst(cache: Path) -> None:
    total = account(cache / "ledger.db", 30).total
    assert total.off == 4
    assert total.error_share == pytest.approx(4 / 270)
    assert total.worst == pytest.approx(0.02)


def test_only_the_last_days_are_told(cache: Path) -> None:
    assert [row["name"] for row in json.loads(run(cache, "--json", "--days", "3").stdout)["by_tool"]] == [
        "find_references",
        "unknown",
    ]


def test_calls_of_the_future_are_left_out_and_counted(cache: Path) -> None:
    wrong = LocalLedger(cache / "ledger.db", Serving("wrong"), lambda: NOW + 500 * DAY)
    wrong.add("local", LIST)
    wrong.close()
    assert figures(cache)["odd"] == 1
    assert "1 call dated in the future" in run(cache).stdout


@given(st.lists(st.tuples(st.sampled_from("abc"), st.integers(1, 9_000), st.integers(0, 9_000)), max_size=30))
def test_groups_add_up_to_the_total(calls: list[tuple[str, int, int]]) -> None:
    parts = [Spending(tool, 1, sent, sent, sent + more) for tool, sent, more in calls]
    whole = Spending("all")
    for part in parts:
        whole = whole.with_(part)
    assert whole.calls == len(parts)
    assert whole.whole - whole.sent == sum(more for _, _, more in calls)


# The console


def test_the_table_has_a_row_for_each_tool_and_says_what_it_compares(cache: Path) -> None:
    result = run(cache)
    assert result.exit_code == 0, result.output
    assert re.search(r"find_references +2 +200 +2\.0% +800 +200 +2,000", result.stdout)
    assert re.search(r"list_files +1 +50 +0\.0% +5,000 +- +-", result.stdout)
    text = " ".join(result.stdout.split())
    assert "Complete answers in the same form: 5,820 tokens, so 5,550 were saved." in text
    assert "200 of the tokens are lines of files. Those files read whole: 2,000 tokens, so 1,800 were saved." in text
    assert (
        "The list of tools cost 1,500 tokens in 1 session with a client, which are not subtracted from the savings."
        in text
    )


def test_an_empty_ledger_says_what_to_do(tmp_path: Path) -> None:
    result = run(tmp_path)
    assert result.exit_code == 0
    assert "There were no calls in the last 30 days" in result.stdout
    assert "leadline install CLIENT" in result.stdout
    assert not (tmp_path / "ledger.db").exists()


def test_a_ledger_that_another_program_writes_to_is_read_all_the_same(cache: Path) -> None:
    writer = apsw.Connection(str(cache / "ledger.db"))
    writer.execute("begin immediate; delete from call")
    try:
        assert "find_references" in run(cache).stdout
    finally:
        writer.close()


def test_a_damaged_ledger_is_one_line_and_1(tmp_path: Path) -> None:
    (tmp_path / "ledger.db").write_bytes(b"no database" * 1_000)
    result = run(tmp_path)
    assert result.exit_code == 1
    assert "ledger.db cannot be read" in result.stderr
    assert len(result.stderr.splitlines()) == 1


# The page


class Parsed(HTMLParser):
    """The tags of a page, what they load, and how deep they are nested."""

    VOID = frozenset({"meta", "link", "br", "hr", "img", "input"})

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.open: list[str] = []
        self.loads: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        if tag not in self.VOID:
            self.open.append(tag)
        self.loads += [value or "" for name, value in attrs if name in {"src", "href", "action", "data"}]

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_the_page_is_one_file_that_loads_nothing_and_runs_nothing(cache: Path) -> None:
    page = statement(account(cache / "ledger.db", 30))
    parsed = Parsed(page)
    assert parsed.open == []
    assert parsed.loads == ["#content"]
    assert "script" not in parsed.tags
    assert "url(" not in page
    assert "@import" not in page
    assert "default-src 'none'; style-src 'sha256-" in page


def test_every_plot_has_a_table_with_its_numbers(cache: Path) -> None:
    parsed = Parsed(statement(account(cache / "ledger.db", 30)))
    assert parsed.tags.count("svg") == parsed.tags.count("table") == parsed.tags.count("figcaption") == 5


def test_the_page_says_against_what_something_was_saved_and_what_the_tools_cost(cache: Path) -> None:
    page = statement(account(cache / "ledger.db", 30))
    assert "Complete answers: every item in the same form" in page
    assert "Files read whole: the files that contain the lines sent" in page
    assert "1,500 tokens, counted once a session" in page


def test_names_from_outside_are_text_and_never_markup(cache: Path) -> None:
    evil = LocalLedger(cache / "ledger.db", Serving("evil"), lambda: NOW)
    evil.add("local", Entry("read_file", 1, 1, 1, client="<script>alert(1)</script>\x1b\u202e"))
    evil.close()
    page = statement(account(cache / "ledger.db", 30))
    assert "<script>" not in page
    assert "&lt;script&gt;" in page
    assert not {"\x1b", "\u202e"} & set(page)


def test_a_page_is_written_and_written_anew(cache: Path, tmp_path: Path) -> None:
    file = tmp_path / "page.html"
    for _ in range(2):
        result = run(cache, "--html", str(file))
        assert result.exit_code == 0, result.output
        assert result.stdout == f"Wrote {file}.\n"
    assert sorted(path.name for path in tmp_path.glob("*page*")) == ["page.html"]


def test_a_file_that_is_no_such_page_is_overwritten_with_force_alone(cache: Path, tmp_path: Path) -> None:
    file = tmp_path / "notes.html"
    file.write_text("mine")
    result = run(cache, "--html", str(file))
    assert result.exit_code == 1
    assert f"{file} was not written by leadline stats: name another file, or pass --force" in result.stderr
    assert file.read_text() == "mine"
    assert run(cache, "--html", str(file), "--force").exit_code == 0
    assert file.read_text().startswith("<!doctype html>")


def test_a_page_that_cannot_be_written_is_one_line_and_1(cache: Path, tmp_path: Path) -> None:
    for target in (tmp_path / "nowhere" / "page.html", tmp_path):
        result = run(cache, "--html", str(target))
        assert result.exit_code == 1
        assert len(result.stderr.splitlines()) == 1


def test_the_page_of_an_empty_ledger_says_what_to_do(tmp_path: Path) -> None:
    file = tmp_path / "page.html"
    assert run(tmp_path, "--html", str(file)).exit_code == 0
    assert "leadline install CLIENT" in file.read_text()


@given(
    st.lists(
        st.tuples(
            st.text(max_size=40), st.tuples(st.none() | st.integers(0, 10**9), st.none() | st.integers(0, 10**9))
        ),
        max_size=40,
    )
)
def test_whatever_the_numbers_a_plot_stays_on_its_drawing(
    rows: list[tuple[str, tuple[int | None, int | None]]],
) -> None:
    data = Data("name", ("one", "two"), tuple(rows))
    for plot in (bars(data), columns(data)):
        text = html(figure("any", "caption", data, plot))
        Parsed(text)
        width, height = (float(side) for side in plot.attrib["viewBox"].split()[2:])
        for rect in plot.iter("rect"):
            x, y, w, h = (float(rect.attrib[name]) for name in ("x", "y", "width", "height"))
            assert -0.1 <= x <= x + w <= width + 0.1
            assert -0.1 <= y <= y + h <= height + 0.1


@given(st.text(), st.text())
def test_text_never_becomes_markup(text: str, attribute: str) -> None:
    parsed = Parsed(html(element("p", text, title=attribute)))
    assert parsed.tags == ["p"]
    assert parsed.open == []
