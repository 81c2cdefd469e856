"""Bodies that touch bodies: momentum, moving frames, sticking, rolling, rocking. SI units."""

from __future__ import annotations

from math import cos, pi, radians, sin, sqrt, tan

import numpy as np

from ...model import (
    Body,
    BodyContact,
    Box,
    Configuration,
    Contact,
    Ellipsoid,
    Joint,
    Plane,
    Sphere,
    System,
    Table,
    constant,
)
from ...model.pose import rotation_matrix
from ...model.system import GRAVITY
from ...sim.recording import Recording
from ...sim.simulate import simulate
from ...sim.solver import Solver
from ..evidence import Check

G = -GRAVITY[2]
Places = dict[str, tuple[float, ...]]
STILL = (0.0, 0.0, 0.0)
LAW = Contact(stiffness=1e5, exponent=1.5, restitution=0.5, friction=0.5)


def flying(name: str, semi_axes: tuple[float, float, float], mass: float) -> tuple[Body, Joint]:
    """Return a solid ellipsoid that flies."""
    shape = Ellipsoid(semi_axes, stiffness=2e5)
    return Body(name, mass, shape.inertia(mass), (shape,)), Joint(f"{name}_root", "free", None, name)


def collision(contact: Contact = LAW) -> tuple[System, Configuration]:
    """Return two turning ellipsoids that meet off their centres, without gravity."""
    (a, root_a), (b, root_b) = flying("a", (0.1, 0.15, 0.2), 1.0), flying("b", (0.2, 0.1, 0.12), 2.0)
    system = System((a, b), (root_a, root_b), contacts=(BodyContact("meet", ("a",), ("b",), contact),), gravity=STILL)
    places: Places = {"a_root": (-0.5, 0.02, 0.03, 1.0, 0.0, 0.0, 0.0), "b_root": (0.0, 0.0, 0.0, 0.8, 0.6, 0.0, 0.0)}
    return system, Configuration(places, {"a_root": (5.0, 0.0, 0.0, 1.0, 2.0, 3.0), "b_root": (0, 0, 0, 0, -5.0, 1.0)})


def momenta(system: System, run: Recording) -> tuple[np.ndarray, np.ndarray]:
    """Return linear [N s] and angular momentum about the origin [N m s] of free bodies at the end of a run."""
    linear, angular = np.zeros(3), np.zeros(3)
    for k, name in enumerate(run.bodies):
        body = system.body(name)
        place, turn = run.final["q"][7 * k : 7 * k + 3], rotation_matrix(tuple(run.final["q"][7 * k + 3 : 7 * k + 7]))
        velocity, spin = run.final["v"][6 * k : 6 * k + 3], run.final["v"][6 * k + 3 : 6 * k + 6]
        linear += body.mass * velocity
        angular += np.cross(place, body.mass * velocity) + turn @ body.inertia @ turn.T @ spin
    return linear, angular


def two_bodies() -> list[Check]:
    """Momentum of two bodies in flight through their collision; two methods meet where no law remembers the onset."""
    system, start = collision()
    run = simulate(system, start, duration=0.2, method="dormand-prince", tolerance=1e-13)
    before = simulate(system, start, duration=1e-9, method="dormand-prince", tolerance=1e-13)
    (p, l), (p0, l0) = momenta(system, run), momenta(system, before)
    implicit, _ = momenta(system, simulate(system, start, duration=0.2))
    elastic, start = collision(LAW.replace(restitution=1.0))
    ends = [
        simulate(elastic, start, duration=0.2, method=method, tolerance=tolerance).final["v"]
        for method, tolerance in (("dormand-prince", 1e-13), ("implicit", 1e-8))
    ]
    named = (
        ("linear momentum", p - p0, 1e-12, "N s", "of 5 N s"),
        ("linear momentum, implicit", implicit - p0, 1e-12, "N s", "default tolerance"),
        ("angular momentum", l - l0, 1e-12, "N m s", "explicit, tolerance 1e-13"),
        ("implicit against explicit", ends[1] - ends[0], 1e-4, "m/s", "end velocities, elastic"),
    )
    return [
        Check.close(f"two bodies collide: {name}", 0.0, float(abs(difference).max()), tolerance, unit, note)
        for name, difference, tolerance, unit, note in named
    ]


