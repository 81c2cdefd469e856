"""The bouncing ball of the thesis, section 6.2: Fig. 6.2, Table 6.1, Fig. 6.3. Source: spicka2020."""

from __future__ import annotations

from functools import cache
from math import sqrt
from typing import TYPE_CHECKING

import numpy as np

from ...model import Body, Configuration, Ellipsoid, Joint, Plane, System
from ...model.contact import Contact
from ...model.contact_law import LAWS, returned_restitution
from ...model.system import GRAVITY
from ...sim.recording import Recording
from ...sim.simulate import simulate
from ..single_impact import impact
from ..verdict import Cause, Progress, Report, Reproduced, Table

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SOURCE = "spicka2020, section 6.2, Table 6.1; E, nu, the stiffness and Cr are not printed"
RADIUS, MASS, HEIGHT, DURATION = 0.2, 1.0, 0.5, 0.5  # [m], [kg], of the centre [m], [s]
G = -GRAVITY[2]
FALL = HEIGHT - RADIUS  # [m]
ENERGY = MASS * G * FALL  # at touch [J]
CONTACT_STEP = 2e-5  # [s]
FIG_62 = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)  # Cr
TRIED = np.geomspace(0.02, 1.0, 18)  # Cr at which a law may meet Table 6.1

#: law -> largest force [N], largest "displacement" [m] and number of contacts of Table 6.1
PRINTED = {
    "hertz": (1320.6, 0.2134, 1),
    "hunt-crossley-published": (1697.7, 0.0029, 1),
    "lee-wang": (1500.1, 0.0031, 1),
    "herbert-mcwhannell": (1822.8, 0.0027, 2),
    "lankarani-nikravesh": (1500.1, 0.0031, 1),
    "gonthier": (2075.2, 0.0021, 1),
    "zhiying-qishao-thesis": (2035.1, 0.0022, 3),
    "flores-thesis": (2438.3, 0.0018, 6),
    "gharib-hurmuzlu-thesis": (2075.1, 0.0021, 3),
}


@cache
def stiffness() -> float:
    """Return the Hertz stiffness [N/m^1.5] for the printed 1320.6 N: F = k d^1.5 and 0.4 k d^2.5 = m g (fall + d)."""
    force = PRINTED["hertz"][0]
    depth = FALL * MASS * G / (0.4 * force - MASS * G)
    return force / depth**1.5


def drop(law: str, restitution: float = 0.5, *, pose_rate: float = 2e4) -> Recording:
    """Return the run of the ball released at rest."""
    contact = Contact(stiffness(), 1.5, friction=0.0, law=law)
    if "restitution" in LAWS[law].takes:
        contact = contact.replace(restitution=restitution)
    ball = Body("ball", MASS, np.ones(3) * 0.4 * MASS * RADIUS**2, (Ellipsoid((RADIUS,) * 3),))
    system = System((ball,), (Joint("root", "free", None, "ball"),), (Plane("ground", contact=contact),))
    start = Configuration({"root": (0.0, 0.0, HEIGHT, 1.0, 0.0, 0.0, 0.0)})
    return simulate(system, start, duration=DURATION, pose_rate=pose_rate, tolerance=1e-6, contact_step=CONTACT_STEP)


def contacts(run: Recording) -> int:
    """Return the number of contacts of the ball."""
    return sum(event.kind == "touch" for event in run.events)


