"""The lower limb of Al Nazer (2006), chapter 3, in the plane: x forward, y up. SI units.

The foot is hinged to the ground at the toe and rests on the heel. Shank and thigh are upright, and the upper body
slides on a vertical guide, which closes the loop. Two muscles pull the heel up.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from math import pi
from typing import Any

import numpy as np
from scipy.optimize import brentq

from ...data import values
from ...errors import InputError, SimulationError
from ...flex import FlexibleBody, Interface, Marker, Material, beam, craig_bampton, reduced, rigid, straight, tube
from .mechanism import Mechanism, Motion, Parts, Pin, Turn
from .planar import PlanarBody

FOOT, SHANK, THIGH, BODY = range(4)
GRAVITY = 9.81  # [m/s2]
_ITERATIONS = 30  # of Newton's method
_ELEMENTS = 20  # of the shank; the mid-length is a node


def smooth_step(x: float) -> float:
    """Return 3 x^2 - 2 x^3 between 0 and 1."""
    x = min(max(x, 0.0), 1.0)
    return x * x * (3.0 - 2.0 * x)


def table() -> dict[str, dict[str, float]]:
    """Return a copy of the table of the lower limb: part -> quantity -> value in SI."""
    return {part: dict(quantities) for part, quantities in values("lower_limb").items()}


@dataclass(frozen=True)
class Limb:
    """The model with one set of values.

    given     part -> quantity -> value in SI; the data table unless given
    bending   number of fixed-interface modes of each bone; its six static shapes are always there
    modes     numbers of the modes in use, from 0; all unless given
    tibia     use the section of a real tibia
    flexible_thigh  whether the thigh bends too
    """

    given: dict[str, dict[str, float]] = field(default_factory=table)
    bending: int = 0
    modes: tuple[int, ...] | None = None
    tibia: bool = False
    flexible_thigh: bool = False

    def varied(self, part: str, quantity: str, value: float) -> Limb:
        """Return the model with one value changed."""
        given = {name: dict(quantities) for name, quantities in self.given.items()}
        if quantity not in given.get(part, {}):
            raise InputError(f"the lower limb has no value {part}.{quantity}.")
        given[part][quantity] = value
        return replace(self, given=given)

    @cached_property
    def ankle(self) -> np.ndarray:
        """Place of the ankle from the toe, foot flat (3,) [m]."""
        foot = self.given["foot"]
        return np.array([-foot["ankle_back"], foot["height"], 0.0])

    def _foot(self) -> FlexibleBody:
        foot = self.given["foot"]
        length, height, mass = foot["length"], foot["height"], foot["mass"]
        inertia = np.diag([height**2, length**2, length**2 + height**2]) * mass / 12.0
        insertion = self.ankle - np.array([foot["insertion_back"], foot["insertion_down"], 0.0])
        places: Any = {"toe": (0.0, 0.0, 0.0), "heel": (-length, 0.0, 0.0), "ankle": self.ankle, "insertion": insertion}
        return rigid("foot", mass, (-foot["centre"] * length, 0.5 * height, 0.0), inertia, **places)

    def _bone(self, name: str, muscle: str, used: tuple[int, ...] | None) -> FlexibleBody:
        """Return a bone along x from its upper to its lower joint; y points forward."""
        bone, shank = self.given[name], self.given["shank"]
        length, mass = bone["length"], bone["mass"]
        shape = self.given["tibia"] if self.tibia and name == "shank" else bone
        section = tube(shape["outer_radius"], shape["inner_radius"], shank["poisson"])
        material = Material(shank["young"], shank["poisson"], mass / (section.area * length))
        middle = (np.arange(_ELEMENTS) + 0.5) / _ELEMENTS
        tilt = 6.0 * (bone["centre"] - 0.5)  # a linear mass distribution gives the prescribed centre
        line_mass = mass / length * (1.0 + tilt * (2.0 * middle - 1.0))
        structure = beam(straight(length, _ELEMENTS), section, material, planar=True, line_mass=list(line_mass))
        along, forward = bone[f"{muscle}_along"], bone[f"{muscle}_forward"]
        node = round(along / length * _ELEMENTS)
        offset = (along - structure.nodes[node, 0], forward, 0.0)
        modes = craig_bampton(structure, (0, node, _ELEMENTS), count=self.bending)
        modes = modes if used is None else modes.only(used)
        places = {"upper": Interface(0), "lower": Interface(_ELEMENTS), muscle: Interface(node, offset)}
        radius = shape["outer_radius"]
        points = {"anterior": (0.5 * length, (radius, 0.0)), "posterior": (0.5 * length, (-radius, 0.0))}
        damping = shank["modal_damping"]
        return reduced(name, structure, modes, interfaces=places, gauges=points, damping=damping)

    @cached_property
    def bodies(self) -> tuple[PlanarBody, ...]:
        """Foot, shank, thigh and upper body."""
        thigh = self._bone("thigh", "gastrocnemius", None if self.flexible_thigh else ())
        shank = self._bone("shank", "soleus", self.modes)
        upper = rigid("upper body", self.given["upper_body"]["mass"], (0.0, 0.0, 0.0), np.eye(3), hip=(0.0, 0.0, 0.0))
        return tuple(PlanarBody(body) for body in (self._foot(), shank, thigh, upper))

    def marker(self, number: int, name: str) -> Marker:
        """Return a marker of a body."""
        return self.bodies[number].body.marker(name)

    def mechanism(self, force: Any) -> Mechanism:
        """Return the mechanism under a total muscle force [N] as a function of time [s]."""
        pins = (
            Pin(FOOT, self.marker(FOOT, "toe"), None, np.zeros(2)),
            Pin(FOOT, self.marker(FOOT, "ankle"), SHANK, self.marker(SHANK, "lower")),
            Pin(SHANK, self.marker(SHANK, "upper"), THIGH, self.marker(THIGH, "lower")),
            Pin(THIGH, self.marker(THIGH, "upper"), BODY, self.marker(BODY, "hip")),
            Pin(BODY, self.marker(BODY, "hip"), None, self.ankle[:2], (0,)),
            Turn(BODY),
        )
        forces = (
            lambda parts: self.muscles(parts, force(parts.time)),
            self.heel,
            lambda parts: self.spring(parts, "knee", SHANK, "upper", THIGH, "lower"),
            lambda parts: self.spring(parts, "hip", THIGH, "upper", BODY, "hip"),
        )
        return Mechanism(self.bodies, pins, forces, np.array([0.0, -GRAVITY]), rate=50.0)

    def muscles(self, parts: Parts, total: float) -> np.ndarray:
        """Return the generalised force of both muscles: tension along the line from origin to insertion."""
        share = self.given["muscle"]
        whole = share["soleus_share"] + share["gastrocnemius_share"]
        end, end_jacobian, _ = parts.point(FOOT, self.marker(FOOT, "insertion"))
        force = np.zeros(parts.size)
        for number, name in ((SHANK, "soleus"), (THIGH, "gastrocnemius")):
            start, jacobian, _ = parts.point(number, self.marker(number, name))
            length = float(np.linalg.norm(end - start))
            if length < 1e-6:
                raise InputError(f"the {name} muscle has no length; move its origin away from its insertion.")
            tension = total * share[f"{name}_share"] / whole
            force += tension * ((end - start) / length) @ (jacobian - end_jacobian)
        return force

    def heel_force(self, parts: Parts) -> tuple[float, np.ndarray]:
        """Return the force of the ground on the heel [N], never pulling, and its Jacobian (Table 4.2)."""
        law = self.given["heel"]
        place, jacobian, _ = parts.point(FOOT, self.marker(FOOT, "heel"))
        depth = -float(place[1])
        if depth <= 0.0:
            return 0.0, jacobian[1]
        speed = -float(jacobian[1] @ parts.velocity)
        damping = law["damping"] * smooth_step(depth / law["ramp"])
        return max(law["stiffness"] * depth ** law["exponent"] + damping * speed, 0.0), jacobian[1]

    def heel(self, parts: Parts) -> np.ndarray:
        """Return the generalised force of the ground on the heel."""
        force, row = self.heel_force(parts)
        return force * row

    def turn(self, parts: Parts, below: tuple[int, str], above: tuple[int, str]) -> tuple[float, np.ndarray]:
        """Return by how much two sections have turned against each other [rad], and its Jacobian."""
        angle, row = parts.angle(below[0], self.marker(*below))
        angle2, row2 = parts.angle(above[0], self.marker(*above))
        straight_ = -0.5 * pi if above[0] == BODY else 0.0
        return angle - angle2 - straight_, row - row2

    def spring(self, parts: Parts, joint: str, number: int, name: str, other: int, other_name: str) -> np.ndarray:
        """Return the generalised force of the torsional spring of a joint."""
        law = self.given[joint]
        turned, row = self.turn(parts, (number, name), (other, other_name))
        return -(law["stiffness"] * turned + law["damping"] * float(row @ parts.velocity)) * row

    def upright(self, tilt: float = 0.0) -> np.ndarray:
        """Return coordinates with the foot turned by an angle [rad] about the toe; a negative angle lifts the heel."""
        c, s = np.cos(tilt), np.sin(tilt)
        ankle = np.array([[c, -s], [s, c]]) @ self.ankle[:2]
        lean = (ankle[0] - self.ankle[0]) / (self.given["shank"]["length"] + self.given["thigh"]["length"])
        down = -0.5 * pi + lean
        along = np.array([np.cos(down), np.sin(down)])
        knee = ankle - self.given["shank"]["length"] * along
        hip = knee - self.given["thigh"]["length"] * along
        shank, thigh = self.bodies[SHANK].count, self.bodies[THIGH].count
        parts = ([0.0, 0.0, tilt], [*knee, down], np.zeros(shank), [*hip, down], np.zeros(thigh), [*hip, 0.0])
        return np.concatenate(parts)

    def rest(self, force: float, start: np.ndarray | None = None) -> np.ndarray:
        """Return the coordinates of static equilibrium under a constant muscle force [N]."""
        return self._still(self.mechanism(lambda _: force), self.upright(0.034) if start is None else start)[0]

    def _still(self, mechanism: Mechanism, first: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return coordinates and multipliers of static equilibrium."""
        size = len(first)
        nothing = np.zeros(size)
        scale = np.ones(size)
        begun = mechanism.parts(0.0, first, nothing)
        for number, part in enumerate(begun.slices):
            scale[part][3:] = 1.0 / np.maximum(
                2.0 * pi * self.bodies[number].body.frequency[: self.bodies[number].count], 1.0
            )
        count = len(mechanism.equations(begun)[0])

        def residual(unknown: np.ndarray) -> np.ndarray:
            q, multipliers = first + scale * unknown[:size], 1e3 * unknown[size:]
            parts = mechanism.parts(0.0, q, nothing)
            c, jacobian, _, _ = mechanism.equations(parts)
            total = -jacobian.T @ multipliers + sum(element(parts) for element in mechanism.forces)
            for body, part, own in zip(self.bodies, parts.slices, parts.q, strict=True):
                total[part] += body.applied(own, np.zeros(body.velocities), mechanism.gravity)
            return np.concatenate([1e-2 * scale * total, c])

        unknown = np.zeros(size + count)
        for _ in range(_ITERATIONS):
            value = residual(unknown)
            if abs(value).max() < 1e-9:
                break
            steps = 1e-7 * np.eye(size + count)
            slope = np.array([(residual(unknown + h) - residual(unknown - h)) / 2e-7 for h in steps]).T
            unknown = unknown - np.linalg.solve(slope, value)
        else:
            raise SimulationError(
                "the lower limb has no static equilibrium near the given posture; change the muscle force."
            )
        return first + scale * unknown[:size], 1e3 * unknown[size:]

    def lifting_force(self) -> float:
        """Return the total muscle force [N] at which the heel carries nothing, foot flat: the static balance."""

        def carried(force: float) -> float:
            free = self.mechanism(lambda _: force)
            held = Pin(FOOT, self.marker(FOOT, "heel"), None, np.zeros(2), (1,))
            return -self._still(replace(free, constraints=(*free.constraints, held)), self.upright())[1][-1]

        return float(brentq(carried, 0.0, 5000.0, xtol=1e-3))

    def exercise(self, lift: float) -> Any:
        """Return the total muscle force [N] over time [s] of one cycle."""
        time = self.given["muscle"]
        peak, start, ramp, hold = time["excess"] * lift, time["start"], time["ramp"], time["hold"]

        def force(t: float) -> float:
            up = smooth_step((t - start) / ramp)
            return peak * (up - smooth_step((t - start - ramp - hold) / ramp))

        return force

    def run(self, lift: float, times: np.ndarray, tolerance: float = 1e-3) -> tuple[Mechanism, Motion]:
        """Return mechanism and motion of one cycle from rest.

        lift   muscle force that lifts the heel [N]
        times  of the output [s]
        """
        mechanism = self.mechanism(self.exercise(lift))
        start = self.rest(0.0)
        return mechanism, mechanism.move(start, np.zeros_like(start), times, tolerance, atol=1e-2 * tolerance)

    def held(self, tilt: float) -> tuple[float, np.ndarray]:
        """Return muscle force [N] and coordinates of static equilibrium with the foot turned by an angle [rad]."""

        def still(force: float) -> tuple[float, np.ndarray]:
            free = self.mechanism(lambda _: force)
            turned = replace(free, constraints=(*free.constraints, Turn(FOOT, lambda _: (tilt, 0.0, 0.0))))
            q, multipliers = self._still(turned, self.upright(tilt))
            return float(multipliers[-1]), q

        low, high = 500.0, 1500.0
        at_low, at_high = still(low)[0], still(high)[0]
        for _ in range(3):  # the moment is almost linear in the force
            force = low - at_low * (high - low) / (at_high - at_low)
            low, at_low = force, still(force)[0]
        return low, still(low)[1]

    def strains(self, q: np.ndarray) -> dict[str, np.ndarray]:
        """Return the strain at the anterior and posterior mid-shank [-] of coordinates (..., n)."""
        first = self.bodies[FOOT].coordinates + 3
        modal = q[..., first : first + self.bodies[SHANK].count]
        return {name: point.strain(modal) for name, point in self.bodies[SHANK].body.gauges.items()}
