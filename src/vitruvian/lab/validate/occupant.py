"""Seated people on sleds: load on padded knees, and orders of magnitude of a belted frontal impact.

The knee test is that of Patrick, Kroell and Mertz (1965), as far as its abstract has it: unrestrained cadavers in a
normal seated position, 10 to 20 mph, stopping distances of 6 to 8 in, knee targets with 37 mm of padding. The largest
load without a fracture was 8.76 kN. Ours is the larger load of both knees at 20 mph, stopped in 7 in. The padding and
the gap in front of the knees are not printed: a foam that crushes at 0.3 MPa on a disc of 10 cm and bottoms out at
70 % of its thickness, and 15 cm. Both were chosen before the first run, and are varied.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from ...model.pose import segment_poses
from ...scenario import Scenario
from ...scenario.build import build
from ...scenario.occupant import belt_forces
from ...signals.filter import cfc
from ...sim.result import Result
from ...units import STANDARD_GRAVITY
from ..verdict import Progress, Report, Table
from . import belt_pull, body
from .target import compared

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MILE = 0.44704  # mile per hour [m/s]
STOP = 0.1778  # stopping distance, 7 in [m]
GAP = 0.15  # from knee to target, estimated [m]
CRUSH = 0.3e6  # pressure at which the padding crushes, estimated [Pa]
PADDING = 0.0365  # thickness, 1-7/16 in [m]
DISC = 0.10  # diameter on which a knee presses, estimated [m]
RATE = 1e4  # [Hz]
FILTER = 600  # channel frequency class of femur loads
#: half-sines that stop a mass on a spring load it by at most this multiple of their peak (shock spectrum, undamped)
HALF_SINE = 1.768
#: ready pulses of frontal impacts at about 50 km/h
PULSES = ("fmvss-208", "fmvss-213", "un-r129", "un-r16")
KNEES = 'only = ["left_thigh", "right_thigh"]'  # knee caps and condyles are part of the thighs
LEGS = 'only = ["left_shank", "right_shank", "left_thigh", "right_thigh"]'
#: what else changes the load of a knee: name -> segments that are loaded, changes of the person
CAUSES: dict[str, tuple[str, dict[str, object]]] = {
    "soft mass moves on the bone": (KNEES, {"human.wobble": True}),
    "targets that the shanks meet, too": (LEGS, {}),
    "both": (LEGS, {"human.wobble": True}),
}
#: name -> speed [mph], gap [m], crushing pressure [Pa]
CASES = {
    "as published, 20 mph": (20.0, GAP, CRUSH),
    "15 mph": (15.0, GAP, CRUSH),
    "10 mph": (10.0, GAP, CRUSH),
    "gap 0.02 m": (20.0, 0.02, CRUSH),
    "gap 0.20 m": (20.0, 0.20, CRUSH),
    "padding 0.15 MPa": (20.0, GAP, 0.5 * CRUSH),
    "padding 0.6 MPa": (20.0, GAP, 2.0 * CRUSH),
}
_SCENE = """
schema = 1
title = "Unrestrained on a sled: knees on padded targets"
[human]
preset = "50M"
start = {{ settle = true }}
[sled]
pulse = {{ shape = "trapezoid", peak = {peak}, duration = {duration}, rise = "2 ms", fall = "2 ms" }}
[[seat]]
cushion = "rigid"
place = [0, 0, "0.40 m"]
back_angle = "10 deg"
[[surface]]
name = "knee_target"
shape = "facet"
carrier = "sled"
{only}
corners = [[{x}, 0.4, 0.35], [{x}, -0.4, 0.35], [{x}, -0.4, 0.70], [{x}, 0.4, 0.70]]
contact = {{ law = "curve", curve = {curve}, unloading_stiffness = "20 MN/m", friction = 0.3 }}
[solver]
duration = "0.12 s"
[output]
rate = 10000
pose_rate = 10000
"""


def occupant(progress: Progress) -> Report:
    """Compare the load on padded knees with the published one, and a belted frontal impact with recalled figures."""
    loads: dict[str, np.ndarray] = {}
    for number, (name, case) in enumerate(CASES.items()):
        progress(f"knees, {name}", number, len(CASES) + 1)
        loads[name] = knee_load(*case)
    first = next(iter(CASES))
    for name, (only, changes) in CAUSES.items():
        progress(f"knees, {name}", len(CASES), len(CASES) + 1)
        loads[name] = knee_load(*CASES[first], only, changes)
    progress("belted, 50 km/h", len(CASES), len(CASES) + 1)
    cells = [
        (name, f"{speed:g}", f"{gap:g}", f"{1e-6 * crush:g}", f"{1e-3 * loads[name].max():.2f}")
        for name, (speed, gap, crush) in (CASES | dict.fromkeys(CAUSES, CASES[first])).items()
    ]
    headings = ("case", "speed [mph]", "gap [m]", "padding [MPa]", "load of a knee [kN]")
    return Report(
        title="Seated people on sleds",
        source="Patrick et al. 1965 (abstract); recalled orders of magnitude of belted impacts",
        rows=(compared("B38", 1e-3 * float(loads[first].max()), "20 mph, 7 in, padding and gap estimated"),),
        tables=(
            Table("knees", "Largest load of a knee, CFC 600", headings, tuple(cells)),
            belt_pull.table(),
            _belted(),
        ),
        figures={"knees": partial(_draw, loads)},
        notes=(
            "B26 (belt into the abdomen) has ranges and no interval, so it is compared and not counted. Its law was "
            "not fitted to it.",
            "The last three rows of the knees are computed causes of the high load, not fits: flesh that is rigidly "
            "part of thigh and pelvis, and targets that reach below the knees.",
            "8.76 kN is the largest load at which no bone broke in all tests of 10 to 20 mph, so it need not be that "
            "of 20 mph.",
            f"A half-sine loads a mass on an undamped spring by at most {HALF_SINE:g} times its peak: "
            f"{HALF_SINE * 17.2:.0f} g for 17.2 g. The recalled 35 to 50 g of the chest thus belong to stiffer pulses "
            "of the same change of velocity, or to belts with slack.",
            "The NBDL sled test is not listed, because the neck was fitted to it.",
            "Padding and gap of the knee targets are estimates; the table shows what they change.",
        ),
    )


def knee_load(
    speed: float, gap: float, crush: float, only: str = KNEES, changes: Mapping[str, object] | None = None
) -> np.ndarray:
    """Return the force of a target on the knee that it loads more, CFC 600 (n,) [N].

    speed  of the sled before it is stopped [mph]
    gap    between knees and target at the start [m]
    crush  pressure at which the padding crushes [Pa]
    only, changes  segments that the target loads, as in the scene, and changes of the person
    """
    run = knee_run(speed, gap, crush, only, changes)
    recording, sides = run.recording, []
    for side in ("left", "right"):
        rows = [k for k, (who, what) in enumerate(recording.pairs) if who.startswith(side) and what == "knee_target"]
        sides.append(np.linalg.norm(recording.contact_force[:, rows].sum(axis=1), axis=1))
    worse = max(sides, key=lambda force: float(force.max()))
    return cfc(recording.pose_time, worse, FILTER, name="knee load")


def knee_run(
    speed: float, gap: float, crush: float, only: str = KNEES, changes: Mapping[str, object] | None = None
) -> Result:
    """Run the knee test; see `knee_load`."""
    fast = MILE * speed
    duration = 2.0 * STOP / fast
    area = 0.25 * np.pi * DISC**2
    plateau, deep = crush * area, 0.7 * PADDING
    curve = [[0.0, 0.0], [0.003, plateau], [deep, 1.2 * plateau], [PADDING, 1.2 * plateau + 25e3]]
    options = {"peak": -fast / (duration - 0.002), "duration": duration, "curve": curve, "only": only}
    person = body.changes() | dict(changes or {})
    front = _knee_front(Scenario.from_toml(_SCENE.format(x=2.0, **options)).replace(person))
    return Scenario.from_toml(_SCENE.format(x=front + gap, **options)).replace(person).run()


def _knee_front(scenario: Scenario) -> float:
    """Return how far forward the knees reach at the start, in the frame of the sled [m]."""
    system, start, *_ = build(scenario.table)
    poses, reach = segment_poses(system, start), []
    for part in (one for one in system.bodies if one.name.endswith("thigh")):
        place, turn = poses[part.name]
        for shape in part.shapes:
            axes = turn @ shape.turn * np.array(shape.half_size)
            reach.append(float((place + turn @ np.array(shape.offset))[0] + np.linalg.norm(axes[0])))
    return max(reach) - float(poses["sled"][0][0])


def _belted() -> Table:
    """Return peaks of belted frontal impacts next to recalled orders of magnitude, which do not count."""
    cells = []
    for name in PULSES:
        run = Scenario.load("sled-frontal-50kmh", body.changes() | {"sled.pulse": name}).run()
        forces = belt_forces(run.recording)
        shoulder = max((force for name, force in forces.items() if "thorax" in name), default=0.0)
        cells.append((name, f"{1e-3 * shoulder:.1f}", f"{_peak(run, 'thorax'):.1f}", f"{_peak(run, 'head'):.1f}"))
    headings = ("pulse", "shoulder belt [kN]", "chest, 3 ms [g]", "head, 3 ms [g]")
    cells.insert(0, ("recalled, for 48 km/h and 17 g", "6 to 9", "35 to 50", "40 to 80"))
    return Table("belted", "Belted, about 50 km/h: recalled, not counted", headings, tuple(cells))


def _peak(run: Result, segment: str) -> float:
    """Return the largest acceleration of a segment as a mean over 3 ms [g]."""
    recording = run.recording
    velocity = recording.velocity[:, recording.bodies.index(segment)]
    mean = max(1, round(3e-3 / float(recording.pose_time[1] - recording.pose_time[0])))
    steps = np.linalg.norm(velocity[mean:] - velocity[:-mean], axis=1)
    return float(steps.max() / (recording.pose_time[mean] - recording.pose_time[0]) / STANDARD_GRAVITY)


def _draw(loads: dict[str, np.ndarray]) -> Figure:
    """Return the load of a knee over time in all cases."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9.0, 3.6), layout="constrained")
    axes = figure.add_subplot(xlabel="time [ms]", ylabel="load of a knee [kN]")
    for name, load in loads.items():
        axes.plot(1e3 * np.arange(len(load)) / RATE, 1e-3 * load, label=name)
    axes.legend(frameon=False)
    return figure
