"""Airbags: uniform pressure, gas from an inflator and out of a vent, force on the segments that dip into the bag.

The full bag is half an ellipsoid in front of its mount. A segment that dips into it by a depth d takes up the volume
v(d), whose slope is the area A(d) of its cross-section, so that the pressure p above that of the surroundings pushes
with p A(d). Pressure follows from the volume V that all segments leave, so that a closed bag returns what it took. In a
space in which the bag is the unit sphere, d is one minus the distance of the segment from the centre, times the depth
of the bag. This direction is unique, however deep the segment is.

One number has the state of the gas: the volume W after adiabatic expansion to the pressure P of the surroundings.

    p + P = P (W / V)^k if W > V, otherwise the bag is slack and p = 0
    W' = W R (m_in T_in - m_out T) / ((p + P) min(V, W)),   m' = m_in - m_out

Memory has W and the mass of the last accepted step, and the rate of W there, which serves inside the step.
"""

from math import inf, sqrt

from .._jit import inner, kernel
from . import mat3, record, table, vec3
from .element import apply
from .layout import airbag, bag, body, clock, dip, event_kind, gas, out_row, work_class
from .point_load import point_acceleration
from .vec3 import add, axpy, cross, dot, scale, sub

LEAST_ROOM = 0.02  # share of the full volume that segments always leave [-]
TURNS = 60  # most turns of Newton's method for the nearest point
CLOSE = 1e-13
SUBSTEP = 5e-5  # of the gas [s]


# --- geometry


@inner
def _frame(bodies, i, table, row, point, turn):
    """Return centre [m] and axes in the world of an ellipsoid of body i that a row of a table describes."""
    rotation = mat3.load(bodies, i, body.ROTATION)
    centre = add(vec3.load(bodies, i, body.POSITION), mat3.dot(rotation, vec3.load(table, row, point)))
    return centre, mat3.product(rotation, mat3.load(table, row, turn))


@kernel
def nearest(offset, spread):
    """Return the point [-] nearest to the origin of the ellipsoid offset + spread w, |w| <= 1, and whether the origin
    is outside.

    w = -(S'S + l)^-1 S' offset, with l > 0 so that |w| = 1 (Newton's method for 1/|w|, which converges from below).
    """
    gram = mat3.transposed_product_symmetric(spread, spread)
    pull = mat3.transposed_dot(spread, offset)
    more, w, outside = 0.0, (0.0, 0.0, 0.0), False
    for turn in range(TURNS):
        inverse = mat3.sym_inverse((gram[0] + more, gram[1], gram[2], gram[3] + more, gram[4], gram[5] + more))
        w = scale(-1.0, mat3.sym_dot(inverse, pull))
        size = vec3.norm(w)
        if turn == 0:
            outside = size > 1.0
        if not outside or abs(size - 1.0) < CLOSE:
            break
        more += size * size * (size - 1.0) / dot(w, mat3.sym_dot(inverse, w))
    return add(offset, mat3.dot(spread, w)), outside


@inner
def volume(area, half, depth):
    """Return volume [m3] and cross-section [m2] of a segment to a depth [m]: an ellipsoid, then a column behind it."""
    x = min(1.0, depth / half)
    return area * (half * x * x * (1.0 - x / 3.0) + max(0.0, depth - half)), area * x * (2.0 - x)


