"""The registry of tools and the store of results as an MCP server: lists, calls, resources."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Mapping
from functools import cache, partial
from typing import Any, TypeVar
from urllib.parse import parse_qs

import mcp_types as types
from mcp.server.caching import CacheHint
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError
from pydantic import BaseModel

from leadline_server import __version__
from leadline_server.arguments import LONGEST_PATH, longest, whole_number
from leadline_server.call import Request, Response, Session
from leadline_server.call_runner import CallRunner
from leadline_server.completion import Completion, complete
from leadline_server.config import Config
from leadline_server.defaults import MOST_PATIENCE
from leadline_server.errors import SCHEME, Busy
from leadline_server.gate import caller_teams, principal
from leadline_server.outgoing import without_given_keys
from leadline_server.progress import report_progress
from leadline_server.prompts import PROMPTS, Prompt, write_prompt
from leadline_server.registry import TOOLS
from leadline_server.turns import Window
from leadline_tools.errors import LeadlineError, NothingVisible
from leadline_tools.index.text.key_masking import clip_text
from leadline_tools.patience import Patience
from leadline_tools.tool import Tool

INSTRUCTIONS = """Navigate this repository within a token budget. Each answer states its cost and the exact total; \
max_tokens (default 2000) caps it.
A question in words ("where are retries done?"): find_code. \
Unknown code: count_files, then list_files or symbol_search. \
Know a name: symbol_search, go_to_definition, find_references. \
Who calls or overrides it: call_hierarchy, find_implementations. \
Know a file: document_symbols before read_file; read ranges. \
Strings, comments, config: search_text.
symbol: a name, a dotted suffix (QuerySet.filter), path:name or path:line[:column]; several: "A.x, B.y".
path: folders, files, globs; "src,!tests/**".
Uses are resolved by imports and types, like a compiler. The account classes every occurrence of the name in path, \
text too: no second search finds more. "complete" is whole; else only the undecided lines are open.
When an answer is cut, what was left out is counted. Send a "next:" call, narrow path, raise max_tokens, or page with \
read_result(uri, offset)."""

_NAME = re.compile(r"\w+_\w+")
"""The name of a tool as no word of a sentence is written."""

_RESOURCE_TOKENS = 20_000
_ROOTS_NAMED = 20
"""Roots that the instructions name; of more they say how many."""

_NOT_FOUND = types.INVALID_PARAMS
_JSON = "application/json"
_RESULT = "Complete result of a call"

_TEMPLATE = SCHEME + "{id}{?offset,limit}"

_PAGES = {"offset": ("0",), "limit": ("0", "20", "100")}
"""Completions of the template. There are none for the id, since that would reveal the questions of others."""

_LONGEST_CLIENT = 60
"""Characters of the name of a client that are kept."""

Returned = TypeVar("Returned")

Context = ServerRequestContext[Any]


def schema(tool: Tool) -> dict[str, Any]:
    """Return the input schema of a tool without what a model has no use for."""
    return dict(_schema(tool.arguments))


@cache
def _schema(arguments: type[BaseModel]) -> Mapping[str, Any]:
    """Return the schema of some arguments; cached, since pydantic takes milliseconds to make it."""
    made = arguments.model_json_schema()
    properties = {name: _declare_field(field) for name, field in made.get("properties", {}).items()}
    properties["max_tokens"] = {"type": "integer"}
    required = {"required": made["required"]} if made.get("required") else {}
    return {"type": "object", "properties": properties, **required}


_USUAL = ("", ".", 0, False)
"""Defaults that say nothing: no text, the whole tree, no number, no."""


def _declare_field(field: Mapping[str, Any]) -> dict[str, Any]:
    """Return the schema of a parameter, with its default where that is neither usual nor the first of its choices."""
    if "$ref" in field:
        field = {"type": "string", **{name: value for name, value in field.items() if name != "$ref"}}
    usual = (*_USUAL, *field.get("enum", ())[:1])
    dropped = {"title", *(["default"] if field.get("default") in usual else [])}
    return {name: value for name, value in field.items() if name not in dropped}


def tool_declaration(tool: Tool) -> types.Tool:
    """Return a tool as ``tools/list`` returns it."""
    return types.Tool(
        name=tool.name,
        description=" ".join(tool.description.split()),
        input_schema=schema(tool),
        annotations=types.ToolAnnotations(
            read_only_hint=not tool.writes, destructive_hint=tool.writes, idempotent_hint=True, open_world_hint=False
        ),
    )


def build(session: Session) -> Server[Any]:
    """Return the MCP server of a session."""
    handlers = _Handlers(session)
    private = CacheHint(ttl_ms=0, scope="private")
    fixed = CacheHint(ttl_ms=3_600_000, scope="public")
    return Server(
        "leadline",
        version=__version__,
        title="Leadline",
        instructions="\n".join((instructions(session.tools), *_root_instructions(session.config))),
        cache_hints={
            "tools/list": fixed,
            "resources/list": fixed,
            "resources/templates/list": fixed,
            "prompts/list": fixed,
            "resources/read": private,
        },
        get_tool_input_schema=handlers.input_schema,
        on_list_tools=handlers.list_tools,
        on_call_tool=handlers.call_tool,
        on_list_resources=handlers.list_resources,
        on_list_resource_templates=handlers.list_templates,
        on_read_resource=handlers.read_resource,
        on_list_prompts=handlers.list_prompts,
        on_get_prompt=handlers.get_prompt,
        on_completion=handlers.complete,
    )


def _root_instructions(config: Config) -> tuple[str, ...]:
    """Return the additional instruction where roots have names: a model would otherwise learn it from an error.

    It is the same for all clients, so it names no repository that a team may see.
    """
    names = config.roots
    if config.hosted:
        return ("Paths begin with the name of a repository: list_files lists them.",)
    if not names:
        return ()
    if len(names) > _ROOTS_NAMED:
        return (f"Paths begin with the name of one of {len(names):,} roots: list_files lists them.",)
    return (f"Paths begin with the name of a root: {', '.join(sorted(names))}.",)


def instructions(tools: Collection[str]) -> str:
    """Return the instructions without the sentences about tools that are not offered."""
    missing = TOOLS.keys() - set(tools)
    lines = (
        " ".join(sentence for sentence in re.split(r"(?<=\.) ", line) if missing.isdisjoint(_NAME.findall(sentence)))
        for line in INSTRUCTIONS.splitlines()
    )
    return "\n".join(filter(None, lines))


def _read_window(value: object) -> Window | None:
    """Return what a client says of its model's context; nothing where it makes no sense."""
    if not isinstance(value, Mapping):
        return None
    size, used = value.get("window"), value.get("used")
    numbers = all(isinstance(number, int) and not isinstance(number, bool) and number >= 0 for number in (size, used))
    return Window(int(size), int(used)) if numbers and size is not None and used is not None else None


