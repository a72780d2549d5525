"""A conversation knows what it costs now, makes room before its model refuses it, and reports its cost."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from leadline_estimators.conversation import NOTE, Conversation, Pressure, Refreshed, Report, Reserve
from leadline_estimators.messages import conversation_tokens, message_tokens, parts_of, tools_tokens
from leadline_estimators.prices import PriceTable, Usage
from leadline_estimators.profiles import profile_of
from leadline_estimators.tokenizer import count
from talks import Message, calls, conversations, last_words, opened, returns, says, user

TOOL = {"type": "function", "function": {"name": "list_files", "parameters": {"type": "object", "properties": {}}}}


def filled(percent: int, turns: int = 20, room: int = 2_000) -> Conversation:
    """Return a conversation of equal turns that takes about so much of its room."""
    conversation = Conversation("gpt-5", room=room)
    share = room * percent // 100 // turns
    for turn in range(turns):
        conversation.add(user(f"question {turn}"), says("word " * max(1, share - 14)))
    return conversation


def test_the_tokens_are_those_of_the_present_messages_not_of_all_requests() -> None:
    conversation = Conversation("gpt-5")
    conversation.add(user("list all files"), says("Here they are."))
    for _ in range(100):
        conversation.record(Usage(50_000, 1_000))
    assert conversation.usage.total == 5_100_000
    assert conversation.tokens == conversation_tokens(conversation.messages) < 30
    assert conversation.refresh() is None


def test_system_prompt_tools_and_response_are_kept_free() -> None:
    conversation = Conversation("local-8192", system="You help. " * 50, tools=[TOOL, TOOL], response=1_000)
    profile = profile_of("local-8192")
    system = message_tokens({"role": "system", "content": "You help. " * 50}, profile)
    assert conversation.reserve == Reserve(system, tools_tokens([TOOL, TOOL], profile), 1_000)
    assert conversation.room == 8_192 - conversation.reserve.total


@pytest.mark.parametrize(
    ("model", "room"),
    [("local-8192", 8_192 - 2_048), ("claude-haiku-4-5", 200_000 - 50_000), ("gpt-4o", 128_000 - 16_384)],
)
def test_the_room_follows_from_the_model(model: str, room: int) -> None:
    assert Conversation(model).room == room


def test_the_room_and_the_window_can_be_given() -> None:
    assert Conversation("claude-haiku-4-5", room=3_000).room == 3_000
    assert Conversation("gpt-5", window=8_192).room == 6_144
    assert Conversation("gpt-5", window=8_192, room=10**9).room == 6_144
    assert Conversation("gpt-5", window=100, response=10**6).room == 1


@pytest.mark.parametrize(
    ("share", "pressure"),
    [
        (0, Pressure.Fine),
        (89.9, Pressure.Fine),
        (90, Pressure.Refresh),
        (150, Pressure.Refresh),
        (150.1, Pressure.Emergency),
    ],
)
def test_from_90_percent_on_it_is_to_be_refreshed_and_above_150_it_is_an_emergency(
    share: float, pressure: Pressure
) -> None:
    conversation = Conversation("gpt-5", room=10_000)
    beside = message_tokens(user("word " * 100)) - 100
    if share:
        conversation.add(user("word " * (round(share * 100) - beside)))
    assert conversation.percent == share
    assert conversation.pressure is pressure


def test_below_90_percent_nothing_happens() -> None:
    conversation = filled(80)
    before = conversation.messages
    assert conversation.refresh() is None
    assert conversation.messages == before


def test_a_refresh_leaves_out_the_oldest_turns_and_keeps_the_task() -> None:
    conversation = filled(100)
    conversation.add(user("the task"))
    messages, before = conversation.messages, conversation.tokens
    done = conversation.refresh()
    assert done is not None
    assert (done.pressure, done.before, done.after) == (Pressure.Refresh, before, conversation.tokens)
    assert conversation.messages == messages[done.dropped :]
    assert 40 < conversation.percent <= 50
    assert conversation.task == user("the task")
    assert str(done) == f"Context refreshed ({before:,} to {conversation.tokens:,} tokens)"


def test_a_turn_that_is_too_long_alone_has_its_results_guarded_first() -> None:
    conversation = Conversation("gpt-5", room=8_000)
    conversation.add(user("the task"), calls("a"), *returns({"a": "src/file.py\n" * 2_000}))
    done = conversation.refresh()
    assert done is not None
    assert (done.dropped, done.shortened) == (0, 1)
    assert "[cut: list_files returned" in conversation.messages[-1]["content"]
    assert conversation.pressure is Pressure.Fine


def test_then_its_oldest_calls_go_with_their_results() -> None:
    conversation = Conversation("gpt-5", room=1_000)
    conversation.add(user("the task"))
    for step in range(10):
        conversation.add(calls(str(step)), *returns({str(step): "word " * 80}))
    done = conversation.refresh()
    assert done is not None
    first, *rest = conversation.messages
    assert first["content"] == f"the task\n\n{NOTE}"
    assert rest[-2:] == [calls("9"), *returns({"9": "word " * 80})]
    assert opened(conversation.messages) == []
    assert conversation.percent <= 50


def test_an_emergency_keeps_nothing_but_the_task() -> None:
    conversation = filled(60)
    conversation.add(user("the task"), calls("a"), *returns({"a": "arch/board.dts\n" * 200_000}))
    done = conversation.refresh()
    assert done is not None
    assert done.pressure is Pressure.Emergency
    assert conversation.messages == [user(f"the task\n\n{NOTE}")]
    assert str(done).startswith("Emergency")


def test_the_note_to_the_model_is_not_repeated() -> None:
    conversation = Conversation("gpt-5", room=300)
    conversation.add(user("the task"))
    for step in range(40):
        conversation.add(calls(str(step)), *returns({str(step): "word " * 50}))
        conversation.refresh()
    assert conversation.messages[0]["content"].count(NOTE) == 1


def test_what_the_agent_wrote_first_stays() -> None:
    system: Message = {"role": "system", "content": "You help."}
    for percent in (120, 400):
        conversation = Conversation("gpt-5", room=1_000)
        conversation.add(system, *filled(percent, room=1_000).messages, user("the task"))
        assert conversation.refresh() is not None
        assert conversation.messages[0] == system
        assert last_words(conversation.messages).startswith("the task")


def test_forty_turns_in_a_window_of_8192_never_exceed_it() -> None:
    conversation = Conversation("gpt-oss", window=8_192, system="You help.", tools=[TOOL])
    refreshed = 0
    for turn in range(40):
        conversation.add(user(f"turn {turn}: what are the files underneath?"))
        for step in range(6):
            conversation.add(calls(f"{step}"), *returns({f"{step}": f"drivers/net/{turn}/{step}.c\n" * 40}))
            refreshed += conversation.refresh() is not None
            assert conversation.tokens + conversation.reserve.total <= 8_192
            assert last_words(conversation.messages).startswith(f"turn {turn}:")
    assert 0 < refreshed < 240


@given(messages=conversations(), room=st.integers(1, 3_000))
@settings(max_examples=150, deadline=None)
def test_a_refresh_makes_room_unless_the_task_alone_is_too_long(messages: list[Message], room: int) -> None:
    conversation = Conversation("gpt-5", room=room)
    conversation.add(*messages)
    pressed = conversation.pressure
    done = conversation.refresh()
    assert (done is None) is (pressed is Pressure.Fine)
    assert conversation.tokens == conversation_tokens(conversation.messages)
    assert opened(conversation.messages) == []
    assert last_words(conversation.messages).startswith(last_words(messages))
    assert next(m for m in conversation.messages if m["role"] != "system")["role"] == "user"
    alone = conversation_tokens(parts_of(messages).task_alone(NOTE))
    assert conversation.tokens <= max(room, alone)


@given(messages=conversations())
@settings(max_examples=50, deadline=None)
def test_the_messages_that_were_added_are_not_changed(messages: list[Message]) -> None:
    conversation = Conversation("gpt-5", room=10)
    conversation.add(*messages)
    held = repr(messages)
    conversation.refresh()
    assert repr(messages) == held


def test_tokens_of_a_message_cover_its_text_its_calls_and_its_blocks() -> None:
    assert message_tokens(user("hello world")) >= count("user") + count("hello world")
    made, block = calls("a"), calls("a", anthropic=True)
    assert message_tokens(made) > count('{"path":"."}') + count("list_files")
    assert message_tokens(block) > count('{"path":"."}') + count("list_files") + count("I look.")
    answer, blocks = returns({"a": "src/a.py\n" * 9})[0], returns({"a": "src/a.py\n" * 9}, anthropic=True)[0]
    assert min(message_tokens(answer), message_tokens(blocks)) > count("src/a.py\n" * 9)


def test_a_picture_costs_what_a_picture_costs_not_its_bytes() -> None:
    data = "iVBORw0KGgo" * 10_000
    for block in (
        {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{data}"}},
        {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": data}},
    ):
        assert 1_000 < message_tokens({"role": "user", "content": [block]}) < 2_000


def test_the_tokens_of_a_model_whose_tokenizer_is_closed_are_an_upper_bound() -> None:
    message = user("def f(x): return x\n" * 50)
    assert message_tokens(message, profile_of("gemini-2.5-pro")) >= 1.6 * message_tokens(message)
    measured = 399  # by ctok 1.3.0, of the text alone
    assert measured <= message_tokens(message, profile_of("claude-opus-4-6")) <= 1.25 * measured


def test_the_cost_follows_from_the_price_table() -> None:
    conversation = Conversation("gpt-5")
    conversation.record({"prompt_tokens": 1_000_000, "completion_tokens": 100_000})
    conversation.record({"prompt_tokens": 1_000_000, "prompt_tokens_details": {"cached_tokens": 1_000_000}})
    report = conversation.report()
    assert report.cost == pytest.approx(1.25 + 1 + 0.125)
    assert report.usage == Usage(1_000_000, 100_000, 1_000_000)


def test_prices_can_be_given_and_may_be_unknown() -> None:
    dear = Conversation("gpt-5", prices=PriceTable(100, 200))
    dear.record(Usage(10_000, 1_000))
    assert dear.report().cost == pytest.approx(1.2)
    unknown = Conversation("unknown")
    unknown.record(Usage(10_000))
    assert unknown.report().cost is None
    assert "cost: not known" in str(unknown.report())


def test_a_report_tells_what_there_is_now_apart_from_what_was_used() -> None:
    conversation = filled(50)
    conversation.record(Usage(186_316, 0))
    text = str(conversation.report())
    assert f"now: {conversation.tokens:,} of 2,000 tokens ({conversation.percent:.1f}%)" in text
    assert "this session: 186,316 tokens (186,316 sent, 0 written)" in text
    assert "cost: $0.2329" in text
    assert "messages: 40" in text


@pytest.mark.parametrize(("percent", "code"), [(50, 32), (100, 33), (300, 31)])
def test_a_report_is_coloured_by_how_full_the_conversation_is(percent: int, code: int) -> None:
    report = filled(percent).report()
    coloured = report.text(colour=True)
    assert f"\x1b[{code}m{report.percent:.1f}%\x1b[0m" in coloured
    assert re.sub(r"\x1b\[\d+m", "", coloured) == report.text() == str(report)


def test_bounds_are_marked_and_counts_are_not() -> None:
    assert isinstance(Conversation("gpt-5").report(), Report)
    assert "now: 0 of" in str(Conversation("gpt-5").report())
    assert "now: ~0 of" in str(Conversation("claude-opus-5").report())


def test_what_was_cleared_costs_nothing_now_and_still_counts_for_the_session() -> None:
    conversation = filled(100)
    conversation.record(Usage(5_000, 10))
    conversation.clear()
    assert (conversation.tokens, conversation.messages, conversation.left) == (0, [], conversation.room)
    assert conversation.usage == Usage(5_000, 10)
    assert conversation.refresh() is None
    assert conversation.task is None


def test_a_refresh_says_what_it_did() -> None:
    assert str(Refreshed(Pressure.Refresh, 2_700, 900)) == "Context refreshed (2,700 to 900 tokens)"
