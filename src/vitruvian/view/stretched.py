"""Things that change their shape, drawn as one mesh that each frame moves, turns and stretches. SI units.

Webbing, muscles, strained bones, airbags and the joint points of loops. A new one is one more entry of `stretched`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from ..model.pose import rotation_matrix
from ..model.shape import Sphere
from . import bone_strain, webbing
from .colour import AIRBAG, BELT, LOOP, MUSCLE
from .part import Part

if TYPE_CHECKING:
    from .scene import Scene

LEAST = 1e-3  # size of an airbag that is not yet inflated, over its full size [-]
LOOP_RADIUS = 0.02  # of the ball drawn at the joint point of a loop [m]


@dataclass(frozen=True)
class Stretched:
    """A mesh and how a frame changes it.

    part   the mesh, before it is stretched
    boxes  frame -> three vectors that replace the axes of the mesh, and the place of its origin (n, 4, 3) [m]; their
           number is the same at all frames
    """

    part: Part
    boxes: Callable[[int], np.ndarray]


def stretched(scene: Scene) -> list[Stretched]:
    """Return everything in a scene that changes its shape."""
    found = []
    if scene.recording.webbing:
        box = Part("webbing", "body", -1, BELT, (webbing.CORNERS, webbing.TRIANGLES), crease=0.0)
        found.append(Stretched(box, lambda frame: webbing.boxes(scene.recording, frame)))
    if scene.recording.muscles:
        box = Part("muscle", "body", -1, MUSCLE, (webbing.CORNERS, webbing.TRIANGLES), crease=0.0)
        found.append(Stretched(box, lambda frame: webbing.muscle_boxes(scene.recording, frame)))
    if scene.recording.points and "strain" in scene.recording.channels:
        radius = np.array([_radius(scene, bone) for bone in bone_strain.bones(scene.recording)])
        for band, colour in enumerate(bone_strain.BANDS.values()):
            tube = Part(f"strain {band + 1}", "body", -1, colour, _tube(), crease=1.0)
            found.append(Stretched(tube, partial(bone_strain.sections, scene.recording, scene.geometry, radius, band)))
    if len(scene.geometry.airbag_body):
        ball = Part("ball", "body", -1, AIRBAG, Sphere(1.0))
        flat = np.maximum(ball.vertices, [0.0, -1.0, -1.0])  # the half in front of the mount
        bag = Part("airbag", "body", -1, AIRBAG, (flat, ball.triangles), crease=1.0)
        found.append(Stretched(bag, lambda frame: _airbags(scene, frame)))
    if len(scene.geometry.loop_body):
        found.append(Stretched(Part("loop", "body", -1, LOOP, Sphere(1.0)), lambda frame: _loops(scene, frame)))
    return found


def _radius(scene: Scene, bone: str) -> float:
    """Return the radius [m] of the sleeve of a bone: a little more than that of the shape of its body."""
    geometry, body = scene.geometry, scene.bodies.index(bone)
    sizes = np.sort(geometry.shape_semi_axes[geometry.shape_body == body], axis=1)
    return 1.12 * float(sizes[:, 1].max(initial=0.02))


def _tube() -> tuple[np.ndarray, np.ndarray]:
    """Return a closed tube about x, of unit length and unit radius."""
    angle = np.linspace(0.0, 2.0 * np.pi, 24, endpoint=False)
    ring = np.column_stack([np.cos(angle), np.sin(angle)])
    vertices = np.array([(x, *point) for x in (-0.5, 0.5) for point in ring] + [(-0.5, 0.0, 0.0), (0.5, 0.0, 0.0)])
    n, triangles = len(ring), []
    for k in range(n):
        m = (k + 1) % n
        triangles += [(k, n + m, n + k), (k, m, n + m), (2 * n, m, k), (2 * n + 1, n + k, n + m)]
    return vertices, np.array(triangles)


def _airbags(scene: Scene, frame: int) -> np.ndarray:
    """Return depth, half width, half height and place of the airbags at a frame (n, 4, 3) [m]."""
    geometry = scene.geometry
    places, turns = _placed(scene, frame)
    body, size = geometry.airbag_body, np.maximum(scene.recording.airbag_size[frame], LEAST)
    axes = np.stack([geometry.airbag_depth, geometry.airbag_width, geometry.airbag_height], axis=1)
    axes = np.einsum("nij,nkj->nki", turns[body], axes) * size[:, None, None]
    centre = places[body] + np.einsum("nij,nj->ni", turns[body], geometry.airbag_point)
    return np.concatenate([axes, centre[:, None]], axis=1)


def _loops(scene: Scene, frame: int) -> np.ndarray:
    """Return the balls at the joint points of loops at a frame (n, 4, 3) [m]; tiny once the loop is open."""
    geometry, opened = scene.geometry, {e.surface: e.time for e in scene.recording.events if e.kind == "release"}
    places, turns = _placed(scene, frame)
    closed = [scene.time[frame] < opened.get(name, np.inf) for name in scene.recording.loops]
    size = np.where(closed, LOOP_RADIUS, LEAST * LOOP_RADIUS)
    centre = places[geometry.loop_body] + np.einsum("nij,nj->ni", turns[geometry.loop_body], geometry.loop_point)
    return np.concatenate([np.eye(3)[None] * size[:, None, None], centre[:, None]], axis=1)


def _placed(scene: Scene, frame: int) -> tuple[np.ndarray, np.ndarray]:
    """Return positions [m] and rotation matrices of the bodies, with the world as the last row, number -1."""
    position, orientation = scene.place(frame)
    return np.vstack([position, np.zeros(3)]), np.concatenate([rotation_matrix(orientation), [np.eye(3)]])
