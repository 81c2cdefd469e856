"""A small renderer: ellipsoids, triangles and one ground plane, seen without perspective. SI units.

`perspective.py` draws with perspective by these rays, after it has projected the triangles.

Every pixel is a ray along the direction of view, and ray against ellipsoid is a quadratic equation, ray against
triangle a linear one, so outlines, hidden parts, intersections of overlapping bodies and shadows come out right by
themselves. Plain numpy.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from .raster import corner_normals, covered, weights

#: direction towards the light: to the right, towards the viewer, up
_LIGHT = np.array([-0.55, 0.95, 1.0])
_AMBIENT = 0.58
_OUTLINE = 0.30  # a surface this steep to the view is drawn darker
_GROUND = np.array([0.93, 0.93, 0.91])
_GRID = np.array([0.80, 0.80, 0.78])
_SHADOW = 0.70
_SOFT = 0.25  # width of the edge of an ellipsoid's shadow, of the square of its size
_GLASS = 0.30  # how much a triangle seen from inside the solid hides
_EDGE_ON = 1e-6  # a triangle this steep to the view is not seen
_TOUCHING = 1e-6  # [m], what lies on the ground is seen


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
        """Return the ellipsoids in the axes of the picture."""
        axes = camera.axes
        return Ellipsoids(self.centre @ axes.T, axes @ self.spread @ axes.T, self.colour)

    def extent(self) -> tuple[np.ndarray, np.ndarray]:
        """Lowest and highest coordinates of every ellipsoid (n, 3) [m]: its bounding box is exact."""
        half = np.sqrt(np.einsum("nii->ni", self.spread))
        return self.centre - half, self.centre + half


@dataclass(frozen=True)
class Triangles:
    """Triangles in the world, anticlockwise seen from outside; from inside they are like glass.

    corner  (n, 3, 3) [m]
    normal  (n, 3, 3) unit vectors at the corners, out of the solid
    colour  (n, 3) red, green, blue, 0 to 1
    """

    corner: np.ndarray
    normal: np.ndarray
    colour: np.ndarray

    @classmethod
    def of(
        cls, vertices: np.ndarray, triangles: np.ndarray, colour: tuple[float, float, float], crease: float = 0.0
    ) -> Triangles:
        """Vertices (m, 3) [m] joined by rows of three; shaded as if round up to the angle of a crease [rad]."""
        colours = np.tile(colour, (len(triangles), 1))
        return cls(vertices[triangles], corner_normals(vertices, triangles, crease), colours)

    @classmethod
    def joined(cls, parts: list[Triangles]) -> Triangles:
        """All parts in one; of no parts, no triangles."""
        empty = cls(np.zeros((0, 3, 3)), np.zeros((0, 3, 3)), np.zeros((0, 3)))
        return cls(
            np.concatenate([part.corner for part in [empty, *parts]]),
            np.concatenate([part.normal for part in [empty, *parts]]),
            np.concatenate([part.colour for part in [empty, *parts]]),
        )

    def seen(self, camera: Camera) -> Triangles:
        """Return the triangles in the axes of the picture."""
        return Triangles(self.corner @ camera.axes.T, self.normal @ camera.axes.T, self.colour)

    def moved(self, turn: np.ndarray, position: np.ndarray) -> Triangles:
        """Every triangle turned (n, 3, 3) and then shifted (n, 3) [m]."""
        turn = np.swapaxes(turn, 1, 2)
        return Triangles(self.corner @ turn + position[:, None], self.normal @ turn, self.colour)

    def only(self, which: np.ndarray) -> Triangles:
        """Some of them."""
        return Triangles(self.corner[which], self.normal[which], self.colour[which])


NO_TRIANGLES = Triangles.joined([])


@dataclass(frozen=True)
class Plane:
    """A plane in the world: a point of it [m], its unit normal, and where on it the drawing is centred [m]."""

    point: np.ndarray
    normal: np.ndarray
    centre: np.ndarray
    radius: float


def across(normal: np.ndarray) -> np.ndarray:
    """Two directions in a plane of a unit normal, right-handed with it (2, 3); upright in a wall."""
    along = np.cross(normal, [1.0, 0.0, 0.0] if abs(normal[0]) < 0.9 else [0.0, 1.0, 0.0])
    along /= np.linalg.norm(along)
    return np.array([np.cross(along, normal), along])


def render(
    bodies: Ellipsoids,
    ground: Plane | None,
    camera: Camera,
    window: tuple[float, float, float, float],
    pixels: tuple[int, int],
    *,
    triangles: Triangles = NO_TRIANGLES,
    smooth: int = 2,
) -> np.ndarray:
    """Return the picture as red, green, blue (height, width, 3), 0 to 1, first row on top.

    window  left, right, bottom, top in the plane of the picture [m]
    pixels  width, height
    smooth  each pixel is the mean of smooth x smooth rays
    """
    left, right, bottom, top = window
    grain = (right - left) / pixels[0], (top - bottom) / pixels[1]
    across_view = (left + (np.arange(pixels[0]) + 0.5) * grain[0], top - (np.arange(pixels[1]) + 0.5) * grain[1])
    nothing = Ellipsoids(np.zeros((0, 3)), np.zeros((0, 3, 3)), np.zeros((0, 3)))
    seen, faces = bodies.seen(camera), triangles.seen(camera)
    picture = _traced(nothing, NO_TRIANGLES, ground, camera, *across_view, grain[0], shadows=(bodies, triangles))

    # of several rays a pixel only where there is more than the ground
    low, high = seen.extent()
    corner = faces.corner.reshape(-1, 3)
    if not len(low) + len(corner):
        return picture
    low, high = np.vstack([low, corner]).min(axis=0), np.vstack([high, corner]).max(axis=0)
    columns = slice(
        *np.clip([(low[0] - left) / grain[0] - 1, (high[0] - left) / grain[0] + 2], 0, pixels[0]).astype(int)
    )
    rows = slice(*np.clip([(top - high[1]) / grain[1] - 1, (top - low[1]) / grain[1] + 2], 0, pixels[1]).astype(int))
    if columns.start < columns.stop and rows.start < rows.stop:
        part = (finer(across_view[0][columns], smooth), finer(across_view[1][rows], smooth))
        fine = _traced(seen, faces, ground, camera, *part, grain[0], shadows=(bodies, triangles))
        rays = [fine[row::smooth, column::smooth] for row in range(smooth) for column in range(smooth)]
        picture[rows, columns] = sum(rays[1:], rays[0]) / np.float32(len(rays))
    return picture


def finer(middles: np.ndarray, smooth: int) -> np.ndarray:
    """The rays of evenly spaced pixels, from their middles."""
    step = middles[1] - middles[0] if len(middles) > 1 else 0.0
    return (middles[:, None] + step * ((np.arange(smooth) + 0.5) / smooth - 0.5)).ravel()


def _traced(
    seen: Ellipsoids,
    faces: Triangles,
    ground: Plane | None,
    camera: Camera,
    x: np.ndarray,
    y: np.ndarray,
    pixel: float,
    shadows: tuple[Ellipsoids, Triangles],
) -> np.ndarray:
    """Trace one ray for each x and y: first the ground, then the bodies, in the axes of the picture.

    pixel    size of a pixel [m]
    shadows  bodies that throw them, in the world
    """
    picture = np.ones((len(y), len(x), 3), dtype=np.float32)
    depth = np.full((len(y), len(x)), -np.inf)  # along the direction towards the viewer
    if ground is not None and ground.normal @ camera.towards > 0.02:
        _draw_ground(picture, depth, shadows, ground, camera, x, y, pixel)
    light = light_of(camera)
    lowest, highest = seen.extent()
    for centre, spread, colour, low, high in zip(seen.centre, seen.spread, seen.colour, lowest, highest, strict=True):
        columns = slice(*np.searchsorted(x, (low[0], high[0])))
        rows = slice(*np.searchsorted(-y, (-high[1], -low[1])))
        if columns.start < columns.stop and rows.start < rows.stop:
            part = (picture[rows, columns], depth[rows, columns])
            _draw_ellipsoid(*part, centre, np.linalg.inv(spread), colour, light, x[columns], y[rows])
    draw_faces(picture, depth, faces, light, x, y)
    return picture


def light_of(camera: Camera) -> np.ndarray:
    """Direction towards the light in the axes of the picture, the same for the viewer from everywhere."""
    level = np.array([camera.towards[0], camera.towards[1], 0.0])
    level /= np.linalg.norm(level) or 1.0
    world = _LIGHT[0] * camera.right + _LIGHT[1] * level + np.array([0.0, 0.0, _LIGHT[2]])
    return camera.axes @ (world / np.linalg.norm(world))


def _draw_ellipsoid(
    picture: np.ndarray,
    depth: np.ndarray,
    centre: np.ndarray,
    form: np.ndarray,
    colour: np.ndarray,
    light: np.ndarray,
    x: np.ndarray,
    y: np.ndarray,
) -> None:
    """One ellipsoid over what is there, where it is nearer. Axes of the picture."""
    dx, dy = x[None, :] - centre[0], y[:, None] - centre[1]
    # along the ray z: form_zz z2 + 2 b z + c = 0, the root nearest to the viewer
    b = form[0, 2] * dx + form[1, 2] * dy
    c = form[0, 0] * dx * dx + form[1, 1] * dy * dy - 1.0 + (2.0 * form[0, 1] * dx) * dy
    inside = b * b - form[2, 2] * c
    dz = (np.sqrt(np.maximum(inside, 0.0)) - b) / form[2, 2]
    rows, columns = np.nonzero((inside > 0.0) & (dz + centre[2] > depth))
    hit = np.stack([dx[0, columns], dy[rows, 0], dz[rows, columns]], axis=-1)
    normal = hit @ form
    normal /= np.sqrt(np.einsum("ij,ij->i", normal, normal))[:, None]
    picture[rows, columns] = _shaded(normal, colour, light)
    depth[rows, columns] = hit[:, 2] + centre[2]


def draw_faces(
    picture: np.ndarray, depth: np.ndarray, faces: Triangles, light: np.ndarray, x: np.ndarray, y: np.ndarray
) -> None:
    """Draw the triangles seen from outside, then those seen from inside like glass. Axes of the picture."""
    facing = np.cross(faces.corner[:, 1] - faces.corner[:, 0], faces.corner[:, 2] - faces.corner[:, 0])
    facing /= np.maximum(np.linalg.norm(facing, axis=1, keepdims=True), 1e-300)
    _draw_triangles(picture, depth, faces.only(facing[:, 2] > _EDGE_ON), light, x, y)
    _draw_triangles(picture, depth, faces.only(facing[:, 2] < -_EDGE_ON), light, x, y, opacity=_GLASS)


def _draw_triangles(
    picture: np.ndarray,
    depth: np.ndarray,
    faces: Triangles,
    light: np.ndarray,
    x: np.ndarray,
    y: np.ndarray,
    opacity: float = 1.0,
) -> None:
    """Triangles over what is there, where they are nearer. Axes of the picture."""
    triangle, row, column = covered(faces.corner[..., :2], x, y)
    if not len(triangle):
        return
    # the plane of a triangle: z = level + slope_x x + slope_y y
    origin = faces.corner[:, 0]
    steep = np.cross(faces.corner[:, 1] - origin, faces.corner[:, 2] - origin)
    slope_x, slope_y = -steep[:, 0] / steep[:, 2], -steep[:, 1] / steep[:, 2]
    level = origin[:, 2] - slope_x * origin[:, 0] - slope_y * origin[:, 1]
    z = level[triangle] + slope_x[triangle] * x[column] + slope_y[triangle] * y[row]

    ray = row * len(x) + column
    nearer = np.flatnonzero(z + _TOUCHING > depth.ravel()[ray])
    # written in the order of their distance, so that of all on one ray the nearest stays
    nearer = nearer[np.argsort(z[nearer])]
    last = np.full(depth.size, -1)
    last[ray[nearer]] = nearer
    hit = last[last >= 0]
    triangle, row, column = triangle[hit], row[hit], column[hit]

    # a flat triangle has one colour; on a curved surface the normal goes over from corner to corner
    side = 1.0 if opacity == 1.0 else -1.0
    colour = _shaded(side * faces.normal[:, 0], faces.colour, light, outline=False)[triangle]
    curved = np.flatnonzero((np.ptp(faces.normal, axis=1) > 1e-6).any(axis=1)[triangle])
    bent = triangle[curved]
    share = weights(faces.corner[bent, :, :2], x[column[curved]], y[row[curved]])
    normal = side * np.einsum("ij,ijk->ik", share, faces.normal[bent])
    normal /= np.maximum(np.linalg.norm(normal, axis=1), 1e-12)[:, None]
    colour[curved] = _shaded(normal, faces.colour[bent], light)

    if opacity == 1.0:
        picture[row, column], depth[row, column] = colour, z[hit]
    else:
        picture[row, column] += opacity * (colour - picture[row, column])


def _shaded(normal: np.ndarray, colour: np.ndarray, light: np.ndarray, *, outline: bool = True) -> np.ndarray:
    """Colours of a surface (n, 3) by its unit normals (n, 3); with an outline it is darker where it turns away."""
    shade = _AMBIENT + (1.0 - _AMBIENT) * np.maximum(normal @ light, 0.0)
    if outline:
        shade *= np.where(normal[:, 2] < _OUTLINE, 0.55 + 0.45 * normal[:, 2] / _OUTLINE, 1.0)
    half = light + np.array([0.0, 0.0, 1.0])
    gloss = 0.15 * np.maximum(normal @ half / np.linalg.norm(half), 0.0) ** 24
    return np.clip(shade[:, None] * colour + gloss[:, None], 0.0, 1.0)


def _draw_ground(
    picture: np.ndarray,
    depth: np.ndarray,
    shadows: tuple[Ellipsoids, Triangles],
    ground: Plane,
    camera: Camera,
    x: np.ndarray,
    y: np.ndarray,
    pixel: float,
) -> None:
    """Draw the plane with a grid of half metres and the shadows of a light straight above, fading out to its edge."""
    # two directions in the plane; its coordinates from the centre are linear in those of the picture
    plane = across(ground.normal)
    lean = ground.normal @ camera.towards
    per_x, per_y = (
        plane @ (direction - (direction @ ground.normal) / lean * camera.towards)
        for direction in (camera.right, camera.up)
    )
    middle = camera.axes @ ground.centre

    # only where the disc of the drawing is seen
    columns = _within(x, middle[0], ground.radius * float(np.linalg.norm(plane @ camera.right)))
    rows = _within(-y, -middle[1], ground.radius * float(np.linalg.norm(plane @ camera.up)))
    if columns.start >= columns.stop or rows.start >= rows.stop:
        return
    picture, depth = picture[rows, columns], depth[rows, columns]
    x, y = x[columns] - middle[0], y[rows] - middle[1]
    p, q = (per_x[i] * x[None, :] + per_y[i] * y[:, None] for i in (0, 1))
    fade = np.clip(1.6 - 1.6 / ground.radius * np.sqrt(p * p + q * q), 0.0, 1.0)
    fade *= fade * (3.0 - 2.0 * fade)

    # grid lines of one to two pixels
    line = np.zeros(p.shape)
    start = plane @ (ground.centre - ground.point)
    for coordinate, origin, slope in zip((p, q), start, pixel * (abs(per_x) + abs(per_y)), strict=True):
        off = abs((coordinate + (origin + 0.25)) % 0.5 - 0.25)
        np.maximum(line, np.clip(1.4 - 2.0 * off / slope, 0.0, 1.0), out=line)

    light = _shadow(shadows, ground, camera, (x, y), (p, q))
    for channel in range(3):
        colour = (_GROUND[channel] + line * (_GRID[channel] - _GROUND[channel])) * light
        picture[..., channel] = 1.0 - fade * (1.0 - colour)
    side, climb = camera.right @ ground.normal, camera.up @ ground.normal
    depth[...] = np.where(fade > 0.0, middle[2] - (side * x[None, :] + climb * y[:, None]) / lean, -np.inf)


def _shadow(
    shadows: tuple[Ellipsoids, Triangles],
    ground: Plane,
    camera: Camera,
    rays: tuple[np.ndarray, np.ndarray],
    coordinates: tuple[np.ndarray, np.ndarray],
) -> np.ndarray:
    """Return the light on the ground (row, column), 1 outside all shadows.

    rays         x and y in the picture, from the centre of the ground [m]
    coordinates  in the plane, from its centre, where each ray meets it [m]
    """
    (bodies, triangles), (x, y), (p, q) = shadows, rays, coordinates
    plane = across(ground.normal)
    light = np.ones(p.shape)
    # straight down, every ellipsoid throws an ellipse; `reach` is half its extent in the picture
    for centre, spread in zip(bodies.centre, bodies.spread, strict=True):
        flat = plane @ spread @ plane.T
        cp, cq = plane @ (centre - ground.centre)
        foot = camera.axes @ (plane.T @ (cp, cq))
        reach = [np.sqrt((1.0 + _SOFT) * (side @ flat @ side)) for side in (plane @ camera.right, plane @ camera.up)]
        part = (_within(-y, -foot[1], reach[1]), _within(x, foot[0], reach[0]))
        dp, dq = p[part] - cp, q[part] - cq
        form = np.linalg.inv(flat)
        out = form[0, 0] * dp * dp + form[1, 1] * dq * dq + 2.0 * form[0, 1] * dp * dq - 1.0
        np.minimum(light[part], np.clip(_SHADOW + (1.0 - _SHADOW) / _SOFT * out, _SHADOW, 1.0), out=light[part])

    feet = (triangles.corner - ground.centre) @ plane.T @ plane @ camera.axes[:2].T
    _, row, column = covered(feet, x, y)
    light[row, column] = _SHADOW
    return light


def _within(values: np.ndarray, centre: float, reach: float) -> slice:
    """The part of increasing values that lies within reach of a centre."""
    return slice(*np.searchsorted(values, (centre - reach, centre + reach)).tolist())
