"""The 3D view of a tab: the run, the previous run as a ghost, the ground and the camera."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..model.pose import quaternion_of_vector
from ..view.live import Live
from ..view.scene import Scene

GHOST: tuple[float, float, float] = (0.40, 0.50, 0.72)
_OPACITY = 0.30
_GRID_ABOVE = 2e-3  # [m], so that the lines are not hidden by the ground
#: azimuth and elevation of the cameras [rad]
_CAMERA = {
    "overview": (-0.75, 0.22),
    "front": (0.0, 0.1),
    "left": (1.5708, 0.1),
    "back": (3.1416, 0.1),
    "above": (-1.5708, 1.4),
    "end": (-0.75, 0.3),
}
CAMERAS = tuple(_CAMERA)
_FIELD = 0.75  # of view, vertical [rad]
_LOWER = 0.18  # of the size of the picture: the replay panel covers its foot


class Viewport:
    """The 3D view of one tab.

    client  a viser client: its own scene and camera
    """

    def __init__(self, client: Any) -> None:
        self._client = client
        self._shown: list[Live] = []

    def draw(self, scene: Scene, ghost: Scene | None, time: float) -> None:
        """Draw a run instead of the previous one, at a time [s]."""
        with self._client.atomic():
            for old in self._shown:
                old.remove()
            self._shown = [Live(self._client.scene, scene)]
            if ghost is not None:
                self._shown.append(
                    Live(self._client.scene, ghost, root="/before", opacity=_OPACITY, tint=GHOST, labels=False)
                )
            self._grid(scene)
            self.show(time)

    def show(self, time: float) -> None:
        """Show a moment [s]."""
        with self._client.atomic():
            for shown in self._shown:
                shown.show_time(time)

    def look(self, camera: str) -> None:
        """Put the camera where the whole motion is seen from a side, or the end of it."""
        if not self._shown:
            return
        scene = self._shown[0].scene
        low, high = scene.centre.min(axis=0), scene.centre.max(axis=0)
        if camera == "end":
            low = high = scene.centre[-1]
        azimuth, elevation = _CAMERA[camera]
        size = float(np.linalg.norm(high - low)) + 2.2 * scene.reach
        middle = 0.5 * (low + high) - np.array([0.0, 0.0, _LOWER * size])
        away = 0.6 * size / np.tan(0.5 * _FIELD)
        level = np.cos(elevation)
        towards = np.array([level * np.cos(azimuth), level * np.sin(azimuth), np.sin(elevation)])
        with self._client.atomic():
            self._client.camera.fov = _FIELD
            self._client.camera.up_direction = (0.0, 0.0, 1.0)
            self._client.camera.position = middle + away * towards
            self._client.camera.look_at = middle

    def _grid(self, scene: Scene) -> None:
        """Lines on the ground, a metre apart."""
        row = scene.ground_row
        if row is None:
            self._client.scene.remove_by_name("/grid")
            return
        normal = scene.geometry.surface_normal[row]
        point = scene.geometry.surface_point[row] + _GRID_ABOVE * normal
        tilt = np.cross((0.0, 0.0, 1.0), normal)
        size = float(np.linalg.norm(tilt))
        angle = np.arctan2(size, normal[2])
        turn = quaternion_of_vector(tuple(tilt * (angle / size if size > 0.0 else 0.0)))
        self._client.scene.add_grid(
            "/grid",
            infinite_grid=True,
            cell_size=0.5,
            section_size=1.0,
            cell_color=(222, 225, 229),
            section_color=(196, 201, 207),
            fade_distance=30.0,
            shadow_opacity=0.0,
            position=point,
            wxyz=turn,
        )
