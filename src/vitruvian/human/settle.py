"""A standing person at rest under gravity: the ground carries the weight, and the body is in balance. SI units.

The posture is held except at the ankles, as people do: the body leans, the feet keep their angle to the ground. Three
unknowns, a rise along the vertical and a lean about two horizontal axes, follow from the condition that the elastic
forces of the ground carry the weight and have no moment about the centre of mass:

    sum f_i = m g,   sum (p_i - c) x f_i n = 0 (level components)

by Newton's method, from a soft ground on which all feet stand to the real one. A body that held its posture would then
have neither acceleration nor angular acceleration. Springs along the body sag under what they carry (`human.held`);
balance and sag are found in turn until neither changes. Muscles hold the posture (`human.tone`). A limp person does
not: only the passive resistance of the joints acts, ankles and knees give way at once, and the body sinks. The notes of
a run report how fast (`scenario.build`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ..errors import InputError
from ..kernels import layout
from ..model import Configuration, Contact, Ellipsoid, Joint, Shape, System
from ..model.contact import law_row
from ..model.pose import (
    Pose,
    quaternion_of_matrix,
    quaternion_of_vector,
    quaternion_product,
    rotation_matrix,
    segment_poses,
)
from ..model.system import GRAVITY
from ..model.tissue import piece_value
from .held import UP, sag

NEAR = 0.05  # of the lowest point: shapes that may carry the body [m]
SOFTNESS = (32.0, 8.0, 2.0, 1.0)  # by which the ground is softer, one after the other [-]
SHALLOW, DEEP = 0.003, 0.02  # depth to which the lowest point is pressed in at first [m]
MOST_LEAN = np.radians(15.0)  # [rad]
CLOSE = 1e-9  # of the weight, and of the weight times 1 m [-]
ITERATIONS = 60
HALVINGS = 6  # of a step that does not come closer
SAGS, STILL = 12, 1e-9  # most turns of balance and sag [-], and the change that ends them [m]
_STEP = 1e-6  # of the gradient of a reach [-]
_AROUND = np.vstack([np.zeros(3), _STEP * np.eye(3), -_STEP * np.eye(3)])


@dataclass(frozen=True)
class Balance:
    """Static balance of a person who holds a posture.

    lean    of the body about x and y of the world, as if it looked along x [rad]
    forces  body -> force of the ground on it [N]
    excess  force of the ground minus the weight [N], and its moments about the same axes [N m]
    mass    of the body [kg]
    """

    lean: tuple[float, float]
    forces: dict[str, float]
    excess: tuple[float, float, float]
    mass: float

    @property
    def acceleration(self) -> float:
        """Return the acceleration of the centre of mass that is left while the posture is held [m/s2].

        It measures how well the balance was solved. Only a person with muscle tone holds the posture.
        """
        return self.excess[0] / self.mass

    @property
    def note(self) -> str:
        """Return the balance in words, without the motion that follows."""
        carried = ", ".join(f"{body} {force:.0f} N" for body, force in self.forces.items())
        angle = np.degrees(np.hypot(*self.lean))
        return f"Settled on the ground: {carried}; the body leans by {angle:.1f} degrees."


def settled(
    system: System,
    start: Configuration,
    contact: Contact,
    *,
    root: str = "root",
    height: float = 0.0,
    gravity: float = -GRAVITY[2],
) -> tuple[Configuration, Balance]:
    """Return the start of a person in static balance, and the balance.

    start    about right: the feet near the ground
    contact  law of the ground
    root     name of the joint that carries the body: free, or planar about a level axis along y
    height   of the ground [m]
    gravity  [m/s2]
    """
    sagged: dict[str, tuple[float, ...]] = {}
    unknown, weight = None, system.mass * gravity
    for _ in range(SAGS):
        stance = _Stance(system, start.replace(sagged), contact, system.joint(root), height)
        unknown = stance.upright(weight, unknown)
        found, balance = stance.configuration(unknown), stance.balance(unknown, weight)
        forces = {body: force * UP for body, force in balance.forces.items()}
        before, sagged = sagged, sag(system, found, forces, gravity)
        if _apart(before, sagged) < STILL:
            break
    return found, balance


def headed(start: Configuration, root: str, heading: float) -> Configuration:
    """Return a start turned to the left about the vertical through the body that a free root joint carries [rad]."""
    place = start.coordinates[root]
    turn = quaternion_product(quaternion_of_vector((0.0, 0.0, heading)), place[3:])
    return start.replace({root: (*place[:3], *turn)})


def _apart(one: dict[str, tuple[float, ...]], other: dict[str, tuple[float, ...]]) -> float:
    """Return the largest change of a displacement [m]."""
    return max((abs(np.subtract(one.get(name, 0.0), x)).max() for name, x in other.items()), default=0.0)


@dataclass(frozen=True)
class _Foot:
    """A shape that may carry the body, and the force of the ground at a depth."""

    body: str
    shape: Shape
    force: Callable[[float], float]


class _Stance:
    """A held posture that rises and leans, its feet level."""

    def __init__(self, system: System, start: Configuration, contact: Contact, root: Joint, height: float) -> None:
        self.system, self.start, self.root, self.height = system, start, root, height
        self.poses = segment_poses(system, start)
        self.feet = self._feet(contact)
        ankles = {joint.child: joint for joint in system.joints if joint.child in {foot.body for foot in self.feet}}
        turning = "spherical" if root.type == "free" else "revolute"
        level = all(joint.type == turning and joint is not root for joint in ankles.values())
        self.ankles = ankles if level else {}
        children = {joint.parent for joint in system.joints}
        if any(body in children for body in self.ankles):
            self.ankles = {}  # what carries it is not the end of a limb: it leans as one piece
        # the centre of mass of what leans as one piece, as if it were a body
        whole = [body for body in system.bodies if body.name not in self.ankles]
        self.mass, self.whole = sum(body.mass for body in whole), system.mass
        self.centre = sum((body.mass * self.poses[body.name][0] for body in whole), np.zeros(3)) / self.mass

    def _feet(self, contact: Contact) -> list[_Foot]:
        """Return the shapes whose lowest points are near that of the body; of a limb only its end."""
        found, lowest = [], []
        for body in self.system.bodies:
            for shape in body.shapes:
                found.append((body.name, shape))
                lowest.append(float(_lowest(shape, *self.poses[body.name])[2]))
        near = [foot for foot, low in zip(found, lowest, strict=True) if low < min(lowest) + NEAR]
        names = {body for body, _ in near}
        above = {joint.parent for joint in self.system.joints if joint.child in names}
        return [_Foot(body, shape, _elastic(contact, shape)) for body, shape in near if body not in above]

    def pose(self, body: str, unknown: np.ndarray, turn: np.ndarray | None = None) -> Pose:
        """Return the pose of a body after rise, pitch and roll about the centre of the root body.

        turn  rotation matrix of pitch and roll, if it is known
        """
        turn = rotation_matrix(_turn(unknown)) if turn is None else turn
        position, axes = self.poses[body]
        if body in self.ankles:
            joint = axes @ np.array(self.ankles[body].point_child)
            return self._moved(position + joint, unknown[0], turn) - joint, axes
        return self._moved(position, unknown[0], turn), turn @ axes

    def _moved(self, place: np.ndarray, rise: float, turn: np.ndarray) -> np.ndarray:
        pivot = self.poses[self.root.child][0]
        return pivot + rise * UP + turn @ (place - pivot)

    def loads(self, unknown: np.ndarray, softness: float) -> tuple[list[float], np.ndarray]:
        """Return force on each foot [N]; in all: force [N], moments about y and x through the centre of mass [N m]."""
        turn = rotation_matrix(_turn(unknown))
        poses = {body: self.pose(body, unknown, turn) for body in {foot.body for foot in self.feet}}
        moment = self.mass * self._moved(self.centre, unknown[0], turn)
        for body in self.ankles:
            moment += self.system.body(body).mass * poses[body][0]
        centre = moment / self.whole
        forces, total = [], np.zeros(3)
        for foot in self.feet:
            point = _lowest(foot.shape, *poses[foot.body])
            force = foot.force(self.height - float(point[2])) / softness
            arm = point - centre
            forces.append(force)
            total += force * np.array([1.0, -arm[0], arm[1]])
        return forces, total

    def balanced(self, count: int, weight: float, softness: tuple[float, ...], depth: float) -> np.ndarray | None:
        """Return the rise of the root body [m], pitch and roll [rad] in balance; None if there are none.

        count     of the unknowns
        softness  of the ground, one after the other [-]
        depth     to which the lowest point is pressed in at first [m]
        """
        unknown = np.zeros(3)
        lowest = min(float(_lowest(foot.shape, *self.pose(foot.body, unknown))[2]) for foot in self.feet)
        unknown[0] = self.height - depth - lowest
        for factor in softness:
            unknown = _newton(unknown, count, self, weight, factor)
            if not (np.isfinite(unknown).all() and abs(unknown[1:]).max() < MOST_LEAN):
                return None
        return unknown

    def upright(self, weight: float, guess: np.ndarray | None) -> np.ndarray:
        """Return rise [m], pitch and roll [rad] in balance, from a guess if there is one."""
        count = 3 if self.root.type == "free" else 2
        unknown = None if guess is None else _newton(guess, count, self, weight, 1.0)
        if unknown is None or not np.isfinite(unknown).all():
            unknown = self.balanced(count, weight, (1.0,), SHALLOW)
        if unknown is None or len(self.balance(unknown, weight).forces) < len({foot.body for foot in self.feet}):
            unknown = self.balanced(count, weight, SOFTNESS, DEEP)  # a foot hangs in the air: on soft ground it stands
        if unknown is None:
            raise InputError(
                f"this posture cannot stand: it would have to lean by more than {np.degrees(MOST_LEAN):.0f} degrees "
                "to be in balance. Take another posture, or leave settle out."
            )
        return unknown

    def balance(self, unknown: np.ndarray, weight: float) -> Balance:
        """Return the forces of a stance and what is left of the weight [N]."""
        forces, total = self.loads(unknown, 1.0)
        carried: dict[str, float] = {}
        for foot, force in zip(self.feet, forces, strict=True):
            if force > 0.0:
                carried[foot.body] = carried.get(foot.body, 0.0) + force  # a body may stand on several shapes
        excess = total - np.array([weight, 0.0, 0.0])
        left = (float(excess[0]), float(excess[2]), float(excess[1]))
        return Balance((float(unknown[2]), float(unknown[1])), carried, left, self.system.mass)

    def configuration(self, unknown: np.ndarray) -> Configuration:
        """Return the start of a stance."""
        turn, name = _turn(unknown), self.root.name
        place, axes = self.pose(self.root.child, unknown)
        held = self.start.coordinates
        if self.root.type == "free":
            change = {name: (*place.tolist(), *quaternion_product(turn, held[name][3:]))}
        else:
            frame = rotation_matrix(self.root.frame_parent)
            x, y, _ = frame.T @ (place + axes @ np.array(self.root.point_child) - np.array(self.root.point_parent))
            angle = held.get(name, (0.0, 0.0, 0.0))[2] + float(frame[1, 2]) * unknown[1]
            change = {name: (float(x), float(y), float(angle))}
        for joint in self.ankles.values():
            if joint.type == "revolute":
                axis = self.pose(joint.parent or "", unknown)[1] @ rotation_matrix(joint.frame_parent)[:, 2]
                change[joint.name] = (held.get(joint.name, (0.0,))[0] - float(axis[1]) * unknown[1],)
                continue
            frame = self.pose(joint.parent or "", unknown)[1] @ rotation_matrix(joint.frame_parent)
            child = self.poses[joint.child][1] @ rotation_matrix(joint.frame_child)
            change[joint.name] = quaternion_of_matrix(frame.T @ child)
        return self.start.replace(change)


def _turn(unknown: np.ndarray) -> tuple[float, float, float, float]:
    return quaternion_of_vector((float(unknown[2]), float(unknown[1]), 0.0))


def _elastic(contact: Contact, shape: Shape) -> Callable[[float], float]:
    """Return force [N] of a contact of a shape at rest over its depth [m]."""
    from ..kernels.contact_law import series_depth

    _, value, curves = law_row(contact, shape.soft, float(np.prod(shape.half_size)) ** (1.0 / 3.0))
    if curves:
        return lambda depth: float(piece_value(curves[0], depth)) if depth > 0.0 else 0.0
    stiffness, exponent, flexibility = (
        value[k] for k in (layout.law.STIFFNESS, layout.law.EXPONENT, layout.law.TISSUE)
    )

    def force(depth: float) -> float:
        if depth <= 0.0:
            return 0.0
        surface = series_depth(depth, flexibility * stiffness, exponent) if flexibility else depth
        return float(stiffness * surface**exponent)

    return force


def _lowest(shape: Shape, position: np.ndarray, turn: np.ndarray) -> np.ndarray:
    """Return the lowest point of a shape on a body [m]: the support point, which is the gradient of its reach."""
    axes = turn @ shape.turn
    centre = position + turn @ np.array(shape.offset)
    if isinstance(shape, Ellipsoid) and shape.tissue is not None:  # people with linear tissue keep their digits
        scaled = np.array(shape.semi_axes) * axes[2]
        return np.asarray(centre - axes @ (shape.semi_axes * scaled) / np.sqrt(scaled @ scaled))
    reach = shape.reach(_AROUND - axes[2])
    point = centre + axes @ ((reach[1:4] - reach[4:]) / (2.0 * _STEP))
    point[2] = centre[2] - reach[0]
    return point


def _newton(unknown: np.ndarray, count: int, stance: _Stance, weight: float, softness: float) -> np.ndarray:
    """Return the balance on a softer ground from a guess, by Newton's method; not finite if there is none."""
    scale, limit = np.array([1e-6, 1e-6, 1e-6]), np.array([0.02, 0.03, 0.03])[:count]
    one_sided = all(
        foot.shape.tissue is not None for foot in stance.feet
    )  # people with linear tissue keep their digits
    for _ in range(ITERATIONS):
        total = stance.loads(unknown, softness)[1]
        residual = (total - np.array([weight, 0.0, 0.0]))[:count]
        if abs(residual).max() <= CLOSE * weight:
            return unknown
        columns = []
        for k in range(count):
            step = np.zeros(3)
            step[k] = scale[k]
            more = stance.loads(unknown + step, softness)[1]
            less = total if one_sided else stance.loads(unknown - step, softness)[1]
            columns.append((more - less)[:count] / (scale[k] if one_sided else 2.0 * scale[k]))
        change = np.zeros(3)
        change[:count] = np.linalg.lstsq(np.column_stack(columns), -residual, rcond=None)[0]
        change *= min(1.0, float((limit / np.maximum(abs(change[:count]), 1e-300)).min()))
        unknown = unknown + _shortened(change, unknown, stance, residual, weight, softness)
        if abs(unknown[1:]).max() > 1.0:
            break
    return np.full(3, np.inf)


def _shortened(
    change: np.ndarray, unknown: np.ndarray, stance: _Stance, residual: np.ndarray, weight: float, softness: float
) -> np.ndarray:
    """Return a step of Newton's method, halved until the residual falls: a heel or toes may lift or land in it."""
    for _ in range(HALVINGS):
        there = stance.loads(unknown + change, softness)[1] - np.array([weight, 0.0, 0.0])
        if np.linalg.norm(there[: len(residual)]) < np.linalg.norm(residual):
            return change
        change = 0.5 * change
    return change
