"""Mirrors follow their repositories: wanted branches and tags, moved, rewritten and deleted; nothing of theirs runs."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from leadline_server.errors import MirrorFailed
from leadline_server.repositories.git_mirrors import GitMirror
from leadline_server.repositories.sources import RepositorySource


class Repository:
    """A repository of a test, with a mirror."""

    def __init__(self, folder: Path, *refs: str) -> None:
        self.work, self.mirrors = folder / "work", folder / "mirrors"
        self.git("init", "--quiet", "--initial-branch=main", str(self.work))
        self.mirror = self.mirror_of(*refs)

    def git(self, *arguments: str) -> str:
        own = ["-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "protocol.file.allow=always"]
        place = ["-C", str(self.work)] if self.work.exists() else []
        done = subprocess.run(["git", *own, *place, *arguments], check=True, capture_output=True, text=True)
        return done.stdout.strip()

    def mirror_of(self, *refs: str) -> GitMirror:
        return GitMirror(
            self.mirrors, RepositorySource(url=f"file://{self.work}", name="example.org/a/shop", refs=refs)
        )

    def commit(self, text: str) -> str:
        (self.work / "shop.py").write_text(text)
        self.git("add", "shop.py")
        self.git("commit", "--quiet", "-m", "A change")
        return self.git("rev-parse", "HEAD")


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    return Repository(tmp_path)


def test_the_default_branch_is_mirrored_alone(repository: Repository) -> None:
    first = repository.commit("a = 1\n")
    repository.git("branch", "feature")
    assert repository.mirror.update() == {"main": first}


def test_patterns_choose_branches_and_tags(repository: Repository) -> None:
    first = repository.commit("a = 1\n")
    repository.git("tag", "v1")
    repository.git("tag", "-a", "v2", "-m", "A release")
    repository.git("branch", "release/1")
    repository.git("branch", "feature")
    assert repository.mirror_of("v*", "release/*").update() == {"release/1": first, "v1": first, "v2": first}


def test_a_branch_that_moves_or_is_rewritten_is_followed(repository: Repository) -> None:
    repository.commit("a = 1\n")
    repository.mirror.update()
    repository.git("commit", "--quiet", "--amend", "-m", "Rewritten")
    rewritten = repository.git("rev-parse", "HEAD")
    assert repository.mirror.update() == {"main": rewritten}


def test_a_deleted_branch_is_dropped(repository: Repository) -> None:
    first = repository.commit("a = 1\n")
    repository.git("branch", "old")
    mirror = repository.mirror_of("*")
    assert mirror.update() == {"main": first, "old": first}
    repository.git("branch", "-D", "old")
    assert mirror.update() == {"main": first}


def test_a_branch_goes_before_a_tag_of_its_name(repository: Repository) -> None:
    repository.commit("a = 1\n")
    repository.git("tag", "main")
    second = repository.commit("a = 2\n")
    assert repository.mirror_of("main").update() == {"main": second}


def test_a_tag_of_no_commit_is_left_out(repository: Repository) -> None:
    first = repository.commit("a = 1\n")
    repository.git("tag", "blob", repository.git("rev-parse", "HEAD:shop.py"))
    assert repository.mirror_of("*").update() == {"main": first}


def test_an_empty_repository_has_no_branches(repository: Repository) -> None:
    assert repository.mirror.update() == {}


def test_a_repository_that_is_gone_is_said_and_its_mirror_stays(repository: Repository) -> None:
    first = repository.commit("a = 1\n")
    repository.mirror.update()
    repository.work.rename(repository.work.with_name("moved"))
    with pytest.raises(MirrorFailed, match=r"example\.org/a/shop cannot be fetched"):
        repository.mirror.update()
    found = subprocess.run(
        ["git", "--git-dir", str(repository.mirror.path), "rev-parse", "main"],
        check=True,
        capture_output=True,
        text=True,
    )
    assert found.stdout.strip() == first


def test_nothing_that_a_repository_configures_is_run(repository: Repository, tmp_path: Path) -> None:
    first = repository.commit("a = 1\n")
    sign = tmp_path / "executed"
    for name in ("post-update", "reference-transaction", "post-checkout", "pre-auto-gc"):
        hook = repository.work / ".git" / "hooks" / name
        hook.parent.mkdir(exist_ok=True)
        hook.write_text(f"#!/bin/sh\ntouch {sign}\n")
        hook.chmod(0o755)
    repository.git("config", "uploadpack.packObjectsHook", f"touch {sign}; exec")
    assert repository.mirror.update() == {"main": first}
    assert not sign.exists()


def test_another_transport_than_that_of_the_address_is_refused(repository: Repository) -> None:
    repository.commit("a = 1\n")
    source = RepositorySource.model_construct(url=f"ext::git upload-pack {repository.work}", name="x/y", refs=())
    with pytest.raises(MirrorFailed, match="transport 'ext' not allowed"):
        GitMirror(repository.mirrors, source).update()
