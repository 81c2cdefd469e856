"""The camera of a photo, found from points of known place: a pinhole with one radial distortion. SI units and pixels.

    x, y  = X / Z, Y / Z                       in the axes of the camera: to the right, down, along the view
    u, v  = centre + focal (1 + k (x2 + y2)) (x, y)

The principal point is the middle of the photo and pixels are square. The start is a linear solution (DLT) for points in
space and a homography for points in a plane; Levenberg-Marquardt then minimises the distances in the photo.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from ..data.file import read_csv, read_text
from ..errors import InputError, located, shown
from ..units import parse_unit

HEADINGS = ("u [px]", "v [px]", "x [m]", "y [m]", "z [m]")
_NEAR = 0.05  # [m], nearer to the camera nothing is projected
_FLAT = 0.02  # points are in one plane if they leave it by less than this share of their extent
_GUESSES = (0.4, 0.7, 1.2, 2.0, 4.0)  # focal lengths to start from, of the width of the photo
_WARN, _REFUSE = 0.002, 0.005  # reprojection error, of the diagonal of the photo
_VAGUE = 0.25  # a focal length or distance with a larger relative standard error is not determined
_LEAST = 1.0  # [px], reading error of a point, at least
_DISTORTED = 8  # points needed for a distortion


@dataclass(frozen=True)
class MatchedCamera:
    """The pose and lens of a camera.

    size      width and height of the photo [px]
    focal     focal length [px]
    turn      rows: directions of the photo in the world, to the right, down and along the view (3, 3)
    position  of the camera in the world (3,) [m]
    radial    distortion k [-]
    """

    size: tuple[int, int]
    focal: float
    turn: np.ndarray
    position: np.ndarray
    radial: float = 0.0

    def project(self, points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the places of points (..., 3) [m] in the photo (..., 2) [px] and their distances along the view [m].

        The place of a point that is not in front of the camera has no meaning.
        """
        seen = (points - self.position) @ self.turn.T
        ray = seen[..., :2] / np.maximum(seen[..., 2:], _NEAR)
        stretch = 1.0 + self.radial * (ray**2).sum(axis=-1, keepdims=True)
        return 0.5 * np.array(self.size) + self.focal * stretch * ray, seen[..., 2]

    def visible(self, points: np.ndarray) -> np.ndarray:
        """Return which points (..., 3) are in front of the camera, where its distortion is one-to-one."""
        seen = (points - self.position) @ self.turn.T
        ray = seen[..., :2] / np.maximum(seen[..., 2:], _NEAR)
        return (seen[..., 2] > _NEAR) & (1.0 + 3.0 * self.radial * (ray**2).sum(axis=-1) > 0.1)

    def scaled(self, size: tuple[int, int]) -> MatchedCamera:
        """Return the camera of the photo in another size of the same shape."""
        return replace(self, size=size, focal=self.focal * size[0] / self.size[0])


@dataclass(frozen=True)
class Match:
    """A camera and how well it is known.

    camera   the camera
    error    distance of each point from its place in the photo (point,) [px]
    spare    equations less unknowns: with few, a small error shows little
    spread   standard error of the focal length [px] and of the position of the camera [m]
    """

    camera: MatchedCamera
    error: np.ndarray
    spare: int
    spread: tuple[float, float]

    @property
    def rms(self) -> float:
        """Root mean square of the error [px]."""
        return float(np.sqrt(np.mean(self.error**2)))

    @property
    def quality(self) -> str:
        """The error in words."""
        return f"error {_pixels(self.rms)} rms, {_pixels(float(self.error.max()))} at most"

    def words(self) -> str:
        """Return the match in one line."""
        x, y, z = self.camera.position
        lens = f", distortion {self.camera.radial:+.3f}" if self.camera.radial else ""
        return (
            f"Camera matched to {len(self.error)} points: {self.quality}; "
            f"focal length {self.camera.focal:.0f} px (standard error {self.spread[0]:.0f}){lens}; "
            f"position x {x:.2f}, y {y:.2f}, z {z:.2f} m (standard error {self.spread[1]:.2g} m)"
        )

    def doubts(self) -> list[str]:
        """Return what speaks against the match."""
        found = []
        if self.rms > _WARN * np.hypot(*self.camera.size):
            worst = int(self.error.argmax())
            found.append(
                f"the points fit the photo only to {_pixels(self.rms)}; point {worst + 1} is "
                f"{_pixels(float(self.error[worst]))} off. Check its place in the photo and its coordinates."
            )
        if self.spare < 4:
            found.append(
                f"the match has {self.spare} equations more than unknowns, so a small error does not show that it is "
                "right. Give more points."
            )
        return found


