"""Factors on the numbers of the data tables, for what a scenario has no key: tissue, joints.

    factor.tissue.head      stiffness of the tissue of a segment, left and right, by its name in the table `tissue`
    factor.tissue.all       of all segments, in addition
    factor.joint.stiffness  elastic resistance of all joints of people, inside and beyond their limits
    factor.joint.damping    viscous resistance of all joints of people

Joints include the springs along the body (table `axial`), but not those of soft masses. A factor of 1 changes nothing.
Factors are dotted paths of a study like those of a scenario. They act on the compiled arrays, so that a study fills
numbers instead of building its model again. Whether a joint is integrated implicitly is decided without them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from .. import data
from ..errors import InputError, nearest, shown
from ..kernels import layout, types
from ..model import System
from ..model.compile import Compiled
from ..model.refill import Laws

PREFIX = "factor."


def known() -> tuple[str, ...]:
    """Return all paths of factors."""
    segments = (*data.values("tissue"), "all")
    return (*(f"{PREFIX}tissue.{name}" for name in segments), f"{PREFIX}joint.stiffness", f"{PREFIX}joint.damping")


def is_factor(path: str) -> bool:
    """Return True if a path is a factor and not a path of a scenario."""
    return path.startswith(PREFIX)


def checked(path: str, value: object) -> float:
    """Return the value of a factor; refuse an unknown path or a value that is not above zero."""
    if path not in known():
        raise InputError(f"there is no {path}; accepted: {', '.join(known())}.{nearest(path, known())}")
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0.0 < value < float("inf"):
        raise InputError(f"{path} is {shown(value)}; expected a factor above zero.")
    return float(value)


def applied(compiled: Compiled, factors: Mapping[str, float]) -> Compiled:
    """Return a compiled system with the resistance of tissue and joints of its people multiplied by factors."""
    if not factors:
        return compiled
    laws = Laws.of(compiled)
    model = laws.filled(laws.compiled.model, tissue_of(compiled.system, factors), {})
    return replace(laws.compiled, model=Resistances.of(compiled).filled(model, factors))


def tissue_of(system: System, factors: Mapping[str, float]) -> dict[str, float]:
    """Return body -> factor on the stiffness of its tissue [-]."""
    tissue = {path.rpartition(".")[2]: value for path, value in factors.items() if ".tissue." in path}
    found = {}
    for person in system.roster.people:
        for role, body in person.segments.items():
            name = role.removeprefix("left_").removeprefix("right_")
            found[body] = tissue.get(name, 1.0) * tissue.get("all", 1.0)
    return found


@dataclass(frozen=True)
class Resistances:
    """Places of the numbers of joint resistance that a factor multiplies, in the flat arrays of a model.

    elastic   in `resistance`: stiffness, torques and energies
    viscous   in `resistance`: damping
    relative  in `resistance`: damping of the limits, relative to their torque
    curve     in `curve`: torques and energies
    tendon    in `tendon`: torques
    loss      in `tendon`: damping, relative to the torque
    """

    elastic: np.ndarray
    viscous: np.ndarray
    relative: np.ndarray
    curve: np.ndarray
    tendon: np.ndarray
    loss: np.ndarray

    @classmethod
    def of(cls, compiled: Compiled) -> Resistances:
        """Return the places of the joints of all people."""
        model, own = compiled.model, layout.resistance
        people, system = compiled.system.roster.people, compiled.system
        links = {body for person in people for body in person.links}
        segments = {body for person in people for body in person.segments.values()}
        joints = {joint for person in people for joint in person.joints.values()}
        joints |= {joint.name for joint in system.joints if joint.parent in links and joint.child in segments}
        children = {i for i, name in enumerate(compiled.joints) if name in joints}
        springs = len(system.torsion_springs)  # the last rows, which are not of the person
        rows = [r for r in range(len(model.resistance) - springs) if int(model.resistance_joint[r, 0]) in children]
        starts = np.arange(len(model.resistance) * own.COUNT).reshape(-1, own.COUNT)[rows]
        columns = [*range(own.STIFFNESS_IN, own.VISCOSITY), *range(own.SEAM_TOP, own.SEAM_TOP + 3), own.CONE_TORQUE,
                   own.FENCE_TOP]  # fmt: skip
        first = [int(model.resistance[r, column]) for r in rows
                 for column in (*range(own.CURVE, own.CURVE + 3), own.RIM_STIFFNESS)]  # fmt: skip
        tendons = [t for t in range(len(model.tendon)) if int(model.tendon_joint[t, 0]) in children]
        places = np.arange(model.tendon.size).reshape(-1, layout.tendon.COUNT)[tendons]
        return cls(
            starts[:, columns].ravel(),
            starts[:, own.VISCOSITY : own.VISCOSITY + 3].ravel(),
            starts[:, own.LIMIT_DAMPING : own.LIMIT_DAMPING_PLUS + 3].ravel(),
            np.array([k for row in dict.fromkeys(first) if row >= 0 for k in _forces(model.curve, row)], np.int64),
            places[:, [layout.tendon.TORQUE, layout.tendon.MOST]].ravel(),
            places[:, layout.tendon.LOSS],
        )

    def filled(self, model: types.Model, factors: Mapping[str, float]) -> types.Model:
        """Return arrays with the numbers multiplied; those of `model` are shared where nothing changes."""
        stiffer, damped = (factors.get(f"{PREFIX}joint.{name}", 1.0) for name in ("stiffness", "damping"))
        resistance = model.resistance.copy()
        flat = resistance.reshape(-1)
        flat[self.viscous] *= damped
        flat[self.relative] *= damped / stiffer
        tendon = model.tendon.copy()
        tendon.reshape(-1)[self.loss] *= damped / stiffer
        if stiffer == 1.0:
            return model._replace(resistance=resistance, tendon=tendon)
        flat[self.elastic] *= stiffer
        curve = model.curve.copy()
        curve.reshape(-1)[self.curve] *= stiffer
        tendon.reshape(-1)[self.tendon] *= stiffer
        return model._replace(resistance=resistance, curve=curve, tendon=tendon)


def _forces(curve: np.ndarray, first: int) -> list[int]:
    """Return the flat places of torques and energies of a curve, pieces or exponentials (`layout.curve`)."""
    width, pieces = layout.curve.COUNT, int(curve[first, 0])
    at = width * first
    if pieces:
        return [at + width * k + c for k in range(1, pieces + 1) for c in range(layout.curve.ENERGY, width)]
    terms = int(curve[first, 1])
    return [at + 4, *(at + width * k for k in range(1, terms + 1))]
