"""The impactors of pedestrian tests thrown at the ready fronts, compared with tests of real cars.

Sources that were seen: abstracts and slides with a few figures of production cars. The rest is recalled, and so are the
impactors. The curves of bonnet, bumper and leading edge were shaped with drops of the same impactors on flat parts
(`verify vehicle-curves`), so their rows are a check of the whole front and not of the curve.
"""

from __future__ import annotations

import copy
from functools import partial
from math import cos, hypot, inf, radians, sin
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ...injury.hic import hic
from ...scenario import Scenario
from ...signals.filter import cfc
from ...sim.recording import Recording
from ...units import STANDARD_GRAVITY
from ...world.front import Front, front
from ..verdict import Progress, Report, Table, Validated

if TYPE_CHECKING:
    from matplotlib.figure import Figure

FRONTS = ("small-car", "sedan", "suv", "van")
RADIUS = 0.0825  # of both headforms [m]
ABOVE = 0.012  # of a headform over the surface at the start [m]
CFC = 180.0  # of legforms
AWAY = 0.35  # of the upper legform from its aim at the start [m]
HIGH_BUMPER, ON_EDGE = 9.5, 10.5  # mass of the upper legform against a high bumper, and against a leading edge [kg]
RAM_MASS, RAM_SPEED = 9.0, 7.5  # of the certification of the legform [kg], [m/s]
RAM_BELOW, RAM_HEIGHT = 0.05, 0.06  # of the middle of its face below the knee, and height of the face [m]
EDGE_SPEED, EDGE_ANGLE = 9.0, radians(25.0)  # of the upper legform [m/s], downwards [rad]


class Headform(NamedTuple):
    """A headform: mass [kg], speed [m/s] and angle to the ground [rad]."""

    mass: float
    speed: float
    angle: float


ADULT = Headform(4.5, 40.0 / 3.6, radians(65.0))
CHILD = Headform(3.5, 35.0 / 3.6, radians(50.0))

_GTR = "GTR 9: 1000 in most of the area and 1700 in the rest are allowed (recalled)"
_OICA = "OICA, GRSP group January 2006: 10 to 67 % of two bonnets below 1000, 60 to 100 % below 2000 (slides seen)"
_BAST = "BASt tests of ten bonnets: clearance for a HIC of 1000 about 70 mm, child 50 mm (abstract seen); bounds ours"
_MIZUNO = "Mizuno, Yonezawa and Kajzer 2001: below 500 in windscreen centres, far more on A-pillars (abstract seen)"
_WORST = "edges of bonnets and pillars are the worst points of consumer tests (recalled); bounds ours"
_HIGH = "OICA, GRSP group: two production SUVs and a modified one (slides seen)"
_CARS = "production cars in consumer tests (recalled); bounds ours"
_CERTIFIED = "dynamic certification of EEVC WG17 (recalled)"


def impactors(progress: Progress) -> Report:
    """Compare headforms, legforms and upper legforms on the ready fronts with tests of real cars."""
    rows: list[Validated] = []
    cells = []
    steps = len(FRONTS) + 1
    for number, name in enumerate(FRONTS):
        progress(name, number, steps)
        found = _tests(name)
        rows += _rows(name, found)
        cells.append((name, *(f"{value:.0f}" for value in found)))
    progress("certification of the legform", steps - 1, steps)
    angle, tibia = certified()
    rows += [
        Validated("legform certified: knee angle", 6.2, 8.2, angle, "deg", source=_CERTIFIED),
        Validated("legform certified: tibia acceleration", 120.0, 250.0, tibia, "g", source=_CERTIFIED),
    ]
    headings = (
        "front", "child bonnet HIC15", "adult bonnet HIC15", "adult stroke [mm]", "wing HIC15", "windscreen HIC15",
        "pillar HIC15", "knee angle [deg]", "tibia [g]", "leading edge [N]", "bumper [N]",
    )  # fmt: skip
    return Report(
        title="Impactors of pedestrian tests",
        source="Mizuno 2001, BASt, OICA (seen); GTR 9, EEVC WG17 and consumer tests (recalled)",
        rows=tuple(rows),
        tables=(Table("impactors", "Impactors on the ready fronts", headings, tuple(cells)),),
        figures={"impactors": partial(_draw, cells)},
        notes=(
            "Adult headform 4.5 kg, 40 km/h, 65 degrees to the ground; child headform 3.5 kg, 35 km/h, 50 degrees. "
            "They aim at 3/4 (child 0.3) of the bonnet and at the middle of the windscreen, on the middle line and on "
            "the side strips.",
            "Legform 13.4 kg at 40 km/h, 25 mm above the ground, as in `legform-bumper`. Upper legform 10.5 kg at "
            "9 m/s, 25 degrees downwards, at the leading edge; 9.5 kg at 40 km/h, level, at the bumper.",
            "Fronts are estimates of a class. A row inside its range says that the front could be a car of that class, "
            "not that it is one.",
        ),
    )


