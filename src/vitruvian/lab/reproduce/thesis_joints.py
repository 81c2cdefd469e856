"""Chapter 4 of the thesis, the body and its joints, and the pendulum with joint stiffness. Source: spicka2020."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ... import data
from ...human import human, place
from ...human.mass import mass_regression
from ...model import Ellipsoid
from ...model.compile import compile_system
from ...model.pose import segment_poses
from ...scenario import Scenario
from ...sim.result import Result
from ..verdict import Cause, Progress, Report, Reproduced, Table
from ..verify.joint_law import law_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SOURCE = "spicka2020, chapter 4: Tables 4.1 to 4.3, Figs 4.4 and 4.5"
SEGMENTS = (
    "pelvis", "abdomen", "thorax", "neck", "head", "upper_arm", "forearm", "hand", "thigh", "shank", "foot",
)  # fmt: skip
#: Table 4.1: b0 [kg], b1 [-], b2 [kg/cm], in the order of SEGMENTS
COEFFICIENTS = (
    (-7.498, 0.0976, 0.04896), (7.181, 0.2234, -0.0663), (8.2144, 0.1862, -0.0584), (0.096, 0.0031, 0.0022),
    (1.2, 0.014, 0.0123), (0.25, 0.03013, -0.0027), (0.3185, 0.01445, -0.00114), (-0.1165, 0.0036, 0.00175),
    (-2.649, 0.1463, 0.0137), (-1.592, 0.03616, 0.0121), (-0.829, 0.0077, 0.0073),
)  # fmt: skip
#: Table 4.2: body (mass [kg], height [m]) -> masses [kg]; the third is headed "100 kg, 200 cm" again
MASSES = {
    (80.0, 1.8): (9.1, 13.1, 12.6, 0.7, 4.5, 2.2, 1.3, 0.5, 11.5, 3.5, 1.1),
    (100.0, 2.0): (12.1, 16.3, 15.2, 0.8, 5.1, 2.7, 1.5, 0.6, 14.7, 4.4, 1.4),
    (50.0, 1.5): (4.7, 8.4, 8.8, 0.6, 3.7, 1.3, 0.8, 0.3, 6.7, 2.1, 0.7),
}
#: erratum -> the limits of Table 4.3 that it concerns: joint and axis in our frame (x forward, y left, z up)
MISPRINTED_LIMITS = {
    "E034": tuple((f"left_{joint}", "y") for joint in ("elbow", "hip", "knee", "ankle")),
    "E035": (("right_knee", "y"),),
    "E036": tuple(("lower_neck", axis) for axis in "xyz"),
    "E037": tuple((f"{side}_ankle", axis) for side in ("left", "right") for axis in "xz"),
}
#: Fig. 4.4 shows five bodies without saying which; these span what the model accepts: height [m], mass [kg]
FAMILY = ((1.5, 50.0), (1.65, 60.0), (1.8, 80.0), (1.9, 90.0), (2.0, 100.0))
#: Fig. 4.5: the joints whose curves it shows
CURVES = ("knee", "elbow", "wrist", "hip", "shoulder", "ankle")


def body(progress: Progress) -> Report:
    """Compare masses, limits, a family of bodies and our stiffness curves."""
    progress("tables", 0, 1)
    rows = [*_coefficients(), *_masses(), *_limits()]
    notes = (
        "The third column of Table 4.2 is headed 100 kg, 200 cm a second time; its masses are those of 50 kg and 150 "
        "cm (E028). Arm, forearm and calf of that column are rounded otherwise than the rest.",
        "The model distributes what the masses lack to the mass of the body; this table does not.",
        "Fig. 4.5 gives curves without a scale that could be read: no stiffness is printed, so ours cannot be compared."
        " They are drawn in its order; dots are the limits.",
    )
    figures = {"family": family_figure, "stiffness": stiffness_figure}
    return Report("The body and its joints", SOURCE, tuple(rows), (_mass_table(), _limit_table()), figures, notes)


def _coefficients() -> list[Reproduced]:
    held = data.values("segment_mass")
    apart = max(
        abs(value - ours)
        for segment, printed in zip(SEGMENTS, COEFFICIENTS, strict=True)
        for value, ours in zip(
            printed,
            (held[segment]["mass_constant"], held[segment]["mass_per_mass"], 0.01 * held[segment]["mass_per_height"]),
            strict=True,
        )
    )
    return [Reproduced.close("Table 4.1: largest difference of 33 coefficients", 0.0, apart, 1e-12)]


def _masses() -> list[Reproduced]:
    rows = []
    for (mass, height), printed in MASSES.items():
        ours = mass_regression(height, mass)
        close = [abs(ours[segment] - value) <= 0.051 for segment, value in zip(SEGMENTS, printed, strict=True)]
        others = [
            f"{segment} {value:g} printed, {ours[segment]:.2f}"
            for segment, value, same in zip(SEGMENTS, printed, close, strict=True)
            if not same
        ]
        rows.append(
            Reproduced.close(
                f"Table 4.2: masses of {mass:g} kg, {100.0 * height:g} cm to its last digit",
                11,
                sum(close),
                0,
                "of 11",
                origin="masses in the column",
                note=", ".join(others),
            )
        )
    return rows


def _limits() -> list[Reproduced]:
    """Return Table 4.3 in the model, as printed and corrected."""
    table = data.values("joint_range_thesis")
    changed: dict[str, set[tuple[str, str]]] = {}  # joint and axis of every limit that is not the printed one
    counts = {}
    for joints in ("thesis", "thesis-corrected"):
        person = human(1.8, 80.0, body="previous", joints=joints).system
        same = {
            (name, side, axis): abs(
                getattr(person.joint(name).resistance, f"limit_{side}")["xyz".index(axis)] - row[f"limit_{side}_{axis}"]
            )
            < 1e-12
            for name, row in table.items()
            for side in ("minus", "plus")
            for axis in "xyz"
        }
        counts[joints] = sum(same.values())
        changed[joints] = {(name, axis) for (name, _, axis), kept in same.items() if not kept}
    left = changed["thesis-corrected"] - {place for places in MISPRINTED_LIMITS.values() for place in places}
    return [
        Reproduced.close(
            "Table 4.3: limits in the set thesis", 96, counts["thesis"], 0, "of 96", origin="limits in the table"
        ),
        Reproduced.close(
            "Table 4.3: limits in the set thesis-corrected",
            96,
            counts["thesis-corrected"],
            0,
            "of 96",
            origin="limits in the table",
            cause=Cause.computed(
                f"{len(left)} changed limits are outside the places of {', '.join(MISPRINTED_LIMITS)}: left elbow, "
                "hip, knee and ankle mirror the right, the right knee bends backwards, C7/T1 is a copy of T12/L1, "
                "inversion and toe-in of the ankle are exchanged",
                not left,
            ),
            note="ours too: flexion of the shoulder ends at 175 degrees, short of overhead, where its law is singular",
        ),
    ]


def _mass_table() -> Table:
    ours = [mass_regression(height, mass) for mass, height in MASSES]
    rows = [
        (segment, *(cell for k, table in enumerate(MASSES.values())
                    for cell in (f"{table[place]:.1f}", f"{ours[k][segment]:.2f}")))
        for place, segment in enumerate(SEGMENTS)
    ]  # fmt: skip
    heads = [f"{mass:g} kg, {100 * height:g} cm: {which}" for mass, height in MASSES for which in ("printed", "ours")]
    return Table("masses", "Table 4.2: masses of segments [kg]", ("segment", *heads), tuple(rows))


def _limit_table() -> Table:
    """Return printed limits and those of the corrected set, in the axes of the thesis: X left, Y up, Z front."""
    person = human(1.8, 80.0, body="previous", joints="thesis-corrected").system
    rows = []
    for name, row in data.values("joint_range_thesis").items():
        resistance = person.joint(name).resistance
        assert resistance is not None
        cells = [name]
        for axis in "yzx":
            place = "xyz".index(axis)
            printed = f"+{np.degrees(row[f'limit_plus_{axis}']):.0f} {np.degrees(row[f'limit_minus_{axis}']):.0f}"
            ours = f"+{np.degrees(resistance.limit_plus[place]):.0f} {np.degrees(resistance.limit_minus[place]):.0f}"
            cells.append(printed if printed == ours else f"{printed} -> {ours}")
        rows.append(tuple(cells))
    return Table(
        "limits",
        "Table 4.3: limits [deg], printed -> corrected where they differ",
        ("joint", "X", "Y", "Z"),
        tuple(rows),
    )


# figures


def family_figure() -> Figure:
    """Draw five bodies of different size side by side, as in Fig. 4.4."""
    from matplotlib.figure import Figure

    from ...view.renderer import Camera, Ellipsoids, render

    centres, spreads, labels, at = [], [], [], 0.0
    for height, mass in FAMILY:
        person = human(height, mass, body="previous")
        poses = segment_poses(person.system, place(person, "standing-arms-spread"))
        at += 0.55 * height
        for item in person.system.bodies:
            position, turn = poses[item.name]
            for shape in item.shapes:
                assert isinstance(shape, Ellipsoid)
                centres.append(position + np.array([0.0, at, 0.0]))
                spreads.append(turn @ np.diag(np.square(shape.semi_axes)) @ turn.T)
        labels.append((at, f"{100.0 * height:g} cm, {mass:g} kg"))
        at += 0.55 * height
    skin = np.tile([0.86, 0.72, 0.60], (len(centres), 1))
    window = (0.0, at, -0.25, 2.15)
    pixels = (1500, round(1500 * (window[3] - window[2]) / at))
    picture = render(Ellipsoids(np.array(centres), np.array(spreads), skin), None, Camera.at(0.0, 0.0), window, pixels)
    figure = Figure(figsize=(13.0, 13.0 * pixels[1] / pixels[0]))
    axes = figure.add_axes((0.0, 0.0, 1.0, 1.0))
    axes.imshow(np.clip(picture, 0.0, 1.0), extent=window, aspect="equal")
    for x, text in labels:
        axes.text(x, -0.15, text, ha="center", va="top", fontsize=11)
    axes.set_axis_off()
    return figure


def stiffness_figure() -> Figure:
    """Draw the torque over the angle about each axis, recommended set, of the six joints of Fig. 4.5."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(12.0, 7.0), layout="constrained")
    words = {"x": "about x", "y": "about y (flexion)", "z": "about z (axial)"}
    for place_, joint in enumerate(CURVES):
        axes = figure.add_subplot(2, 3, place_ + 1)
        for axis, text in words.items():
            angle, torque, limits = stiffness_curve(joint, axis)
            (line,) = axes.plot(np.degrees(angle), torque, label=text)
            axes.plot(np.degrees(limits), np.interp(limits, angle, torque), "o", color=line.get_color(), markersize=4)
        axes.set(title=joint, xlabel="angle [deg]", ylabel="torque on the child [N m]")
        axes.grid(alpha=0.3)
        axes.legend(fontsize=8)
    return figure


