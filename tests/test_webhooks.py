"""Webhooks are believed where the code host proves them; they name a repository and nothing else."""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Mapping

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from leadline_server.repositories.webhooks import Push, webhook_routes
from leadline_tools.database.errors import Unreachable

SECRET = "a-secret-of-a-test"
KNOWN = "github.com/acme/shop"
BODY = json.dumps({"repository": {"html_url": f"https://{KNOWN}"}, "ref": "refs/heads/main"}).encode()


class Noted:
    """The pushes that a server has noted of the repositories that it knows."""

    def __init__(self, github: str = SECRET, gitlab: str = SECRET, *, is_reachable: bool = True) -> None:
        self.pushes: list[Push] = []
        self.is_reachable = is_reachable
        self.client = TestClient(Starlette(routes=webhook_routes(github, gitlab, self._note)))

    def _note(self, push: Push) -> bool:
        if not self.is_reachable:
            raise Unreachable
        self.pushes.append(push)
        return push.repository in {KNOWN, "gitlab.com/acme/platform/api"}

    def github(self, body: bytes = BODY, event: str = "push", proof: str | None = None) -> int:
        proof = f"sha256={hmac.new(SECRET.encode(), body, hashlib.sha256).hexdigest()}" if proof is None else proof
        headers = {b"X-GitHub-Event": event.encode(), b"X-Hub-Signature-256": proof.encode()}
        return self.client.post("/hooks/github", content=body, headers=headers).status_code

    def gitlab(self, body: Mapping[str, object], token: str = SECRET, event: str = "Push Hook") -> int:
        headers = {"X-Gitlab-Event": event, "X-Gitlab-Token": token}
        return self.client.post("/hooks/gitlab", json=body, headers=headers).status_code


def test_a_signed_push_is_noted_by_repository_and_branch() -> None:
    noted = Noted()
    assert noted.github() == 202
    assert noted.pushes == [Push(KNOWN, "main")]


@pytest.mark.parametrize(
    "proof",
    ["", "sha256=", "sha256=00", SECRET, "sha1=" + hashlib.sha1(BODY).hexdigest(), "sha256=é"],
)
def test_a_push_with_another_signature_is_refused(proof: str) -> None:
    noted = Noted()
    assert noted.github(proof=proof) == 401
    assert noted.pushes == []


def test_a_signature_of_another_body_is_refused() -> None:
    proof = f"sha256={hmac.new(SECRET.encode(), b'{}', hashlib.sha256).hexdigest()}"
    assert Noted().github(proof=proof) == 401


def test_a_push_to_an_unknown_repository_is_not_found() -> None:
    other = json.dumps({"repository": {"html_url": "https://github.com/acme/other"}, "ref": "refs/heads/main"})
    assert Noted().github(other.encode()) == 404


def test_an_event_that_changes_no_ref_is_none() -> None:
    noted = Noted()
    assert noted.github(event="issues") == 200
    assert noted.pushes == []


@pytest.mark.parametrize("body", [b"", b"{}", b"[]", b'{"repository": 3}', b"\xff"])
def test_a_body_that_cannot_be_read_is_a_bad_request(body: bytes) -> None:
    assert Noted().github(body) == 400


def test_a_body_that_is_too_large_is_refused() -> None:
    assert Noted().github(b"x" * (5 << 20)) == 413


def test_a_push_of_gitlab_shows_the_secret() -> None:
    noted, body = Noted(), {"project": {"web_url": "https://gitlab.com/acme/platform/api"}, "ref": "refs/tags/v1"}
    assert noted.gitlab(body, token="another") == 401
    assert noted.gitlab(body, event="Tag Push Hook") == 202
    assert noted.pushes == [Push("gitlab.com/acme/platform/api", "v1")]


def test_a_host_without_a_secret_has_no_webhook() -> None:
    noted = Noted(github="")
    assert noted.github() == 404
    assert noted.pushes == []


def test_a_host_sends_again_what_could_not_be_noted() -> None:
    assert Noted(is_reachable=False).github() == 503


def test_a_webhook_is_a_post() -> None:
    assert Noted().client.get("/hooks/github").status_code == 405