def moving_frames() -> list[Check]:
    """A ball meets a wall at rest; the wall, driven, meets the ball; a very heavy free wall meets it: one motion."""
    speed, shape = 5.0, Ellipsoid((0.1, 0.15, 0.2), stiffness=2e5)
    ball, root = Body("ball", 1.0, shape.inertia(1.0), (shape,)), Joint("ball_root", "free", None, "ball")
    place: Places = {"ball_root": (-0.5, 0.02, 0.03, 0.8, 0.6, 0.0, 0.0)}
    solver = Solver(tolerance=1e-7)

    def wall(carrier: str | None) -> Plane:
        return Plane("wall", normal=(-1.0, 0.0, 0.0), contact=LAW, carrier=carrier)

    resting = System((ball,), (root,), surfaces=(wall(None),), gravity=STILL)
    flying_in = simulate(
        resting, Configuration(place, {"ball_root": (speed, 0.0, 1.0, 1.0, 2.0, 3.0)}), duration=0.25, solver=solver
    )
    answer = flying_in.final["v"] - [speed, 0, 0, 0, 0, 0]
    rows = []
    motion = (Table((0.0, 1.0), (0.0, -speed)), *(constant(0.0) for _ in range(5)))
    for name, mass, joint in (
        ("driven", 100.0, Joint("truck_root", "free", None, "truck", motion=motion)),
        ("very heavy", 1e9, Joint("truck_root", "free", None, "truck")),
    ):
        truck = Body("truck", mass, np.ones(3) * mass)
        system = System((ball, truck), (root, joint), surfaces=(wall("truck"),), gravity=STILL)
        rates: Places = {"ball_root": (0.0, 0.0, 1.0, 1.0, 2.0, 3.0)}
        rates |= {} if joint.motion else {"truck_root": (-speed, 0.0, 0.0, 0.0, 0.0, 0.0)}
        run = simulate(system, Configuration(place, rates), duration=0.25, solver=solver)
        difference = float(abs(run.final["v"][:6] - answer).max())
        rows.append(
            Check.close(
                f"wall on a {name} body against a wall at rest", 0.0, difference, 1e-4, "m/s", "Galilean frames"
            )
        )
        rows.append(
            Check.close(
                f"wall on a {name} body: energy balance", 0.0, run.balance_error, 1e-6, "-", "of the energy put in"
            )
        )
    return rows


def slope(contact: Contact, duration: float = 10.0) -> Recording:
    """Return a block of 1 kg that is put on a slope of 20 degrees, in axes along it."""
    angle, shape = radians(20.0), Box((0.2, 0.2, 0.1))
    system = System(
        (Body("block", 1.0, shape.inertia(1.0), (shape,)),),
        (Joint("root", "free", None, "block"),),
        surfaces=(Plane("slope", contact=contact),),
        gravity=(G * sin(angle), 0.0, -G * cos(angle)),
    )
    sunk = G * cos(angle) / (4.0 * contact.stiffness)
    start = Configuration({"root": (0.0, 0.0, 0.05 - sunk, 1.0, 0.0, 0.0, 0.0)})
    return simulate(system, start, duration=duration, rate=100.0, pose_rate=100.0)


def sticking() -> list[Check]:
    """A body on a slope of 20 degrees with mu 0.5: a bristle holds it, regularised friction creeps as predicted."""
    base = Contact(stiffness=1e6, friction=0.5, restitution=0.3)
    rows = []
    for name, law in (
        ("bristle", base.replace(friction_law="bristle", tangent_stiffness=1e7)),
        ("stronge", base.replace(friction_law="stronge", tangent_stiffness=10.0)),
    ):
        way = slope(law).position[:, 0, 0]
        rows.append(
            Check.close(f"block on a slope, {name}: way in 10 s", 0.0, float(abs(way).max()), 1e-6, "m", "mu 0.5")
        )
    slid = slope(base).position[:, 0, 0]
    creep = base.slip_speed * tan(radians(20.0)) / base.friction
    found = float((slid[-1] - slid[100]) / 9.0)
    text = "slip speed x tan(angle)/mu: what regularised friction does"
    rows.append(Check.close("block on a slope, coulomb: creep", creep, found, 0.01 * creep, "m/s", text))
    return rows


