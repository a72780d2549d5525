"""Callers: who a request comes from, and the teams they are in.

A caller shows a token: one of the server's own, in whose line of the token file the teams are, or one that an identity
provider has issued, whose groups are the teams. Without tokens there is nobody to tell apart, and no team.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from dataclasses import dataclass
from urllib.parse import urlsplit

_TEAM = re.compile(r"[\w./@:+ -]{1,200}")
"""Names of teams, among them the paths of groups of GitLab and Keycloak and the ids of Entra."""

_MOST_TEAMS = 1_000

_LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})


@dataclass(frozen=True, slots=True)
class Caller:
    """Who a request comes from: a name that reveals no token, and the teams that they are in."""

    name: str
    teams: frozenset[str] = frozenset()


def caller_name(secret: str) -> str:
    """Return the name of the caller that a text identifies, such as a token, which the name does not reveal."""
    return hashlib.sha256(secret.encode()).hexdigest()[:32]


def valid_teams(names: Iterable[object]) -> frozenset[str]:
    """Return the names of teams among what a token or a file has; others are left out."""
    found = (name for name in names if isinstance(name, str) and _TEAM.fullmatch(name))
    return frozenset(name for _, name in zip(range(_MOST_TEAMS), found, strict=False))


class IdentityUnavailable(Exception):  # noqa: N818  named by what is wrong
    """The keys of the provider are not known, so nobody can be recognised."""


@dataclass(frozen=True, slots=True)
class IdentityProvider:
    """Who issues tokens, and for whom.

    Args:
        issuer: The URL that identifies the provider, as its tokens have it in ``iss``.
        audience: The URL of this server, as its tokens have it in ``aud``.
        groups: The claim with the groups of a person, which are their teams; dots lead into claims of claims.

    """

    issuer: str
    audience: str
    groups: str = "groups"

    @classmethod
    def of(cls, issuer: str, audience: str, groups: str) -> IdentityProvider:
        """Return a provider; raises ValueError for addresses that are none, or not safe."""
        for name, url in (("issuer", issuer), ("audience", audience)):
            if not is_safe(url):
                raise ValueError(f"the {name} must be a URL that begins with https://")
        return cls(issuer, audience, groups)


def is_safe(url: str) -> bool:
    """Return whether what comes from a URL cannot be changed on its way."""
    parts = urlsplit(url)
    local = parts.scheme == "http" and parts.hostname in _LOOPBACK
    return (
        bool(parts.hostname) and (parts.scheme == "https" or local) and not parts.fragment and "@" not in parts.netloc
    )
