"""Files of OpenSim: virtual markers (.trc, millimetres) and joint angles (.mot, degrees). Y is up.

OpenSim's x, y, z (forward, up, right) are our x, z, -y. The columns of the .mot file are

    pelvis_tilt, pelvis_list, pelvis_rotation   turns of the pelvis about z, x, y of OpenSim, one after the other [deg]
    pelvis_tx, pelvis_ty, pelvis_tz             its centre of mass [m]
    left_knee_flexion, left_hip_abduction, ...  clinical angles with the signs of `vitruvian.sim.angle` [deg]
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from .._files import write_text
from ..sim.angle import ANGLES
from ..sim.channel import to_body_axes, values
from .marker import even_rate, markers, paths
from .output import about

if TYPE_CHECKING:
    from ..sim.result import Result

#: our components to OpenSim's
TO_OPENSIM = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, -1.0, 0.0]])
#: a hinge has one angle of the three
_ANGLES_OF = {"revolute": 1, "spherical": 3}


def write(result: Result, path: str | Path) -> tuple[Path, Path]:
    """The two files, of one name with the endings .trc and .mot; of a run that diverged up to where it did."""
    path, result = Path(path), result.sound
    return (
        write_text(path.with_suffix(".trc"), trc(result, path.with_suffix(".trc").name)),
        write_text(path.with_suffix(".mot"), mot(result)),
    )


def trc(result: Result, name: str = "vitruvian.trc") -> str:
    """The markers as text [mm]."""
    points = markers(result)
    time = result.recording.pose_time
    rate = even_rate(time, "export to TRC")
    place = 1e3 * (paths(result, points) @ TO_OPENSIM.T)
    count = f"{len(time)}\t{len(points)}\tmm\t{rate:g}\t1\t{len(time)}"
    lines = [
        f"PathFileType\t4\t(X/Y/Z)\t{name}",
        "DataRate\tCameraRate\tNumFrames\tNumMarkers\tUnits\tOrigDataRate\tOrigDataStartFrame\tOrigNumFrames",
        f"{rate:g}\t{rate:g}\t{count}",
        "Frame#\tTime\t" + "\t\t\t".join(point.name for point in points) + "\t\t",
        "\t\t" + "\t".join(f"X{n}\tY{n}\tZ{n}" for n in range(1, len(points) + 1)),
        "",
    ]
    rows = place.reshape(len(time), -1)
    lines += [
        f"{frame}\t{moment:.9g}\t" + "\t".join(f"{number:.6f}" for number in row)
        for frame, (moment, row) in enumerate(zip(time.tolist(), rows.tolist(), strict=True), start=1)
    ]
    return "\n".join(lines) + "\n"


def mot(result: Result) -> str:
    """Pelvis and joint angles as text [deg, m]."""
    recording = result.recording
    columns = {"time": recording.pose_time}
    for body, name in enumerate(recording.bodies):
        if result.roster.role(name) == "pelvis":
            columns |= _pelvis(name, recording.position[:, body], recording.orientation[:, body])
    angles = np.degrees(values(recording, "joint_angle"))
    for joint, (name, kind) in enumerate(zip(recording.joints, recording.joint_types, strict=True)):
        for number in range(_ANGLES_OF.get(kind, 0)):
            if np.isfinite(angles[:, joint, number]).any():
                columns[f"{name}_{ANGLES[number]}"] = angles[:, joint, number]
    facts = [f"{key}: {text}" for key, text in about(result).items()]
    head = [
        "Coordinates",
        "version=1",
        f"nRows={len(recording.pose_time)}",
        f"nColumns={len(columns)}",
        "inDegrees=yes",
        "",
        *facts,
        "Angles in degrees, lengths in metres; x forward, y up, z right.",
        "",
        "endheader",
        "\t".join(columns),
    ]
    rows = np.column_stack(list(columns.values())).tolist()
    return "\n".join([*head, *("\t".join(f"{number:.10g}" for number in row) for row in rows)]) + "\n"


def _pelvis(name: str, position: np.ndarray, orientation: np.ndarray) -> dict[str, np.ndarray]:
    """Tilt, list and rotation [deg] and place [m]: R = Rz(tilt) Rx(list) Ry(rotation) in OpenSim's axes."""
    inverse = orientation * [1.0, -1.0, -1.0, -1.0]
    columns = [to_body_axes(inverse, np.broadcast_to(axis, position.shape)) for axis in TO_OPENSIM]
    turn = np.stack(columns, axis=-1)  # images of OpenSim's axes, in ours
    turn = TO_OPENSIM @ turn
    angles = {
        "tilt": np.arctan2(-turn[:, 0, 1], turn[:, 1, 1]),
        "list": np.arcsin(np.clip(turn[:, 2, 1], -1.0, 1.0)),
        "rotation": np.arctan2(-turn[:, 2, 0], turn[:, 2, 2]),
    }
    place = position @ TO_OPENSIM.T
    found = {f"{name}_{word}": np.degrees(np.unwrap(angle)) for word, angle in angles.items()}
    return found | {f"{name}_t{axis}": place[:, number] for number, axis in enumerate("xyz")}
