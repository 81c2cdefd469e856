"""Six moments of a motion in one picture, with the head acceleration below. Needs matplotlib, but no screen."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import InputError
from ..sim.result import Result
from .scene import Camera
from .shot import Window, image, windows
from .stage import Moment, Stage, subjects

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_LINE, _OTHER = "#22577a", "#e07a5f"
_CRITERIA = {"HIC36": "#f2cc8f", "HIC15": "#e07a5f"}
_INK, _QUIET = "#222222", "#777777"
_WIDTH = 13.0  # [inch]


def motion(
    result: Result,
    path: str | Path,
    *,
    frames: int = 6,
    azimuth: float = np.radians(-58.0),
    elevation: float = np.radians(9.0),
    dots: int = 150,
) -> Path:
    """Draw a result into a PNG file; the options are those of `picture`."""
    path = Path(path)
    drawn = picture(result, frames=frames, azimuth=azimuth, elevation=elevation, dots=dots)
    try:
        drawn.savefig(path, dpi=dots)
    except OSError as error:
        raise InputError(f"{path} cannot be written ({error.strerror or error}). Choose another folder.") from error
    return path


def picture(
    result: Result,
    *,
    frames: int = 6,
    azimuth: float = np.radians(-58.0),
    elevation: float = np.radians(9.0),
    dots: int = 150,
) -> Figure:
    """The picture of a result.

    frames     how many moments
    azimuth    of the camera, from x towards y [rad]
    elevation  of the camera above the horizon [rad]
    dots       per inch
    """
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    stage = Stage(result)
    samples = chosen(result, frames)
    moments = [stage.at(sample) for sample in samples]
    camera = Camera.at(azimuth, elevation)
    views = windows(moments, camera)

    # from the bottom: curve, pictures with their labels, title [inches]
    left, right, bottom, top = views[0]
    tall = float(np.clip(0.96 / frames * _WIDTH * (top - bottom) / (right - left), 1.5, 5.6))
    total = 2.95 + tall + 0.55
    figure = Figure(figsize=(_WIDTH, total), dpi=dots, facecolor="white")
    FigureCanvasAgg(figure)
    figure.text(0.02, 1.0 - 0.36 / total, result.title or result.name, fontsize=16, weight="bold", color=_INK)
    if not result.fine:
        figure.text(
            0.98,
            1.0 - 0.36 / total,
            f"{result.status}: {result.message}"[:110],
            fontsize=9,
            color="#b00020",
            ha="right",
        )
    room = (0.96 / frames, 2.95, tall)
    with ThreadPoolExecutor() as pool:  # rays are traced by numpy, which lets others work meanwhile
        sizes = [_size(window, room) for window in views]
        pixels = [(max(round(wide * dots), 2), max(round(high * dots), 2)) for wide, high in sizes]
        traced = list(pool.map(image, moments, [camera] * len(moments), views, pixels))
    for place, moment in enumerate(moments):
        _draw_frame(figure, moment, traced[place], views[place], camera, place, room)
    _draw_curves(figure, result, samples, (0.55 / total, 1.75 / total))
    return figure


# what is shown


def chosen(result: Result, frames: int) -> list[int]:
    """Pose samples worth seeing: the first, the last, the first touch, the peak of the head, and changes of posture."""
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

    # the nearest of those in between make room for the moments that must be seen
    events = [min((event.time for event in recording.events if event.kind == "touch"), default=None)]
    events += [peak["time"] for name, peak in result.summary()["peaks"].items() if name.rpartition(".")[2] == "head"][
        :1
    ]
    free = set(range(1, frames - 1))
    for moment in (event for event in events if event is not None):
        sample = min(int(np.searchsorted(time, moment)), len(time) - 1)
        apart = min(abs(progress[sample] - progress[other]) for place, other in enumerate(picked) if place not in free)
        if free and apart > 0.25 * progress[-1] / (frames - 1):
            nearest = min(free, key=lambda place: abs(progress[picked[place]] - progress[sample]))
            picked[nearest] = sample
            free.discard(nearest)
    return sorted(set(picked))


# drawing


def _size(window: Window, room: tuple[float, float, float]) -> tuple[float, float]:
    """Width and height of a moment [inch], which keeps its proportions inside its share of the row."""
    (left, right, bottom, top), (share, _, tall) = window, room
    scale = min(share * _WIDTH / (right - left), tall / (top - bottom))
    return (right - left) * scale, (top - bottom) * scale


def _draw_frame(
    figure: Any,
    moment: Moment,
    traced: np.ndarray,
    window: Window,
    camera: Camera,
    place: int,
    room: tuple[float, float, float],
) -> None:
    """One moment, in its share of the row: width of the share [-], bottom and height of the row [inch]."""
    share, floor, _ = room
    total = figure.get_size_inches()[1]
    left, right, bottom, top = window
    wide, high = _size(window, room)
    axes = figure.add_axes(
        (0.02 + share * place + (share - wide / _WIDTH) / 2.0, floor / total, wide / _WIDTH, high / total)
    )
    axes.imshow(traced, extent=window, interpolation="none", aspect="auto")
    axes.set(xlim=(left, right), ylim=(bottom, top))
    axes.set_axis_off()
    label = f"{chr(97 + place)}   {moment.time:.3f} s"
    figure.text(0.02 + share * (place + 0.5), (floor - 0.20) / total, label, fontsize=10, color=_INK, ha="center")
    height = moment.height
    gap = moment.extent(camera)[0][1] - bottom  # from the lowest point of the bodies to the lower edge [m]
    if height is not None and height * high / (top - bottom) > 0.25 and (height + 0.1) * camera.up[2] > gap:
        middle = 0.5 * (left + right)
        text = f"{height:.2f} m above ground"
        axes.text(middle, bottom, text, fontsize=8, color=_QUIET, ha="center", va="bottom")
    if place == 0:
        draw_scale(axes, window)


def draw_scale(axes: Any, window: Window, height: float = 0.97) -> None:
    """A bar of a round length, at a share of the height of the window [-]."""
    left, right, bottom, top = window
    length = max((size for size in (0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0) if size < 0.5 * (right - left)), default=0.05)
    x, y = left + 0.06 * (right - left), bottom + height * (top - bottom)
    axes.plot([x, x + length], [y, y], color=_INK, linewidth=1.5, solid_capstyle="butt")
    axes.text(x + length / 2.0, y, f"{length:g} m", fontsize=8, color=_INK, ha="center", va="bottom")


def _draw_curves(figure: Any, result: Result, samples: list[int], band: tuple[float, float]) -> None:
    """The acceleration of the head over the whole run, and beside it the window of its HIC.

    band  bottom and height in the figure [-]
    """
    peaks = result.summary()["peaks"]
    times = result.recording.pose_time[samples]
    name = next(iter(peaks), None)
    marks = [peaks[name][criterion] for criterion in _CRITERIA if criterion in peaks[name]] if name is not None else []
    marks = [mark for mark in marks if mark["value"] > 0.0]
    axes = figure.add_axes((0.06, band[0], 0.64 if marks else 0.92, band[1]))
    axes.set_xlim(times[0], max(times[-1], times[0] + 1e-9))
    if name is None:
        _draw_energy(axes, result)
    else:
        _draw_acceleration(axes, result, name, peaks[name])
        _draw_peak(axes, peaks[name])
        axes.set_ylabel(f"{name} acceleration [g]", fontsize=10)
    if name is not None and marks:
        close = figure.add_axes((0.75, band[0], 0.23, band[1]))
        first, last = min(mark["t1"] for mark in marks), max(mark["t2"] for mark in marks)
        margin = max(0.4 * (last - first), 0.004)
        close.set_xlim(first - margin, last + margin)
        _draw_acceleration(close, result, name, peaks[name])
        handles, labels = close.get_legend_handles_labels()
        close.legend(handles, labels, loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=2, fontsize=9, frameon=False)
        _style(close)
    _style(axes)
    top = axes.get_ylim()[1]
    for place, time in enumerate(times):
        axes.axvline(time, color=_QUIET, linewidth=0.7, linestyle=(0, (2, 3)), zorder=0)
        axes.text(time, top, chr(97 + place), fontsize=9, color=_QUIET, ha="center", va="bottom")


def _style(axes: Any) -> None:
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    axes.tick_params(labelsize=9, colors=_INK)
    axes.set_xlabel("time [s]", fontsize=10)


def _draw_acceleration(axes: Any, result: Result, name: str, peak: dict[str, Any]) -> None:
    """Resultant acceleration with the windows of the HIC."""
    time, acceleration = result.resultant_g(name)
    axes.plot(time, acceleration, color=_LINE, linewidth=1.2, zorder=3)
    axes.fill_between(time, acceleration, color=_LINE, alpha=0.10, linewidth=0, zorder=2)
    axes.set_ylim(0.0, 1.22 * max(peak["acceleration_g"] or 0.0, 1e-6))
    for criterion, colour in _CRITERIA.items():
        found = peak.get(criterion)
        if found and found["value"] > 0.0:
            label = f"{criterion} {found['value']:.0f}"
            axes.axvspan(found["t1"], found["t2"], color=colour, alpha=0.6, linewidth=0, label=label, zorder=1)


def _draw_peak(axes: Any, peak: dict[str, Any]) -> None:
    if peak["acceleration_g"]:
        low, high = axes.get_xlim()
        late = peak["time"] > 0.6 * high + 0.4 * low
        axes.annotate(
            f"{peak['acceleration_g']:.3g} g at {peak['time']:.4f} s",
            (peak["time"], peak["acceleration_g"]),
            xytext=(-8 if late else 8, 4),
            textcoords="offset points",
            fontsize=9,
            color=_LINE,
            ha="right" if late else "left",
        )


def _draw_energy(axes: Any, result: Result) -> None:
    """Where nothing is measured: kinetic and potential energy."""
    recording = result.recording
    axes.plot(recording.pose_time, recording.kinetic, color=_LINE, label="kinetic")
    axes.plot(recording.pose_time, recording.potential, color=_OTHER, label="potential")
    axes.set_ylabel("energy [J]", fontsize=10)
    axes.legend(fontsize=9, frameon=False)
