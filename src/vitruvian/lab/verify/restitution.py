"""Restitution of the contact laws: rebound over impact speed, and no law creates energy. SI units."""

from __future__ import annotations

from collections.abc import Mapping
from math import atan2, exp, pi, sqrt
from typing import Any

import numpy as np

from ...model import Configuration
from ...model.contact import Contact
from ...model.contact_law import FAMILY, returned_restitution
from ...sim.simulate import simulate
from ..evidence import Check
from ..single_impact import Alone, examples, impact, random_states
from .block_and_ball import G, ball, bounce

SPEED = 3.0  # of the impact [m/s]
NOMINAL = tuple(round(0.05 * k, 2) for k in range(1, 20))
FINE: dict[str, Any] = {"tolerance": 1e-7, "contact_step": 1e-4}
FINER: dict[str, Any] = {"tolerance": 1e-8, "contact_step": 1e-5}

#: restitution given -> what the laws return, exponent 1.5: simulated by others before the engine was written (the
#: table at the end of the list of misprints)
GIVEN = (0.05, 0.10, 0.30, 0.50, 0.70, 0.90)
LISTED = {
    "hunt-crossley-published": (0.50, 0.52, 0.58, 0.66, 0.77, 0.91),
    "lee-wang": (0.68, 0.69, 0.74, 0.80, 0.87, 0.95),
    "herbert-mcwhannell": (0.49, 0.49, 0.52, 0.59, 0.72, 0.90),
    "lankarani-nikravesh": (0.66, 0.67, 0.68, 0.73, 0.80, 0.91),
    "gonthier": (0.05, 0.10, 0.30, 0.49, 0.67, 0.88),
    "zhiying-qishao-thesis": (0.67, 0.68, 0.76, 0.86, 0.95, 1.00),
    "zhiying-qishao": (0.20, 0.22, 0.33, 0.48, 0.68, 0.90),
    "flores-thesis": (0.03, 0.06, 0.20, 0.36, 0.55, 0.82),
    "flores": (0.03, 0.07, 0.26, 0.47, 0.68, 0.89),
    "gharib-hurmuzlu-thesis": (0.05, 0.11, 0.37, 0.59, 0.78, 0.93),
    "gharib-hurmuzlu": (0.05, 0.10, 0.28, 0.41, 0.50, 0.57),
}


def rebound(contact: Contact, options: Mapping[str, Any] = FINE) -> float:
    """Return the rebound over impact speed [-] of the ball of 1 kg in the engine."""
    return float(bounce(contact, SPEED, **options).velocity[-1, 0, 2] / SPEED)


def family_contact(law: str, restitution: float) -> Contact:
    """Return the contact of the comparison: 1e5 N/m^1.5, no friction."""
    return Contact(1e5, 1.5, restitution, 0.0, law=law)


def measured() -> dict[str, np.ndarray]:
    """Return law -> measured restitution of the ball at every nominal one."""
    return {law: np.array([rebound(family_contact(law, given)) for given in NOMINAL]) for law in FAMILY}


def laws() -> list[Check]:
    """A ball returns under each published law what other simulations of it returned; ours the Cr given; Hertz all."""
    rows = []
    found = measured()
    for law, listed in LISTED.items():
        got = [found[law][NOMINAL.index(given)] for given in GIVEN]
        off = float(np.abs(np.array(got) - listed).max())
        note = "largest difference from the listed values, Cr 0.05 to 0.9"
        rows.append(Check.close(f"{law}: rebound", 0.0, off, 0.01, "-", note))
        exact = [returned_restitution(family_contact(law, given).number) for given in NOMINAL]
        off = float(np.abs(found[law] - exact).max())
        rows.append(
            Check.close(f"{law}: rebound, exact", 0.0, off, 1e-4, "-", "root of its own equation, 0.05 to 0.95")
        )
    off = float(np.abs(found["hunt-crossley"] - NOMINAL).max())
    rows.append(Check.close("hunt-crossley, solved: rebound", 0.0, off, 1e-4, "-", "difference from Cr, 0.05 to 0.95"))
    kept = rebound(Contact(1e5, 1.5, friction=0.0, law="hertz"), FINER)
    rows.append(Check.close("hertz: rebound", 1.0, kept, 1e-6, "-", "no loss"))
    return rows


def hertz() -> list[Check]:
    """Peak force, depth and duration of an elastic impact against their closed forms.

    d = (5 m v^2/(4 k))^(2/5),  F = k d^(3/2),  t = 2 sqrt(pi) G(7/5)/G(9/10) d/v = 2.9433 d/v  (johnson1985)
    """
    from scipy.special import gamma

    k = 1e5
    run = bounce(Contact(k, law="hertz", friction=0.0), SPEED, pose_rate=1e5, **FINER)
    depth = (1.25 * SPEED**2 / k) ** 0.4
    force = k * depth**1.5
    lasts = 2.0 * sqrt(pi) * gamma(1.4) / gamma(0.9) * depth / SPEED
    touch, separation = (next(e.time for e in run.events if e.kind == kind) for kind in ("touch", "separation"))
    rows = []
    for name, expected, got, unit in (
        ("largest depth", depth, float(run.contact_depth[:, 0].max()), "m"),
        ("peak force", force, float(run.contact_force[:, 0, 2].max()), "N"),
        ("duration", lasts, separation - touch, "s"),
    ):
        rows.append(Check.close(f"Hertz impact: {name}", expected, got, 1e-4 * expected, unit, "ball of 1 kg at 3 m/s"))
    return rows


