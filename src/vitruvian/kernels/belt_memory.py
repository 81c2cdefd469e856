"""Memory of webbing: laid at the start, updated once per accepted step. No update adds energy.

Slip and permanent elongation are those of the state that was reached. Across the webbing a segment holds its guide with
the grip times the load that presses the webbing on it; beyond that the guide slides, which shortens the path.
"""

from math import inf, sqrt

from .._jit import inner, kernel
from . import belt, belt_path, geodesic, mat3, record, table, vec3
from .layout import belt as column
from .layout import clock, event_kind, out_row, strand, waypoint, web, work_class
from .vec3 import add, axpy, cross, dot, scale, sub

SLIDE = 0.005  # most that a guide slides in a step [m]
LAY = 2000  # most slides when webbing is laid
HALVES = 5  # how often a slide that would make the path longer is halved
STILL = 1e-9  # slide at which it lies [m]
LOOSE = 50.0  # sum of tensions below which webbing stays in the notches of a pelvis [N]
EDGE = 0.1  # share of the arc that the guide keeps from its ends [-]


@kernel
def lay(model, work, slack):
    """Lay all webbing over the bodies as `work.body` has them, with so much slack [m] for each belt.

    Guides start on the given side of each segment and slide until its grip holds them.
    """
    for b in range(model.belt.shape[0]):
        first = model.belt_kind[b, column.FIRST]
        last = first + model.belt_kind[b, column.POINTS] - 1
        for p in range(first, last + 1):
            for k in range(web.COUNT):
                work.web[p, k] = 0.0
            work.web[p, web.LAID], work.web[p, web.ON], work.web[p, web.RATIO] = 1.0, 1.0, 1.0
            if model.waypoint_kind[p, waypoint.OVER] == waypoint.ROUND:
                _set_guide(model, work.web, p, vec3.load(model.waypoint, p, waypoint.SIDE))
        for p in range(first + 1, last):
            if model.waypoint_kind[p, waypoint.OVER] == waypoint.NOTCHED:
                _set_notches(model, work, p)
        for _ in range(LAY):
            belt_path.place(model, work, b)
            belt_path.measure(model, work, b)
            for p in range(first, last):
                work.strand[p, strand.ELASTIC] = 1.0
            _keep(model, work, first, last)
            if _slide(model, work, first) < STILL:
                break
        belt_path.place(model, work, b)
        belt_path.measure(model, work, b)
        _keep(model, work, first, last)
        total = 0.0
        for p in range(first, last):
            total += work.strand[p, strand.LENGTH]
        for p in range(first, last):
            work.web[p, web.REST] = work.strand[p, strand.LENGTH] * (1.0 + slack[b] / total)


@inner
def _set_guide(model, memory, p, direction):
    """Put the guide of waypoint p on the ellipsoid in a direction from its centre; the geodesics are not known."""
    guide = _below(vec3.load(model.waypoint, p, waypoint.AXES), direction)
    vec3.store(memory, p, web.GUIDE, guide)
    vec3.store(memory, p, web.ENTRY, guide)
    vec3.store(memory, p, web.EXIT, guide)
    memory[p, web.ARC_BEFORE], memory[p, web.ARC_AFTER] = 0.0, 0.0


@inner
def _set_notches(model, work, p):
    """Put the webbing into the notches of the pelvis of waypoint p: into the nearer one first."""
    at, turn = belt_path.frame(model, work.body, p)
    axes, notch = vec3.load(model.waypoint, p, waypoint.AXES), vec3.load(model.waypoint, p, waypoint.NOTCH)
    before, _ = belt_path.frame(model, work.body, p - 1)
    side = 1.0 if mat3.transposed_dot(turn, sub(before, at))[1] >= 0.0 else -1.0
    entry, leave = (notch[0], side * notch[1], notch[2]), (notch[0], -side * notch[1], notch[2])
    guide = (axes[0] * sqrt(1.0 - (notch[2] / axes[2]) ** 2), 0.0, notch[2])
    half = vec3.norm(sub(guide, entry))
    vec3.store(work.web, p, web.GUIDE, guide)
    vec3.store(work.web, p, web.ENTRY, entry)
    vec3.store(work.web, p, web.EXIT, leave)
    work.web[p, web.ARC_BEFORE], work.web[p, web.ARC_AFTER] = half, half