def _read_patience(value: object, usual: float) -> float:
    """Return the patience that a client asks for, in seconds; the usual one where that makes no sense."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not value >= 0:
        return usual
    return min(float(value), MOST_PATIENCE)


def _client_name(context: Context) -> str:
    """Return the name of the client as it says; empty where it does not."""
    parameters = context.session.client_params
    return "" if parameters is None else parameters.client_info.name[:_LONGEST_CLIENT]


class _Handlers:
    """What answers the requests of a client."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._calls = CallRunner(session)

    async def list_tools(
        self, _context: Context, _params: types.PaginatedRequestParams | None
    ) -> types.ListToolsResult:
        """Return every tool: the same list for every client and every repository."""
        return types.ListToolsResult(tools=[tool_declaration(tool) for tool in self._session.tools.values()])

    def input_schema(self, name: str) -> Mapping[str, Any] | None:
        """Return the schema of a tool that is offered, against which headers of a call are checked; None for others."""
        tool = self._session.tools.get(name)
        return None if tool is None else schema(tool)

    async def call_tool(self, context: Context, params: types.CallToolRequestParams) -> types.CallToolResult:
        """Answer a call; a mistake of the caller becomes an error result.

        Sends progress of the index to a client that requested it, as long as it waits.
        """
        meta: Mapping[str, Any] = dict(context.meta or {})
        patience = Patience(_read_patience(meta.get("leadline/patience"), self._session.config.patience))
        request = Request(
            params.name,
            params.arguments or {},
            principal(context.request),
            store=meta.get("leadline/store") is True,
            as_json=meta.get("leadline/format") == "json",
            turn=str(meta.get("leadline/turn") or ""),
            window=_read_window(meta.get("leadline/context")),
            client=_client_name(context),
            patience=patience,
            teams=caller_teams(context.request),
        )
        resolves = params.name in self._session.tools and "symbol" in self._session.tools[params.name].takes
        progress = report_progress(context.session, self._session.index, patience if resolves else None)
        response = await self._calls.answer(request, progress)
        return types.CallToolResult(
            content=_response_content(response, links=self._session.config.links),
            is_error=response.is_error,
            structured_content=json.loads(response.structured) if response.structured else None,
            _meta={"leadline/uri": response.uri} if request.store and response.uri else None,
        )

    async def list_resources(
        self, _context: Context, _params: types.PaginatedRequestParams | None
    ) -> types.ListResourcesResult:
        """Return nothing: results are found by the URI in an answer, never by listing those of others."""
        return types.ListResourcesResult(resources=[])

    async def list_templates(
        self, _context: Context, _params: types.PaginatedRequestParams | None
    ) -> types.ListResourceTemplatesResult:
        """Return the template of stored results."""
        template = types.ResourceTemplate(
            uri_template=_TEMPLATE,
            name="result",
            title=_RESULT,
            description="Items as JSON; limit=0 returns all of them.",
            mime_type=_JSON,
        )
        return types.ListResourceTemplatesResult(resource_templates=[template])

    async def read_resource(
        self, context: Context, params: types.ReadResourceRequestParams
    ) -> types.ReadResourceResult:
        """Return a stored result as JSON: whole up to 20,000 tokens, else its first page and the URI of the next."""
        uri = str(params.uri)
        asking = principal(context.request)
        teams = caller_teams(context.request)
        text = await self._unless_busy(asking, partial(_read_resource, self._session, uri, asking, teams))
        content = types.TextResourceContents(uri=uri, mime_type=_JSON, text=text)
        return types.ReadResourceResult(contents=[content])

    async def list_prompts(
        self, _context: Context, _params: types.PaginatedRequestParams | None
    ) -> types.ListPromptsResult:
        """Return every prompt: the same list for every client and every repository."""
        return types.ListPromptsResult(prompts=[_prompt_entry(prompt) for prompt in PROMPTS.values()])

    async def get_prompt(self, context: Context, params: types.GetPromptRequestParams) -> types.GetPromptResult:
        """Return a task with the calls to begin with; wrong names and arguments are errors of the protocol."""
        task = partial(_write_prompt, self._seen_by(context), params.name, params.arguments or {})
        text = await self._unless_busy(principal(context.request), task)
        message = types.PromptMessage(role="user", content=types.TextContent(text=text))
        return types.GetPromptResult(description=PROMPTS[params.name].description, messages=[message])

    def _seen_by(self, context: Context) -> Callable[[], Session]:
        """Return what returns the session as the caller has it; it reads the database where there is one."""
        return partial(self._session.visible_to, principal(context.request), caller_teams(context.request))

    async def complete(self, context: Context, params: types.CompleteRequestParams) -> types.CompleteResult:
        """Return what an argument may become: a path or a symbol of a prompt, a number of the resource template."""
        asked = partial(_complete, self._seen_by(context), params.ref, params.argument.name, params.argument.value)
        found = await self._unless_busy(principal(context.request), asked)
        more = found.total is None or found.total > len(found.values)
        return types.CompleteResult(
            completion=types.Completion(values=list(found.values), total=found.total, has_more=more)
        )

    async def _unless_busy(self, asking: str, function: Callable[[], Returned]) -> Returned:
        """Run a function among the calls; where there is too much to do, that is an error of the protocol."""
        try:
            return await self._calls.run(asking, function)
        except Busy as error:
            raise MCPError(types.INTERNAL_ERROR, f"{error} {error.hint}") from None


