"""Links of README.md are absolute where the address of the repository is known, and plain text where it is not."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import zipfile
from email import message_from_bytes
from pathlib import Path

import addresses
import llms_page
import pytest

from consoles import DEADLINE, REPOSITORY

HOME = "https://git.example/crew/leadline"
_LINK = re.compile(r"\]\(([^)\s]+)\)")


@pytest.fixture(params=["", HOME])
def home(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("LEADLINE_REPOSITORY_URL", request.param)
    return str(request.param)


def test_no_link_of_the_readme_is_relative_on_pypi(home: str) -> None:
    text = addresses.absolute((REPOSITORY / "README.md").read_text(encoding="utf-8"))
    links = _LINK.findall(text)
    assert [link for link in links if "://" not in link] == []
    assert any(link.startswith(f"{home}/blob/main/docs/") for link in links) is bool(home)
    assert (f"{home}/raw/main/docs/answer.svg" in text) is bool(home)
    assert "Quick start" in text
    assert f"`uvx --from git+{home or 'ADDRESS'} leadline`" in text


def test_the_links_of_the_project_follow_from_its_address(home: str) -> None:
    urls = addresses.project_urls()
    assert set(urls) == ({"Homepage", "Source", "Issues", "Changelog"} if home else set())
    assert all(url.startswith(home) for url in urls.values())


def test_a_built_wheel_has_them(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    environment = {**os.environ, "LEADLINE_REPOSITORY_URL": HOME}
    subprocess.run(command, cwd=REPOSITORY, env=environment, check=True, capture_output=True, timeout=DEADLINE)
    (wheel,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        fields = message_from_bytes(archive.read(next(n for n in archive.namelist() if n.endswith("/METADATA"))))
    urls = dict(field.split(", ") for field in fields.get_all("Project-URL", []))
    assert urls["Source"] == HOME
    assert fields["Author"] == "The Leadline developers"
    assert [link for link in _LINK.findall(str(fields.get_payload())) if "://" not in link] == []


def test_the_list_of_pages_for_models_has_every_page_with_a_sentence() -> None:
    lines = [line for line in llms_page.llms_page().splitlines() if line.startswith("- ")]
    pages = [path for path in llms_page.DOCS.rglob("*.md") if path != llms_page.DOCS / "index.md"]
    assert len(lines) == len(pages)
    for line in lines:
        assert re.fullmatch(r"- \[[^\]]+\]\([\w./-]+\.html\): .{10,}", line), line
