"""A small renderer: ellipsoids and one ground plane, seen without perspective, exact to the pixel. SI units.

Every pixel is a ray along the direction of view, and ray against ellipsoid is a quadratic equation, so outlines, hidden
parts, intersections of overlapping bodies and shadows come out right by themselves. Plain numpy.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

#: direction towards the light, from above and over the viewer's left shoulder
_LIGHT = np.array([-0.35, 0.45, 1.0])
_AMBIENT = 0.62
_OUTLINE = 0.30  # a surface this steep to the view is drawn darker
_GROUND = np.array([0.93, 0.93, 0.91])
_GRID = np.array([0.80, 0.80, 0.78])
_SHADOW = 0.62


class Camera(NamedTuple):
    """Directions of the picture in the world: to the right, up, and towards the viewer; unit vectors."""

    right: np.ndarray
    up: np.ndarray
    towards: np.ndarray

    @classmethod
    def at(cls, azimuth: float, elevation: float) -> Camera:
        """The camera that stands at an azimuth (from x towards y) and an elevation above the horizon [rad]."""
        right = np.array([-np.sin(azimuth), np.cos(azimuth), 0.0])
        towards = np.array(
            [np.cos(elevation) * np.cos(azimuth), np.cos(elevation) * np.sin(azimuth), np.sin(elevation)]
        )
        return cls(right, np.cross(towards, right), towards)

    @property
    def axes(self) -> np.ndarray:
        """The three directions as rows: world to picture (3, 3)."""
        return np.array([self.right, self.up, self.towards])


@dataclass(frozen=True)
class Ellipsoids:
    """Ellipsoids in the world.

    centre  (n, 3) [m]
    spread  (n, 3, 3) [m2]: R diag(semi-axes squared) R'; the surface is (p - c)' spread^-1 (p - c) = 1
    colour  (n, 3) red, green, blue, 0 to 1
    """

    centre: np.ndarray
    spread: np.ndarray
    colour: np.ndarray

    def seen(self, camera: Camera) -> Ellipsoids:
        """The same in the axes of the picture."""
        axes = camera.axes
        return Ellipsoids(self.centre @ axes.T, axes @ self.spread @ axes.T, self.colour)

    def extent(self) -> tuple[np.ndarray, np.ndarray]:
        """Lowest and highest coordinates of every ellipsoid (n, 3) [m]: its bounding box is exact."""
        half = np.sqrt(np.einsum("nii->ni", self.spread))
        return self.centre - half, self.centre + half


@dataclass(frozen=True)
class Plane:
    """A plane in the world: a point of it [m], its unit normal, and where on it the drawing is centred [m]."""

    point: np.ndarray
    normal: np.ndarray
    centre: np.ndarray
    radius: float


def render(
    bodies: Ellipsoids,
    ground: Plane | None,
    camera: Camera,
    window: tuple[float, float, float, float],
    pixels: tuple[int, int],
    *,
    smooth: int = 2,
) -> np.ndarray:
    """The picture as red, green, blue (height, width, 3), 0 to 1, first row on top.

    window  left, right, bottom, top in the plane of the picture [m]
    pixels  width, height
    smooth  each pixel is the mean of smooth x smooth rays
    """
    width, height = pixels[0] * smooth, pixels[1] * smooth
    left, right, bottom, top = window
    x = left + (np.arange(width) + 0.5) / width * (right - left)
    y = top - (np.arange(height) + 0.5) / height * (top - bottom)
    picture = np.ones((height, width, 3))
    depth = np.full((height, width), -np.inf)  # along the direction towards the viewer
    seen = bodies.seen(camera)
    if ground is not None and ground.normal @ camera.towards > 0.02:
        _draw_ground(picture, depth, seen, ground, camera, x, y)
    light = _light(camera)
    lowest, highest = seen.extent()
    for centre, spread, colour, low, high in zip(seen.centre, seen.spread, seen.colour, lowest, highest, strict=True):
        columns = slice(*np.searchsorted(x, (low[0], high[0])))
        rows = slice(*np.searchsorted(-y, (-high[1], -low[1])))
        if columns.start < columns.stop and rows.start < rows.stop:
            part = (picture[rows, columns], depth[rows, columns])
            _draw_ellipsoid(*part, centre, np.linalg.inv(spread), colour, light, x[columns], y[rows])
    return picture.reshape(pixels[1], smooth, pixels[0], smooth, 3).mean(axis=(1, 3))


def _light(camera: Camera) -> np.ndarray:
    """Direction towards the light in the axes of the picture, the same for the viewer from everywhere."""
    level = np.array([camera.towards[0], camera.towards[1], 0.0])
    level /= np.linalg.norm(level) or 1.0
    world = _LIGHT[0] * camera.right + _LIGHT[1] * level + np.array([0.0, 0.0, _LIGHT[2]])
    return camera.axes @ (world / np.linalg.norm(world))


def _draw_ellipsoid(picture, depth, centre, form, colour, light, x, y) -> None:  # type: ignore[no-untyped-def]
    """One ellipsoid over what is there, where it is nearer."""
    dx, dy = np.meshgrid(x - centre[0], y - centre[1])
    # along the ray z: form_zz z2 + 2 b z + c = 0, the root nearest to the viewer
    b = form[0, 2] * dx + form[1, 2] * dy
    c = form[0, 0] * dx * dx + 2.0 * form[0, 1] * dx * dy + form[1, 1] * dy * dy - 1.0
    inside = b * b - form[2, 2] * c
    hit = inside > 0.0
    dz = (np.sqrt(np.maximum(inside, 0.0)) - b) / form[2, 2]
    nearer = hit & (dz + centre[2] > depth)
    normal = np.stack([dx, dy, dz], axis=-1)[nearer] @ form
    normal /= np.linalg.norm(normal, axis=-1, keepdims=True)
    shade = _AMBIENT + (1.0 - _AMBIENT) * np.maximum(normal @ light, 0.0)
    shade *= np.where(normal[:, 2] < _OUTLINE, 0.55 + 0.45 * normal[:, 2] / _OUTLINE, 1.0)
    gloss = 0.18 * np.maximum(normal @ (light + [0, 0, 1]) / np.linalg.norm(light + [0, 0, 1]), 0.0) ** 24
    picture[nearer] = np.clip(shade[:, None] * colour + gloss[:, None], 0.0, 1.0)
    depth[nearer] = (dz + centre[2])[nearer]


def _draw_ground(picture, depth, seen, ground, camera, x, y) -> None:  # type: ignore[no-untyped-def]
    """The plane with a grid of half metres and the shadows of the bodies, fading out around its centre."""
    axes = camera.axes
    point, normal, middle = axes @ ground.point, axes @ ground.normal, axes @ ground.centre
    px, py = np.meshgrid(x, y)
    pz = point[2] - ((px - point[0]) * normal[0] + (py - point[1]) * normal[1]) / normal[2]
    place = np.stack([px, py, pz], axis=-1)

    # two directions in the plane, as level as can be
    along = np.cross(ground.normal, [1.0, 0.0, 0.0] if abs(ground.normal[0]) < 0.9 else [0.0, 1.0, 0.0])
    along /= np.linalg.norm(along)
    across = np.cross(along, ground.normal)
    pixel = abs(x[1] - x[0])
    line = np.zeros(px.shape)
    for direction in (along, across):
        coordinate = (place - point) @ (axes @ direction)
        slope = pixel * (abs((axes @ direction)[0]) + abs((axes @ direction)[1]) / normal[2])
        off = abs((coordinate + 0.25) % 0.5 - 0.25)
        line = np.maximum(line, np.clip(1.5 - off / slope, 0.0, 1.0))
    colour = _GROUND + line[..., None] * (_GRID - _GROUND)

    light = _light(camera)
    shadow = np.zeros(px.shape, dtype=bool)
    for centre, spread in zip(seen.centre, seen.spread, strict=True):
        form = np.linalg.inv(spread)
        offset = place - centre
        turned = offset @ form
        a, b, c = light @ form @ light, turned @ light, np.einsum("...i,...i", turned, offset) - 1.0
        inside = b * b - a * c
        shadow |= (inside > 0.0) & (np.sqrt(np.maximum(inside, 0.0)) > b)
    colour = np.where(shadow[..., None], _SHADOW * colour, colour)

    distance = np.linalg.norm(place - middle, axis=-1) / ground.radius
    fade = np.clip(1.6 - 1.6 * distance, 0.0, 1.0)[..., None]
    fade = fade * fade * (3.0 - 2.0 * fade)
    picture[...] = 1.0 - fade * (1.0 - colour)
    depth[...] = np.where(fade[..., 0] > 0.0, pz, -np.inf)