@inner
def _keep(model, work, first, last):
    """Keep where the webbing meets and leaves the segments, from which the next search starts."""
    for p in range(first, last + 1):
        if (
            model.waypoint_kind[p, waypoint.OVER] == waypoint.ROUND
            and work.web[p, web.ON] > 0.0
            and work.strand[p, strand.FOUND] > 0
        ):
            vec3.store(work.web, p, web.ENTRY, vec3.load(work.strand, p, strand.LOCAL_ENTRY))
            vec3.store(work.web, p, web.EXIT, vec3.load(work.strand, p, strand.LOCAL_EXIT))
            work.web[p, web.ARC_BEFORE] = work.strand[p, strand.ARC_BEFORE]
            work.web[p, web.ARC_AFTER] = work.strand[p, strand.ARC_AFTER]


@inner
def remember(model, work, state, output, dt):
    """Take over what webbing did in the step dt [s] that ended, with its work in the audit [J]; record events."""
    time, works = state.clock[clock.TIME], state.now.work
    stored, given = 0.0, 0.0
    for b in range(model.belt.shape[0]):
        first = model.belt_kind[b, column.FIRST]
        last = first + model.belt_kind[b, column.POINTS] - 1
        for p in range(first, last):
            stored -= work.web[p, web.ENERGY]
        given += _reel(model, work, b, output, time, dt)
        _stretch(model, work, b)
        _keep(model, work, first, last)
        _slide(model, work, first)
        _contacts(model, work, b, output, time)
    # where guides have moved, webbing slips once more
    belt.loads(model, work, time)
    for b in range(model.belt.shape[0]):
        given += _reel(model, work, b, output, time, 0.0)
        first = model.belt_kind[b, column.FIRST]
        for p in range(first, first + model.belt_kind[b, column.POINTS]):
            if work.strand[p, strand.NEXT] >= 0.0:
                work.web[p, web.REST] = work.strand[p, strand.REST]
        stored += _store(model, work, b)
    # the whole work of webbing on the bodies is counted as dissipated by now
    works[work_class.BELT_ELASTIC] -= stored
    works[work_class.EXTERNAL] += given
    works[work_class.BELT_DISSIPATED] += stored - given
    for p in range(state.web.shape[0]):
        for k in range(web.COUNT):
            state.web[p, k] = work.web[p, k]


@inner
def _store(model, work, b):
    """Find the energy stored in the sections of belt b, with the lengths without force of the memory; their sum [J]."""
    first, k = model.belt_kind[b, column.FIRST], model.belt_kind[b, column.TABLE]
    row, memory, total = work.strand, work.web, 0.0
    for p in range(first, first + model.belt_kind[b, column.POINTS]):
        memory[p, web.ENERGY] = 0.0
        if row[p, strand.NEXT] >= 0.0 and memory[p, web.LAID] > 0.0:
            strain = max(0.0, row[p, strand.LENGTH] / memory[p, web.REST] - 1.0)
            area = table.area(model.table_start, model.table, k + 1, strain)
            memory[p, web.ENERGY] = memory[p, web.REST] * area
            total += memory[p, web.ENERGY]
    return total


