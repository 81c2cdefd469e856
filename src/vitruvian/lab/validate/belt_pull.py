"""A belt that is drawn into the abdomen, next to target B26 (Foster et al. 2006, abstract).

Eight cadavers sat upright with a fixed back, the webbing across the navel; pretensioners drew both ends back along the
sides. Loads of 2.8 to 10.1 kN, penetrations of 49 to 138 mm and speeds of 4.0 to 13.3 m/s are ranges: which of them
belong together is not in the abstract. Ours draws both ends back by a smooth motion on a fixed abdomen of a man of
average size; strokes and speeds are those of the ends of both ranges and one between.
"""

from __future__ import annotations

import numpy as np

from ...human import belt_tissues, human
from ...model import Belt, Body, Joint, Sphere, System, Table, Waypoint, frame_with_z, yielding
from ...sim.simulate import simulate
from ..verdict import Table as Cells
from . import body

#: largest speed [m/s] and stroke [m] of the ends of the webbing
PULLS = ((4.0, 0.049), (8.6, 0.094), (13.3, 0.138))
ASIDE, BEHIND = 0.02, 0.30  # of the ends from the side and the middle of the abdomen, estimated [m]
RATE = 20000.0  # [Hz]
LEAST = 2.0  # the run is so many times longer than the pull, because tissue and webbing settle after it [-]


def pull(speed: float, stroke: float) -> tuple[float, float, float]:
    """Return the largest load of both spans [N], penetration [m] and its speed [m/s] of a belt over the abdomen.

    speed, stroke  of the ends of the webbing, rearwards: the largest [m/s], and how far [m]
    """
    person = human(preset="50M", **body.options()).system
    abdomen = person.body("abdomen")
    aside = abdomen.shapes[0].half_size[1] + ASIDE
    duration = 0.5 * np.pi * stroke / speed
    times = np.linspace(0.0, LEAST * duration, 129)
    drawn = 0.5 * stroke * (1.0 - np.cos(np.pi * np.minimum(times / duration, 1.0)))
    way = Table(tuple(times.tolist()), tuple((-drawn).tolist()), "position")
    forward = frame_with_z((1.0, 0.0, 0.0))
    puller = Body("puller", 1.0, np.full(3, 0.01), (Sphere(0.01),))
    guide = Joint("guide", "prismatic", None, "puller", frame_parent=forward, frame_child=forward, motion=(way,))
    ends = [Waypoint(anchor=(-BEHIND, side * aside, 0.0), body="puller") for side in (1.0, -1.0)]
    belt = Belt("belt", (ends[0], Waypoint(over="abdomen"), ends[1]))
    joints = (guide, Joint("rest", "rigid", None, "abdomen"))
    system = System((abdomen, puller), joints, belts=(belt,), gravity=(0.0, 0.0, 0.0), roster=person.roster)
    run = simulate(yielding(system, belt_tissues(system)), duration=LEAST * duration, pose_rate=RATE)
    depth = run.joint_rotation[:, run.joints.index("abdomen_under_belt"), 0]
    load = float((run.belt_force[:, 0] + run.belt_force[:, 1]).max())
    return load, float(depth.max()), float(np.diff(depth).max() * RATE)


def table() -> Cells:
    """Return loads, penetrations and speeds next to the published ranges, which do not count."""
    cells = [("published ranges", "4.0 to 13.3", "2.8 to 10.1", "49 to 138", "4.0 to 13.3")]
    for speed, stroke in PULLS:
        load, depth, rate = pull(speed, stroke)
        name = f"ends drawn back {1e3 * stroke:.0f} mm"
        cells.append((name, f"{speed:g}", f"{1e-3 * load:.1f}", f"{1e3 * depth:.0f}", f"{rate:.1f}"))
    headings = ("case", "pull [m/s]", "load [kN]", "penetration [mm]", "speed [m/s]")
    return Cells("abdomen", "B26, belt into the abdomen: compared, not counted", headings, tuple(cells))
