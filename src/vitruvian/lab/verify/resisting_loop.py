"""A loop that resists against the same joint in the tree: a four-bar linkage cut at two places. SI units."""

from __future__ import annotations

import numpy as np

from ...model import Body, Configuration, Joint, Loop, Resistance, System, frame_with_z, resisting_loop
from ...sim.recording import Recording
from ...sim.simulate import simulate
from ..evidence import Check

CRANK, COUPLER, ROCKER, GROUND = 0.3, 0.7, 0.5, 0.8  # lengths of the links [m]
ANGLE, SPEED = 1.2, 3.0  # of the crank at the start [rad, rad/s]
STEP = 5e-4  # [s]
PIN = "pin"  # joint between coupler and rocker, which resists
LAWS = {
    "spring and damper": Resistance(law="coordinate", stiffness=(20.0, 0, 0), damping=(0.3, 0, 0), rest=(0.2, 0, 0)),
    "dry friction": Resistance(law="coordinate", friction=2.0),
}
_Y = frame_with_z((0.0, 1.0, 0.0))


def resistance() -> list[Check]:
    """The four-bar moves in the same way whether the joint that resists is in the tree or closes the loop."""
    rows = []
    for name, law in LAWS.items():
        tree, loop = (simulate(*made, duration=1.0, adaptive=False, step=STEP) for made in linkages(law))
        off = float(abs(_rocker(tree) - _rocker(loop)).max())
        rows.append(Check.close(f"four-bar, {name} in the loop and in the tree", 0.0, off, 1e-6, "m"))
        lost = _lost(tree, PIN), _lost(loop, f"{PIN}_joint")
        rows.append(Check.close(f"energy lost in the joint, {name}", lost[0], lost[1], 1e-4, "J"))
        rows.append(Check.close(f"energy balance, {name} in the loop", 0.0, float(loop.balance_error), 1e-5, "-"))
    return rows


def _lost(run: Recording, joint: str) -> float:
    return float(run.joint_loss[-1, run.joints.index(joint)])


def _rocker(run: Recording) -> np.ndarray:
    return np.asarray(run.position[:, run.bodies.index("rocker")])


def linkages(law: Resistance) -> tuple[tuple[System, Configuration], tuple[System, Configuration]]:
    """Return a four-bar linkage under gravity with the pin in the tree, and with the pin as the loop."""
    coupler, rocker, rates = _closed()
    bodies = tuple(
        Body(name, mass, np.array([1e-3, *(mass * length**2 / 12.0,) * 2]))
        for name, mass, length in (("crank", 1.0, CRANK), ("coupler", 2.0, COUPLER), ("rocker", 1.5, ROCKER))
    )
    half = [(0.5 * length, 0.0, 0.0) for length in (CRANK, COUPLER, ROCKER)]
    back = [(-x, y, z) for x, y, z in half]
    joints = (
        Joint("first", "revolute", None, "crank", (0.0, 0.0, 0.0), back[0], _Y, _Y),
        Joint("second", "revolute", "crank", "coupler", half[0], back[1], _Y, _Y),
    )
    ends = ((GROUND, 0.0, 0.0), back[2], _Y, _Y)
    pin = ("coupler", "rocker", half[1], half[2], _Y, _Y)
    angles = {"first": (-ANGLE,), "second": (ANGLE - coupler,)}
    speeds = {"first": (-SPEED,), "second": (SPEED - rates[0],)}
    tree = System(
        bodies,
        (*joints, Joint(PIN, "revolute", *pin, law)),
        loops=(Loop("last", "revolute", None, "rocker", *ends),),
    )
    start = Configuration({**angles, PIN: (coupler - rocker,)}, {**speeds, PIN: (rates[0] - rates[1],)})
    open_loop = System(
        bodies,
        (*joints, Joint("last", "revolute", None, "rocker", *ends)),
        loops=(Loop(PIN, "revolute", *pin),),
    )
    cut = Configuration({**angles, "last": (-rocker,)}, {**speeds, "last": (-rates[1],)})
    return (tree, start), resisting_loop(open_loop, cut, PIN, law)


def _closed() -> tuple[float, float, np.ndarray]:
    """Return the angles [rad] of coupler and rocker at the start, and their rates [rad/s], by trigonometry."""
    tip = CRANK * np.array([np.cos(ANGLE), np.sin(ANGLE)])
    x, z = np.array([GROUND, 0.0]) - tip
    reach = float(np.hypot(x, z))
    coupler = np.arctan2(z, x) + np.arccos((COUPLER**2 + reach**2 - ROCKER**2) / (2.0 * COUPLER * reach))
    end = tip + COUPLER * np.array([np.cos(coupler), np.sin(coupler)])
    rocker = np.arctan2(end[1], end[0] - GROUND)
    matrix = [
        [-COUPLER * np.sin(coupler), ROCKER * np.sin(rocker)],
        [COUPLER * np.cos(coupler), -ROCKER * np.cos(rocker)],
    ]
    rates = np.linalg.solve(matrix, -SPEED * CRANK * np.array([-np.sin(ANGLE), np.cos(ANGLE)]))
    return float(coupler), float(rocker), rates
