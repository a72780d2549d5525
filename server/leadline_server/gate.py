"""Access to the server over HTTP: every request is checked here before anything else reads it.

* The ``Host`` header must name this server (421), so that no page of a browser reaches it under a name of its own.
* An ``Origin`` header, which browsers send, must be this server's own (403).
* Where the server has tokens, a request must carry one (401): ``Authorization: Bearer TOKEN``, or the password of basic
  authentication, which browsers ask for. ``/health`` and ``/ready`` need none: they only report that the server runs,
  and whether it can answer. ``/metrics`` needs a token of its own, and webhooks below ``/hooks/`` are checked by a
  secret of their own.

Clients are distinguished by their tokens, without tokens by their sessions: see ``principal``.
"""

from __future__ import annotations

import base64
import binascii
import hmac
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from mcp.server.auth.middleware.bearer_auth import AuthenticatedUser
from mcp.server.auth.provider import AccessToken
from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from leadline_server.access import Caller, IdentityProvider, IdentityUnavailable, caller_name, valid_teams

if TYPE_CHECKING:
    from leadline_server.identity import IssuedTokens

LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})
EVERYWHERE = frozenset({"0.0.0.0", "::"})  # noqa: S104  compared with, not bound to

SHORTEST_TOKEN = 16
"""Characters of the shortest token: with fewer, guessing one over a network is no longer hopeless."""

HEALTH = "/health"
READY = "/ready"
METRICS = "/metrics"

HOOKS = "/hooks/"
"""What the paths of webhooks begin with: their requests show no token of a client, but a secret of their own."""

_VARIABLE = "LEADLINE_TOKEN"
METRICS_VARIABLE = "LEADLINE_METRICS_TOKEN"
_LOCAL = "local"

SESSION = "leadline.session"
"""Where the scope of a request has the id of its session, one that the server has opened."""

METADATA = "/.well-known/oauth-protected-resource"
"""What the path of the metadata begins with that lead a client to the identity provider: they are for everybody."""

_TEAMS = "leadline.teams"
"""Where the state of a request has the teams of its caller."""

_HAS_TOKEN = "leadline.token"  # noqa: S105  no token, but where it is noted that there was one


@dataclass(frozen=True)
class Tokens:
    """The tokens that clients send; each identifies a client, and its teams. Without tokens, no client sends one."""

    known: tuple[str, ...] = field(default=(), repr=False)
    teams: Mapping[str, frozenset[str]] = field(default_factory=dict, repr=False)

    @classmethod
    def load(cls, file: Path | None, variable: str = _VARIABLE) -> Self:
        """Return the tokens of a file and that of a variable, which no child of this process sees.

        A line of the file has a token, and after it the teams of who shows it.

        Raises ValueError for one that is too short, and OSError for a file that cannot be read.
        """
        lines = file.read_text(encoding="utf-8").splitlines() if file is not None else []
        lines.append(os.environ.pop(variable, ""))
        words = [line.split() for line in lines if line.strip() and not line.startswith("#")]
        teams = {token: frozenset(names) for token, *names in words}
        known = tuple(teams)
        if any(len(token) < SHORTEST_TOKEN or not token.isascii() for token in known):
            raise ValueError(f"a token must have at least {SHORTEST_TOKEN} characters, all of them ASCII")
        if file is not None and not known:
            raise ValueError(f"{file} contains no token")
        for names in teams.values():
            if names != valid_teams(names):
                raise ValueError("the name of a team has characters that cannot be in it")
        return cls(known, teams)

    def holder(self, shown: str) -> str | None:
        """Return the name of who shows a token, None for a wrong one; takes as long whichever it is."""
        found = None
        for token in self.known:
            if hmac.compare_digest(token.encode(), shown.encode("utf-8", "replace")):
                found = token
        return None if found is None else caller_name(found)

    def caller(self, shown: str) -> Caller | None:
        """Return who shows a token, None for a wrong one; takes as long whichever it is."""
        name = self.holder(shown)
        return None if name is None else Caller(name, self.teams.get(shown, frozenset()))


