"""Long bones of people as flexible bodies: a tube between the joints of a segment, which carries all of its mass.

The tube is clamped to the frame of the segment at the inner joint. Its modes are those of craig1968 with the outer
joint as interface, ordered by frequency. The mass of the segment rides on stations at the points of a Gauss-Radau rule
along the bone, with weights that keep mass, centre and inertia of the segment.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import inf

import numpy as np
import scipy.linalg as la

from .. import data
from ..errors import InputError, nearest
from ..model import mode_choice
from ..model.body import Bend, Station, Tube
from ..model.flexible import BONES, MASS, NEAR, Place, flexed
from ..model.fracture import breakable, is_piece
from ..model.system import System
from .body import modal_damping
from .cross_section import Material, tube
from .modes import Modes, craig_bampton, enough
from .structure import Structure, beam, straight

ELEMENTS = 16  # of a bone
STATIONS = 5  # that carry the mass of a segment
GRID = 33  # places along a bone where its surface may ride
FIXED = 4  # eigenmodes with both ends held, from which and the six static shapes the modes are made


@dataclass(frozen=True)
class Shaft:
    """A bone of a segment: its tube, and where it is in the frame of the segment.

    start, end  (3,) [m]
    """

    tube: Tube
    start: np.ndarray
    end: np.ndarray

    @property
    def length(self) -> float:
        """Return its length [m]."""
        return float(np.linalg.norm(self.end - self.start))

    @cached_property
    def axes(self) -> np.ndarray:
        """Return the axes of the bone as columns (3, 3): x along it, the others across."""
        x = (self.end - self.start) / self.length
        y = np.cross(x, (1.0, 0.0, 0.0) if abs(x[0]) < 0.9 else (0.0, 1.0, 0.0))
        y /= np.linalg.norm(y)
        return np.column_stack([x, y, np.cross(x, y)])


def segments(words: Sequence[str], known: Sequence[str]) -> list[str]:
    """Return the segments that the words name: "shank" is both, "left_shank" one."""
    accepted = [*BONES, *(f"{side}_{bone}" for bone in BONES for side in ("left", "right"))]
    found: dict[str, None] = {}
    for word in words:
        if word not in accepted:
            raise InputError(
                f"there is no long bone {word!r}; accepted: {', '.join(accepted)}.{nearest(word, accepted)}"
            )
        sides = [word] if word not in BONES else [f"left_{word}", f"right_{word}"]
        sides = [side for side in sides if side in known] or ([word] if word in known else [])
        if not sides:
            raise InputError(f"this person has no segment {word!r}; it has {', '.join(known)}.")
        found |= dict.fromkeys(sides)
    return list(found)


def bent(
    system: System, people: dict[str, Sequence[str]], modes: mode_choice.Modes = 6, stiffness: float = 1.0
) -> System:
    """Return the system in which long bones of people, and bodies with a tube, bend.

    people     bones by name of the person: {"human": ["shank"]}
    modes      of each bone (`model.mode_choice`)
    stiffness  factor on Young's modulus [-], for limits and studies
    """
    for person in system.roster.people:
        for role in segments(people.get(person.name, ()), tuple(person.segments)):
            name = person.segments[role]
            if system.body(name).tube is None:  # else it may break, and both pieces bend
                system = bend(system, name, of_segment(system, name, role, stiffness), modes)
    for body in system.bodies:
        if body.tube is not None and body.bend is None:
            start, end = _line(system, body.name)
            system = bend(system, body.name, Shaft(body.tube, start, end), body.tube.modes)
    entries = []
    for person in system.roster.people:
        rides = (body.name for body in system.bodies if isinstance(body, Station) and body.owner in person.bodies)
        entries.append(replace(person, links=tuple(dict.fromkeys((*person.links, *rides)))))
    return system.replace(roster=replace(system.roster, people=tuple(entries)))


def breaking(
    system: System,
    people: Sequence[str],
    bends: dict[str, Sequence[str]],
    modes: mode_choice.Modes = 6,
    section: float = 0.5,
) -> System:
    """Return the system in which the long bones of people may break, and those of bodies whose tube has a fall.

    people  names of people
    bends   bones that bend, by name of the person
    modes   of each piece of these bones
    section  share of the length of the bones of people at which they break [-]
    """
    for person in system.roster.people:
        if person.name not in people:
            continue
        flexible = segments(bends.get(person.name, ()), tuple(person.segments))
        for role in segments(BONES, tuple(person.segments)):
            name = person.segments[role]
            shaft = of_segment(system, name, role, breaks=True)
            both = 1.0 if role.startswith(("left_", "right_")) else 2.0  # limbs of a planar person are lumped
            tube, young, failure = shaft.tube, both * shaft.tube.young, both * shaft.tube.failure
            shaft = replace(shaft, tube=replace(tube, section=section, young=young, failure=failure))
            if role in flexible:
                changed = (
                    replace(b, tube=replace(shaft.tube, modes=modes)) if b.name == name else b for b in system.bodies
                )
                system = system.replace(bodies=tuple(changed))
            system = _broken(system, name, shaft)
    for body in system.bodies:
        if body.tube is not None and body.tube.breaks:
            system = _broken(system, body.name, Shaft(body.tube, *_line(system, body.name)))
    return system


def _broken(system: System, name: str, shaft: Shaft) -> System:
    tube = system.body(name).tube or shaft.tube
    damping = _value("bone", "damping") if tube.damping is None else tube.damping
    return breakable(system, name, tube, (shaft.start, shaft.end), damping)


def bend(system: System, name: str, shaft: Shaft, modes: mode_choice.Modes = 6) -> System:
    """Return the system in which the bone of one body bends."""
    body = system.body(name)
    masses, points = _lumps(shaft, body.mass, body.inertia)
    structure = _structure(shaft, masses, points)
    shapes = chosen(structure, modes, piece=is_piece(system, name))
    stations = [f"{MASS}{round(100 * share)}" for share in _shares(shaft, points)]
    left = body.inertia - sum(_inertia(m, p) for m, p in zip(masses, points, strict=True))
    places = [
        Place(label, point, _shape(shaft, structure, shapes, point), m, m / body.mass * left)
        for label, m, point in zip(stations, masses, points, strict=True)
    ]
    for joint in system.joints:
        point = np.array(joint.point_parent)
        if joint.parent == name and np.linalg.norm(points - point, axis=1).min() > NEAR:  # else a mass is there
            places.append(Place(joint.name, point, _shape(shaft, structure, shapes, point)))
    for label, point in _attached(system, name):
        places.append(Place(label, point, _shape(shaft, structure, shapes, point)))
    places.append(Place("surface", np.zeros(3), _shape(shaft, structure, shapes, np.zeros(3))))
    rows = shapes.shapes.T @ (structure.stiffness @ shapes.shapes)
    mass = sum(p.mass * p.shape[:, 3:] @ p.shape[:, 3:].T for p in places)
    mass += sum(p.shape[:, :3] @ p.inertia @ p.shape[:, :3].T for p in places if p.inertia is not None)
    bending = Bend(
        rows,
        modal_damping(mass, rows, _value("bone", "damping") if shaft.tube.damping is None else shaft.tube.damping),
        surface="surface",
        line=(_vector(shaft.start), _vector(shaft.end)),
        along=np.array([_shape(shaft, structure, shapes, np.zeros(3), s) for s in np.linspace(0.0, 1.0, GRID)]),
        frequency=np.sqrt(la.eigh(rows, mass, eigvals_only=True)) / (2.0 * np.pi),
        tube=shaft.tube,
    )
    return flexed(system, name, bending, places)


def of_segment(system: System, name: str, role: str, stiffness: float = 1.0, *, breaks: bool = False) -> Shaft:
    """Return the bone of a segment: from its inner to its outer joint, its radii those of a bone of that length.

    stiffness  factor on Young's modulus [-]
    breaks     whether it becomes a hinge at the failure moment
    """
    bone = role.removeprefix("left_").removeprefix("right_")
    start, end = _line(system, name)
    size = float(np.linalg.norm(end - start)) / _value(bone, "length")
    found = Tube(
        outer=size * _value(bone, "outer_radius"),
        inner=size * _value(bone, "inner_radius"),
        young=stiffness * _value("bone", "young"),
        poisson=_value("bone", "poisson"),
        failure=size**3 * _value(bone, "failure_moment"),
        spread=size**3 * _value(bone, "failure_spread"),
        fall=_value("bone", "fall") if breaks else inf,
        least=_value("bone", "least"),
    )
    return Shaft(found, start, end)


def beam_of(system: System, name: str) -> Structure:
    """Return the beam of a bone that bends, along x from its inner joint."""
    body = system.body(name)
    if body.bend is None or body.bend.tube is None:
        bent_ones = ", ".join(b.name for b in system.bodies if b.bend is not None) or "none"
        raise InputError(f"body {name!r} has no bone that bends; those that do: {bent_ones}.{nearest(name, bent_ones)}")
    start, end = (np.array(point) for point in body.bend.line)
    mass = sum(b.mass for b in system.bodies if isinstance(b, Station) and b.owner == name)
    return shaft_beam(Shaft(body.bend.tube, start, end), mass, body.bend.inertia)


def shaft_beam(shaft: Shaft, mass: float, inertia: np.ndarray) -> Structure:
    """Return the beam along x of a bone with the mass [kg] and inertia (3, 3) [kg m2] of its segment."""
    return _structure(shaft, *_lumps(shaft, mass, inertia))


def chosen(structure: Structure, choice: mode_choice.Modes, *, piece: bool = False) -> Modes:
    """Return modes of the beam of a bone, the lowest first (`model.mode_choice`)."""
    pool, numbers = choosing(structure, choice, piece=piece)
    return pool.only([k - 1 for k in numbers])


def choosing(structure: Structure, choice: mode_choice.Modes, *, piece: bool = False) -> tuple[Modes, list[int]]:
    """Return the modes of the beam of a bone from which a choice is made, and the numbers from 1 of the chosen ones.

    piece  of a bone that may break: at least six modes have all static shapes. The other piece bends it by a moment at
           its end, of which the six lowest leave out 22 % of the energy
    """
    if piece and isinstance(choice, int) and choice >= 6:
        pool = _aligned(structure, craig_bampton(structure, [ELEMENTS], count=choice - 6, clamped=[0]))
        return pool, list(range(1, pool.count + 1))
    if not isinstance(choice, str):
        numbers = list(range(1, choice + 1)) if isinstance(choice, int) else sorted(choice)
        return _pool(structure, max(numbers)), numbers
    kind, value = mode_choice.limit(choice)
    pool = _pool(structure, mode_choice.MOST)
    if kind == "error":
        return pool, list(range(1, enough(structure, pool, middle_load(structure), value).count + 1))
    count = int(np.searchsorted(pool.frequency, value))
    if not count:
        raise InputError(f"no mode of the bone is below {value:g} Hz; the lowest has {pool.frequency[0]:.4g} Hz.")
    return pool, list(range(1, count + 1))


def middle_load(structure: Structure) -> np.ndarray:
    """Return the load (N,) of a unit force on the middle of a beam that rests on its ends, across it in both planes."""
    last = len(structure.nodes) - 1
    return structure.load(last // 2, (0.0, 1.0, 1.0)) + structure.load(last, (0.0, -0.5, -0.5))


def _pool(structure: Structure, count: int) -> Modes:
    """Return at least so many modes: those of six static shapes of the outer joint and of held eigenmodes."""
    return _aligned(structure, craig_bampton(structure, [ELEMENTS], count=max(FIXED, count - 6), clamped=[0]))


def _aligned(structure: Structure, modes: Modes) -> Modes:
    """Return the modes with every pair of equal frequency turned into the planes xy and xz.

    A round section bends alike in all planes, so the planes of a pair are arbitrary. A number of modes that cuts a pair
    must not couple the two planes.
    """
    shapes, across = modes.shapes.copy(), structure.dofs[:, 1]
    equal = np.flatnonzero(np.diff(modes.frequency) < 1e-6 * modes.frequency[1:])
    for k in equal:
        _, _, turn = np.linalg.svd(shapes[across, k : k + 2])
        shapes[:, k : k + 2] = shapes[:, k : k + 2] @ turn.T
    return replace(modes, shapes=shapes)


def _line(system: System, name: str) -> tuple[np.ndarray, np.ndarray]:
    """Return the inner joint of a body and its farthest other joint, loops included, in its frame (3,) [m]."""
    start = np.array(system.joint_of(name).point_child)
    ends = [np.array(joint.point_parent) for joint in system.joints if joint.parent == name]
    ends += [np.array(loop.point_parent) for loop in system.loops if loop.parent == name]
    ends += [np.array(loop.point_child) for loop in system.loops if loop.child == name]
    end = max(ends, key=lambda point: float(np.linalg.norm(point - start)), default=-start)
    length = float(np.linalg.norm(end - start))
    if length < 0.01:
        raise InputError(f"segment {name!r} is {length:.3g} m long between its joints; a bone that bends needs 0.01 m.")
    return start, end


def _attached(system: System, name: str) -> list[tuple[str, np.ndarray]]:
    """Return label and point (3,) [m] of every place of a muscle on a body."""
    return [
        (f"{muscle.name}{k}", np.array(place.point))
        for muscle in system.muscles
        for k, place in enumerate(muscle.path)
        if place.body == name and place.point is not None
    ]


def _value(bone: str, quantity: str) -> float:
    return data.values("bone")[bone][quantity]


def _vector(point: np.ndarray) -> tuple[float, float, float]:
    return float(point[0]), float(point[1]), float(point[2])


def _shares(shaft: Shaft, points: np.ndarray) -> np.ndarray:
    """Return where along the bone points are [-]: 0 at its start, 1 at its end."""
    line = shaft.end - shaft.start
    found: np.ndarray = (points - shaft.start) @ line / (line @ line)
    return found


def _inertia(mass: float, point: np.ndarray) -> np.ndarray:
    found: np.ndarray = mass * (point @ point * np.eye(3) - np.outer(point, point))
    return found


def _lumps(shaft: Shaft, mass: float, inertia: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return masses (k,) [kg] and points (k, 3) [m] of the stations of a segment, whose centre is the origin.

    The density along the bone is a polynomial of second degree that keeps mass, centre and inertia across the axis;
    where that would need negative masses, less of the inertia comes from the distribution and more from each station.
    Mass that is gathered more closely round its centre than such a polynomial can has the exponential of one.
    """
    nodes, weights = radau(STATIONS)
    line = shaft.end - shaft.start
    centre = float(-shaft.start @ line / (line @ line))
    axis = shaft.axes[:, 0]
    about = float(axis @ inertia @ axis)
    slender = max(0.5 * (float(np.trace(inertia)) - about) - 0.5 * about, 0.0) / (mass * shaft.length**2)
    powers = nodes[None, :] ** np.arange(3)[:, None]
    for share in np.linspace(1.0, 0.0, 41):
        wanted = mass * np.array([1.0, centre, centre**2 + share * slender])
        masses = weights * (np.linalg.solve((powers * weights) @ powers.T, wanted) @ powers)
        if masses.min() > 0.0:
            break
    else:
        masses = _gathered(powers, weights, mass * np.array([1.0, centre, centre**2 + slender]))
    if masses.min() > 0.0:
        points = shaft.start + nodes[:, None] * line
        return masses, points - masses @ points / mass
    raise InputError(
        f"a segment cannot spread its mass along its bone: its centre is at {100 * centre:.0f} % of the bone, and its "
        f"radius of gyration across it {100 * slender**0.5:.0f} % of the length; accepted: a centre between the joints "
        "and a radius of gyration of more than about 10 %. Leave this bone rigid."
    )