@inner
def _reel(model, work, b, output, time, dt):
    """Take over payout, pretensioning and locking of the reel of belt b; what its spring or charge put in [J]."""
    if model.belt_kind[b, column.REEL] == 0:
        return 0.0
    first, memory, row = model.belt_kind[b, column.FIRST], work.web, work.strand
    fed = row[first, strand.PAYOUT] - memory[first, web.PAYOUT]
    # a length N carries the energy of its strain, and the tension moves its end
    strain = max(0.0, row[first, strand.LENGTH] / row[first, strand.REST] - 1.0)
    k = model.belt_kind[b, column.TABLE] + 1
    worth = row[first, strand.ELASTIC] * (1.0 + strain) - table.area(model.table_start, model.table, k, strain)
    given = 0.0
    if memory[first, web.LOCKED] == 0.0:
        given = -worth * fed
    elif fed < 0.0:
        given = -worth * fed
        memory[first, web.PULLED] -= fed
    memory[first, web.PAYOUT] += fed
    if memory[first, web.LOCKED] == 0.0:
        i = model.waypoint_kind[first, waypoint.BODY]
        hard = 0.0
        if i < model.joint.shape[0]:
            hard = vec3.norm(vec3.load_at(work.mean, out_row.BODY * i))
        if (
            time >= min(model.belt[b, column.LOCK_TIME], model.belt[b, column.FIRE_TIME])
            or hard >= model.belt[b, column.LOCK_ACCELERATION]
            or (dt > 0.0 and fed >= dt * model.belt[b, column.LOCK_PAYOUT])
        ):
            memory[first, web.LOCKED] = 1.0
            memory[first, web.PAYOUT_AT_LOCK] = memory[first, web.PAYOUT]
            if time > 0.0:
                record.event(output, time, event_kind.LOCK, first, 0.0)
    return given


@inner
def _stretch(model, work, b):
    """Take over slip and permanent elongation of the sections of belt b."""
    first, k = model.belt_kind[b, column.FIRST], model.belt_kind[b, column.TABLE]
    row, memory = work.strand, work.web
    for p in range(first, first + model.belt_kind[b, column.POINTS]):
        if row[p, strand.NEXT] < 0.0:
            continue
        memory[p, web.REST] = row[p, strand.REST]
        strain = row[p, strand.LENGTH] / (memory[p, web.REST] * memory[p, web.RATIO]) - 1.0
        if strain > memory[p, web.PEAK]:
            force, _, _ = table.cubic(model.table_start, model.table, k, strain)
            back, _, _ = table.cubic(model.table_start, model.table, k + 2, force)
            memory[p, web.PEAK], memory[p, web.RATIO] = strain, (1.0 + back) / (1.0 + strain)
            memory[p, web.REST] = row[p, strand.LENGTH] / (1.0 + back)


@inner
def _slide(model, work, first):
    """Let the guides of a belt slide across the webbing where the grip of their segment does not hold it; how far [m].

    A guide slides until the grip holds it, to first order, along a path that gets shorter. Where two segments follow
    each other, the webbing is laid anew in between, because the path of the second depends on the guide of the first.
    """
    row, most = work.strand, 0.0
    before, p = first, int(row[first, strand.NEXT])
    while row[p, strand.NEXT] >= 0.0:
        if model.waypoint_kind[p, waypoint.OVER] == waypoint.ROUND and row[p, strand.FOUND] > 0.0:
            one, two = row[before, strand.ELASTIC], row[p, strand.ELASTIC]
            far = _slide_one(model, work, before, p, one, two)
            if far > 0.0 and model.waypoint_kind[int(row[p, strand.NEXT]), waypoint.OVER] == waypoint.ROUND:
                belt_path.place(model, work, model.waypoint_kind[p, waypoint.BELT])
            most = max(most, far)
        before, p = p, int(row[p, strand.NEXT])
    return most


@inner
def _slide_one(model, work, before, p, one, two):
    """Let the guide of waypoint p slide, with the tensions [N] before and after it; how far [m]."""
    row = work.strand
    arrive, depart = vec3.load(row, p, strand.ARRIVAL), vec3.load(row, p, strand.DEPARTURE)
    axes, guide = vec3.load(model.waypoint, p, waypoint.AXES), vec3.load(work.web, p, web.GUIDE)
    normal = geodesic.normal(axes, guide)
    aside = cross(normal, add(arrive, depart))
    size = vec3.norm(aside)
    if not size > 1e-9 or one + two <= 0.0:
        return 0.0
    aside = scale(1.0 / size, aside)
    force = two * dot(depart, aside) - one * dot(arrive, aside)
    press = one * row[p, strand.ANGLE_BEFORE] + two * row[p, strand.ANGLE_AFTER]
    press += max(0.0, one * dot(normal, arrive) - two * dot(normal, depart))
    hold = model.waypoint[p, waypoint.GRIP] * press
    if abs(force) <= hold:
        return 0.0
    excess = force - hold if force > 0.0 else force + hold
    stiffness = one * row[p, strand.TURN_BEFORE] + two * row[p, strand.TURN_AFTER]
    far = SLIDE if force > 0.0 else -SLIDE
    if stiffness > 0.0 and abs(excess) < SLIDE * stiffness:
        far = excess / stiffness
    # no further than that makes the path shorter, weighed by the tensions
    now = _weighed(model, work, before, p, guide, one, two)
    for _ in range(HALVES):
        place = _below(axes, axpy(far, aside, guide))
        if _weighed(model, work, before, p, place, one, two) <= now:
            _move_guide(model, work.web, p, place)
            return abs(far)
        far *= 0.5
    return 0.0


