"""Compiles the modules that read syntax trees while a wheel is built: to gather facts then costs half as much.

A wheel is pure Python unless ``HATCH_BUILD_HOOK_ENABLE_CUSTOM=true`` is in the environment. With it the wheel holds,
beside the sources, what mypyc makes of them, and is for one Python on one system. That needs a compiler of C.
https://mypyc.readthedocs.io, https://hatch.pypa.io/latest/plugins/build-hook/custom/
"""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hatchling.builders.config import BuilderConfig
from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from mypyc.build import mypycify
from setuptools import Distribution

_OPTIONS = ("--config-file=", "--ignore-missing-imports")
"""The project is checked as strictly as it can be elsewhere, with all that it depends on."""


class CompiledBuild(BuildHookInterface[BuilderConfig]):
    """Adds the compiled modules to a wheel; an editable installation stays as it is."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile, and tell hatchling of the libraries.

        Args:
            version: ``standard`` or ``editable``.
            build_data: What the wheel will be made of.

        """
        if version == "editable":
            return
        self._made = TemporaryDirectory()
        libraries = compiled(Path(self.root, "tools", "leadline_tools"), self.config["modules"], Path(self._made.name))
        build_data["pure_python"] = False
        build_data["infer_tag"] = True
        build_data["force_include"].update({str(library): place for place, library in libraries.items()})

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Let go of what was compiled."""
        del build_data, artifact_path
        if version != "editable":
            self._made.cleanup()


def compiled(package: Path, modules: Sequence[str], scratch: Path) -> Mapping[str, Path]:
    """Compile modules of a package, and return the libraries by their paths in a wheel.

    Args:
        package: The folder of the package.
        modules: The dotted names of the modules, without that of the package.
        scratch: An empty folder to work in: a library beside a source would hide what is changed in it.

    """
    shutil.copytree(package, scratch / package.name, ignore=shutil.ignore_patterns("__pycache__"))
    with contextlib.chdir(scratch):
        sources = [str(Path(package.name, *module.split(".")).with_suffix(".py")) for module in modules]
        extensions = mypycify([*_OPTIONS, *sources], debug_level="0", target_dir="c", group_name=package.name)
        build = Distribution({"ext_modules": extensions, "script_args": ["build_ext", "--build-lib", "made"]})
        build.parse_command_line()
        build.run_commands()
    made = scratch / "made"
    return {path.relative_to(made).as_posix(): path for path in sorted(made.rglob("*")) if path.is_file()}
