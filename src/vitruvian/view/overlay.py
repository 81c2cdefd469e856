"""Data of the viewer next to the motion: loads, shares of limits, skeleton, distances, places of rest. SI units."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from ..injury.assessment import shown_value
from ..injury.strike import wrap_around_tape
from ..sim.rest import rests
from .words import capital, spoken

if TYPE_CHECKING:
    from ..model.roster import Participant
    from ..sim.result import Result
    from .replay import Block
    from .scene import Scene

#: printed in every picture and film that a viewer exports
MODEL = "Simulation model of rigid segments: injury values are estimates for a population, not a diagnosis."
#: words in the place of a criterion -> role of the segment that is coloured by it
_REGIONS = (
    ("femur", "thigh"), ("thigh", "thigh"), ("hip", "thigh"), ("tibia", "shank"), ("knee", "shank"), ("shank", "shank"),
    ("ankle", "foot"), ("foot", "foot"), ("shoulder", "upper_arm"), ("elbow", "forearm"), ("wrist", "hand"),
    ("neck", "neck"), ("T1", "neck"), ("thoracolumbar", "thorax"), ("lumbar", "abdomen"),
)  # fmt: skip
_LEAST = 0.1  # [m], a shorter way is not drawn


def overlay(result: Result, scene: Scene, frames: np.ndarray, block: Block) -> dict[str, Any]:
    """Return the data of the viewer's tools for one result and the frames that the page holds."""
    touched = np.flatnonzero((scene.pressed > 0.0).any(axis=0))
    return {
        "raw": list(scene.bodies),
        "names": [spoken(name) for name in scene.bodies],
        "touched": touched.tolist(),
        "pressed": block.add(scene.pressed[frames][:, touched], "f4"),
        "limits": limits(result),
        "skeleton": [[body, start.tolist(), end.tolist()] for body, start, end in skeleton(scene)],
        "lines": [*_tapes(scene), *_ways(result, scene)],
        "rests": [
            {"words": f"{capital(spoken(rest.name))}: {rest.words}", "place": list(rest.place)}
            for rest in rests(result.sound)
            if rest.kind != "body"
        ],
    }


def limits(result: Result) -> dict[str, dict[str, Any]]:
    """Return body -> the criterion nearest to or farthest above its limit there, as share of the limit [-] and words.

    Criteria without a limit for this person, and those not recommended for the model, are left out.
    """
    found: dict[str, dict[str, Any]] = {}
    for finding in result.injury().findings if result.fine else ():
        body = _body(result, finding.place)
        if body is None or not finding.limit or not finding.recommended:
            continue
        share = finding.value / finding.limit
        if share > found.get(body, {"share": -1.0})["share"]:
            words = (
                f"{finding.criterion} {shown_value(finding.value, finding.unit)}, {100.0 * share:.0f} % of its limit"
            )
            found[body] = {"share": share, "words": words}
    return found


def _body(result: Result, place: str) -> str | None:
    """Return the body at the place of a criterion, or None."""
    for person in result.roster.people:
        role = place.removeprefix(person.prefix)
        if role in person.segments:
            return person.segments[role]
        side = next((f"{side}_" for side in ("left", "right") if role.startswith(f"{side}_")), "")
        for word, region in _REGIONS:
            if word in role:
                return person.segments.get(side + region) or person.segments.get(region)
    return place if place in result.recording.bodies else None


def skeleton(scene: Scene) -> Iterator[tuple[int, np.ndarray, np.ndarray]]:
    """Yield the lines of a skeleton: segment and two points in its frame [m], from its joint to the next ones."""
    from .skinning import joint_above

    bodies, geometry = scene.covered, scene.geometry
    ends: dict[int, list[np.ndarray]] = {body: [] for body in bodies}
    for body in bodies:
        above, upper, _ = joint_above(scene, body, bodies)
        if above >= 0:
            ends[above].append(upper)
    for body in bodies:
        above, _, lower = joint_above(scene, body, bodies)
        start = lower if above >= 0 else np.zeros(3)
        shape = geometry.outline(body)
        tips = ends[body] or [2.0 * np.array(one.offset) - start for one in (shape,) if one is not None]
        for tip in tips:
            yield body, start, tip


def _tapes(scene: Scene) -> Iterator[dict[str, Any]]:
    """Yield the wrap-around distance of each head on a vehicle: a tape in the frame of the vehicle."""
    vehicles = {vehicle.body: vehicle for vehicle in scene.recording.roster.vehicles if len(vehicle.profile) > 1}
    seen: set[tuple[str, int]] = set()
    for impact in scene.impacts:
        vehicle = vehicles.get(scene.bodies[impact.body])
        if vehicle is None or (impact.head, impact.body) in seen:
            continue
        seen.add((impact.head, impact.body))
        outline = np.array([(-x, z) for x, z in vehicle.profile])
        x, y, z = impact.point
        tape = wrap_around_tape(outline, (-x, z))
        length = float(np.linalg.norm(np.diff(tape, axis=0), axis=1).sum())
        points = [[-float(back), y, float(up)] for back, up in tape]
        yield {
            "words": f"wrap-around {length:.2f} m",
            "body": impact.body,
            "points": points,
            "time": impact.time,
        }


def _ways(result: Result, scene: Scene) -> Iterator[dict[str, Any]]:
    """Yield the way of each person over the ground: from the first contact with a vehicle, or from the start."""
    ground = 0.0
    if scene.ground_row is not None:
        ground = float(scene.geometry.surface_point[scene.ground_row][2])
    rest = {one.name: one for one in rests(result.sound)}
    for person in scene.recording.roster.people:
        struck = _struck(scene, person)
        first = 0 if struck is None else struck
        start, end = (_centre(scene, person, frame) for frame in (first, scene.frames - 1))
        length = float(np.hypot(*(end - start)[:2]))
        if length < _LEAST:
            continue
        still = rest[person.name].since is not None
        what = (
            "throw distance"
            if struck is not None and still
            else "way from the start"
            if struck is None
            else "way so far"
        )
        words = f"{what} {length:.2f} m" + ("" if still else ", still moving")
        points = [[*start[:2].tolist(), ground + 0.02], [*end[:2].tolist(), ground + 0.02]]
        yield {"words": words, "body": -1, "points": points, "time": float(scene.time[first])}


def _struck(scene: Scene, person: Participant) -> int | None:
    """Return the frame of the first contact of a person with a vehicle, or None."""
    roster, own = scene.recording.roster, set(person.segments.values())
    fronts = {label for vehicle in roster.vehicles for label in roster.labels(vehicle.surface)}
    times = [e.time for e in scene.recording.events if e.kind == "touch" and e.body in own and e.surface in fronts]
    return scene.frame_at(min(times)) if times else None


def _centre(scene: Scene, person: Participant, frame: int) -> np.ndarray:
    """Return the centre of mass of a person [m]."""
    rows = [scene.bodies.index(body) for body in person.bodies]
    return np.average(scene.recording.position[frame, rows], axis=0, weights=scene.geometry.body_mass[rows])
