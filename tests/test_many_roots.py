"""Many roots on one server: a question about one of them costs and waits as if there were no others."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from conftest import INDEXING_SECONDS, Asking, write
from leadline_server.app import build
from leadline_server.call import Session
from leadline_server.config import Config
from leadline_server.running import index_of

Opening = Callable[..., Asking]


@pytest.fixture
def opening(sessions: list[Session], tmp_path: Path) -> Opening:
    """Open a session on so many roots: ``r000`` has a.py that defines ``own_0`` and ``shared``, and so on."""

    def start(number: int, cache: Path | None = None) -> Asking:
        roots = {
            f"r{n:03}": write(tmp_path / f"r{n:03}", {"a.py": f"def own_{n}(): pass\n\n\ndef shared(): pass\n"})
            for n in range(number)
        }
        config = Config(roots["r000"], cache, "openai", roots=roots)
        session = Session(config, index_of(config))
        sessions.append(session)
        session.index.start()
        assert session.index.wait(INDEXING_SECONDS)
        return Asking(session)

    return start


def test_the_instructions_name_few_roots_and_only_count_many(opening: Opening) -> None:
    few = build(opening(20).session).instructions or ""
    assert "r000, r001" in few
    assert "r019" in few
    many = build(opening(21).session).instructions or ""
    assert "r000" not in many
    assert "21 roots: list_files lists them" in many