def _pixels(value: float) -> str:
    return f"{value:.1f} px"


# reading


def read_points(path: str | Path) -> tuple[np.ndarray, np.ndarray]:
    """Return the places of points in the photo (n, 2) [px] and in the world (n, 3) [m] from a CSV file."""
    path = Path(path)
    lines = [line for line in read_text(path, latin=True).splitlines() if line.strip() and line.lstrip()[0] != "#"]
    if not lines:
        raise InputError(f"{path} is empty; expected the heading {','.join(HEADINGS)} and a row for each point.")
    separator = max(",;\t", key=lines[0].count)
    with located(path):
        rows = read_csv(lines, separator)
    columns, factors = {}, {}
    for at, heading in enumerate(rows[0]):
        name, _, unit = heading.strip().partition("[")
        name, unit = name.strip().lower(), unit.rstrip("]").strip()
        if name in columns:
            raise InputError(f"{path} has two columns {name}.")
        columns[name] = at
        if name in ("u", "v"):
            if unit != "px":
                raise InputError(f"{path}: the heading is {shown(heading)}; expected {name} [px].")
            factors[name] = 1.0
        elif name in ("x", "y", "z"):
            if not unit:
                raise InputError(f"{path}: the heading {shown(heading)} has no unit; write {name} [m].")
            with located(f"{path}: {name}"):
                factors[name] = parse_unit(unit, "length")[0]
    missing = [heading for heading in HEADINGS if heading[0] not in columns]
    if missing:
        raise InputError(f"{path} has no column {', '.join(missing)}; the heading is {','.join(HEADINGS)}.")
    table = np.array([[_number(path, row, columns, name) * factors[name] for name in "uvxyz"] for row in rows[1:]])
    table = table.reshape(-1, 5)
    return table[:, :2], table[:, 2:]


def _number(path: Path, row: list[str], columns: dict[str, int], name: str) -> float:
    cell = row[columns[name]].strip() if columns[name] < len(row) else ""
    try:
        value = float(cell)
    except ValueError:
        value = float("nan")
    if not np.isfinite(value):
        raise InputError(f"{path}: {name} is {shown(cell)} in the row {','.join(row)[:60]}; expected a number.")
    return value


# matching


def match(
    pixels: np.ndarray,
    world: np.ndarray,
    size: tuple[int, int],
    *,
    focal: float | None = None,
    distortion: bool = False,
) -> Match:
    """Return the camera that sees points of the world where they are in a photo.

    pixels      from the left and upper edge of the photo (n, 2) [px]
    world       (n, 3) [m]; six or more, or four or more in one plane
    size        width and height of the photo [px]
    focal       focal length if it is known [px]
    distortion  find the radial distortion as well
    """
    pixels, world = np.asarray(pixels, dtype=float), np.asarray(world, dtype=float)
    flat = _refuse(pixels, world, size, focal, distortion)
    candidates = [] if flat else _from_space(pixels, world, size, focal)
    candidates += _from_plane(pixels, world, size, focal)
    tried = [_refined(start, pixels, world, focal is None, distortion) for start in candidates]
    found = [one for one in tried if one is not None]
    if not found:
        raise InputError(
            "no camera sees the points where they are in the photo. Check that v goes down from the upper edge, and "
            "that x, y, z are right-handed with z up."
        )
    best = min(found, key=lambda one: one.rms)
    if best.rms > _REFUSE * np.hypot(*size):
        worst = int(best.error.argmax())
        raise InputError(
            f"the points do not fit the photo: the best camera misses them by {best.rms:.3g} px rms, point {worst + 1} "
            f"by {best.error[worst]:.3g} px; accepted {_REFUSE * np.hypot(*size):.3g} px rms. Check the points, that v "
            "goes down from the upper edge, and that x, y, z are right-handed with z up. The photo must not be cropped."
        )
    distance = np.linalg.norm(best.camera.position - world.mean(axis=0))
    if not (best.spread[0] < _VAGUE * best.camera.focal and best.spread[1] < _VAGUE * distance):
        raise InputError(
            f"the points do not determine the camera: a reading error of {max(_LEAST, best.rms):.2g} px changes the "
            f"focal length of {best.camera.focal:.0f} px by {best.spread[0]:.2g} px and moves the camera by "
            f"{best.spread[1]:.2g} m. Give points that are further apart in depth, or the focal length (--focal)."
        )
    return best


