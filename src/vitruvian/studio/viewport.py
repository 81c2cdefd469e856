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
    "follow": (-0.75, 0.22),
    "oblique": (-0.75, 0.22),
    "side": (-1.5708, 0.1),
    "left": (1.5708, 0.1),
    "front": (0.0, 0.1),
    "back": (3.1416, 0.1),
    "top": (-1.5708, 1.4),
}
CAMERAS = tuple(_CAMERA)
_LARGE = 5.0  # a motion larger than this, of the reach of the person, is followed
_FIELD = 0.75  # of view, vertical [rad]
_BROAD = 1200  # width of a picture that the panels do not narrow [px]
_LOWER = 0.18  # of the size of the picture: the replay panel covers its foot


class Viewport:
    """The 3D view of one tab.

    client  a viser client: its own scene and camera
    """

    def __init__(self, client: Any) -> None:
        self._client = client
        self._shown: list[Live] = []
        self._camera = ""
        self._framed = 0.0  # size of what the camera shows [m]
        self._at = np.zeros(3)  # of the person, when the camera last went along [m]

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
            if self._camera == "follow" and self._shown:
                self._go_along()

    def frame(self) -> None:
        """Put the camera where the motion is seen; keep the place that the user gave it if the motion is as large."""
        if not self._shown:
            return
        whole, reach = self._size(), self._shown[0].scene.reach
        fits = self._camera and 0.8 < (reach if self._camera == "follow" else whole) / max(self._framed, 1e-9) < 1.25
        if not fits:
            self.look("follow" if whole > _LARGE * reach else self._camera or "oblique")

    def look(self, camera: str) -> None:
        """Put the camera where the whole motion is seen from a side, or where it follows the person."""
        if not self._shown:
            return
        scene = self._shown[0].scene
        follows = camera == "follow"
        self._camera, self._framed = camera, scene.reach if follows else self._size()
        azimuth, elevation = _CAMERA[camera]
        size = 3.0 * scene.reach if follows else self._size()
        width = float(getattr(self._client.camera, "image_width", _BROAD))
        height = float(getattr(self._client.camera, "image_height", 0.6 * width))
        narrow = width < _BROAD
        upright = 0.6 * height / max(width, 1.0)  # where the picture between the panels is higher than wide
        away = max(1.0 if narrow else 0.6, upright) * size / np.tan(0.5 * _FIELD)
        lower = np.array([0.0, 0.0, (0.45 if narrow else _LOWER) * size])
        level = np.cos(elevation)
        towards = np.array([level * np.cos(azimuth), level * np.sin(azimuth), np.sin(elevation)])
        low, high = scene.centre.min(axis=0), scene.centre.max(axis=0)
        self._at = self._middle()
        middle = (self._at if follows else 0.5 * (low + high)) - lower
        with self._client.atomic():
            self._client.camera.fov = _FIELD
            self._client.camera.up_direction = (0.0, 0.0, 1.0)
            self._client.camera.position = middle + away * towards
            self._client.camera.look_at = middle

    def _go_along(self) -> None:
        """Move the camera as far as the person has moved, from wherever the user has turned it to."""
        middle, camera = self._middle(), self._client.camera
        way, self._at = middle - self._at, middle
        if np.linalg.norm(way) > 0.0:
            # the position first: viser moves it with the point that is looked at
            camera.position, camera.look_at = np.asarray(camera.position) + way, np.asarray(camera.look_at) + way

    def _middle(self) -> np.ndarray:
        """The centre of the person at the moment that is shown [m]."""
        shown = self._shown[0]
        return shown.scene.centre[shown.frame]

    def _size(self) -> float:
        """The size of the whole motion [m]."""
        scene = self._shown[0].scene
        return float(np.linalg.norm(np.ptp(scene.centre, axis=0))) + 2.2 * scene.reach

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