def ball(progress: Progress) -> Report:
    """Compare all of section 6.2 with ours."""
    progress("Fig. 6.2", 0, 3)
    heights = {given: drop("hunt-crossley-published", given) for given in FIG_62}
    speed = next(event.value for event in heights[1.0].events if event.kind == "touch")
    rows = [
        Reproduced.close(
            "free fall: impact speed",
            sqrt(2.0 * G * FALL),
            speed,
            G * CONTACT_STEP,
            "m/s",
            origin="closed form",
            note="0.3 m: the printed 0.5 m less the radius; the touch is found to one step",
        ),
        *_figure_62(heights),
    ]
    progress("Table 6.1", 1, 3)
    table_rows, comparison = _table_61()
    rows += table_rows
    progress("what the table implies", 2, 3)
    inconsistent = _implied()
    figures = {"displacement": lambda: displacement_figure(heights), "force": force_figure, "hysteresis": loop_figure}
    least = least_product()
    notes = (
        f"The stiffness is not printed. {stiffness():.4g} N/m^1.5 gives the printed Hertz force and is used for all: "
        f"E/(1 - nu^2) = {0.75 * stiffness() / sqrt(RADIUS) / 1e6:.3g} MPa by the right form of eq. 5.14 (E044).",
        "The numbers of contacts are read from the text: the stars of the table are shifted by one (E056). "
        "Computing times are not printed.",
        "Lee-Wang and Lankarani-Nikravesh print the same force: 1 - Cr = 1 - Cr^2, so Cr is 0 or 1. At Cr = 0 "
        "Gonthier, Flores and Gharib-Hurmuzlu have no value; at Cr = 1 no law differs from Hertz (E055).",
        "Gonthier and Gharib-Hurmuzlu print the same force, so the same damping, but 1 contact and 3 contacts.",
        f"Largest force times largest depth over the energy cannot fall below {least:.3f}, whatever stiffness and "
        "damping; six of the eight printed pairs are below it. Table 6.1 is no benchmark.",
    )
    return Report("The bouncing ball", SOURCE, tuple(rows), (comparison, inconsistent), figures, notes)


def _figure_62(heights: dict[float, Recording]) -> list[Reproduced]:
    rows = []
    for given, run in heights.items():
        touch = next(e.time for e in run.events if e.kind == "touch")
        apex = float(run.position[run.pose_time > touch + 0.02, 0, 2].max())
        returned = _returned("hunt-crossley-published", given)
        short = f"{RADIUS + FALL * returned**2:.4f} m (rebound {returned:.3f})"
        note = f"the figure has no numbers; an impact of no duration would give {short}"
        rows.append(Reproduced(f"Fig. 6.2, Cr {given:g}: height after the first bounce", None, apex, "m", note=note))
    elastic = heights[1.0]
    total = 0.5 * MASS * elastic.velocity[:, 0, 2] ** 2 + MASS * G * elastic.position[:, 0, 2]
    kept = float(abs(total[-1] / total[0] - 1.0))
    rows.append(Reproduced.at_most("Fig. 6.2, Cr 1: change of energy over the bounce", 1e-6, kept))
    dead = heights[0.0]
    bounced = contacts(dead) > 1 or float(dead.velocity[-1, 0, 2]) > 0.0
    rows.append(
        Reproduced.same(
            "Fig. 6.2, Cr 0: pure plastic contact",
            "stays down",
            "bounces" if bounced else "stays down",
            note="the damping number 1.5 of eq. 5.20 at Cr = 0 returns "
            f"{returned_restitution(1.5):.3f}: no value of Cr makes this law plastic",
        )
    )
    return rows


