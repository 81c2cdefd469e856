"""A snapshot drawn with perspective over a picture, by the camera of a photo. SI units and pixels.

Ellipsoids become triangles, every corner is projected, and the rays of `renderer.py` meet the projected triangles.
"""

from __future__ import annotations

import numpy as np

from ..model.shape import Sphere
from ..model.shape_mesh import mesh
from .matched_camera import MatchedCamera
from .renderer import Camera, Ellipsoids, Triangles, draw_faces, finer, light_of
from .viewpoint import Snapshot

_SIDES = 24  # triangles round an ellipsoid
_FINE = 4e6  # pixels; larger pictures are drawn with one ray for each pixel


def draw(picture: np.ndarray, shown: Snapshot, camera: MatchedCamera) -> np.ndarray:
    """Return a picture (height, width, 3), 0 to 1, with the people and vehicles of a snapshot in front of it."""
    faces = Triangles.joined([_facets(shown.ellipsoids), shown.solids, shown.surfaces])
    faces = faces.only(np.flatnonzero(camera.visible(faces.corner).all(axis=1)))
    place, depth = camera.project(faces.corner)
    right, down, along = camera.turn
    axes = Camera(right, -down, -along)
    nearness = np.median(depth) ** 2 / depth if depth.size else depth  # about in metres, as the renderer expects
    corner = np.stack([place[..., 0], -place[..., 1], nearness], axis=-1)
    smooth = 2 if camera.size[0] * camera.size[1] <= _FINE else 1
    return _render_over(picture, Triangles(corner, faces.normal @ axes.axes.T, faces.colour), axes, smooth=smooth)


def _facets(ellipsoids: Ellipsoids) -> Triangles:
    """Return ellipsoids as triangles with the normals of the ellipsoids."""
    ball, rows = mesh(Sphere(1.0), _SIDES)
    made = []
    for centre, spread, colour in zip(ellipsoids.centre, ellipsoids.spread, ellipsoids.colour, strict=True):
        length, axes = np.linalg.eigh(spread)
        axes[:, 0] *= np.linalg.det(axes)  # a mirrored ball would be inside out
        vertices = (ball * np.sqrt(length)) @ axes.T
        normal = vertices @ np.linalg.inv(spread)
        normal /= np.linalg.norm(normal, axis=1, keepdims=True)
        made.append(Triangles((centre + vertices)[rows], normal[rows], np.tile(colour, (len(rows), 1))))
    return Triangles.joined(made)


def _render_over(picture: np.ndarray, faces: Triangles, camera: Camera, *, smooth: int = 2) -> np.ndarray:
    """Return a picture (height, width, 3), 0 to 1, with projected triangles in front of it.

    faces   corners: to the right from the left edge [pixel], up from the upper edge (negative) [pixel], and nearness,
            which grows towards the viewer about as metres do and is linear in the picture, such as mean depth squared
            over depth; normals in the axes of the picture
    camera  its axes in the world, for the direction of the light
    smooth  each pixel is the mean of smooth x smooth rays
    """
    picture = np.array(picture, dtype=np.float32)
    if not len(faces.corner):
        return picture
    height, width = picture.shape[:2]
    low, high = faces.corner.min(axis=(0, 1)), faces.corner.max(axis=(0, 1))
    columns = slice(*np.clip([low[0] - 1.0, high[0] + 2.0], 0, width).astype(int).tolist())
    rows = slice(*np.clip([-high[1] - 1.0, 2.0 - low[1]], 0, height).astype(int).tolist())
    if columns.stop - columns.start < 2 or rows.stop - rows.start < 2:
        return picture
    x = finer(np.arange(columns.start, columns.stop) + 0.5, smooth)
    y = finer(-np.arange(rows.start, rows.stop) - 0.5, smooth)
    fine = picture[rows, columns].repeat(smooth, axis=0).repeat(smooth, axis=1)
    draw_faces(fine, np.full(fine.shape[:2], -np.inf), faces, light_of(camera), x, y)
    rays = [fine[row::smooth, column::smooth] for row in range(smooth) for column in range(smooth)]
    picture[rows, columns] = sum(rays[1:], rays[0]) / np.float32(len(rays))
    return picture
