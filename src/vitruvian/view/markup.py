"""HTML in pieces, so that nothing is printed unescaped: text is text unless it says that it is markup."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape


class Html(str):
    """Markup: it is put into a page as it is. Any other text is escaped."""

    __slots__ = ()


#: elements without an end tag
_VOID = ("br", "hr", "img", "input", "link", "meta")


def element(tag: str, *children: str, **attributes: str | bool | float | None) -> Html:
    """An element; `class_` is the attribute class, `data_time` data-time; None and False leave an attribute out."""
    parts = [tag]
    for name, value in attributes.items():
        word = name.rstrip("_").replace("_", "-")
        if value is True:
            parts.append(word)
        elif value is not None and value is not False:
            parts.append(f'{word}="{escape(str(value), quote=True)}"')
    start = f"<{' '.join(parts)}>"
    return Html(start) if tag in _VOID else Html(f"{start}{joined(children)}</{tag}>")


def joined(children: Iterable[str], between: str = "") -> Html:
    """Pieces one after the other, those that are not markup escaped."""
    return Html(between.join(child if isinstance(child, Html) else escape(child) for child in children))


def paragraphs(text: str) -> Html:
    """A text whose paragraphs are parted by empty lines."""
    return joined(element("p", " ".join(part.split())) for part in text.split("\n\n") if part.strip())


def table(headings: Iterable[str], rows: Iterable[Iterable[str]], *, numeric: Iterable[int] = (), **more: str) -> Html:
    """Return a table that scrolls on its own if it is wider than the page; `numeric` columns are right-aligned."""
    right = set(numeric)

    def cells(tag: str, values: Iterable[str]) -> Html:
        made = (element(tag, value, class_="number" if at in right else None) for at, value in enumerate(values))
        return element("tr", *made)

    head = element("thead", cells("th", headings))
    body = element("tbody", *(cells("td", row) for row in rows))
    return element("div", element("table", head, body, **more), class_="scroll", tabindex="0")
