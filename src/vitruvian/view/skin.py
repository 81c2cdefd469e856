"""A mannequin for the eye: the segments of a person rounded off towards their joints. SI units.

The skin of a segment is the convex hull of its contact shapes and of a ball at each of its joints, whose radius is
that of the thinner of the two neighbours. Limbs become tapered and close at the joints, the trunk gets shoulders and
hips, the head a nose. It is drawn only: contact sees the shapes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..model.shape import Sphere
from ..model.shape_mesh import mesh

if TYPE_CHECKING:
    from .scene import Scene

_SIDES = 20
_SHARE = 0.82  # of the thinner neighbour's half-width: radius of the ball at a joint
_PLAIN = ("hand", "foot")  # segments that keep their shape
_NOSE = 0.014  # [m], how far it stands out, and its radius


def skin(scene: Scene, body: int) -> tuple[np.ndarray, np.ndarray]:
    """Vertices (n, 3) in the frame of the body [m] and triangles (m, 3), anticlockwise from outside."""
    from scipy.spatial import ConvexHull

    geometry = scene.geometry
    shapes = np.flatnonzero(geometry.shape_body == body).tolist()
    points = [mesh(geometry.shape(row), _SIDES)[0] for row in shapes]
    region = scene.recording.roster.part(scene.bodies[body]).region
    if region == "head":
        points.append(_nose(scene, shapes[0]))
    elif region not in _PLAIN:
        points += [mesh(Sphere(radius, tuple(point)), 12)[0] for point, radius in _balls(scene, body)]
    cloud = np.concatenate(points)
    hull = ConvexHull(cloud)
    used, triangles = np.unique(hull.simplices, return_inverse=True)
    vertices, triangles = cloud[used], triangles.reshape(-1, 3)
    # the hull does not say which side of a triangle is outside
    a, b, c = (vertices[triangles[:, k]] for k in range(3))
    inwards = np.einsum("ij,ij->i", np.cross(b - a, c - a), hull.equations[:, :3]) < 0.0
    triangles[inwards] = triangles[inwards][:, ::-1]
    return vertices, triangles


def _nose(scene: Scene, row: int) -> np.ndarray:
    """Points of a nose (n, 3) [m], so that one sees where a head looks: x of a segment is forwards."""
    x, _, z = scene.geometry.shape_semi_axes[row].tolist()
    offset = scene.geometry.shape_offset[row]
    return mesh(Sphere(_NOSE, (offset[0] + x, offset[1], offset[2] - 0.12 * z)), 10)[0]


def _balls(scene: Scene, body: int) -> list[tuple[np.ndarray, float]]:
    """Point [m] and radius [m] of a ball at each joint with another segment."""
    geometry = scene.geometry
    found = []
    for child, parent in enumerate(geometry.joint_parent.tolist()):
        if parent < 0 or body not in (child, parent):
            continue
        radius = _SHARE * min(_half_width(scene, child), _half_width(scene, parent))
        if radius > 0.0:
            point = geometry.joint_point_child[body] if body == child else geometry.joint_point_parent[child]
            found.append((point, radius))
    return found


def _half_width(scene: Scene, body: int) -> float:
    """The smallest half size of the first shape [m]: that of a limb across; zero without a shape."""
    rows = np.flatnonzero(scene.geometry.shape_body == body)
    return float(np.sort(scene.geometry.shape_semi_axes[rows[0]])[0]) if len(rows) else 0.0
