"""Fits of the joint set recommended-2: passive muscles of the leg, the relaxed knee, the neck.

Each function repeats its fit and returns the fitted numbers with those of the tables, and the answers of the fitted
model. It uses only targets marked `calibrate`, listed in TARGETS, and the measured curves of the data folder.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ... import data
from ...human import human
from ...human.muscle import muscle_rows
from ...model import Resistance
from . import joint_tests, neck_test

JOINTS = "recommended-2"
TARGETS: dict[str, tuple[str, ...]] = {
    "legs": ("A16", "A17", "A19", "A20", "A22", "A24"),
    "swing": ("A25", "A26", "A27", "A28"),
    "neck": ("A51", "A62"),
}
LEG = ("hip", "knee", "ankle")
FIXED = ("dorsiflexors", "achilles")  # passive muscles of another source, which act beyond the curves
LEAST, SHARE = 1.0, 0.1  # error of a moment that counts as one [N m], and of a large one [-]


@dataclass(frozen=True)
class JointFit:
    """A repeated fit: values name -> (fitted, in the table, unit), answers target -> value, remarks."""

    targets: tuple[str, ...]
    values: Mapping[str, tuple[float, float, str]]
    answers: Mapping[str, float]
    notes: tuple[str, ...] = ()


# the leg


def fit_legs() -> JointFit:
    """Fit the passive muscles of the leg to the moments of silder2007; curves of validation are left out."""
    from scipy.optimize import least_squares

    muscles, _ = muscle_rows()
    start, names, units = [], [], []
    for name, row in muscles.items():
        if name in FIXED:
            continue
        arms = [key for key in row if key.endswith("_arm") and abs(row[key]) != 1.0]
        for key in (*arms, "torque", "span"):
            start.append(row[key] if key.endswith("_arm") else np.log(row[key]))
            names.append(f"{name}.{key}")
            units.append({"torque": "N m", "span": "rad"}.get(key, "-"))
    start.append(data.values("joint_resistance_2")["hip"]["stiffness_y"])
    angles, place, moment = leg_curves("calibrate")
    weight = 1.0 / np.maximum(LEAST, SHARE * np.abs(moment))

    def row_of(values: np.ndarray) -> dict[str, dict[str, float]]:
        found = {name: dict(row) for name, row in muscles.items()}
        for key, value in zip(names, values, strict=False):
            muscle, quantity = key.split(".")
            found[muscle][quantity] = value if quantity.endswith("_arm") else float(np.exp(value))
        return found

    def error(values: np.ndarray) -> np.ndarray:
        return np.asarray((leg_moment(row_of(values), values[-1], angles, place) - moment) * weight)

    fitted = least_squares(error, np.array(start), max_nfev=400).x
    found = row_of(fitted)
    values = {
        key: (found[key.split(".")[0]][key.split(".")[1]], muscles[key.split(".")[0]][key.split(".")[1]], unit)
        for key, unit in zip(names, units, strict=True)
    }
    values["hip.stiffness_y"] = float(fitted[-1]), start[-1], "N m/rad"
    postures = {
        "A16": (-15, 15, 0, 0), "A17": (75, 15, 0, 0), "A19": (0, 0, 20, 1), "A20": (0, 0, -15, 1),
        "A22": (0, 0, 20, 2), "A24": (0, 0, 0, 2),
    }  # fmt: skip
    at = np.radians([posture[:3] for posture in postures.values()])
    answers = leg_moment(found, fitted[-1], at, np.array([posture[3] for posture in postures.values()]))
    notes = []
    for use in ("calibrate", "validate"):
        angles, place, moment = leg_curves(use)
        off = leg_moment(found, fitted[-1], angles, place) - moment
        rms = [float(np.sqrt(np.mean(off[place == k] ** 2))) for k in range(3)]
        notes.append(
            f"root mean square error of the curves to {use}: "
            + ", ".join(f"{joint} {value:.2f} N m" for joint, value in zip(LEG, rms, strict=True))
        )
    return JointFit(TARGETS["legs"], values, dict(zip(postures, answers.tolist(), strict=True)), tuple(notes))


def leg_curves(use: str) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return angles of hip, knee and ankle (n, 3) [rad], the joint (n,) and its measured moment (n,) [N m]."""
    angles, place, moment = [], [], []
    for curve in data.tree("passive_moments")["silder2007"]["curves"]:
        if curve["use"] == use:
            for angle, value in zip(curve["angle"], curve["moment"], strict=True):
                held = {**curve, curve["joint"]: angle}
                angles.append([held.get(joint, 0.0) for joint in LEG])
                place.append(LEG.index(curve["joint"]))
                moment.append(value)
    return np.radians(angles), np.array(place), np.array(moment)


def leg_moment(
    muscles: Mapping[str, Mapping[str, float]], hip_stiffness: float, angles: np.ndarray, place: np.ndarray
) -> np.ndarray:
    """Return passive moments [N m] of one joint each by the formula of the muscles, independent of the kernels."""
    moments = np.zeros(angles.shape)
    for row in muscles.values():
        arms = np.array([row.get(f"{joint}_arm", 0.0) for joint in LEG])
        moments -= (row["torque"] * np.exp(angles @ arms / row["span"]))[:, None] * arms
    moments[:, 0] -= hip_stiffness * np.sin(angles[:, 0])  # the inner law of a swing
    ankle = data.values("joint_resistance_2")["ankle"]
    moments[:, 2] -= ankle["stiffness_minus_y"] * np.maximum(0.0, angles[:, 2] + ankle["limit_minus_y"])
    return np.asarray(moments[np.arange(len(place)), place])