def _response_content(response: Response, *, links: bool) -> list[types.ContentBlock]:
    """Return the text of a response, and where it is wanted a link to the complete result that is kept."""
    text = types.TextContent(text=response.text)
    if not links or not response.uri:
        return [text]
    return [text, types.ResourceLink(uri=response.uri, name="result", title=_RESULT, mime_type=_JSON)]


def _prompt_entry(prompt: Prompt) -> types.Prompt:
    """Return a prompt as ``prompts/list`` returns it."""
    arguments = [
        types.PromptArgument(name=one.name, description=one.description, required=one.required)
        for one in prompt.arguments
    ]
    return types.Prompt(name=prompt.name, title=prompt.title, description=prompt.description, arguments=arguments)


def _write_prompt(seen: Callable[[], Session], name: str, arguments: Mapping[str, str]) -> str:
    try:
        return write_prompt(seen(), name, arguments)
    except LeadlineError as error:
        said = without_given_keys(f"{error} {error.hint}".strip(), (name, *arguments, *arguments.values()))
        raise MCPError(types.INVALID_PARAMS, said) from None


def _complete(
    seen: Callable[[], Session],
    ref: types.PromptReference | types.ResourceTemplateReference,
    name: str,
    typed: str,
) -> Completion:
    """Return what an argument of a prompt or of the template of results may become; raises MCPError for neither."""
    if isinstance(ref, types.ResourceTemplateReference):
        if ref.uri != _TEMPLATE:
            raise MCPError(
                types.INVALID_PARAMS, f"There is no template {clip_text(ref.uri, 80)!r}. The template is {_TEMPLATE}."
            )
        values = tuple(value for value in _PAGES.get(name, ()) if value.startswith(typed))
        return Completion(values, len(values))
    if ref.name not in PROMPTS:
        raise MCPError(
            types.INVALID_PARAMS, f"There is no prompt {clip_text(ref.name, 80)!r}. Prompts: {', '.join(PROMPTS)}."
        )
    takes = next((argument.takes for argument in PROMPTS[ref.name].arguments if argument.name == name), None)
    if len(typed) > longest(takes):
        return Completion()
    try:
        index = seen().index
        index.refresh()
        return complete(index, takes, typed)
    except NothingVisible:
        return Completion()