@inner
def _dip(model, work, k):
    """Find depth [m], direction, place [m] and cross-section [m2] of segment k in its bag; the volume taken up [m3]."""
    b, i, row = model.dip_kind[k, dip.BAG], model.dip_kind[k, dip.BODY], work.dip
    centre, turn = _frame(work.body, model.airbag_kind[b, airbag.CARRIER], model.airbag, b, airbag.POINT, airbag.TURN)
    axes = vec3.load(model.airbag, b, airbag.AXES)
    at, own = _frame(work.body, i, model.dip, k, dip.POINT, dip.TURN)
    size = vec3.load(model.dip, k, dip.AXES)
    row[k, dip.DEPTH], row[k, dip.MET], row[k, dip.FORCE] = 0.0, 0.0, 0.0
    apart = mat3.transposed_dot(turn, sub(at, centre))
    far = max(size[0], size[1], size[2])
    if dot(apart, apart) > (max(axes[0], axes[1], axes[2]) + far) ** 2:
        return 0.0
    m = mat3.transposed_product(turn, own)
    spread = (
        m[0] * size[0] / axes[0], m[1] * size[1] / axes[0], m[2] * size[2] / axes[0],
        m[3] * size[0] / axes[1], m[4] * size[1] / axes[1], m[5] * size[2] / axes[1],
        m[6] * size[0] / axes[2], m[7] * size[1] / axes[2], m[8] * size[2] / axes[2],
    )  # fmt: skip
    near, outside = nearest((apart[0] / axes[0], apart[1] / axes[1], apart[2] / axes[2]), spread)
    reach = vec3.norm(near)
    depth = axes[0] * (1.0 - reach)
    if depth <= 0.0 and outside:
        return 0.0
    if not outside or reach < 1e-9:  # on the mount: it takes up as much as before, and what is there stops it
        row[k, dip.DEPTH] = axes[0]
        taken, _ = volume(model.dip[k, dip.AREA], model.dip[k, dip.HALF], axes[0])
        return taken
    local = (near[0] * axes[0], near[1] * axes[1], near[2] * axes[2])
    slope = axes[0] / reach
    way = (slope * near[0] / axes[0], slope * near[1] / axes[1], slope * near[2] / axes[2])
    taken, met = volume(model.dip[k, dip.AREA], model.dip[k, dip.HALF], depth)
    row[k, dip.DEPTH], row[k, dip.MET] = depth, met
    vec3.store(row, k, dip.WAY, mat3.dot(turn, way))
    vec3.store(row, k, dip.PLACE, add(centre, mat3.dot(turn, local)))
    return taken


# --- gas


@inner
def pressure(model, b, free, space):
    """Return pressure above that of the surroundings [Pa] and volume [m3] of gas with a free volume [m3].

    space  volume that the bag leaves to the gas [m3]
    """
    if free <= space:
        return 0.0, free
    return model.airbag[b, airbag.AMBIENT] * ((free / space) ** model.airbag[b, airbag.HEAT_RATIO] - 1.0), space


@inner
def inflow(model, b, time, fired):
    """Return the mass flow of the inflator [kg/s] at a time [s]."""
    if model.airbag_kind[b, airbag.TABLE] < 0 or time < fired:
        return 0.0
    flow, _, _ = table.value(model, model.airbag_kind[b, airbag.TABLE], time - fired)
    return max(0.0, flow)


@inner
def outflow(model, b, free, mass, space):
    """Return the mass flow through the vent [kg/s], subsonic or choked (saint-venant1839)."""
    gauge, filled = pressure(model, b, free, space)
    if gauge <= 0.0 or mass <= 0.0 or gauge < model.airbag[b, airbag.VENT_PRESSURE]:
        return 0.0
    ambient, k = model.airbag[b, airbag.AMBIENT], model.airbag[b, airbag.HEAT_RATIO]
    inside = gauge + ambient
    ratio = max(ambient / inside, (2.0 / (k + 1.0)) ** (k / (k - 1.0)))
    speed = 2.0 * k / (k - 1.0) * (ratio ** (2.0 / k) - ratio ** ((k + 1.0) / k))
    return model.airbag[b, airbag.VENT] * sqrt(inside * mass / filled * max(0.0, speed))


@inner
def _rates(model, b, free, mass, space, time, fired):
    """Return the rates of the free volume by inflow and by the vent [m3/s], and that of the mass [kg/s]."""
    gauge, filled = pressure(model, b, free, space)
    inside = gauge + model.airbag[b, airbag.AMBIENT]
    into, out = inflow(model, b, time, fired), outflow(model, b, free, mass, space)
    share = free / (inside * filled) if filled > 0.0 else 1.0 / inside
    lost = free * out / mass if mass > 0.0 else 0.0
    return share * model.airbag[b, airbag.INFLOW] * into, -lost, into - out


@inner
def stored(model, b, free, space):
    """Return the energy [J] that the gas gives in an adiabatic expansion to the pressure of the surroundings."""
    gauge, filled = pressure(model, b, free, space)
    if gauge <= 0.0:
        return 0.0
    ambient, k = model.airbag[b, airbag.AMBIENT], model.airbag[b, airbag.HEAT_RATIO]
    return ((gauge + ambient) * filled - ambient * free) / (k - 1.0) - ambient * (free - filled)