# the relaxed knee


def fit_swing() -> JointFit:
    """Fit the damping of knee flexion to the damping ratio of a free swing, by bisection."""
    low, high = 0.1, 0.8
    for _ in range(12):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if joint_tests.leg_swing(JOINTS, damping=middle).ratio < RATIO else (low, middle)
    middle = 0.5 * (low + high)
    swing = joint_tests.leg_swing(JOINTS, damping=middle)
    table = data.values("joint_resistance_2")["knee"]["damping_y"]
    answers = {"A25": float(swing.peaks[0]), "A26": swing.period, "A27": swing.ratio, "A28": middle}
    peaks = ", ".join(f"{peak:.2f}" for peak in swing.peaks[:4])
    return JointFit(
        TARGETS["swing"], {"knee.damping_y": (middle, table, "N m s/rad")}, answers, (f"flexion peaks {peaks} rad",)
    )


RATIO = 0.068  # damping ratio of the free swing, target A27 [-]


# the neck

#: parameter -> joint, field, axis y, bounds
NECK: dict[str, tuple[str, str, float, float]] = {
    "lower_neck.stiffness_y": ("lower_neck", "stiffness", 2.0, 14.0),
    "lower_neck.stiffness_plus_y": ("lower_neck", "stiffness_plus", 40.0, 400.0),
    "lower_neck.damping_y": ("lower_neck", "damping", 0.2, 4.0),
    "lower_neck.limit_damping_y": ("lower_neck", "limit_damping", 0.0, 0.1),
    "upper_neck.stiffness_y": ("upper_neck", "stiffness", 1.0, 20.0),
    "upper_neck.stiffness_plus_y": ("upper_neck", "stiffness_plus", 40.0, 400.0),
    "upper_neck.stiffness_minus_y": ("upper_neck", "stiffness_minus", 40.0, 400.0),
    "upper_neck.damping_y": ("upper_neck", "damping", 0.1, 3.0),
    "upper_neck.limit_damping_y": ("upper_neck", "limit_damping", 0.0, 0.1),
}
_UNITS = {"damping": "N m s/rad", "limit_damping": "s/rad"}


def fit_neck(rounds: int = 60, seed: int = 3) -> JointFit:
    """Fit stiffness and damping of both joints of the neck in flexion to six channels of the head of volunteers.

    The inner stiffness is bounded so that a relaxed neck resists with at most 10 N m at the end of its range (A51).
    """
    from scipy.optimize import differential_evolution

    truth = {}
    time = np.arange(0.0, neck_test.END, 0.002)
    for channel in (*neck_test.CHANNELS, "y_angular_acceleration"):
        knots, mean = neck_test.measured("head", channel)
        truth[channel] = np.interp(time, knots, mean), np.abs(mean).max()

    def cost(values: np.ndarray) -> float:
        run = neck_test.neck_response(JOINTS, neck_resistances(values))
        errors = [
            np.mean(((np.interp(time, run.time, run.channels[channel]) - mean) / most) ** 2)
            for channel, (mean, most) in truth.items()
        ]
        return float(np.sum(errors))

    bounds = [(low, high) for _, _, low, high in NECK.values()]
    fitted = differential_evolution(cost, bounds, maxiter=rounds, popsize=8, seed=seed, polish=False, tol=1e-8).x
    ratings = neck_test.neck_ratings(neck_test.neck_response(JOINTS, neck_resistances(fitted)))
    table = data.values("joint_resistance_2")
    values = {
        name: (float(value), table[joint][f"{field}_y"], _UNITS.get(field, "N m/rad"))
        for (name, (joint, field, _, _)), value in zip(NECK.items(), fitted, strict=True)
    }
    ends = [fitted[0] * table["lower_neck"]["limit_plus_y"], -fitted[4] * table["upper_neck"]["limit_minus_y"]]
    notes = (f"ISO/TS 18571 of five channels {neck_test.neck_score(ratings):.3f}", _words(ratings))
    return JointFit(TARGETS["neck"], values, {"A51": float(max(ends))}, notes)


def neck_resistances(values: np.ndarray) -> dict[str, Resistance]:
    """Return the resistances of the neck of the volunteer with fitted parameters, in the order of NECK."""
    system = human(neck_test.HEIGHT, neck_test.MASS, joints=JOINTS, axial="rigid").system
    heavier = neck_test.MASS / joint_tests.MASS
    found: dict[str, Any] = {}
    for name in ("lower_neck", "upper_neck"):
        resistance = system.joint(name).resistance
        assert resistance is not None
        found[name] = resistance
    for (joint, field, _, _), value in zip(NECK.values(), values, strict=True):
        old = getattr(found[joint], field)
        scale = {"damping": heavier * neck_test.HEIGHT / joint_tests.HEIGHT, "limit_damping": 1.0}.get(field, heavier)
        found[joint] = replace(found[joint], **{field: (old[0], scale * float(value), old[2])})
    return found


def _words(ratings: Mapping[str, Any]) -> str:
    return ", ".join(f"{name.replace('_', ' ')} {rating.value:.2f}" for name, rating in ratings.items())


#: name -> fit
FITS: dict[str, Callable[[], JointFit]] = {"legs": fit_legs, "swing": fit_swing, "neck": fit_neck}
