"""Identity provider: the OAuth 2.1 authorization server whose access tokens this server accepts.

This server is a resource server and nothing else: it sends nobody anywhere, issues nothing, and passes no token on. It
accepts a JWT (RFC 9068) that the provider has signed for it: issuer, audience, expiry and signature are checked. The
keys are those of the provider's metadata (OpenID Connect Discovery 1.0, section 4, or RFC 8414).
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import anyio
import httpx2
import jwt
from jwt import PyJWK, PyJWKSet, PyJWTError

from leadline_server.access import (
    Caller,
    IdentityProvider,
    IdentityUnavailable,
    caller_name,
    is_safe,
    valid_teams,
)

log = logging.getLogger("leadline.identity")

ALGORITHMS = ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA")
"""Signatures with a pair of keys: with a shared secret, whoever can check a token can issue one."""

_METADATA = ("/.well-known/openid-configuration", "/.well-known/oauth-authorization-server")
_LONGEST_TOKEN = 16_384
_LARGEST_DOCUMENT = 1 << 20
_LEEWAY_SECONDS = 30
"""How far the clocks of provider and server may differ."""

_SECONDS = 5.0
"""How long is waited for the provider."""

_FRESH_SECONDS = 600.0
"""Seconds after which the keys are fetched again."""

_AGAIN_SECONDS = 30.0
"""Seconds before which they are not, whatever keys the tokens of callers name."""


class IssuedTokens:
    """The tokens of a provider.

    Args:
        provider: Who issues them.
        clock: The time in seconds, from any start.
    """

    def __init__(self, provider: IdentityProvider, clock: Callable[[], float] = time.monotonic) -> None:
        self._provider = provider
        self._keys = _Keys(provider.issuer, clock)

    async def caller(self, token: str) -> Caller | None:
        """Return who shows a token; None for one that is not accepted. Raises IdentityUnavailable."""
        if len(token) > _LONGEST_TOKEN or token.count(".") != 2:
            return None
        try:
            header = jwt.get_unverified_header(token)
            if header.get("alg") not in ALGORITHMS or "crit" in header:
                return None
            key = await self._keys.find(header.get("kid"))
            return None if key is None else self._verified_caller(token, key)
        except (PyJWTError, UnicodeEncodeError) as error:  # the subject may be no text that can be written
            log.info("a token was not accepted: %s", type(error).__name__)
            return None

    def _verified_caller(self, token: str, key: PyJWK) -> Caller | None:
        claims: Mapping[str, Any] = jwt.decode(
            token,
            key,
            algorithms=ALGORITHMS,
            audience=self._provider.audience,
            issuer=self._provider.issuer,
            leeway=_LEEWAY_SECONDS,
            options={"require": ["exp", "iss", "aud", "sub"]},
        )
        subject = claims["sub"]
        if not subject:
            return None
        return Caller(
            caller_name(f"{self._provider.issuer} {subject}"), valid_teams(_groups(claims, self._provider.groups))
        )


class _Keys:
    """The keys of a provider by their ids, fetched when they are first needed."""

    def __init__(self, issuer: str, clock: Callable[[], float]) -> None:
        self._issuer = issuer
        self._clock = clock
        self._lock = anyio.Lock()
        self._known: Mapping[str | None, PyJWK] = {}
        self._fetched: float | None = None
        self._tried: float | None = None

    async def find(self, name: str | None) -> PyJWK | None:
        """Return the key with an id, or the only key that there is where a token names none.

        Raises IdentityUnavailable where no keys are known.
        """
        async with self._lock:
            old = self._fetched is None or self._clock() - self._fetched >= _FRESH_SECONDS
            if (old or self._key(name) is None) and self._may_try():
                await self._fetch()
        if not self._known:
            raise IdentityUnavailable
        return self._key(name)

    def _key(self, name: str | None) -> PyJWK | None:
        if name is None:
            return next(iter(self._known.values())) if len(self._known) == 1 else None
        return self._known.get(name)

    def _may_try(self) -> bool:
        return self._tried is None or self._clock() - self._tried >= _AGAIN_SECONDS

    async def _fetch(self) -> None:
        """Fetch the keys; those that are known stay where that fails."""
        self._tried = self._clock()
        try:
            async with httpx2.AsyncClient(timeout=_SECONDS, follow_redirects=False) as client:
                address = await self._keys_address(client)
                self._known = _usable_keys(await _document(client, address))
            self._fetched = self._clock()
        except (httpx2.HTTPError, PyJWTError, ValueError, RecursionError) as error:
            log.warning("the keys of %s could not be fetched: %s", self._issuer, type(error).__name__)

    async def _keys_address(self, client: httpx2.AsyncClient) -> str:
        """Return where the keys are; raises ValueError where the provider does not say so."""
        for path in _METADATA:
            try:
                metadata = await _document(client, f"{self._issuer.rstrip('/')}{path}")
            except ValueError:
                continue
            address = metadata.get("jwks_uri")
            if metadata.get("issuer") != self._issuer or not isinstance(address, str) or not is_safe(address):
                raise ValueError("the metadata are of another issuer, or name no safe address")
            return address
        raise ValueError("there are no metadata")


async def _document(client: httpx2.AsyncClient, address: str) -> Mapping[str, Any]:
    """Return a JSON object; raises ValueError for what is none."""
    response = await client.get(address)
    if not response.is_success or len(response.content) > _LARGEST_DOCUMENT:
        raise ValueError("no document")
    found = response.json()
    if not isinstance(found, Mapping):
        raise ValueError("no object")
    return found


def _usable_keys(document: Mapping[str, Any]) -> Mapping[str | None, PyJWK]:
    """Return the keys that sign tokens, without those of a shared secret."""
    keys = PyJWKSet.from_dict(dict(document)).keys
    return {
        key.key_id: key for key in keys if key.public_key_use in {None, "sig"} and key.key_type in {"RSA", "EC", "OKP"}
    }


def _groups(claims: Mapping[str, Any], path: str) -> Iterable[object]:
    """Return the groups that claims have, one or several of them."""
    found: object = claims.get(path)
    if found is None:
        found = claims
        for part in path.split("."):
            found = found.get(part) if isinstance(found, Mapping) else None
    if isinstance(found, str):
        return (found,)
    return found if isinstance(found, list) else ()
