"""The page of a comparison: every channel of a reference and of the others, with its rating. It opens from disk."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from .._files import write_text
from ..injury.match import Match, overall
from .markup import element, joined, table
from .replay import embedded_json
from .report import page, plotly
from .study_page import axes, charts

_POINTS = 1500  # of a curve; more are thinned evenly


def write_match_page(reference: str, found: Mapping[str, list[Match]], path: str | Path) -> Path:
    """Write the page of a comparison; see `match_page`."""
    return write_text(path, match_page(reference, found))


def match_page(reference: str, found: Mapping[str, list[Match]]) -> str:
    """Return the page of a comparison as text.

    reference  name of the reference
    found      name of another input -> its channels
    """
    figures: list[dict[str, Any]] = []
    sections = [element("p", "Vitruvian comparison", class_="brand"), element("h1", f"Against {reference}")]
    for name, some in found.items():
        mean = f"{name}: mean rating {overall(some):.2f} of {len(some)} channels (ISO/TS 18571)"
        rows = [_row(match) for match in some]
        headings = ("channel", "rating", "corridor", "phase", "magnitude", "slope", "shift", "grade")
        sections += [
            element("p", mean, class_="verdict"),
            table(headings, rows, numeric=range(1, 7)),
            charts(f"Curves of {name}", [_figure(reference, name, match) for match in some], figures),
        ]
    about = "Time in s, values in SI units and in the axes of SAE J211; both filtered by the class of the quantity."
    body = element("main", *sections, element("p", about, class_="fine"), element("p", "", id="case"))
    data = [embedded_json("figures", figures), plotly()]
    return page(f"Comparison with {reference}", joined([body]), data, scripts=("study.js",))


def _row(match: Match) -> list[str]:
    if match.rating is None:
        return [match.name, "-", "", "", "", "", "", match.reason]
    parts = (match.rating.value, match.rating.corridor, match.rating.phase, match.rating.magnitude, match.rating.slope)
    shift = f"{1e3 * match.rating.shift:+.1f} ms"
    return [match.name, *(f"{part:.2f}" for part in parts), shift, match.rating.grade]


def _figure(reference: str, name: str, match: Match) -> dict[str, Any]:
    step = max(1, -(-len(match.time) // _POINTS))
    rating = "not rated" if match.rating is None else f"{match.rating.value:.2f}, {match.rating.grade}"
    curves = ((reference, match.reference, "#18232f"), (name, match.other, "#e07a5f"))
    traces = [
        {
            "type": "scatter", "mode": "lines", "name": label, "line": {"color": colour, "width": 1.5},
            "x": np.round(match.time[::step], 6).tolist(), "y": [float(f"{y:.6g}") for y in samples[::step]],
        }
        for label, samples, colour in curves
    ]  # fmt: skip
    legend = {"showlegend": True, "legend": {"orientation": "h", "y": 1.15}}
    return {"caption": f"{match.name}: {rating}", "data": traces, "layout": axes("time [s]", match.name) | legend}