def _refuse(
    pixels: np.ndarray, world: np.ndarray, size: tuple[int, int], focal: float | None, distortion: bool
) -> bool:
    """Refuse points that cannot give a camera; return whether they are in one plane."""
    count = len(world)
    if focal is not None and not 0.1 * max(size) <= focal <= 100.0 * max(size):
        raise InputError(
            f"the focal length is {focal:g} px; accepted {0.1 * max(size):g} to {100 * max(size):g} px. It is "
            "the focal length in mm over the width of the sensor in mm, times the width of the photo in px."
        )
    if count < 4:
        raise InputError(f"{count} points are given; expected at least 6, or 4 if all are in one plane.")
    out = np.flatnonzero(((pixels < 0.0) | (pixels > size)).any(axis=1))
    if len(out):
        u, v = pixels[out[0]]
        raise InputError(
            f"point {out[0] + 1} is at u {u:g}, v {v:g} px, outside the photo of {size[0]} x {size[1]} px. Were the "
            "points read in a photo of another size?"
        )
    for what, points in (("the photo", pixels), ("the world", world)):
        _, first = np.unique(points, axis=0, return_index=True)
        if len(first) < count:
            twice = min(set(range(count)) - set(first.tolist()))
            raise InputError(f"point {twice + 1} is given twice: an earlier one has the same place in {what}.")
    extent = np.linalg.svd(world - world.mean(axis=0), compute_uv=False)
    if extent[1] < _FLAT * extent[0]:
        raise InputError("all points are close to one line; give points that are spread in space.")
    flat = bool(extent[2] < _FLAT * extent[0])
    if not flat and count < 6:
        raise InputError(f"{count} points that are not in one plane are given; expected at least 6, or 4 in a plane.")
    if distortion and count < _DISTORTED:
        raise InputError(f"{count} points are given; the distortion needs at least {_DISTORTED}.")
    return flat


def _from_space(
    pixels: np.ndarray, world: np.ndarray, size: tuple[int, int], focal: float | None
) -> list[MatchedCamera]:
    """Return the linear solution (direct linear transformation) for points that are not in one plane."""
    middle, scale = world.mean(axis=0), np.abs(world - world.mean(axis=0)).max()
    ray, unit = (pixels - 0.5 * np.array(size)) / max(size), (world - middle) / scale
    solved = _linear(np.column_stack([unit, np.ones(len(unit))]), ray)
    left = solved[:, :3] * np.sign(np.linalg.det(solved[:, :3]) or 1.0)
    # left = K R: the last row of R, and the lengths of the others in K without skew
    along = left[2] / np.linalg.norm(left[2])
    lengths = [np.linalg.norm(row / np.linalg.norm(left[2]) - (row @ along) / np.linalg.norm(left[2]) * along)
               for row in left[:2]]  # fmt: skip
    right = left[0] - (left[0] @ along) * along
    right /= np.linalg.norm(right)
    turn = np.array([right, np.cross(along, right), along])
    try:
        position = middle - scale * np.linalg.solve(solved[:, :3], solved[:, 3])
    except np.linalg.LinAlgError:
        return []
    return [MatchedCamera(size, focal or float(np.mean(lengths)) * max(size), turn, position)]


