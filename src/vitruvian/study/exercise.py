"""Exercises of the lower limb, ready or from files, and their ranking by the load on the shank. SI units."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from .. import data
from .._files import write_text
from ..errors import InputError
from ..model import System
from ..model.pose import rotation_matrix
from ..scenario import Scenario
from ..scenario.time_series import Series, read_series
from ..sim.recording import Recording
from .measured_motion import ANGLES, GROUND_FORCE, filtered, read_motion, scenario_of

MUSCLES = ("soleus", "gastrocnemius")
BONE = "shank"


@dataclass(frozen=True)
class Load:
    """Peak loads of an exercise.

    strain    largest of a flexible bone [-]; None if all bones are rigid
    bending   largest bending moment at the middle of the shank [N m], and its time [s]
    axial     largest compression there [N]
    ground    largest vertical force of the ground, heel and toe together, over the weight [-]
    joints    largest force of every joint [N]
    """

    name: str
    strain: float | None
    bending: float
    time: float
    axial: float
    ground: float
    joints: dict[str, float]

    @property
    def rank(self) -> tuple[float, float]:
        """Return what exercises are sorted by: strain, then bending moment."""
        return (self.strain or 0.0, self.bending)


def exercise(name: str | Path, *, rigid: bool = False, frequency: float | None = None, side: str = "right") -> Scenario:
    """Return the scenario of an exercise: a ready one, a TOML file, or a file of joint angles or excitations.

    rigid      leave the shank as it is; otherwise one without a section gets the printed tube, and bends
    frequency  of the low pass of measured angles and forces [Hz]; None leaves them as they are
    side       of the leg in a MOT or STO file
    """
    scenario = _read(name, frequency, side)
    bodies = [dict(body) for body in scenario.data.get("body", ())]
    if rigid or not any(body.get("name") == BONE for body in bodies):
        return scenario
    printed = data.values("lower_limb")[BONE]
    for body in bodies:
        if body["name"] == BONE:
            body.setdefault(
                "tube", {key: printed[f"{key}_radius"] for key in ("outer", "inner")} | {"young": printed["young"]}
            )
    changed = scenario.data | {"body": bodies}
    return Scenario(changed, name=scenario.name, label=scenario.label, folder=scenario.folder)


def _read(name: str | Path, frequency: float | None, side: str) -> Scenario:
    path = Path(name)
    if path.suffix.lower() not in (".csv", ".mot", ".sto"):
        return Scenario.load(name)
    series = read_series(path) if path.suffix.lower() == ".csv" else None
    columns = () if series is None else series.columns
    muscles = [column for column in MUSCLES if column in columns]
    angles = [column for column in ANGLES if column in columns]
    if series is not None and bool(muscles) == bool(angles):
        raise InputError(
            f"{path} has the columns {', '.join(columns)}; expected joint angles (hip, knee, ankle) or "
            "excitations (soleus, gastrocnemius), and not both."
        )
    if series is not None and muscles:
        scenario = _excited(series)
    else:
        motion = read_motion(path, side)
        motion = motion if frequency is None else filtered(motion, frequency, str(path))
        scenario = scenario_of(motion, str(path))
    return Scenario(
        scenario.data | {"name": path.stem, "title": f"Exercise of {path.name}"}, name=path.stem, label=str(path)
    )


def _function(series: Series, column: str, kind: str) -> dict[str, Any]:
    unit, values = series.columns[column]
    return {"times": series.times, "values": values, "unit": unit, "kind": kind}


def _excited(series: Series) -> Scenario:
    """Return the leg of `heel-raise` with muscles that excitations drive; a muscle that the file leaves out rests."""
    base, known = Scenario.load("heel-raise"), data.values("lower_limb")
    for muscle in base.data["muscle"]:
        name = muscle["name"]
        del muscle["force"]
        muscle |= {key: known[name][key] for key in ("max_force", "fibre_length", "tendon_length", "pennation")}
        muscle["excitation"] = _function(series, name, "linear") if name in series.columns else 0.0
    return Scenario(base.data | {"solver": base.data["solver"] | {"duration": series.times[-1]}})


def loads(recording: Recording, system: System, name: str) -> Load:
    """Return the peak loads of a run of an exercise."""
    if BONE not in recording.bodies:
        raise InputError(f"{name} has no body {BONE!r}; exercises are ranked by the load on it.")
    if recording.points:
        times, size, axial = recording.time, *_measured(recording, system)
    else:
        moment, axial = section(recording, system)
        times, size = recording.pose_time, np.linalg.norm(moment, axis=1)
    at = int(np.argmax(size))
    weight = system.mass * float(np.linalg.norm(system.gravity))
    ground = np.zeros(len(recording.pose_time))
    for pair, (_, other) in enumerate(recording.pairs):
        if other == "ground":
            ground += recording.contact_force[:, pair, 2]
    if "toe" in recording.joints:  # a hinge on the ground
        ground += recording.joint_force[:, recording.joints.index("toe"), 2]
    for load in (load for load in system.loads if load.name == GROUND_FORCE):  # measured
        ground += load.components[2].at(recording.pose_time)
    peaks = np.linalg.norm(recording.joint_force, axis=2).max(axis=0)
    joints = {joint: float(peaks[k]) for k, joint in enumerate(recording.joints) if joint in ANGLES}
    return Load(
        name, _strain(recording), float(size[at]), float(times[at]), float(max(0.0, -axial.min())),
        float(ground.max()) / weight, joints,
    )  # fmt: skip


def _strain(recording: Recording) -> float | None:
    """Return the largest strain of a flexible bone [-], or None if the recording has none."""
    values = recording.channels.get("strain")
    return None if values is None or not values.size else float(np.abs(values).max())


def _measured(recording: Recording, system: System) -> tuple[np.ndarray, np.ndarray]:
    """Return bending moment [N m] and axial force [N], tension positive, at the middle of a shank that bends (N,)."""
    tube = system.body(BONE).tube
    assert tube is not None
    middle = [recording.points.index(f"{BONE}.50-{side}") for side in ("front", "left", "back", "right")]
    moment = recording.channels["bending_moment"][:, middle]
    stress = recording.channels["stress"][:, middle]
    return np.hypot(moment[:, 0], moment[:, 1]), tube.area * stress.mean(axis=1)


def section(recording: Recording, system: System) -> tuple[np.ndarray, np.ndarray]:
    """Return bending moment (P, 3) [N m] and axial force (P,) [N], tension positive, at the middle of the rigid shank.

    Loads on the lower half: joint, muscles that are attached there, weight and inertia of its half of the mass, as a
    uniform rod. World axes; the part along the bone is torsion and is left out.
    """
    body = recording.bodies.index(BONE)
    centre, turn = recording.position[:, body], rotation_matrix(recording.orientation[:, body])
    upper, lower = _ends(system)
    along = np.einsum("pij,j->pi", turn, (lower - upper) / np.linalg.norm(lower - upper))
    middle = centre + np.einsum("pij,j->pi", turn, 0.5 * (upper + lower))
    force, moment = _at_joint(recording, system, centre, turn, lower, middle)
    for point, pull in _attached(recording, system):
        below = np.einsum("pi,pi->p", point - middle, along) > 0.0
        pull = np.where(below[:, None], pull, 0.0)
        force, moment = force + pull, moment + np.cross(point - middle, pull)
    half = 0.5 * system.body(BONE).mass
    lever = np.einsum("pij,j->pi", turn, 0.75 * lower + 0.25 * upper)  # of the middle of the lower half
    spin, growth = recording.angular_velocity[:, body], recording.angular_acceleration[:, body]
    moved = recording.acceleration[:, body] + np.cross(growth, lever) + np.cross(spin, np.cross(spin, lever))
    rest = half * (np.asarray(system.gravity) - moved)
    arm = centre + lever - middle
    force, moment = force + rest, moment + np.cross(arm, rest)
    thin = half * (0.5 * np.linalg.norm(lower - upper)) ** 2 / 12.0
    moment = moment - thin * (growth - np.einsum("pi,pi,pj->pj", growth, along, along))
    moment = moment - np.einsum("pi,pi,pj->pj", moment, along, along)
    return moment, np.einsum("pi,pi->p", force, along)


def _ends(system: System) -> tuple[np.ndarray, np.ndarray]:
    """Return knee and ankle in the frame of the shank (3,) [m]."""
    found = {}
    for name in ("knee", "ankle"):
        joint = system.joint(name)
        found[name] = np.array(joint.point_child if joint.child == BONE else joint.point_parent)
    return found["knee"], found["ankle"]


def _at_joint(
    recording: Recording, system: System, centre: np.ndarray, turn: np.ndarray, lower: np.ndarray, middle: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return force [N] and moment [N m] of the ankle on the shank, about the middle."""
    k = recording.joints.index("ankle")
    sign = 1.0 if system.joint("ankle").child == BONE else -1.0
    force, moment = sign * recording.joint_force[:, k], sign * recording.joint_moment[:, k]
    point = centre + np.einsum("pij,j->pi", turn, lower)
    return force, moment + np.cross(point - middle, force)


