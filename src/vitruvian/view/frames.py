"""Six moments of a motion in one picture, with the head acceleration below. Needs matplotlib, but no screen."""

from __future__ import annotations

import colorsys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import InputError
from ..sim.result import Result
from .scene import Camera, Ellipsoids, Plane, render

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_SKIN, _TRUNK, _ARM, _LEG = (0.93, 0.70, 0.53), (0.30, 0.50, 0.70), (0.45, 0.68, 0.62), (0.46, 0.47, 0.62)
_REGION: dict[str, tuple[float, float, float]] = {
    "head": _SKIN,
    "neck": (0.88, 0.64, 0.48),
    "thorax": _TRUNK,
    "abdomen": (0.36, 0.56, 0.75),
    "pelvis": (0.24, 0.42, 0.61),
    "upper_arm": _ARM,
    "forearm": (0.53, 0.75, 0.68),
    "hand": _SKIN,
    "thigh": _LEG,
    "shank": (0.55, 0.56, 0.71),
    "foot": (0.33, 0.33, 0.42),
}
_LINE, _OTHER = "#22577a", "#e07a5f"
_CRITERIA = {"HIC36": "#f2cc8f", "HIC15": "#e07a5f"}
_INK, _QUIET = "#222222", "#777777"
_WIDTH = 13.0  # [inch]
_DENSITY = 2000.0  # [kg/m3], of the ball that stands for a body without shape


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

    if result.geometry is None:
        raise InputError("the result holds no geometry to draw; make it with Result(recording, system=...).")
    moments = chosen(result, frames)
    camera = Camera.at(azimuth, elevation)
    windows = _windows(result, moments, camera)

    # from the bottom: curve, pictures with their labels, title [inches]
    left, right, bottom, top = windows[0]
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
    for place, (sample, window) in enumerate(zip(moments, windows, strict=True)):
        _draw_frame(figure, result, sample, window, camera, place, (0.96 / frames, 2.95, tall), dots)
    _draw_curves(figure, result, moments, (0.55 / total, 1.75 / total))
    return figure


Window = tuple[float, float, float, float]

# what is shown


def chosen(result: Result, frames: int) -> list[int]:
    """Pose samples worth seeing: the first, the last, the first touch, the peak of the head, and changes of posture."""
    recording = result.recording
    usable = int(np.isfinite(recording.position).all(axis=(1, 2)).sum())
    if usable <= frames:
        return list(range(usable))
    time, position = recording.pose_time[:usable], recording.position[:usable]
    mass = np.ones(position.shape[1]) if result.geometry is None else result.geometry.body_mass
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
        sample = min(int(np.searchsorted(time, moment)), usable - 1)
        apart = min(abs(progress[sample] - progress[other]) for place, other in enumerate(picked) if place not in free)
        if free and apart > 0.25 * progress[-1] / (frames - 1):
            nearest = min(free, key=lambda place: abs(progress[picked[place]] - progress[sample]))
            picked[nearest] = sample
            free.discard(nearest)
    return sorted(set(picked))


def ellipsoids(result: Result, sample: int) -> Ellipsoids:
    """The shapes of all bodies at a pose sample; a body without shape is drawn as a ball of its mass."""
    recording, geometry = result.recording, result.geometry
    assert geometry is not None
    bare = [body for body in range(len(recording.bodies)) if body not in geometry.shape_body]
    radius = np.cbrt(3.0 * geometry.body_mass[bare] / (4.0 * np.pi * _DENSITY))
    body = np.concatenate([geometry.shape_body, np.array(bare, dtype=np.int64)])
    semi_axes = np.concatenate([geometry.shape_semi_axes, np.repeat(radius[:, None], 3, axis=1)])
    offset = np.concatenate([geometry.shape_offset, np.zeros((len(bare), 3))])
    rotation = np.concatenate([geometry.shape_rotation, np.tile([1.0, 0.0, 0.0, 0.0], (len(bare), 1))])
    turn = _matrices(recording.orientation[sample, body])
    axes = turn @ _matrices(rotation)
    centre = recording.position[sample, body] + np.einsum("nij,nj->ni", turn, offset)
    spread = np.einsum("nik,nk,njk->nij", axes, semi_axes**2, axes)
    colours = np.array([_colour(recording.bodies[index], int(index)) for index in body])
    return Ellipsoids(centre, spread, colours.reshape(-1, 3))


