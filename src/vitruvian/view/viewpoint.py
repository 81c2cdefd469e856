"""Where the camera stands and what it sees: named views, the window of a picture, and one moment as an image. SI."""

from __future__ import annotations

import numpy as np

from ..errors import InputError, nearest
from .renderer import Camera, Triangles, render
from .stage import Moment
from .theatre import bar

#: left, right, bottom, top in the plane of the picture [m]
Window = tuple[float, float, float, float]

#: azimuth from x towards y, and elevation, of the camera [deg]; from the side a person who faces x looks to the right
VIEWS: dict[str, tuple[float, float]] = {
    "oblique": (-58.0, 9.0),
    "side": (-90.0, 5.0),
    "left": (90.0, 5.0),
    "front": (0.0, 5.0),
    "back": (180.0, 5.0),
    "top": (-90.0, 90.0),
}
_NEAR = 0.35  # how far round the bodies surfaces are shown, of the size of the bodies
_LOOSE = 2.0  # a motion that needs a window larger than this, of the size of the bodies, is followed
_GREY = (0.47, 0.47, 0.47)


def camera_named(name: str) -> Camera:
    """The camera of a view: side, front, top, oblique, ..."""
    if name not in VIEWS:
        raise InputError(f"there is no camera {name!r}; accepted: {', '.join(VIEWS)}.{nearest(name, VIEWS)}")
    azimuth, elevation = np.radians(VIEWS[name])
    return Camera.at(azimuth, elevation)


def image(moment: Moment, camera: Camera, window: Window, pixels: tuple[int, int], *, smooth: int = 2) -> np.ndarray:
    """A moment as red, green, blue (height, width, 3), 0 to 1, first row on top.

    pixels  width and height
    smooth  each pixel is the mean of smooth x smooth rays
    """
    triangles = Triangles.joined([moment.solids, moment.surfaces, _bars(moment.rods)])
    return render(moment.balls, moment.ground, camera, window, pixels, triangles=triangles, smooth=smooth)


def windows(moments: list[Moment], camera: Camera, *, follow: bool | None = None) -> list[Window]:
    """The window of each picture of a row, all of one size and scale, each with its bodies in the middle.

    The camera stays level if the whole motion fits; otherwise, or if it is told to follow, it goes up and down with
    the bodies, and rests on the ground as soon as that comes into sight. All bodies are inside; of the surfaces what
    is near them.
    """
    boxes = [_box(moment, camera) for moment in moments]
    box = np.array(boxes)
    size = max(np.ptp(box[:, :2], axis=1).max(), np.ptp(box[:, 2:], axis=1).max())
    wide = 1.10 * max(np.ptp(box[:, :2], axis=1).max(), 0.5 * size)
    bottom, top = box[:, 2].min() - 0.10 * size, box[:, 3].max() + 0.04 * size
    if follow is None:
        follow = top - bottom > _LOOSE * size
    found = []
    for left, right, low, _ in boxes:
        middle = 0.5 * (left + right)
        if follow:
            floor = box[:, 2].min() - 0.12 * size
            bottom = max(floor, low - 0.30 * size)
            top = bottom + 1.36 * size
        found.append((middle - wide / 2.0, middle + wide / 2.0, bottom, top))
    return found


def track(moments: list[Moment], camera: Camera, shape: float, *, follow: bool | None = None) -> list[Window]:
    """The windows of the pictures of a film, of one size: at rest, or gliding along with the bodies.

    shape   width over height of the picture [-]
    follow  whether the camera goes along; unless said, where the whole motion needs much more room than the bodies
    """
    box = np.array([_box(moment, camera) for moment in moments])
    widest, highest = np.ptp(box[:, :2], axis=1).max(), np.ptp(box[:, 2:], axis=1).max()
    low, high = box[:, ::2].min(axis=0), box[:, 1::2].max(axis=0)
    near, all_of_it = (max(1.16 * up, 1.10 * along / shape) for along, up in ((widest, highest), high - low))
    if follow is None:
        follow = all_of_it > _LOOSE * near
    tall = near if follow else all_of_it
    middle = 0.5 * (box[:, ::2] + box[:, 1::2]) if follow else np.tile(0.5 * (low + high), (len(moments), 1))
    if follow:
        middle = _glide(middle)
        # on the ground it rests: nothing is to be seen below
        middle[:, 1] = np.maximum(middle[:, 1], low[1] + 0.42 * tall)
    half = 0.5 * tall
    return [(x - half * shape, x + half * shape, y - half, y + half) for x, y in middle.tolist()]


def _box(moment: Moment, camera: Camera) -> tuple[float, float, float, float]:
    """Bodies and what of the surfaces is near them: left, right, bottom, top [m]."""
    low, high = moment.extent(camera)
    near = _NEAR * (high - low)[:2].max()
    corner = moment.surfaces.corner @ camera.axes.T
    lowest, highest = np.maximum(corner.min(axis=1), low - near), np.minimum(corner.max(axis=1), high + near)
    shown = (lowest <= highest)[:, :2].all(axis=1)
    low, high = np.vstack([low, lowest[shown]]).min(axis=0), np.vstack([high, highest[shown]]).max(axis=0)
    return low[0], high[0], low[1], high[1]


def _glide(path: np.ndarray) -> np.ndarray:
    """A path (n, 2) without its jitter: the mean over a tenth of it on either side, less at its ends."""
    count = len(path)
    total = np.vstack([np.zeros(2), np.cumsum(path, axis=0)])
    at = np.arange(count)
    reach = np.minimum(np.minimum(at, count - 1 - at), max(count // 10, 1))
    return (total[at + reach + 1] - total[at - reach]) / (2 * reach + 1)[:, None]


def _bars(rods: np.ndarray) -> Triangles:
    """Rods (n, 2, 3) [m] as thin bars."""
    parts = []
    for start, end in rods:
        if np.linalg.norm(end - start) > 0.0:
            vertices, triangles = bar(end - start)
            parts.append(Triangles.of(start + vertices, triangles, _GREY, np.radians(65.0)))
    return Triangles.joined(parts)
