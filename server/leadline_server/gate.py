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
import hashlib
import hmac
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

from mcp.server.auth.middleware.bearer_auth import AuthenticatedUser
from mcp.server.auth.provider import AccessToken
from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

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

_HAS_TOKEN = "leadline.token"  # noqa: S105  no token, but where it is noted that there was one


@dataclass(frozen=True)
class Tokens:
    """The tokens that clients send; each identifies a client. Without tokens, no client sends one."""

    known: tuple[str, ...] = field(default=(), repr=False)

    @classmethod
    def load(cls, file: Path | None, variable: str = _VARIABLE) -> Self:
        """Return the tokens of a file, one a line, and that of a variable, which no child of this process sees.

        Raises ValueError for one that is too short, and OSError for a file that cannot be read.
        """
        lines = file.read_text(encoding="utf-8").splitlines() if file is not None else []
        lines.append(os.environ.pop(variable, ""))
        known = tuple(dict.fromkeys(line.strip() for line in lines if line.strip() and not line.startswith("#")))
        if any(len(token) < SHORTEST_TOKEN or not token.isascii() for token in known):
            raise ValueError(f"a token must have at least {SHORTEST_TOKEN} characters, all of them ASCII")
        if file is not None and not known:
            raise ValueError(f"{file} contains no token")
        return cls(known)

    def holder(self, shown: str) -> str | None:
        """Return the name of who shows a token, None for a wrong one; takes as long whichever it is."""
        found = None
        for token in self.known:
            if hmac.compare_digest(token.encode(), shown.encode("utf-8", "replace")):
                found = token
        return None if found is None else hashlib.sha256(found.encode()).hexdigest()[:32]


@dataclass(frozen=True)
class Address:
    """Where the server listens, its further host names, and the tokens of its clients.

    A ``stateless`` server keeps no sessions of clients before MCP 2026-07-28, so any of several servers can answer.
    The tokens of ``metrics`` read those and nothing else.
    """

    host: str
    port: int
    names: tuple[str, ...] = ()
    tokens: Tokens = Tokens()
    stateless: bool = False
    metrics: Tokens = Tokens()

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
        self._hosts, self._origins = address.hosts, address.origins

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request that must not pass; hand on all others."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
        elif scope["type"] == "http":
            await (self._refusal(scope) or self._app)(scope, receive, send)

    def _refusal(self, scope: Scope) -> PlainTextResponse | None:
        """Return the answer to a request that must not pass; note who sends one that may."""
        headers = Headers(scope=scope)
        refusal = self._foreign_refusal(scope, headers)
        if refusal is not None:
            return refusal
        if scope["path"] == HEALTH:
            return PlainTextResponse("ok")
        if scope["path"] == METRICS:
            return self._metrics_refusal(headers)
        return (
            None if scope["path"] == READY or scope["path"].startswith(HOOKS) else self._token_refusal(scope, headers)
        )

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

    def _token_refusal(self, scope: Scope, headers: Headers) -> PlainTextResponse | None:
        """Return the answer to a request without a token; note whose a request with one is."""
        if self._tokens.known:
            holder = self._tokens.holder(_sent_token(headers.getlist("authorization")))
            if holder is None:
                return PlainTextResponse("A token is required.", 401, {"WWW-Authenticate": _challenge(scope["path"])})
            # The transports tie a session to the user that opened it.
            scope.setdefault("state", {})[_HAS_TOKEN] = True
            scope["user"] = AuthenticatedUser(AccessToken(token="", client_id=holder, scopes=[]))
        return None

    def _metrics_refusal(self, headers: Headers) -> PlainTextResponse | None:
        """Return the answer to who may not read the metrics, which are those of all clients together."""
        if self._metrics.known:
            if self._metrics.holder(_sent_token(headers.getlist("authorization"))) is None:
                return PlainTextResponse("The token of the metrics is required.", 401, {"WWW-Authenticate": "Bearer"})
        elif self._tokens.known:
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


def has_token(scope: Mapping[str, Any]) -> bool:
    """Return whether a request has shown a token."""
    state = scope.get("state")
    return isinstance(state, dict) and _HAS_TOKEN in state


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
