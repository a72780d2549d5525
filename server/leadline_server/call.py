"""One call, from arguments to response: the only pipeline there is.

Arguments are checked, the index is brought up to date, the tool is run, its result is budgeted, fitted, stored and
composed, the call is noted in the ledger, and errors are caught: here and nowhere else.
"""

from __future__ import annotations

import copy
import sys
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from leadline_estimators.profiles import Profile, TextKind
from leadline_estimators.truncation import Limit
from leadline_server.answer import Answer, Budget
from leadline_server.arguments import clean, question_of, read_max_tokens, validate
from leadline_server.calibration import Calibration
from leadline_server.call_counts import CallCounts
from leadline_server.compose import Composer
from leadline_server.config import READ_TOKENS, Config
from leadline_server.edits import Edits, Question
from leadline_server.error_line import error_line
from leadline_server.errors import TooManyOpenFiles, UnknownTool
from leadline_server.ledger import Entry
from leadline_server.open_files import limit as limit_of_open_files
from leadline_server.outgoing import without_given_keys
from leadline_server.packed_result import arguments_of
from leadline_server.prices import Prices
from leadline_server.render import cited_paths, text_kind
from leadline_server.root_runs import Undecided, within_root
from leadline_server.scheduler import Scheduler
from leadline_server.state import State, local_state
from leadline_server.tool_runs import ToolRuns
from leadline_server.toolset import sort_tools
from leadline_server.turns import Window
from leadline_tools.edits.journal import Journal, journal_folder
from leadline_tools.edits.proposal import Proposal
from leadline_tools.errors import LeadlineError
from leadline_tools.index.index import Index, VisibleByTeams
from leadline_tools.index.request_scope.changed_since import compared_commits
from leadline_tools.index.store.rows import RowsDamagedError
from leadline_tools.index.text.key_masking import MASK
from leadline_tools.index.tree.disk.shortage import is_shortage
from leadline_tools.language_servers.server_pool import ServerPool, attach_pool
from leadline_tools.once import once
from leadline_tools.patience import Patience
from leadline_tools.result import Call, Result
from leadline_tools.tool import TOOLS, WRITING, Tool

LOCAL = "local"
"""The one principal that there is where the server has one client."""

CONCURRENT = 4
"""Calls of one tool that run at once; further ones wait their turn."""

_MASKED = f"keys in the text are masked: {MASK}"


@dataclass(frozen=True, slots=True)
class Stored:
    """A result and its URI.

    Args:
        call: The question that it answers.
        uri: Where it is or will be kept.
        result: The complete result.
        as_json: Whether it is sent as JSON.
        kept: Whether the store has it already.
        named: Whether the answer names the URI even if it is complete, and is repeated when the question is repeated.
        roots: The names of the roots that it is about.

    """

    call: Call
    uri: str
    result: Result
    as_json: bool
    kept: bool = False
    named: bool = False
    roots: Collection[str] = ()


@dataclass(frozen=True, slots=True)
class Composed:
    """An answer with what it was composed from, for a reader that shows more than its text.

    Args:
        stored: The question, the complete result, and its URI.
        answer: What is sent.
        budget: What it may cost, in tokens of the model.
        price: What it costs, in tokens of the model.
        whole_price: What the complete answer would cost in the same form, in tokens of the model: at least ``price``.

    """

    stored: Stored
    answer: Answer
    budget: int
    price: int
    whole_price: int


@dataclass(frozen=True, slots=True)
class Response:
    """What goes back to the client.

    Args:
        text: The answer.
        is_error: Whether it reports an error.
        uri: Where the complete result is kept; empty where it is not.
        structured: The same answer as one JSON object, within the same budget; empty where none is sent.
        composed: What the text was composed from; None for an error.

    """

    text: str
    is_error: bool
    uri: str = ""
    structured: str = ""
    composed: Composed | None = None


