"""The composition of an answer: from a result and a budget to the text that is sent.

The frame (header, URI, one next call) is paid first, then the items. The rest pays for the counts of what was left out
and for further calls. The frame is priced at its worst, so its price does not depend on what is shown: only then does a
larger budget never show fewer items.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from leadline_estimators.estimate import Estimate
from leadline_estimators.profiles import Profile, TextKind
from leadline_estimators.tokenizer import Tokenizer, clip
from leadline_estimators.truncation import FREE, Cost, Form, Limit, Nesting, Page, Rows, complete, cut, fit, pays_all
from leadline_server.answer import Answer, Budget, best_first, estimate_rows
from leadline_server.insights import insights
from leadline_server.json_answer import JsonComposer
from leadline_server.next_calls import MOST, MOST_OF_COMPLETE, Offer, follow_ups
from leadline_server.notes import account_summary, affordable, completeness, payable_notes
from leadline_server.omitted_items import MOST_GROUPS, groups_of, groups_of_rest, left_out, left_out_cost, more_groups
from leadline_server.prices import Prices
from leadline_server.render import count_by_path, line, nesting, richest_form, text_kind
from leadline_server.rows import AsideRows, BreakdownRows, ItemRows
from leadline_tools.index.text.key_masking import mask_text
from leadline_tools.model import Item
from leadline_tools.once import once
from leadline_tools.result import Aside, Call, Result
from leadline_tools.tool import Tool

SHORT = 150
"""O200k tokens below which the header is short and there are no notes or calls."""

_SUBJECT, _SHORT_SUBJECT = 60, 12
"""O200k tokens of the subject in a header."""

_WIDEST = 20_000
"""Stands for any number of tokens where a header is priced; none that is printed costs more."""

_SHARE = 8
"""Of a page that is cut, one token in so many may count what was left out; the agreed most is one in five."""

_ASIDES_SHARE = 3
"""Of a limit, one token in so many is kept for what is shown beside the items."""


@dataclass(frozen=True)  # without slots: what is cached needs a place
class Composer:
    """Composes the answer to one call.

    Args:
        tool: The tool that the header names: the one that was asked first.
        result: The complete result.
        uri: Where it is or will be kept.
        budget: What the answer may cost.
        prices: What next calls cost.
        profile: How the model counts.
        kind: The kind of text that the answer is.
        tools: The tools that can be called next.
        paging: True for a page of a stored result: it does not count what is left out.
        named: True where the answer names the URI even if nothing is left out.

    """

    tool: str
    result: Result
    uri: str
    budget: Budget
    prices: Prices
    profile: Profile
    kind: TextKind
    tools: Sequence[Tool]
    paging: bool = False
    named: bool = False

    @property
    def _limit(self) -> Limit:
        return self.budget.limit

    @once
    def _items(self) -> Sequence[Item]:
        """Return the items in the order in which they are shown."""
        return best_first(self.result)

    @property
    def _tokenizer(self) -> Tokenizer:
        return self._limit.tokenizer

    @property
    def _is_short(self) -> bool:
        return self._limit.tokens < self._tokenizer.scale(SHORT)

    def text(self) -> Answer:
        """Return the answer as text."""
        items = self._items
        rows: Rows = ItemRows(items, self.prices)
        whole = estimate_rows(rows, self._tokenizer)
        if self.result.breakdowns:
            return self._compose_counts(whole)
        most = Form.Lean if self.result.lean else Form.Full if self.result.full else richest_form(items)
        ranked = self.result.ranked and not self.result.lean
        least = Form.Full if self.result.full else Form.Normal if ranked else Form.Lean
        too_little: Limit | None = None
        if len(items) == len(self.result.items):
            head = self._header(self._span(_WIDEST, _WIDEST, short=False) + completeness(self.result), _WIDEST)
            frame = (
                self._limit.cost_of(head)
                + self._notes_cost()
                + self._asides_cost
                + (self._limit.cost_of(self._uri_line()) if self.named else FREE)
            )
            tried = self._limit.less(frame)
            if not pays_all(rows, tried, least):
                too_little = tried
            elif (page := complete(rows, tried, most, most)) is not None:
                return self._assemble(page, whole, (), stored=self.named)
        groups = () if self.paging or self.result.window.limit else groups_of(items)
        room, reserve = self._room(len(items), whole, left_out_cost(groups, len(items), self._tokenizer))
        fitted = cut if too_little is not None and room.tokens <= too_little.tokens else fit
        nested = Nesting.Run if self.paging else nesting(items)
        page = fitted(rows, room.less(self._asides_cost), reserve, least, most, nesting=nested)
        if not page.complete and self._asides_cost != FREE:
            page = fitted(rows, room, reserve, least, most, nesting=nested)
        left = groups_of_rest(items, page.shown) if groups and not page.complete and not page.levels else ()
        return self._assemble(page, whole, left, stored=True)

    def repeat_notice(self, answer: Answer) -> Answer:
        """Return a reference to an answer that was already sent in this turn: its URI, without its items."""
        whole = Call.of("read_result", uri=self.uri)
        price = self.prices.answer(answer.whole.tokens, self.kind)
        offer = Offer(whole, *self.prices.correct(whole.tool, price, self.budget.usual))
        shown = f"{self._total_text()} {self._noun()}, already answered in this turn"
        bare = replace(self, result=replace(self.result, notes=(), asides=()), paging=True)
        return bare._finish(shown, [], [offer], answer.whole, stored=True)

    def json(self, call: Call) -> Answer:
        """Return the answer as one JSON object, an item a line; ``call`` is the one that was asked first."""
        return JsonComposer(self.result, self.uri, self.budget, self.prices).answer(call)

    # The frame

    def _header(self, shown: str, used: int, *, short: bool = False) -> str:
        subject = _shorten(self.result.subject, _SHORT_SUBJECT if short else _SUBJECT, self._tokenizer)
        about = "" if self.profile.exact else "~"
        limit = self.budget.tokens
        spent = f"{about}{used}/{limit}" if short else f"{about}{used:,} of {limit:,} tokens"
        raised = "" if self.budget.raised_from is None else f" (raised from {self.budget.raised_from:,})"
        return line(f"{self.tool} {subject}: {shown} | {spent}{raised}")

    def _notes_cost(self) -> Cost:
        return sum((self._limit.cost_of(line(note)) for note in self.result.notes), FREE)

    def _uri_line(self) -> str:
        return line(f"all: {self.uri}")

    def _room(self, items: int, whole: Estimate, counting: int) -> tuple[Limit, int]:
        """Return what the frame leaves for items, and how many of these tokens count what a cut page leaves out.

        Below ``SHORT`` tokens the frame has no notes and no calls. Where it grows, at that point, no items are lost:
        they keep at least the room that they have just below it.
        """
        limit = self._limit
        uri = limit.cost_of(self._uri_line())
        total = self._total_text()
        widest = f"{total}-{total} of {total} {self.result.noun}"
        short = limit.cost_of(self._header(widest, self.budget.tokens, short=True)) + uri
        account = limit.cost_of(summary) if (summary := account_summary(self.result)) else FREE
        short += account if limit.pays(short + account) else FREE
        if self._is_short:
            return limit.less(short), min(limit.tokens // _SHARE, counting)
        header = limit.cost_of(
            self._header(self._span(_WIDEST, _WIDEST, short=False) + completeness(self.result), _WIDEST)
        )
        offers = [limit.cost_of(Offer(offer.call, _WIDEST).line()) for offer in self._offers(items, whole)[:1]]
        long = limit.less(sum(offers, header + uri + self._notes_cost()))
        least = self._tokenizer.scale(SHORT) - 1
        before = replace(limit, tokens=least).less(short).tokens
        room = max(long.tokens, before)
        cut = max(long.tokens - min(limit.tokens // _SHARE, counting), before - min(least // _SHARE, counting))
        return replace(long, tokens=room), room - cut

    def _total_text(self) -> str:
        whole = self.result.whole or len(self.result.items)
        return f"{'>=' if self.result.at_least else ''}{whole:,}"

    def _noun(self) -> str:
        """Return what the items are called, in the singular where there is one."""
        noun = self.result.noun
        return noun.removesuffix("s") if self._total_text() == "1" else noun

    def _span(self, first: int, last: int, *, short: bool) -> str:
        """Return the text of the header for the items from ``first`` to ``last``."""
        total = self._total_text()
        if self.result.span and not short:
            return self.result.span.format(first=first, last=last, total=total.replace(",", ""))
        return f"{first:,}-{last:,} of {total} {self._noun()}" + ("" if short else self._files_text)

    @once
    def _files_text(self) -> str:
        if text_kind(self.result.items) is not TextKind.References:
            return ""
        paths = count_by_path(self.result.items)
        return f" in {len(paths):,} files" if len(paths) > 1 else ""

    def _shown_text(self, page: Page, *, short: bool) -> str:
        """Return what the header says is shown."""
        result = self.result
        whole = result.whole or len(result.items)
        if result.ranked and result.items and not self.paging:
            shown = page.seen or page.shown
            return f"{shown:,} best of more" if short else f"{shown:,} best {result.noun} of more"
        if page.levels:
            return f"{page.seen:,} of {self._total_text()}" + ("" if short else f" {self._noun()}, {page.levels} deep")
        if not page.shown:
            nothing = f"no {result.noun}{' yet' if result.at_least else ''}"
            return f"0 of {self._total_text()}" if result.items else result.headline or nothing
        first = result.first + result.window.offset
        last = first + page.shown - 1
        open_ended = result.at_least or result.ranked
        if first == 1 and last >= whole and not open_ended and (short or not result.span):
            return f"{self._total_text()} {self._noun()}{'' if short else self._files_text}{completeness(self.result)}"
        end = completeness(self.result) if last >= whole and not short and not open_ended else ""
        return self._span(first, last, short=short) + end

    @once
    def _asides_cost(self) -> Cost:
        """Return what the asides cost in their leanest form, a third of the limit at most: items come before them."""
        most = self._limit.tokens // _ASIDES_SHARE
        lines, _ = self._compose_asides(replace(self._limit, tokens=most), Form.Lean)
        return sum(map(self._limit.cost_of, lines), FREE)

    def _compose_asides(self, room: Limit, most: Form = Form.Full) -> tuple[list[str], list[Call]]:
        """Return the lines of the asides, as far as there is room, and the calls that list those not shown in full."""
        lines: list[str] = []
        calls: list[Call] = []
        for aside in self.result.asides if not (self._is_short or self.result.window.offset) else ():
            rows, counted = AsideRows(aside), _aside_summary(aside)
            listing = Offer(aside.call, _WIDEST).line() if aside.call is not None else ""
            richest = Form.Lean if aside.lean else most
            page = fit(rows, room, room.tokenizer.count(counted + listing), Form.Lean, richest)
            lines += page.lines
            room = room.less(page.cost)
            if sum(1 + len(use.again) for use in aside.uses[: page.shown]) < aside.total:
                cost = room.cost_of(counted)
                lines += [counted] if room.pays(cost) else []
                room = room.less(cost) if room.pays(cost) else room
                calls += [aside.call] if aside.call is not None else []
        return lines, calls

    # The text

    @once
    def _suggested_offers(self) -> list[Offer]:
        """Return the calls worth making whatever is shown; to price them files are read."""
        calls = follow_ups(self.result, self.tool, self.tools, self.prices.about)
        return [Offer(call, *self.prices.price_call(call, self.budget.usual)) for call in calls]

    def _offers(self, shown: int, whole: Estimate, *, cut: bool = True) -> list[Offer]:
        """Return the calls worth making next; after a page that was cut, the one that continues it comes first."""
        result = self.result
        position = result.window.offset + shown
        rest = len(result.items) - position
        usual = self.budget.usual
        offers = self._suggested_offers
        if not cut or rest <= 0:
            return offers
        if result.more is not None and not self.paging:
            call = result.more.behind(shown)
            further = Offer(call, *self.prices.price_call(call, usual))
        else:
            call = Call.of("read_result", uri=self.uri, offset=position)
            tokens = whole.tokens * rest // max(1, len(result.items) - result.window.offset)
            further = Offer(call, *self.prices.correct(call.tool, self.prices.answer(tokens, self.kind), usual))
        offered = any(tool.name == further.call.tool for tool in self.tools)
        return [further, *offers] if offered else offers

    def _compose_counts(self, whole: Estimate) -> Answer:
        """Return the answer that counts instead of listing."""
        price = self.profile.price(whole.tokens, self.kind)
        shown = f"{self._total_text()} {self.result.noun}, counted, not listed (a list: ~{price:,} tokens)"
        rows = BreakdownRows(self.result.breakdowns)
        uri = self._uri_line()
        frame = self._limit.cost_of(self._header(shown, _WIDEST)) + self._limit.cost_of(uri) + self._notes_cost()
        offers = self._offers(0, whole, cut=False)
        first = [self._limit.cost_of(Offer(offer.call, _WIDEST).line()) for offer in offers[:1]]
        limit = self._limit
        if self._is_short:
            shown = f"{self._total_text()}, counted"
            frame = limit.cost_of(self._header(shown, self.budget.tokens, short=True)) + limit.cost_of(uri)
            first = []
        page = fit(rows, limit.less(sum(first, frame)), self._tokenizer.count(more_groups(len(rows))))
        lines = list(page.lines) if page.complete else [*page.lines, more_groups(len(rows) - page.shown)]
        return self._finish(shown, lines, offers, whole, stored=True)

    def _assemble(self, page: Page, whole: Estimate, left: Sequence[tuple[str, int]], *, stored: bool) -> Answer:
        limit = self._limit
        lines = list(page.lines)
        short = self._is_short
        shown = self._shown_text(page, short=short)
        offers = self._offers(page.shown, whole)
        if left:
            spent = limit.cost_of(self._header(shown, _WIDEST)) + page.cost + limit.cost_of(self._uri_line())
            if not short:
                spent = sum((limit.cost_of(offer.line()) for offer in offers[:1]), spent + self._notes_cost())
            lines.extend(left_out(left, limit.less(spent), limit.tokens // 5))
        return self._finish(shown, lines, offers, whole, stored=stored, page=page)

    def _finish(
        self,
        shown: str,
        lines: list[str],
        offers: list[Offer],
        whole: Estimate,
        *,
        stored: bool,
        page: Page | None = None,
    ) -> Answer:
        """Put header, notes, items, calls and URI together, each as long as the limit pays for it."""
        limit = self._limit
        end = [self._uri_line()] if stored else []
        body = sum(map(limit.cost_of, (*lines, *end)), FREE)
        header, short = self._header(shown, _WIDEST), False
        if self._is_short or not limit.pays(body + limit.cost_of(header)):
            short = True
            shown = shown if page is None else self._shown_text(page, short=True)
            header = self._header(shown, self.budget.tokens, short=True)
        left = limit.less(body + limit.cost_of(header))
        notes = payable_notes(self.result, left, short=short)
        left = left.less(sum(map(limit.cost_of, notes), FREE))
        offers = [] if self._is_short else [offer for offer in offers if stored or not offer.call.part]
        room = left.less(limit.cost_of(Offer(offers[0].call, _WIDEST).line())) if offers else left
        aside, more = self._compose_asides(room) if not short and (page is None or page.complete) else ([], [])
        left = left.less(sum(map(limit.cost_of, aside), FREE))
        more = [call for call in more if any(tool.name == call.tool for tool in self.tools)]
        further = [Offer(call, *self.prices.price_call(call, self.budget.usual)) for call in more]
        whole_page = page is not None and page.complete and not stored
        offers = [*offers[:1], *further, *offers[1:]][: MOST_OF_COMPLETE if whole_page else MOST]
        offered = list(affordable((offer.line() for offer in offers), left))
        left = left.less(sum(map(limit.cost_of, offered), FREE))
        result = self.result
        seen_whole = page is not None and page.complete and page.detailed and not (result.lean or result.at_least)
        unwanted = short or self.paging or result.breakdowns or seen_whole or (offers and not offered)
        worth = [] if unwanted else insights(result.items, at_least=result.at_least)
        insight_lines = list(affordable(worth, left))
        rest = [*notes, *lines, *aside, *insight_lines, *offered, *end]
        tokens = sum(self._tokenizer.count(part) for part in rest)
        header = self._settle_header(shown, tokens, short=short)
        text = "".join((header, *rest))
        seen = () if page is None else self._items[: None if page.levels else page.shown]
        outermost = 0 if page is None or not page.levels else page.seen
        return Answer(text, stored, tokens + self._tokenizer.count(header), whole, seen, offers, outermost)

    def _settle_header(self, shown: str, tokens: int, *, short: bool) -> str:
        """Return the header with the number of tokens of the whole text, header included."""
        used = self.profile.price(tokens, self.kind)
        header = self._header(shown, used, short=short)
        for _ in range(8):
            price = self.profile.price(tokens + self._tokenizer.count(header), self.kind)
            if price == used:
                break
            used = price
            header = self._header(shown, used, short=short)
        return header


def _aside_summary(aside: Aside) -> str:
    """Return the line that counts an aside by folder."""
    named = ", ".join(f"{group} {number:,}" for group, number in aside.groups[:MOST_GROUPS])
    return line(f"{aside.label}, {aside.total:,} in all: {named}")


def _shorten(subject: str, o200k: int, tokenizer: Tokenizer) -> str:
    """Return a subject that costs at most so much, cut in the middle: both ends of a path are informative."""
    count, tokens = tokenizer.count, tokenizer.scale(o200k)
    if count(subject) <= tokens:
        return subject
    subject = mask_text(subject)  # while its keys are whole
    if count(subject) <= tokens:
        return subject
    head = clip(subject, tokens // 2 - 1, count)
    tail = clip(subject[::-1], tokens // 2 - 1, count)[::-1]
    while tail and count(f"{head}...{tail}") > tokens:
        tail = tail[1:]
    return f"{head}...{tail}"