class Found(NamedTuple):
    """Results of the tests of a front, in the order of the table."""

    child: float
    adult: float
    stroke: float
    wing: float
    screen: float
    pillar: float
    knee: float
    tibia: float
    edge: float
    bumper: float


def _tests(name: str) -> Found:
    """Return the results of all tests of a front."""
    car = front(name)
    adult, stroke = headform(car, ADULT, "bonnet", 0.75)
    knee, tibia = legform(name)
    return Found(
        headform(car, CHILD, "bonnet", 0.3)[0],
        adult,
        1e3 * stroke,
        headform(car, ADULT, "bonnet", 0.75, car.sides)[0],
        headform(car, ADULT, "windscreen", 0.5)[0],
        headform(car, ADULT, "windscreen", 0.5, car.sides)[0],
        knee,
        tibia,
        upper_legform(car, "bonnet", ON_EDGE, EDGE_SPEED, EDGE_ANGLE),
        upper_legform(car, "bumper", HIGH_BUMPER, 40.0 / 3.6, 0.0),
    )


def _rows(name: str, found: Found) -> list[Validated]:
    high = name in ("suv", "van")
    rows = [
        Validated(f"{name}: child headform on the bonnet, HIC15", 500.0, 2000.0, found.child, source=_OICA),
        Validated(f"{name}: adult headform on the bonnet, HIC15", 500.0, 1700.0, found.adult, source=_GTR),
        Validated(f"{name}: adult headform on the bonnet, stroke at that HIC", 55.0, 85.0, found.stroke, "mm",
                  source=_BAST),
        Validated(f"{name}: adult headform on the wing flange, HIC15", 1000.0, 3000.0, found.wing, source=_WORST),
        Validated(f"{name}: adult headform on the windscreen, HIC15", -inf, 500.0, found.screen, source=_MIZUNO),
        Validated(f"{name}: adult headform on the A-pillar, HIC15", 2000.0, inf, found.pillar, source=_WORST),
    ]  # fmt: skip
    low, most, source = (30.9, 33.5, _HIGH) if high else (10.0, 35.0, _CARS)
    least, shock, origin = (155.7, 226.6, _HIGH) if high else (100.0, 300.0, _CARS)
    rows += [
        Validated(f"{name}: legform on the bumper, knee angle", low, most, found.knee, "deg", source=source),
        Validated(f"{name}: legform on the bumper, tibia acceleration", least, shock, found.tibia, "g", source=origin),
        Validated(f"{name}: upper legform on the leading edge, force", 4e3, 1e4, found.edge, "N", source=_CARS),
    ]
    if high:
        rows.append(
            Validated(f"{name}: upper legform on the bumper, force", 6320.0, 13110.0, found.bumper, "N", source=_HIGH)
        )
    return rows