@dataclass(frozen=True, slots=True)
class Request:
    """One call as it came in.

    Args:
        tool: The name of the tool.
        arguments: Its arguments, ``max_tokens`` among them.
        principal: Whose call it is.
        store: Whether the result is to be kept even when nothing was cut.
        as_json: Whether the text is to be JSON.
        turn: The name of the turn that the call belongs to, as the client says; empty for none.
        window: What the client says of its model's context; None for nothing.
        client: The name of the client, as it says.
        patience: How long it may take; None for as long as is configured.
        teams: The teams of the caller.

    """

    tool: str
    arguments: Mapping[str, Any]
    principal: str = LOCAL
    store: bool = False
    as_json: bool = False
    turn: str = ""
    window: Window | None = None
    client: str = ""
    patience: Patience | None = None
    teams: frozenset[str] = frozenset()


class Session:
    """Everything that a call needs besides its arguments; its state is that of a single server unless given."""

    def __init__(self, config: Config, index: Index, state: State | None = None) -> None:
        self.config = config
        self.index = index
        index.prepare_each(lambda part: attach_pool(part, ServerPool(part, config.language_servers)))
        self._runs = ToolRuns(index)
        self.state = state or local_state(config, index)
        self.store = self.state.results
        self.ledger = self.state.ledger
        self.counts = CallCounts()
        self.calibration = Calibration(self.ledger)
        self.prices = Prices(index, config.profile, self.calibration)
        self.load = self.state.limits
        self.scheduler = Scheduler(CONCURRENT, LOCAL)
        self.turns = self.state.turns
        journal = Journal(journal_folder(config.cache, index.identity), index.tree) if config.cache else None
        self.edits = Edits(index.tree, journal, self.store, allowed=config.allow_edits)
        self.edits.recover()
        self.principal = LOCAL

    @property
    def tools(self) -> Mapping[str, Tool]:
        """Return the tools that are offered, by name."""
        return {name: TOOLS[name] for name in self._offered_names}

    @once
    def _offered_names(self) -> Sequence[str]:
        return [name for name in sort_tools(TOOLS) if not self.config.tools or name in self.config.tools]

    def close(self) -> None:
        """Close what is open."""
        self.index.close()
        self.state.close()

    def call(self, request: Request) -> Response:
        """Answer one call; never raises for what a caller can do something about."""
        response = self._answer_or_error(request)
        return response if self.config.policy.allowed else _masked(response, request)

    def _answer_or_error(self, request: Request) -> Response:
        limit = request.patience or Patience(self.config.patience)
        try:
            try:
                return limit.run(lambda: self.visible_to(request.principal, request.teams)._answer(request))
            except RowsDamagedError:
                self.index.renew()
                return limit.run(lambda: self.visible_to(request.principal, request.teams)._answer(request))
        except LeadlineError as error:
            response = error_response(error, request)
            self._note_error(request, response.text)
            return response
        except OSError as error:
            if not is_shortage(error):
                raise
            response = error_response(TooManyOpenFiles(limit_of_open_files()), request)
            self._note_error(request, response.text)
            return response

    def index_for(self, request: Request) -> Index:
        """Return the index of the roots that a request is about; of all roots if its tool or arguments are wrong."""
        tool = self.tools.get(request.tool)
        try:
            return self._runs.limited_to(tool, _arguments(request, tool)).index if tool is not None else self.index
        except LeadlineError:
            return self.index

    def read_all(self, uri: str, offset: int, principal: str = LOCAL) -> str:
        """Return a stored result as JSON from ``offset`` on, whatever it costs: for programs, never for a model."""
        call, result = stored_result(self, uri, principal)
        stored = with_window(Stored(call, uri, result, as_json=True), offset, 0)
        unlimited = Budget(sys.maxsize, Limit(sys.maxsize, sys.maxsize), READ_TOKENS)
        return self._composer(stored, unlimited, TextKind.Json, paging=True).json(call).text

    def preview(self, uri: str, tokens: int, principal: str = LOCAL) -> Composed:
        """Return what the answer with a stored result would be if it might cost ``tokens`` of the model.

        Nothing is sent to a model, so neither a turn nor the ledger counts it. Raises NoSuchResult.
        """
        call, result = stored_result(self, uri, principal)
        stored = Stored(call, uri, result, as_json=False, kept=True)
        kind = text_kind(result.items)
        floor = self.config.profile.frame(self.config.floor, kind)
        wanted = min(tokens, self.config.most_tokens(call.tool))
        budget = self._budget(call.tool, wanted, max(wanted, floor), floor, kind)
        answer = self._compose(stored, budget, kind, paging=False)[1]
        if not self.config.policy.allowed:
            answer = replace(answer, text=without_given_keys(answer.text, dict(call.arguments).values()))
        return _composed(self.config.profile, stored, answer, budget, budget.limit.tokenizer.count(answer.text))

    def least_tokens(self, result: Result) -> int:
        """Return the smallest budget of an answer with a result, in tokens of the model."""
        return self.config.profile.frame(self.config.floor, text_kind(result.items))

    def with_config(self, config: Config) -> Session:
        """Return this session with other options of answers: the tree and the model are those of this one."""
        own = copy.copy(self)
        own.config = config
        return own

    def visible_to(self, principal: str, teams: frozenset[str]) -> Session:
        """Return this session as a caller in some teams has it: of nothing else does it know anything.

        Raises NothingVisible, and DatabaseError.
        """
        index = self.index.visible_to(teams) if isinstance(self.index, VisibleByTeams) else self.index
        if index is self.index and principal == self.principal:
            return self
        own = copy.copy(self)
        own.principal = principal
        if index is not self.index:
            own.index, own._runs = index, ToolRuns(index)
            own.prices = self.prices.of(index, self.calibration.of(principal))
            own.edits = Edits(index.tree, None, self.store, allowed=False)
        return own

    def _composer(self, stored: Stored, budget: Budget, kind: TextKind, *, paging: bool) -> Composer:
        profile = self.config.profile
        tools = tuple(self.tools.values())
        return Composer(
            stored.call.tool, stored.result, stored.uri, budget, self.prices, profile, kind, tools, paging, stored.named
        )

    def _answer(self, request: Request) -> Response:
        tool = self.tools.get(request.tool)
        if tool is None:
            raise UnknownTool(request.tool, self.tools)
        asked = read_max_tokens(request.arguments.get("max_tokens"))
        valid = self._runs.unescape_roots(tool, _arguments(request, tool))
        arguments = self._runs.limited_to(tool, valid).unescape_paths(tool, valid)
        alone = within_root(self._runs, tool, arguments)
        if alone is not None:
            with suppress(Undecided):
                return self._run(alone, request, tool, arguments, asked)
        return self._run(self._runs.limited_to(tool, arguments), request, tool, arguments, asked)

    def _run(self, runs: ToolRuns, request: Request, tool: Tool, given: dict[str, Any], asked: int | None) -> Response:
        """Answer a request on the roots of some runs; raises Undecided where these do not suffice."""
        runs = runs.wait_for_index(tool, given)
        try:
            with runs.index.answering():
                return self._respond(request, tool, self._run_tool(request, tool, given, runs), asked)
        finally:
            runs.index.facts.compute_requested()

    def _run_tool(self, request: Request, tool: Tool, arguments: dict[str, Any], runs: ToolRuns) -> Stored:
        """Return the complete answer of a tool."""
        if tool.writes:
            return self._edit(request, runs, tool, arguments)
        call = Call(tool.name, arguments_of(arguments))
        if tool.context is Index:
            stored = self._query_index(request, runs, call, arguments)
            return replace(stored, result=runs.add_freshness_notes(stored.result))
        result = tool.run(self, **arguments)
        return result if isinstance(result, Stored) else Stored(call, "", _expect_result(result), request.as_json)

    def _query_index(self, request: Request, runs: ToolRuns, call: Call, arguments: Mapping[str, Any]) -> Stored:
        """Return the complete answer of a tool; the one that is kept, where question and index are the same."""
        compared = compared_commits(runs.index, str(arguments.get("changed_since", "")))
        kept_uri = self.store.uri(request.principal, call, runs.state + compared)
        kept = self.store.find(kept_uri, request.principal, self.index)
        if kept is not None:
            return Stored(call, kept_uri, kept[1], request.as_json, kept=True)
        returned, state = runs.run(self.tools[call.tool], arguments)
        state += compared
        result = _expect_result(returned)
        if result.partial:  # its pages can be read, but the same question is answered again
            state = f"{state}:{len(result.items)}:{result.notes}"
        uri = self.store.uri(request.principal, call, state)
        return Stored(call, uri, result, request.as_json, roots=runs.index.root_names)

    def _edit(self, request: Request, runs: ToolRuns, tool: Tool, arguments: Mapping[str, Any]) -> Stored:
        """Return the preview of an edit, or what became of one that is allowed."""
        asked = {name: value for name, value in arguments.items() if name not in WRITING}
        call = Call(tool.name, arguments_of(asked))
        question = Question(request.principal, call)
        if arguments["undo"]:
            call = Call.of(tool.name, undo=arguments["undo"])
            edited = self.edits.undo(Question(request.principal, call), arguments["undo"], apply=arguments["apply"])
        else:
            edited = self.edits.answer(
                question, lambda: _expect_proposal(runs.run(tool, asked)[0]), apply=arguments["apply"]
            )
        uri = edited.uri or self.store.uri(request.principal, call, runs.state)
        result = runs.add_freshness_notes(edited.result)
        return Stored(call, uri, result, request.as_json, named=bool(edited.uri), roots=runs.index.root_names)

    def _respond(self, request: Request, tool: Tool, stored: Stored, asked: int | None) -> Response:
        kind = TextKind.Json if stored.as_json else text_kind(stored.result.items)
        paging = tool.name == "read_result"
        wanted = self._wanted_tokens(request, asked)
        floor = self.config.profile.frame(self.config.floor, kind)
        with self.turns.call(request.principal, request.turn, wanted, floor) as grant:
            budget = self._budget(tool.name, wanted, max(grant.tokens, floor), floor, kind)
            composer, answer = self._compose(stored, budget, kind, paging=paging)
            if stored.uri and not stored.named and not paging and not stored.as_json:
                again = self.turns.has_seen(request.principal, request.turn, stored.uri, budget.tokens)
                answer = composer.repeat_notice(answer) if again else answer
            sent = _check_budget(tool.name, answer, budget)
            structured = (
                self._respond_structured(tool, stored, answer, wanted, grant.tokens) if self.config.structured else ""
            )
            grant.spend(self.config.profile.price(sent, kind))
        keep = bool(stored.uri) and not paging and (answer.stored or request.store or bool(structured))
        if keep and not stored.kept:
            self.store.put(stored.uri, stored.call, stored.result, request.principal, stored.roots)
        self._note(request, answer, sent, kind)
        uri = stored.uri if keep else ""
        return Response(
            answer.text, False, uri, structured, _composed(self.config.profile, stored, answer, budget, sent)
        )

    def _compose(self, stored: Stored, budget: Budget, kind: TextKind, *, paging: bool) -> tuple[Composer, Answer]:
        """Return the answer with a result, which notes where keys are masked in it, and what composed it."""
        composer = self._composer(stored, budget, kind, paging=paging)
        answer = composer.json(stored.call) if stored.as_json else composer.text()
        if MASK in answer.text and not stored.as_json:
            composer = self._composer(_with_note(stored, _MASKED), budget, kind, paging=paging)
            answer = composer.text()
        return composer, answer

    def _respond_structured(self, tool: Tool, stored: Stored, answer: Answer, wanted: int, granted: int) -> str:
        """Return an answer as JSON, complete alone: a client hands either this to its model or the text."""
        if stored.as_json:
            return answer.text
        floor = self.config.profile.frame(self.config.floor, TextKind.Json)
        budget = self._budget(tool.name, wanted, max(granted, floor), floor, TextKind.Json)
        composer = self._composer(stored, budget, TextKind.Json, paging=tool.name == "read_result")
        structured = composer.json(stored.call)
        _check_budget(tool.name, structured, budget)
        return structured.text

    def _note(self, request: Request, answer: Answer, sent: int, kind: TextKind) -> None:
        """Note in the ledger what was sent, and what the alternatives would have cost.

        A page of a stored result counts as itself: the answer that it continues was counted whole.
        """
        paging = request.tool == "read_result"
        entry = Entry(
            request.tool,
            answer.estimated,
            sent,
            sent if paging else max(sent, answer.whole.tokens),
            0 if paging else self.prices.files(cited_paths(answer.shown)),
            self.config.profile.price(sent, kind),
            request.client,
            kind,
            answer.whole.sampled,
            False,
            self.calibration.price_of(request.principal, request.tool, request.arguments),
            self.config.profile.price(max(sent, answer.whole.tokens), kind),
        )
        self.ledger.add(request.principal, entry, question_of(request.tool, request.arguments))
        self.counts.add(entry)
        for offer in answer.offers:
            if offer.estimate:
                self.calibration.note_offer(request.principal, offer.call, offer.estimate)

    def _note_error(self, request: Request, text: str) -> None:
        tool = request.tool if request.tool in self.tools else "unknown"
        sent = self.config.profile.tokenizer.count(text)
        charged = self.config.profile.price(sent, TextKind.Paths)
        entry = Entry(tool, sent, sent, sent, 0, charged, request.client, error=True)
        self.ledger.add(
            request.principal, entry, None if tool == "unknown" else question_of(request.tool, request.arguments)
        )
        self.counts.add(entry)

    def _wanted_tokens(self, request: Request, asked: int | None) -> int:
        """Return what an answer may cost: what was asked, at most what the tool may send and the window has left."""
        unasked, most = self.config.default_tokens(request.tool), self.config.most_tokens(request.tool)
        wanted = unasked if asked is None else min(most, asked)
        return wanted if request.window is None else min(wanted, request.window.left)

    def _budget(self, tool: str, wanted: int, tokens: int, floor: int, kind: TextKind) -> Budget:
        """Return the budget of an answer that may cost some tokens; it notes where less was wanted than the floor."""
        profile = self.config.profile
        limit = Limit(profile.limit(tokens, kind), self.config.characters(tool), profile.tokenizer)
        return Budget(tokens, limit, self.config.usual_tokens, wanted if wanted < floor else None)