@inner
def _worth(model, b, free, space):
    """Return the slope of the stored energy by the free volume [J/m3]."""
    if free <= space:
        return 0.0
    k = model.airbag[b, airbag.HEAT_RATIO]
    return model.airbag[b, airbag.AMBIENT] * k / (k - 1.0) * ((free / space) ** (k - 1.0) - 1.0)


# --- in the step


@inner
def loads(model, work, time):
    """Find volume [m3] and pressure [Pa] of all airbags in the present state at a time [s], and push the segments."""
    for b in range(model.airbag.shape[0]):
        work.bag[b, bag.ROOM] = model.airbag[b, airbag.VOLUME]
    for k in range(model.dip.shape[0]):
        work.bag[model.dip_kind[k, dip.BAG], bag.ROOM] -= _dip(model, work, k)
    for b in range(model.airbag.shape[0]):
        space = max(LEAST_ROOM * model.airbag[b, airbag.VOLUME], work.bag[b, bag.ROOM])
        free = work.gas[b, gas.FREE] + work.gas[b, gas.RATE] * max(0.0, time - work.gas[b, gas.TIME])
        work.bag[b, bag.ROOM] = space
        work.bag[b, bag.PRESSURE], work.bag[b, bag.VOLUME] = pressure(model, b, max(0.0, free), space)
    for k in range(model.dip.shape[0]):
        b = model.dip_kind[k, dip.BAG]
        push = work.bag[b, bag.PRESSURE] * work.dip[k, dip.MET]
        work.dip[k, dip.FORCE] = push
        if push > 0.0:
            force, place = scale(push, vec3.load(work.dip, k, dip.WAY)), vec3.load(work.dip, k, dip.PLACE)
            apply(work, model.dip_kind[k, dip.BODY], place, force)
            apply(work, model.airbag_kind[b, airbag.CARRIER], place, scale(-1.0, force))


@inner
def _place_velocity(bodies, i, place, h):
    """Return the mean velocity [m/s] over a substep h [s] of the point of body i that is at a place [m]."""
    arm = sub(place, vec3.load(bodies, i, body.POSITION))
    velocity = add(vec3.load(bodies, i, body.VELOCITY), cross(vec3.load(bodies, i, body.SPIN), arm))
    return axpy(0.5 * h, point_acceleration(bodies, i, sub(place, vec3.load(bodies, i, body.JOINT_POINT))), velocity)


@inner
def result(model, work, h):
    """Write pressure [Pa], volume [m3], mass flows [kg/s] and forces [N] of all airbags, and their power [W]."""
    at, total = place_in_out(model), 0.0
    for b in range(model.airbag.shape[0]):
        first, row = at + out_row.BAG * b, work.gas
        gauge, filled = work.bag[b, bag.PRESSURE], work.bag[b, bag.VOLUME]
        into = inflow(model, b, row[b, gas.TIME], row[b, gas.FIRED])
        out = outflow(model, b, row[b, gas.FREE], row[b, gas.MASS], work.bag[b, bag.ROOM])
        taken = model.airbag[b, airbag.VOLUME] - work.bag[b, bag.ROOM]
        full = model.airbag[b, airbag.VOLUME]
        work.out[first], work.out[first + 1], work.out[first + 2], work.out[first + 3] = gauge, filled, into, out
        work.out[first + 4] = min(1.0, (filled + taken) / full) ** (1.0 / 3.0) if filled > 0.0 else 0.0
    at += out_row.BAG * model.airbag.shape[0]
    for k in range(model.dip.shape[0]):
        force = scale(work.dip[k, dip.FORCE], vec3.load(work.dip, k, dip.WAY))
        vec3.store_at(work.out, at + 3 * k, force)
        if work.dip[k, dip.FORCE] > 0.0:
            place = vec3.load(work.dip, k, dip.PLACE)
            carrier = model.airbag_kind[model.dip_kind[k, dip.BAG], airbag.CARRIER]
            velocity = _place_velocity(work.body, model.dip_kind[k, dip.BODY], place, h)
            if carrier < model.joint.shape[0]:
                velocity = sub(velocity, _place_velocity(work.body, carrier, place, h))
            total += dot(force, velocity)
    work.out[work.out.shape[0] - work_class.COUNT + work_class.AIRBAG_DISSIPATED] += total


@inner
def place_in_out(model):
    """Return the first place of airbags in `work.out` [-], after webbing."""
    n = model.joint.shape[0] * (out_row.BODY + out_row.JOINT) + out_row.PAIR * model.candidate.shape[0]
    return n + out_row.STRAND * model.waypoint.shape[0]