def _table_61() -> tuple[list[Reproduced], Table]:
    """Compare peak force, depth and contacts of all laws with the printed ones; some Cr in the table."""
    rows, cells = [], []
    given = (0.1, 0.3, 0.5, 0.9)
    for law, (force, depth, touches) in PRINTED.items():
        runs = [drop(law, value) for value in (given if law != "hertz" else (1.0,))]
        peaks, depths, counts = _peaks(runs)
        if law == "hertz":
            rows += [
                Reproduced.close(
                    "Table 6.1, hertz: largest force",
                    force,
                    peaks[0],
                    0.5,
                    "N",
                    note="the stiffness was fitted to it by the energy balance, so this checks the engine alone",
                ),
                Reproduced.close(
                    "Table 6.1, hertz: largest displacement",
                    depth,
                    depths[0],
                    1e-4,
                    "m",
                    cause=Cause.cited(
                        f"{ENERGY:.2f} J and 1320.6 N need {depths[0] * 1e3:.2f} mm; the centre falls "
                        f"{FALL + depths[0]:.4f} m to {RADIUS - depths[0]:.4f} m: nothing here is 0.2134 m (E054)"
                    ),
                ),
                Reproduced.close("Table 6.1, hertz: contacts", touches, counts[0], 0, "-"),
            ]
        else:
            rows += _reached(law, force, depth, touches)
        cells.append(
            (
                law,
                f"{force:g}",
                f"{1e3 * depth:g}",
                str(touches),
                " / ".join(f"{peak:.0f}" for peak in peaks),
                " / ".join(f"{1e3 * value:.2f}" for value in depths),
                " / ".join(str(count) for count in counts),
                " / ".join(f"{1e3 * run.wall_time:.0f}" for run in runs),
            )
        )
    headings = (
        "law", "printed force [N]", "printed displacement [mm]", "printed contacts",
        "force, Cr 0.1 / 0.3 / 0.5 / 0.9 [N]", "depth [mm]", "contacts", "computing [ms]",
    )  # fmt: skip
    return rows, Table("table-6.1", "Table 6.1 compared with ours; hertz has no Cr", headings, tuple(cells))


def _peaks(runs: list[Recording]) -> tuple[list[float], list[float], list[int]]:
    """Return the largest force [N], largest depth [m] and number of contacts of some runs."""
    return (
        [float(run.contact_force[:, 0, 2].max()) for run in runs],
        [float(run.contact_depth[:, 0].max()) for run in runs],
        [contacts(run) for run in runs],
    )


def _reached(law: str, force: float, depth: float, touches: int) -> list[Reproduced]:
    """Return whether the law reaches the printed values with any restitution, as Cr is not printed.

    Force and contacts at the stiffness of the Hertz row; force times displacement at any stiffness.
    """
    peaks, depths, counts = _peaks([drop(law, float(value)) for value in TRIED])
    products = [peak * deep / ENERGY for peak, deep in zip(peaks, depths, strict=True)]
    printed, rounding = force * depth / ENERGY, force * 0.5e-4 / ENERGY
    words = f"Cr {TRIED[0]:.2g} to 1"
    met = [value for value, count in zip(TRIED, counts, strict=True) if count == touches]
    some = f"at Cr {', '.join(f'{value:.2g}' for value in met[:4])}" if met else _why_contacts(law)
    return [
        Reproduced(
            f"Table 6.1, {law}: largest force",
            force,
            f"{min(peaks):.0f} to {max(peaks):.0f} N",
            "N",
            bool(min(peaks) <= force <= max(peaks)),
            note=f"{words}, stiffness of the Hertz row",
        ),
        Reproduced(
            f"Table 6.1, {law}: force times displacement over the energy",
            f"{printed:.3f} +- {rounding:.3f}",
            f"{min(products):.3f} to {max(products):.3f}",
            "-",
            bool(min(products) - rounding <= printed <= max(products) + rounding),
            note=f"{words}, any stiffness",
        ),
        Reproduced(
            f"Table 6.1, {law}: contacts in 0.5 s",
            float(touches),
            f"{min(counts)} to {max(counts)}",
            "-",
            bool(met),
            note=some,
        ),
    ]


def _why_contacts(law: str) -> str:
    """Return the rebound that the printed number of contacts needs, and the Cr at which the law has it."""
    low, high = _rebound_range(PRINTED[law][2])
    given = np.linspace(0.01, 1.0, 200)
    back = np.array([_returned(law, float(value)) for value in given])  # grows with Cr
    needs = f"contacts taken as instants, it needs a rebound of {low:.3f} to {high:.3f}"
    if back.min() > high or back.max() < low:
        return f"{needs}; this law returns {back.min():.3f} to {back.max():.3f}"
    return f"{needs}: Cr {np.interp(low, back, given):.3f} to {np.interp(high, back, given):.3f}"


def _returned(law: str, given: float) -> float:
    return returned_restitution(LAWS[law].number(given))  # type: ignore[misc]


