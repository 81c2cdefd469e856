"""Moments of one result, or of several below each other, in a strip as papers print them. Needs no screen."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from .._files import MARK, one_line, writing
from ..errors import InputError
from ..sim.result import Result
from ..units import quantity
from .colour import POWER, SCALE, full_force
from .frames import chosen, draw_scale
from .overlay import MODEL
from .renderer import Camera
from .scene import Scene
from .viewpoint import Snapshot, Window, camera_named, image, windows

if TYPE_CHECKING:
    from matplotlib.figure import Figure

ENDINGS = (".png", ".svg", ".pdf")
_INK, _FRAME = "#222222", "#c8c8c8"
_WORDS: dict[str, Any] = {"color": _INK, "parse_math": False}
_CELL = 1.85  # width of a picture [inch]
_TALLEST = 3.6  # [inch]
_FLATTEST = 0.62  # height of a picture over its width, at least [-]
_COLUMNS = 8  # in one row at most
_GAP, _HEAD, _SIDE, _FOOT = 0.05, 0.36, 0.30, 0.22  # between pictures, above, left of and below a row [inch]
_BAR = 0.85  # for the scale of the forces, on the right [inch]


def strip(results: Result | Sequence[Result], path: str | Path, *, dots: int = 200, **options: Any) -> Path:
    """Draw moments of one or more results into a PNG, SVG or PDF file; the options are those of `picture`."""
    path = Path(path)
    if path.suffix.lower() not in ENDINGS:
        raise InputError(f"{path}: {path.suffix or 'no ending'} is not known; accepted: {', '.join(ENDINGS)}.")
    figure = picture(results, dots=dots, **options)
    with writing(path) as temporary:
        about: dict[str, Any] = {"metadata": {"Software": MARK}} if path.suffix.lower() == ".png" else {}
        figure.savefig(temporary, dpi=dots, **about)
    return path


def picture(
    results: Result | Sequence[Result],
    *,
    frames: int | str | Sequence[float | str] = 6,
    camera: str = "oblique",
    follow: bool | None = None,
    labels: Sequence[str] = (),
    skin: bool = True,
    dots: int = 200,
) -> Figure:
    """Draw the strip: a row for each result, all at the same times and to the same scale.

    frames  times [s], as a list or a text ("0 ms, 50 ms"), or how many moments; those of several results are evenly
            spaced, those of one are chosen by what happens
    camera  side, left, front, back, top or oblique
    follow  whether the camera moves up and down with the bodies; unless given, if the motion does not fit
    labels  of the rows; names of the results unless given
    skin    draw people with their skin; otherwise their contact shapes
    dots    per inch, of the drawn bodies
    """
    results = [result.sound for result in ([results] if isinstance(results, Result) else results)]
    labels = labels or [result.name or result.title or "unnamed" for result in results]
    times = moments_of(results, frames)
    force = full_force(results)
    scenes = [Scene(result, skin=skin) for result in results]
    rows = [[scene.snapshot(scene.frame_at(time), full_force=force) for time in times] for scene in scenes]
    view = camera_named(camera)
    looks = [_not_flat(look) for look in windows([shown for row in rows for shown in row], view, follow=follow)]

    lines = -(-len(times) // _COLUMNS)
    columns = -(-len(times) // lines)
    left, right, bottom, top = looks[0]
    tall = min(_CELL * (top - bottom) / (right - left), _TALLEST)
    cell = tall * (right - left) / (top - bottom)
    margin = _SIDE if len(results) > 1 else 0.08
    width = margin + columns * (cell + _GAP) + (_BAR if force > 0.0 else 0.08)
    row_height = tall + _FOOT
    height = _HEAD + lines * len(results) * row_height + 0.18
    figure = _blank(width, height, dots)
    title = results[0].title or results[0].name if len(results) == 1 else "  |  ".join(labels)
    _heading(figure, one_line(title), (margin, width, height))
    for index, (row, result) in enumerate(zip(rows, results, strict=True)):
        for place, shown in enumerate(row):
            line, column = (place // columns) * len(results) + index, place % columns
            x, y = margin + column * (cell + _GAP), height - _HEAD - line * row_height - tall
            axes = figure.add_axes((x / width, y / height, cell / width, tall / height))
            look = looks[index * len(times) + place]
            late = times[place] > result.recording.end_time + 1e-9
            _draw(axes, shown, look, view, (cell, tall), dots)
            label = time_text(shown.time) + (" (end)" if late else "")
            axes.text(0.5, -0.02, label, fontsize=8, color=_INK, ha="center", va="top", transform=axes.transAxes)
            if column == 0 and len(results) > 1:
                _label_row(axes, labels[index])
            if place == 0 and index == 0:
                draw_scale(axes, look, 0.025)
    if force > 0.0:
        high = min(0.8 * tall, 2.0)
        low = height - _HEAD - 0.5 * (tall + high)
        force_bar(figure, force, ((width - _BAR + 0.14) / width, low / height, 0.09 / width, high / height))
    return figure


# when


def moments_of(results: Sequence[Result], frames: int | str | Sequence[float | str]) -> list[float]:
    """The times of the pictures [s]: those asked for, or a number of them."""
    if isinstance(frames, str):
        words = [word.strip() for word in frames.split(",") if word.strip()]
        if len(words) == 1 and words[0].isdecimal():
            frames = int(words[0])
        else:
            frames = words
    if isinstance(frames, int):
        if not 1 <= frames <= 48:
            raise InputError(f"{frames} pictures; accepted 1 to 48. For more make a film.")
        start, end = span(results)
        if len(results) == 1:
            return [float(results[0].recording.pose_time[sample]) for sample in chosen(results[0], frames)]
        return np.linspace(start, end, frames).tolist()
    times = [quantity(word, "time", where="the time of a frame") for word in frames]
    if not times:
        raise InputError('no times are given; write them as in "0 ms, 50 ms, 100 ms", or how many pictures, as in 6.')
    if len(times) > 48:
        raise InputError(f"{len(times)} pictures; accepted 1 to 48. For more make a film.")
    start, end = span(results)
    for time in times:
        if not start - 1e-9 <= time <= end + 1e-9:
            raise InputError(f"there is no picture at {time:g} s; the run goes from {start:g} s to {end:g} s.")
    return times


def time_text(time: float) -> str:
    """A time as papers print it: milliseconds below a second."""
    return f"{1e3 * time:.4g} ms" if abs(time) < 0.9995 else f"{time:.3f} s"


def span(results: Sequence[Result]) -> tuple[float, float]:
    """First and last pose of any [s]."""
    times = [result.sound.recording.pose_time for result in results]
    if not all(map(len, times)):
        raise InputError("the result holds no pose to draw.")
    return float(min(time[0] for time in times)), float(max(time[-1] for time in times))


# drawing


def _blank(width: float, height: float, dots: int) -> Figure:
    """Return a white figure of a width and height [inch] that needs no screen."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), dpi=dots, facecolor="white")
    FigureCanvasAgg(figure)
    return figure


