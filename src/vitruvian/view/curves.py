"""Channels of a result as curves over time, in one picture; a panel for each channel. SI units."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from .._files import writing
from ..errors import InputError
from ..sim.result import Result

SERIES = ("#22577a", "#e07a5f", "#57a773", "#8e6c8a", "#c9a227", "#5b5f97")
ENDINGS = (".png", ".svg", ".pdf")


def plot(result: Result, channels: Sequence[str], path: str | Path, *, span: tuple[float, float] | None = None) -> Path:
    """Draw channels of a result into a file: components thin, the size of a vector thick.

    channels  as `Result` takes them: head.acceleration, right_ankle.joint_force_local
    path      .png, .svg or .pdf
    span      first and last time [s]; the whole run unless given
    """
    from matplotlib.figure import Figure

    path = Path(path)
    if path.suffix.lower() not in ENDINGS:
        raise InputError(f"{path}: a picture ends in {', '.join(ENDINGS)}.")
    if not channels:
        raise InputError("which channels? Name them, as in head.acceleration; Result.channels() lists all.")
    arrays = [(name, result[name]) for name in channels]
    figure = Figure(figsize=(9.0, 0.7 + 2.4 * len(arrays)), layout="constrained")
    axes = figure.subplots(len(arrays), 1, sharex=True, squeeze=False)[:, 0]
    for panel, (name, array) in zip(axes, arrays, strict=True):
        _draw(panel, name, array)
    if span is not None:
        axes[-1].set_xlim(*span)
    axes[-1].set_xlabel("time [s]")
    figure.suptitle(result.title or result.name, fontsize=10)
    with writing(path) as temporary:
        figure.savefig(temporary, format=path.suffix[1:].lower(), dpi=150)
    return path


def _draw(panel: Any, name: str, array: Any) -> None:
    """Draw one channel; refuse one that still has items, because nothing tells which are meant."""
    clock = str(array.dims[0])
    time, values = array[clock].values, array.values
    if values.ndim > 2:
        items = ", ".join(str(label) for label in array[array.dims[1]].values[:4])
        raise InputError(f"{name} has many curves; put one of these before it, with a dot: {items}, ...")
    columns = values if values.ndim == 2 else values[:, None]
    labels = [str(label) for label in array[array.dims[1]].values] if values.ndim == 2 else [""]
    for k, label in enumerate(labels):
        panel.plot(time, columns[:, k], linewidth=0.9, color=SERIES[k % len(SERIES)], label=label)
    if labels == ["x", "y", "z"]:
        panel.plot(time, np.linalg.norm(columns, axis=1), linewidth=1.6, color="black", label="size")
    if len(labels) > 1:
        panel.legend(fontsize=8, ncols=4, loc="upper right")
    unit = array.attrs.get("units", "")
    panel.set_ylabel(f"{name}\n[{'-' if unit in ('', '1') else unit}]", fontsize=8)
    panel.grid(alpha=0.3)