@dataclass(frozen=True)
class Address:
    """Where the server listens, its further host names, and the tokens of its clients.

    A ``stateless`` server keeps no sessions of clients before MCP 2026-07-28, so any of several servers can answer.
    The tokens of ``metrics`` read those and nothing else. Tokens of a provider of ``identity`` are accepted as well.
    """

    host: str
    port: int
    names: tuple[str, ...] = ()
    tokens: Tokens = Tokens()
    stateless: bool = False
    metrics: Tokens = Tokens()
    identity: IdentityProvider | None = None

    @property
    def is_guarded(self) -> bool:
        """Return whether clients have to show a token."""
        return bool(self.tokens.known) or self.identity is not None

    @property
    def hosts(self) -> frozenset[str]:
        """Return the values of ``Host`` that are accepted."""
        own = LOOPBACK if self.host in LOOPBACK | EVERYWHERE else {self.host}
        local = {f"[{name}]:{self.port}" if ":" in name else f"{name}:{self.port}" for name in own}
        return frozenset(name.lower() for name in (*local, *self.names))

    @property
    def url(self) -> str:
        """Return the URL by which a person reaches the server, with a final slash."""
        if self.host not in EVERYWHERE:
            name = f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"
        else:
            name = next(iter(self.names), f"127.0.0.1:{self.port}")
        return f"http://{name}/"

    @property
    def origins(self) -> frozenset[str]:
        """Return the values of ``Origin`` that are accepted; a proxy in front may speak TLS."""
        known = {f"http://{host}" for host in self.hosts} | {f"https://{name.lower()}" for name in self.names}
        return frozenset(known)


_FOREIGN_PAGE = "Requests from pages of other sites are not allowed."
_FOREIGN_SITES = frozenset({"cross-site", "same-site"})
"""What browsers say in ``Sec-Fetch-Site`` of a request that a page of another origin makes."""


class Gate:
    """The ASGI application that lets requests pass to another one, or refuses them."""

    def __init__(self, app: ASGIApp, address: Address) -> None:
        self._app = app
        self._tokens = address.tokens
        self._metrics = address.metrics
        self._issued = None if address.identity is None else _issued_tokens(address.identity)
        self._challenge = "" if address.identity is None else _metadata_address(address.identity)
        self._hosts, self._origins = address.hosts, address.origins

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request that must not pass; hand on all others."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
        elif scope["type"] == "http":
            await (await self._refusal(scope) or self._app)(scope, receive, send)

    async def _refusal(self, scope: Scope) -> PlainTextResponse | None:
        """Return the answer to a request that must not pass; note who sends one that may."""
        headers = Headers(scope=scope)
        refusal = self._foreign_refusal(scope, headers)
        if refusal is not None:
            return refusal
        if scope["path"] == HEALTH:
            return PlainTextResponse("ok")
        if scope["path"] == METRICS:
            return self._metrics_refusal(headers)
        if scope["path"] == READY or scope["path"].startswith((HOOKS, METADATA)):
            return None
        return await self._token_refusal(scope, headers)

    def _foreign_refusal(self, scope: Scope, headers: Headers) -> PlainTextResponse | None:
        """Return the answer to a request for another host, or from a page of another site."""
        hosts = headers.getlist("host")
        if len(hosts) != 1 or hosts[0].lower() not in self._hosts:
            return PlainTextResponse("This host name is not allowed: see --allow-host.", 421)
        if not self._origins.issuperset(origin.lower() for origin in headers.getlist("origin")):
            return PlainTextResponse(_FOREIGN_PAGE, 403)
        if scope["method"] != "GET" and headers.get("sec-fetch-site") in _FOREIGN_SITES:
            return PlainTextResponse(_FOREIGN_PAGE, 403)
        return None

    async def _token_refusal(self, scope: Scope, headers: Headers) -> PlainTextResponse | None:
        """Return the answer to a request without a token; note whose a request with one is."""
        if not self._tokens.known and self._issued is None:
            return None
        shown = _sent_token(headers.getlist("authorization"))
        try:
            caller = self._tokens.caller(shown)
            if caller is None and self._issued is not None:
                caller = await self._issued.caller(shown)
        except IdentityUnavailable:
            return PlainTextResponse("The identity provider of this server cannot be reached.", 503)
        if caller is None:
            challenge = _challenge(scope["path"])
            if self._challenge and challenge == "Bearer":
                challenge = f'Bearer resource_metadata="{self._challenge}"'
            return PlainTextResponse("A token is required.", 401, {"WWW-Authenticate": challenge})
        # The transports tie a session to the user that opened it.
        scope.setdefault("state", {}).update({_HAS_TOKEN: True, _TEAMS: caller.teams})
        scope["user"] = AuthenticatedUser(AccessToken(token="", client_id=caller.name, scopes=[]))
        return None

    def _metrics_refusal(self, headers: Headers) -> PlainTextResponse | None:
        """Return the answer to who may not read the metrics, which are those of all clients together."""
        if self._metrics.known:
            if self._metrics.holder(_sent_token(headers.getlist("authorization"))) is None:
                return PlainTextResponse("The token of the metrics is required.", 401, {"WWW-Authenticate": "Bearer"})
        elif self._tokens.known or self._issued is not None:
            return PlainTextResponse("Metrics require a token of their own: see --metrics-token-file.", 403)
        return None