def _from_plane(
    pixels: np.ndarray, world: np.ndarray, size: tuple[int, int], focal: float | None
) -> list[MatchedCamera]:
    """Return cameras from the homography of the plane that is nearest to all points, for several focal lengths."""
    middle = world.mean(axis=0)
    axes = np.linalg.svd(world - middle)[2]
    axes[2] *= np.linalg.det(axes)
    flat = (world - middle) @ axes[:2].T
    ray = (pixels - 0.5 * np.array(size)) / max(size)
    homography = _linear(np.column_stack([flat, np.ones(len(flat))]), ray)
    a, b = homography[:, 0], homography[:, 1]
    # the columns of K^-1 H are orthogonal and of one length: two equations for 1 / focal^2
    slope = np.array([a[0] * b[0] + a[1] * b[1], (a[:2] ** 2).sum() - (b[:2] ** 2).sum()])
    level = np.array([a[2] * b[2], a[2] ** 2 - b[2] ** 2])
    inverse = -(slope @ level) / max(slope @ slope, 1e-300)
    guesses = [focal / max(size)] if focal else [*_GUESSES, *([inverse**-0.5] if inverse > 1e-6 else [])]
    found = []
    for guess in guesses:
        columns = homography / np.array([guess, guess, 1.0])[:, None]
        columns = columns / np.sqrt(np.linalg.norm(columns[:, 0]) * np.linalg.norm(columns[:, 1]))
        if columns[2, 2] < 0.0:  # the middle of the points is in front of the camera
            columns = -columns
        left, _, right = np.linalg.svd(np.column_stack([columns[:, :2], np.cross(columns[:, 0], columns[:, 1])]))
        turn = left @ np.diag([1.0, 1.0, np.linalg.det(left @ right)]) @ right @ axes
        found.append(MatchedCamera(size, guess * max(size), turn, middle - turn.T @ columns[:, 2]))
    return found


def _linear(points: np.ndarray, ray: np.ndarray) -> np.ndarray:
    """Return the matrix that takes homogeneous points to homogeneous rays, with the least algebraic error."""
    nothing = np.zeros_like(points)
    rows = np.vstack(
        [np.hstack([points, nothing, -ray[:, :1] * points]), np.hstack([nothing, points, -ray[:, 1:] * points])]
    )
    return np.linalg.svd(rows)[2][-1].reshape(3, -1)


def _refined(
    start: MatchedCamera, pixels: np.ndarray, world: np.ndarray, free_focal: bool, distortion: bool
) -> Match | None:
    """Return the camera with the least squares of the distances in the photo; None if it sees a point from behind."""
    from scipy.optimize import least_squares
    from scipy.spatial.transform import Rotation

    reach = max(float(np.linalg.norm(start.position - world.mean(axis=0))), _NEAR)

    def camera(unknown: np.ndarray) -> MatchedCamera:
        turn = Rotation.from_rotvec(unknown[:3]).as_matrix() @ start.turn
        return MatchedCamera(
            start.size,
            start.focal * float(np.exp(np.clip(unknown[6], -5.0, 5.0))) if free_focal else start.focal,
            turn,
            start.position + reach * unknown[3:6],
            float(unknown[-1]) if distortion else 0.0,
        )

    def miss(unknown: np.ndarray) -> np.ndarray:
        return (camera(unknown).project(world)[0] - pixels).ravel()

    unknowns = 6 + free_focal + distortion
    if not np.isfinite(miss(np.zeros(unknowns))).all():
        return None
    solution: Any = least_squares(miss, np.zeros(unknowns), method="lm", xtol=1e-14, ftol=1e-14, gtol=1e-14)
    best = camera(solution.x)
    place, depth = best.project(world)
    if not (depth > _NEAR).all() or not best.visible(world).all():
        return None
    spare = 2 * len(world) - unknowns
    reading = max(_LEAST, float(np.sqrt(2.0 * solution.cost / max(spare, 1))))
    # by singular values: the inverse of nearly singular normal equations may have variances below zero
    _, strength, ways = np.linalg.svd(solution.jac, full_matrices=False)
    spread = reading * np.linalg.norm(ways / np.maximum(strength, 1e-100)[:, None], axis=0)
    known = (float(spread[6] * best.focal) if free_focal else 0.0, float(reach * np.linalg.norm(spread[3:6])))
    return Match(best, np.linalg.norm(place - pixels, axis=1), spare, known)
