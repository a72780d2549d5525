"""Tokens of an identity provider are accepted if they are signed for this server, and bring the teams of a person."""

from __future__ import annotations

import http.client
import json
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import anyio
import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from jwt.algorithms import ECAlgorithm, RSAAlgorithm
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

import serving
from conftest import Open, write
from leadline_server.access import Caller, IdentityProvider, IdentityUnavailable, caller_name
from leadline_server.app import build
from leadline_server.gate import Address, Gate, Tokens, principal, teams_of
from leadline_server.http import application
from leadline_server.identity import IssuedTokens

AUDIENCE = "https://code.example.org/mcp"
OWN_TOKEN = "a-token-of-this-server"

RSA_KEY = rsa.generate_private_key(65_537, 2_048)
OTHER_KEY = rsa.generate_private_key(65_537, 2_048)
EC_KEY = ec.generate_private_key(ec.SECP256R1())


def public(name: str, key: Any) -> dict[str, Any]:
    """Return the public half of a key as a provider lists it."""
    algorithm: Any = RSAAlgorithm if isinstance(key, rsa.RSAPrivateKey) else ECAlgorithm
    return {**json.loads(algorithm.to_jwk(key.public_key())), "kid": name, "use": "sig"}


class Provider:
    """An identity provider on this machine: its metadata, its keys, and how often they were fetched."""

    def __init__(self) -> None:
        self.keys = [public("one", RSA_KEY), public("two", EC_KEY), {**public("ps", RSA_KEY), "alg": "PS384"}]
        self.issuer = ""
        self.claimed = ""
        self.fetched = 0
        self.up = True

    def document(self, path: str) -> object:
        if path == "/.well-known/openid-configuration" and self.up:
            return {"issuer": self.claimed or self.issuer, "jwks_uri": f"{self.issuer}/keys"}
        if path == "/keys" and self.up:
            self.fetched += 1
            return {"keys": self.keys}
        return None

    def token(self, key: Any = RSA_KEY, name: str = "one", algorithm: str = "RS256", **claims: object) -> str:
        now = int(time.time())
        usual = {"iss": self.issuer, "aud": AUDIENCE, "sub": "ada", "exp": now + 60, "iat": now}
        wanted = {claim: value for claim, value in {**usual, **claims}.items() if value is not None}
        return jwt.encode(wanted, key, algorithm, {"kid": name})