@inner
def _weighed(model, work, before, p, guide, one, two):
    """Return the lengths from a guide [m] to the waypoints before and after p, times the tensions [N] there [J]."""
    at, turn = belt_path.frame(model, work.body, p)
    axes, total = vec3.load(model.waypoint, p, waypoint.AXES), 0.0
    for side in range(2):
        q, end = (before, strand.EXIT) if side == 0 else (int(work.strand[p, strand.NEXT]), strand.ENTRY)
        local = mat3.transposed_dot(turn, sub(vec3.load(work.strand, q, end), at))
        guess = vec3.load(work.strand, p, strand.LOCAL_ENTRY + 3 * side)
        found, touch, _, arc, _, _, _ = geodesic.reach(
            axes, local, guide, guess, work.strand[p, strand.ARC_BEFORE + side]
        )
        if not found:
            return inf
        total += (one if side == 0 else two) * (vec3.norm(sub(touch, local)) + arc)
    return total


@inner
def _below(axes, place):
    """Return the point of the ellipsoid [m] between its centre and a place [m]."""
    return scale(1.0 / vec3.norm((place[0] / axes[0], place[1] / axes[1], place[2] / axes[2])), place)


@inner
def _move_guide(model, memory, p, place):
    """Move the guide of waypoint p to the ellipsoid below a place [m], and the first guess of the geodesics with it."""
    before_e, before_x = vec3.load(memory, p, web.ENTRY), vec3.load(memory, p, web.EXIT)
    arc_e, arc_x = memory[p, web.ARC_BEFORE], memory[p, web.ARC_AFTER]
    _set_guide(model, memory, p, place)
    if arc_e > 0.0:
        vec3.store(memory, p, web.ENTRY, before_e)
        memory[p, web.ARC_BEFORE] = arc_e
    if arc_x > 0.0:
        vec3.store(memory, p, web.EXIT, before_x)
        memory[p, web.ARC_AFTER] = arc_x


@inner
def _contacts(model, work, b, output, time):
    """Segments that webbing of belt b leaves or meets, guides that come near the end of their arc, and submarining."""
    first = model.belt_kind[b, column.FIRST]
    row, memory, before = work.strand, work.web, first
    for p in range(first + 1, first + model.belt_kind[b, column.POINTS] - 1):
        if model.waypoint_kind[p, waypoint.OVER] == waypoint.POINTED:
            before = p
            continue
        if model.waypoint_kind[p, waypoint.OVER] == waypoint.NOTCHED:
            if memory[p, web.ON] > 0.0:
                if _submarines(model, work, before, p):
                    row[p, strand.FOUND] = 0.0
                    record.event(output, time, event_kind.SUBMARINE, p, 0.0)
                    _lift(memory, row, before, p)
                else:
                    before = p
            continue
        if memory[p, web.ON] > 0.0:
            arcs = row[p, strand.ARC_BEFORE], row[p, strand.ARC_AFTER]
            if row[p, strand.FOUND] == 0.0 or arcs[0] + arcs[1] <= 0.0:
                _lift(memory, row, before, p)
                record.event(output, time, event_kind.LEFT, p, 0.0)
                continue
            if min(arcs[0], arcs[1]) < EDGE * (arcs[0] + arcs[1]):
                _centre(model, memory, row, before, p)
            before = p
        elif memory[p, web.ON] == 0.0 and _meet(model, work, before, p):
            before = p


