"""What the conformance suite calls by name: tools, prompts and resources, mounted on any server beside its own.

The suite knows these names and what each has to do; a server that has real tools gets them beside its own, so that
everything around them, from the transport to the error of an unknown tool, is that of the server under test.
"""

from __future__ import annotations

import hmac
import json
import secrets
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, cast

import anyio
import mcp_types as types
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError

Context = ServerRequestContext[Any]
ToolResult = types.CallToolResult | types.InputRequiredResult
CallParams = types.CallToolRequestParams

PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
SILENCE = "UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAAAAA=="
PAUSE = 0.05
"""Seconds between two notifications, as the suite asks for."""

KEY = secrets.token_bytes(32)

Property = dict[str, Any]


# What tools do


def text(told: str) -> types.CallToolResult:
    return types.CallToolResult(content=[types.TextContent(text=told)])


def said(told: str, role: str = "user") -> types.PromptMessage:
    return types.PromptMessage(role=cast("Any", role), content=types.TextContent(text=told))


def embedded(uri: str, told: str, mime_type: str = "text/plain") -> types.EmbeddedResource:
    return types.EmbeddedResource(resource=types.TextResourceContents(uri=uri, mime_type=mime_type, text=told))


async def simple(_context: Context, _params: CallParams) -> ToolResult:
    return text("This is a simple text response for testing.")


async def image(_context: Context, _params: CallParams) -> ToolResult:
    return types.CallToolResult(content=[types.ImageContent(data=PIXEL, mime_type="image/png")])


async def audio(_context: Context, _params: CallParams) -> ToolResult:
    return types.CallToolResult(content=[types.AudioContent(data=SILENCE, mime_type="audio/wav")])


async def resource(_context: Context, _params: CallParams) -> ToolResult:
    return types.CallToolResult(content=[embedded("test://embedded-resource", "This is an embedded resource content.")])


async def mixed(_context: Context, _params: CallParams) -> ToolResult:
    return types.CallToolResult(
        content=[
            types.TextContent(text="Multiple content types test:"),
            types.ImageContent(data=PIXEL, mime_type="image/png"),
            embedded("test://mixed-content-resource", '{"test":"data","value":123}', "application/json"),
        ]
    )


async def failing(_context: Context, _params: CallParams) -> ToolResult:
    told = types.TextContent(text="This tool intentionally returns an error for testing")
    return types.CallToolResult(content=[told], is_error=True)


async def logging(context: Context, _params: CallParams) -> ToolResult:
    for step in ("started", "processing data", "completed"):
        await context.session.send_log_message("info", f"Tool execution {step}", related_request_id=context.request_id)
        await anyio.sleep(PAUSE)
    return text("done")


async def progressing(context: Context, _params: CallParams) -> ToolResult:
    for done in (0, 50, 100):
        await context.session.report_progress(done, 100, f"{done} of 100")
        await anyio.sleep(PAUSE)
    return text("done")


async def sampling(context: Context, params: CallParams) -> ToolResult:
    prompt = str((params.arguments or {}).get("prompt"))
    message = types.SamplingMessage(role="user", content=types.TextContent(text=prompt))
    found = await context.session.create_message([message], max_tokens=100, related_request_id=context.request_id)
    return text(f"LLM response: {getattr(found.content, 'text', '')}")


def eliciting(message: str, properties: Mapping[str, Property]) -> Tool:
    async def elicit(context: Context, params: CallParams) -> ToolResult:
        wanted: types.ElicitRequestedSchema = {"type": "object", "properties": dict(properties)}
        asked = str((params.arguments or {}).get("message") or message)
        found = await context.session.elicit_form(asked, wanted, context.request_id)
        return text(f"Elicitation completed: action={found.action}, content={json.dumps(found.content)}")

    return elicit


DEFAULTS: Mapping[str, Property] = {
    "name": {"type": "string", "default": "John Doe"},
    "age": {"type": "integer", "default": 30},
    "score": {"type": "number", "default": 95.5},
    "status": {"type": "string", "enum": ["active", "inactive", "pending"], "default": "active"},
    "verified": {"type": "boolean", "default": True},
}

