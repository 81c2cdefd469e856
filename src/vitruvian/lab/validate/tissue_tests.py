"""Tests of tissue, done on a person as they were done in the laboratory: drops, releases and impactors. SI units.

Each function returns the quantities that were measured, by name. Plates are rigid, and nothing else touches.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ...human import Human, human, place
from ...model import (
    Body,
    BodyContact,
    Configuration,
    Contact,
    Joint,
    Plane,
    Sensor,
    Sphere,
    System,
    frame_with_z,
)
from ...model.pose import segment_poses
from ...model.tissue import depth_of
from ...sim import Recording, simulate
from ...units import STANDARD_GRAVITY

RATE = 1e5  # samples of accelerations and forces [Hz]
CFC = 1000.0  # channel class of a head accelerometer [Hz]
RIGID = Contact(friction=0.5)
HIP = ("pelvis", "left_thigh", "right_thigh")
FACE_RADIUS = 0.175  # of the impactor of the hip [m], recalled

Measures = dict[str, float]


def adult(**options: object) -> Human:
    """Return the person of the tests: a man of 175 cm and 77 kg; `options` are those of `vitruvian.human.human`."""
    return human("175 cm", 77, **options)


def head_drop(height: float = 1.0, person: Human | None = None, mass: float | None = None) -> Measures:
    """Drop the head alone from a height [m] onto a plate, on its side; `mass` [kg] instead of the person's own.

    Returns force [N], acceleration, channel class 1000 [m/s2], HIC15 [-], duration [s] above a tenth of the peak,
    deflection [m], stiffness [N/m]: the slope from 40 to 80 % of the peak on the way up, and restitution [-].
    """
    from ...injury import hic
    from ...signals import cfc

    run, speed = _dropped(person or adult(), "head", float(np.sqrt(2.0 * STANDARD_GRAVITY * height)), mass, side=True)
    samples = cfc(run.time, run.sensor_acceleration[:, 0], CFC, name="head", assume_units=True)
    resultant = np.linalg.norm(samples, axis=1)
    force, depth = _force(run, ("segment",)), run.contact_depth[:, 0]
    rising = slice(np.argmax(force > 0.4 * force.max()), np.argmax(force > 0.8 * force.max()) + 1)
    return {
        "force": float(force.max()),
        "acceleration": float(resultant.max()),
        "HIC15": float(hic(run.time, resultant / STANDARD_GRAVITY, 0.015).value),
        "duration": float(np.ptp(run.pose_time[force > 0.1 * force.max()])),
        "deflection": float(depth.max()),
        "stiffness": float(np.ptp(force[rising]) / np.ptp(depth[rising])),
        "restitution": float(run.velocity[:, 0, 2].max() / speed),
    }


def slow_stiffness(person: Human, segment: str, load: float) -> float:
    """Return the slope [N/m] of a segment pressed slowly, from 40 to 80 % of a load [N]."""
    soft = person.system.body(person.prefix + segment).shapes[0].soft
    force = np.array([0.4, 0.8]) * load
    return float(np.ptp(force) / np.ptp(depth_of(soft)(force)))


def heel_drop(person: Human | None = None, mass: float = 5.0, speed: float = 0.93) -> Measures:
    """Press the sole of a foot and a plate together with a mass [kg] at a speed [m/s], the leg held still.

    Returns acceleration of the mass [m/s2], force [N], deformation [m], stiffness [N/m]: force over deformation at the
    peak, and absorbed [-]: the share of the energy that does not come back.
    """
    run, _ = _dropped(person or adult(), "right_foot", speed, mass, side=False)
    force, depth = _force(run, ("segment",)), _depth(run, ("segment",))
    return {
        "acceleration": float(force.max()) / mass,
        "force": float(force.max()),
        "deformation": depth,
        "stiffness": float(force.max()) / depth,
        "absorbed": 1.0 - float(run.velocity[:, 0, 2].max() / speed) ** 2,
    }


def _dropped(person: Human, segment: str, speed: float, mass: float | None, *, side: bool) -> tuple[Recording, float]:
    """Run a segment alone with a mass [kg] that meets a plate at a speed [m/s], on its side or upright."""
    own = person.system.body(person.prefix + segment)
    mass = mass or own.mass
    shape = replace(own.shapes[0], offset=(0.0, 0.0, 0.0))  # heel or vault, below what holds or weighs it
    body = Body("segment", mass, np.array(own.inertia) * mass / own.mass, (shape,))
    system = System(
        (body,),
        (Joint("root", "free", None, "segment"),),
        (Plane("plate", contact=RIGID),),
        sensors=(Sensor("segment", "segment"),),
    )
    turn = (np.sqrt(0.5), np.sqrt(0.5), 0.0, 0.0) if side else (1.0, 0.0, 0.0, 0.0)
    reach = own.shapes[0].half_size[1 if side else 2]
    start = Configuration({"root": (0.0, 0.0, reach + 1e-5, *turn)}, {"root": (0.0, 0.0, -speed, 0.0, 0.0, 0.0)})
    return simulate(system, start, duration=0.06, rate=RATE, pose_rate=RATE), speed


def hip_release(height: float = 0.05, person: Human | None = None) -> Measures:
    """Release a person who lies on the right side, the pelvis a height [m] above a plate.

    Returns force [N] on pelvis and thighs, and stiffness [N/m]: force over the depth of the pelvis at its peak.
    """
    person = person or adult()
    stance = {"orientation": {"roll": "90 deg"}, "joints": {"right_shoulder": {"flexion": "90 deg"}}}
    system = person.system.replace(surfaces=(Plane("plate", contact=RIGID),))
    start = place(person, stance, clearance=1e-3)
    names = [body.name for body in person.system.bodies]
    run = simulate(system, start, duration=1e-4, rate=RATE, pose_rate=RATE)
    pelvis = run.position[0, names.index(f"{person.prefix}pelvis"), 2]
    reach = person.system.body(f"{person.prefix}pelvis").shapes[0].half_size[1]
    lift = height - (pelvis - reach)
    start = place(person, stance, clearance=max(1e-3, 1e-3 + lift))
    run = simulate(system, start, duration=0.3, rate=RATE, pose_rate=1e4)
    hip = tuple(person.prefix + name for name in HIP)
    force = _force(run, hip)
    depth = _depth(run, (f"{person.prefix}pelvis",))
    return {"force": float(force.max()), "stiffness": float(force.max()) / depth if depth else np.nan, "depth": depth}


#: part of the body -> bodies that the plate touches, the way it moves, its mass [kg] and speed [m/s] unless given
PENDULUMS = {
    "thorax": (("thorax",), (-1.0, 0.0, 0.0), 23.4, 7.15),
    "back": (("thorax",), (1.0, 0.0, 0.0), 23.4, 6.6),
    "flank": (("thorax",), (0.0, -1.0, 0.0), 23.5, 4.3),
    "shoulder": (("left_upper_arm",), (0.0, -1.0, 0.0), 23.4, 4.5),
    "abdomen": (("abdomen",), (-1.0, 0.0, 0.0), 32.0, 6.1),
}


def pendulum(part: str, speed: float | None = None, mass: float | None = None, person: Human | None = None) -> Measures:
    """Strike a part of a standing person, one of PENDULUMS, with a plate of a mass [kg] at a speed [m/s].

    Returns force [N], deflection [m] of the part, force at half the deflection [N] and absorbed [-]: the share of the
    work of the plate that the tissue does not give back.
    """
    person = person or adult()
    bodies, way, own_mass, own_speed = PENDULUMS[part]
    names = tuple(person.prefix + name for name in bodies)
    run = _impact(person, "standing", names, way, mass or own_mass, speed or own_speed)
    force, depth = _force(run, names), run.contact_depth[:, [k for k, p in enumerate(run.pairs) if p[0] == names[0]]]
    depth = depth.max(axis=1).clip(0.0)
    peak = int(np.argmax(depth))
    middle = int(np.argmax(depth >= 0.5 * depth[peak]))
    work = np.concatenate([[0.0], np.cumsum(0.5 * (force[1:] + force[:-1]) * np.diff(depth))])
    return {
        "force": float(force.max()),
        "deflection": float(depth[peak]),
        "force_middle": float(force[middle]),
        "absorbed": float(work[-1] / work.max()),
    }


def hip_impact(speed: float = 6.0, mass: float = 17.3, person: Human | None = None) -> float:
    """Return the largest force [N] of an impactor of a mass [kg] that meets a seated hip at a speed [m/s].

    Target C51, as the tests of Cesari and Ramet (1982) were done, from memory: a rigid segment of a sphere moves
    sideways towards the greater trochanter, and the force is the mass times its deceleration.
    """
    person = person or adult()
    start = place(person, "seated", clearance=0.0)
    names = tuple(person.prefix + name for name in ("pelvis", "left_thigh"))
    middle, turn = segment_poses(person.system, start)[names[0]]
    hip = middle + turn @ np.array(person.system.joint(f"{person.prefix}left_hip").point_parent)
    frame = frame_with_z((0.0, -1.0, 0.0))
    aim = (float(hip[0]), 0.0, float(hip[2]))
    guide = Joint("guide", "prismatic", None, "impactor", point_parent=aim, frame_parent=frame, frame_child=frame)
    system = person.system.replace(
        bodies=(*person.system.bodies, Body("impactor", mass, np.full(3, 0.1), (Sphere(FACE_RADIUS),))),
        joints=(*person.system.joints, guide),
        contacts=(*person.system.contacts, BodyContact("impactor", ("impactor",), names, RIGID)),
        gravity=(0.0, 0.0, 0.0),
    )
    run = simulate(system, start.replace({"guide": (-0.5,)}, {"guide": (speed,)}), duration=0.12, pose_rate=1e4)
    sideways = run.velocity[:, run.bodies.index("impactor"), 1]
    return mass * float(np.gradient(sideways, run.pose_time).max())


def feet_first(height: float = 0.5, person: Human | None = None) -> Measures:
    """Drop a limp person upright, legs straight, from a height of the feet [m] onto a plate.

    Returns body_weights [-] of the ground, and accelerations of pelvis, thorax and head, channel class 1000 [m/s2].
    """
    person = person or adult()
    system = person.system.replace(surfaces=(Plane("plate", contact=RIGID),))
    speed = float(np.sqrt(2.0 * STANDARD_GRAVITY * height))
    start = place(person, "standing", clearance=1e-3, velocity=(0.0, 0.0, -speed))
    run = simulate(system, start, duration=0.1, rate=RATE, pose_rate=RATE)
    feet = tuple(f"{person.prefix}{side}_foot" for side in ("left", "right"))
    found = {"body_weights": float(_force(run, feet).max()) / (system.mass * STANDARD_GRAVITY)}
    return found | {name: _peak(run, person.prefix + name) for name in ("pelvis", "thorax", "head")}


def buttock_fall(height: float = 0.3, person: Human | None = None) -> Measures:
    """Drop a limp person who sits upright from a height of the buttocks [m] onto a plate.

    Returns force [N] on pelvis, thighs and abdomen together, and accelerations of pelvis and head [m/s2].
    """
    person = person or adult()
    system = person.system.replace(surfaces=(Plane("plate", contact=RIGID),))
    speed = float(np.sqrt(2.0 * STANDARD_GRAVITY * height))
    stance = {"base": "seated", "joints": {"knee": {"flexion": 0.0}, "ankle": {"plantarflexion": "40 deg"}}}
    start = place(person, stance, clearance=1e-3, velocity=(0.0, 0.0, -speed))
    run = simulate(system, start, duration=0.15, rate=RATE, pose_rate=RATE)
    force = _force(run, tuple(person.prefix + name for name in (*HIP, "abdomen")))
    return {"force": float(force.max())} | {name: _peak(run, person.prefix + name) for name in ("pelvis", "head")}


# --- parts


def _impact(
    person: Human,
    stance: object,
    bodies: tuple[str, ...],
    way: tuple[float, float, float],
    mass: float,
    speed: float,
) -> Recording:
    """Run a plate of a mass [kg] that moves at a speed [m/s] into some bodies of a person in free space."""
    start = place(person, stance, clearance=0.0)  # type: ignore[arg-type]
    frame = frame_with_z(way)
    guide = Joint("guide", "prismatic", None, "plate", frame_parent=frame, frame_child=frame)
    system = person.system.replace(
        bodies=(*person.system.bodies, Body("plate", mass, np.full(3, 0.1))),
        joints=(*person.system.joints, guide),
        surfaces=(Plane("plate", normal=way, contact=RIGID, only=bodies, carrier="plate"),),
        gravity=(0.0, 0.0, 0.0),
    )
    probe = simulate(system, start.replace({"guide": (-10.0,)}), duration=1e-4, rate=RATE, pose_rate=RATE)
    near = min(_nearest(probe, system.body(name), way) for name in bodies)
    start = start.replace({"guide": (near - 1e-3,)}, {"guide": (speed,)})
    return simulate(system, start, duration=0.12, rate=RATE, pose_rate=RATE)


def _nearest(run: Recording, body: Body, way: tuple[float, float, float]) -> float:
    """Return the place along a way [m] at which what moves along it meets a body at the start of a run."""
    local = _local(run, body.name, way)
    middle = float(np.dot(run.position[0, run.bodies.index(body.name)], way))
    return middle + min(float(local @ np.array(shape.offset)) - float(shape.reach(local)) for shape in body.shapes)


def _local(run: Recording, name: str, way: tuple[float, float, float]) -> np.ndarray:
    """Return a direction in the axes of a body at the start of a run [-]."""
    from ...sim.channel import to_body_axes

    return to_body_axes(run.orientation[:1, run.bodies.index(name)], np.array([way]))[0]


def _force(run: Recording, bodies: tuple[str, ...], surface: str = "plate") -> np.ndarray:
    """Return the size of the contact force on some bodies together [N]."""
    places = [k for k, (body, other) in enumerate(run.pairs) if body in bodies and other == surface]
    return np.linalg.norm(run.contact_force[:, places].sum(axis=1), axis=1)


def _depth(run: Recording, bodies: tuple[str, ...], surface: str = "plate") -> float:
    """Return the largest depth of contact of some bodies [m]."""
    places = [k for k, (body, other) in enumerate(run.pairs) if body in bodies and other == surface]
    return float(run.contact_depth[:, places].max())


def _peak(run: Recording, sensor: str) -> float:
    """Return the peak of the resultant acceleration of a sensor, channel class 1000 [m/s2]."""
    from ...signals import cfc

    place = run.sensors.index(sensor)
    samples = cfc(run.time, run.sensor_acceleration[:, place], CFC, name=sensor, assume_units=True)
    return float(np.linalg.norm(samples, axis=1).max())