def _heading(figure: Figure, title: str, size: tuple[float, float, float]) -> None:
    """Write the title and, below the pictures, the limits of the model; margin, width and height in inch."""
    margin, width, height = size
    letters = min(10.0, 105.0 * width / max(len(title), 1))  # [point]; a long title is smaller
    figure.text(margin / width, 1.0 - 0.24 / height, title, fontsize=letters, weight="bold", **_WORDS)
    small = min(6.5, 120.0 * width / len(MODEL))
    figure.text(0.5, 0.05 / height, MODEL, fontsize=small, color=_INK, ha="center", va="bottom")


def _label_row(axes: Any, label: str) -> None:
    """Write the label of a row upright, left of its first picture."""
    where: dict[str, Any] = {"ha": "right", "va": "center", "rotation": 90, "transform": axes.transAxes}
    axes.text(-0.05, 0.5, textwrap.shorten(one_line(label), 40), fontsize=8, **_WORDS, **where)


def _not_flat(window: Window) -> Window:
    """A window that is not lower than a share of its width, on the same floor or a little below it."""
    left, right, bottom, top = window
    missing = max(_FLATTEST * (right - left) - (top - bottom), 0.0)
    return left, right, bottom - 0.25 * missing, top + 0.75 * missing


def _draw(axes: Any, shown: Snapshot, window: Window, camera: Camera, size: tuple[float, float], dots: int) -> None:
    """One picture in a thin frame."""
    pixels = (max(round(size[0] * dots), 2), max(round(size[1] * dots), 2))
    axes.imshow(image(shown, camera, window, pixels, smooth=3), extent=window, interpolation="none", aspect="auto")
    left, right, bottom, top = window
    axes.set(xlim=(left, right), ylim=(bottom, top), xticks=[], yticks=[])
    for spine in axes.spines.values():
        spine.set(color=_FRAME, linewidth=0.6)


def force_bar(figure: Any, force: float, place: tuple[float, float, float, float], *, letters: float = 7.0) -> None:
    """The scale of the contact forces up to a force [N], at left, bottom, width, height in the figure [-]."""
    from matplotlib.cm import ScalarMappable
    from matplotlib.colors import LinearSegmentedColormap, PowerNorm

    axes = figure.add_axes(place)
    colours = LinearSegmentedColormap.from_list("force", SCALE.tolist())
    bar = figure.colorbar(ScalarMappable(PowerNorm(POWER, 0.0, force / 1e3), colours), cax=axes)
    bar.set_label("contact force [kN]", fontsize=1.1 * letters, color=_INK)
    ticks = [share * force / 1e3 for share in (0.0, 1 / 16, 1 / 4, 9 / 16, 1.0)]
    bar.set_ticks(ticks, labels=[f"{value:.2g}" for value in ticks])
    bar.ax.tick_params(labelsize=letters, length=2, colors=_INK)
    bar.outline.set_visible(False)
