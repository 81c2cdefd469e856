"""Soft tissue and skull compared with drops, releases and pendulums on volunteers and cadavers.

Targets B01 to B32, C51 and C52, and the corridor of Lobdell for the thorax. Tests on a person are in `tissue_tests`;
here a segment alone is guided and pressed on a plate.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cache
from math import nan
from typing import TYPE_CHECKING

import numpy as np

from ... import data
from ...human import Human
from ...model import Configuration, Joint, Plane, System, frame_with_z
from ...sim import simulate
from ...units import STANDARD_GRAVITY
from ..verdict import Progress, Report, Validated
from . import body, tissue_tests
from .target import compared, targets

if TYPE_CHECKING:
    from matplotlib.figure import Figure

CORRIDOR = "thorax-hub-7.15"  # of validation_curve.csv
PROBE = 3.0 * STANDARD_GRAVITY  # force of the slow cycle of a heel [N]; target B06
SLOW = 2.5e-3  # speed of a slow test [m/s]; targets B27 and B29
SLOW_MASS = 4000.0  # that presses a heel for about one second to the peak [kg]
HEAVY = 1e10  # mass that nothing slows [kg]
SKULL = {"slow": (0.3, 0.9), "impact": (0.3, 0.9)}  # part of the failure load over which the stiffness is taken [-]
FAILURE = {"slow": "B29", "impact": "B30"}  # targets of the failure load
INJURIOUS = (4.0, 5.0, 6.0)  # speeds of the shoulder test [m/s]; target B24

_LOBDELL = "Lobdell 1972, corridor of cadavers"


@cache
def adult() -> Human:
    """Return the person of the tests, with the chosen body."""
    return tissue_tests.adult(**body.options())


@dataclass(frozen=True)
class Press:
    """A segment pressed on a plate: depth [m] and force [N] over time, loading first.

    broke  force at which its bone broke [N]; NaN if it did not
    """

    depth: np.ndarray
    force: np.ndarray
    broke: float = nan

    def depth_at(self, force: float) -> float:
        """Return the depth [m] at which the force is first reached [N]; NaN if it never is."""
        beyond = np.flatnonzero(self.force >= force)
        if not beyond.size or beyond[0] == 0:
            return nan
        k = int(beyond[0])
        return float(np.interp(force, self.force[k - 1 : k + 1], self.depth[k - 1 : k + 1]))

    def stiffness(self, low: float, high: float) -> float:
        """Return the secant stiffness [N/m] between two forces [N] of the loading."""
        return (high - low) / (self.depth_at(high) - self.depth_at(low))

    def energy_to(self, force: float) -> float:
        """Return the work of the plate until a force is reached [J]; NaN if it never is."""
        end = self.depth_at(force)
        if np.isnan(end):
            return nan
        loading = int(np.flatnonzero(self.force >= force)[0])
        depth, load = np.append(self.depth[:loading], end), np.append(self.force[:loading], force)
        return float(np.trapezoid(load, depth))

    @property
    def lost(self) -> float:
        """Share of the work of the plate that does not come back [-]."""
        work = np.concatenate([[0.0], np.cumsum(0.5 * (self.force[1:] + self.force[:-1]) * np.diff(self.depth))])
        return float(work[-1] / work.max())


def press(
    segment: str,
    way: tuple[float, float, float],
    mass: float,
    speed: float,
    duration: float,
    *,
    person: Human | None = None,
) -> Press:
    """Press a segment of the adult of the tests, or of another person, on a rigid plate that lies in a direction.

    The segment is guided along the direction. Of a foot only the heel is pressed, of a head the vault.

    mass, speed  of the segment with what pushes it [kg], [m/s]
    """
    own = (person or adult()).system.body(segment)
    own = replace(own, shapes=own.shapes[:1])
    frame = frame_with_z(way)
    guide = Joint("guide", "prismatic", None, segment, frame_parent=frame, frame_child=frame)
    reach = max(float(np.dot(shape.offset, way)) + float(shape.reach(np.array(way))) for shape in own.shapes)
    normal = (-way[0], -way[1], -way[2])
    point = (reach * way[0], reach * way[1], reach * way[2])
    plate = Plane("plate", point=point, normal=normal, contact=tissue_tests.RIGID)
    system = System((replace(own, mass=mass),), (guide,), (plate,), gravity=(0.0, 0.0, 0.0))
    run = simulate(system, Configuration(rates={"guide": (speed,)}), duration=duration, pose_rate=2000.0 / duration)
    force = np.linalg.norm(run.contact_force.sum(axis=1), axis=1)
    broke = next((event.value for event in run.events if event.kind == "fracture"), nan)
    return Press(run.contact_depth.max(axis=1).clip(0.0), force, broke)


def tissues(progress: Progress) -> Report:
    """Compare heel, hip, shoulder, pelvis, thorax and head with measurements."""
    steps = (_heel, _hip, _shoulder, _head, _thorax)
    rows: list[Validated] = []
    for number, step in enumerate(steps):
        progress(step.__name__.strip("_"), number, len(steps))
        rows += step()
    return Report(
        title="Tissue",
        source="targets B01 to B32, C51 and C52; Lobdell 1972",
        rows=tuple(rows),
        figures={"thorax": _draw_thorax, "head": _draw_head},
        notes=(
            "Volunteers: a mass dropped on the heel of a person lying prone, a person released on one hip. Cadavers: "
            "plates against shoulder, pelvis and thorax of a free person, and a held head.",
            "The head is pressed with and without failure. Its stiffness is that of a skull that does not break; the "
            "failure load, and deflection and energy up to it, are those of one that does. The failure loads of the "
            "model are those of other cadavers: messerer1880 pressed slowly, allsop1991 struck.",
        ),
    )


def _heel() -> Iterable[Validated]:
    found = tissue_tests.heel_drop(adult())
    yield compared("B01", found["acceleration"] / STANDARD_GRAVITY)
    yield compared("B02", 1e3 * found["deformation"])
    yield compared("B03", 100.0 * found["absorbed"])
    yield compared("B04", 1e-3 * found["force"] / found["deformation"])
    thickness = data.values("tissue")["foot"]["thickness"] if body.options()["tissue"] == "layered" else nan
    yield compared("B05", 1e3 * thickness, "" if thickness == thickness else "the tissue has no thickness")
    slow = _slow_heel()
    yield compared(
        "B06", 100.0 * slow.lost, f"to {slow.force.max():.0f} N in about one second; the rate is not published"
    )
    toe = press("right_foot", (0.0, 0.0, -1.0), HEAVY, SLOW, 6.0)
    yield compared("B08", 1e-3 * toe.stiffness(2.0, 18.0), "2 to 18 N")
    weight = adult().mass * STANDARD_GRAVITY
    yield compared("B13", 1e-3 * toe.stiffness(0.95 * weight, 1.05 * weight), "at one body weight")


def _slow_heel() -> Press:
    """Press and release a held foot slowly, to the force of target B06."""
    speed = 5e-3
    for _ in range(4):  # the speed that brings the force to that of the probe
        found = press("right_foot", (0.0, 0.0, -1.0), SLOW_MASS, speed, 5.0)
        speed *= PROBE / float(found.force.max())
    return press("right_foot", (0.0, 0.0, -1.0), SLOW_MASS, speed, 5.0)


def _hip() -> Iterable[Validated]:
    yield compared("B18", tissue_tests.hip_release(person=adult())["force"], "pelvis released 5 cm above the plate")
    yield compared("C51", 1e-3 * tissue_tests.hip_impact(person=adult()), "seated, sphere of 175 mm")


def _shoulder() -> Iterable[Validated]:
    yield compared("B23", 1e3 * tissue_tests.pendulum("shoulder", 1.5, person=adult())["deflection"])
    deep = [1e3 * tissue_tests.pendulum("shoulder", speed, person=adult())["deflection"] for speed in INJURIOUS]
    words = " and ".join(f"{depth:.0f}" for depth in deep)
    yield compared("B24", float(np.mean(deep)), f"mean of {words} mm at 4, 5 and 6 m/s")
    words = "against B23 and B24, to which the shoulder was fitted: the line through them has 56 mm"
    yield compared("C52", 1e3 * tissue_tests.pendulum("shoulder", 4.5, person=adult())["deflection"], words)


def press_head(kind: str, person: Human) -> Press:
    """Press the side of the head on a plate as in targets B27 to B32, slowly or in impact."""
    if kind == "slow":
        return press("head", (0.0, -1.0, 0.0), HEAVY, SLOW, 8.0, person=person)
    return press("head", (0.0, -1.0, 0.0), 50.0, 7.5, 2e-3, person=person)


def skull_stiffness(kind: str, pressed: Press) -> float:
    """Return the stiffness [N/m] of a pressed head over the part of the measured failure load that SKULL gives."""
    load = 1e3 * float(targets()[FAILURE[kind]].value)
    low, high = SKULL[kind]
    return pressed.stiffness(low * load, high * load)


def _measured_toe() -> str:
    """Return how much of the measured deflection at failure is by the measured stiffness, and how much before it."""
    deflection, load, stiffness = (float(targets()[name].value) for name in ("B31", "B30", "B28"))
    straight = 1e3 * load / stiffness
    return f"{straight:.1f} and {deflection - straight:.1f} mm"


@cache
def _pressed_head(kind: str, failure: bool = False) -> Press:
    person = tissue_tests.adult(**body.options(), failure=True) if failure and body.fails() else adult()
    return press_head(kind, person)


def _head() -> Iterable[Validated]:
    for name, kind in (("B27", "slow"), ("B28", "impact")):
        stiffness = skull_stiffness(kind, _pressed_head(kind))
        yield compared(name, 1e-3 * stiffness, "from 30 to 90 % of the failure load")
    slow, impact = (_pressed_head(kind, failure=True) for kind in ("slow", "impact"))
    for name, found in (("B29", slow), ("B30", impact)):
        note = "the skull does not break" if np.isnan(found.broke) else "failure load of other cadavers"
        yield compared(name, 1e-3 * found.broke, note)
    held, own = _pressed_head("impact"), not np.isnan(impact.broke)
    load, which = (
        (impact.broke, "its own") if own else (1e3 * float(targets()[FAILURE["impact"]].value), "the measured")
    )
    depth, straight = 1e3 * held.depth_at(load), 1e3 * load / skull_stiffness("impact", held)
    words = (
        f"{straight:.1f} mm by the stiffness of B28 and {depth - straight:.1f} mm before; measured {_measured_toe()}"
    )
    yield compared("B31", depth, f"at {which} failure load; {words}")
    yield compared("B32", held.energy_to(load), f"to {which} failure load; as B31")
    drop = tissue_tests.head_drop(1.0, adult(), 4.5)
    peak = drop["acceleration"] / STANDARD_GRAVITY
    words = "free head of 4.5 kg dropped 1 m on a rigid plate: peak acceleration, CFC 1000"
    yield Validated(words, 200.0, 350.0, peak, "g", source="requirement", note=f"{1e3 * drop['duration']:.1f} ms")


@cache
def _struck_thorax() -> Press:
    person = adult()
    bodies, way, mass, speed = tissue_tests.PENDULUMS["thorax"]
    run = tissue_tests._impact(person, "standing", bodies, way, mass, speed)
    return Press(run.contact_depth.max(axis=1).clip(0.0), tissue_tests._force(run, bodies))


def _thorax() -> Iterable[Validated]:
    lines = corridor(CORRIDOR)
    found = _struck_thorax()
    low, high = (float(lines[side][:, 0].max()) for side in ("lower", "upper"))
    words = "thorax, 23.4 kg at 7.15 m/s: "
    yield Validated(f"{words}deflection", low, high, 1e3 * found.depth.max(), "mm", source=_LOBDELL)
    low, high = (float(np.interp(38.1, lines[side][:4, 0], lines[side][:4, 1])) for side in ("lower", "upper"))
    loading = found.force[: int(np.argmax(found.depth)) + 1]
    force = float(np.interp(0.0381, found.depth[: len(loading)], loading))
    yield Validated(f"{words}force at 38.1 mm", low, high, force, "N", source=_LOBDELL)


def corridor(name: str) -> dict[str, np.ndarray]:
    """Return line -> points (n, 2) of a published corridor, in the units of the table."""
    found: dict[str, list[tuple[float, float]]] = {}
    for row in csv.DictReader(data.read_table_text("validation_curve.csv").splitlines()):
        if row["curve"] == name:
            found.setdefault(row["line"], []).append((float(row["x"]), float(row["y"])))
    return {line: np.array(points) for line, points in found.items()}


# figures


def _draw_thorax() -> Figure:
    """Draw force over deflection of the struck thorax with the corridor."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7.0, 3.8), layout="constrained")
    axes = figure.add_subplot(xlabel="deflection [mm]", ylabel="force [kN]", title="thorax, 23.4 kg at 7.15 m/s")
    for line in corridor(CORRIDOR).values():
        axes.plot(line[:, 0], 1e-3 * line[:, 1], color="#e07a5f")
    found = _struck_thorax()
    axes.plot(1e3 * found.depth, 1e-3 * found.force, label="ours; corridor of Lobdell in red")
    axes.legend(frameon=False)
    return figure


def _draw_head() -> Figure:
    """Draw force over deflection of the held head, slow and in impact, with the measured failures."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7.0, 3.8), layout="constrained")
    axes = figure.add_subplot(xlabel="deflection [mm]", ylabel="force [kN]", title="held head, side")
    for kind in SKULL:
        found = _pressed_head(kind)
        axes.plot(1e3 * found.depth, 1e-3 * found.force, label=kind)
    axes.errorbar(5.8, 11.9, xerr=1.0, yerr=0.9, fmt="o", label="failure in impact, B30 and B31")
    axes.set(xlim=(0.0, 12.0), ylim=(0.0, 16.0))
    axes.legend(frameon=False)
    return figure
