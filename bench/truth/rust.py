"""The engine for Rust: what the compiler itself writes down of a crate (``-Zsave-analysis``, which 1.63 still has).

Debian's ``rustc`` 1.63 and the source of its library are of one version; DIR is a folder in which its packages are
unpacked, if it is not installed:

    apt-get download rustc libstd-rust-1.63 libstd-rust-dev libllvm14; for one in *.deb; do dpkg -x $one DIR; done

The corpus is the library's ``core``, which needs no other crate, or its ``alloc``, which has ``core`` from outside; it
has to stand beside the rest of the library. The compiler writes down nothing of the text of macros, of what they expand
to, and of what is compiled elsewhere: such places count for nobody.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from truth.corpus import Corpus
from truth.engine import Engine
from truth.program import Program

_FLAGS = (
    "--edition=2021 --crate-type=lib --emit=metadata -Zsave-analysis -Zforce-unstable-if-unmarked -Awarnings"
).split()


def engines(corpus: Corpus, name: str, copy: Path, folder: Path) -> Sequence[Engine]:
    """Return the engine for a copy of a crate of the library, which is compiled once into ``folder``."""
    crate = name.removeprefix("rust-")
    written = folder / f"out/save-analysis/lib{crate}.json"
    rustc = folder / "usr/bin/rustc"
    command = [str(rustc), "--sysroot", str(folder / "usr")] if rustc.exists() else ["rustc"]
    libraries = f"{folder / 'usr/lib/x86_64-linux-gnu'}:{folder / 'usr/lib'}"
    environment = {**os.environ, "RUSTC_BOOTSTRAP": "1", "LD_LIBRARY_PATH": libraries}
    if not written.exists():
        subprocess.run(
            [*command, *_FLAGS, f"--crate-name={crate}", f"--out-dir={folder / 'out'}", "src/lib.rs"],
            cwd=copy,
            env=environment,
            check=True,
        )
    ran = subprocess.run([*command, "--version"], env=environment, capture_output=True, text=True, check=True)
    program = Path(__file__).with_name("rust_answers.py")
    return [Program([sys.executable, program, written, copy, ran.stdout.strip()], corpus, "utf-32-le", declares=True)]
