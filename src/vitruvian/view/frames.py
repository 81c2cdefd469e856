"""Six moments of a motion in one picture, with the head acceleration below. Needs matplotlib, but no screen."""

from __future__ import annotations

import colorsys
from pathlib import Path
from typing import Any

import numpy as np

from ..errors import InputError
from ..sim.result import Result
from .scene import Camera, Ellipsoids, Plane, render

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
_HEAD_LINE, _HIC15, _HIC36 = "#22577a", "#e07a5f", "#f2cc8f"
_INK, _QUIET = "#222222", "#777777"
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
    """Draw a result into a PNG file.

    frames     how many moments
    azimuth    of the camera, from x towards y [rad]
    elevation  of the camera above the horizon [rad]
    dots       per inch
    """
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    moments = chosen(result, frames)
    camera = Camera.at(azimuth, elevation)
    windows, follows = _windows(result, moments, camera)

    # the row of pictures takes as much height as its windows need, within limits
    aspect = (windows[0][3] - windows[0][2]) / sum(window[1] - window[0] for window in windows)
    width = 13.0
    tall = float(np.clip(width * aspect, 2.2, 5.6))
    figure = Figure(figsize=(width, tall + 4.0), dpi=dots, facecolor="white")
    FigureCanvasAgg(figure)
    total = tall + 4.0
    _draw_title(figure, result, total)
    _draw_frames(figure, result, moments, windows, camera, (2.75 / total, tall / total), dots, follows)
    axes = figure.add_axes((0.065, 0.62 / total, 0.92, 1.85 / total))
    _draw_curve(axes, result, moments)
    path = Path(path)
    try:
        figure.savefig(path, dpi=dots)
    except OSError as error:
        raise InputError(f"{path} cannot be written ({error.strerror or error}). Choose another folder.") from error
    return path


# what is shown


def chosen(result: Result, frames: int) -> list[int]:
    """Pose samples worth seeing: the first, the last, the first touch, and in between where the posture changes."""
    recording = result.recording
    usable = int(np.isfinite(recording.position).all(axis=(1, 2)).sum())
    if usable <= frames:
        return list(range(usable))
    time, position = recording.pose_time[:usable], recording.position[:usable]
    mass = np.ones(position.shape[1]) if result.geometry is None else result.geometry.body_mass
    middle = np.average(position, axis=1, weights=mass)
    shape = position - middle[:, None]
    # how far the bodies have gone: relative to each other in full, all together to a part
    path = np.linalg.norm(np.diff(shape, axis=0), axis=2).mean(axis=1) + 0.25 * np.linalg.norm(np.diff(middle, axis=0), axis=1)
    path = path + 0.15 * path.sum() / len(path)
    progress = np.concatenate([[0.0], np.cumsum(path)])
    targets = np.linspace(0.0, progress[-1], frames)
    picked = [int(np.argmin(abs(progress - target))) for target in targets]
    touches = [event.time for event in recording.events if event.kind == "touch"]
    if touches and frames > 2:
        first = min(int(np.searchsorted(time, min(touches))), usable - 1)
        nearest = min(range(1, frames - 1), key=lambda place: abs(progress[picked[place]] - progress[first]))
        if picked[nearest - 1] < first < picked[nearest + 1]:
            picked[nearest] = first
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


def _windows(result: Result, moments: list[int], camera: Camera) -> tuple[list[tuple[float, ...]], bool]:
    """Left, right, bottom, top [m] of each picture, all of one size; and whether the camera follows the body up and down."""
    boxes = []
    for sample in moments:
        low, high = ellipsoids(result, sample).seen(camera).extent()
        lines = rods(result, sample) @ camera.axes.T
        low, high = np.vstack([low, *lines]).min(axis=0), np.vstack([high, *lines]).max(axis=0)
        boxes.append((low[0], high[0], low[1], high[1]))
    box = np.array(boxes)
    size = max(np.ptp(box[:, :2], axis=1).max(), np.ptp(box[:, 2:], axis=1).max())
    wide = max(np.ptp(box[:, :2], axis=1).max() * 1.08, 0.35 * size) + 0.1 * size
    bottom, top = box[:, 2].min() - 0.10 * size, box[:, 3].max() + 0.04 * size
    follows = top - bottom > 4.5 * size
    windows = []
    for left, right, low, high in boxes:
        middle = 0.5 * (left + right)
        if follows:
            centre = 0.5 * (low + high)
            bottom, top = centre - 0.75 * size, centre + 0.75 * size
        windows.append((middle - wide / 2.0, middle + wide / 2.0, bottom, top))
    return windows, follows


def _ground(result: Result, sample: int) -> Plane | None:
    """The first surface that looks upwards."""
    geometry = result.geometry
    assert geometry is not None
    level = [place for place, normal in enumerate(geometry.surface_normal) if normal[2] > 0.5]
    if not level:
        return None
    point, normal = geometry.surface_point[level[0]], geometry.surface_normal[level[0]]
    position = result.recording.position[sample]
    middle = position.mean(axis=0)
    reach = np.linalg.norm(position - middle, axis=1).max()
    centre = middle - ((middle - point) @ normal) * normal
    return Plane(point, normal, centre, radius=max(1.1, 1.9 * reach))


