"""A rod that bends and is struck by a ram, against an own finite-element program with the same five masses."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from vitruvian.scenario import Scenario

LENGTH, RADIUS, MASS, YOUNG = 0.4, 0.005, 0.06, 17e9
STRUCK, STIFFNESS, RAM, SPEED = 0.6, 5e4, 0.2, 2.0  # place over the length, N/m, kg, m/s


def stiffness(places: np.ndarray) -> np.ndarray:
    """Return the stiffness of Timoshenko beams between places, deflection and slope of each (2n, 2n), cowper1966."""
    bending, area = YOUNG * 0.25 * np.pi * RADIUS**4, np.pi * RADIUS**2
    shear = 6.0 * 1.3 / (7.0 + 6.0 * 0.3) * area * YOUNG / 2.6
    found = np.zeros((2 * len(places), 2 * len(places)))
    for e, h in enumerate(np.diff(places)):
        n = 12.0 * bending / (shear * h * h)
        own = np.array(
            [
                [12.0, 6.0 * h, -12.0, 6.0 * h],
                [6.0 * h, (4.0 + n) * h * h, -6.0 * h, (2.0 - n) * h * h],
                [-12.0, -6.0 * h, 12.0, -6.0 * h],
                [6.0 * h, (2.0 - n) * h * h, -6.0 * h, (4.0 + n) * h * h],
            ]
        )
        found[2 * e : 2 * e + 4, 2 * e : 2 * e + 4] += bending / (h**3 * (1.0 + n)) * own
    return found


def own() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return times [s], force [N] and speed of the ram [m/s]: small deflections, five point masses, a linear spring."""
    share, mass = radau5()
    held = np.concatenate([share, [STRUCK]]) * LENGTH
    places = np.unique(np.concatenate([np.linspace(0.0, LENGTH, 41), held]))
    whole = stiffness(places)
    keep = [2 * int(np.argmin(abs(places - place))) for place in held]
    rest = [k for k in range(1, len(whole)) if k not in keep]  # the first node is hinged
    inner = np.linalg.solve(whole[np.ix_(rest, rest)], whole[np.ix_(rest, keep)])
    k = whole[np.ix_(keep, keep)] - whole[np.ix_(keep, rest)] @ inner

    def touched(rod: np.ndarray, ram: float) -> float:
        free = -k[:5, 5] @ rod / k[5, 5]
        return free if free <= ram else (STIFFNESS * ram - k[:5, 5] @ rod) / (k[5, 5] + STIFFNESS)

    def slope(_: float, y: np.ndarray) -> np.ndarray:
        place = touched(y[:5], y[10])
        force = STIFFNESS * max(place - y[10], 0.0)
        return np.concatenate([y[5:10], -(k[:5, :5] @ y[:5] + k[:5, 5] * place) / mass, [y[11], force / RAM]])

    start = np.zeros(12)
    start[11] = -SPEED
    times = np.arange(0.0, 0.005, 2e-5)
    found = solve_ivp(slope, (0.0, 0.005), start, "DOP853", times, rtol=1e-8, atol=1e-11, max_step=2e-5)
    force = np.array([STIFFNESS * max(touched(y[:5], y[10]) - y[10], 0.0) for y in found.y.T])
    return times, force, found.y[11]


def radau5() -> tuple[np.ndarray, np.ndarray]:
    """Return places over the length and masses of the rule with five points, one at the end, exact to degree eight."""
    legendre = np.polynomial.legendre
    points = 0.5 * (1.0 - np.sort(legendre.legroots([0.0, 0.0, 0.0, 0.0, 1.0, 1.0]).real))
    points[np.argmax(points)] = 1.0
    powers = np.arange(5)
    return points, MASS * np.linalg.solve(points[None, :] ** powers[:, None], 1.0 / (powers + 1.0))


@pytest.mark.slow
@pytest.mark.needs_jit
def test_a_struck_rod_moves_as_in_an_own_program() -> None:
    across = MASS * LENGTH**2 / 12.0
    shape = {"kind": "sphere", "radius": RADIUS, "offset": [0, 0, LENGTH * (0.5 - STRUCK)]}
    tube = {"outer": RADIUS, "young": YOUNG, "damping": 1e-6, "modes": 18}
    data = {
        "schema": 1,
        "gravity": 0,
        "body": [
            {"name": "rod", "mass": MASS, "inertia": [across, across, 7.5e-7], "shapes": shape, "tube": tube},
            {"name": "ram", "mass": RAM, "inertia": [1e-3] * 3},
        ],
        "joint": [
            {"name": "hinge", "type": "revolute", "axis": [0, 1, 0], "child": "rod", "point_parent": [0, 0, 1.0],
             "point_child": [0, 0, 0.5 * LENGTH]},
            {"name": "guide", "type": "prismatic", "axis": [1, 0, 0], "child": "ram",
             "point_parent": [RADIUS, 0, 1.0 - STRUCK * LENGTH], "start": {"rates": [-SPEED]}},
        ],
        "surface": [
            {"name": "face", "carrier": "ram", "normal": [-1, 0, 0], "only": ["rod"],
             "contact": {"stiffness": STIFFNESS, "law": "linear", "friction": 0}},
        ],
        "solver": {"duration": 0.005},
        "output": {"pose_rate": 50000},
    }  # fmt: skip
    run = Scenario(data, name="rod").run().recording
    times, force, speed = own()
    ours = np.interp(times, run.pose_time, -run.contact_force[:, 0, 0])
    assert force.max() == pytest.approx(63.3, abs=0.05)  # of a rod with spread mass 62.2, by nodal coordinates
    assert ours.max() == pytest.approx(force.max(), rel=2e-3)
    assert abs(ours - force).max() < 0.01 * force.max()
    assert np.interp(times[-1], run.pose_time, run.velocity[:, 1, 0]) == pytest.approx(speed[-1], abs=1e-3 * SPEED)
