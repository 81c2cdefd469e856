"""The 12-body occupant: sums of its tables, scaling, its natural coordinates, and the engine against them. SI units."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...human import Human, individual, occupant12, place
from ...model import Configuration, System, held_at
from ...model.pose import lowest_distance, segment_poses
from ...sim import simulate as engine
from ..evidence import Check
from ..formulations import Mechanism, simulate
from ..formulations.natural_points import NaturalPoints

#: joint set -> mass [kg] and height [m] of the individual: sums of Tables II and III
SUMS = {"silva": (81.416, 1.820), "silva-dummy": (74.600, 1.781)}
EXACT: dict[str, Any] = {"method": "dormand-prince", "tolerance": 1e-11}
PEOPLE: tuple[dict[str, Any], ...] = (
    {"preset": "5F"},
    {"preset": "95M"},
    {"preset": "6YO"},
    {"sex": "female", "age": 70, "percentile": 5},
    {"height": 1.60, "mass": 100.0, "joints": "silva-dummy"},
)
UP, DOWN = (0.0, 0.0, 1.0), (0.0, 0.0, -1.0)


def tables() -> list[Check]:
    """Masses and links of the occupant sum as its tables do, and a person of any size stands and weighs as asked."""
    rows = []
    for joints, (mass, height) in SUMS.items():
        person = occupant12(joints=joints)
        rows += [
            Check.close(f"occupant12, {joints}: mass", mass, person.system.mass, 1e-9, "kg"),
            Check.close(f"occupant12, {joints}: standing height", height, _height(person), 1e-9, "m"),
        ]
    tall = heavy = 0.0
    slack = np.inf
    for said in PEOPLE:
        person = occupant12(**said)
        tall = max(tall, abs(_height(person) / person.height - 1.0))
        heavy = max(heavy, abs(person.system.mass / person.mass - 1.0))
        moments = np.array([np.sort(np.diag(body.inertia)) for body in person.system.bodies])
        slack = min(slack, float((moments[:, :2].sum(axis=1) / moments[:, 2]).min()))
    note = f"{len(PEOPLE)} people"
    return [
        *rows,
        Check.close(
            "occupant12 of other sizes: standing height over the stature, less one", 0.0, tall, 1e-12, "-", note
        ),
        Check.close("occupant12 of other sizes: mass over that asked for, less one", 0.0, heavy, 1e-12, "-", note),
        Check.at_least("occupant12 of other sizes: two smaller moments over the largest", 1.0, slack, "-", note),
    ]


def natural_layout() -> list[Check]:
    """The occupant in natural coordinates has the 16 points, 17 vectors, 99 coordinates and 70 constraints printed."""
    system, start = moving(None)
    mechanism = Mechanism(system)
    natural = NaturalPoints(mechanism)
    counts = natural.counts(0.0, *natural.coordinates(mechanism.at(start)))
    points = sum(is_point for _, _, is_point in natural.nodes.home)
    found = {
        "bodies": (12, mechanism.n),
        "joints": (11, len(mechanism.joints)),
        "spherical joints": (6, sum(joint.type == "spherical" for joint in mechanism.joints)),
        "revolute joints": (5, sum(joint.type == "revolute" for joint in mechanism.joints)),
        "points": (16, points),
        "unit vectors": (17, natural.nodes.count - points),
        "coordinates": (99, counts["coordinates"]),
        "constraints": (70, counts["constraints"]),
        "degrees of freedom, by the rank of the Jacobian": (29, counts["degrees_of_freedom"]),
    }
    return [
        Check.close(f"occupant12, natural coordinates: {words}", printed, got, 0.0, "-", "silva1997, section 4.1")
        for words, (printed, got) in found.items()
    ]


def formulations_meet(free: float = 0.05, fall: float = 0.02, gear: float = 0.005) -> list[Check]:
    """Engine and natural coordinates give one motion of the occupant, free and in a fall with joint resistance."""
    rows = []
    paper = {"stabilisation": "augmented-lagrangian+projection", "solver": "BDF"}
    cases: tuple[tuple[str, str | None, float, dict[str, Any], float], ...] = (
        ("free motion", None, free, {}, 1e-9),
        ("fall, silva", "silva", fall, {}, 1e-9),
        ("fall, silva-dummy", "silva-dummy", fall, {}, 1e-9),
        ("free motion, augmented Lagrangian and Gear", None, gear, paper, 1e-6),
    )
    for words, joints, time, options, within in cases:
        system, start = moving(joints)
        run = engine(system, start, duration=time, pose_rate=1.0 / time, **EXACT)
        options = options | {"tolerance": 1e-8 if options else 1e-10, "absolute": 1e-9 if options else 1e-11}
        lab = simulate(system, start, duration=time, formulation="natural-points", samples=1, **options)
        order = [lab.bodies.index(body) for body in run.bodies]
        name = f"occupant12, {words}, after {1e3 * time:g} ms: engine and natural coordinates"
        off = float(abs(run.position[-1] - lab.position[-1][order]).max())
        slower = float(abs(run.velocity[-1] - lab.velocity[-1][order]).max())
        rows += [
            Check.close(f"{name}, position", 0.0, off, within, "m", f"{lab.steps} steps of the laboratory"),
            Check.close(f"{name}, velocity", 0.0, slower, 100.0 * within, "m/s"),
        ]
    return rows


def moving(joints: str | None) -> tuple[System, Configuration]:
    """Return a seated occupant in the air with random rates of all joints; without resistance also without gravity."""
    own = individual("dummy50" if joints == "silva-dummy" else "human50")
    person = occupant12(joints=joints, individual=own)
    rng = np.random.default_rng(7)
    rates = {
        joint.name: tuple(rng.normal(scale=4.0, size=3 if joint.type == "spherical" else 1).tolist())
        for joint in person.system.joints[1:]
    }
    start = place(person, "seated", clearance=0.5, angular_velocity=(0.3, -0.5, 0.2)).replace(rates=rates)
    system = person.system if joints else person.system.replace(gravity=(0.0, 0.0, 0.0))
    return held_at(system, start), start


def _height(person: Human) -> float:
    """Return the distance from the lowest to the highest point of the standing model [m]."""
    poses = segment_poses(person.system, place(person, "standing"))
    origin = (0.0, 0.0, 0.0)
    return -lowest_distance(person.system, poses, origin, DOWN) - lowest_distance(person.system, poses, origin, UP)
