"""Discrete impact compared with the engine's continuous contact of growing stiffness. SI units."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ...human import human, place
from ...model import Body, Configuration, Contact, Ellipsoid, Joint, Plane, System, ellipsoid_inertia
from ...model.pose import rotation_matrix, segment_poses
from ...sim.simulate import simulate
from ..evidence import Check
from ..impact import Impact, Moving, Touch, impact, tree
from ..impact.process import LAWS

UP = (0.0, 0.0, 1.0)


def _support(semi_axes: np.ndarray, turn: np.ndarray) -> np.ndarray:
    """Return the vector from the centre of an ellipsoid to its lowest point [m]."""
    local = turn.T @ np.array(UP)
    return -turn @ (semi_axes**2 * local) / np.linalg.norm(semi_axes * local)


SPINDLE = (0.03, 0.03, 0.5)  # semi-axes of an ellipsoid like a rod [m]


def spindle(slide: float, friction: float, restitution: float, law: str) -> Impact:
    """Return the discrete impact of a thin ellipsoid (1 kg) at 40 degrees and 3 m/s, sliding at `slide` [m/s]."""
    quaternion = (np.cos(np.radians(20.0)), 0.0, np.sin(np.radians(20.0)), 0.0)
    low = _support(np.array(SPINDLE), rotation_matrix(quaternion))
    body = Body("rod", 1.0, ellipsoid_inertia(1.0, SPINDLE))
    moving = Moving(body, (0.0, 0.0, float(-low[2])), (slide, 0.0, -3.0), orientation=quaternion)
    touch = Touch("rod", (float(low[0]), float(low[1]), 0.0), UP)
    return impact([moving], touch, restitution=restitution, friction=friction, law=law)


def stiff_spindle(slide: float, friction: float, restitution: float, stiffness: float) -> np.ndarray:
    """Return the velocity [m/s] of the spindle after its impact by the engine's contact of a stiffness [N/m]."""
    quaternion = (np.cos(np.radians(20.0)), 0.0, np.sin(np.radians(20.0)), 0.0)
    height = float(-_support(np.array(SPINDLE), rotation_matrix(quaternion))[2])
    contact = Contact(stiffness=stiffness, restitution=restitution, friction=friction, slip_speed=1e-4)
    system = System(
        (Body("rod", 1.0, ellipsoid_inertia(1.0, SPINDLE), (Ellipsoid(SPINDLE),)),),
        (Joint("root", "free", None, "rod"),),
        (Plane("ground", contact=contact),),
        gravity=(0.0, 0.0, 0.0),
    )
    start = Configuration({"root": (0.0, 0.0, height + 1e-9, *quaternion)}, {"root": (slide, 0.0, -3.0, 0.0, 0.0, 0.0)})
    return _ended(system, start, stiffness).velocity[-1, 0]


def _ended(system: System, start: Configuration, stiffness: float, mass: float = 1.0):  # type: ignore[no-untyped-def]
    """Run over the duration of a contact, with steps that resolve it."""
    period = float(np.sqrt(mass / stiffness))
    step = 0.01 * period
    duration = 8.0 * period
    return simulate(
        system, start, duration=duration, pose_rate=1.0 / duration, rate=1.0 / duration,
        step=step, max_step=step, contact_step=step, tolerance=1e-7,
    )  # fmt: skip


