"""Stress and strain of a bone in all directions: a cantilever with closed forms, and the invariants of tensors."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from vitruvian import Result, Scenario
from vitruvian.flex import tube
from vitruvian.flex.bone import STATIONS, radau

pytestmark = pytest.mark.needs_jit
OUTER, INNER, YOUNG, LENGTH, MASS, ARM, G = 0.012, 0.007, 17e9, 0.4, 1.0, 0.05, 9.80665
AREA, SECOND = np.pi * (OUTER**2 - INNER**2), 0.25 * np.pi * (OUTER**4 - INNER**4)


@pytest.fixture(scope="module")
def bracket() -> Result:
    """A tube of 1 kg along y, clamped at one end and turned by 30 degrees about y, with 1 kg beside its other end."""
    rod = {"mass": MASS, "inertia": [MASS * LENGTH**2 / 12.0, 1e-4, MASS * LENGTH**2 / 12.0]}
    data = {
        "schema": 1,
        "body": [
            rod | {
                "name": "bar",
                "tube": {"outer": OUTER, "inner": INNER, "young": YOUNG, "damping": 1.0, "modes": 12},
            },
            {"name": "weight", "mass": MASS, "inertia": [1e-3] * 3},
        ],
        "joint": [
            {"name": "wall", "type": "revolute", "axis": [0, 1, 0], "child": "bar", "point_child": [0, -LENGTH / 2, 0],
             "motion": [{"times": [0.0], "values": [30.0], "unit": "deg", "kind": "position"}]},
            {"name": "tip", "type": "rigid", "parent": "bar", "child": "weight", "point_parent": [0, LENGTH / 2, 0],
             "point_child": [-ARM, 0, 0]},
        ],
        "solver": {"duration": 1.0},
    }  # fmt: skip
    return Scenario(data, name="bracket").run()


def last(result: Result, name: str) -> float | np.ndarray:
    return result[name].values[-1]


def test_statics_of_a_cantilever_with_a_mass_beside_its_end(bracket: Result) -> None:
    """Bending by both weights, torsion W a cos(30 deg), shear 2 V / A of a thin tube."""
    weight = MASS * G
    moment = weight * (0.5 + 0.125) * LENGTH  # at half length
    places, masses = radau(STATIONS)
    force = weight * (1.0 + masses[places > 0.5].sum())  # the mass of a bone is lumped: 0.575 of it, not 0.5
    c, s = np.cos(np.pi / 6), np.sin(np.pi / 6)
    stress = {side: last(bracket, f"bar.50-{side}.stress") / 1e6 for side in ("front", "back", "left", "right")}
    bending = moment * OUTER / SECOND / 1e6
    assert stress["left"] == pytest.approx(bending * c, rel=5e-3)  # z of the bar
    assert stress["front"] == pytest.approx(-bending * s, rel=5e-3)  # x, along which the bar sags
    torsion, shear = weight * ARM * c * OUTER / (2.0 * SECOND), 2.0 * force / AREA
    found = {side: last(bracket, f"bar.50-{side}.shear_stress") for side in stress}
    assert 0.25 * sum(found.values()) == pytest.approx(torsion, rel=5e-3)
    assert 0.5 * (found["front"] - found["back"]) == pytest.approx(shear * c, rel=5e-3)
    assert 0.5 * (found["left"] - found["right"]) == pytest.approx(shear * s, rel=5e-3)


def test_deflection_is_that_of_the_beam_from_the_line_between_its_ends(bracket: Result) -> None:
    """F L^3 / 16 EI of a force at the end, 7 w L^4 / 384 EI and w L^2 / 8 kGA of the weight of the bar."""
    weight, section = MASS * G, tube(OUTER, INNER)
    bend = (1.0 / 16.0 + 7.0 / 384.0) * weight * LENGTH**3 / (YOUNG * SECOND)
    expected = bend + weight * LENGTH / 8.0 / (section.shear_y * section.area * YOUNG / 2.6)
    up = np.hypot(*(last(bracket, f"bar.50-{side}.deflection") for side in ("front", "left")))
    assert up == pytest.approx(expected, rel=0.01)


def test_tensors_in_world_axes_have_the_principal_values_and_von_mises_stress(bracket: Result) -> None:
    rows = [[0, 3, 5], [3, 1, 4], [5, 4, 2]]
    stress = bracket["bar.stress_world"].values[-1][:, rows]
    strain = bracket["bar.strain_world"].values[-1][:, rows]
    values = np.linalg.eigvalsh(stress)
    principal = bracket["bar.principal_stress"].values[-1]
    assert values[:, [2, 0]] == pytest.approx(principal, rel=1e-6, abs=1.0)
    assert abs(values[:, 1]).max() < 1.0  # the surface is free
    deviator = stress - np.trace(stress, axis1=1, axis2=2)[:, None, None] / 3.0 * np.eye(3)
    mises = np.sqrt(1.5 * (deviator**2).sum(axis=(1, 2)))
    assert bracket["bar.von_mises_stress"].values[-1] == pytest.approx(mises, rel=1e-6)
    extremes = np.linalg.eigvalsh(strain)
    found = bracket["bar.principal_strain"].values[-1]
    assert np.all(abs(extremes[:, :, None] - found[:, None, :]).min(axis=1) < 1e-9)  # both are among the three


def test_stress_along_the_bone_is_that_of_the_world_tensor_along_it(bracket: Result) -> None:
    """The bar lies along y of the world, where stress and strain are those along it."""
    assert bracket["bar.stress_world"].sel(tensor="yy").values[-1] == pytest.approx(last(bracket, "bar.stress"))
    assert bracket["bar.strain_world"].sel(tensor="yy").values[-1] == pytest.approx(last(bracket, "bar.strain"))
    assert bracket["bar.stress_world"].attrs["units"] == "Pa"


def test_directions_of_points_are_in_the_file(bracket: Result, tmp_path: Path) -> None:
    again = Result.load(bracket.save(tmp_path / "bar.nc"))
    for name in ("stress_world", "principal_strain", "deflection"):
        assert np.array_equal(again[name].values, bracket[name].values)
