"""Geodesics, tension and slip of webbing; all of it also runs without the compiler."""

from __future__ import annotations

from dataclasses import replace
from math import exp, pi

import numpy as np
import pytest

from vitruvian.kernels import geodesic, integrate
from vitruvian.kernels.layout import strand, web
from vitruvian.model import Belt, Body, Configuration, Cylinder, Joint, Retractor, Sphere, System, Waypoint
from vitruvian.model.belt_table import lay_belts
from vitruvian.model.compile import compile_system, initial_state, make_work

RADIUS, DOWN = 0.1, 0.5


def test_a_geodesic_of_a_sphere_is_a_great_circle() -> None:
    axes, start, target = (0.2, 0.2, 0.2), (-0.1, 0.5, 0.0), (0.2, 0.0, 0.0)
    found, first, _, arc, angle, way, _ = geodesic.reach(axes, start, target, target, 0.0)
    far = np.hypot(0.1, 0.5)
    turned = pi - np.arctan2(0.5, 0.1) - np.arccos(0.2 / far)
    assert found and arc == pytest.approx(0.2 * turned, rel=1e-5) and angle == pytest.approx(turned, rel=1e-5)
    assert np.linalg.norm(first) == pytest.approx(0.2) and way == pytest.approx((0.0, -1.0, 0.0), abs=1e-5)


def test_a_target_in_sight_is_reached_straight() -> None:
    found, first, _, arc, _, _, _ = geodesic.reach((0.1, 0.2, 0.3), (1.0, 0.0, 0.0), (0.1, 0.0, 0.0), (0.1, 0, 0), 0.0)
    assert found and arc == 0.0 and first == (0.1, 0.0, 0.0)


def test_a_point_inside_touches_nothing() -> None:
    assert geodesic.touch((0.1, 0.2, 0.3), (0.05, 0.0, 0.0), (0.1, 0.0, 0.0))[1] == (0.0, 0.0, 0.0)


def pulley(friction: float, **more: object) -> System:
    """Two balls on webbing over a fixed cylinder."""
    balls = [Body(name, 10.0, np.full(3, 0.1), (Sphere(0.02),)) for name in ("left", "right")]
    drum = Body("drum", 1.0, np.full(3, 0.1), (Cylinder(RADIUS, 0.3, rotation=(0.5**0.5, 0.5**0.5, 0.0, 0.0)),))
    path = (
        Waypoint(anchor=(0, 0, 0), body="left"),
        Waypoint(over="drum", friction=friction, side=(0, 0, 1)),
        Waypoint(anchor=(0, 0, 0), body="right"),
    )
    joints = (*(Joint(b.name, "free", None, b.name) for b in balls), Joint("rest", "rigid", None, "drum"))
    return System((*balls, drum), joints, belts=(Belt("belt", path, **more),))  # type: ignore[arg-type]


def stretched(system: System, by: float) -> tuple[np.ndarray, np.ndarray]:
    """Webbing in the state in which the right ball is so much lower [m] than where the webbing was laid."""
    compiled = compile_system(system)
    height = (-RADIUS, 0.0, -DOWN, 1.0, 0.0, 0.0, 0.0), (RADIUS, 0.0, -DOWN, 1.0, 0.0, 0.0, 0.0)
    state = initial_state(compiled, Configuration(dict(zip(("left", "right"), height, strict=True))))
    work = make_work(compiled)
    lay_belts(compiled, state, work)
    state.now.q[9] -= by
    integrate.begin(compiled.model, work, state.now.q, state.now.v, 0.0)
    return work.strand, work.web


def test_slip_ends_at_the_capstan_ratio_and_keeps_the_webbing() -> None:
    row, memory = stretched(pulley(0.2), 0.003)
    one, two = row[:2, strand.ELASTIC]
    assert two / one == pytest.approx(exp(0.2 * pi), rel=1e-5)
    assert row[:2, strand.REST].sum() == pytest.approx(memory[:, web.REST].sum(), rel=1e-12)
    assert memory[:, web.REST].sum() == pytest.approx(2 * DOWN + pi * RADIUS, rel=1e-5)


def test_webbing_without_friction_has_one_tension() -> None:
    row, _ = stretched(pulley(0.0), 0.003)
    strain = 0.003 / (2 * DOWN + pi * RADIUS)
    assert row[:2, strand.ELASTIC] == pytest.approx(11.1e3 / 0.08 * strain, rel=1e-4)


def test_slack_is_taken_up_first_and_never_pushes() -> None:
    row, _ = stretched(pulley(0.2, slack=0.01), 0.003)
    assert (row[:2, strand.ELASTIC] == 0.0).all()


def test_a_limiter_pays_out_at_its_force() -> None:
    row, _ = stretched(pulley(0.0, retractor=Retractor(limit=100.0)), 0.0)
    assert row[0, strand.ELASTIC] == 0.0
    system = pulley(0.0, retractor=Retractor(limit=100.0))
    compiled = compile_system(system)
    height = (-RADIUS, 0.0, -DOWN, 1.0, 0.0, 0.0, 0.0), (RADIUS, 0.0, -DOWN, 1.0, 0.0, 0.0, 0.0)
    state = initial_state(compiled, Configuration(dict(zip(("left", "right"), height, strict=True))))
    work = make_work(compiled)
    lay_belts(compiled, state, work)
    work.web[0, web.LOCKED] = 1.0
    state.now.q[9] -= 0.01
    integrate.begin(compiled.model, work, state.now.q, state.now.v, 0.0)
    assert work.strand[:2, strand.ELASTIC] == pytest.approx(100.0)
    assert 0.0 < work.strand[0, strand.PAYOUT] < 0.01


def test_permanent_elongation_is_refused_the_other_way_round() -> None:
    belt = pulley(0.0).belts[0]
    with pytest.raises(Exception, match="flatter than the loading curve"):
        replace(belt, unloading=((0.0, 0.0), (0.2, 11.1e3)))
