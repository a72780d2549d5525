"""The console: asks for questions, prints answers."""

from __future__ import annotations

import sys
from contextlib import AsyncExitStack
from functools import partial
from pathlib import Path

import anyio
import anyio.to_thread
import click
import httpx2
from mcp import Client, StdioServerParameters

from agent.endpoint import Endpoint, EndpointError
from agent.guarded import Guarded
from agent.loop import TURN_TOKENS, Agent, TooLongError
from agent.server_tools import ServerTools, leadline
from leadline_estimators import Profile, parse_rate_limit, profile_of

SYSTEM = """You answer questions about the code in the repository that your tools see. Look before you answer, ask for \
no more than you need, and name files with their lines.

"""

LONGEST_OUTPUT = 80_000
"""Characters of a result of Leadline, which keeps its allowance: the guard is for the day on which it does not."""

HELP = "/history  how full the conversation is, and what it cost\n/clear    forget it\n/exit     leave"


@click.command(context_settings={"show_default": True})
@click.option("--endpoint", "url", required=True, metavar="URL", help="Where the API begins, with its version.")
@click.option("--model", required=True, metavar="NAME", help="The name by which the server knows the model.")
@click.option("--root", default=".", type=click.Path(path_type=Path, exists=True, file_okay=False), help="The tree.")
@click.option("--window", type=click.IntRange(min=2_048), help="Its context window, where that is not its largest.")
@click.option("--turn-tokens", default=TURN_TOKENS, type=click.IntRange(min=1), help="For all results of one question.")
@click.option("--also", multiple=True, metavar="COMMAND", help="Another MCP server, by stdio; may be given again.")
@click.option("--key", envvar="OPENAI_API_KEY", show_envvar=True, default="", help="The key of the API.")
def main(
    url: str, model: str, root: Path, window: int | None, turn_tokens: int, also: tuple[str, ...], key: str
) -> None:
    """Answer questions about a code base with any model that speaks OpenAI's chat completions and calls tools."""
    profile = profile_of(model, window)
    servers = [StdioServerParameters(command=name, args=rest) for name, *rest in map(str.split, also)]
    endpoint = Endpoint(url, model, key)
    anyio.run(partial(converse, endpoint, profile, leadline(root, model, profile.window, turn_tokens), servers))


async def converse(
    endpoint: Endpoint, profile: Profile, ours: StdioServerParameters, others: list[StdioServerParameters]
) -> None:
    """Connect everything, then answer until the user leaves."""
    async with AsyncExitStack() as stack:
        await stack.enter_async_context(endpoint)
        client = await stack.enter_async_context(Client(ours))
        toolboxes = [Guarded(await ServerTools.of(client), profile, LONGEST_OUTPUT)]
        for other in others:
            foreign = await stack.enter_async_context(Client(other))
            toolboxes.append(Guarded(await ServerTools.of(foreign), profile))
        system = SYSTEM + (client.instructions or "")
        agent = Agent(endpoint, profile, toolboxes, system=system, tell=partial(_say, colour=2))
        _say(f"{profile.name}: {agent.conversation.room:,} tokens for the conversation. /help lists commands.", 2)
        while (question := await _question()) is not None:
            await _handled(agent, question)


async def _question() -> str | None:
    """Return the next line of the user; None at the end."""
    prompt = "> " if sys.stdin.isatty() else ""
    try:
        line = await anyio.to_thread.run_sync(input, prompt, abandon_on_cancel=True)
    except EOFError:
        return None
    return None if line.strip() == "/exit" else line.strip()


async def _handled(agent: Agent, line: str) -> None:
    """Carry out a command, or answer a question."""
    match line:
        case "":
            pass
        case "/history":
            _say(agent.conversation.report().text(colour=sys.stdout.isatty()))
        case "/clear":
            agent.conversation.clear()
        case _ if line.startswith("/"):
            _say(HELP)
        case _:
            await _answered(agent, line)


async def _answered(agent: Agent, question: str) -> None:
    """Answer a question; what goes wrong is said, and the conversation goes on."""
    try:
        _say(await agent.ask(question))
    except TooLongError as error:
        _say(f"The question does not fit. {error}", 31)
    except EndpointError as error:
        _say(_refusal(error), 31)
    except httpx2.TransportError as error:
        _say(f"The server cannot be reached: {error}", 31)


def _refusal(error: EndpointError) -> str:
    """Return what a refusal means: of a rate limit, how long to wait."""
    limit = parse_rate_limit(str(error), error.response.headers)
    if limit is None:
        return f"The server refused: {error}"
    wait = "" if limit.wait is None else f" It asks to wait {limit.wait:,.0f} s."
    return f"The server takes no more now ({limit.reason}).{wait} Ask again later."


def _say(text: str, colour: int = 0) -> None:
    click.echo(f"\x1b[{colour}m{text}\x1b[0m" if colour and sys.stdout.isatty() else text)


if __name__ == "__main__":
    main()