def principal(request: object) -> str:
    """Return whose request it is: the holder of its token, else its session; ``local`` where there is no HTTP.

    Requests without token and session (the stateless revision of the protocol) are all one client's.
    """
    if not isinstance(request, Request):
        return _LOCAL
    user = request.scope.get("user")
    if isinstance(user, AuthenticatedUser):
        return f"token {user.access_token.client_id}"
    session = request.scope.get(SESSION)
    return f"session {session}" if session else "http"


def caller_teams(request: object) -> frozenset[str]:
    """Return the teams of who sent a request; none where there is no HTTP."""
    return teams_of(request.scope) if isinstance(request, Request) else frozenset()


def has_token(scope: Mapping[str, Any]) -> bool:
    """Return whether a request has shown a token."""
    state = scope.get("state")
    return isinstance(state, dict) and _HAS_TOKEN in state


def teams_of(scope: Mapping[str, Any]) -> frozenset[str]:
    """Return the teams of who sent a request; none where nobody showed a token."""
    state = scope.get("state")
    teams = state.get(_TEAMS) if isinstance(state, dict) else None
    return teams if isinstance(teams, frozenset) else frozenset()


def _issued_tokens(provider: IdentityProvider) -> IssuedTokens:
    """Return the tokens of a provider; what checks signatures is imported by servers that have one."""
    from leadline_server.identity import IssuedTokens

    return IssuedTokens(provider)


def _metadata_address(provider: IdentityProvider) -> str:
    """Return where the metadata are that lead a client to the provider (RFC 9728, section 3.1)."""
    from mcp.server.auth.routes import build_resource_metadata_url
    from pydantic import AnyHttpUrl

    return str(build_resource_metadata_url(AnyHttpUrl(provider.audience)))


def _sent_token(values: Iterable[str]) -> str:
    """Return the token that the ``Authorization`` headers of a request show; empty for none, or for several."""
    given = list(values)
    if len(given) != 1:
        return ""
    scheme, _, value = given[0].partition(" ")
    if scheme.lower() == "bearer":
        return value.strip()
    if scheme.lower() == "basic":
        try:
            return base64.b64decode(value.strip(), validate=True).decode().partition(":")[2]
        except (binascii.Error, UnicodeDecodeError):
            return ""
    return ""


_PROTOCOL: Mapping[str, str] = {"/mcp": "Bearer", "/sse": "Bearer", "/messages/": "Bearer"}


def _challenge(path: str) -> str:
    """Return the challenge for a token: programs follow the protocol, browsers ask the user."""
    return _PROTOCOL.get(path, 'Basic realm="leadline"')
