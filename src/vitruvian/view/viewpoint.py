"""Named cameras, the window of a picture, and one snapshot of a scene as an image. SI units."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..errors import InputError, nearest
from .renderer import Camera, Ellipsoids, Plane, Triangles, render

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


@dataclass(frozen=True)
class Snapshot:
    """Everything at one time, in world axes.

    time        [s]
    ellipsoids  ellipsoids and spheres of the bodies
    solids      their other shapes, and rods
    surfaces    surfaces of faces, and the finite parts that are drawn of planes other than the ground
    ground      or None
    """

    time: float
    ellipsoids: Ellipsoids
    solids: Triangles
    surfaces: Triangles
    ground: Plane | None

    def extent(self, camera: Camera) -> tuple[np.ndarray, np.ndarray]:
        """Return the lowest and highest coordinates of the bodies in the axes of the picture [m]."""
        low, high = self.ellipsoids.seen(camera).extent()
        shown = self.solids if len(low) + len(self.solids.corner) else self.surfaces
        points = shown.corner.reshape(-1, 3) @ camera.axes.T
        return np.vstack([low, points]).min(axis=0), np.vstack([high, points]).max(axis=0)

    @property
    def height(self) -> float | None:
        """The lowest point of all bodies above the ground [m]; None without bodies or ground."""
        if self.ground is None or not len(self.ellipsoids.centre) + len(self.solids.corner):
            return None
        normal = self.ground.normal
        reach = np.sqrt(np.einsum("i,nij,j->n", normal, self.ellipsoids.spread, normal))
        levels = [(self.ellipsoids.centre - self.ground.point) @ normal - reach]
        levels.append(((self.solids.corner - self.ground.point) @ normal).ravel())
        return float(np.concatenate(levels).min())


def camera_named(name: str) -> Camera:
    """Return the camera of a view: side, front, top, oblique, ..."""
    if name not in VIEWS:
        raise InputError(f"there is no camera {name!r}; accepted: {', '.join(VIEWS)}.{nearest(name, VIEWS)}")
    azimuth, elevation = np.radians(VIEWS[name])
    return Camera.at(azimuth, elevation)


def image(shown: Snapshot, camera: Camera, window: Window, pixels: tuple[int, int], *, smooth: int = 2) -> np.ndarray:
    """Return a snapshot as red, green, blue (height, width, 3), 0 to 1, first row on top.

    pixels  width and height
    smooth  each pixel is the mean of smooth x smooth rays
    """
    triangles = Triangles.joined([shown.solids, shown.surfaces])
    return render(shown.ellipsoids, shown.ground, camera, window, pixels, triangles=triangles, smooth=smooth)


def windows(shown: list[Snapshot], camera: Camera, *, follow: bool | None = None) -> list[Window]:
    """Return the window of each picture of a row, all of one size and scale, each with its bodies in the middle.

    The camera stays level if the whole motion fits. Otherwise, or with `follow`, it moves up and down with the bodies
    and stops at the ground. All bodies are inside, and the surfaces near them.
    """
    boxes = [_box(one, camera) for one in shown]
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


def track(shown: list[Snapshot], camera: Camera, shape: float, *, follow: bool | None = None) -> list[Window]:
    """Return the windows of the pictures of a film, of one size: fixed, or moving smoothly with the bodies.

    shape   width over height of the picture [-]
    follow  whether the camera moves along; default: if the whole motion is much larger than the bodies
    """
    box = np.array([_box(one, camera) for one in shown])
    widest, highest = np.ptp(box[:, :2], axis=1).max(), np.ptp(box[:, 2:], axis=1).max()
    low, high = box[:, ::2].min(axis=0), box[:, 1::2].max(axis=0)
    near, all_of_it = (max(1.16 * up, 1.10 * along / shape) for along, up in ((widest, highest), high - low))
    if follow is None:
        follow = all_of_it > _LOOSE * near
    tall = near if follow else all_of_it
    middle = 0.5 * (box[:, ::2] + box[:, 1::2]) if follow else np.tile(0.5 * (low + high), (len(shown), 1))
    if follow:
        middle = _glide(middle)
        # on the ground it rests: nothing is to be seen below
        middle[:, 1] = np.maximum(middle[:, 1], low[1] + 0.42 * tall)
    half = 0.5 * tall
    return [(x - half * shape, x + half * shape, y - half, y + half) for x, y in middle.tolist()]


def _box(shown: Snapshot, camera: Camera) -> tuple[float, float, float, float]:
    """Bodies and what of the surfaces is near them: left, right, bottom, top [m]."""
    low, high = shown.extent(camera)
    near = _NEAR * (high - low)[:2].max()
    corner = shown.surfaces.corner @ camera.axes.T
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
