"""Webhooks of code hosts: who pushed to which repository, once the host has proved that it says so.

GitHub signs the body with HMAC-SHA256 (``X-Hub-Signature-256``,
https://docs.github.com/en/webhooks/using-webhooks/validating-webhook-deliveries). GitLab shows the secret
(``X-Gitlab-Token``, https://docs.gitlab.com/user/project/integrations/webhooks/#validate-webhook-payloads).
A webhook names a repository; nothing is ever fetched from an address that it gives.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from urllib.parse import urlsplit

import anyio.to_thread
from pydantic import BaseModel
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import BaseRoute, Route

from leadline_server.gate import HOOKS
from leadline_tools.database.errors import DatabaseError

_LARGEST = 4 << 20
_BRANCH, _TAG = "refs/heads/", "refs/tags/"


@dataclass(frozen=True, slots=True)
class Push:
    """A push: the name of the repository (``github.com/acme/shop``), and the branch or tag; empty for all of them."""

    repository: str
    ref: str


class _GitHubRepository(BaseModel):
    html_url: str


class _GitHubEvent(BaseModel):
    repository: _GitHubRepository
    ref: str = ""


class _GitLabProject(BaseModel):
    web_url: str


class _GitLabEvent(BaseModel):
    project: _GitLabProject
    ref: str = ""


@dataclass(frozen=True, slots=True)
class _Host:
    """How the webhooks of a code host are checked and read.

    Args:
        secret: What it signs with or shows.
        header: The header that proves it.
        proof: Returns what the header has to be, from the secret and the body.
        event: The header with the kind of the event.
        pushes: The kinds that change refs.
        model: What a body is.

    """

    secret: str
    header: str
    proof: Callable[[str, bytes], str]
    event: str
    pushes: frozenset[str]
    model: type[_GitHubEvent | _GitLabEvent]


def webhook_routes(github: str, gitlab: str, note: Callable[[Push], bool]) -> Sequence[BaseRoute]:
    """Return the routes of webhooks of the hosts with a secret.

    ``note`` is called with each push, and returns whether its repository is one of the server's. The answer is 202 for
    a push that was noted, 200 for an event that is none, 401 without the right proof, 404 for an unknown repository,
    400 for what cannot be read, 413 for what is too large: that push is found with the next list. 503 where ``note``
    raises DatabaseError.
    """
    hosts = {
        "github": _Host(
            github,
            "x-hub-signature-256",
            _signature,
            "x-github-event",
            frozenset({"push", "create", "delete"}),
            _GitHubEvent,
        ),
        "gitlab": _Host(
            gitlab, "x-gitlab-token", _shown, "x-gitlab-event", frozenset({"Push Hook", "Tag Push Hook"}), _GitLabEvent
        ),
    }
    return [
        Route(f"{HOOKS}{name}", _endpoint(host, note), methods=["POST"]) for name, host in hosts.items() if host.secret
    ]


def _endpoint(host: _Host, note: Callable[[Push], bool]) -> Callable[[Request], object]:
    async def receive(request: Request) -> PlainTextResponse:
        push = await _read(host, request)
        if isinstance(push, PlainTextResponse):
            return push
        try:
            known = await anyio.to_thread.run_sync(note, push)
        except DatabaseError as error:
            return PlainTextResponse(f"{error} {error.hint}", 503)
        if not known:
            return PlainTextResponse("This server does not have that repository.", 404)
        return PlainTextResponse("The repository will be looked at.", 202)

    return receive


async def _read(host: _Host, request: Request) -> Push | PlainTextResponse:
    """Return the push that a request reports, or the answer to one that reports none, or cannot prove it."""
    body = await _body(request)
    if body is None:
        return PlainTextResponse("The event is too large.", 413)
    sent = request.headers.getlist(host.header)
    proof = host.proof(host.secret, body)
    if len(sent) != 1 or not hmac.compare_digest(sent[0].encode("utf-8", "replace"), proof.encode()):
        return PlainTextResponse("The secret of this webhook is another one.", 401)
    if request.headers.get(host.event) not in host.pushes:
        return PlainTextResponse("Nothing changes with this event.")
    try:
        return _push(host.model.model_validate_json(body))
    except ValueError:  # of a model, or of an address that is none
        return PlainTextResponse("This is not an event of the code host.", 400)


async def _body(request: Request) -> bytes | None:
    """Return the body of a request; None for one that is too large."""
    parts: list[bytes] = []
    size = 0
    async for part in request.stream():
        size += len(part)
        if size > _LARGEST:
            return None
        parts.append(part)
    return b"".join(parts)


def _push(event: _GitHubEvent | _GitLabEvent) -> Push:
    url = event.repository.html_url if isinstance(event, _GitHubEvent) else event.project.web_url
    parts = urlsplit(url)
    return Push(f"{parts.hostname or ''}{parts.path.rstrip('/')}", event.ref.removeprefix(_BRANCH).removeprefix(_TAG))


def _signature(secret: str, body: bytes) -> str:
    return f"sha256={hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()}"


def _shown(secret: str, _body: bytes) -> str:
    return secret
