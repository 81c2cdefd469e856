"""Refusal of people who start deep inside each other, a surface or a body that they may touch. SI units."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..errors import InputError
from ..kernels import integrate, layout
from ..model import Mesh
from ..model.compile import Compiled, make_work
from ..model.pose import rotation_matrix

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..kernels.types import State, Work

DEEPEST = 0.05  # depth of a segment that is still taken for a touch [m]


def refuse_starts(compiled: Compiled, state: State, seats: frozenset[str]) -> tuple[str, ...]:
    """Refuse a person of whom a segment starts more than 5 cm inside anything that it may touch.

    The depth is the one that the first step of the run sees, so it holds for every shape: planes, fronts of vehicles,
    boxes, meshes, other bodies and other people. A segment wholly inside a mesh touches none of its faces, so it has no
    depth; it is found by the solid angle of the mesh. Returns a note on each other body that starts so, because it may
    be meant, as for one that something presses in.

    seats  surfaces of seats, into whose cushions people are settled
    """
    owner = {body: person.name for person in compiled.system.roster.people for body in (*person.bodies, *person.links)}
    work = make_work(compiled)
    integrate.begin(compiled.model, work, state.now.q, state.now.v, float(state.clock[layout.clock.TIME]))
    deepest: dict[tuple[str, str], float] = {}
    for (one, other), depth in zip(compiled.pairs, work.pair[:, layout.pair.DEPTH].tolist(), strict=True):
        if depth > DEEPEST and other.split(".")[0] not in seats:
            deepest[one, other] = max(depth, deepest.get((one, other), 0.0))
    notes = []
    for one, other, depth in (
        *((*pair, deepest[pair]) for pair in sorted(deepest, key=deepest.__getitem__, reverse=True)),
        *((*pair, np.inf) for pair in _enclosed(compiled, work)),
    ):
        if one not in owner:
            one, other = other, one
        if one in owner and owner[one] != owner.get(other):
            raise InputError(_refusal(one, other, depth, owner))
        if one not in owner:
            notes.append(_note(other, one, depth))
    return tuple(notes)


def _enclosed(compiled: Compiled, work: Work) -> Iterator[tuple[str, str]]:
    """Yield each body and closed mesh that may touch, but do not because the middle of the body is inside."""
    system, body = compiled.system, layout.body
    meshes = {surface.name: surface for surface in system.surfaces if isinstance(surface, Mesh) and not surface.open}
    touching = {pair for pair, row in zip(compiled.pairs, work.pair, strict=True) if row[layout.pair.DEPTH] > 0.0}

    def pose(name: str | None) -> tuple[np.ndarray, np.ndarray]:
        row = work.body[compiled.bodies.index(name) if name is not None else len(compiled.bodies)]
        turn = rotation_matrix(row[body.ORIENTATION : body.ORIENTATION + 4])
        return row[body.POSITION : body.POSITION + 3], turn

    for one, other in dict.fromkeys(compiled.pairs):
        if other not in meshes or (one, other) in touching:
            continue
        mesh = meshes[other]
        (origin, frame), (centre, turn) = pose(mesh.carrier), pose(one)
        for shape in system.body(one).shapes:
            point = frame.T @ (centre + turn @ np.array(shape.offset) - origin) - mesh.place
            if _encloses(mesh, rotation_matrix(mesh.rotation).T @ point):
                yield one, other
                break


def _encloses(mesh: Mesh, point: np.ndarray) -> bool:
    """Return whether a point [m] is inside a closed mesh, whose faces then fill the solid angle about it."""
    if ((point < mesh.vertices.min(axis=0)) | (point > mesh.vertices.max(axis=0))).any():
        return False
    a, b, c = np.moveaxis(mesh.vertices[mesh.triangles] - point, 1, 0)
    p, q, r = (np.linalg.norm(side, axis=1) for side in (a, b, c))
    volume = np.einsum("ij,ij->i", a, np.cross(b, c))
    cosines = [np.einsum("ij,ij->i", u, v) * w for u, v, w in ((a, b, r), (b, c, p), (c, a, q))]
    return bool(2.0 * np.arctan2(volume, p * q * r + sum(cosines)).sum() > 2.0 * np.pi)


def _refusal(one: str, other: str, depth: float, owner: dict[str, str]) -> str:
    """Return why a start is refused, and what to do; an infinite depth is wholly inside."""
    if other in owner:
        return (
            f"{owner[one]} and {owner[other]} overlap at the start: {one} is {1e3 * depth:.0f} mm inside {other}. Move "
            "one of them by human.start.position."
        )
    where = "human" if owner[one] == "human" else f"human.{owner[one]}"
    whole = other.split(".", maxsplit=1)[0]
    return (
        f"{where}: {one} starts {_how(depth)} inside {other!r}; accepted up to {1e3 * DEEPEST:.0f} mm. Move the "
        f"person out of it by {where}.start.clearance or {where}.start.position, or move {whole!r}."
    )


def _note(one: str, other: str, depth: float) -> str:
    """Return what to think of a body that starts deep inside another one or a surface."""
    what = (
        "no face of it is touched from inside, so nothing stops it on its way out"
        if depth == np.inf
        else "a contact with damping that begins so deep lets go slowly, one without it throws the body out"
    )
    return f"{one} starts {_how(depth)} inside {other!r}: {what}. Start outside, unless this is meant."


def _how(depth: float) -> str:
    """Return a depth [m] in words; infinite is wholly inside."""
    return f"{1e3 * depth:.0f} mm" if depth < np.inf else "wholly"
