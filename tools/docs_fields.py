"""Extension of griffe: show the columns `name  meaning` of a docstring as a list of the API reference."""

from __future__ import annotations

import re
from typing import Any

from griffe import Extension

_FIELD = re.compile(r"^(\*{0,2}\w+(?:, \*{0,2}\w+)*)  +(\S.*)$")
_NEXT = re.compile(r"^ {2,}(\S.*)$")


class Fields(Extension):
    """Rewrites the docstring of every object."""

    def on_object(self, *, obj: Any, **_: Any) -> None:
        """Rewrite the docstring of an object that has one."""
        if obj.docstring is not None:
            obj.docstring.value = listed(obj.docstring.value)


def listed(text: str) -> str:
    """Return the text with lines of the form `name  meaning`, and the lines that continue them, as list items."""
    lines: list[str] = []
    inside = False
    for line in text.splitlines():
        if field := _FIELD.match(line):
            if not inside and lines and lines[-1]:
                lines.append("")
            names = ", ".join(f"`{name}`" for name in field[1].split(", "))
            lines.append(f"- {names}: {field[2]}")
            inside = True
        elif inside and (rest := _NEXT.match(line)):
            lines.append(f"  {rest[1]}")
        else:
            inside = False
            lines.append(line)
    return "\n".join(lines)