CHOICES = ["option1", "option2", "option3"]
TITLED = [{"const": f"value{i}", "title": f"{title} Option"} for i, title in enumerate(("First", "Second", "Third"), 1)]
ENUMS: Mapping[str, Property] = {
    "untitledSingle": {"type": "string", "enum": CHOICES},
    "titledSingle": {"type": "string", "oneOf": TITLED},
    "legacyEnum": {"type": "string", "enum": ["opt1", "opt2"], "enumNames": ["Option One", "Option Two"]},
    "untitledMulti": {"type": "array", "items": {"type": "string", "enum": CHOICES}},
    "titledMulti": {"type": "array", "items": {"anyOf": TITLED}},
}


# Input that is asked for in the answer (2026-07-28)


def form(message: str, name: str, kind: str = "string") -> types.ElicitRequest:
    schema: types.ElicitRequestedSchema = {"type": "object", "properties": {name: {"type": kind}}, "required": [name]}
    return types.ElicitRequest(params=types.ElicitRequestFormParams(message=message, requested_schema=schema))


def sample(question: str) -> types.CreateMessageRequest:
    message = types.SamplingMessage(role="user", content=types.TextContent(text=question))
    return types.CreateMessageRequest(params=types.CreateMessageRequestParams(messages=[message], max_tokens=100))


def sealed(state: str) -> str:
    """Return a state that a client can carry but not change."""
    return f"{state}.{hmac.digest(KEY, state.encode(), 'sha256').hex()}"


def opened(state: str | None) -> str:
    """Return what was sealed; raises MCPError for what was not."""
    inner = (state or "").rpartition(".")[0]
    if not hmac.compare_digest(sealed(inner), state or ""):
        raise MCPError(types.INVALID_PARAMS, "requestState has been changed")
    return inner


def answered(params: types.InputResponseRequestParams, key: str) -> Any:
    """Return the answer to a request for input; None where there is none yet."""
    return (params.input_responses or {}).get(key)


def needing(key: str, request: types.InputRequest) -> Tool:
    async def need(_context: Context, params: CallParams) -> ToolResult:
        found = answered(params, key)
        if found is None:
            return types.InputRequiredResult(input_requests={key: request})
        return text(f"Hello, {found.model_dump_json(by_alias=True)}!")

    return need


def stateful(requests: types.InputRequests) -> Tool:
    async def need(_context: Context, params: CallParams) -> ToolResult:
        asked = params.request_state is not None and opened(params.request_state) == "asked"
        if asked and requests.keys() <= (params.input_responses or {}).keys():
            return text("state-ok")
        return types.InputRequiredResult(input_requests=requests, request_state=sealed("asked"))

    return need


async def two_rounds(_context: Context, params: CallParams) -> ToolResult:
    state = opened(params.request_state) if params.request_state is not None else ""
    if state == "second" and answered(params, "step2") is not None:
        return text("done")
    if state == "first" and answered(params, "step1") is not None:
        request = form("Step 2: What is your favorite color?", "color")
        return types.InputRequiredResult(input_requests={"step2": request}, request_state=sealed("second"))
    request = form("Step 1: What is your name?", "name")
    return types.InputRequiredResult(input_requests={"step1": request}, request_state=sealed("first"))


async def by_capability(context: Context, _params: CallParams) -> ToolResult:
    declared = context.session.client_capabilities or types.ClientCapabilities()
    requests: types.InputRequests = {}
    if declared.sampling is not None:
        requests["capital"] = sample("What is the capital of France?")
    if declared.elicitation is not None:
        requests["name"] = form("What is your name?", "name")
    return types.InputRequiredResult(input_requests=requests) if requests else text("nothing can be asked")


async def demanding(context: Context, _params: CallParams) -> ToolResult:
    declared = context.session.client_capabilities
    if declared is None or declared.sampling is None:
        needs = types.ClientCapabilities(sampling=types.SamplingCapability())
        data = types.MissingRequiredClientCapabilityErrorData(required_capabilities=needs)
        told = data.model_dump(by_alias=True, exclude_none=True)
        raise MCPError(types.MISSING_REQUIRED_CLIENT_CAPABILITY, "sampling is needed", told)
    return text("sampling is offered")


Tool = Callable[[Context, CallParams], Awaitable[ToolResult]]

_STATE: types.InputRequests = {"confirm": form("Please confirm", "ok", "boolean")}
_ALL: types.InputRequests = {
    "user_name": form("What is your name?", "name"),
    "greeting": sample("Generate a greeting"),
    "client_roots": types.ListRootsRequest(params=types.RequestParams()),
}