def rods(result: Result, sample: int) -> np.ndarray:
    """Lines from joint points to centres of mass of bodies that are no segments of a person (n, 2, 3) [m]."""
    recording, geometry = result.recording, result.geometry
    assert geometry is not None
    turn = _matrices(recording.orientation[sample])
    lines = []
    for body, name in enumerate(recording.bodies):
        if recording.joint_types[body] == "free" or _region(name) in _REGION:
            continue
        centre = recording.position[sample, body]
        lines.append([centre + turn[body] @ geometry.joint_point_child[body], centre])
        parent = geometry.joint_parent[body]
        if parent >= 0:
            origin = recording.position[sample, parent]
            lines.append([origin, origin + turn[parent] @ geometry.joint_point_parent[body]])
    return np.array(lines).reshape(-1, 2, 3)


def _region(name: str) -> str:
    return name.rpartition(".")[2].removeprefix("left_").removeprefix("right_")


def _colour(name: str, place: int) -> tuple[float, float, float]:
    """By region; the left side a little darker. Bodies that are no segments take turns through the hues."""
    region = _region(name)
    if region not in _REGION:
        return colorsys.hls_to_rgb((0.58 + 0.17 * place) % 1.0, 0.58, 0.40)
    red, green, blue = _REGION[region]
    scale = 0.87 if name.rpartition(".")[2].startswith("left_") else 1.0
    return red * scale, green * scale, blue * scale


def _matrices(quaternion: np.ndarray) -> np.ndarray:
    """Rotation matrices (n, 3, 3) of unit quaternions (n, 4)."""
    w, x, y, z = np.moveaxis(quaternion, -1, 0)
    rows = [
        [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - w * z), 2.0 * (x * z + w * y)],
        [2.0 * (x * y + w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - w * x)],
        [2.0 * (x * z - w * y), 2.0 * (y * z + w * x), 1.0 - 2.0 * (x * x + y * y)],
    ]
    return np.moveaxis(np.array(rows), (0, 1), (-2, -1))


# where the camera looks


def _windows(result: Result, moments: list[int], camera: Camera) -> list[Window]:
    """The window of each picture, all of one size and scale.

    The camera stays level if the whole motion fits; otherwise it goes up and down with the bodies, and rests on the
    ground as soon as that comes into sight.
    """
    boxes = []
    for sample in moments:
        low, high = ellipsoids(result, sample).seen(camera).extent()
        lines = (rods(result, sample) @ camera.axes.T).reshape(-1, 3)
        low, high = np.vstack([low, lines]).min(axis=0), np.vstack([high, lines]).max(axis=0)
        boxes.append((low[0], high[0], low[1], high[1]))
    box = np.array(boxes)
    size = max(np.ptp(box[:, :2], axis=1).max(), np.ptp(box[:, 2:], axis=1).max())
    wide = 1.10 * max(np.ptp(box[:, :2], axis=1).max(), 0.5 * size)
    bottom, top = box[:, 2].min() - 0.10 * size, box[:, 3].max() + 0.04 * size
    follows = top - bottom > 2.0 * size
    windows = []
    for left, right, low, _ in boxes:
        middle = 0.5 * (left + right)
        if follows:
            floor = box[:, 2].min() - 0.12 * size
            bottom = max(floor, low - 0.30 * size)
            top = bottom + 1.36 * size
        windows.append((middle - wide / 2.0, middle + wide / 2.0, bottom, top))
    return windows


def _ground(result: Result, sample: int) -> Plane | None:
    """The first surface that looks upwards."""
    geometry = result.geometry
    assert geometry is not None
    level = [place for place, normal in enumerate(geometry.surface_normal) if normal[2] > 0.3]  # a leaning wall too
    if not level:
        return None
    point, normal = geometry.surface_point[level[0]], geometry.surface_normal[level[0]]
    position = result.recording.position[sample]
    middle = position.mean(axis=0)
    reach = np.linalg.norm(position - middle, axis=1).max()
    centre = middle - ((middle - point) @ normal) * normal
    return Plane(point, normal, centre, radius=max(1.1, 1.9 * reach))


# drawing