def _attached(recording: Recording, system: System) -> list[tuple[np.ndarray, np.ndarray]]:
    """Return point (P, 3) [m] and force (P, 3) [N] of every end of a span of a muscle on the shank."""
    found, row = [], 0
    for number, muscle in enumerate(system.muscles):
        pull = recording.muscle_force[:, number, None]
        nodes = recording.muscle_path[:, row : row + len(muscle.path)]
        for k, place in enumerate(muscle.path):
            if place.carrier == BONE and k > 0:
                found.append((nodes[:, k, 0], pull * _unit(nodes[:, k - 1, 2] - nodes[:, k, 0])))
            if place.carrier == BONE and k < len(muscle.path) - 1:
                found.append((nodes[:, k, 2], pull * _unit(nodes[:, k + 1, 0] - nodes[:, k, 2])))
        row += len(muscle.path)
    return found


def _unit(vector: np.ndarray) -> np.ndarray:
    size = np.linalg.norm(vector, axis=1, keepdims=True)
    return vector / np.maximum(size, 1e-12)


def write_loads(recording: Recording, path: Path) -> Path:
    """Write strain [1e-6], stress [MPa] and bending moment [N m] of all points of the bones over time as CSV."""
    parts = {
        "strain [1e-6]": ("strain", 1e6),
        "stress [MPa]": ("stress", 1e-6),
        "moment [N m]": ("bending_moment", 1.0),
    }
    heads, columns = ["time [s]"], [recording.time]
    for words, (channel, factor) in parts.items():
        quantity, unit = words.split(" ", 1)
        heads += [f"{point} {quantity} {unit}" for point in recording.points]
        columns += list(factor * recording.channels[channel].T)
    rows = "\n".join(",".join(f"{value:.6g}" for value in row) for row in np.column_stack(columns))
    return write_text(path, ",".join(heads) + "\n" + rows + "\n")
