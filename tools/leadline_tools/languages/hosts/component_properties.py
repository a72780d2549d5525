"""The properties of a component, as the code of another one names them: members of what its module exports."""

from __future__ import annotations

from leadline_tools.languages.regions import PROPERTIES, Writer

MADE = b"__props"
"""What the properties are called in the code where the component gives them no name."""

_EXPORTED = PROPERTIES.encode()


def write_property(writer: Writer, component: bytes, start: int, end: int) -> None:
    """Write a span that names a property of a component as a member of its properties."""
    writer.write(b"(" + component + b"." + _EXPORTED + b".")
    writer.copy(start, end)
    writer.write(b");\n")


def write_exported_properties(writer: Writer, variable: bytes) -> None:
    """Write the export of the variable that has the properties of the component."""
    writer.write(b"\n;export { " + variable + b" as " + _EXPORTED + b" };\n")


def write_exported_variables(writer: Writer, name: bytes) -> None:
    """Write the export of the module, whose file is called ``name``, as what has the properties of the component."""
    writer.write(b"\n;export * as " + _EXPORTED + b' from "./' + name + b'";\n')
