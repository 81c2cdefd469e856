"""Are people built right? Sums and closed forms over sexes, ages and percentiles. SI units."""

from __future__ import annotations

from collections.abc import Iterator
from math import exp
from statistics import NormalDist

import numpy as np

from ... import data
from ...human import Added, Human, body_mass, human, mass_percentile, place, stature, stature_percentile
from ...human.mirror import plain_name
from ...human.proportion import STACK
from ...human.segment_size import density
from ...model import Ellipsoid, System
from ...model.pose import Pose, lowest_distance, segment_poses
from ..evidence import Check

SEXES = ("male", "female")
AGES = (2.0, 3.0, 6.0, 10.0, 14.0, 16.5, 18.0, 25.0, 50.0, 67.0, 75.0, 90.0)
PERCENTILES = (1.0, 50.0, 99.0)
BIRTHDAYS = (
    (6.0, 1.15, 21.0),
    (12.0, 1.5, 41.0),
    (15.0, 1.65, 55.0),
    (18.0, 1.7, 62.0),
    (64.0, 1.7, 75.0),
    (70.0, 1.7, 75.0),
)
DOWN, UP = (0.0, 0.0, -1.0), (0.0, 0.0, 1.0)


def statures() -> list[Check]:
    """Statures and masses are those of the sources, and a percentile comes back from its value."""
    charts, returned = 0.0, 0.0
    for what, function in (("stature", stature), ("mass", body_mass)):
        for sex, age, power, median, scatter in _charts(what):
            for percentile in (3.0, 50.0, 97.0):
                z = NormalDist().inv_cdf(percentile / 100.0)
                closed = median * ((1.0 + power * scatter * z) ** (1.0 / power) if power else exp(scatter * z))
                charts = max(charts, abs(function(sex, age, percentile) / closed - 1.0))
    for sex in SEXES:
        for age in AGES:
            for p in (2.0, 50.0, 98.0):
                back = (
                    stature_percentile(stature(sex, age, p), sex, age),
                    mass_percentile(body_mass(sex, age, p), sex, age),
                )
                returned = max(returned, *(abs(value - p) for value in back))
    return [
        Check.close("growth charts: largest relative difference from M (1 + L S z)^(1/L)", 0.0, charts, 1e-12),
        Check.close("percentile of the stature and mass of a percentile", 0.0, returned, 1e-8),
    ]


def anybody() -> list[Check]:
    """People of every age stand as tall and weigh as much as they should, and no birthday moves mass."""
    errors = dict.fromkeys(("height", "stack", "mass", "volume", "mirror"), 0.0)
    for person in _everybody():
        for name, value in _errors(person).items():
            errors[name] = max(errors[name], value)
    jump = 0.0
    for sex in SEXES:
        for age, height, mass in BIRTHDAYS:
            one, other = (human(height, mass, sex=sex, age=age + step).dimensions.masses for step in (-1e-6, 1e-6))
            jump = max(jump, *(abs(one[name] - other[name]) for name in one))
    note = f"{len(SEXES) * len(AGES) * len(PERCENTILES)} people of 2 to 90 years, percentiles 1, 50 and 99"
    return [
        Check.close("standing height over the stature, less one", 0.0, errors["height"], 1e-12, "-", note),
        Check.close("sum of the lengths over the stature, less one", 0.0, errors["stack"], 1e-12),
        Check.close("sum of the segment masses over the mass, less one", 0.0, errors["mass"], 1e-12),
        Check.close("volume x density over mass of a segment, less one", 0.0, errors["volume"], 1e-12),
        Check.close("left side against the mirror image of the right", 0.0, errors["mirror"], 1e-14, "m"),
        Check.close(
            "largest change of a segment's mass on a birthday", 0.0, jump, 1e-4, "kg", "a minute before and after"
        ),
    ]


def carried() -> list[Check]:
    """A person who carries masses has the inertia of the person and of points, about any point (parallel axes)."""
    rng = np.random.default_rng(5)
    plain = human(1.75, 70.0)
    segments = ("head", "thorax", "abdomen", "left_hand", "right_foot")
    added = [
        Added(name, float(rng.uniform(0.2, 8.0)), tuple(rng.normal(scale=0.2, size=3).tolist())) for name in segments
    ]
    loaded = human(1.75, 70.0, added=added)
    before, after = (segment_poses(person.system, place(person, "standing")) for person in (plain, loaded))
    points = [(one.mass, before[one.segment][0] + np.array(one.offset)) for one in added]
    about = rng.normal(size=3)
    apart = _inertia(plain.system, before, about) + sum(_of_point(m, p - about) for m, p in points)
    together = _inertia(loaded.system, after, about)
    return [
        Check.close(
            "mass of a person and five loads", 70.0 + sum(m for m, _ in points), loaded.system.mass, 1e-10, "kg"
        ),
        Check.close(
            "inertia about a random point: loaded segments against segments and points, relative",
            0.0,
            float(np.abs(together - apart).max() / np.abs(apart).max()),
            1e-12,
        ),
    ]


def _charts(what: str) -> Iterator[tuple[str, float, float, float, float]]:
    """Yield sex, age [years], L, M, S of every row of the growth charts."""
    rows: dict[tuple[str, float], dict[str, float]] = {}
    for row in data.table("growth"):
        if row.item == what:
            rows.setdefault((row.sex, float(row.age_group)), {})[row.quantity] = row.si
    for (sex, age), chart in rows.items():
        yield sex, age, chart["L"], chart["M"], chart["S"]


def _everybody() -> Iterator[Human]:
    for sex in SEXES:
        for age in AGES:
            for percentile in PERCENTILES:
                yield human(sex=sex, age=age, percentile=percentile)


def _errors(person: Human) -> dict[str, float]:
    """Return the errors of height, mass and volume of a person."""
    system, sized = person.system, person.dimensions
    poses = segment_poses(system, place(person, "standing"))
    tall = -lowest_distance(system, poses, (0.0, 0.0, 0.0), DOWN) - lowest_distance(system, poses, (0.0, 0.0, 0.0), UP)
    mirrored = [
        np.abs(poses[name][0] * [1.0, -1.0, 1.0] - poses[name.replace("left_", "right_")][0]).max()
        for name in poses
        if name.startswith("left_")
    ]
    masses = {name: system.body(name).mass for name in person.segments}
    for joint in system.joints:
        if joint.name.endswith("_slide") and joint.parent is not None:  # a link has a part of the mass of its segment
            masses[joint.child] += system.body(joint.parent).mass
    volumes = [
        Ellipsoid(sized.semi_axes[plain_name(name)]).volume * density(plain_name(name), person.sex) / mass
        for name, mass in masses.items()
    ]
    return {
        "height": abs(tall / person.height - 1.0),
        "stack": abs(sum(sized.length[name] for name, _ in STACK) / person.height - 1.0),
        "mass": abs(system.mass / person.mass - 1.0),
        "volume": max(abs(value - 1.0) for value in volumes),
        "mirror": float(max(mirrored)),
    }


def _inertia(system: System, poses: dict[str, Pose], about: np.ndarray) -> np.ndarray:
    """Return the inertia of a system about a point [m] in world axes [kg m2]."""
    total = np.zeros((3, 3))
    for body in system.bodies:
        position, turn = poses[body.name]
        total += turn @ body.inertia @ turn.T + _of_point(body.mass, position - about)
    return total


def _of_point(mass: float, arm: np.ndarray) -> np.ndarray:
    tensor: np.ndarray = mass * (arm @ arm * np.eye(3) - np.outer(arm, arm))
    return tensor