def _gathered(powers: np.ndarray, weights: np.ndarray, wanted: np.ndarray) -> np.ndarray:
    """Return masses (k,) [kg] with three wanted moments that follow the exponential of a polynomial; 0 if none do."""
    factors = np.array([np.log(wanted[0]), 0.0, 0.0])
    for _ in range(200):  # Newton's method, damped
        masses: np.ndarray = weights * np.exp(factors @ powers)
        missing = wanted - powers @ masses
        if abs(missing).max() <= 1e-14 * wanted[0]:
            return masses
        step = np.linalg.lstsq((powers * masses) @ powers.T, missing, rcond=None)[0]
        factors += step / max(1.0, float(abs(step).max()))
        if abs(factors).max() > 500.0:
            break
    return np.zeros(len(weights))


def radau(count: int) -> tuple[np.ndarray, np.ndarray]:
    """Return points and weights of the Gauss-Radau rule on 0 to 1 with a point at 1; exact to degree 2 count - 2."""
    legendre = np.polynomial.legendre
    both = np.zeros(count + 1)
    both[count - 1 :] = 1.0
    x = np.sort(legendre.legroots(both).real)
    x[0] = -1.0
    before = np.zeros(count)
    before[-1] = 1.0
    weights = (1.0 - x) / (count * legendre.legval(x, before)) ** 2
    weights[0] = 2.0 / count**2
    return 0.5 * (1.0 - x)[::-1], 0.5 * weights[::-1]


