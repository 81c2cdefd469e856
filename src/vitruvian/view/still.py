"""Moments of a result as small pictures inside a page: for paper, and for browsers without scripts."""

from __future__ import annotations

import base64
import io
from typing import NamedTuple

import numpy as np

from ..sim.result import Result
from .colour import full_force
from .frames import chosen
from .scene import Scene
from .viewpoint import camera_named, image, windows

_WIDTH = 300  # [pixel]
_TALLEST = 460  # [pixel]


class Still(NamedTuple):
    """A moment [s] and its picture as a data address (JPEG)."""

    time: float
    address: str


def stills(result: Result, count: int = 6) -> list[Still]:
    """The moments that are worth seeing, all in one scale, bodies lit up by contact force."""
    from PIL import Image

    scene, force, camera = Scene(result, skin=True), full_force([result]), camera_named("oblique")
    shown = [scene.snapshot(frame, full_force=force) for frame in chosen(result, count)]
    found = []
    for snapshot, window in zip(shown, windows(shown, camera), strict=True):
        left, right, bottom, top = window
        scale = min(_WIDTH / (right - left), _TALLEST / (top - bottom))
        size = (max(round(scale * (right - left)), 2), max(round(scale * (top - bottom)), 2))
        pixels = image(snapshot, camera, window, size)
        packed = io.BytesIO()
        Image.fromarray(np.round(255.0 * np.clip(pixels, 0.0, 1.0)).astype(np.uint8)).save(packed, "JPEG", quality=85)
        address = "data:image/jpeg;base64," + base64.b64encode(packed.getvalue()).decode("ascii")
        found.append(Still(snapshot.time, address))
    return found
