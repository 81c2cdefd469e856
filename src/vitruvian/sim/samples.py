"""The output of the kernels as tables with a row for each item, before it is named."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ..kernels import layout, types

if TYPE_CHECKING:
    from ..model.compile import Compiled


class Samples(NamedTuple):
    """The output of the kernels, cut to what a run reached: P poses, N samples of sensors and load cells."""

    pose: np.ndarray  # (P, body, pose.COUNT)
    coordinate: np.ndarray  # (P, body, 3)
    acceleration: np.ndarray  # (P, body, 6)
    joint: np.ndarray  # (P, body, out_row.JOINT)
    joint_energy: np.ndarray  # (P, body, 2)
    contact: np.ndarray  # (P, pair, out_row.PAIR)
    point: np.ndarray  # (P, pair, 3)
    depth: np.ndarray  # (P, pair)
    webbing: np.ndarray  # (P, webbing, out_row.STRAND)
    muscle: np.ndarray  # (P, muscle, out_row.MUSCLE)
    course: np.ndarray  # (P, muscle_point, out_row.COURSE)
    airbag: np.ndarray  # (P, airbag, out_row.BAG)
    dip: np.ndarray  # (P, dip, out_row.DIP)
    loop: np.ndarray  # (P, loop, out_row.CLOSURE)
    scalar: np.ndarray  # (P, scalar.COUNT)
    sensor: np.ndarray  # (N, sensor, 12)
    load_cell: np.ndarray  # (N, load_cell, 6)
    attitude: np.ndarray  # (N, body, 4)
    bone: np.ndarray  # (N, point, 5) as `bone_load.BoneLoads`


def sampled(compiled: Compiled, output: types.Output, p: int, f: int, bone: np.ndarray) -> Samples:
    """Return the output cut to the p poses and f sensor samples that were reached, as tables with a row per item.

    bone  what the points of bones that bend carry (N, point, 5), as `bone_load.BoneLoads`
    """
    row, n, model = layout.out_row, len(compiled.bodies), compiled.model
    rows: dict[str, np.ndarray] = {}
    at = 0
    for name, count, size in (
        ("acceleration", n, row.BODY),
        ("joint", n, row.JOINT),
        ("contact", len(compiled.pairs), row.PAIR),
        ("webbing", len(model.waypoint), row.STRAND),
        ("airbag", len(model.airbag), row.BAG),
        ("dip", len(model.dip), row.DIP),
        ("muscle", len(model.muscle), row.MUSCLE),
        ("course", len(model.via), row.COURSE),
        ("loop", len(compiled.system.loops), row.CLOSURE),
    ):
        if output.loads.shape[1]:
            rows[name] = output.loads[:p, at : at + count * size].reshape(p, count, size)
        else:  # not recorded
            rows[name] = np.broadcast_to(np.nan, (p, count, size))
        at += count * size
    return Samples(
        pose=output.pose[:p],
        coordinate=_joint_coordinates(compiled, output.pose_time[:p], output.pose[:p]),
        joint_energy=output.joint_energy[:p],
        point=output.point[:p],
        depth=output.depth[:p],
        scalar=output.scalar[:p],
        sensor=output.sensor[:f],
        load_cell=output.load_cell[:f].reshape(f, output.load_cell.shape[1] // 6, 6),
        attitude=output.attitude[:f],
        bone=bone,
        **rows,
    )


def _joint_coordinates(compiled: Compiled, time: np.ndarray, pose: np.ndarray) -> np.ndarray:
    """Rotation vectors or coordinates of the joints (P, body, 3) [rad, m]; of driven joints with axes those given.

    The state has no coordinates of a driven joint, and the kernel gives the rotation of its child in their place.
    """
    found = pose[:, :, layout.pose.JOINT : layout.pose.JOINT + 3]
    for place, name in enumerate(compiled.joints):
        joint = compiled.system.joint(name)
        if joint.motion and joint.type not in ("free", "spherical"):
            found[:, place] = 0.0
            for k, table in enumerate(joint.motion):
                found[:, place, k] = table.at(time)
    return found
