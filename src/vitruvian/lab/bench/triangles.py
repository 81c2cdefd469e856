"""How fast is a person against a vehicle of triangles? Times on this machine, the best of several rounds, in us."""

from __future__ import annotations

import numpy as np

from ...human import human, place
from ...model.pose import rotation_matrix, segment_poses
from ..evidence import Check, least_time
from ..verify.facets import Touch, vehicle

ROUNDS = 100
TIMES = 20  # in one round: short, so that other work does not fall into all of them
AIM = 15.0  # [us]
MARGIN = 0.01  # [m], as in a run


def rows(rounds: int = ROUNDS) -> list[Check]:
    """Measure 17 segments against 500 triangles: a person without contact, and one whom the bumper has reached."""
    person = human(1.75, 75.0, axial="rigid")
    poses = segment_poses(person.system, place(person, "standing"))
    shapes = tuple(person.system.body(name).shapes[0] for name in poses)
    touch = Touch(vehicle(), shapes)
    centre, turn = [], []
    for shape, (position, matrix) in zip(shapes, poses.values(), strict=True):
        centre.append(position + matrix @ np.array(shape.offset))
        turn.append((matrix @ rotation_matrix(shape.rotation)).ravel())
    result = []
    for name, reached in (("clear of it", -0.5), ("reached by the bumper", 0.01)):
        time, contacts = _timed(touch, _facing(np.hstack([turn, centre]), touch, reached), rounds)
        note = f"{contacts} contacts, {len(touch.roots)} patches"
        result.append(Check.at_most(f"17 segments and 500 triangles, {name}", AIM, time, "us", note))
    return result


def _facing(poses: np.ndarray, touch: Touch, depth: float) -> np.ndarray:
    """Return the poses of a person moved along x until the largest depth is a given one [m]."""
    near, far = 0.0, 3.0
    for _ in range(40):
        x = 0.5 * (near + far)
        deep = touch(poses + np.eye(12)[9] * x)[:, :, 0].max() > depth
        near, far = (x, far) if deep else (near, x)
    return poses + np.eye(12)[9] * far


def _timed(touch: Touch, poses: np.ndarray, rounds: int) -> tuple[float, int]:
    """Return the least time of one call with all segments [us], and the number of contacts."""
    place = np.full((len(poses), len(touch.roots)), -1)
    depth = touch(poses, MARGIN, place=place)[:, :, 0]
    many, places = np.tile(poses, (TIMES, 1)), np.tile(place, (TIMES, 1))
    best = least_time(lambda: touch(many, MARGIN, place=places), rounds)
    return 1e6 * best / TIMES, int(np.count_nonzero(depth > 0.0))
