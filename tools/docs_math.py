"""Hook of mkdocs: render equations as MathML while the pages are built, so that no script has to be loaded."""

from __future__ import annotations

import html
import re
from typing import Any

from latex2mathml.converter import convert

_EQUATION = re.compile(r'<(span|div) class="arithmatex">\\[(\[](.*?)\\[)\]]</\1>', re.DOTALL)


def on_page_content(text: str, **_: Any) -> str:
    """Replace every equation that pymdownx.arithmatex has marked."""
    return _EQUATION.sub(_rendered, text)


def _rendered(found: re.Match[str]) -> str:
    tag, tex = found.groups()
    return f'<{tag} class="math">{convert(html.unescape(tex), display="block" if tag == "div" else "inline")}</{tag}>'
