"""Discrete impact: velocities before and after, without the time between. World frame, SI units.

    impact(bodies, touch, restitution=0.5)           one contact; law newton, poisson or stronge, with friction
    impacts(bodies, touches, restitution=0.5)        several contacts at once; law newton or poisson

`bodies` is a list of free `Moving` bodies, or a `Mechanism`: `tree(system, configuration)` for articulated bodies,
whose joints then pass the impulse on.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from ...errors import InputError
from ...model import Configuration
from . import simultaneous
from .impulse import Mechanism, Moving, Response, Touch, configuration_after, free, response
from .process import Stroke, checked_friction, checked_law, checked_restitution, stroke


@dataclass(frozen=True)
class Impact:
    """Result of an impact. Rows of impulses are contacts.

    law              of restitution
    impulse          (m, 3) on `touch.body`, opposite on the other [N s]
    closing_speed    (m,) at which the points approach before [m/s], negative where they part
    parting_speed    (m,) at which they part after [m/s]
    slip_before      (m, 3) tangential relative velocity [m/s]
    slip_after       (m, 3) [m/s]
    velocity         body -> velocity of its centre of mass after [m/s]
    spin             body -> angular velocity after [rad/s]
    momentum_change  body -> change of momentum [N s]
    energy_before    kinetic energy of all bodies [J]
    energy_after     [J]
    joint_impulse    joint -> impulse of force that it puts on its child [N s]; trees only
    joint_moment     joint -> impulse of moment on the child about the joint point [N m s]; trees only
    configuration    of the tree after the impact, to simulate on from; None for free bodies
    stroke           phases of a single impact, else None
    note             remark: no impulse because no contact closes, energy gained
    """

    law: str
    impulse: np.ndarray
    closing_speed: np.ndarray
    parting_speed: np.ndarray
    slip_before: np.ndarray
    slip_after: np.ndarray
    velocity: Mapping[str, np.ndarray]
    spin: Mapping[str, np.ndarray]
    momentum_change: Mapping[str, np.ndarray]
    energy_before: float
    energy_after: float
    joint_impulse: Mapping[str, np.ndarray] = field(default_factory=dict)
    joint_moment: Mapping[str, np.ndarray] = field(default_factory=dict)
    configuration: Configuration | None = None
    stroke: Stroke | None = None
    note: str = ""

    @property
    def energy_loss(self) -> float:
        """Kinetic energy before minus after [J]; negative where a law adds energy."""
        return self.energy_before - self.energy_after


def impact(
    bodies: Mechanism | Iterable[Moving],
    touch: Touch,
    *,
    restitution: float,
    friction: float = 0.0,
    law: str = "stronge",
) -> Impact:
    """Return the impact of one body with another, or with an immovable one.

    restitution  e [-], 0 (plastic) to 1 (elastic)
    friction     coefficient mu [-]
    law          "newton", "poisson" or "stronge"; the same without friction and while slip keeps its direction
    """
    checked_law(law)
    e, mu = checked_restitution(restitution), checked_friction(friction)
    mechanism = bodies if isinstance(bodies, Mechanism) else free(bodies)
    found = _response(mechanism, [touch])
    if not _closing(found)[0]:
        return _result(mechanism, found, np.zeros(3), law, note=_nothing_closes(found))
    done = stroke(found.inverse, found.velocity, e, mu, law)
    return _result(mechanism, found, done.impulse, law, done)


def impacts(
    bodies: Mechanism | Iterable[Moving],
    touches: Sequence[Touch],
    *,
    restitution: float | Sequence[float],
    friction: float | Sequence[float] = 0.0,
    law: str = "newton",
) -> Impact:
    """Return the impact at several contacts at once, as one complementarity problem.

    restitution  one number, or one for each touch [-]
    friction     likewise [-]; law newton only
    law          "newton" or "poisson"
    """
    checked_law(law, ("newton", "poisson"))
    mechanism = bodies if isinstance(bodies, Mechanism) else free(bodies)
    e = np.array([checked_restitution(x, f"restitution[{k}]") for k, x in enumerate(_each(restitution, touches))])
    mu = np.array([checked_friction(x, f"friction[{k}]") for k, x in enumerate(_each(friction, touches))])
    found = _response(mechanism, touches)
    if not _closing(found).any():
        return _result(mechanism, found, np.zeros(3 * len(touches)), law, note=_nothing_closes(found))
    solver = simultaneous.newton if law == "newton" else simultaneous.poisson
    return _result(mechanism, found, solver(found.inverse, found.velocity, e, mu).impulse, law)


def _each(value: float | Sequence[float], touches: Sequence[Touch]) -> list[float]:
    """Return one number for each contact."""
    numbers = [float(x) for x in np.atleast_1d(np.asarray(value, dtype=float))]
    if len(numbers) == 1:
        return numbers * len(touches)
    if len(numbers) != len(touches):
        raise InputError(f"{len(numbers)} coefficients for {len(touches)} touches; give one, or one for each.")
    return numbers


def _response(mechanism: Mechanism, touches: Sequence[Touch]) -> Response:
    """Return the response of the contacts; raise InputError for a closing contact between immovable bodies."""
    found = response(mechanism, touches)
    giving = np.diag(found.inverse)[0::3] > 1e-12 / mechanism.mass.sum()
    for k in np.flatnonzero(_closing(found) & ~giving).tolist():
        raise InputError(
            f"touch {k} of {touches[k].body!r} closes, but its joints let nothing give way along the normal; "
            "no finite impulse can stop it. Free a joint, or leave the touch out."
        )
    return found


def _closing(found: Response) -> np.ndarray:
    """Return which contacts close."""
    return found.velocity[0::3] < -1e-12 * float(abs(found.velocity).max())


def _nothing_closes(found: Response) -> str:
    fastest = float(found.velocity[0::3].min())
    how = f"the bodies part at {fastest:.4g} m/s" if fastest > 0.0 else "the bodies touch without closing"
    return f"{how}: no impulse"


def _result(
    mechanism: Mechanism, found: Response, impulse: np.ndarray, law: str, done: Stroke | None = None, note: str = ""
) -> Impact:
    """Return the result of an impact from the impulses in the contact frames."""
    m = len(found.frame)
    change = found.body @ impulse
    velocity, spin = mechanism.velocity + change[:, :3], mechanism.spin + change[:, 3:]
    before, after = found.velocity.reshape(m, 3), (found.velocity + found.inverse @ impulse).reshape(m, 3)
    energy_before = mechanism.kinetic_energy(mechanism.velocity, mechanism.spin)
    energy_after = mechanism.kinetic_energy(velocity, spin)
    if energy_after > energy_before * (1.0 + 1e-12):
        gained = energy_after - energy_before
        note = f"the energy grows by {gained:.4g} J: the law {law} is not consistent here; compare stronge"
    joints = found.joint @ impulse
    by_joint = dict(zip(mechanism.joints, joints, strict=True)) if mechanism.joints else {}
    return Impact(
        law=law,
        impulse=np.einsum("kij,ki->kj", found.frame, impulse.reshape(m, 3)),
        closing_speed=-before[:, 0],
        parting_speed=after[:, 0],
        slip_before=np.einsum("kij,ki->kj", found.frame[:, 1:], before[:, 1:]),
        slip_after=np.einsum("kij,ki->kj", found.frame[:, 1:], after[:, 1:]),
        velocity=dict(zip(mechanism.names, velocity, strict=True)),
        spin=dict(zip(mechanism.names, spin, strict=True)),
        momentum_change=dict(zip(mechanism.names, mechanism.mass[:, None] * change[:, :3], strict=True)),
        energy_before=energy_before,
        energy_after=energy_after,
        joint_impulse={name: row[:3] for name, row in by_joint.items()},
        joint_moment={name: row[3:] for name, row in by_joint.items()},
        configuration=configuration_after(mechanism, mechanism.rate + found.rate @ impulse, spin)
        if mechanism.start is not None
        else None,
        stroke=done,
        note=note,
    )