TOOLS: Mapping[str, Tool] = {
    "test_simple_text": simple,
    "test_image_content": image,
    "test_audio_content": audio,
    "test_embedded_resource": resource,
    "test_multiple_content_types": mixed,
    "test_error_handling": failing,
    "test_tool_with_logging": logging,
    "test_logging_tool": logging,
    "test_tool_with_progress": progressing,
    "test_sampling": sampling,
    "test_elicitation": eliciting("Please answer", {"username": {"type": "string"}, "email": {"type": "string"}}),
    "test_elicitation_sep1034_defaults": eliciting("Please review", DEFAULTS),
    "test_elicitation_sep1330_enums": eliciting("Please choose", ENUMS),
    "test_streaming_elicitation": needing("user_name", form("What is your name?", "name")),
    "test_missing_capability": demanding,
    "test_input_required_result_elicitation": needing("user_name", form("What is your name?", "name")),
    "test_input_required_result_sampling": needing("capital_question", sample("What is the capital of France?")),
    "test_input_required_result_list_roots": needing(
        "client_roots", types.ListRootsRequest(params=types.RequestParams())
    ),
    "test_input_required_result_request_state": stateful(_STATE),
    "test_input_required_result_tampered_state": stateful(_STATE),
    "test_input_required_result_multiple_inputs": stateful(_ALL),
    "test_input_required_result_multi_round": two_rounds,
    "test_input_required_result_capabilities": by_capability,
}


# Prompts and resources


def prompt(params: types.GetPromptRequestParams) -> list[types.PromptMessage] | None:
    """Return the messages of a prompt; None for one that is not here."""
    given = params.arguments or {}
    match params.name:
        case "test_simple_prompt":
            return [said("This is a simple prompt for testing.")]
        case "test_prompt_with_arguments":
            return [said(f"Prompt with arguments: arg1='{given.get('arg1')}', arg2='{given.get('arg2')}'")]
        case "test_prompt_with_embedded_resource":
            attached = embedded(str(given.get("resourceUri")), "Embedded resource content for testing.")
            return [types.PromptMessage(role="user", content=attached), said("Please process the resource above.")]
        case "test_prompt_with_image":
            shown = types.ImageContent(data=PIXEL, mime_type="image/png")
            return [types.PromptMessage(role="user", content=shown), said("Please analyze the image above.")]
        case _:
            return None


ARGUMENTS: Mapping[str, tuple[str, ...]] = {
    "test_simple_prompt": (),
    "test_prompt_with_arguments": ("arg1", "arg2"),
    "test_prompt_with_embedded_resource": ("resourceUri",),
    "test_prompt_with_image": (),
    "test_input_required_result_prompt": (),
}

Contents = types.TextResourceContents | types.BlobResourceContents

RESOURCES: Mapping[str, Contents] = {
    "test://static-text": types.TextResourceContents(
        uri="test://static-text", mime_type="text/plain", text="This is the content of the static text resource."
    ),
    "test://static-binary": types.BlobResourceContents(uri="test://static-binary", mime_type="image/png", blob=PIXEL),
    "test://watched-resource": types.TextResourceContents(
        uri="test://watched-resource", mime_type="text/plain", text="Watched resource content"
    ),
}
TEMPLATE = "test://template/{id}/data"


def contents(uri: str) -> Contents | None:
    """Return a resource; None for one that is not here."""
    if uri.startswith("test://template/") and uri.endswith("/data"):
        number = uri.removeprefix("test://template/").removesuffix("/data")
        found = {"id": number, "templateTest": True, "data": f"Data for ID: {number}"}
        return types.TextResourceContents(uri=uri, mime_type="application/json", text=json.dumps(found))
    return RESOURCES.get(uri)


# Mounting


def mounted(server: Server[Any]) -> Server[Any]:
    """Put everything beside what a server has, under its handlers of the same methods, and return the server."""
    _mount_tools(server)
    _mount_prompts(server)
    _mount_resources(server)
    _mount_the_rest(server)
    return server


def _own(server: Server[Any], method: str) -> Callable[[Context, Any], Awaitable[Any]]:
    """Return what the server itself answers to a method."""
    entry = server.get_request_handler(method)
    assert entry is not None, f"the server has no {method}"
    return entry.handler


