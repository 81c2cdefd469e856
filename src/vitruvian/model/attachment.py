"""Move what is attached to a body to its parts when the body becomes several: stations, or the pieces of a bone."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from .frame import Vector

if TYPE_CHECKING:
    from .system import System

#: from a point of the body [m] to the part that carries it and the point in its frame [m]; words name a joint
Move = Callable[[Vector, str], tuple[str, Vector]]


def attached(system: System, name: str, move: Move, parts: tuple[str, ...]) -> dict[str, Any]:
    """Return the fields of the system in which joints to children, forces and sensors of a body are on its parts.

    parts  names of the new bodies
    """

    def at(body: str | None, point: Vector, what: str = "") -> tuple[str | None, Vector]:
        return move(point, what) if body == name else (body, point)

    def joint(item: Any) -> Any:
        parent, point = at(item.parent, item.point_parent, f"joint {item.name!r}")
        return replace(item, parent=parent, point_parent=point)

    def loop(item: Any) -> Any:
        item = joint(item)
        child, point = at(item.child, item.point_child, f"loop {item.name!r}")
        return replace(item, child=child, point_child=point)

    def spring(item: Any) -> Any:
        a, at_a = at(item.body_a, item.point_a)
        b, at_b = at(item.body_b, item.point_b)
        return replace(item, body_a=a, point_a=at_a, body_b=b, point_b=at_b)

    def held(item: Any) -> Any:
        body, point = at(item.body, item.point)
        return replace(item, body=body, point=point)

    def pulled(muscle: Any) -> Any:  # bodies that it wraps over stay
        return replace(muscle, path=tuple(held(place) if place.point is not None else place for place in muscle.path))

    def felt(tone: Any) -> Any:  # a person's muscles feel what touches a part
        return replace(tone, bodies=(*tone.bodies, *parts)) if name in tone.bodies else tone

    return {
        "joints": tuple(map(joint, system.joints)),
        "loops": tuple(map(loop, system.loops)),
        "springs": tuple(map(spring, system.springs)),
        "loads": tuple(item if item.kind == "moment" else held(item) for item in system.loads),  # it has no point
        "sensors": tuple(map(held, system.sensors)),
        "muscles": tuple(map(pulled, system.muscles)),
        "tones": tuple(map(felt, system.tones)),
    }
