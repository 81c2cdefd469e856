"""Tables and notes of a result as HTML for the page. Everything that is printed is escaped: a title is text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from html import escape
from typing import Any

from ..injury.assessment import Assessment, Finding
from ..sim.result import Result
from .charts import Chart, colour

_STYLE = """<style>
.vs { font-size: 12px; line-height: 1.35; color: #3c4043; padding: 2px 10px 8px; }
.vs h4 { font-size: 13px; margin: 6px 0 4px; color: #202124; }
.vs p { margin: 4px 0; }
.vs table { border-collapse: collapse; width: 100%; }
.vs th { text-align: right; font-weight: 600; color: #5f6368; border-bottom: 1px solid #dadce0; padding: 3px 5px; }
.vs td { text-align: right; padding: 3px 5px; border-bottom: 1px solid #f1f3f4; font-variant-numeric: tabular-nums; }
.vs th:first-child, .vs td:first-child { text-align: left; }
.vs .over { color: #b3261e; font-weight: 600; }
.vs .less { color: #188038; } .vs .more { color: #b3261e; }
.vs .dim { color: #80868b; }
.vs .say { border-left: 3px solid #c2452d; background: #fdf3f1; padding: 5px 8px; white-space: pre-line; }
.vs .note { border-left: 3px solid #dadce0; padding: 3px 8px; color: #5f6368; }
.vs .good { border-left: 3px solid #188038; background: #f1f8f3; padding: 5px 8px; }
</style>"""


def heading(title: str, description: str) -> str:
    """What is simulated, in words."""
    return page(f"<h4>{escape(title)}</h4><p class='dim'>{escape(description.strip())}</p>")


def refusal(text: str) -> str:
    """An error, as it is."""
    return page(f"<div class='say' role='alert'>{escape(text)}</div>")


def remark(text: str) -> str:
    """Something that went well, or that happens now."""
    return page(f"<div class='good'>{escape(text)}</div>")


def page(content: str) -> str:
    """A piece of the page with its style; the content is HTML already."""
    return f"{_STYLE}<div class='vs'>{content}</div>"


def empty(text: str) -> str:
    """What stands where nothing is yet."""
    return page(f"<p class='dim'>{escape(text)}</p>")


def changes(made: Mapping[str, Any]) -> str:
    """What was changed of the scenario, by path."""
    if not made:
        return empty("Nothing is changed.")
    rows = [[escape(path), "left out" if value is None else escape(f"{value}")] for path, value in made.items()]
    return page(_table(("changed", "to"), rows))


def legend(charts: Iterable[Chart]) -> str:
    """Which line is which, chart by chart."""
    parts = []
    for chart in charts:
        lines = [
            f"<span style='color:{colour(curve, place)}'>&#9644;</span> {escape(curve.name)}"
            for place, curve in enumerate(chart.curves)
        ]
        parts.append(f"<p><b>{escape(chart.title)}</b> {' &nbsp;'.join(lines)}</p>")
    return page("".join(parts))


def criteria(now: Assessment, before: Assessment | None = None) -> str:
    """The injury table: value, run before, limit. What is not recommended for the model stands below, in grey."""
    columns = ("criterion", "now", *(("before",) if before is not None else ()), "limit")
    sound = [finding for finding in now.findings if finding.standing != "not recommended"]
    other = [finding for finding in now.findings if finding.standing == "not recommended"]
    if not now.findings:
        return empty("No criterion can be computed from this run: it has no sensor on a head, neck, thorax or leg.")
    content = f"<p>{escape(now.verdict)}</p>{_table(columns, [_row(finding, before) for finding in sound])}"
    if other:
        rows = [_row(finding, before, dim=True) for finding in other]
        content += f"<h4>Not recommended for this model</h4>{_table(columns, rows)}"
    content += "".join(f"<p class='note'>{escape(note)}</p>" for note in now.notes)
    return page(content)


def motion(result: Result, before: Result | None = None) -> str:
    """First contacts, peaks, energy audit and notes."""
    summary, earlier = result.summary(), before.summary() if before is not None else None
    rows = []
    for name, peak in summary["peaks"].items():
        if peak["acceleration_g"] is None:
            continue
        then = (earlier or {}).get("peaks", {}).get(name, {}).get("acceleration_g")
        was = [f"{then:.1f} g" if then is not None else ""] if earlier is not None else []
        rows.append([escape(f"{name} peak"), f"{peak['acceleration_g']:.1f} g", *was, f"{1e3 * peak['time']:.1f} ms"])
    content = ""
    if rows:
        content += _table(("acceleration", "now", *(("before",) if earlier is not None else ()), "at"), rows)
    contacts = [
        [
            escape(f"{row['body']} on {row['surface']}"),
            f"{1e3 * row['time']:.1f} ms",
            f"{max(row['speed'], 0.0):.2f} m/s",
        ]
        for row in summary["first_contacts"]
    ]
    if contacts:
        content += f"<h4>First contacts</h4>{_table(('', 'time', 'closing speed'), contacts)}"
    content += "<h4>Run</h4>" + _table(
        ("", ""),
        [
            ["ended", escape(summary["status"].replace("_", " "))],
            ["simulated", f"{summary['end_time']:.4g} s"],
            ["computed in", f"{1e3 * summary['wall_time']:.0f} ms"],
            ["energy balance error", f"{100.0 * summary['balance_error']:.2g} %"],
            ["steps", f"{summary['steps']}, {summary['rejected']} rejected, {escape(summary['method'])}"],
        ],
    )
    content += "".join(f"<p class='note'>{escape(note)}</p>" for note in summary["notes"])
    return page(content)


def _row(finding: Finding, before: Assessment | None, *, dim: bool = False) -> list[str]:
    name = finding.criterion if finding.place == "head" else f"{finding.criterion}, {finding.place}"
    text = f"<span title='{escape(finding.verdict, quote=True)}'>{escape(name.replace('_', ' '))}</span>"
    style = " class='dim'" if dim else " class='over'" if finding.exceeded else ""
    cells = [text, f"<span{style}>{_number(finding.value, finding.unit)}</span>"]
    if before is not None:
        cells.append(_before(finding, before))
    cells.append(_number(finding.limit, finding.unit) if finding.limit is not None else "<span class='dim'>none</span>")
    return cells


def _before(finding: Finding, before: Assessment) -> str:
    """The same criterion at the same place in the run before, green where it was higher, red where it was lower."""
    same = [f for f in before.findings if (f.criterion, f.place) == (finding.criterion, finding.place)]
    if not same:
        return ""
    value = same[0].value
    kind = "dim" if value == finding.value else "less" if finding.value < value else "more"
    arrow = {"dim": "=", "less": "&#9660;", "more": "&#9650;"}[kind]
    return f"{_number(value, finding.unit)} <span class='{kind}'>{arrow}</span>"


def _number(value: float, unit: str) -> str:
    text = f"{value:.0f}" if 100.0 <= abs(value) < 1e5 else f"{value:.3g}"
    return escape(text if unit == "-" else f"{text} {unit}")


def _table(columns: Iterable[str], rows: Iterable[list[str]]) -> str:
    """Headings are text, cells are HTML."""
    columns = tuple(columns)
    head = "".join(f"<th>{escape(column)}</th>" for column in columns)
    body = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in rows)
    return f"<table>{f'<tr>{head}</tr>' if any(columns) else ''}{body}</table>"