def _mount_tools(server: Server[Any]) -> None:
    own_list, own_call = _own(server, "tools/list"), _own(server, "tools/call")

    async def listed(context: Context, params: types.PaginatedRequestParams) -> types.ListToolsResult:
        found: types.ListToolsResult = await own_list(context, params)
        schema = {"type": "object", "properties": {}}
        mine = [types.Tool(name=name, description=f"Fixture {name}", input_schema=schema) for name in TOOLS]
        return found.model_copy(update={"tools": [*found.tools, *mine]})

    async def called(context: Context, params: CallParams) -> ToolResult:
        tool: Callable[[Context, Any], Awaitable[Any]] = TOOLS.get(params.name, own_call)
        result: ToolResult = await tool(context, params)
        return result

    server.add_request_handler("tools/list", types.PaginatedRequestParams, listed)
    server.add_request_handler("tools/call", types.CallToolRequestParams, called)


def _mount_prompts(server: Server[Any]) -> None:
    own_list, own_get, own_complete = (
        _own(server, method) for method in ("prompts/list", "prompts/get", "completion/complete")
    )

    async def listed(context: Context, params: types.PaginatedRequestParams) -> types.ListPromptsResult:
        found: types.ListPromptsResult = await own_list(context, params)
        mine = [
            types.Prompt(
                name=name,
                description=f"Fixture {name}",
                arguments=[types.PromptArgument(name=argument, required=True) for argument in arguments],
            )
            for name, arguments in ARGUMENTS.items()
        ]
        return found.model_copy(update={"prompts": [*found.prompts, *mine]})

    async def got(
        context: Context, params: types.GetPromptRequestParams
    ) -> types.GetPromptResult | types.InputRequiredResult:
        if params.name == "test_input_required_result_prompt":
            if answered(params, "user_context") is None:
                request = form("What context should the prompt use?", "context")
                return types.InputRequiredResult(input_requests={"user_context": request})
            return types.GetPromptResult(messages=[said(answered(params, "user_context").model_dump_json())])
        messages = prompt(params)
        if messages is not None:
            return types.GetPromptResult(messages=messages)
        found: types.GetPromptResult = await own_get(context, params)
        return found

    async def completed(context: Context, params: types.CompleteRequestParams) -> types.CompleteResult:
        if isinstance(params.ref, types.PromptReference) and params.ref.name in ARGUMENTS:
            values = [word for word in ("testing", "paris") if word.startswith(params.argument.value)]
            return types.CompleteResult(completion=types.Completion(values=values, total=len(values), has_more=False))
        found: types.CompleteResult = await own_complete(context, params)
        return found

    server.add_request_handler("prompts/list", types.PaginatedRequestParams, listed)
    server.add_request_handler("prompts/get", types.GetPromptRequestParams, got)
    server.add_request_handler("completion/complete", types.CompleteRequestParams, completed)


def _mount_resources(server: Server[Any]) -> None:
    own_list, own_templates, own_read = (
        _own(server, method) for method in ("resources/list", "resources/templates/list", "resources/read")
    )

    async def listed(context: Context, params: types.PaginatedRequestParams) -> types.ListResourcesResult:
        found: types.ListResourcesResult = await own_list(context, params)
        mine = [types.Resource(uri=uri, name=uri, mime_type=one.mime_type) for uri, one in RESOURCES.items()]
        return found.model_copy(update={"resources": [*found.resources, *mine]})

    async def templates(context: Context, params: types.PaginatedRequestParams) -> types.ListResourceTemplatesResult:
        found: types.ListResourceTemplatesResult = await own_templates(context, params)
        mine = types.ResourceTemplate(uri_template=TEMPLATE, name="data", mime_type="application/json")
        return found.model_copy(update={"resource_templates": [*found.resource_templates, mine]})

    async def read(context: Context, params: types.ReadResourceRequestParams) -> types.ReadResourceResult:
        one = contents(str(params.uri))
        if one is not None:
            return types.ReadResourceResult(contents=[one])
        found: types.ReadResourceResult = await own_read(context, params)
        return found

    server.add_request_handler("resources/list", types.PaginatedRequestParams, listed)
    server.add_request_handler("resources/templates/list", types.PaginatedRequestParams, templates)
    server.add_request_handler("resources/read", types.ReadResourceRequestParams, read)


def _mount_the_rest(server: Server[Any]) -> None:
    """Put what the server does not offer at all: subscriptions and log levels, both of before 2026-07-28."""

    async def nothing(_context: Context, _params: Any) -> types.EmptyResult:
        return types.EmptyResult()

    server.add_request_handler("logging/setLevel", types.SetLevelRequestParams, nothing)
    server.add_request_handler("resources/subscribe", types.SubscribeRequestParams, nothing)
    server.add_request_handler("resources/unsubscribe", types.UnsubscribeRequestParams, nothing)
