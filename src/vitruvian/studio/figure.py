"""The charts of a run over one time axis, with a cursor that goes with the replay: a plotly figure as JSON text.

Written without the Python of plotly, which is only needed in the browser: to move the cursor costs a string join.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from ..view.charts import Chart, Curve, Window, thinned

POINTS = 600  # of a curve, on a screen of this size
WIDTH = 400  # of the figure [px]
HEIGHT = 198  # of a chart with the lines above it [px]
_HEAD = 65  # of that the title and up to three lines with the names of the curves [px]
_TOP, _FOOT = _HEAD + 4, 40  # margins of the figure [px]
_LINE = 64  # letters in a line above a chart
_COLOURS = ("#c2452d", "#2b6ca3", "#3f9142", "#8a5fb0", "#b58900", "#4a4f57")
_FAINT, _EARLIER = "#d9a79b", "#9aa0a6"
_CURSOR = "@cursor@"


class Figure:
    """Charts below each other, and behind them in grey the first curve of the same chart of the run before.

    It has `to_json` and so passes for a figure of plotly where only that is asked for.

    aspect  its height over its width
    """

    def __init__(self, charts: Sequence[Chart], earlier: Sequence[Chart], end: float) -> None:
        before = {chart.title: _main(chart) for chart in earlier}
        rows = [(chart, before.get(chart.title)) for chart in charts]
        self._pieces = json.dumps(_figure(rows, end)).split(f'"{_CURSOR}"')
        self.aspect = _height(len(charts)) / WIDTH
        self.time = 0.0

    def at(self, time: float) -> Figure:
        """Move the cursor to a time [s], and return the figure."""
        self.time = time
        return self

    def to_json(self) -> str:
        """The text of the figure."""
        return f"{1e3 * self.time:.3f}".join(self._pieces)


def colour(curve: Curve, place: int) -> str:
    """Return the colour of a curve, by its place in its chart."""
    return _FAINT if curve.faint else _COLOURS[place % len(_COLOURS)]


def _main(chart: Chart) -> Curve:
    """The curve that a chart is looked at for."""
    return next((curve for curve in chart.curves if not curve.faint), chart.curves[0])


# plotly's own words


def _height(count: int) -> float:
    """Return the height of the figure [px]."""
    return max(count, 1) * HEIGHT - _HEAD + _TOP + _FOOT


def _figure(rows: Sequence[tuple[Chart, Curve | None]], end: float) -> dict[str, Any]:
    count = max(len(rows), 1)
    inside = count * HEIGHT - _HEAD
    tall, gap = (HEIGHT - _HEAD) / inside, _HEAD / inside
    data, layout = [], _layout(end)
    for row, (chart, before) in enumerate(rows):
        axis = "" if row == 0 else str(row + 1)
        top = 1.0 - row * (tall + gap)
        layout[f"yaxis{axis}"] = {
            "domain": [max(top - tall, 0.0), top],
            "anchor": "x",
            "gridcolor": "#e8eaed",
            "zerolinecolor": "#d5d8dc",
            "nticks": 5,
        }
        layout["annotations"].append(_title(chart, before is not None, f"y{axis}"))
        if before is not None:
            data.append(_trace(before, _EARLIER, f"y{axis}", chart.unit, "run before", dash="dot"))
        for place, curve in enumerate(chart.curves):
            data.append(_trace(curve, colour(curve, place), f"y{axis}", chart.unit, curve.name))
        layout["shapes"] += [_band(window, f"y{axis}") for window in chart.windows]
    layout["xaxis"]["anchor"] = "y" if count == 1 else f"y{count}"
    return {"data": data, "layout": layout, "config": {"displayModeBar": False}}


def _layout(end: float) -> dict[str, Any]:
    across = {"type": "line", "xref": "x", "yref": "paper", "x0": _CURSOR, "x1": _CURSOR, "y0": 0, "y1": 1}
    return {
        "paper_bgcolor": "rgba(0,0,0,0)",
        "plot_bgcolor": "#ffffff",
        "font": {"family": "Inter, Segoe UI, sans-serif", "size": 11, "color": "#3c4043"},
        "margin": {"l": 44, "r": 8, "t": _TOP, "b": _FOOT},
        "hovermode": "x",
        "showlegend": False,
        "annotations": [],
        "shapes": [{**across, "line": {"color": "#202124", "width": 1.2}}],
        "xaxis": {"title": {"text": "time [ms]"}, "range": [0, 1e3 * end], "gridcolor": "#e8eaed"},
    }


def _title(chart: Chart, compared: bool, axis: str) -> dict[str, Any]:
    """Title and unit, and below it the names of the curves in their colours."""
    names = [(_plain(curve.name), colour(curve, place)) for place, curve in enumerate(chart.curves)]
    if compared:
        names.append(("run before", _EARLIER))
    lines, used = [f"<b>{_plain(chart.title)}</b> [{chart.unit}]", ""], 0
    for name, tint in names:
        if used and used + len(name) > _LINE:
            lines.append("")
            used = 0
        lines[-1] += f'<span style="color:{tint}">{name}</span>   '
        used += len(name) + 3
    return {
        "text": "<br>".join(lines),
        "align": "left",
        "xref": "paper",
        "yref": f"{axis} domain",
        "x": 0,
        "y": 1,
        "xanchor": "left",
        "yanchor": "bottom",
        "showarrow": False,
        "font": {"size": 10.5},
    }


def _plain(text: str) -> str:
    """Without what plotly would read as markup: names of bodies come from scenarios."""
    return text.replace("<", "‹").replace(">", "›")


def _trace(curve: Curve, colour: str, axis: str, unit: str, name: str, *, dash: str = "solid") -> dict[str, Any]:
    time, value = thinned(curve.time, curve.value, POINTS)
    return {
        "type": "scatter",
        "mode": "lines",
        "name": _plain(name),
        "x": time.round(3).tolist(),
        "y": [float(f"{number:.5g}") for number in value.tolist()],
        "xaxis": "x",
        "yaxis": axis,
        "line": {"color": colour, "width": 1.0 if curve.faint else 1.6, "dash": dash},
        "hovertemplate": f"%{{y:.4g}} {unit}",
    }


def _band(window: Window, axis: str) -> dict[str, Any]:
    """The window of a criterion, shaded."""
    return {
        "type": "rect",
        "xref": "x",
        "yref": f"{axis} domain",
        "x0": window.start,
        "x1": window.end,
        "y0": 0,
        "y1": 1,
        "fillcolor": "#f4c20d",
        "opacity": 0.25,
        "line": {"width": 0},
        "layer": "below",
    }