def stiff_contact() -> list[Check]:
    """The engine's elastic contact, made stiffer and stiffer, goes to Stronge's answer where slip turns round.

    A rod-like ellipsoid whose slip reverses, e = 1: the contact's elastic work is returned whole, which is Stronge's
    law. The difference falls with the square root of the stiffness, the time in which the body turns.
    """
    discrete = {law: spindle(0.6, 0.3, 1.0, law).velocity["rod"] for law in LAWS}
    gaps = {}
    for stiffness in (1e7, 1e9):
        after = stiff_spindle(0.6, 0.3, 1.0, stiffness)
        gaps[stiffness] = {law: float(np.linalg.norm(after - discrete[law])) for law in LAWS}
    near = gaps[1e9]
    note = f"1e9 N/m; from poisson {near['poisson']:.2g}, from newton {near['newton']:.2g} m/s"
    order = np.log10(gaps[1e7]["stronge"] / near["stronge"]) / 2.0
    rows = [
        Check.close("stiff elastic rod, slip reversed: from stronge", 0.0, near["stronge"], 1e-3, "m/s", note),
        Check.close("the same: order in the stiffness", 0.5, order, 0.1, "-", "half: the time of contact"),
    ]
    one_way = spindle(-0.6, 0.2, 0.5, "stronge").velocity["rod"]
    off = float(np.linalg.norm(stiff_spindle(-0.6, 0.2, 0.5, 1e9) - one_way))
    rows.append(Check.close("stiff rod that slips one way, e 0.5", 0.0, off, 1e-3, "m/s", "1e9 N/m; all laws agree"))
    return rows


def foot_strike(stiffness: float, restitution: float = 0.3) -> tuple[Impact, np.ndarray, np.ndarray]:
    """Return a foot strike at 2 m/s: discrete impact, velocities of all bodies by the engine after and before [m/s].

    The joints pass the impulse on; their own resistance is finite and does nothing in the limit. Returns the discrete
    impact, the engine's velocities after, and the velocities before.
    """
    person = human(1.8, 80.0, tissue="linear-1")
    start = place(person, "walking", clearance=1e-9, velocity=(1.0, 0.0, -2.0))
    bodies = tuple(
        replace(body, shapes=tuple(replace(shape, stiffness=float("inf")) for shape in body.shapes))
        for body in person.system.bodies
    )
    contact = Contact(stiffness=stiffness, restitution=restitution, friction=0.0)
    name, point = _lowest(person.system, start)
    # the other foot is a few micrometres higher, and its contact is ignored
    system = person.system.replace(bodies=bodies, surfaces=(Plane("ground", contact=contact, only=(name,)),))
    mechanism = tree(system, start)
    found = impact(mechanism, Touch(name, tuple(point), UP), restitution=restitution)
    run = _ended(system, start, stiffness)
    return found, run.velocity[-1], mechanism.velocity


def _lowest(system: System, start: Configuration) -> tuple[str, np.ndarray]:
    """Return the lowest body and its lowest point [m]."""
    low: tuple[str, np.ndarray] = ("", np.array([0.0, 0.0, np.inf]))
    for name, (centre, turn) in segment_poses(system, start).items():
        for shape in system.body(name).shapes:
            axes = turn @ rotation_matrix(shape.rotation)
            point = centre + turn @ np.array(shape.offset) + _support(np.array(shape.half_size), axes)
            if point[2] < low[1][2]:
                low = (name, point)
    return low


def stiff_foot() -> list[Check]:
    """A walking person's foot strikes the ground: impulse through the tree compared with a stiff contact."""
    gaps = []
    for stiffness in (1e9, 1e11):
        found, after, before = foot_strike(stiffness)
        discrete = np.array(list(found.velocity.values()))
        gaps.append(float(np.linalg.norm(after - discrete, axis=1).max()))
    jump = float(np.linalg.norm(discrete - before, axis=1).max())
    impulse = float(found.impulse[0, 2])
    note = (
        f"largest of 17 segments, which jump by up to {jump:.2f} m/s; {impulse:.2f} N s, {found.energy_loss:.2f} J lost"
    )
    order = np.log10(gaps[0] / gaps[1]) / 2.0
    return [
        Check.close("foot strike at 1e11 N/m: from the discrete impact", 0.0, gaps[1], 0.01 * jump, "m/s", note),
        Check.close("the same: order in the stiffness", 0.5, order, 0.1, "-", "half: the time of contact"),
    ]
