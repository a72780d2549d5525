"""Bytes in less room, by one library or by another: each reads what the other wrote."""

from __future__ import annotations

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leadline_tools import deflated

TEXT = b"int one(void);\n" * 1_000

_WITHOUT = (
    "import sys; sys.modules['isal'] = None; sys.path[:] = eval(sys.argv[1]); from leadline_tools import deflated;"
    "data = deflated.decompress(sys.stdin.buffer.read()); sys.stdout.buffer.write(deflated.compress(data))"
)


@given(st.binary(max_size=2_000))
def test_what_was_compressed_comes_back(data: bytes) -> None:
    assert deflated.decompress(deflated.compress(data)) == data


@pytest.mark.parametrize("damaged", [b"", b"x", deflated.compress(TEXT)[:-5], b"\x78\x9c" + bytes(20)])
def test_what_is_damaged_is_refused(damaged: bytes) -> None:
    with pytest.raises(ValueError, match="damaged"):
        deflated.decompress(damaged)


def test_text_takes_a_fraction_of_its_room() -> None:
    assert len(deflated.compress(TEXT)) < len(TEXT) // 20


def test_where_the_fast_library_is_missing_both_ways_stay_open() -> None:
    command = [sys.executable, "-c", _WITHOUT, repr(sys.path)]
    done = subprocess.run(command, input=deflated.compress(TEXT), capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()
    assert deflated.decompress(done.stdout) == TEXT