@inner
def busy(work):
    """Return whether any airbag has been fired or holds gas [-]."""
    found = False
    for b in range(work.gas.shape[0]):
        found = found or work.gas[b, gas.FIRED] < inf or work.gas[b, gas.FREE] > 0.0
    return found


# --- memory


@inner
def remember(model, work, state, output, dt):
    """Take over what the gas did in the step dt [s] that ended, with its work in the audit [J]; fire airbags."""
    time, works = state.clock[clock.TIME], state.now.work
    for b in range(model.airbag.shape[0]):
        if dt == 0.0:
            work.gas[b, gas.ROOM] = work.bag[b, bag.ROOM]
        before = stored(model, b, work.gas[b, gas.FREE], work.gas[b, gas.ROOM])
        given = _flow(model, work, b, dt)
        work.gas[b, gas.ROOM], work.gas[b, gas.TIME] = work.bag[b, bag.ROOM], time
        more = stored(model, b, work.gas[b, gas.FREE], work.gas[b, gas.ROOM]) - before
        # the whole work of airbags on the bodies is counted as dissipated by now
        works[work_class.AIRBAG_ELASTIC] -= more
        works[work_class.EXTERNAL] += given
        works[work_class.AIRBAG_DISSIPATED] += more - given
        if not work.gas[b, gas.FIRED] < inf:
            _fire(model, work, b, output, time)
        into, out, _ = _rates(
            model, b, work.gas[b, gas.FREE], work.gas[b, gas.MASS], work.gas[b, gas.ROOM], time, work.gas[b, gas.FIRED]
        )
        work.gas[b, gas.RATE] = into + out
        for k in range(gas.COUNT):
            state.gas[b, k] = work.gas[b, k]


@inner
def _flow(model, work, b, dt):
    """Let gas flow into and out of bag b over a time dt [s] in which its volume changes evenly; what the inflator adds
    to the stored energy [J]."""
    row, given = work.gas, 0.0
    n = int(dt / SUBSTEP) + 1
    h, one, change = dt / n, row[b, gas.ROOM], work.bag[b, bag.ROOM] - row[b, gas.ROOM]
    free, mass, fired = row[b, gas.FREE], row[b, gas.MASS], row[b, gas.FIRED]
    for k in range(n):
        start, space, t = row[b, gas.TIME] + k * h, one + change * k / n, 0.5 * h
        middle, end = space + 0.5 * change / n, space + change / n
        in1, out1, m1 = _rates(model, b, free, mass, space, start, fired)
        in2, out2, m2 = _rates(model, b, max(0.0, free + t * (in1 + out1)), mass + t * m1, middle, start + t, fired)
        in3, out3, m3 = _rates(model, b, max(0.0, free + t * (in2 + out2)), mass + t * m2, middle, start + t, fired)
        in4, out4, m4 = _rates(model, b, max(0.0, free + h * (in3 + out3)), mass + h * m3, end, start + h, fired)
        into = h / 6.0 * (in1 + 2.0 * in2 + 2.0 * in3 + in4)
        before = _worth(model, b, free, space)
        free = max(0.0, free + into + h / 6.0 * (out1 + 2.0 * out2 + 2.0 * out3 + out4))
        mass = max(0.0, mass + h / 6.0 * (m1 + 2.0 * m2 + 2.0 * m3 + m4))
        given += 0.5 * into * (before + _worth(model, b, free, end))
    row[b, gas.FREE], row[b, gas.MASS] = free, mass
    return given


@inner
def _fire(model, work, b, output, time):
    """Fire bag b if its time has come or its carrier is accelerated hard enough; record it."""
    carrier, fires = model.airbag_kind[b, airbag.CARRIER], inf
    if time >= model.airbag[b, airbag.FIRE_TIME] - 1e-12:
        fires = model.airbag[b, airbag.FIRE_TIME]
    elif carrier < model.joint.shape[0]:
        hard = vec3.norm(vec3.load_at(work.mean, out_row.BODY * carrier))
        if hard >= model.airbag[b, airbag.FIRE_ACCELERATION]:
            fires = time + model.airbag[b, airbag.DELAY]
    if fires < inf:
        work.gas[b, gas.FIRED] = fires
        record.event(output, fires, event_kind.FIRE, b, 0.0)
