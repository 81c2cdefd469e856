"""A posture held as one piece: joints locked where they start, and how far springs along the body give way. SI units.

At rest the spring of a slide carries what hangs on it: with the mass m of all that is beyond the slide, the forces f of
the ground on it and the axes e of the slide,

    V'(x) = e . (f - m g),

one displacement x for each axis. It is the sag of the spine under head, arms and trunk, and of soft masses on the bone.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from ..model import Configuration, Joint, Resistance, System
from ..model.pose import quaternion_of_vector, quaternion_product, rotation_matrix, segment_poses

SLIDING = {"prismatic": (2,), "translational": (0, 1, 2)}  # joint type -> axes of its frame along which it slides
UP = np.array([0.0, 0.0, 1.0])


def locked(joint: Joint, coordinates: Sequence[float] | None) -> Joint:
    """Return a hinge, ball or slide fixed at its coordinates; without any, where it is at zero."""
    place, frame = np.array(joint.point_parent), joint.frame_parent
    if coordinates is not None and joint.type in SLIDING:
        axes = rotation_matrix(frame)[:, SLIDING[joint.type]]
        place = place + axes @ np.array(coordinates)
    elif coordinates is not None:
        turn = coordinates if joint.type == "spherical" else quaternion_of_vector((0.0, 0.0, coordinates[0]))
        frame = quaternion_product(frame, turn)
    x, y, z = place.tolist()
    return replace(joint, type="rigid", resistance=None, point_parent=(x, y, z), frame_parent=frame)


def sag(
    system: System, start: Configuration, forces: Mapping[str, np.ndarray], gravity: float
) -> dict[str, tuple[float, ...]]:
    """Return slide -> displacement along each of its axes at which it carries what is beyond it at rest [m].

    forces   body -> force of what it stands or sits on [N]
    gravity  [m/s2]
    """
    poses, found = segment_poses(system, start), {}
    for joint in system.joints:
        if joint.type not in SLIDING or joint.parent is None or joint.resistance is None:
            continue
        beyond = _beyond(system, joint)
        load = sum((forces.get(name, np.zeros(3)) for name in beyond), np.zeros(3))
        load = load - gravity * sum(system.body(name).mass for name in beyond) * UP
        axes = (poses[joint.parent][1] @ rotation_matrix(joint.frame_parent))[:, SLIDING[joint.type]]
        found[joint.name] = tuple(_displacement(joint.resistance, k, along) for k, along in enumerate(axes.T @ load))
    return found


def _beyond(system: System, joint: Joint) -> list[str]:
    """Return the names of the bodies that a joint carries, in the order in which their masses are added."""
    found = [joint.child]
    for other in system.joints:  # parents come first
        if other.parent in found:
            found.append(other.child)
    return found


def _displacement(spring: Resistance, k: int, force: float) -> float:
    """Return where the derivative of the potential of coordinate k is a force [N]: in its range, or beyond a limit."""
    stiffness = spring.stiffness[k]
    if stiffness <= 0.0:
        return 0.0
    x = spring.rest[k] + force / stiffness
    low, high = spring.limit_minus[k], spring.limit_plus[k]
    if x > high:
        x = high + (force - stiffness * (high - spring.rest[k])) / spring.stiffness_plus[k]
    elif x < low:
        x = low + (force - stiffness * (low - spring.rest[k])) / spring.stiffness_minus[k]
    return float(x)


def piece(system: System, start: Configuration, root: str, *, slides: bool = False) -> System:
    """Return a person whose joints are locked where they start; only the root moves, and slides if they are to."""
    free = tuple(SLIDING) if slides else ()
    return system.replace(
        joints=tuple(
            joint if joint.name == root or joint.type in free else locked(joint, start.coordinates.get(joint.name))
            for joint in system.joints
        ),
        torsion_springs=(),
        tendons=(),
        tones=(),
    )


def at_rest(system: System, start: Configuration, root: str) -> Configuration | None:
    """Return the place near a start where nothing accelerates, by Newton's method; None if there is none.

    system  a `piece` on smooth surfaces
    """
    moves = [joint for joint in system.joints if joint.name == root or joint.type in SLIDING]
    accelerations, place = _accelerations(system), start
    count = sum(joint.dof for joint in moves)
    residual = accelerations(place)
    for _ in range(ITERATIONS):
        if abs(residual).max() < CLOSE:
            return place
        columns = [
            (accelerations(_moved(place, moves, root, step)) - accelerations(_moved(place, moves, root, -step)))
            / (2.0 * STEP)
            for step in STEP * np.eye(count)
        ]
        change = np.linalg.lstsq(np.column_stack(columns), -residual, rcond=FLAT)[0]
        change *= min(1.0, MOST / max(abs(change).max(), 1e-300))
        for _ in range(HALVINGS):
            further = _moved(place, moves, root, change)
            left = accelerations(further)
            if np.linalg.norm(left) < np.linalg.norm(residual):
                break
            change = 0.5 * change
        place, residual = further, left
    return None


ITERATIONS, HALVINGS = 60, 12
CLOSE = 1e-6  # [m/s2, rad/s2]
STEP, MOST = 1e-7, 0.005  # of a difference, and the largest of an iteration [m, rad]
FLAT = 1e-9  # directions this much weaker than the strongest carry nothing: the body may stay anywhere along them [-]


def _moved(start: Configuration, moves: Sequence[Joint], root: str, change: np.ndarray) -> Configuration:
    """Return a start whose root and slides moved by a change: displacements [m], rotation vector of the root [rad]."""
    found, at = {}, 0
    for joint in moves:
        by, at = change[at : at + joint.dof], at + joint.dof
        held = start.coordinates.get(joint.name, (0.0,) * joint.dof)
        if joint.name == root:
            turn = quaternion_product(quaternion_of_vector(by[3:].tolist()), held[3:])
            found[joint.name] = (*(np.array(held[:3]) + by[:3]).tolist(), *turn)
        else:
            found[joint.name] = tuple((np.array(held) + by).tolist())
    return start.replace(found)


def _accelerations(system: System) -> Callable[[Configuration], np.ndarray]:
    """Return a function that evaluates all accelerations of a system at rest [m/s2, rad/s2]."""
    from ..kernels import dynamics, integrate
    from ..model.compile import compile_system, initial_state, make_work

    compiled = compile_system(system)
    work = make_work(compiled)

    def found(place: Configuration) -> np.ndarray:
        state = initial_state(compiled, place)
        integrate.begin(compiled.model, work, state.now.q, state.now.v, 0.0)
        dynamics.accelerations(compiled.model, work, state.memory, state.now.v, 0.0)
        return work.vdot.copy()

    return found
