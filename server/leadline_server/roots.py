"""``--root``: one folder, or several with a name each; behind an ``@`` a commit of its repository."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

_NAME = re.compile(r"\w[\w.-]*")
"""What a root can be called: no slash, which ends it in a path; no colon, which ends a path in an address."""

_PLACEHOLDER = re.compile(r"\$\{\w+\}|\$\w+_(DIR|ROOT|PATH)\$")
"""What clients replace by the folder that is open in them: ``${workspaceFolder}``, ``$ZED_WORKTREE_ROOT$`` and such."""

_SYSTEM = tuple(map(Path, ("/", "/etc", "/usr", "/var", "/bin", "/opt", "/home", "/root", "/tmp")))  # noqa: S108


@dataclass(frozen=True, slots=True)
class Root:
    """A folder to navigate, by its real path, and what it is called; without a name it is the only one.

    With a ``ref`` not the folder itself, but what a commit of its repository has of it.
    """

    path: Path
    name: str = ""
    ref: str = ""

    @property
    def place(self) -> str:
        """Return the folder with the ref."""
        return f"{self.path}@{self.ref}" if self.ref else str(self.path)

    def __str__(self) -> str:
        """Return the root as it is given to ``--root``."""
        return f"{self.name}={self.place}" if self.name else self.place


class RootType(click.Path):
    """A folder, FOLDER@REF or NAME=either; in a variable several with the separator of paths between."""

    def __init__(self) -> None:
        super().__init__(exists=True, file_okay=False, path_type=Path)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the root of a value; an existing folder is used as it is, whatever characters its name has."""
        if isinstance(value, Root):
            return value
        name, folder = split_root(str(value))
        folder, ref = split_ref(folder, named=bool(name))
        if name:  # after a name, shells do not expand ~
            folder = str(Path(folder).expanduser())
        if name and not _NAME.fullmatch(name):
            self.fail(f"{name!r} cannot be the name of a root: use letters, digits, _, - and .", param, ctx)
        if _PLACEHOLDER.search(folder) and not Path(folder).is_dir():
            self.fail(
                f"the client did not replace {folder}, because no folder is open in it: open one, or name the folder",
                param,
                ctx,
            )
        path = Path(os.fsdecode(super().convert(folder, param, ctx))).resolve()
        if not path.is_dir():  # click only refuses regular files
            self.fail(f"{folder!r} is not a directory.", param, ctx)
        root = Root(path, name, ref)
        problem = _why_unusable(root) if ref else ""
        if problem:
            self.fail(problem, param, ctx)
        return root

    def split_envvar_value(self, rv: str) -> Sequence[str]:
        """Return the roots in a variable; an existing folder is one, whatever characters its name has."""
        return [rv] if Path(rv).is_dir() else [part for part in rv.split(os.pathsep) if part]


def split_root(value: str) -> tuple[str, str]:
    """Return the name and the folder of a root; an empty name for a folder alone."""
    name, equals, folder = value.partition("=")
    return ("", value) if not equals or Path(value).is_dir() or split_ref(value)[1] else (name, folder)


def split_ref(folder: str, *, named: bool = False) -> tuple[str, str]:
    """Return a folder and the ref behind its last ``@``; an empty ref where there is such a folder as it is given.

    The folder of a root that is ``named`` may begin with ``~``. Names of refs may hold an ``@``, so what is a folder
    decides: the longest beginning that is one.
    """
    place = Path(folder).expanduser() if named else Path(folder)
    if "@" not in folder or place.is_dir():
        return folder, ""
    at = len(folder)
    while (at := folder.rfind("@", 0, at)) > 0:
        beginning = Path(folder[:at]).expanduser() if named else Path(folder[:at])
        if beginning.is_dir():
            return folder[:at], folder[at + 1 :] or "HEAD"
    return folder, ""


def _why_unusable(root: Root) -> str:
    """Return why there is no commit that a root names, and what to do; empty where there is one."""
    from leadline_tools.errors import LeadlineError
    from leadline_tools.index.tree.commit.repository import Repository

    try:
        Repository(root.path).commit(root.ref)
    except LeadlineError as error:
        return f"{error} {error.hint}"
    return ""


def check_roots(roots: Sequence[Root]) -> tuple[Root, ...]:
    """Return roots that can be navigated together; raises BadParameter for the first pair that cannot."""
    for number, root in enumerate(roots):
        if len(roots) > 1 and not root.name:
            raise click.BadParameter(f"several roots need names: pass --root {_suggest_name(root)}={root.place}")
        for other in roots[:number]:
            if root.name == other.name:
                raise click.BadParameter(f"two roots are named {root.name!r}: give each a different name")
            if root.ref or other.ref:  # a commit has no file of another root
                continue
            inner, outer = (root, other) if root.path.is_relative_to(other.path) else (other, root)
            if inner.path.is_relative_to(outer.path):
                raise click.BadParameter(
                    f"{inner.name} ({inner.path}) is inside {outer.name} ({outer.path}): omit one of the two"
                )
    return tuple(roots)


def _suggest_name(root: Root) -> str:
    called = f"{root.path.name}-{root.ref}" if root.ref else root.path.name
    return re.sub(r"^\W+|[^\w.-]+", "-", called).strip("-.") or "name"


def current_root() -> Root:
    """Return the current folder; raises UsageError where it is a whole system or home, which has to be named."""
    here = Path.cwd().resolve()
    if here in _SYSTEM or here in {Path.home().resolve(), Path(here.anchor)}:
        raise click.UsageError(f"{here} is a home or system folder: change to a project, or pass --root {here}.")
    return Root(here)


def root_option(meaning: str, variable: str | None) -> Callable[[click.decorators.FC], click.decorators.FC]:
    """Return the option ``--root``: what it means, and the variable that it is read from."""
    return click.option(
        "--root",
        "roots",
        envvar=variable,
        type=RootType(),
        metavar="[NAME=]DIRECTORY[@REF]",
        multiple=True,
        callback=lambda _context, _option, given: check_roots(given),
        help=f"{meaning} With @REF, a commit, tag or branch of its repository. Repeatable, if each root has a name.",
    )


ROOTS = root_option("The folder to navigate (default: the current one).", "LEADLINE_ROOT")
