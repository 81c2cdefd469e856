"""The answer of a run as markup: the same block in the report, the studio and notebooks."""

from __future__ import annotations

from ..injury.answer import Answer
from .markup import Html, element, joined, table

_CLASS = {"wrong": "alarm", "beyond": "alarm", "estimate": "note", "remark": "note"}
_WORD = {"wrong": "Warning. ", "beyond": "Warning. ", "estimate": "Estimate. ", "remark": "Note. "}


def what(answer: Answer) -> Html:
    """Return what happened as a paragraph."""
    return element("p", " ".join(answer.what), class_="what-happened")


def verdict(answer: Answer) -> Html:
    """Return the verdict with the worst values, their risks and trust, and HIC15 by contact."""
    parts: list[Html] = [element("p", answer.verdict, class_="verdict")]
    if answer.values:
        headings = answer.headings()
        numeric = [place for place, name in enumerate(headings) if name in ("value", "limit", "of limit")]
        parts.append(table(headings, answer.rows(), numeric=numeric, class_="answer"))
    for head, contacts in answer.heads.items():
        of_it = "" if head == "head" else f" of {head}"
        hits = ", ".join(f"{one.value:.0f} {one.words}" for one in contacts)
        parts.append(element("p", f"HIC15{of_it} by contact: {hits}.", class_="fine"))
    if notes := answer.notes():
        parts.append(element("p", joined((f"{note.rstrip('.')}." for note in notes), "<br>"), class_="fine"))
    return joined(parts)


def cautions(answer: Answer) -> Html:
    """Return the notes of the run, the gravest first."""
    return joined(
        element("p", element("strong", _WORD[one.grade]), one.text, class_=_CLASS[one.grade]) for one in answer.cautions
    )


def block(answer: Answer) -> Html:
    """Return the whole answer."""
    return element("div", what(answer), verdict(answer), cautions(answer), class_="answer-block")
