"""The agent of examples/ stays within its model's window, whatever it is asked and whatever tools return."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from mcp import Client
from mcp.server import MCPServer

from agent.endpoint import Endpoint, EndpointError
from agent.guarded import Guarded
from agent.loop import ROUNDS, Agent, TooLongError
from agent.server_tools import ServerTools
from agent.toolbox import Allowance, Output, Toolbox
from conftest import Asking, Open, write
from leadline_estimators import Profile, count, profile_of
from leadline_server.app import build
from leadline_server.call import Session
from leadline_server.config import Config
from leadline_server.toolset import CORE
from scripted_endpoint import BODIES, Call, Refusal, Scripted, Step, overflow_body, served
from talks import Message

REPOSITORY = Path(__file__).parents[1]
FLOOR = 60
"""O200k tokens of an answer that a spent turn still gives."""

FILES = 20_000
FLOOD = 996_201
"""Tokens that a tool for listing files once returned for the sources of Linux."""

SYSTEM = "You answer questions about the code that your tools see."

pytestmark = pytest.mark.anyio


@pytest.fixture(scope="module")
def kernel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tree in the shape of Linux: many files, few of them with anything in them."""
    root = tmp_path_factory.mktemp("kernel")
    for number in range(FILES // 100):
        folder = root / "drivers" / f"vendor_{number % 20}" / f"chip_{number}"
        folder.mkdir(parents=True)
        for file in range(100):
            os.close(os.open(folder / f"board_{number}_{file}.c", os.O_CREAT | os.O_WRONLY))
    functions = "\n".join(
        f"static int probe_{i}(struct device *dev)\n{{\n\treturn probe_{i + 1}(dev);\n}}\n" for i in range(300)
    )
    return write(root, {f"kernel/sched/core_{i}.c": functions for i in range(5)})


Sized = Callable[..., Asking]


@pytest.fixture(scope="module")
def sized(opened: Open, kernel: Path) -> Iterator[Sized]:
    """Ask about the tree for windows of any size; all share one index."""
    index = opened(kernel).session.index
    sessions: list[Session] = []

    def ask(window: int, model: str = "openai") -> Asking:
        sessions.append(Session(Config(kernel, None, model, tools=CORE, context_window=window), index))
        return Asking(sessions[-1])

    yield ask
    for session in sessions:
        session.store.close()
        session.ledger.close()


@pytest.fixture
def ask(sized: Sized) -> Asking:
    """Ask for a window of 8,192."""
    return sized(8_192)


@pytest.fixture
def ask_more(sized: Sized) -> Asking:
    """Ask for a window of 32,768."""
    return sized(32_768)


@dataclass
class Talk:
    """An agent, the model that it talks to, and what the user is told."""

    agent: Agent
    model: Scripted
    told: list[str]
    slept: list[float]

    @property
    def results(self) -> list[str]:
        """Return what tools returned to the model, as it was sent last."""
        return [str(message["content"]) for message in self.model.accepted[-1].messages if message["role"] == "tool"]


@dataclass(frozen=True)
class Foreign:
    """A tool that knows no limit."""

    text: str
    schemas: Sequence[Mapping[str, Any]] = (
        {"type": "function", "function": {"name": "list_everything", "parameters": {"type": "object"}}},
    )
    asked: list[Allowance] = field(default_factory=list)

    async def call(self, name: str, arguments: Mapping[str, Any], allowance: Allowance) -> Output:
        assert (name, arguments) == ("list_everything", {})
        self.asked.append(allowance)
        return Output(self.text)


@asynccontextmanager
async def talking(
    model: Scripted, ask: Asking, *others: Toolbox, profile: Profile | None = None, turn_tokens: int = 12_000
) -> AsyncIterator[Talk]:
    """Connect an agent with a model, with Leadline over MCP, and with other tools."""
    told: list[str] = []
    slept: list[float] = []

    async def sleep(seconds: float) -> None:
        slept.append(seconds)

    profile = profile or profile_of("openai", model.window)
    with served(model) as url:
        async with Endpoint(url, "scripted") as endpoint, Client(build(ask.session)) as client:
            tools = Guarded(await ServerTools.of(client), profile, 80_000)
            agent = Agent(
                endpoint,
                profile,
                [tools, *others],
                system=SYSTEM,
                turn_tokens=turn_tokens,
                tell=told.append,
                sleep=sleep,
            )
            yield Talk(agent, model, told, slept)


def last(messages: list[Message]) -> str:
    """Answer with the first line of the last result."""
    return str(messages[-1]["content"]).splitlines()[0]


@cache
def flood() -> str:
    """Return a listing of exactly so many tokens as once ended a session."""
    line = "arch/arm/boot/dts/board_{:06}.dts\n"
    each = count(line.format(0))
    lines = [line.format(number) for number in range(FLOOD // each - 1)]
    rest = FLOOD - each * len(lines)
    return "".join(lines) + "a\n" * (rest // 2 - rest % 2) + "a b\n" * (rest % 2)


LIST_ALL = Call("list_files", {"recursive": True})

SIX = tuple(
    Call("list_files", {"path": f"drivers/vendor_{number}", "recursive": True, "limit": 100, "max_tokens": 9_000})
    for number in range(6)
)
"""What a model calls when it is asked what is underneath."""

QUESTIONS: Sequence[Sequence[Call]] = (
    (LIST_ALL,),
    (Call("symbol_search", {"query": "probe"}), Call("document_symbols", {"path": "kernel/sched/core_1.c"})),
    (Call("read_file", {"path": "kernel/sched/core_0.c", "num_lines": 1_000, "max_tokens": 9_000}),),
    SIX[:3],
    (Call("search_text", {"query": "struct device", "max_tokens": 5_000}),),
    (
        Call("count_files", {"by": "directory"}),
        Call("list_files", {"path": "drivers", "recursive": True, "limit": 100}),
    ),
    (Call("find_references", {"symbol": "kernel/sched/core_2.c:6"}), Call("go_to_definition", {"symbol": "probe_7"})),
)


@pytest.mark.parametrize("window", [8_192, 32_768])
async def test_a_list_of_all_files_is_answered_in_the_first_call_and_nothing_is_lost(sized: Sized, window: int) -> None:
    model = Scripted(window, [[LIST_ALL], last])
    async with talking(model, sized(window)) as talk:
        answer = await talk.agent.ask("list all files")
    assert f"{FILES + 5:,} files, counted, not listed" in answer
    whole = re.search(r"a list: ~([\d,]+) tokens", answer)
    assert whole is not None
    assert int(whole[1].replace(",", "")) > window
    assert (len(model.seen), model.refused, talk.told) == (2, [], [])


@pytest.mark.parametrize("turn_tokens", [12_000, 1_500])
@pytest.mark.parametrize("at_once", [True, False])
async def test_six_calls_of_a_turn_stay_within_its_budget_and_each_is_useful(
    ask_more: Asking, turn_tokens: int, at_once: bool
) -> None:
    calls: list[Step] = [SIX] if at_once else [[call] for call in SIX]
    model = Scripted(32_768, [*calls, "They are boards."])
    async with talking(model, ask_more, turn_tokens=turn_tokens) as talk:
        await talk.agent.ask("what are the files underneath?")
    assert len(talk.results) == 6
    assert sum(tokens for tokens in map(count, talk.results) if tokens > FLOOR) <= turn_tokens
    for text in talk.results:
        assert "1-" in text.splitlines()[0] or "1,000 files" in text.splitlines()[0], text
        assert "leadline://result/" in text or ".c" in text
    assert (model.refused, talk.told) == ([], [])


async def forty_turns(talk: Talk) -> None:
    """Ask forty questions, for each of which tools are called."""
    for number in range(40):
        await talk.agent.ask(f"question {number}: " + "how is this done, and where? " * (number % 7))
        assert f"question {number}" in str(talk.agent.conversation.task)
        assert not [text for text in talk.results if text.startswith("error:")]
    assert (len(talk.model.accepted), talk.model.refused) == (80, [])
    assert not any("Emergency" in told for told in talk.told)


def forty_answers(words: str) -> Iterator[Step]:
    """Yield what the model does meanwhile."""
    for number in range(40):
        yield QUESTIONS[number % len(QUESTIONS)]
        yield words


async def test_forty_turns_in_a_small_window_are_never_refused(ask: Asking) -> None:
    model = Scripted(8_192, forty_answers("The drivers register themselves in the table of their vendor. " * 20))
    async with talking(model, ask) as talk:
        await forty_turns(talk)
    assert sum(told.startswith("Context refreshed") for told in talk.told) >= 5
    sent = sum(seen.tokens for seen in model.seen)
    assert talk.agent.conversation.usage.prompt == sent > 20 * 8_192


async def test_forty_turns_fit_where_tokens_are_bounded_and_the_server_tells_no_usage(sized: Sized) -> None:
    model = Scripted(8_192, forty_answers("So it is. " * 50), usage=False)
    async with talking(model, sized(8_192, "local-8192"), profile=profile_of("local-8192")) as talk:
        await forty_turns(talk)
    assert talk.agent.conversation.usage.prompt > sum(seen.tokens for seen in model.seen)


@pytest.mark.parametrize(
    "words",
    [
        ("vllm", "vLLM 0.15, with the numbers of a listing of all files of Linux, 2026-02"),
        ("llama.cpp", "llama-server, 2025-10"),
        ("ollama", "Ollama's cloud, 2026-05"),
        ("openai", "chat completions, 2023-03"),
    ],
    ids=lambda words: words[0],
)
async def test_a_flood_of_an_unguarded_tool_is_contained_and_the_session_goes_on(
    ask_more: Asking, words: tuple[str, str]
) -> None:
    assert count(flood()) == FLOOD
    script: list[Step] = ["It is a kernel.", [Call("list_everything")], "There are many.", [LIST_ALL], last]
    model = Scripted(32_768, script, words)
    async with talking(model, ask_more, Foreign(flood())) as talk:
        await talk.agent.ask("what is this?")
        assert await talk.agent.ask("list everything") == "There are many."
        assert "counted, not listed" in await talk.agent.ask("list all files")
    (refused,) = model.refused
    assert refused.tokens > FLOOD
    (told,) = talk.told
    assert "catastrophic overflow" in told
    assert "list_everything returned" in told
    said = [message["content"] for message in model.seen[-1].messages]
    assert {"what is this?", "It is a kernel.", "list everything", "There are many."} <= set(said)
    assert "[cut: list_everything returned ~99" in talk.results[0]


async def test_a_guarded_tool_floods_nobody(ask: Asking) -> None:
    model = Scripted(8_192, [[Call("list_everything")], "There are many."])
    foreign = Foreign(flood())
    async with talking(model, ask, Guarded(foreign, profile_of("openai", 8_192))) as talk:
        await talk.agent.ask("list everything")
    assert (len(model.seen), model.refused, talk.told) == (2, [], [])
    assert "[cut: list_everything returned" in talk.results[0]
    assert count(talk.results[0]) <= foreign.asked[0].tokens


async def test_the_tools_of_another_server_share_the_turn(ask: Asking) -> None:
    other = MCPServer("other")

    @other.tool()
    def history(path: str) -> str:
        """Return who changed a file."""
        return f"{path} was changed\n" * 300

    model = Scripted(8_192, [[Call("history", {"path": f"kernel/{i}"}) for i in range(6)], "Many did."])
    async with Client(other) as client:
        guarded = Guarded(await ServerTools.of(client), profile_of("openai", 8_192))
        async with talking(model, ask, guarded, turn_tokens=1_500) as talk:
            await talk.agent.ask("who changed these?")
    sizes = [count(text) for text in talk.results]
    assert sum(size for size in sizes if size > FLOOR) <= 1_500
    assert all("kernel/" in text and "[cut: history returned" in text for text in talk.results)


async def test_leadline_knows_the_turn_and_does_not_say_the_same_twice_in_it(ask: Asking) -> None:
    same = Call("find_references", {"symbol": "kernel/sched/core_2.c:6"})
    script: list[Step] = [[same], [same], "There.", [same], "There again."]
    async with talking(Scripted(8_192, script), ask) as talk:
        await talk.agent.ask("who calls it?")
        await talk.agent.ask("and now?")
    assert ["already answered in this turn" in text for text in talk.results] == [False, True, False]


@pytest.mark.parametrize("headers", [{"Retry-After": "7"}, {"retry-after-ms": "7000"}])
async def test_a_rate_limit_is_waited_out_and_nothing_is_cut_for_it(ask: Asking, headers: dict[str, str]) -> None:
    busy = Refusal(429, '{"error": {"message": "Rate limit reached", "code": 429}}', headers)
    model = Scripted(8_192, ["Hello."], refusals=[busy, busy])
    async with talking(model, ask) as talk:
        assert await talk.agent.ask("hello") == "Hello."
    assert talk.slept == [7.0, 7.0]
    assert talk.told == ["The server asks to wait 7.0 s."] * 2
    assert len({str(seen.messages) for seen in model.seen}) == 1


@pytest.mark.parametrize(
    "refusal",
    [
        Refusal(429, '{"error": {"message": "Rate limit reached. Please try again in 12h34m16s.", "code": 429}}'),
        Refusal(429, '{"error": {"code": "insufficient_quota", "message": "You exceeded your current quota"}}'),
        Refusal(401, '{"error": {"message": "Incorrect API key provided."}}'),
        Refusal(200, '{"error": {"message": "The model is gone."}}'),
        Refusal(200, "<html>"),
    ],
)
async def test_after_another_refusal_the_conversation_is_as_it_was(ask: Asking, refusal: Refusal) -> None:
    model = Scripted(8_192, ["Hello.", "Here I am."], refusals=())
    async with talking(model, ask) as talk:
        await talk.agent.ask("hello")
        before = talk.agent.conversation.messages
        model.refuse(refusal)
        with pytest.raises(EndpointError):
            await talk.agent.ask("are you there?")
        assert talk.agent.conversation.messages == before
        assert await talk.agent.ask("are you there?") == "Here I am."
    assert talk.slept == []


async def test_a_question_that_does_not_fit_alone_is_not_cut_and_the_session_goes_on(ask: Asking) -> None:
    async with talking(Scripted(8_192, ["Hello.", "Yes."]), ask) as talk:
        await talk.agent.ask("hello")
        with pytest.raises(TooLongError, match="longer than the model accepts"):
            await talk.agent.ask("word " * 9_000)
        assert await talk.agent.ask("still there?") == "Yes."


async def test_what_a_model_calls_amiss_it_is_told(ask: Asking) -> None:
    wrong = [Call("grep", {}), Call("list_files", text="{'path':"), Call("list_files", text="[1]"), Call("read_file")]
    model = Scripted(8_192, [wrong, "I see."])
    async with talking(model, ask) as talk:
        await talk.agent.ask("hello")
    assert all(text.startswith("error: ") for text in talk.results)
    assert "There are: list_files" in talk.results[0]
    assert "read_file" in talk.results[3]


async def test_a_model_that_never_stops_calling_has_to_answer_at_last(ask: Asking) -> None:
    model = Scripted(8_192, [*[[LIST_ALL]] * ROUNDS, "So be it."])
    async with talking(model, ask) as talk:
        assert await talk.agent.ask("list all files for ever") == "So be it."
    choices = [seen.body["tool_choice"] for seen in model.seen]
    assert choices == ["auto"] * ROUNDS + ["none"]
    assert model.refused == []


async def test_a_server_that_wants_another_name_for_the_longest_answer_gets_it(ask: Asking) -> None:
    body = (
        '{"error": {"message": "Unsupported parameter: \'max_tokens\' is not supported with this model. Use'
        ' \'max_completion_tokens\' instead.", "code": "unsupported_parameter"}}'
    )
    model = Scripted(8_192, ["Hello.", "Hello."], refusals=[Refusal(400, body)])
    async with talking(model, ask) as talk:
        await talk.agent.ask("hello")
        await talk.agent.ask("hello")
    assert ["max_completion_tokens" in seen.body for seen in model.seen] == [False, True, True]


async def test_two_tools_of_one_name_are_refused() -> None:
    async with Endpoint("http://127.0.0.1:9/v1", "none") as endpoint:
        with pytest.raises(ValueError, match="same name"):
            Agent(endpoint, profile_of("openai"), [Foreign(""), Foreign("")], system=SYSTEM)


def test_the_console_answers_over_stdio_and_reports(kernel: Path, tmp_path: Path) -> None:
    model = Scripted(8_192, [[LIST_ALL], last])
    lines = "list all files\n/history\n/what\n/clear\n/history\n/exit\n"
    sources = os.pathsep.join(str(REPOSITORY / part) for part in ("server", "tools", "estimators", "examples"))
    with served(model) as url:
        done = subprocess.run(
            [
                sys.executable,
                "-m",
                "agent",
                "--endpoint",
                url,
                "--model",
                "openai",
                "--window",
                "8192",
                "--root",
                kernel,
            ],
            input=lines,
            capture_output=True,
            text=True,
            check=False,
            env={**os.environ, "PYTHONPATH": sources, "LEADLINE_CACHE_DIR": str(tmp_path)},
        )
    assert done.returncode == 0, done.stderr
    assert f"{FILES + 5:,} files, counted, not listed" in done.stdout
    assert re.search(r"messages: 4\n  now: [\d,]+ of [\d,]+ tokens \([\d.]+%\)", done.stdout)
    assert "messages: 0" in done.stdout
    assert "/history  how full" in done.stdout
    assert model.refused == []


def test_errors_are_worded_with_the_numbers_of_the_request() -> None:
    for words in BODIES:
        if {"limit", "input", "output"} <= words.keys() and words["text"].startswith(("{", "Error code")):
            assert "1234" in overflow_body(words, 1_000, 1_234, 50)
