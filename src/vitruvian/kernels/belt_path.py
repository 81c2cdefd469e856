"""The path of webbing in one state: anchors, rings, and geodesics of the ellipsoids that it lies on.

On a pelvis the webbing passes two fixed points, the notches below the iliac spines: bone and thighs hold it there
whichever way the pelvis pitches. On any other segment it passes a guide, a point of the ellipsoid that friction across
the webbing holds (memory). The geodesic from the guide to the tangent belongs to the section on that side, so the
length of a section changes exactly by the motion of the two points at which its free span leaves the bodies.
"""

from math import acos, exp

from .._jit import inner
from . import geodesic, mat3, vec3
from .layout import belt, body, strand, waypoint, web
from .point_load import straight
from .vec3 import add, dot, scale, sub

SWEEPS = 50  # most turns of the geodesics of neighbouring segments
SETTLED = 1e-9  # change of a point at which they end [m]


@inner
def touches(model, memory, p):
    """Return whether the webbing is at waypoint p: anchors and rings always [-]."""
    return model.waypoint_kind[p, waypoint.OVER] == waypoint.POINTED or memory[p, web.ON] > 0.0


@inner
def frame(model, bodies, p):
    """Return the place [m] of waypoint p in the world, and the rotation matrix of its ellipsoid [-]."""
    i = model.waypoint_kind[p, waypoint.BODY]
    rotation = mat3.load(bodies, i, body.ROTATION)
    place = add(vec3.load(bodies, i, body.POSITION), mat3.dot(rotation, vec3.load(model.waypoint, p, waypoint.POINT)))
    return place, mat3.product(rotation, mat3.load(model.waypoint, p, waypoint.TURN))


@inner
def place(model, work, b):
    """Fill the points [m], arcs [m] and angles [rad] of belt b."""
    first = model.belt_kind[b, belt.FIRST]
    last = first + model.belt_kind[b, belt.POINTS] - 1
    row, memory, neighbours, before = work.strand, work.web, False, first
    for p in range(first, last + 1):
        row[p, strand.NEXT], row[p, strand.FOUND] = -1.0, 1.0
        for k in range(strand.ARC_BEFORE, strand.FOUND):
            row[p, k] = 0.0
        if not touches(model, memory, p):
            continue
        at, turn = frame(model, work.body, p)
        entry, leave = at, at
        if model.waypoint_kind[p, waypoint.OVER] != waypoint.POINTED:
            entry = add(at, mat3.dot(turn, vec3.load(memory, p, web.ENTRY)))
            leave = add(at, mat3.dot(turn, vec3.load(memory, p, web.EXIT)))
            row[p, strand.ARC_BEFORE], row[p, strand.ARC_AFTER] = memory[p, web.ARC_BEFORE], memory[p, web.ARC_AFTER]
            vec3.store(row, p, strand.LOCAL_ENTRY, vec3.load(memory, p, web.ENTRY))
            vec3.store(row, p, strand.LOCAL_EXIT, vec3.load(memory, p, web.EXIT))
            neighbours = neighbours or model.waypoint_kind[before, waypoint.OVER] == waypoint.ROUND
        vec3.store(row, p, strand.ENTRY, entry)
        vec3.store(row, p, strand.EXIT, leave)
        if p > first:
            row[before, strand.NEXT] = p
        before = p
    for _ in range(SWEEPS):
        change, before = 0.0, first
        for p in range(first + 1, last):
            if touches(model, memory, p):
                if model.waypoint_kind[p, waypoint.OVER] == waypoint.ROUND:
                    change = max(change, _lie(model, work, p, before, int(row[p, strand.NEXT])))
                before = p
        if not neighbours or change < SETTLED:
            break


@inner
def _lie(model, work, p, before, after):
    """Lay the webbing over the ellipsoid of waypoint p; how far its ends moved [m]."""
    row = work.strand
    at, turn = frame(model, work.body, p)
    axes, guide = vec3.load(model.waypoint, p, waypoint.AXES), vec3.load(work.web, p, web.GUIDE)
    change, found = 0.0, True
    for side in range(2):
        world = vec3.load(row, before, strand.EXIT) if side == 0 else vec3.load(row, after, strand.ENTRY)
        local = mat3.transposed_dot(turn, sub(world, at))
        column = strand.LOCAL_ENTRY if side == 0 else strand.LOCAL_EXIT
        ok, touch, _, arc, angle, way, spread = geodesic.reach(
            axes, local, guide, vec3.load(row, p, column), row[p, strand.ARC_BEFORE + side]
        )
        if not ok:
            touch, arc, angle, way = guide, 0.0, 0.0, vec3.unit(sub(guide, local))
            found = False
        vec3.store(row, p, column, touch)
        vec3.store(row, p, strand.ARRIVAL + 3 * side, way if side == 0 else scale(-1.0, way))
        row[p, strand.ARC_BEFORE + side], row[p, strand.ANGLE_BEFORE + side] = arc, angle
        row[p, strand.TURN_BEFORE + side] = spread
        place_now = add(at, mat3.dot(turn, touch))
        column = strand.ENTRY if side == 0 else strand.EXIT
        change = max(change, vec3.norm(sub(place_now, vec3.load(row, p, column))))
        vec3.store(row, p, column, place_now)
    row[p, strand.FOUND] = 1.0 if found else 0.0
    return change


@inner
def measure(model, work, b):
    """Find length [m] and rate [m/s] of every section of belt b, and how much tension may differ across waypoints."""
    first = model.belt_kind[b, belt.FIRST]
    row, before, p = work.strand, -1, first
    while row[p, strand.NEXT] >= 0.0:
        q = int(row[p, strand.NEXT])
        way, span, row[p, strand.RATE] = straight(
            work.body, model.waypoint_kind[p, waypoint.BODY], vec3.load(row, p, strand.EXIT),
            model.waypoint_kind[q, waypoint.BODY], vec3.load(row, q, strand.ENTRY),
        )  # fmt: skip
        vec3.store(row, p, strand.WAY, way)
        row[p, strand.LENGTH] = span + row[p, strand.ARC_AFTER] + row[q, strand.ARC_BEFORE]
        angle = row[p, strand.ANGLE_BEFORE] + row[p, strand.ANGLE_AFTER]
        if before >= 0 and model.waypoint_kind[p, waypoint.OVER] != waypoint.ROUND:
            angle = acos(max(-1.0, min(1.0, dot(way, vec3.load(row, before, strand.WAY)))))
        row[p, strand.RATIO] = exp(model.waypoint[p, waypoint.FRICTION] * angle)
        before, p = p, q


@inner
def node(model, work, p, k):
    """Return entry (0), guide (1) or exit (2) of the webbing at waypoint p, for drawing [m].

    Where the webbing passes a segment without touching it, it is the exit of the last waypoint before it.
    """
    while not touches(model, work.web, p):
        p, k = p - 1, 2
    if k == 1 and model.waypoint_kind[p, waypoint.OVER] != waypoint.POINTED:
        at, turn = frame(model, work.body, p)
        return add(at, mat3.dot(turn, vec3.load(work.web, p, web.GUIDE)))
    return vec3.load(work.strand, p, strand.ENTRY if k == 0 else strand.EXIT)
