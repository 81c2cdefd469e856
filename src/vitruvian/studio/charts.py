"""Charts of a result over one time axis, with a cursor that goes with the replay: a plotly figure as JSON text.

Curves are thinned to what a screen can show; the lowest and the highest value of every piece are kept, so peaks stay.
Written without the plotly package, which is only needed in the browser: moving the cursor costs a string join.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from ..errors import InputError
from ..sim.recording import Recording
from ..sim.result import Result

PIECES = 300  # of a curve; each gives two points
_COLOURS = ("#c2452d", "#2b6ca3", "#3f9142", "#8a5fb0", "#b58900", "#4a4f57")
_EARLIER = "#9aa0a6"
_FILTER = {"head": 1000.0, "thorax": 180.0}  # channel frequency class of their accelerations [Hz]
_JOINTS = ("upper_neck", "lumbar", "left_knee", "right_knee", "left_hip", "right_hip")
_CURSOR = "@cursor@"


@dataclass(frozen=True)
class Curve:
    """A line of a chart; `earlier` ones are of the run before."""

    name: str
    time: np.ndarray
    value: np.ndarray
    earlier: bool = False


@dataclass(frozen=True)
class Chart:
    """Some curves of one quantity."""

    title: str
    unit: str
    curves: tuple[Curve, ...]
    window: tuple[float, float] | None = None


class Figure:
    """Charts below each other, as text that plotly reads.

    It has `to_json` and so passes for a figure of plotly where only that is asked for.
    """

    def __init__(self, charts: Iterable[Chart], end: float) -> None:
        self._before, self._after = json.dumps(_figure(tuple(charts), end)).split(f'"{_CURSOR}"', 1)
        self._between, self._after = self._after.split(f'"{_CURSOR}"', 1)
        self.time = 0.0

    def at(self, time: float) -> Figure:
        """The same with the cursor at a time [s]."""
        self.time = time
        return self

    def to_json(self) -> str:
        """The text of the figure."""
        place = f"{1e3 * self.time:.3f}"
        return f"{self._before}{place}{self._between}{place}{self._after}"


def charts(result: Result, earlier: Result | None = None) -> list[Chart]:
    """Accelerations, contact forces, joint loads and energies, as far as the result has them."""
    found = [*_accelerations(result, earlier), *_contacts(result, earlier), *_joints(result), *_energies(result)]
    return [chart for chart in found if chart.curves]


def thinned(time: np.ndarray, value: np.ndarray, pieces: int = PIECES) -> tuple[np.ndarray, np.ndarray]:
    """A curve with few points: first, last, and the lowest and highest of every piece."""
    usable = np.isfinite(value)
    time, value = time[usable], value[usable]
    if len(time) <= 2 * pieces:
        return time, value
    long = -(-len(time) // pieces)
    rows = np.pad(value, (0, -len(value) % long), mode="edge").reshape(-1, long)
    first = long * np.arange(len(rows))
    ends = [0, len(time) - 1]
    at = np.unique(np.concatenate([first + rows.argmin(axis=1), first + rows.argmax(axis=1), ends]))
    at = at[at < len(time)]
    return time[at], value[at]


def colour(curve: Curve, place: int) -> str:
    """Of a line, by its place in its chart."""
    return _EARLIER if curve.earlier else "#d9a79b" if curve.name == "raw" else _COLOURS[place % len(_COLOURS)]


# what is drawn


def _accelerations(result: Result, earlier: Result | None) -> Iterator[Chart]:
    recording = result.recording
    names = [name for name in recording.sensors if name.rpartition(".")[2] in _FILTER] or list(recording.sensors[:3])
    for name in names:
        curves, window = [], None
        time, raw = result.resultant_g(name)
        curves.append(Curve("raw", time, raw))
        kind = _FILTER.get(name.rpartition(".")[2])
        if kind is not None and (filtered := _filtered(result, name, kind)) is not None:
            curves.append(filtered)
            if earlier is not None and name in earlier.recording.sensors:
                before = _filtered(earlier, name, kind)
                if before is not None:
                    curves.append(Curve("run before", before.time, before.value, earlier=True))
        for key in ("HIC15", "HIC36"):
            found = result.summary()["peaks"].get(name, {}).get(key)
            if window is None and found:
                window = (found["t1"], found["t2"])
        yield Chart(f"{name} acceleration", "g", tuple(curves), window)


def _filtered(result: Result, name: str, kind: float) -> Curve | None:
    try:
        time, samples = result.accelerometer(name, kind)
    except InputError:  # sampled too slowly for the class
        return None
    return Curve(f"CFC {kind:.0f}", time, np.linalg.norm(samples, axis=1) / 9.80665)


def _contacts(result: Result, earlier: Result | None) -> Iterator[Chart]:
    force = _contact_forces(result.recording)
    most = sorted(force, key=lambda name: -force[name].max(initial=0.0))[:4]
    time = result.recording.pose_time
    curves = [Curve(name, time, force[name] / 1e3) for name in most if force[name].max(initial=0.0) > 0.0]
    if curves and earlier is not None:
        before = _contact_forces(earlier.recording).get(most[0])
        if before is not None:
            curves.append(Curve(f"{most[0]}, run before", earlier.recording.pose_time, before / 1e3, earlier=True))
    yield Chart("contact force", "kN", tuple(curves))


def _contact_forces(recording: Recording) -> dict[str, np.ndarray]:
    """Body -> size of all its contact forces together [N], at the pose samples."""
    total: dict[str, np.ndarray] = {}
    for pair, (body, _) in enumerate(recording.pairs):
        total[body] = total.get(body, 0.0) + recording.contact_force[:, pair]
    return {body: np.linalg.norm(force, axis=1) for body, force in total.items()}


def _joints(result: Result) -> Iterator[Chart]:
    recording = result.recording
    curves = []
    for place, joint in enumerate(recording.joints):
        if joint.rpartition(".")[2] in _JOINTS:
            size = np.linalg.norm(recording.joint_force[:, place], axis=1)
            curves.append(Curve(joint, recording.pose_time, size / 1e3))
    yield Chart("joint force", "kN", tuple(curves[:6]))


def _energies(result: Result) -> Iterator[Chart]:
    recording = result.recording
    time = recording.pose_time
    lowest = float(np.nanmin(recording.potential)) if len(time) else 0.0
    curves = [
        Curve("kinetic", time, recording.kinetic / 1e3),
        Curve("potential", time, (recording.potential - lowest) / 1e3),
        Curve("balance", time, recording.balance / 1e3),
    ]
    yield Chart("energy", "kJ", tuple(curves))


# plotly's own words


def _figure(charts: tuple[Chart, ...], end: float) -> dict[str, object]:
    gap, count = 0.055, max(len(charts), 1)
    tall = (1.0 - gap * (count - 1)) / count
    data, layout = [], _layout(end)
    for row, chart in enumerate(charts):
        axis = "" if row == 0 else str(row + 1)
        top = 1.0 - row * (tall + gap)
        layout[f"yaxis{axis}"] = {
            "domain": [top - tall, top],
            "anchor": "x",
            "title": {"text": f"{chart.title} [{chart.unit}]", "font": {"size": 11}},
            "gridcolor": "#e8eaed",
            "zerolinecolor": "#d5d8dc",
            "rangemode": "tozero",
        }
        for place, curve in enumerate(chart.curves):
            data.append(_trace(curve, place, f"y{axis}", chart.unit, row))
        if chart.window is not None:
            layout["shapes"].append(_window(chart.window, f"y{axis}"))  # type: ignore[attr-defined]
    layout["xaxis"]["anchor"] = "y" if count == 1 else f"y{count}"  # type: ignore[index]
    return {"data": data, "layout": layout, "config": {"displayModeBar": False, "responsive": True}}


def _layout(end: float) -> dict[str, object]:
    cursor = {
        "type": "line",
        "xref": "x",
        "yref": "paper",
        "x0": _CURSOR,
        "x1": _CURSOR,
        "y0": 0,
        "y1": 1,
        "line": {"color": "#202124", "width": 1.2},
    }
    return {
        "template": None,
        "paper_bgcolor": "rgba(0,0,0,0)",
        "plot_bgcolor": "#ffffff",
        "font": {"family": "Inter, Segoe UI, sans-serif", "size": 11, "color": "#3c4043"},
        "margin": {"l": 52, "r": 10, "t": 8, "b": 36},
        "hovermode": "x",
        "showlegend": False,
        "shapes": [cursor],
        "xaxis": {"title": {"text": "time [ms]"}, "range": [0, 1e3 * end], "gridcolor": "#e8eaed"},
    }


def _trace(curve: Curve, place: int, axis: str, unit: str, row: int) -> dict[str, object]:
    time, value = thinned(curve.time, curve.value)
    raw = curve.name == "raw"
    return {
        "type": "scatter",
        "mode": "lines",
        "name": curve.name,
        "x": [round(1e3 * t, 3) for t in time.tolist()],
        "y": [float(f"{v:.5g}") for v in value.tolist()],
        "xaxis": "x",
        "yaxis": axis,
        "line": {
            "color": colour(curve, place),
            "width": 1.0 if raw else 1.6,
            "dash": "dot" if curve.earlier else "solid",
        },
        "hovertemplate": f"%{{y:.4g}} {unit}",
        "legendgroup": str(row),
    }


def _window(window: tuple[float, float], axis: str) -> dict[str, object]:
    """The window of the head injury criterion, shaded."""
    return {
        "type": "rect",
        "xref": "x",
        "yref": f"{axis} domain",
        "x0": 1e3 * window[0],
        "x1": 1e3 * window[1],
        "y0": 0,
        "y1": 1,
        "fillcolor": "#f4c20d",
        "opacity": 0.25,
        "line": {"width": 0},
        "layer": "below",
    }