def _structure(shaft: Shaft, masses: np.ndarray, points: np.ndarray) -> Structure:
    """Return the beam of a bone along x, with the mass of the segment as its line mass."""
    nodes, weights = radau(STATIONS)
    material = Material(shaft.tube.young, shaft.tube.poisson, 1900.0)
    middle = (np.arange(ELEMENTS) + 0.5) / ELEMENTS
    density = np.polyval(np.polyfit(nodes, masses / weights, 2), middle) / shaft.length
    return beam(
        straight(shaft.length, ELEMENTS),
        tube(shaft.tube.outer, shaft.tube.inner, material.poisson),
        material,
        line_mass=np.maximum(density, 0.05 * density.mean()).tolist(),
    )


def _shape(
    shaft: Shaft, structure: Structure, modes: Modes, point: np.ndarray, share: float | None = None
) -> np.ndarray:
    """Return rotation vector and displacement by mode (n, 6) of a point that is tied to the bone, frame of the segment.

    share  where along the bone it is tied [-]; at its own height unless given
    """
    place = float(np.clip(_shares(shaft, point) if share is None else share, 0.0, 1.0))
    number = min(int(place * ELEMENTS), ELEMENTS - 1)
    value, _ = structure.elements[number].interpolation(place * ELEMENTS - number)  # its axes are those of the beam
    along = value @ modes.shapes[structure.dofs[number : number + 2].ravel()]
    moved, turned = shaft.axes @ along[:3], shaft.axes @ along[3:]
    lever = point - shaft.start - place * (shaft.end - shaft.start)
    return np.hstack([turned.T, (moved + np.cross(turned.T, lever).T).T])