def stiffness_curve(joint: str, axis: str) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return angles [rad], torque on the child [N m] and the two limits [rad] of a right joint about one axis alone."""
    person = human(1.8, 80.0, body="previous")
    compiled = compile_system(person.system)
    child = compiled.joints.index(f"right_{joint}")
    row = int(np.flatnonzero(compiled.model.resistance_joint[:, 0] == child)[0])
    resistance = person.system.joint(f"right_{joint}").resistance
    assert resistance is not None
    where = "xyz".index(axis)
    limits = np.array([resistance.limit_minus[where], resistance.limit_plus[where]])
    angles = np.linspace(limits[0] - 0.2, limits[1] + 0.2, 241)
    law = law_of(compiled, row)
    torque = []
    for angle in angles.tolist():
        half = 0.5 * angle
        turn = (float(np.cos(half)), *(float(np.sin(half)) if k == where else 0.0 for k in range(3)))
        torque.append(law(turn)[1][where])
    return angles, np.array(torque), limits


# the pendulum

PENDULUMS = {"pendulum-free": 180.0, "pendulum-limit-20": 135.0, "pendulum-limit-70": 160.0}  # where it stops [deg]


def pendulums(progress: Progress) -> Report:
    """Compare the four pendulums of section 6.4."""
    rows, figures, results = [], {}, {}
    names = [*PENDULUMS, "pendulum-general"]
    for number, name in enumerate(names):
        progress(name, number, len(names))
        results[name] = Scenario.load(name).run()
        figures[name] = _drawing(results[name])
    for name, printed in PENDULUMS.items():
        run = results[name].recording
        note = "" if name == "pendulum-free" else "printed as approximate; one stiffness for both limits"
        rows.append(
            Reproduced.close(
                f"{name}: largest angle", printed, float(np.degrees(turned(results[name]).max())), 5.0, "deg", note=note
            )
        )
        rows.append(Reproduced.at_most(f"{name}: energy balance error", 1e-6, 100.0 * run.balance_error, "%"))
    free = float(abs(results["pendulum-free"].recording.joint_torque).max())
    rows.append(Reproduced.close("pendulum-free: torque of the joint", 0.0, free, 0.0, "N m"))
    general = results["pendulum-general"].recording
    total = general.kinetic + general.potential + general.joint_energy.sum(axis=1)
    swing = float(np.ptp(general.potential))
    rows.append(
        Reproduced.at_most("pendulum-general: change of energy", 0.1, 100.0 * float(np.ptp(total)) / swing, "%",
                           note="sampled between steps")
    )  # fmt: skip
    table = Table(
        "stiffness",
        "Stiffness beyond the limit with which the rod stops where the thesis says, over m g l [1/rad]",
        ("limit [deg]", "stops near [deg]", "torque continuous at the limit", "as printed in eq. 4.11"),
        tuple(
            (
                f"{limit:g}",
                f"{stop:g}",
                f"{continuous_stiffness(limit, stop):.3f}",
                f"{jumping_stiffness(limit, stop):.3f}",
            )
            for limit, stop in ((20.0, 135.0), (70.0, 160.0))
        ),
    )
    notes = (
        "A rod let go level has lost m g l sin(g) of potential energy at the angle g; it stops where the joint has "
        "taken all of it: K (g - limit)^2 / 2 = m g l sin(g). The two printed angles ask for 0.351 and 0.277 m g l per "
        "radian. One stiffness between them, 0.31, is that of both scenarios.",
        "With the law of eq. 4.11, M = -K g beyond the limit, whose torque jumps there (E033), they would ask for "
        "0.260 and 0.108: no common stiffness. The thesis' own curve was therefore close to ours.",
        "Such a spring is no limit. The knee of a person, whose shank and foot weigh about 12 N m at the joint, has "
        "450 to 1300 N m/rad beyond its limits, 40 to 110 per m g l: some hundred times stiffer.",
        "The thesis prints neither size and mass of its body nor the stiffness of the general motion; only the "
        "pictures of that motion can be compared, and its energy.",
    )
    source = "spicka2020, section 6.4, Figs 6.6 to 6.10: angles at which the rod stops, in words"
    return Report("Spherical pendulum with joint stiffness", source, tuple(rows), (table,), figures, notes)


def continuous_stiffness(limit: float, stop: float) -> float:
    """Return K / (m g l) [1/rad] of a level rod that stops at an angle [deg], K (a - limit) beyond a limit [deg]."""
    return 2.0 * np.sin(np.radians(stop)) / np.radians(stop - limit) ** 2


def jumping_stiffness(limit: float, stop: float) -> float:
    """Return the change of energy for a torque K a beyond the limit and none before it."""
    return 2.0 * np.sin(np.radians(stop)) / (np.radians(stop) ** 2 - np.radians(limit) ** 2)


def turned(result: Result) -> np.ndarray:
    """Return the angle about x [rad] over time, without the jump of a rotation vector at half a turn."""
    return np.unwrap(result.recording.joint_rotation[:, 0, 0])


def _drawing(result: Result) -> Any:
    return lambda: pendulum_figure(result)


def pendulum_figure(result: Result) -> Figure:
    """Draw centre of mass, angles, torque of the joint and the motion itself, as in Figs 6.6 to 6.8 and 6.10."""
    from matplotlib.figure import Figure

    run = result.recording
    time, position, pivot = run.pose_time, run.position[:, 0], np.array([0.0, 0.0, 1.0])
    # the rotation vector flips at half a turn: keep the branch of the sample before
    angles = np.unwrap(run.joint_rotation[:, 0], axis=0)
    figure = Figure(figsize=(11.0, 7.5), layout="constrained")
    figure.suptitle(result.title)
    panels = (
        ("centre of mass [m]", position, "xyz"),
        ("components of the rotation vector [deg]", np.degrees(angles), "xyz"),
        ("torque of the joint [N m]", run.joint_torque[:, 0], "xyz"),
    )
    for place_, (title, values, labels) in enumerate(panels):
        axes = figure.add_subplot(2, 2, place_ + 1)
        for k, label in enumerate(labels):
            axes.plot(time, values[:, k], label=label)
        axes.set(title=title, xlabel="time [s]")
        axes.grid(alpha=0.3)
        axes.legend(fontsize=8)
    axes = figure.add_subplot(2, 2, 4)
    for sample in np.linspace(0, len(time) // 4, 16).astype(int):
        end = 2.0 * position[sample] - pivot
        axes.plot([pivot[1], end[1]], [pivot[2], end[2]], color="0.75", linewidth=1.0)
    axes.plot(position[:, 1], position[:, 2], color="C3", linewidth=1.2)
    axes.plot(pivot[1], pivot[2], "ko", markersize=4)
    axes.set(
        title="seen along x: rod in the first quarter, path of its centre",
        xlabel="y [m]",
        ylabel="z [m]",
        aspect="equal",
    )
    axes.grid(alpha=0.3)
    return figure
