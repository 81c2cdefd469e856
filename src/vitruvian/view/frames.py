"""Six moments of a motion in one picture, with the head acceleration below. Needs no screen."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from textwrap import shorten
from typing import Any

import numpy as np

from ..injury.moment import decisive
from ..sim.result import Result
from . import bone_strain
from .canvas import INK, QUIET, Canvas, Chart, Frame
from .overlay import MODEL
from .renderer import Camera
from .scene import Scene, subjects
from .viewpoint import Snapshot, Window, image, windows

_LINE, _OTHER = "#22577a", "#e07a5f"
_CRITERIA = {"HIC36": "#f2cc8f", "HIC15": "#e07a5f"}
_FAILED = "#b00020"
_WIDTH = 13.0  # [inch]
_MARGIN = 0.02 * _WIDTH  # left and right of the row [inch]
_HEAD, _BELOW = 0.55, 2.95  # for the title, and for labels and curves [inch]
_CURVE = (2.30, 1.75)  # from the upper edge of a curve to the lower edge of the picture, and its height [inch]


def motion(result: Result, path: str | Path, **options: Any) -> Path:
    """Draw a result into a PNG file; the options are those of `picture`."""
    picture(result, **options).savefig(path)
    return Path(path)


def picture(
    result: Result,
    *,
    frames: int = 6,
    azimuth: float = np.radians(-58.0),
    elevation: float = np.radians(9.0),
    dots: int = 150,
    skin: bool = True,
) -> Canvas:
    """Draw the picture of a result.

    frames     how many moments
    azimuth    of the camera, from x towards y [rad]
    elevation  of the camera above the horizon [rad]
    dots       per inch
    skin       draw people with their skin; otherwise their contact shapes
    """
    from PIL import Image

    result = result.sound
    result.raise_if_empty()
    scene = Scene(result, skin=skin)
    samples = chosen(result, frames)
    shown = [scene.snapshot(sample) for sample in samples]
    camera = Camera.at(azimuth, elevation)
    views = windows(shown, camera)
    left, right, bottom, top = views[0]
    share = 0.96 * _WIDTH / frames
    tall = float(np.clip(share * (top - bottom) / (right - left), 1.5, 5.6))
    sizes = [_size(window, share, tall) for window in views]
    pixels = [(max(round(wide * dots), 2), max(round(high * dots), 2)) for wide, high in sizes]
    with ThreadPoolExecutor() as pool:  # rays are traced by numpy, which lets others work meanwhile
        traced = list(pool.map(image, shown, [camera] * len(shown), views, pixels))

    canvas = Canvas(_WIDTH, _HEAD + tall + _BELOW, dots)
    width = _WIDTH - 2.0 * _MARGIN - (0.0 if result.fine else 6.0)
    canvas.text((_MARGIN, 0.36), result.title or result.name, 16, bold=True, width=width)
    canvas.text((_WIDTH - _MARGIN, 0.51), MODEL, 8, colour=QUIET, anchor="rs")  # the scale is on the left
    if not result.fine:
        words = shorten(f"{result.status}: {result.message}", 110, placeholder=" …")
        canvas.text((_WIDTH - _MARGIN, 0.36), words, 9, colour=_FAILED, anchor="rs", width=5.8)
    for place, snapshot in enumerate(shown):
        at = _MARGIN + share * place
        corner = (at + 0.5 * (share - sizes[place][0]), _HEAD + tall - sizes[place][1])
        drawn = Image.fromarray(np.round(255.0 * np.clip(traced[place], 0.0, 1.0)).astype(np.uint8))
        canvas.image.paste(drawn, (round(corner[0] * dots), round(corner[1] * dots)))
        _label(canvas, snapshot, views[place], camera, place, Frame(at, _HEAD, share, tall), sizes[place])
    if result.recording.points:
        canvas.text((0.36 * _WIDTH, _HEAD + 0.11), "strain [1e-6]", 9)
        _legend(canvas, Frame(0.42 * _WIDTH, _HEAD + 0.2, 0.56 * _WIDTH, 0.1), bone_strain.legend())
    _draw_curves(canvas, result, samples)
    return canvas


# what is shown


def chosen(result: Result, frames: int) -> list[int]:
    """Pose samples worth seeing: the first, the last, decisive moments (`injury.moment`), changes of posture."""
    recording = result.sound.recording
    time, counted = recording.pose_time, subjects(recording)
    if len(time) <= frames:
        return list(range(len(time)))
    position = recording.position[:, counted]
    mass = np.ones(len(counted)) if result.geometry is None else result.geometry.body_mass[counted]
    middle = np.average(position, axis=1, weights=mass)
    # how far the bodies have gone: relative to each other in full, all together to a small part
    relative = np.linalg.norm(np.diff(position - middle[:, None], axis=0), axis=2).mean(axis=1)
    path = relative + 0.08 * np.linalg.norm(np.diff(middle, axis=0), axis=1)
    progress = np.concatenate([[0.0], np.cumsum(path + 0.15 * path.mean() + 1e-12)])
    picked = [int(np.argmin(abs(progress - target))) for target in np.linspace(0.0, progress[-1], frames)]

    # the nearest regular moments are replaced by the moments that must be seen
    events = decisive(result)
    free = set(range(1, frames - 1))
    for moment in events:
        sample = min(int(np.searchsorted(time, moment)), len(time) - 1)
        apart = min(abs(progress[sample] - progress[other]) for place, other in enumerate(picked) if place not in free)
        if free and apart > 0.25 * progress[-1] / (frames - 1):
            nearest = min(free, key=lambda place: abs(progress[picked[place]] - progress[sample]))
            picked[nearest] = sample
            free.discard(nearest)
    return sorted(set(picked))


# drawing


def _size(window: Window, share: float, tall: float) -> tuple[float, float]:
    """Width and height of a moment [inch], which keeps its proportions inside its share of the row [inch]."""
    left, right, bottom, top = window
    scale = min(share / (right - left), tall / (top - bottom))
    return (right - left) * scale, (top - bottom) * scale


def _label(
    canvas: Canvas,
    shown: Snapshot,
    window: Window,
    camera: Camera,
    place: int,
    frame: Frame,
    size: tuple[float, float],
) -> None:
    """Letter and time of a moment below it, its height above the ground, and at the first one a scale."""
    left, right, bottom, top = window
    scale = size[1] / (top - bottom)
    middle, floor = frame.left + 0.5 * frame.width, frame.top + frame.height
    canvas.text((middle, floor + 0.20), f"{chr(97 + place)}   {shown.time:.3f} s", 10, anchor="ms")
    height = shown.height
    gap = shown.extent(camera)[0][1] - bottom  # from the lowest point of the bodies to the lower edge [m]
    if height is not None and height * scale > 0.25 and (height + 0.1) * camera.up[2] > gap:
        canvas.text((middle, floor - 0.03), f"{height:.2f} m above ground", 8, colour=QUIET, anchor="ms")
    if place == 0:
        length = bar_length(right - left)
        x, y = middle - 0.44 * size[0], floor - 0.97 * size[1]
        thick, dots = max(1.5 / 72.0 * canvas.dots, 1.0), canvas.dots
        box = (x * dots, y * dots - 0.5 * thick, (x + length * scale) * dots, y * dots + 0.5 * thick)
        canvas.pen.rectangle(box, fill=INK)
        canvas.text((x + 0.5 * length * scale, y - 0.03), f"{length:g} m", 8, anchor="ms")


def bar_length(width: float) -> float:
    """A round length for a scale, less than half a width [m]."""
    return max((size for size in (0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0) if size < 0.5 * width), default=0.05)


def draw_scale(axes: Any, window: Window, height: float = 0.97) -> None:
    """A bar of a round length in axes of matplotlib, at a share of the height of the window [-]."""
    left, right, bottom, top = window
    length = bar_length(right - left)
    x, y = left + 0.06 * (right - left), bottom + height * (top - bottom)
    axes.plot([x, x + length], [y, y], color=INK, linewidth=1.5, solid_capstyle="butt")
    axes.text(x + length / 2.0, y, f"{length:g} m", fontsize=8, color=INK, ha="center", va="bottom")


def _draw_curves(canvas: Canvas, result: Result, samples: list[int]) -> None:
    """Draw the acceleration of the head over the whole run, and next to it the window of its HIC."""
    peaks = result.summary()["peaks"]
    times = result.recording.pose_time[samples]
    name = next(iter(peaks), None)
    marks = [peaks[name][criterion] for criterion in _CRITERIA if criterion in peaks[name]] if name is not None else []
    marks = [mark for mark in marks if mark["value"] > 0.0]
    top, height = canvas.height - _CURVE[0], _CURVE[1]
    span = (float(times[0]), float(max(times[-1], times[0] + 1e-9)))
    frame = Frame(0.06 * _WIDTH, top, (0.64 if marks else 0.92) * _WIDTH, height)
    if name is None:
        chart = _energy(canvas, result, frame, span)
    else:
        chart = _acceleration(canvas, result, name, peaks[name], frame, span)
    for place, time in enumerate(times):
        chart.mark(float(time), chr(97 + place))
    chart.finish("energy [J]" if name is None else f"{name} acceleration [g]")
    if name is not None and (peak := peaks[name]["acceleration_g"]):
        when = peaks[name]["time"]
        x, y = chart.place(when, peak)
        late = when > 0.6 * span[1] + 0.4 * span[0]
        words = f"{peak:.3g} g at {when:.4f} s"
        canvas.text((x - 0.11 if late else x + 0.11, y - 0.05), words, 9, colour=_LINE, anchor="rs" if late else "ls")
    if name is not None and marks:
        first, last = min(mark["t1"] for mark in marks), max(mark["t2"] for mark in marks)
        margin = max(0.4 * (last - first), 0.004)
        frame = Frame(0.75 * _WIDTH, top, 0.23 * _WIDTH, height)
        _acceleration(canvas, result, name, peaks[name], frame, (first - margin, last + margin)).finish()
        entries = [(f"{c} {peaks[name][c]['value']:.0f}", _CRITERIA[c]) for c in _CRITERIA if c in peaks[name]]
        _legend(canvas, frame, entries)


def _legend(canvas: Canvas, frame: Frame, entries: list[tuple[str, str]]) -> None:
    """Words in their colours above a chart, side by side."""
    for place, (words, colour) in enumerate(entries):
        x = frame.left + frame.width * (place + 0.08) / max(len(entries), 2)
        canvas.text((x, frame.top - 0.09), "■", 12, colour=colour)
        canvas.text((x + 0.17, frame.top - 0.09), words, 9)


def _acceleration(
    canvas: Canvas, result: Result, name: str, peak: dict[str, Any], frame: Frame, span: tuple[float, float]
) -> Chart:
    """Resultant acceleration with the windows of the HIC."""
    time, acceleration = result.resultant_g(name)
    chart = Chart(canvas, frame, span, (0.0, 1.22 * max(peak["acceleration_g"] or 0.0, 1e-6)))
    for criterion, colour in _CRITERIA.items():
        found = peak.get(criterion)
        if found and found["value"] > 0.0:
            chart.span(found["t1"], found["t2"], colour)
    chart.curve(time, acceleration, _LINE, filled=True)
    return chart


def _energy(canvas: Canvas, result: Result, frame: Frame, span: tuple[float, float]) -> Chart:
    """Where nothing is measured: kinetic and potential energy."""
    recording = result.recording
    both = np.concatenate([recording.kinetic, recording.potential])
    both = both[np.isfinite(both)]
    low, high = (float(both.min()), float(both.max())) if len(both) else (0.0, 1.0)
    margin = 0.05 * max(high - low, 1e-9)
    chart = Chart(canvas, frame, span, (low - margin, high + margin))
    chart.curve(recording.pose_time, recording.kinetic, _LINE)
    chart.curve(recording.pose_time, recording.potential, _OTHER)
    _legend(
        canvas,
        frame._replace(left=frame.left + frame.width - 2.5, width=2.5),
        [("kinetic", _LINE), ("potential", _OTHER)],
    )
    return chart
