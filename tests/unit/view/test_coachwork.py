"""The drawn rest of a vehicle: behind its front, on the ground, facing outwards, and without effect on the camera."""

from __future__ import annotations

import numpy as np
import pytest

from vitruvian import Scenario
from vitruvian.view.coachwork import KINDS
from vitruvian.view.scene import Scene

pytestmark = pytest.mark.needs_jit  # whole runs


@pytest.mark.parametrize("front", ["sedan", "bus"])
def test_a_vehicle_is_whole_and_stands_on_its_wheels(front):
    scene = Scene(Scenario.load("pedestrian-front", {"vehicle.front": front, "solver.duration": 0.001}).run())
    parts = {part.name.split(".")[-1]: part for part in scene.parts if part.name.startswith("vehicle.")}
    assert set(parts) == {"side", "roof", "window", "wheel"}
    every = np.vstack([part.vertices for part in parts.values()])
    assert np.ptp(every[:, 0]) == pytest.approx(KINDS[front].length, abs=0.3)
    assert parts["wheel"].vertices[:, 2].min() == pytest.approx(0.0, abs=1e-9)
    for name in ("side", "window"):
        part = parts[name]
        a, b, c = (part.vertices[part.triangles[:, k]] for k in range(3))
        assert (np.cross(b - a, c - a)[:, 1] * a[:, 1] >= 0.0).all()  # outwards on either side
    assert {part.kind for part in parts.values()} == {"cover"}
