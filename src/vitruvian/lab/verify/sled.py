"""Sleds and seats against closed forms: a driven sled, a free one on absorbers, and a settled person. SI units."""

from __future__ import annotations

import numpy as np

from ...scenario import Scenario
from ...units import STANDARD_GRAVITY
from ..evidence import Check

PEAK, LENGTH, SPEED = -9.0 * STANDARD_GRAVITY, 0.074, 15.0 / 3.6
PAN = np.radians(8.0)  # angle of the pan [rad]
MASS, CRUSH, FORCE = 500.0, 0.01, 2e4  # free sled [kg]; an absorber reaches its force after this crush [m], [N]
_LOAD = """
schema = 1
gravity = 0
[sled]
{sled}
[[body]]
name = "load"
mass = {mass}
inertia = [1, 1, 1]
[[joint]]
name = "slide"
type = "prismatic"
parent = "sled"
child = "load"
axis = [1, 0, 0]
resistance = {{ stiffness = "20 kN/m", damping = "100 N s/m" }}
[solver]
duration = "0.12 s"
"""


def half_sine() -> list[Check]:
    """A sled that is driven by a half-sine moves as its pulse integrated twice by hand, and its work is audited."""
    sled = f'pulse = {{ shape = "half-sine", peak = {PEAK}, duration = {LENGTH} }}\nvelocity = [{SPEED}, 0, 0]'
    run = Scenario.from_toml(_LOAD.format(sled=sled, mass=10.0)).run().recording
    time, body = run.pose_time, run.bodies.index("sled")
    omega, within = np.pi / LENGTH, np.minimum(time, LENGTH)
    moved = SPEED * time + PEAK / omega * (within - np.sin(omega * within) / omega)
    moved += 2.0 * PEAK / omega * np.maximum(time - LENGTH, 0.0)
    apart = float(abs(run.position[:, body, 0] - moved).max())
    change = float(run.velocity[-1, body, 0] - run.velocity[0, body, 0])
    return [
        Check.at_most("half-sine: displacement", 2e-6, apart, "m", "closed form; 256 straight pieces"),
        Check.close("half-sine: change of velocity", 2.0 * PEAK / omega, change, 1e-9, "m/s", "closed form"),
        Check.at_most("half-sine: energy balance with the drive", 1e-4, run.balance_error, "-", "load on a spring"),
    ]


def absorbers() -> list[Check]:
    """The absorbers of a free sled take up its kinetic energy: the crush follows from their curve."""
    curve = f"[[0, 0], [{CRUSH}, {FORCE}], [0.5, {FORCE}]]"
    sled = f"mass = {MASS}\nvelocity = [4, 0, 0]\nbarrier = {{ curve = {curve}, distance = 0.02 }}"
    run = Scenario.from_toml(_LOAD.format(sled=sled, mass=1e-3)).run().recording
    crush = float(run.position[:, run.bodies.index("sled"), 0].max()) - 0.02
    energy = 0.5 * MASS * 16.0
    expected = energy / (2.0 * FORCE) + 0.5 * CRUSH
    return [Check.close("two absorbers: crush", expected, crush, 1e-3 * expected, "m", "work of the curve")]


def settled() -> list[Check]:
    """A seat carries a settled person who holds the posture: the contacts bear the weight from the start."""
    rows = []
    for cushion in ("rigid", "cushion"):
        scenario = Scenario.from_toml(
            'schema = 1\n[human]\npreset = "50M"\nstart = { settle = true }\ntone = "standing"\n'
            'tone_until = "end"\n[[seat]]\npan_angle = "8 deg"\n'
            f'back_angle = "20 deg"\ncushion = "{cushion}"\n[solver]\nduration = "2 ms"\n'
        )
        built = scenario._built()
        run = scenario.run().recording
        normal = np.array([-np.sin(PAN), 0.0, np.cos(PAN)])  # of the pan; friction is zero at rest
        weight = built.people[0].person.system.mass * STANDARD_GRAVITY * float(normal[2])
        force = float((run.contact_force[0].sum(axis=0)) @ normal)
        rows.append(Check.close(f"{cushion} seat: force at 0 s", weight, force, 0.01 * weight, "N", "weight"))
    return rows