def _draw_frame(
    figure: Any,
    result: Result,
    sample: int,
    window: Window,
    camera: Camera,
    place: int,
    room: tuple[float, float, float],
    dots: int,
) -> None:
    """One moment, in its share of the row: width of the share [-], bottom and height of the row [inch]."""
    share, floor, tall = room
    total = figure.get_size_inches()[1]
    left, right, bottom, top = window
    # the picture keeps its proportions inside its share of the row
    scale = min(share * _WIDTH / (right - left), tall / (top - bottom))
    wide, high = (right - left) * scale, (top - bottom) * scale
    axes = figure.add_axes(
        (0.02 + share * place + (share - wide / _WIDTH) / 2.0, floor / total, wide / _WIDTH, high / total)
    )
    pixels = (max(round(wide * dots), 2), max(round(high * dots), 2))
    picture = render(ellipsoids(result, sample), _ground(result, sample), camera, window, pixels)
    axes.imshow(picture, extent=window, interpolation="none", aspect="auto")
    for line in rods(result, sample) @ camera.axes.T:
        axes.plot(line[:, 0], line[:, 1], color=_QUIET, linewidth=1.6, solid_capstyle="round")
    axes.set(xlim=(left, right), ylim=(bottom, top))
    axes.set_axis_off()
    label = f"{chr(97 + place)}   {result.recording.pose_time[sample]:.3f} s"
    figure.text(0.02 + share * (place + 0.5), (floor - 0.20) / total, label, fontsize=10, color=_INK, ha="center")
    height = _height(result, sample)
    if (
        height is not None
        and height * scale > 0.25
        and (height + 0.1) * camera.up[2] > _gap(result, sample, window, camera)
    ):
        middle = 0.5 * (left + right)
        text = f"{height:.2f} m above ground"
        axes.text(middle, bottom, text, fontsize=8, color=_QUIET, ha="center", va="bottom")
    if place == 0:
        _draw_scale(axes, window)


def _gap(result: Result, sample: int, window: Window, camera: Camera) -> float:
    """From the lowest point of the bodies to the lower edge of the picture [m]."""
    low, _ = ellipsoids(result, sample).seen(camera).extent()
    return float(low[:, 1].min() - window[2])


def _draw_scale(axes: Any, window: Window) -> None:
    """A bar of a round length."""
    left, right, bottom, top = window
    length = max((size for size in (0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0) if size < 0.5 * (right - left)), default=0.05)
    x, y = left + 0.06 * (right - left), top - 0.03 * (top - bottom)
    axes.plot([x, x + length], [y, y], color=_INK, linewidth=1.5, solid_capstyle="butt")
    axes.text(x + length / 2.0, y, f"{length:g} m", fontsize=8, color=_INK, ha="center", va="bottom")


def _height(result: Result, sample: int) -> float | None:
    """The lowest point of all bodies above the ground [m]."""
    ground = _ground(result, sample)
    if ground is None:
        return None
    bodies = ellipsoids(result, sample)
    reach = np.sqrt(np.einsum("i,nij,j->n", ground.normal, bodies.spread, ground.normal))
    return float(((bodies.centre - ground.point) @ ground.normal - reach).min())


def _draw_curves(figure: Any, result: Result, moments: list[int], band: tuple[float, float]) -> None:
    """The acceleration of the head over the whole run, and beside it the window of its HIC.

    band  bottom and height in the figure [-]
    """
    peaks = result.summary()["peaks"]
    times = result.recording.pose_time[moments]
    name = next(iter(peaks), None)
    windows = (
        [peaks[name][criterion] for criterion in _CRITERIA if criterion in peaks[name]] if name is not None else []
    )
    windows = [window for window in windows if window["value"] > 0.0]
    axes = figure.add_axes((0.06, band[0], 0.64 if windows else 0.92, band[1]))
    axes.set_xlim(times[0], max(times[-1], times[0] + 1e-9))
    if name is None:
        _draw_energy(axes, result)
    else:
        _draw_acceleration(axes, result, name, peaks[name])
        _draw_peak(axes, peaks[name])
        axes.set_ylabel(f"{name} acceleration [g]", fontsize=10)
    if name is not None and windows:
        close = figure.add_axes((0.75, band[0], 0.23, band[1]))
        first, last = min(window["t1"] for window in windows), max(window["t2"] for window in windows)
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
