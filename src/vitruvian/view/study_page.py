"""The page of a study: distributions, scatter, risk by speed and the table of failures. It opens from disk."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from .._files import write_text
from ..errors import InputError
from .markup import Html, element, joined, table
from .replay import embedded_json
from .report import page, plotly

if TYPE_CHECKING:
    import pandas

_TECHNICAL = ("case", "repetition", "status", "reason", "end_time", "contacts", "balance_error", "wall_time")
_MOST = 12  # outcomes and inputs that are drawn
_POINTS = 5000  # of a scatter chart; more are thinned evenly
_BINS = 8  # of the risk by speed
_FEWEST = 5  # runs of a bin whose band is drawn
_BAND = 1.645  # standard errors to either side: 90 %
_LAYOUT: dict[str, Any] = {
    "autosize": True,
    "height": 260,
    "margin": {"l": 52, "r": 10, "t": 8, "b": 40},
    "font": {"family": "system-ui, sans-serif", "size": 12, "color": "#18232f"},
    "paper_bgcolor": "#fff",
    "plot_bgcolor": "#fff",
    "showlegend": False,
}


def write_study_page(rows: pandas.DataFrame, path: str | Path, **words: str) -> Path:
    """Write the page of a study; see `study_page`."""
    return write_text(path, study_page(rows, **words))


def study_page(
    rows: pandas.DataFrame, *, title: str = "Study", definition: str = "", command: str = "vitruvian study FILE"
) -> str:
    """Return the page of a study as text.

    rows        as `Study.run` returns them; inputs are the columns with a dot or before `status`
    definition  the text of the study file
    command     that runs a case again if "--case N" follows; it writes the replay that a click opens
    """
    if "status" not in rows or not len(rows):
        raise InputError("the rows have no column status; expected the rows of a study.")
    fine = rows[rows["reason"].fillna("") == ""]
    inputs = [c for c in rows.columns[: list(rows.columns).index("status")] if c not in _TECHNICAL]
    outcomes = [
        c for c in rows.columns
        if c not in (*inputs, *_TECHNICAL) and rows[c].dtype.kind == "f" and "AIS" not in c and fine[c].notna().any()
    ]  # fmt: skip
    sections: list[Html] = [_header(rows, fine, title, command)]
    figures: list[dict[str, Any]] = []
    risks = list(_risks(fine, inputs))
    sections.append(charts("Risk by speed", risks, figures))
    sections.append(charts("Distributions", [_histogram(fine, name) for name in outcomes[:_MOST]], figures))
    numeric = [name for name in inputs if rows[name].dtype.kind == "f" and fine[name].nunique() > 1]
    pairs = [(x, y) for y in outcomes[:4] for x in _strongest(fine, numeric, y)]
    sections.append(charts("Scatter: the inputs that matter most", [_scatter(fine, *pair) for pair in pairs], figures))
    sections += [_quantiles(fine, outcomes), _failures(rows, inputs)]
    if definition:
        sections.append(joined([element("h2", "Definition"), element("pre", definition)]))
    body = element("main", *sections)
    return page(title, body, [embedded_json("figures", figures), plotly()], scripts=("study.js",))


def _header(rows: pandas.DataFrame, fine: pandas.DataFrame, title: str, command: str) -> Html:
    """Return title, numbers of cases and the place for a clicked case."""
    words = f"{len(rows)} cases, {len(rows) - len(fine)} of them did not end well."
    return joined(
        [
            element("p", "Vitruvian study", class_="brand"),
            element("h1", title),
            element("p", words, class_="verdict"),
            element("p", "Click on a point to see its case.", id="case", class_="fine", data_command=command),
        ]
    )


def charts(heading: str, made: list[dict[str, Any]], figures: list[dict[str, Any]]) -> Html:
    """Return a section with places for charts, and add the charts to the list; nothing if there are none."""
    if not made:
        return Html("")
    boxes = []
    for figure in made:
        key = f"figure{len(figures)}"
        figures.append({"key": key, "data": figure["data"], "layout": figure["layout"]})
        boxes.append(element("figure", element("figcaption", figure["caption"]), element("div", id=key)))
    style = "display:grid;grid-template-columns:repeat(auto-fit,minmax(min(360px,100%),1fr));gap:1rem"
    return joined([element("h2", heading), element("div", *boxes, class_="charts", style=style)])


def axes(x: str, y: str, **more: Any) -> dict[str, Any]:
    """Return the layout of a chart with these titles of its axes."""
    return _LAYOUT | {"xaxis": {"title": {"text": x}, "automargin": True}, "yaxis": {"title": {"text": y}}} | more


def _histogram(rows: pandas.DataFrame, name: str) -> dict[str, Any]:
    values = rows[name].dropna()
    trace = {"type": "histogram", "x": _list(values), "marker": {"color": "#22577a"}}
    low, median, high = np.quantile(values, [0.05, 0.5, 0.95])
    share = "" if len(values) == len(rows) else f"; happens in {100.0 * len(values) / len(rows):.0f} % of the runs"
    caption = f"{name}: {median:.4g} ({low:.4g} to {high:.4g}, 5 to 95 %){share}"
    return {"caption": caption, "data": [trace], "layout": axes(name, "cases")}


def _scatter(rows: pandas.DataFrame, x: str, y: str) -> dict[str, Any]:
    some = rows[[x, y, "case"]].dropna()
    some = some.iloc[:: max(1, -(-len(some) // _POINTS))]
    trace = {
        "type": "scatter", "mode": "markers", "x": _list(some[x]), "y": _list(some[y]),
        "customdata": [int(case) for case in some["case"]], "marker": {"color": "#22577a", "size": 5, "opacity": 0.6},
    }  # fmt: skip
    return {"caption": f"{y} over {x}", "data": [trace], "layout": axes(x, y)}


def _strongest(rows: pandas.DataFrame, inputs: list[str], outcome: str, most: int = 2) -> list[str]:
    """Return the inputs with the strongest rank correlation."""
    ranks = rows[[*inputs, outcome]].rank()
    found = {name: abs(ranks[name].corr(ranks[outcome])) for name in inputs}
    usable = [name for name, value in found.items() if np.isfinite(value)]
    return sorted(usable, key=lambda name: -found[name])[:most]


def _risks(rows: pandas.DataFrame, inputs: list[str]) -> list[dict[str, Any]]:
    """Return a chart of every risk of AIS3+ over the speed of a vehicle: all cases, mean and 90 % band of bins."""
    speed = next((name for name in inputs if name.startswith("vehicle") and name.endswith("speed")), None)
    if speed is None or not len(rows):
        return []
    found = []
    for name in rows.columns:
        if name.endswith("AIS3+") and rows[name].notna().sum() >= _FEWEST:
            some = rows[[speed, name, "case"]].dropna()
            found.append(_risk(3.6 * some[speed].to_numpy(), some[name].to_numpy(), list(some["case"]), name))
    return found


def _risk(speed: np.ndarray, risk: np.ndarray, cases: list[int], name: str) -> dict[str, Any]:
    edges = np.linspace(speed.min(), speed.max(), _BINS + 1)
    place = np.clip(np.digitize(speed, edges) - 1, 0, _BINS - 1)
    rows = []
    for k in range(_BINS):
        own = risk[place == k]
        if len(own) >= _FEWEST:
            error = _BAND * own.std(ddof=1) / np.sqrt(len(own))
            rows.append((0.5 * (edges[k] + edges[k + 1]), own.mean(), own.mean() - error, own.mean() + error))
    middle, mean, low, high = (list(map(float, column)) for column in zip(*rows, strict=True)) if rows else ([],) * 4
    data = [
        {"type": "scatter", "mode": "markers", "x": _list(speed), "y": _list(risk), "customdata": list(map(int, cases)),
         "marker": {"color": "#aab6c2", "size": 4}},
        {"type": "scatter", "mode": "lines", "x": middle, "y": low, "line": {"width": 0}, "hoverinfo": "skip"},
        {"type": "scatter", "mode": "lines", "x": middle, "y": high, "line": {"width": 0}, "fill": "tonexty",
         "fillcolor": "rgba(224,122,95,0.3)", "hoverinfo": "skip"},
        {"type": "scatter", "mode": "lines+markers", "x": middle, "y": mean, "line": {"color": "#e07a5f"}},
    ]  # fmt: skip
    layout = axes("impact speed [km/h]", "risk [-]")
    layout["yaxis"] = {"title": {"text": "risk [-]"}, "range": [-0.02, 1.02]}
    caption = f"{name}: every case, and the mean of each interval of speed with its 90 % band"
    return {"caption": caption, "data": data, "layout": layout}


def _quantiles(rows: pandas.DataFrame, outcomes: list[str]) -> Html:
    """Return the table of the quantiles of every outcome."""
    lines = []
    for name in outcomes:
        values = rows[name].dropna().to_numpy()
        cells = [f"{value:.4g}" for value in np.quantile(values, [0.05, 0.5, 0.95])]
        lines.append([name, *cells, f"{values.max():.4g}", f"{100.0 * len(values) / len(rows):.0f} %"])
    headings = ["outcome", "5 %", "median", "95 %", "largest", "happens"]
    return joined([element("h2", "Quantiles"), table(headings, lines, numeric=range(1, 6))])


def _failures(rows: pandas.DataFrame, inputs: list[str], most: int = 50) -> Html:
    """Return the table of the cases that did not end well."""
    bad = rows[rows["reason"].fillna("") != ""]
    if not len(bad):
        return joined([element("h2", "Failures"), element("p", "None.")])
    lines = [
        [str(row["case"]), row["status"], row["reason"], ", ".join(f"{name} = {_short(row[name])}" for name in inputs)]
        for _, row in bad.head(most).iterrows()
    ]
    rest = element("p", f"{len(bad) - most} more.") if len(bad) > most else Html("")
    return joined([element("h2", "Failures"), table(["case", "status", "reason", "inputs"], lines), rest])


def _short(value: Any) -> str:
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def _list(values: Any) -> list[float]:
    return [float(value) for value in values]