def _draw(cells: list[tuple[str, ...]]) -> Figure:
    """Draw HIC15 of the headforms by front and place, and the legform's knee angle over its tibia acceleration."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9.0, 3.8), layout="constrained")
    heads = figure.add_subplot(1, 2, 1, ylabel="HIC15 [-]", yscale="log")
    legs = figure.add_subplot(1, 2, 2, xlabel="tibia acceleration [g]", ylabel="knee angle [deg]")
    places = {"child\nbonnet": 1, "adult\nbonnet": 2, "wing": 4, "windscreen": 5, "A-pillar": 6}
    for number, row in enumerate(cells):
        values = [float(row[column]) for column in places.values()]
        heads.bar(np.arange(len(places)) + 0.2 * (number - 1.5), values, 0.2, label=row[0])
        legs.plot(float(row[8]), float(row[7]), "o", label=row[0])
    heads.set_xticks(range(len(places)), list(places), fontsize=7)
    heads.axhline(1000.0, color="#888888", linewidth=0.8)
    legs.plot([226.6, 199.9, 155.7], [32.5, 33.5, 30.9], "kx", label="SUVs, OICA 2006")
    legs.axhline(19.0, color="#888888", linewidth=0.8)
    legs.axvline(170.0, color="#888888", linewidth=0.8)
    for axes in (heads, legs):
        axes.legend(frameon=False, fontsize=8)
    return figure


# --- tests


def headform(car: Front, kind: Headform, part: str, share: float, lateral: float = 0.0) -> tuple[float, float]:
    """Return HIC15 and stroke [m] of a headform.

    part, share  where it aims: the part, and the share of the part from its front to its rear
    lateral      of the aim, from the middle of the front [m]
    """
    place, normal = _aim(car, part, share)
    x, z = place + (RADIUS + ABOVE) * normal
    velocity = [-kind.speed * cos(kind.angle), 0.0, -kind.speed * sin(kind.angle)]
    recording = (
        Scenario.load(
            "headform-bonnet",
            {
                "vehicle.front": car.table(),
                "body.head.mass": kind.mass,
                "body.head.start.position": [float(x), lateral, float(z)],
                "body.head.start.velocity": velocity,
            },
        )
        .run()
        .recording
    )
    pulse = np.linalg.norm(recording.sensor_acceleration[:, 0], axis=1) / STANDARD_GRAVITY
    usable = np.isfinite(pulse)
    depth = (recording.position[:, recording.bodies.index("head")][:, ::2] - place) @ normal - RADIUS
    return hic(recording.time[usable], pulse[usable], 0.015).value, float(-depth.min())


def legform(name: str) -> tuple[float, float]:
    """Return the largest knee angle [deg] and tibia acceleration [g] of the legform against the bumper of a front."""
    return _of_legform(Scenario.load("legform-bumper", {"vehicle.front": name}).run().recording)


def upper_legform(car: Front, part: str, mass: float, speed: float, angle: float) -> float:
    """Return the largest force [N] on an upper legform that flies an angle [rad] downwards at the start of a part."""
    x, z = car.profile[car.parts.index(part)]
    if part == "bumper":
        corners = [corner for k, corner in enumerate(car.profile) if "bumper" in car.parts[max(k - 1, 0) : k + 1]]
        x, z = 0.0, 0.5 * (corners[-1][1] + min(h for depth, h in corners if depth == 0.0))
    way = np.array([-cos(angle), 0.0, -sin(angle)])
    start = np.array([x, 0.0, z]) - AWAY * way
    changes: dict[str, Any] = {
        "vehicle.front": car.table(),
        "body.guide.mass": mass,
        "body.guide.shapes.rotation": [0.0, -angle, 0.0],
        "joint.rail.point_parent": start.tolist(),
        "joint.rail.axis": way.tolist(),
        "joint.rail.start.rates": speed,
        "solver.duration": 0.1,
    }
    recording = Scenario.load("upper-legform-leading-edge", changes).run().recording
    return mass * STANDARD_GRAVITY * _filtered(recording, 0)


def certified() -> tuple[float, float]:
    """Return knee angle [deg] and tibia acceleration [g] of the legform in its certification.

    A guided ram of 9 kg with a flat face strikes the hanging legform with 7.5 m/s, 50 mm below its knee.
    """
    data = copy.deepcopy(Scenario.load("legform-bumper").data)
    del data["vehicle"]
    tibia = data["body"][0]
    tibia["start"]["velocity"] = [0.0, 0.0, 0.0]
    knee = tibia["start"]["position"][2] + data["joint"][0]["point_parent"][2]
    ram = {"kind": "box", "size": [0.1, 0.1, RAM_HEIGHT]}
    data["body"].append({"name": "ram", "mass": RAM_MASS, "inertia": [0.1, 0.1, 0.1], "shapes": ram})
    data["joint"].append(
        {
            "name": "guide",
            "type": "prismatic",
            "child": "ram",
            "axis": [1, 0, 0],
            "point_parent": [-0.121, 0.0, knee - RAM_BELOW],
            "start": {"rates": RAM_SPEED},
        }
    )
    data["contact"] = [{"name": "blow", "between": [["ram"], ["tibia", "femur"]], "contact": {"restitution": 0.1}}]
    return _of_legform(Scenario(data).run().recording)


def _of_legform(recording: Recording) -> tuple[float, float]:
    knee = np.degrees(recording.joint_rotation[:, recording.joints.index("knee")])
    return float(np.nanmax(np.abs(knee))), _filtered(recording, recording.sensors.index("tibia"))


def _filtered(recording: Recording, sensor: int) -> float:
    """Return the largest filtered acceleration of a sensor [g]."""
    samples = recording.sensor_acceleration[:, sensor]
    usable = np.isfinite(samples).all(axis=1)
    filtered = cfc(recording.time[usable], samples[usable], CFC)
    return float(np.linalg.norm(filtered, axis=1).max() / STANDARD_GRAVITY)


def _aim(car: Front, part: str, share: float) -> tuple[np.ndarray, np.ndarray]:
    """Return a point (x, z) [m] of a part and the normal of the front there."""
    k = car.parts.index(part)
    (x0, z0), (x1, z1) = car.profile[k], car.profile[k + 1]
    length = hypot(x1 - x0, z1 - z0)
    normal = np.array([z1 - z0, x0 - x1]) / length
    return np.array([x0 + share * (x1 - x0), z0 + share * (z1 - z0)]), normal