# drawing


def _draw_title(figure: Any, result: Result, total: float) -> None:
    figure.text(0.02, 1.0 - 0.34 / total, result.title or result.name, fontsize=16, weight="bold", color=_INK)
    if not result.fine:
        figure.text(0.02, 1.0 - 0.62 / total, result.message, fontsize=10, color="#b00020", wrap=True)


def _draw_frames(
    figure: Any,
    result: Result,
    moments: list[int],
    windows: list[tuple[float, ...]],
    camera: Camera,
    band: tuple[float, float],
    dots: int,
    follows: bool,
) -> None:
    share = 0.96 / len(moments)
    width_inches, height_inches = figure.get_size_inches()
    for place, (sample, window) in enumerate(zip(moments, windows, strict=True)):
        left, right, bottom, top = window
        # the picture keeps its proportions inside its share of the row
        scale = min(share * width_inches / (right - left), band[1] * height_inches / (top - bottom))
        wide, tall = (right - left) * scale / width_inches, (top - bottom) * scale / height_inches
        axes = figure.add_axes((0.02 + share * place + (share - wide) / 2.0, band[0], wide, tall))
        pixels = (max(int(wide * width_inches * dots), 2), max(int(tall * height_inches * dots), 2))
        picture = render(ellipsoids(result, sample), _ground(result, sample), camera, window, pixels)  # type: ignore[arg-type]
        axes.imshow(picture, extent=window, interpolation="none", aspect="auto")
        for line in rods(result, sample) @ camera.axes.T:
            axes.plot(line[:, 0], line[:, 1], color=_QUIET, linewidth=1.6, zorder=0.5 if False else 2, solid_capstyle="round")
        axes.set_axis_off()
        time = result.recording.pose_time[sample]
        label = f"{chr(97 + place)}   {time:.3f} s"
        axes.set_title(label, fontsize=10, color=_INK, y=-0.02 - 0.16 / (tall * height_inches), pad=0.0, va="top")
        if follows:
            height = _height(result, sample)
            if height is not None:
                axes.text(0.5, 0.99, f"{height:.2f} m above ground", transform=axes.transAxes, ha="center", va="top",
                          fontsize=8, color=_QUIET)  # fmt: skip
        if place == 0:
            _draw_scale(axes, window)


def _draw_scale(axes: Any, window: tuple[float, ...]) -> None:
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


def _draw_curve(axes: Any, result: Result, moments: list[int]) -> None:
    """Resultant acceleration of the head (or the first sensor) with the windows of the HIC and the moments shown above."""
    summary = result.summary()
    peaks = summary["peaks"]
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    axes.tick_params(labelsize=9, colors=_INK)
    axes.set_xlabel("time [s]", fontsize=10)
    times = result.recording.pose_time[moments]
    axes.set_xlim(times[0], max(times[-1], times[0] + 1e-9))
    if not peaks:
        _draw_energy(axes, result)
    else:
        name, peak = next(iter(peaks.items()))
        time, acceleration = result.resultant_g(name)
        axes.plot(time, acceleration, color=_HEAD_LINE, linewidth=1.2, zorder=3)
        axes.fill_between(time, acceleration, color=_HEAD_LINE, alpha=0.10, linewidth=0, zorder=2)
        axes.set_ylabel(f"{name} acceleration [g]", fontsize=10)
        axes.set_ylim(0.0, 1.22 * max(peak["acceleration_g"] or 0.0, 1e-6))
        for criterion, colour in (("HIC36", _HIC36), ("HIC15", _HIC15)):
            found = peak.get(criterion)
            if found and found["value"] > 0.0:
                label = f"{criterion} = {found['value']:.0f}   ({found['t1']:.4f} to {found['t2']:.4f} s)"
                axes.axvspan(found["t1"], found["t2"], color=colour, alpha=0.55, linewidth=0, label=label, zorder=1)
        if "HIC15" in peak:
            handles, labels = axes.get_legend_handles_labels()
            axes.legend(handles[::-1], labels[::-1], loc="upper left", fontsize=9, frameon=False)
        if peak["acceleration_g"]:
            axes.annotate(
                f"{peak['acceleration_g']:.3g} g at {peak['time']:.4f} s",
                (peak["time"], peak["acceleration_g"]), xytext=(6, 3), textcoords="offset points", fontsize=9, color=_HEAD_LINE,
                ha="left" if peak["time"] < 0.75 * times[-1] + 0.25 * times[0] else "right",
            )  # fmt: skip
    top = axes.get_ylim()[1]
    for place, time in enumerate(times):
        axes.axvline(time, color=_QUIET, linewidth=0.7, linestyle=(0, (2, 3)), zorder=0)
        axes.text(time, top, chr(97 + place), fontsize=9, color=_QUIET, ha="center", va="bottom")


def _draw_energy(axes: Any, result: Result) -> None:
    """Where nothing is measured: kinetic and potential energy."""
    recording = result.recording
    axes.plot(recording.pose_time, recording.kinetic, color=_HEAD_LINE, label="kinetic")
    axes.plot(recording.pose_time, recording.potential, color=_HIC15, label="potential")
    axes.set_ylabel("energy [J]", fontsize=10)
    axes.legend(fontsize=9, frameon=False)
