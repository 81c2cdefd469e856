"""Distances of convex shapes, the same as MuJoCo's own of the exported model."""

import numpy as np
import pytest

from vitruvian.errors import InputError
from vitruvian.export.mjcf import mjcf
from vitruvian.lab.verify.convex_depth import FAMILY, convex_depths, rotations
from vitruvian.model import Body, Ellipsoid, Joint, Sphere, Superellipsoid, System

pytestmark = pytest.mark.needs_jit

SHAPES = [shape for shape in FAMILY if not isinstance(shape, Superellipsoid)]


def scene(*shapes):
    bodies = tuple(Body(name, 1.0, np.ones(3), (shape,)) for name, shape in zip("ab", shapes, strict=True))
    return System(bodies, tuple(Joint(f"root {name}", "free", None, name) for name in "ab"))


@pytest.mark.parametrize("a", SHAPES, ids=lambda shape: shape.kind)
@pytest.mark.parametrize("b", SHAPES, ids=lambda shape: shape.kind)
def test_distance(a, b):
    mujoco = pytest.importorskip("mujoco")
    model = mujoco.MjModel.from_xml_string(mjcf(scene(a, b), contact=True))
    data = mujoco.MjData(model)
    rng = np.random.default_rng(3)
    quaternion = np.zeros(4)
    # they have sharp edges, ours are blended: by three hundredths of the smallest half dimension at a corner
    exact = isinstance(a, Ellipsoid | Sphere) and isinstance(b, Ellipsoid | Sphere)
    blend = sum(0.0 if isinstance(s, Ellipsoid | Sphere) else 0.06 * min(s.half_size) for s in (a, b))
    for turn_a, turn_b in zip(rotations(rng, 20), rotations(rng, 20), strict=True):
        between = rng.normal(size=3)
        between *= 1.2 * (a.bound + b.bound) / np.linalg.norm(between)
        for k, (place, turn) in enumerate(((between, turn_a), (np.zeros(3), turn_b))):
            mujoco.mju_mat2Quat(quaternion, turn.ravel())
            data.qpos[7 * k : 7 * k + 7] = [*place, *quaternion]
        mujoco.mj_forward(model, data)
        theirs = mujoco.mj_geomDistance(model, data, 0, 1, 10.0, np.zeros(6))
        ours = -convex_depths(a, b, np.hstack([turn_a.ravel(), turn_b.ravel(), between])[None])[0, 0]
        assert ours == pytest.approx(theirs, abs=1e-5 if exact else blend + 1e-5)


def test_export_refuses_a_superellipsoid():
    with pytest.raises(InputError, match="superellipsoid has no counterpart"):
        mjcf(scene(Sphere(0.1), Superellipsoid((0.1, 0.1, 0.1), (3.0, 3.0))), contact=True)