def _read_resource(session: Session, uri: str, asking: str, teams: frozenset[str]) -> str:
    if len(uri) > LONGEST_PATH:
        raise MCPError(_NOT_FOUND, f"A URI has at most {LONGEST_PATH:,} characters.")
    bare, _, parameters = uri.partition("?")
    query = parse_qs(parameters)
    try:
        offset, limit = (_read_number(query.get(name)) for name in ("offset", "limit"))
        if limit == 0:
            return session.visible_to(asking, teams).read_all(bare, offset or 0, asking)
        arguments = {"uri": bare, "offset": offset or 0, "limit": limit or 0, "format": "json"}
        paged = Request("read_result", {**arguments, "max_tokens": _RESOURCE_TOKENS}, asking, teams=teams)
        response: Response = session.call(paged)
    except LeadlineError as error:
        raise MCPError(_NOT_FOUND, without_given_keys(f"{error} {error.hint}".strip(), (uri,))) from None
    if response.is_error:
        raise MCPError(_NOT_FOUND, response.text.removeprefix("error: ").strip())
    return response.text


def _read_number(values: list[str] | None) -> int | None:
    if not values:
        return None
    number = whole_number(values[0])
    if number is None:
        raise MCPError(_NOT_FOUND, f"offset and limit must be whole numbers, not {clip_text(values[0], 40)!r}.")
    return number