def rolling() -> list[Check]:
    """A ball that rolls down a slope, 5/7 g sin(angle); a spheroid that rocks, with and without friction."""
    angle, law = (
        radians(20.0),
        Contact(stiffness=1e7, restitution=0.3, friction=0.8, friction_law="bristle", tangent_stiffness=1e7),
    )
    shape = Sphere(0.1)
    system = System(
        (Body("ball", 1.0, shape.inertia(1.0), (shape,)),),
        (Joint("root", "free", None, "ball"),),
        surfaces=(Plane("slope", contact=law),),
        gravity=(G * sin(angle), 0.0, -G * cos(angle)),
    )
    start = Configuration({"root": (0.0, 0.0, 0.1 - G * cos(angle) / 1e7, 1.0, 0.0, 0.0, 0.0)})
    run = simulate(system, start, duration=1.0)
    wanted = 5.0 / 7.0 * G * sin(angle)
    found = 2.0 * float(run.position[-1, 0, 0])
    rows = [Check.close("ball rolls down a slope", wanted, found, 2e-3 * wanted, "m/s2", "5/7 g sin(angle)")]
    axes, mass = (0.2, 0.2, 0.1), 2.0
    body = Ellipsoid(axes)
    inertia = body.inertia(mass)
    radius, height = axes[0] ** 2 / axes[2], axes[2]
    for name, contact, about in (
        ("rolling", law, inertia[1] + mass * height**2),
        ("on ice", law.replace(friction=0.0, friction_law="coulomb", tangent_stiffness=0.0), inertia[1]),
    ):
        stiff = contact.replace(restitution=1.0)
        system = System(
            (Body("egg", mass, inertia, (body,)),),
            (Joint("root", "free", None, "egg"),),
            surfaces=(Plane("floor", contact=stiff),),
        )
        tilt = 0.01
        level = sqrt((axes[0] * sin(tilt)) ** 2 + (axes[2] * cos(tilt)) ** 2) - mass * G / 1e7
        start = Configuration({"root": (0.0, 0.0, level, cos(tilt / 2.0), 0.0, sin(tilt / 2.0), 0.0)})
        run = simulate(system, start, duration=2.0, tolerance=1e-6)
        period = 2.0 * pi * sqrt(about / (mass * G * (radius - height)))
        rows.append(
            Check.close(
                f"spheroid rocks, {name}: period",
                period,
                _period(run),
                1e-3 * period,
                "s",
                "small angles, rigid; 1e-3: what 0.01 rad and the compression may add",
            )
        )
    return [*rows, _spinning()]


def _spinning() -> Check:
    """A ball that spins fast on ice bears its weight in long steps, though other material points touch in each."""
    shape, law, radius, steps = Sphere(0.1), Contact(stiffness=1e6, restitution=1.0, friction=0.0), 0.1, 5e-4
    system = System(
        (Body("ball", 1.0, shape.inertia(1.0), (shape,)),),
        (Joint("root", "free", None, "ball"),),
        surfaces=(Plane("ice", contact=law),),
    )
    place: Places = {"root": (0.0, 0.0, radius - G / law.stiffness, 1.0, 0.0, 0.0, 0.0)}
    start = Configuration(place, {"root": (0.0, 0.0, 0.0, 0.0, 50.0, 0.0)})
    run = simulate(system, start, duration=0.1, step=steps, adaptive=False)
    worst = float(abs(np.linalg.norm(run.contact_force[1:-1, 0], axis=-1) - G).max())
    note = "50 rad/s, steps of 0.5 ms, half a radian of the bouncing"
    return Check.close("ball spins on ice: normal force less weight", 0.0, worst, 1e-6, "N", note)


def _period(run: Recording) -> float:
    """Return the mean period [s] of the tilt about y, between its first and last passage through zero."""
    tilt = 2.0 * run.orientation[:, 0, 2] * np.sign(run.orientation[:, 0, 0])
    k = np.flatnonzero(tilt[:-1] * tilt[1:] < 0.0)
    times = run.pose_time[k] + (run.pose_time[1] - run.pose_time[0]) * tilt[k] / (tilt[k] - tilt[k + 1])
    return float(2.0 * (times[-1] - times[0]) / (len(times) - 1))


def themselves() -> list[Check]:
    """A person whose segments touch each other: no force at the start, some in a slip, and the energy adds up."""
    from ...scenario import Scenario

    fall = Scenario.load("slip").replace({"human.self_contact": True})
    run = fall.run(check=False).recording
    own = np.array([other in run.bodies for _, other in run.pairs])
    force = float(np.linalg.norm(run.contact_force[0][own], axis=-1).max())
    touched = int((run.contact_depth[:, own] > 0.0).any(axis=0).sum())
    return [
        Check.close("self-contact: force at the start", 0.0, force, 1e-6, "N", "overlap at rest is taken off"),
        Check.at_least("self-contact: pairs of segments that meet in a slip", 1, touched),
        Check.close("self-contact: energy balance of a slip", 0.0, run.balance_error, 1e-4, "-", run.status),
    ]
