"""Refusal of people who start deep inside each other, a surface or a body that they may touch. SI units."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..errors import InputError
from ..kernels import integrate, layout
from ..model.compile import Compiled, make_work

if TYPE_CHECKING:
    from ..kernels.types import State

DEEPEST = 0.05  # depth of a segment that is still taken for a touch [m]


def refuse_starts(compiled: Compiled, state: State, seats: frozenset[str]) -> None:
    """Refuse a person of whom a segment starts more than 5 cm inside anything that it may touch.

    The depth is the one that the first step of the run sees, so it holds for every shape: planes, fronts of vehicles,
    boxes, meshes, other bodies and other people.

    seats  surfaces of seats, into whose cushions people are settled
    """
    owner = {body: person.name for person in compiled.system.roster.people for body in person.bodies}
    if not owner:
        return
    work = make_work(compiled)
    integrate.begin(compiled.model, work, state.now.q, state.now.v, float(state.clock[layout.clock.TIME]))
    depth = work.pair[:, layout.pair.DEPTH]
    for pair in np.argsort(-depth, kind="stable"):
        if not depth[pair] > DEEPEST:
            return
        one, other = compiled.pairs[pair]
        if one not in owner:
            one, other = other, one
        if one in owner and owner[one] != owner.get(other) and other.split(".")[0] not in seats:
            raise InputError(_refusal(one, other, float(depth[pair]), owner))


def _refusal(one: str, other: str, depth: float, owner: dict[str, str]) -> str:
    """Return why a start is refused, and what to do."""
    if other in owner:
        return (
            f"{owner[one]} and {owner[other]} overlap at the start: {one} is {1e3 * depth:.0f} mm inside {other}. Move "
            "one of them by human.start.position."
        )
    where = "human" if owner[one] == "human" else f"human.{owner[one]}"
    whole = other.split(".", maxsplit=1)[0]
    return (
        f"{where}: {one} starts {1e3 * depth:.0f} mm inside {other!r}; accepted up to {1e3 * DEEPEST:.0f} mm. Move the "
        f"person out of it by {where}.start.clearance or {where}.start.position, or move {whole!r}."
    )