def _rebound_range(touches: int) -> tuple[float, float]:
    """Return rebounds e with so many contacts in 0.5 s: fall, then flights of 2 e^k v/g, contacts taken as instants."""
    left = DURATION * G / sqrt(2.0 * G * FALL) / 2.0 - 0.5  # time left after the first touch, in units of 2 v/g

    def edge(count: int) -> float:
        """Return the rebound at which contact number count + 1 happens just at the end."""
        low, high = 0.0, 1.0
        for _ in range(60):
            e = 0.5 * (low + high)
            low, high = (e, high) if sum(e**k for k in range(1, count + 1)) < left else (low, e)
        return low

    return edge(touches), edge(touches - 1) if touches > 1 else 1.0


@cache
def least_product() -> float:
    """Return the least F_max d_max / energy [-] of the family, over all damping; it depends on nothing else."""
    return min(_product(value) for value in np.geomspace(0.02, 1.0, 40))


def _product(restitution: float) -> float:
    hit = impact(Contact(1e6, 1.5, restitution), 2.0, rows=1500)
    return float(hit.force.max() * hit.depth.max() / (0.5 * 2.0**2))


def _implied() -> Table:
    """Return the damping that follows from the printed pairs of force and depth."""
    least = least_product()
    cells = []
    for law, (force, depth, _) in PRINTED.items():
        if law == "hertz":
            continue
        product = force * depth / ENERGY
        half = 0.5e-4 / depth  # of the last printed digit
        verdict = "possible" if product * (1.0 + half) >= least else "impossible"
        cells.append((law, f"{force * depth:.2f}", f"{product:.3f}", f"{product * half:.3f}", verdict))
    return Table(
        "table-6.1-products",
        f"Printed force times depth over {ENERGY:.3f} J; Hertz has 2.5, no damping gives less than {least:.3f}",
        ("law", "force x depth [J]", "over energy [-]", "rounding of the depth [-]", "verdict"),
        tuple(cells),
    )


def displacement_figure(heights: dict[float, Recording]) -> Figure:
    """Draw Fig. 6.2: height of the centre over time."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7.5, 4.5))
    axes = figure.add_subplot()
    for given, run in heights.items():
        axes.plot(run.pose_time, run.position[:, 0, 2], label=f"Cr {given:g}", linewidth=1.4)
    axes.set(xlabel="time [s]", ylabel="height of the centre [m]", title="Hunt-Crossley as published (eq. 5.20)")
    axes.legend(fontsize=8)
    return figure


def _first_contact(law: str, restitution: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the time since touch [ms], force [kN] and depth [mm] of the first contact."""
    run = drop(law, restitution, pose_rate=1e5)
    touch = next(e.time for e in run.events if e.kind == "touch")
    end = next((e.time for e in run.events if e.kind == "separation"), DURATION)
    part = (run.pose_time >= touch) & (run.pose_time <= end)
    return 1e3 * (run.pose_time[part] - touch), 1e-3 * run.contact_force[part, 0, 2], 1e3 * run.contact_depth[part, 0]


def _both(columns: tuple[int, int], labels: tuple[str, str]) -> Figure:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(11.0, 4.5))
    for place, given in enumerate((0.5, 0.9)):
        axes = figure.add_subplot(1, 2, place + 1)
        for law in PRINTED:
            series = _first_contact(law, given)
            axes.plot(series[columns[0]], series[columns[1]], label=law, linewidth=1.2)
        axes.set(xlabel=labels[0], ylabel=labels[1], title=f"first contact, Cr {given:g}")
        axes.legend(fontsize=7)
    return figure


def force_figure() -> Figure:
    """Draw Fig. 6.3a: force over time."""
    return _both((0, 1), ("time since touch [ms]", "force [kN]"))


def loop_figure() -> Figure:
    """Draw Fig. 6.3b: force over depth."""
    return _both((2, 1), ("depth [mm]", "force [kN]"))
