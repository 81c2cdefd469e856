"""Tables and notes of a run as HTML for the page. Everything is built by `view.markup`, which escapes what is text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ..injury.answer import Answer
from ..injury.assessment import Assessment
from ..injury.finding import Finding
from ..injury.match import Match, overall
from ..sim.result import Result
from ..view.answer_block import block
from ..view.markup import Html, element, joined

_STYLE = Html("""<style>
.vs { font-size: 12px; line-height: 1.35; color: #3c4043; padding: 2px 10px 8px; }
.vs h4 { font-size: 13px; margin: 6px 0 4px; color: #202124; }
.vs p { margin: 4px 0; }
.vs table { border-collapse: collapse; width: 100%; }
.vs th { text-align: right; font-weight: 600; color: #5f6368; border-bottom: 1px solid #dadce0; padding: 3px 5px; }
.vs td { text-align: right; padding: 3px 5px; border-bottom: 1px solid #f1f3f4; font-variant-numeric: tabular-nums; }
.vs th:first-child, .vs td:first-child { text-align: left; }
.vs td:not(:first-child) { width: 20%; }
.vs .over { color: #b3261e; font-weight: 600; }
.vs .less { color: #188038; } .vs .more { color: #b3261e; }
.vs .dim { color: #80868b; }
.vs .say { border-left: 3px solid #c2452d; background: #fdf3f1; padding: 5px 8px; white-space: pre-line; }
.vs .note { border-left: 3px solid #dadce0; padding: 3px 8px; color: #5f6368; }
.vs .good { border-left: 3px solid #188038; background: #f1f8f3; padding: 5px 8px; }
.vs .what-happened { margin-bottom: 8px; } .vs .verdict { font-weight: 600; }
.vs .alarm { border-left: 3px solid #c2452d; background: #fdf3f1; padding: 3px 8px; }
.vs .fine { color: #5f6368; }
.vs .answer thead { display: none; } .vs .scroll { overflow-x: auto; }
.vs .answer tr { display: grid; grid-template-columns: 1fr 1fr 1fr; gap: 0 8px; padding: 3px 0; }
.vs .answer tr { border-bottom: 1px solid #f1f3f4; }
.vs .answer td:nth-child(n) { width: auto; padding: 0; border: 0; text-align: left; }
.vs .answer td:empty { display: none; }
.vs .answer td:nth-child(-n + 2), .vs .answer td:nth-child(4) { font-weight: 600; }
.vs .answer td:nth-child(3)::before { content: "limit "; }
.vs .answer td:nth-child(3), .vs .answer td:nth-child(n + 5) { order: 1; color: #5f6368; }
.vs .say, .vs .good { min-height: 2.7em; }
</style>""")
_UP, _DOWN = "▲", "▼"


def page(*content: str) -> str:
    """A piece of the page with its style; a plain str, because viser sends nothing else."""
    return str(joined([_STYLE, element("div", *content, class_="vs")]))


def heading(title: str, description: str = "") -> str:
    """Return the heading of a scenario: title and description."""
    return page(element("h4", title), element("p", description.strip(), class_="dim"))


def refusal(text: str) -> str:
    """An error, as it is."""
    return page(element("div", text, class_="say", role="alert"))


def remark(text: str) -> str:
    """Something that went well, or that happens now."""
    return page(element("div", text, class_="good"))


def empty(text: str) -> str:
    """Return the placeholder of an empty section."""
    return page(element("p", text, class_="dim"))


def changes(made: Mapping[str, Any]) -> str:
    """Return the table of changes of the scenario, by path."""
    if not made:
        return empty("Nothing is changed.")
    rows = [(path, "left out" if value is None else f"{value}") for path, value in made.items()]
    return page(_table(("changed", "to"), rows))


def answer(found: Answer) -> str:
    """Return the answer of a run: what happened, verdict, worst values, notes."""
    return page(block(found))


def criteria(now: Assessment, before: Assessment | None = None) -> str:
    """Return the injury table: value, run before, limit. Criteria not recommended for the model follow in grey."""
    if not now.findings:
        return empty("No criterion can be computed from this run: it has no sensor on a head, neck, thorax or leg.")
    columns = ("criterion", "now", *(("before",) if before is not None else ()), "limit")
    sound = [finding for finding in now.findings if finding.recommended]
    other = [finding for finding in now.findings if not finding.recommended]
    rows = [_row(finding, before) for finding in sound]
    content: list[str] = [element("h4", "All values, at every place"), _table(columns, rows)]
    if other:
        rows = [_row(finding, before, dim=True) for finding in other]
        content += [element("h4", "Not recommended for this model"), _table(columns, rows)]
    return page(*content, *(element("p", note, class_="note") for note in now.notes))


def stale() -> str:
    """Return a note that the results belong to earlier values; its style dims them all."""
    dim = Html("<style>.vs table, .vs .what-happened, .vs .verdict, .js-plotly-plot { opacity: 0.35; }</style>")
    words = "The values were changed since this run: results are those before the change. Press Run."
    return page(dim, element("p", words, class_="say", role="status"))


def compared(now: Assessment, kept: Sequence[tuple[str, Assessment]]) -> str:
    """Return the criteria of this run and of the kept ones, next to each other; "" without a kept run."""
    if not kept:
        return page(element("p", "Keep runs to compare the next ones with them.", class_="dim"))
    names = {(f.criterion, f.place): f for f in now.findings if f.recommended}
    runs = [{(f.criterion, f.place): f for f in run.findings} for _, run in kept]
    rows = []
    for key, finding in names.items():
        label = finding.criterion if finding.place == "head" else f"{finding.criterion}, {finding.place}"
        cells = [_number(run[key].value, run[key].unit) if key in run else "" for run in runs]
        rows.append([label.replace("_", " "), *cells, _number(finding.value, finding.unit)])
    return page(_table(("criterion", *(name for name, _ in kept), "this run"), rows))


def ratings(source: str, found: Sequence[Match]) -> str:
    """Return the ratings of a run against measured curves; "" without curves."""
    if not source:
        return ""
    if not found:
        return page(element("p", f"{source} and this run have no channel in common.", class_="note"))
    rated = f"{source}: mean rating {overall(list(found)):.2f} by ISO/TS 18571; the curves come first in Charts."
    rows = [
        (match.name, "-" if match.rating is None else f"{match.rating.value:.2f}",
         match.reason if match.rating is None else match.rating.grade)
        for match in found
    ]  # fmt: skip
    return page(element("p", rated), _table(("channel", "rating", "grade"), rows))


def motion(result: Result) -> str:
    """First contacts, how the run went, and its notes."""
    summary = result.summary()
    content: list[str] = []
    contacts = [
        (
            f"{row['body']} on {row['surface']}".replace("_", " "),
            f"{1e3 * row['time']:.1f} ms",
            f"{abs(max(row['speed'], 0.0)):.2f} m/s",
        )
        for row in summary["first_contacts"]
    ]
    if contacts:
        content += [element("h4", "First contacts"), _table(("", "time", "closing speed"), contacts)]
    run = [
        ("ended", summary["status"].replace("_", " ")),
        ("simulated", f"{summary['end_time']:.4g} s"),
        ("computed in", f"{1e3 * summary['wall_time']:.0f} ms"),
        ("energy balance error", f"{100.0 * summary['balance_error']:.2g} %"),
        ("steps", f"{summary['steps']}, {summary['rejected']} rejected, {summary['method']}"),
    ]
    return page(*content, element("h4", "Run"), _table((), run))


def _row(finding: Finding, before: Assessment | None, *, dim: bool = False) -> list[str]:
    name = finding.criterion if finding.place == "head" else f"{finding.criterion}, {finding.place}"
    style = "dim" if dim else "over" if finding.exceeded else None
    cells: list[str] = [
        element("span", name.replace("_", " "), title=finding.verdict),
        joined(
            [element("span", _number(finding.value, finding.unit), class_=style), element("small", f" {finding.trust}")]
        ),
    ]
    if before is not None:
        cells.append(_before(finding, before))
    if finding.limit is None:
        return [*cells, element("span", "none known" if finding.limit_missing else "none", class_="dim")]
    return [*cells, _number(finding.limit, finding.unit)]


def _before(finding: Finding, before: Assessment) -> str:
    """Return the value of a finding in the run before, green if it was higher, red if it was lower."""
    same = [f for f in before.findings if (f.criterion, f.place) == (finding.criterion, finding.place)]
    if not same:
        return ""
    value = same[0].value
    arrow, kind = (
        ("=", "dim") if value == finding.value else (_DOWN, "less") if finding.value < value else (_UP, "more")
    )
    return joined([_number(value, finding.unit), " ", element("span", arrow, class_=kind)])


def _number(value: float, unit: str) -> str:
    text = f"{value:.0f}" if 100.0 <= abs(value) < 1e5 else f"{value:.3g}"
    return text if unit == "-" else f"{text} {unit}"


def _table(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> Html:
    head = [element("tr", *(element("th", column) for column in columns))] if columns else []
    return element("table", *head, *(element("tr", *(element("td", cell) for cell in row)) for row in rows))
