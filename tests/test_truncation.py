"""A page is the most and the richest that its limit pays for, to the token."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from leadline_estimators.tokenizer import contract_line, count
from leadline_estimators.truncation import CLIPPED, CONTINUED, FREE, Cost, Form, Limit, Page, fit, total_costs

ENDLESS = Limit(10**9, 10**9)
WORDS = (
    *("QuerySet", "bulk_create", "self", "objs", "batch_size=None", "*args", "**kwargs", "->", "list[Model]", "中文"),
    *("🙂", "e\u0301", "#", "1234567", "(", ")", "/", "'", "\u2028", "returns the rows", "        ", "async", "{}"),
)
NAMES = (
    "QuerySet",
    ".bulk_create",
    "operator+=",
    "operator==",
    "_",
    "$",
    "empty?",
    "中文",
    ".__init__",
    "a1",
    "~Set",
    "x!",
)


@dataclass(frozen=True)
class Row:
    """A row with its texts, one for each form."""

    heading: str
    mark: str
    depth: int
    forms: tuple[str, ...]


@dataclass(frozen=True)
class Made:
    """Rows as ``fit`` asks for them."""

    rows: Sequence[Row]

    def __len__(self) -> int:
        return len(self.rows)

    def heading(self, row: int) -> str:
        return self.rows[row].heading

    def text(self, row: int, form: Form) -> str:
        return self.rows[row].forms[form]

    def mark(self, row: int) -> str:
        return self.rows[row].mark

    def depth(self, row: int) -> int:
        return self.rows[row].depth


def words(numbers: Sequence[int]) -> str:
    return " ".join(WORDS[number % len(WORDS)] for number in numbers)


def nested(line: int, depth: int, name: int, signature: Sequence[int], doc: Sequence[int]) -> tuple[str, str, str]:
    """The forms of a symbol in an outline: each says what the one before says, and more."""
    lean = f"{' ' * depth}{line} {words((name,))}"
    normal = f"{lean} {words(signature)}"
    documentation = "".join(contract_line(f"{' ' * depth}  {words((word, name))}") for word in doc)
    return contract_line(lean), contract_line(normal), contract_line(normal) + documentation


numbers = st.lists(st.integers(0, len(WORDS) - 1), max_size=5)
row_parts = st.tuples(
    *(st.integers(0, 2), st.integers(0, 3), st.integers(1, 4_000)),
    *(st.integers(0, len(WORDS) - 1), numbers, st.lists(st.integers(0, len(WORDS) - 1), max_size=3)),
)


@st.composite
def pages_of_symbols(draw: st.DrawFn) -> Made:
    """Rows without marks, nested, some below headings."""
    made, folder = [], 0
    for step, depth, line, name, signature, doc in draw(st.lists(row_parts, max_size=9)):
        folder += step == 0
        heading = f"app/part_{folder}/module.py" if folder else ""
        made.append(Row(heading, "", depth, nested(line, depth, name, signature, doc)))
    return Made(made)


@st.composite
def pages_of_uses(draw: st.DrawFn) -> Made:
    """Rows below headings whose leanest form is a number on the line of the heading."""
    made, folder = [], 0
    for step, _, line, name, signature, doc in draw(st.lists(row_parts, max_size=9)):
        folder += step == 0
        text = f"{line}: {words((name, *signature))}"
        full = contract_line(text) + "".join(contract_line(f"{line}- {words((word,))}") for word in doc)
        forms = contract_line(f"{line}"), contract_line(text), full
        made.append(Row(f"tests/файл {folder}.py", str(line), 0, forms))
    return Made(made)


@st.composite
def pages_of_names(draw: st.DrawFn) -> Made:
    """Rows below headings whose leanest form is a word on the line of the heading: the types and members of a map."""
    made, folder = [], 0
    for step, depth, line, name, signature, doc in draw(st.lists(row_parts, max_size=9)):
        folder += step == 0
        word = NAMES[name % len(NAMES)]
        text = f"{line} {word} {words(signature)}"
        full = contract_line(text) + "".join(contract_line(f"  {words((one,))}") for one in doc)
        forms = contract_line(word), contract_line(text), full
        made.append(Row(f"src/файл_{folder}.py", f" {word}", depth, forms))
    return Made(made)


@st.composite
def anything(draw: st.DrawFn) -> Made:
    """Rows of all sorts in one answer, with forms that have nothing to do with each other."""
    made, folder = [], 0
    for step, depth, line, name, signature, doc in draw(st.lists(row_parts, max_size=9)):
        folder += step == 0
        forms = contract_line(words(signature)), contract_line(words((name,))), contract_line(words(doc))
        heading = "" if folder % 3 == 2 else f"{folder}/ пример.txt"
        made.append(Row(heading, str(line) if heading and line % 2 else "", depth, forms))
    return Made(made)


rows_of_any_kind = st.one_of(pages_of_symbols(), pages_of_uses(), pages_of_names(), anything())
ordinary_rows = st.one_of(pages_of_symbols(), pages_of_uses())
limits = st.builds(Limit, st.integers(0, 200), st.one_of(st.just(10**6), st.integers(0, 600)))
reserves = st.sampled_from((0, 0, 7, 40))
ranges = st.sampled_from(((Form.Lean, Form.Full), (Form.Lean, Form.Lean), (Form.Full, Form.Full)))

ONE_TOO_LARGE = Made([Row("a/b.py", "", 0, (contract_line("x" * 900),) * 3)])
MIXED = Made(
    [
        Row("a.py", "", 0, ("one\n", "one\n", "one\n")),
        Row("a.py", "7", 0, ("7\n", "7: x\n", "7: x\n")),
        Row("a.py", "9", 0, ("9\n", "9: x\n", "9: x\n")),
    ]
)


def longest_prefix(rows: Made, form: Form, limit: Limit) -> int:
    return max(n for n, cost in enumerate(total_costs(rows, form)) if limit.pays(cost))


def less(limit: Limit, reserve: int) -> Limit:
    return Limit(max(0, limit.tokens - reserve), limit.characters)


def forms_on(page: Page, rows: Made) -> list[Form]:
    """Return the poorest form that each row of a complete page may have, told from the lines that are there."""
    lines = "".join(page.lines)
    found = []
    for row in range(len(rows)):
        forms = [form for form in Form if rows.text(row, form) in lines]
        found.append(max(forms, default=Form.Lean))
    return found


@given(rows=rows_of_any_kind, limit=limits, reserve=reserves, wanted=ranges)
@settings(max_examples=150, deadline=None)
@example(ONE_TOO_LARGE, Limit(40, 10**6), 0, (Form.Lean, Form.Full))
@example(ONE_TOO_LARGE, Limit(400, 50), 0, (Form.Lean, Form.Full))
@example(MIXED, Limit(14, 10**6), 0, (Form.Lean, Form.Full))
def test_a_page_never_costs_more_than_its_limit_in_tokens_or_characters(
    rows: Made, limit: Limit, reserve: int, wanted: tuple[Form, Form]
) -> None:
    page = fit(rows, limit, reserve, *wanted)
    text = "".join(page.lines)
    assert count(text) <= limit.tokens
    assert len(text) <= limit.characters
    if not page.complete:
        assert count(text) <= max(0, limit.tokens - reserve)


@given(rows=rows_of_any_kind, limit=limits, reserve=reserves, wanted=ranges)
@settings(max_examples=100, deadline=None)
def test_the_cost_of_a_page_is_the_cost_of_its_lines_alone_and_together(
    rows: Made, limit: Limit, reserve: int, wanted: tuple[Form, Form]
) -> None:
    page = fit(rows, limit, reserve, *wanted)
    assert page.cost == ENDLESS.cost_of("".join(page.lines))
    assert page.cost == sum(map(ENDLESS.cost_of, page.lines), FREE)


@given(rows=st.one_of(ordinary_rows, anything()), form=st.sampled_from(Form))
@settings(max_examples=150, deadline=None)
@example(MIXED, Form.Lean)
def test_the_running_costs_of_rows_are_those_of_the_pages_that_they_make(rows: Made, form: Form) -> None:
    costs = total_costs(rows, form)
    pages = [fit(Made(rows.rows[:n]), ENDLESS, 0, form, form) for n in range(len(rows) + 1)]
    assert costs == [page.cost for page in pages]


@given(rows=pages_of_names())
@settings(max_examples=150, deadline=None)
def test_names_cost_what_they_are_taken_for_or_less_where_they_end_in_signs(rows: Made) -> None:
    signs = sum(not row.mark[-1].isalnum() for row in rows.rows)
    taken, paid = total_costs(rows, Form.Lean)[-1], fit(rows, ENDLESS, 0, Form.Lean, Form.Lean).cost
    assert 0 <= taken.tokens - paid.tokens <= signs
    assert taken.characters == paid.characters


@dataclass(frozen=True)
class MembersLast(Made):
    """Rows of which those deeper down get detail last."""

    def detail(self, row: int) -> int:
        return self.rows[row].depth


@given(rows=pages_of_names(), limit=limits)
@settings(max_examples=150, deadline=None)
def test_rows_with_an_order_of_their_own_get_detail_in_it(rows: Made, limit: Limit) -> None:
    ordered = MembersLast(rows.rows)
    page = fit(ordered, limit, 0, Form.Lean, Form.Normal)
    assert limit.pays(ENDLESS.cost_of("".join(page.lines)))
    if page.complete:
        shown = [row for row in range(len(rows)) if rows.text(row, Form.Normal) in page.lines]
        order = sorted(range(len(rows)), key=ordered.detail)
        texts = [rows.text(row, Form.Normal) for row in order]
        grown = next((n for n, row in enumerate(order) if row not in shown), len(order))
        assert all(text in texts[:grown] for text in (texts[n] for n, row in enumerate(order) if row in shown))


@given(rows=rows_of_any_kind, limit=limits, reserve=reserves)
@settings(max_examples=150, deadline=None)
def test_a_page_is_complete_exactly_where_all_rows_fit_in_their_leanest_form(
    rows: Made, limit: Limit, reserve: int
) -> None:
    page = fit(rows, limit, reserve)
    assert page.complete is limit.pays(total_costs(rows, Form.Lean)[-1])
    if page.complete:
        assert page.shown == page.seen == len(rows)
        assert page.levels == 0


@given(rows=ordinary_rows)
@settings(max_examples=60, deadline=None)
def test_every_row_is_shown_in_its_richest_form_exactly_where_the_limit_pays_for_that(rows: Made) -> None:
    dearest = max(total_costs(rows, form)[-1].tokens for form in Form)
    assert fit(rows, Limit(dearest, 10**6), 0).detailed
    page = fit(rows, ENDLESS, 0)
    text = "".join(page.lines)
    assert page.detailed
    assert all(rows.text(row, Form.Full) in text for row in range(len(rows)))


@given(rows=ordinary_rows, limit=limits, reserve=reserves)
@settings(max_examples=150, deadline=None)
def test_a_page_that_is_cut_is_the_longest_prefix_or_an_overview_that_shows_more(
    rows: Made, limit: Limit, reserve: int
) -> None:
    page = fit(rows, limit, reserve)
    if page.complete:
        assert limit.pays(total_costs(rows, Form.Lean)[-1])
        return
    room = less(limit, reserve)
    prefix = longest_prefix(rows, Form.Normal, room)
    fitting = [
        (depth, len(shallow))
        for depth in (1, 2, 3)
        if 0 < len(shallow := [row for row in rows.rows if row.depth < depth]) < len(rows)
        and room.pays(total_costs(Made(shallow), Form.Lean)[-1])
    ]
    if page.levels:
        assert page.seen == dict(fitting)[page.levels] == max(size for _, size in fitting) > prefix
        assert page.shown == 0  # it is no run: the next page begins at the first row
        return
    assert all(size <= max(1, prefix) for _, size in fitting)
    if prefix:
        assert page.shown == page.seen == prefix
        shown = fit(Made(rows.rows[:prefix]), ENDLESS, 0, Form.Normal, Form.Normal)
        assert page.lines == shown.lines
    else:
        assert page.shown == page.seen == bool(page.lines)


@given(rows=ordinary_rows, reserve=reserves, wanted=ranges)
@settings(max_examples=25, deadline=None)
def test_a_larger_limit_never_shows_fewer_rows_nor_poorer_forms(
    rows: Made, reserve: int, wanted: tuple[Form, Form]
) -> None:
    dearest = max(total_costs(rows, form)[-1].tokens for form in Form)
    pages = [fit(rows, Limit(tokens, 10**6), reserve, *wanted) for tokens in range(dearest + reserve + 2)]
    for smaller, larger in pairwise(pages):
        assert smaller.seen <= larger.seen
        assert smaller.complete <= larger.complete
        assert smaller.detailed <= larger.detailed
        if smaller.complete:
            assert all(a <= b for a, b in zip(forms_on(smaller, rows), forms_on(larger, rows), strict=True))
        elif not larger.complete and smaller.levels and larger.levels:
            assert smaller.levels <= larger.levels
    assert pages[-1].detailed


@given(rows=ordinary_rows)
@settings(max_examples=25, deadline=None)
def test_more_characters_never_show_fewer_rows(rows: Made) -> None:
    longest = max(total_costs(rows, form)[-1].characters for form in Form)
    pages = [fit(rows, Limit(10**6, characters), 0) for characters in range(0, longest + 2, 3)]
    assert all(smaller.seen <= larger.seen for smaller, larger in pairwise(pages))


@given(rows=ordinary_rows, limit=limits)
@settings(max_examples=150, deadline=None)
def test_no_row_of_a_complete_page_is_richer_than_one_before_it(rows: Made, limit: Limit) -> None:
    apart = Made(
        [
            Row(row.heading, row.mark, row.depth, tuple(f"{i}/{form} {text}" for form, text in enumerate(row.forms)))
            for i, row in enumerate(rows.rows)
        ]
    )
    page = fit(apart, limit, 0)
    if page.complete:
        forms = forms_on(page, apart)
        assert forms == sorted(forms, reverse=True)
        assert forms == [] or forms[0] - forms[-1] <= 1
    else:
        assert page.seen < len(apart) or page.lines[-1].endswith(f"{CLIPPED}\n")


@given(texts=st.lists(numbers, min_size=1, max_size=12), limit=limits, reserve=reserves, headings=st.integers(1, 4))
@settings(max_examples=150, deadline=None)
def test_rows_that_have_one_form_are_the_largest_prefix(
    texts: list[list[int]], limit: Limit, reserve: int, headings: int
) -> None:
    rows = Made(
        [Row(f"{i // headings}/", "", 0, (contract_line(f"{i} {words(text)}"),) * 3) for i, text in enumerate(texts)]
    )
    page = fit(rows, limit, reserve)
    if limit.pays(total_costs(rows, Form.Lean)[-1]):
        assert page.complete
        assert page.detailed
    else:
        prefix = longest_prefix(rows, Form.Normal, less(limit, reserve))
        assert page.shown == max(prefix, bool(page.lines))
        assert not page.complete


@given(size=st.integers(100, 3_000), room=st.integers(16, 60), heading=st.sampled_from(("", "a/b/c.py")))
@settings(max_examples=60, deadline=None)
def test_a_first_row_that_no_page_holds_is_clipped_so_that_pages_go_on(size: int, room: int, heading: str) -> None:
    text = contract_line(f"1: VALUE = {'one two 中文 ' * size}")
    rows = Made([Row(heading, "", 0, (text,) * 3), Row(heading, "", 0, ("2:\n",) * 3)])
    for limit in (Limit(room, 10**6), Limit(10**6, 3 * room)):
        page = fit(rows, limit, 0)
        assert (page.shown, page.complete, page.detailed) == (1, False, False)
        clipped = page.lines[-1].removesuffix(f"{CLIPPED}\n")
        assert clipped != page.lines[-1]
        assert text.startswith(clipped)
        assert page.lines[:-1] == ((f"{heading}\n",) if heading else ())
        assert limit.pays(page.cost)


@pytest.mark.parametrize("tokens", range(2))
def test_where_there_is_no_room_for_a_few_characters_nothing_is_shown(tokens: int) -> None:
    page = fit(ONE_TOO_LARGE, Limit(tokens, 10**6), 0)
    assert page.shown == page.seen == len(page.lines) == 0
    assert page.cost == FREE


def test_no_rows_are_a_complete_page() -> None:
    assert fit(Made(()), Limit(0, 0), 10) == Page((), 0, True, True, FREE)


def uses(*places: tuple[str, int]) -> Made:
    return Made(
        [
            Row(path, str(line), 0, (f"{line}\n", f"{line}: call()\n", f"{line}: call()\n{line + 1}- after\n"))
            for path, line in places
        ]
    )


def page_of(rows: Made, tokens: int, *wanted: Form) -> str:
    return "".join(fit(rows, Limit(tokens, 10**6), 0, *wanted).lines)


USES = uses(("a.py", 1), ("a.py", 22), ("a.py", 333), ("b.py", 4), ("b.py", 5))


def test_the_leanest_page_of_uses_is_a_line_of_numbers_for_each_file() -> None:
    assert page_of(USES, 20) == "a.py: 1,22,333\nb.py: 4,5\n"


def test_forms_grow_in_rank_order_and_the_rest_stays_below_the_same_heading() -> None:
    assert page_of(USES, 21) == f"a.py\n1: call()\n{CONTINUED}22,333\nb.py: 4,5\n"


def test_full_forms_come_once_all_rows_are_normal() -> None:
    assert page_of(USES, 31) == ("a.py\n1: call()\n2- after\n22: call()\n333: call()\nb.py\n4: call()\n5: call()\n")


NESTED = Made(
    [
        Row("", "", depth, (f"{' ' * depth}{line} {name}\n", f"{' ' * depth}{line} {name}(self)\n", "never\n" * 50))
        for line, (depth, name) in enumerate(
            [(0, "First"), (1, "one"), (1, "two"), (2, "deep"), (1, "three"), (0, "Second"), (1, "one"), (0, "Third")],
            1,
        )
    ]
)


def test_an_overview_of_nested_rows_shows_more_levels_the_more_it_may_cost() -> None:
    pages = [fit(NESTED, Limit(tokens, 10**6), 0) for tokens in range(60)]
    levels = [page.levels for page in pages if page.levels]
    assert levels == sorted(levels)
    assert set(levels) == {1, 2}


@pytest.mark.parametrize(
    ("wanted", "shown"), [((Form.Lean, Form.Lean), {Form.Lean}), ((Form.Normal, Form.Normal), {Form.Normal})]
)
def test_forms_that_are_not_wanted_do_not_occur_in_an_overview_either(
    wanted: tuple[Form, Form], shown: set[Form]
) -> None:
    pages = [fit(NESTED, Limit(tokens, 10**6), 0, *wanted) for tokens in range(60)]
    overviews = [page for page in pages if page.levels]
    assert overviews
    own = {NESTED.text(row, form): form for row in range(len(NESTED)) for form in Form}
    assert {own[line] for page in overviews for line in page.lines} == shown


def test_what_is_left_of_a_limit_is_never_below_zero() -> None:
    assert Limit(5, 50).less(Cost(9, 10)) == Limit(0, 40)
    assert Limit(5, 50).less(Cost(1, 90)) == Limit(4, 0)
    assert Cost(3, 4) + Cost(1, 2) - Cost(2, 2) == Cost(2, 4)