def dissipation(count: int = 1_000_000) -> list[Check]:
    """At random states every law takes energy out, none pulls unless it may, and the slopes are not negative."""
    rng = np.random.default_rng(3)
    states = random_states(rng, count)
    rows = []
    for name, contact in examples().items():
        force, elastic, by_depth, by_rate = Alone(contact).many(states).T
        lost = (force - elastic) * states[:, 1]
        scale = (np.abs(force) + np.abs(elastic)) * np.abs(states[:, 1]) + 1e-300
        wrong = int(np.count_nonzero(lost < -1e-12 * scale))
        wrong += int(np.count_nonzero(force < 0.0)) if not contact.pull else 0
        wrong += int(np.count_nonzero((by_depth < 0.0) | (by_rate < 0.0) | ~np.isfinite(force)))
        rows.append(
            Check.close(f"{name}: states that make energy or pull", 0.0, wrong, 0.0, "-", f"of {count:g} random states")
        )
    return rows


def kelvin_voigt_restitution(stiffness: float, damping: float, mass: float, *, pull: bool) -> float:
    """Return the closed form [-]: exp(-b t), b = D/2m, until the depth is zero (w t = pi), or until the force is.

    Without pull x'' = 0 ends it: tan(w t) = 2 b w/(b^2 - w^2).
    """
    b = damping / (2.0 * mass)
    w = sqrt(stiffness / mass - b * b)
    angle = pi if pull else pi - atan2(2.0 * b * w, w * w - b * b)
    return exp(-b / w * angle)


def closed_forms() -> dict[str, tuple[Contact, float, str]]:
    """Return laws whose restitution does not follow from a damping number: contact, closed form, description."""
    k, d = 1e5, 200.0
    line = ((0.0, 0.0), (0.05, 5000.0))
    voigt = Contact(k, law="kelvin-voigt", damping=d, friction=0.0)
    return {
        "linear": (Contact(k, law="linear", friction=0.0), 1.0, "no loss"),
        "kelvin-voigt": (voigt, kelvin_voigt_restitution(k, d, 1.0, pull=False), "until the force ends"),
        "kelvin-voigt, may pull": (
            voigt.replace(pull=True),
            kelvin_voigt_restitution(k, d, 1.0, pull=True),
            "until the depth ends",
        ),
        "hertz-permanent": (Contact(k, law="hertz-permanent", restitution=0.6, friction=0.0), 0.6, "sqrt(1 - d_p/d_m)"),
        "curve, down a line": (
            Contact(law="curve", curve=line, unloading_stiffness=4e5, friction=0.0),
            0.5,
            "sqrt(slope in / slope out)",
        ),
    }


def closed() -> list[Check]:
    """Laws with a closed form of their own, by scipy alone and in the engine."""
    rows = []
    for name, (contact, expected, note) in closed_forms().items():
        got = impact(contact, SPEED).restitution
        rows.append(Check.close(f"{name}: rebound, scipy", expected, got, 1e-6, "-", note))
        got = rebound(contact, FINER)
        rows.append(Check.close(f"{name}: rebound, engine", expected, got, 1e-5, "-", note))
    return rows


def engine() -> list[Check]:
    """Every law in the engine rebounds as scipy says of the law alone, and never with more energy than it came with."""
    rows = []
    for name, contact in examples().items():
        contact = contact.replace(friction=0.0)
        run = bounce(contact, SPEED, **FINER)
        expected, got = impact(contact, SPEED).restitution, float(run.velocity[-1, 0, 2]) / SPEED
        rows.append(Check.close(f"{name}: rebound, engine and scipy", expected, got, 2e-5, "-", "ball at 3 m/s"))
        gain = got**2 - 1.0 - float(abs(run.balance[-1]) / (0.5 * SPEED**2))
        note = "kinetic energy after over before, less 1 and the balance error; 1e-6 is the accuracy of these steps"
        rows.append(Check.at_most(f"{name}: energy gained", 0.0, gain, "-", note, tolerance=1e-6))
    return rows


def dent() -> list[Check]:
    """A ball that falls on a surface with permanent indentation finds its dent again: later impacts lose nothing.

    The first impact returns Cr; the next ones are slower, go down and up the same path and keep the energy.
    """
    given = 0.6
    contact = Contact(1e5, law="hertz-permanent", restitution=given, friction=0.0)
    start = Configuration({"root": (0.0, 0.0, 0.4, 1.0, 0.0, 0.0, 0.0)})
    run = simulate(ball(contact, gravity=G), start, duration=1.2, pose_rate=1e3, **FINER)
    energy = 0.5 * run.velocity[:, 0, 2] ** 2 + G * run.position[:, 0, 2]
    apart = [event.time for event in run.events if event.kind == "separation"]
    after = np.searchsorted(run.pose_time, apart[0])
    # flight and dent: where the force is zero
    free = np.flatnonzero(abs(run.contact_force[:, 0, 2]) == 0.0)
    first, last = energy[free[free > after][0]], energy[free[-1]]
    note = f"{len(apart)} separations in 1.2 s"
    return [
        Check.close("dent: energy after the first impact and at the end", first, last, 1e-5 * first, "J", note),
        Check.at_least("dent: impacts after the first", 2, len(apart) - 1),
    ]
