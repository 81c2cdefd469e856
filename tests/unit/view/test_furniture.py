"""What is drawn around contact shapes: in its place, hiding only what it stands for, without effect on contact."""

from __future__ import annotations

import numpy as np
import pytest

from vitruvian import Scenario
from vitruvian.view.scene import Scene

pytestmark = pytest.mark.needs_jit  # whole runs
START = {"solver.duration": 0.001}


def test_wheels_are_tyres_where_the_discs_are_and_a_bicycle_has_a_frame():
    scene = Scene(Scenario.load("pedestrian-cyclist", START).run())
    parts = {part.name: part for part in scene.parts}
    for wheel in ("bicycle_front_wheel", "bicycle_rear_wheel"):
        assert parts[wheel].under and not parts[f"{wheel}.tyre"].under
        for axis in range(3):  # the tyre fills the disc
            disc, tyre = (part.vertices[:, axis] for part in (parts[wheel], parts[f"{wheel}.tyre"]))
            assert tyre.min() == pytest.approx(disc.min(), abs=0.004) and tyre.max() == pytest.approx(
                disc.max(), abs=0.004
            )
    frame = parts["bicycle.frame"]
    hubs = [
        scene.geometry.joint_point_parent[scene.bodies.index(wheel)]
        for wheel in ("bicycle_front_wheel", "bicycle_rear_wheel")
    ]
    for hub in hubs:
        assert np.linalg.norm(frame.vertices - hub, axis=1).min() < 0.03
    assert sum(part.under for part in scene.parts) == 2


@pytest.mark.parametrize(("name", "surface"), [("fall-stairs", "stairs"), ("sled-15kmh", "seat_back")])
def test_stairs_and_seats_are_solid_behind_their_surfaces(name, surface):
    scene = Scene(Scenario.load(name, START).run())
    parts = {part.name: part for part in scene.parts}
    solid = parts[f"{surface}.solid"]
    assert solid.kind == "cover"
    label = next(label for label in parts if label == surface or label.startswith(f"{surface}."))
    assert np.ptp(solid.vertices[:, 1]) == pytest.approx(np.ptp(parts[label].vertices[:, 1]), abs=1e-9)
    faces = np.concatenate(
        [part.vertices[part.triangles] for key, part in parts.items() if key == surface and part.kind == "surface"]
    )
    normal = np.cross(faces[:, 1] - faces[:, 0], faces[:, 2] - faces[:, 0])
    normal /= np.linalg.norm(normal, axis=1)[:, None]
    if name == "sled-15kmh":  # one flat face: everything is behind it
        assert ((solid.vertices - faces[0, 0]) @ normal[0]).max() < 1e-6
