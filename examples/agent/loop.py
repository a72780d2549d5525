"""The loop: a question, the calls that the model makes for it, and its answer, all within the model's window."""

from __future__ import annotations

import json
import uuid
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any

import anyio

from agent.endpoint import Endpoint, Reply, ToolCall
from agent.toolbox import Allowance, Output, Toolbox
from leadline_estimators import (
    Conversation,
    Message,
    Pressure,
    Profile,
    Recovery,
    TextKind,
    TurnBudget,
    Usage,
    message_tokens,
    run_with_recovery_async,
)
from leadline_estimators.turn import FLOOR

TURN_TOKENS = 12_000
"""What the results of one turn may cost together."""

ROUNDS = 25
"""How often the model may call tools for one question; then it has to answer."""

LONGEST_WAIT = 60.0
"""Seconds; a server that asks to wait longer is not waited for."""


class TooLongError(Exception):
    """A question that does not fit even alone."""


class Agent:
    """A conversation with a model that may call tools.

    Args:
        endpoint: The model.
        profile: How it counts, and what it can take.
        toolboxes: The tools; see ``Guarded``.
        system: The system prompt.
        turn_tokens: What the results of one turn may cost together; at most half of the conversation's room.
        tell: Is told what the user should know: of what was left out, and of waiting.
        sleep: Waits for so many seconds.

    Raises:
        ValueError: Two tools have the same name.
    """

    def __init__(
        self,
        endpoint: Endpoint,
        profile: Profile,
        toolboxes: Sequence[Toolbox],
        *,
        system: str,
        turn_tokens: int = TURN_TOKENS,
        tell: Callable[[str], None] = lambda _: None,
        sleep: Callable[[float], Awaitable[None]] = anyio.sleep,
    ) -> None:
        self._endpoint = endpoint
        self._profile = profile
        self._schemas = [schema for toolbox in toolboxes for schema in toolbox.schemas]
        self._toolboxes = {schema["function"]["name"]: box for box in toolboxes for schema in box.schemas}
        if len(self._toolboxes) < len(self._schemas):
            raise ValueError("two tools have the same name")
        self._system: Message = {"role": "system", "content": system}
        self.conversation = Conversation(profile, system=system, tools=self._schemas)
        self.turn = TurnBudget(
            min(turn_tokens, self.conversation.room // 2), floor=profile.frame(FLOOR, TextKind.Paths)
        )
        self._name = uuid.uuid4().hex
        self._turns = 0
        self._tell = tell
        self._sleep = sleep

    async def ask(self, question: str) -> str:
        """Return the model's answer. Where that fails, the conversation is as it was before.

        Raises:
            TooLongError: The question alone is too long for the model.
            EndpointError: The server refused it for another reason, such as a rate limit that asks to wait for hours.
            httpx2.TransportError: The server cannot be reached.
        """
        before = self.conversation.messages
        self.conversation.add({"role": "user", "content": question})
        self.turn.reset()
        self._turns += 1
        self._note(self.conversation.refresh())
        try:
            return await self._answer()
        except BaseException:
            self.conversation.replace(before)
            raise

    async def _answer(self) -> str:
        left = ROUNDS
        while (reply := await self._reply(may_call=left > 0)).calls and left:
            self.conversation.add(reply.message)
            for call in reply.calls:
                self.conversation.add(await self._result(call))
            left -= 1
        self.conversation.add({"role": "assistant", "content": reply.text})
        if reply.cut:
            self._tell("The answer was cut: it became longer than what is kept free for it.")
        return reply.text

    async def _reply(self, *, may_call: bool) -> Reply:
        """Send the conversation, or less of it where the server says that it is too long."""
        if self.conversation.pressure is Pressure.Refresh:  # a flood is more: the recovery knows which result it was
            self._note(self.conversation.refresh())

        async def send(messages: Sequence[Message]) -> Reply:
            longest = self.conversation.reserve.response
            return await self._endpoint.complete([self._system, *messages], self._schemas, longest, may_call=may_call)

        reserve = self.conversation.reserve
        recovery = await run_with_recovery_async(
            send,
            self.conversation.messages,
            profile=self._profile,
            beside=reserve.system + reserve.tools,
            sleep=self._wait,
            longest_wait=LONGEST_WAIT,
        )
        return self._recovered(recovery)

    def _recovered(self, recovery: Recovery[Reply]) -> Reply:
        """Go on with what the model accepted."""
        reply = recovery.response
        if reply is None:
            raise TooLongError(" ".join(recovery.warnings)) from recovery.error
        if len(recovery.attempts) > 1:
            self._tell(f"The server refused {recovery.severity} overflow. {' '.join(recovery.warnings)}")
            self.conversation.replace(recovery.messages)
            self._turns += 1
        self.conversation.record(reply.usage or self._counted(reply))
        return reply

    def _counted(self, reply: Reply) -> Usage:
        """Return what a request used, where the server does not tell."""
        sent = self.conversation.tokens + self.conversation.reserve.system + self.conversation.reserve.tools
        return Usage(sent, message_tokens(reply.message, self._profile))

    async def _result(self, call: ToolCall) -> Message:
        """Return the message that answers a call."""
        with self.turn.call() as grant:
            tokens = min(grant.tokens, self.conversation.left)
            output = await self._called(call, Allowance(f"{self._name}-{self._turns}", self.conversation.room, tokens))
            message = {"role": "tool", "tool_call_id": call.id, "content": output.text}
            grant.spend(message_tokens(message, self._profile))
        return message

    async def _called(self, call: ToolCall, allowance: Allowance) -> Output:
        """Call a tool; whatever goes wrong with that is a result that says so."""
        toolbox = self._toolboxes.get(call.name)
        if toolbox is None:
            return Output(f"error: there is no tool {call.name}. There are: {', '.join(self._toolboxes)}.", failed=True)
        try:
            return await toolbox.call(call.name, _arguments(call), allowance)
        except Exception as error:
            return Output(f"error: {call.name} failed: {error}", failed=True)

    async def _wait(self, seconds: float) -> None:
        self._tell(f"The server asks to wait {seconds:,.1f} s.")
        await self._sleep(seconds)

    def _note(self, refreshed: object) -> None:
        """Tell of a refresh; what the model has lost may be sent to it again, so another turn begins for the server."""
        if refreshed is not None:
            self._tell(str(refreshed))
            self._turns += 1


def _arguments(call: ToolCall) -> Mapping[str, Any]:
    """Return the arguments of a call; raises ValueError where they are no JSON object."""
    arguments = json.loads(call.arguments or "{}")
    if not isinstance(arguments, dict):
        raise ValueError("its arguments are no JSON object")
    return arguments