@contextmanager
def running(provider: Provider) -> Iterator[None]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            found = provider.document(self.path)
            body = json.dumps(found).encode()
            self.send_response(404 if found is None else 200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *arguments: object) -> None:  # noqa: A002
            """Log nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        provider.issuer = f"http://127.0.0.1:{server.server_address[1]}"
        thread = threading.Thread(target=server.serve_forever, args=(0.02,))
        thread.start()
        yield
        server.shutdown()
        thread.join()


@pytest.fixture
def provider() -> Iterator[Provider]:
    found = Provider()
    with running(found):
        yield found


@pytest.fixture
def issued(provider: Provider) -> IssuedTokens:
    return IssuedTokens(IdentityProvider.of(provider.issuer, AUDIENCE, "groups"))


def caller(issued: IssuedTokens, token: str) -> Caller | None:
    async def ask() -> Caller | None:
        return await issued.caller(token)

    return anyio.run(ask)


@pytest.mark.parametrize(
    "signed", [{}, {"key": EC_KEY, "name": "two", "algorithm": "ES256"}, {"name": "ps", "algorithm": "PS384"}]
)
def test_a_token_that_was_signed_for_this_server_is_accepted(
    issued: IssuedTokens, provider: Provider, signed: Mapping[str, Any]
) -> None:
    token = provider.token(**signed, groups=["shop", "platform/search"])
    expected = Caller(caller_name(f"{provider.issuer} ada"), frozenset({"shop", "platform/search"}))
    assert caller(issued, token) == expected
    assert caller(issued, provider.token(sub="bob")) != expected
    assert "ada" not in repr(expected)


def forgeries(provider: Provider) -> Mapping[str, str]:
    """Return tokens that must not be accepted, by what is wrong with them."""
    now = int(time.time())
    pem = RSA_KEY.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
    good = provider.token()
    head, body, signature = good.split(".")
    claims = {"iss": provider.issuer, "aud": AUDIENCE, "sub": "ada", "exp": now + 60}
    secret, unsigned = jwt.api_jws.PyJWS(), jwt.api_jws.PyJWS(["none"])
    with pytest.MonkeyPatch.context() as patch:  # the library refuses to sign with what is a public key
        patch.setattr("jwt.algorithms.is_pem_format", lambda _key: False)
        confused = secret.encode(json.dumps(claims).encode(), pem, "HS256", {"kid": "one"})
    return {
        "expired": provider.token(exp=now - 3_600),
        "without expiry": provider.token(exp=None),
        "not valid yet": provider.token(nbf=now + 3_600),
        "of another issuer": provider.token(iss="https://other.example.org"),
        "for another server": provider.token(aud="https://other.example.org/mcp"),
        "for nobody": provider.token(aud=None),
        "of nobody": provider.token(sub=None),
        "of an empty subject": provider.token(sub=""),
        "signed with another key": provider.token(key=OTHER_KEY),
        "with the name of another key": provider.token(name="two"),
        "with a key that nobody knows": provider.token(name="three"),
        "signed with the public key": confused,
        "not signed": unsigned.encode(json.dumps(claims).encode(), "", "none", {"kid": "one"}),
        "without its signature": f"{head}.{body}.",
        "with another body": f"{head}.{provider.token(sub='bob').split('.')[1]}.{signature}",
        "with a header that must be understood": jwt.encode(claims, RSA_KEY, "RS256", {"kid": "one", "crit": ["x"]}),
        "too long": provider.token(more="x" * 20_000),
        "no token": "a.b.c",
        "empty": "",
        "two tokens": f"{good} {good}",
    }


def test_no_other_token_is_accepted(issued: IssuedTokens, provider: Provider) -> None:
    accepted = {what for what, token in forgeries(provider).items() if caller(issued, token) is not None}
    assert accepted == set()
    assert caller(issued, provider.token()) is not None


@pytest.mark.parametrize(
    ("claim", "claims", "teams"),
    [
        ("groups", {}, set[str]()),
        ("groups", {"groups": "shop"}, {"shop"}),
        ("groups", {"groups": ["shop", 1, None, "", "x" * 300, "a\nb"]}, {"shop"}),
        ("groups", {"groups": {"shop": True}}, set[str]()),
        ("realm_access.roles", {"realm_access": {"roles": ["shop"]}}, {"shop"}),
        ("https://example.org/teams", {"https://example.org/teams": ["shop"]}, {"shop"}),
    ],
)
def test_the_groups_of_a_token_are_teams(provider: Provider, claim: str, claims: Any, teams: set[str]) -> None:
    issued = IssuedTokens(IdentityProvider.of(provider.issuer, AUDIENCE, claim))
    found = caller(issued, provider.token(**claims))
    assert found is not None
    assert found.teams == teams


def test_keys_are_fetched_once_and_again_for_a_new_one_but_not_for_every_wrong_token(provider: Provider) -> None:
    now = 0.0
    issued = IssuedTokens(IdentityProvider.of(provider.issuer, AUDIENCE, "groups"), lambda: now)
    for _ in range(3):
        assert caller(issued, provider.token()) is not None
        assert caller(issued, provider.token(name="three")) is None
    assert provider.fetched == 1
    provider.keys.append(public("three", OTHER_KEY))
    now = 31.0
    assert caller(issued, provider.token(key=OTHER_KEY, name="three")) is not None
    provider.up = False
    now = 10_000.0
    assert caller(issued, provider.token()) is not None
    provider.up = True
    provider.keys = [public("three", OTHER_KEY)]
    now = 20_000.0
    assert caller(issued, provider.token()) is None
    assert provider.fetched == 3


@pytest.mark.parametrize("claimed", ["", "https://other.example.org"])
def test_without_keys_nobody_is_recognised(provider: Provider, claimed: str) -> None:
    provider.up, provider.claimed = bool(claimed), claimed
    issued = IssuedTokens(IdentityProvider.of(provider.issuer, AUDIENCE, "groups"))
    with pytest.raises(IdentityUnavailable):
        caller(issued, provider.token())


@pytest.mark.parametrize(
    "url", ["", "code.example.org", "http://id.example.org", "ftp://id.example.org", "https://a@b", "https://a/#b"]
)
def test_a_provider_has_an_address_that_nobody_can_change_on_the_way(url: str) -> None:
    with pytest.raises(ValueError, match="must be a URL that begins with https://"):
        IdentityProvider.of(url, AUDIENCE, "groups")
    with pytest.raises(ValueError, match="must be a URL that begins with https://"):
        IdentityProvider.of("https://id.example.org", url, "groups")


# At the gate


def get(port: int, path: str, token: str = "", scheme: str = "Bearer") -> tuple[int, Mapping[str, str], str]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=serving.DEADLINE)
    try:
        connection.request("GET", path, headers={"Authorization": f"{scheme} {token}"} if token else {})
        response = connection.getresponse()
        return response.status, {name.lower(): value for name, value in response.getheaders()}, response.read().decode()
    finally:
        connection.close()


@pytest.fixture
def port(provider: Provider) -> Iterator[int]:
    """A server behind the gate that answers whose request it got."""

    async def whose(request: Request) -> Response:
        return JSONResponse({"principal": principal(request), "teams": sorted(teams_of(request.scope))})

    tokens = Tokens((OWN_TOKEN,), {OWN_TOKEN: frozenset({"search"})})
    identity = IdentityProvider.of(provider.issuer, AUDIENCE, "groups")
    app = Starlette(routes=[Route("/", whose), Route("/mcp", whose)])
    with serving.in_thread(
        lambda number: Gate(app, Address("127.0.0.1", number, (), tokens, identity=identity))
    ) as number:
        yield number


def test_the_gate_knows_callers_and_teams_by_either_kind_of_token(port: int, provider: Provider) -> None:
    status, _, text = get(port, "/", provider.token(groups=["shop"]))
    assert (status, json.loads(text)["teams"]) == (200, ["shop"])
    assert json.loads(text)["principal"] == f"token {caller_name(f'{provider.issuer} ada')}"
    status, _, text = get(port, "/", OWN_TOKEN)
    assert (status, json.loads(text)["teams"]) == (200, ["search"])


def test_the_gate_leads_clients_without_a_token_to_the_provider(port: int, provider: Provider) -> None:
    for token in ("", provider.token(exp=1), "a-token-of-somebody-else"):
        status, headers, text = get(port, "/mcp", token)
        assert (status, text) == (401, "A token is required.")
        where = "https://code.example.org/.well-known/oauth-protected-resource/mcp"
        assert headers["www-authenticate"] == f'Bearer resource_metadata="{where}"'
    assert get(port, "/metrics", provider.token())[0] == 403


def test_a_provider_that_cannot_be_reached_is_no_refusal(port: int, provider: Provider) -> None:
    provider.up = False
    assert get(port, "/", provider.token())[::2] == (503, "The identity provider of this server cannot be reached.")
    assert get(port, "/", OWN_TOKEN)[0] == 200


def test_the_metadata_of_the_server_name_the_provider(opened: Open, provider: Provider, tmp_path: Path) -> None:
    identity = IdentityProvider.of(provider.issuer, AUDIENCE, "groups")
    server = build(opened(write(tmp_path / "tree", {"a.py": ""})).session)
    with serving.in_thread(
        lambda number: application(server, Address("127.0.0.1", number, identity=identity))
    ) as number:
        status, _, text = get(number, "/.well-known/oauth-protected-resource/mcp")
        assert (status, json.loads(text)["resource"]) == (200, AUDIENCE)
        assert json.loads(text)["authorization_servers"] == [f"{provider.issuer}/"]
        assert get(number, "/mcp")[0] == 401


def test_a_line_of_the_token_file_has_the_teams_of_who_shows_it(tmp_path: Path) -> None:
    file = tmp_path / "tokens"
    file.write_text(f"# clients\n{OWN_TOKEN} shop platform/search\na-token-without-a-team\n")
    tokens = Tokens.load(file)
    assert tokens.caller(OWN_TOKEN) == Caller(caller_name(OWN_TOKEN), frozenset({"shop", "platform/search"}))
    assert tokens.caller("a-token-without-a-team") == Caller(caller_name("a-token-without-a-team"))
    assert tokens.caller(f"{OWN_TOKEN} shop") is None
    file.write_text(f"{OWN_TOKEN} sh\x1bop\n")
    with pytest.raises(ValueError, match="the name of a team"):
        Tokens.load(file)