def stored_result(session: Session, uri: str, principal: str) -> tuple[Call, Result]:
    """Return a stored result of a principal who sees what a session does; raises NoSuchResult."""
    return session.store.get(uri, principal, session.index)


def _arguments(request: Request, tool: Tool) -> dict[str, Any]:
    """Return the valid arguments of a request besides ``max_tokens``; raises for those that are wrong."""
    given = {name: clean(tool, name, value) for name, value in request.arguments.items() if name != "max_tokens"}
    return validate(tool, given)


def _with_note(stored: Stored, note: str) -> Stored:
    return replace(stored, result=replace(stored.result, notes=(*stored.result.notes, note)))


def _composed(profile: Profile, stored: Stored, answer: Answer, budget: Budget, sent: int) -> Composed:
    """Return an answer of so many tokens, as they are counted, with its prices."""
    kind = TextKind.Json if stored.as_json else text_kind(stored.result.items)
    whole = profile.price(max(sent, answer.whole.tokens), kind)
    return Composed(stored, answer, budget.tokens, profile.price(sent, kind), whole)


def _check_budget(tool: str, answer: Answer, budget: Budget) -> int:
    """Count once more, on the very bytes that are sent: over budget is a bug, and must not stay unseen."""
    tokens = budget.limit.tokenizer.count(answer.text)
    if tokens > budget.limit.tokens or len(answer.text) > budget.limit.characters:
        raise AssertionError(f"{tool}: {tokens} tokens, {budget.limit.tokens} allowed")
    return tokens


def _expect_result(returned: object) -> Result:
    if not isinstance(returned, Result):
        raise TypeError(f"a tool returned {type(returned).__name__}")
    return returned


def _expect_proposal(returned: object) -> Proposal:
    if not isinstance(returned, Proposal):
        raise TypeError(f"a tool that writes returned {type(returned).__name__}")
    return returned


def _masked(response: Response, request: Request) -> Response:
    """Return a response without pieces of the keys that are in its request, of which it may quote any part."""
    given = (request.tool, *request.arguments, *request.arguments.values())
    text, structured = (without_given_keys(said, given) for said in (response.text, response.structured))
    return replace(response, text=text, structured=structured)


def error_response(error: LeadlineError, request: Request) -> Response:
    """Return an error as one line of few tokens: what is wrong, then what to call."""
    return Response(error_line(error, request.tool, request.arguments), is_error=True)


def with_window(stored: Stored, offset: int, limit: int) -> Stored:
    """Return a stored result from ``offset`` on."""
    window = replace(stored.result.window, offset=offset, limit=limit)
    return replace(stored, result=replace(stored.result, window=window, breakdowns=(), more=None, span=""))