@inner
def _submarines(model, work, before, p):
    """Return whether webbing slides up over the iliac spines: its pull up the pelvis exceeds the grip times that into
    the notches [-]."""
    row = work.strand
    one, two = row[before, strand.ELASTIC], row[p, strand.ELASTIC]
    if one + two < LOOSE:
        return False
    _, turn = belt_path.frame(model, work.body, p)
    pull = sub(scale(two, vec3.load(row, p, strand.WAY)), scale(one, vec3.load(row, before, strand.WAY)))
    pull = mat3.transposed_dot(turn, pull)
    return pull[2] > model.waypoint[p, waypoint.GRIP] * max(0.0, -pull[0])


@inner
def _meet(model, work, before, p):
    """Bring waypoint p back into the path if the free span that passes it would go through its segment."""
    row, memory = work.strand, work.web
    at, turn = belt_path.frame(model, work.body, p)
    axes, after = vec3.load(model.waypoint, p, waypoint.AXES), int(row[before, strand.NEXT])
    one = mat3.transposed_dot(turn, sub(vec3.load(row, before, strand.EXIT), at))
    two = mat3.transposed_dot(turn, sub(vec3.load(row, after, strand.ENTRY), at))
    one = one[0] / axes[0], one[1] / axes[1], one[2] / axes[2]
    two = two[0] / axes[0], two[1] / axes[1], two[2] / axes[2]
    line = sub(two, one)
    near = axpy(max(0.0, min(1.0, -dot(one, line) / dot(line, line))), line, one)
    side = vec3.load(model.waypoint, p, waypoint.SIDE)
    if vec3.norm(near) >= 1.0 or near[0] * side[0] + near[1] * side[1] + near[2] * side[2] <= 0.0:
        return False
    _set_guide(model, memory, p, (near[0] * axes[0], near[1] * axes[1], near[2] * axes[2]))
    share = vec3.norm(sub(near, one)) / vec3.norm(line)
    memory[p, web.ON] = 1.0
    memory[p, web.REST] = (1.0 - share) * memory[before, web.REST]
    memory[before, web.REST] *= share
    memory[p, web.PEAK], memory[p, web.RATIO] = memory[before, web.PEAK], memory[before, web.RATIO]
    row[p, strand.NEXT], row[before, strand.NEXT] = after, p
    return True


@inner
def _lift(memory, row, before, p):
    """Take waypoint p out of the path: its section joins the one before it. It may come back unless it was lost."""
    memory[p, web.ON] = 0.0 if row[p, strand.FOUND] > 0.0 else -1.0
    memory[before, web.REST] += memory[p, web.REST]
    memory[before, web.PEAK] = max(memory[before, web.PEAK], memory[p, web.PEAK])
    memory[before, web.RATIO] = min(memory[before, web.RATIO], memory[p, web.RATIO])
    memory[p, web.REST] = 0.0
    row[before, strand.NEXT] = row[p, strand.NEXT]
    row[p, strand.NEXT] = -1.0


@inner
def _centre(model, memory, row, before, p):
    """Move the guide of waypoint p along the webbing to the middle of its arc; webbing passes to the shorter side with
    the strain that it has."""
    arcs = memory[p, web.ARC_BEFORE], memory[p, web.ARC_AFTER]
    shift = 0.5 * (arcs[1] - arcs[0])
    way = vec3.load(row, p, strand.DEPARTURE if shift > 0.0 else strand.ARRIVAL)
    axes, guide = vec3.load(model.waypoint, p, waypoint.AXES), vec3.load(memory, p, web.GUIDE)
    place, _, _, _, _ = geodesic.shoot(axes, guide, way, 0.0, shift)
    _move_guide(model, memory, p, place)
    source, sink = (p, before) if shift > 0.0 else (before, p)
    passed = abs(shift) * memory[source, web.REST] / row[source, strand.LENGTH]
    memory[source, web.REST] -= passed
    memory[sink, web.REST] += passed
    memory[p, web.ARC_BEFORE], memory[p, web.ARC_AFTER] = 0.0, 0.0
