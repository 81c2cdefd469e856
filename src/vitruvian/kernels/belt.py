"""Webbing: tension of its sections, slip at rings and segments, its reel, and its part in the implicit step.

A section from one waypoint to the next has a length l and a length without force N. Its tension is T(l / N - 1): on
first loading by the loading curve, below the largest strain so far by the unloading curve. Webbing slips past a
waypoint where T_2 > T_1 exp(mu theta), until both are equal (capstan); at the reel where T leaves the range that it
holds. Slip is found in every state from the memory, which does not change inside a step. With K the derivative of all
tensions by all lengths, slip included, and w the rates at which the ends of the sections part, a substep h applies

    T + D w + h K w + (h^2 K + h D) w'

with the damping D, so that webbing is implicit (`contact_response.couple`); it never pushes.
"""

from math import inf

from .._jit import inner
from . import belt_path, table, vec3
from .layout import belt, body, out_row, strand, waypoint, web, work_class
from .point_load import added_acceleration, point_acceleration, push
from .vec3 import cross, dot, scale, sub

TURNS = 20  # most turns of Newton's method for the slip
SWEEPS = 400  # most turns of the slower method
SETTLED = 1e-12  # slip at which they end [m]
PUSH = 5.0  # mean push of a step that is made shorter [N]
CATCH = 20.0  # tension at the end of a step almost without any that is made shorter [N]
FADE = 0.1  # share of the force of a limiter within which damping fades out [-]
AT_BOUND = 1e-9  # share of the tension by which a waypoint that slips may be off its bound [-]
LEAST = 1e-4  # tension that does not make webbing slip [N]
BEGUN = 1e-6  # strain at which a pretensioner has wound up the slack [-]
NEAR = 1e-6  # share of the tension within which a waypoint at its bound begins to slip [-]


@inner
def loads(model, work, time):
    """Find path, tensions [N] and their derivatives [N/m] of all webbing in the present state at a time [s]."""
    for b in range(model.belt.shape[0]):
        if work.web[model.belt_kind[b, belt.FIRST], web.LAID] > 0.0:
            belt_path.place(model, work, b)
            belt_path.measure(model, work, b)
            _settle(model, work, b, time)
            _damp(model, work, b)


@inner
def tension(model, k, length, rest, peak, ratio):
    """Return tension [N] and its derivative by the length [N/m] of a section; k is the table of its loading curve."""
    start = rest * ratio
    strain = length / start - 1.0
    if strain > peak:
        force, slope, _ = table.cubic(model.table_start, model.table, k, strain)
        return force, slope / start
    strain = length / rest - 1.0
    if strain <= 0.0:
        return 0.0, 0.0
    force, slope, _ = table.cubic(model.table_start, model.table, k + 1, strain)
    return force, slope / rest


@inner
def _hold(model, work, b, time):
    """Return the tensions [N] between which the reel of belt b holds, the length [m] that it may still pull in, and
    the rise of the upper bound with payout [N/m]."""
    first = model.belt_kind[b, belt.FIRST]
    if work.web[first, web.LOCKED] == 0.0:
        return model.belt[b, belt.SPRING], model.belt[b, belt.SPRING], inf, 0.0
    low, pull, high, rise = 0.0, 0.0, model.belt[b, belt.LIMIT], 0.0
    given = work.web[first, web.PAYOUT] + _fed(work, first) - work.web[first, web.PAYOUT_AT_LOCK]
    if 0.0 < model.belt[b, belt.FILM] > given:
        rise = model.belt[b, belt.FILM_FORCE] / model.belt[b, belt.FILM]
        high = min(high, max(0.0, rise * given))
    since = time - model.belt[b, belt.FIRE_TIME]
    if since > 0.0:
        share = min(1.0, since / model.belt[b, belt.FIRE_DURATION])
        pull = share * model.belt[b, belt.PULL_IN] - work.web[first, web.PULLED]
        if pull > 0.0:
            low = min(model.belt[b, belt.FIRE_FORCE], high)
    return low, high, max(0.0, pull), rise


@inner
def _fed(work, p):
    """Return the webbing [m] that has passed waypoint p since the last accepted step: what all sections after it have
    gained. At the reel this is what it has given."""
    total = 0.0
    while work.strand[p, strand.NEXT] >= 0.0:
        total += work.strand[p, strand.REST] - work.web[p, web.REST]
        p = int(work.strand[p, strand.NEXT])
    return total


@inner
def _settle(model, work, b, time):
    """Let webbing slip until no waypoint has more than its friction; fills tensions [N] and derivatives [N/m]."""
    first = model.belt_kind[b, belt.FIRST]
    row, p = work.strand, first
    while row[p, strand.NEXT] >= 0.0:
        row[p, strand.REST], row[p, strand.SLIDES] = work.web[p, web.REST], 0.0
        p = int(row[p, strand.NEXT])
    _spread(work, first)
    held, moved = False, 1.0
    low, high, pull, rise = 0.0, inf, 0.0, 0.0
    if model.belt_kind[b, belt.REEL] == 1:
        low, high, pull, rise = _hold(model, work, b, time)
        if 0.0 < low < high:
            _take_up(work, first, pull)
    for turn in range(TURNS + 1):
        if turn == TURNS:  # Newton's method did not end, as happens where sections become slack
            _relax(model, work, b, time)
        _pull(model, work, b)
        if model.belt_kind[b, belt.REEL] == 1:
            low, high, pull, rise = _hold(model, work, b, time)
        back = _mark(work, first, low, high, held, turn < TURNS)
        if back > 0.0:
            _pull(model, work, b)
        moved = max(back, _slip(work, first, low, high, rise, turn < TURNS))
        # the pretensioner pulls in so much and no more
        missing = -pull - _fed(work, first)
        if low < high and missing > 1e-15 and turn < TURNS:
            row[first, strand.REST] += missing
            held = True
        if moved < SETTLED:
            break
    _pull(model, work, b)
    row[first, strand.PAYOUT] = work.web[first, web.PAYOUT] + _fed(work, first)
    for _ in range(2):
        if not _begin_to_slip(work, first, low, high):
            break
        _slip(work, first, low, high, rise, False)


@inner
def _spread(work, first):
    """Begin with one strain in all sections of a belt if some are slack and others taut: slack webbing slips freely."""
    row, p, length, rest, slack, tight = work.strand, first, 0.0, 0.0, False, False
    while row[p, strand.NEXT] >= 0.0:
        slack = slack or row[p, strand.LENGTH] < row[p, strand.REST]
        tight = tight or row[p, strand.LENGTH] > row[p, strand.REST]
        length, rest = length + row[p, strand.LENGTH], rest + row[p, strand.REST]
        p = int(row[p, strand.NEXT])
    if slack and tight:
        _share_out(work, first, rest / length)


@inner
def _take_up(work, first, pull):
    """Let the pretensioner wind up slack webbing, up to a length [m]; without stiffness Newton's method cannot."""
    row, p, length, rest = work.strand, first, 0.0, 0.0
    while row[p, strand.NEXT] >= 0.0:
        length, rest = length + row[p, strand.LENGTH], rest + row[p, strand.REST]
        p = int(row[p, strand.NEXT])
    slack = rest - length / (1.0 + BEGUN)
    if rest >= length and min(slack, pull) > 0.0:
        row[first, strand.SLIDES] = -1.0
        _share_out(work, first, (rest - min(slack, pull)) / length)


@inner
def _share_out(work, first, share):
    """Give all sections of a belt the same length without force over their length [-], and mark what slips."""
    row, p = work.strand, first
    while row[p, strand.NEXT] >= 0.0:
        row[p, strand.REST] = row[p, strand.LENGTH] * share
        p = int(row[p, strand.NEXT])
    p = int(row[first, strand.NEXT])
    while row[p, strand.NEXT] >= 0.0:
        row[p, strand.SLIDES] = 1.0 if _fed(work, p) > 0.0 else -1.0
        p = int(row[p, strand.NEXT])


@inner
def _pull(model, work, b):
    """Find tension [N] and stiffness [N/m] of every section of belt b from its length and its length without force."""
    row, p, k = work.strand, model.belt_kind[b, belt.FIRST], model.belt_kind[b, belt.TABLE]
    while row[p, strand.NEXT] >= 0.0:
        row[p, strand.ELASTIC], row[p, strand.STIFFNESS] = tension(
            model, k, row[p, strand.LENGTH], row[p, strand.REST], work.web[p, web.PEAK], work.web[p, web.RATIO]
        )
        p = int(row[p, strand.NEXT])


@inner
def _relax(model, work, b, time):
    """Let webbing slip from the memory on, one waypoint after the other, until none has more than its friction.

    Each slip goes to the bound and no further, so that it loses energy: slower than Newton's method, but certain.
    """
    first, row = model.belt_kind[b, belt.FIRST], work.strand
    p = first
    while row[p, strand.NEXT] >= 0.0:
        row[p, strand.REST] = work.web[p, web.REST]
        p = int(row[p, strand.NEXT])
    for _ in range(SWEEPS):
        moved = 0.0
        if model.belt_kind[b, belt.REEL] == 1:
            moved = _relax_reel(model, work, b, time)
        before, p = first, int(row[first, strand.NEXT])
        while row[p, strand.NEXT] >= 0.0:
            ratio = row[p, strand.RATIO]
            one, two = _tension_of(model, work, b, before, 0.0), _tension_of(model, work, b, p, 0.0)
            if two > ratio * one * (1.0 + AT_BOUND) + LEAST:
                moved = max(moved, _pass(model, work, b, before, p, ratio))
                row[p, strand.SLIDES] = 1.0
            elif one > ratio * two * (1.0 + AT_BOUND) + LEAST:
                moved = max(moved, _pass(model, work, b, p, before, ratio))
                row[p, strand.SLIDES] = -1.0
            before, p = p, int(row[p, strand.NEXT])
        if moved < 1e-10:
            break


@inner
def _tension_of(model, work, b, p, more):
    """Return the tension [N] of section p with so much more length without force [m]."""
    row = work.strand
    force, _ = tension(
        model, model.belt_kind[b, belt.TABLE], row[p, strand.LENGTH], row[p, strand.REST] + more,
        work.web[p, web.PEAK], work.web[p, web.RATIO],
    )  # fmt: skip
    return force


@inner
def _pass(model, work, b, source, sink, ratio):
    """Pass webbing from one section to the next one until the tension of the sink is `ratio` times the other; how much
    [m]."""
    row = work.strand
    low, high = 0.0, min(row[sink, strand.LENGTH] - row[sink, strand.REST], 0.9 * row[source, strand.REST])
    for _ in range(50):
        middle = 0.5 * (low + high)
        more = _tension_of(model, work, b, sink, middle) > ratio * _tension_of(model, work, b, source, -middle)
        low, high = (middle, high) if more else (low, middle)
    row[sink, strand.REST] += low
    row[source, strand.REST] -= low
    return low


@inner
def _relax_reel(model, work, b, time):
    """Let the reel of belt b give or take webbing until the tension is in the range that it holds; how much [m]."""
    first, row = model.belt_kind[b, belt.FIRST], work.strand
    least, most, pull, _ = _hold(model, work, b, time)
    now = _tension_of(model, work, b, first, 0.0)
    low, high, sign = 0.0, row[first, strand.LENGTH] - row[first, strand.REST], 1.0
    if now < least * (1.0 - AT_BOUND):
        left = pull + _fed(work, first)
        low, high, sign = 0.0, max(0.0, min(left, 0.2 * row[first, strand.REST])), -1.0
    elif not now > most * (1.0 + AT_BOUND):
        return 0.0
    for _ in range(50):
        middle = 0.5 * (low + high)
        force = _tension_of(model, work, b, first, sign * middle)
        low, high = (middle, high) if (force > most if sign > 0.0 else force < least) else (low, middle)
    row[first, strand.REST] += sign * low
    row[first, strand.SLIDES] = sign
    return low


@inner
def _mark(work, first, low, high, held, moves):
    """Mark where webbing slips: beyond the bound, or, once it has slipped, until it is back where it was.

    Webbing that sticks is where it was at the last accepted step: what it has slipped on the way to the solution is
    taken back, because slip against the friction would create energy. Returns the most that is taken back [m].
    """
    row = work.strand
    pull, was, fed = row[first, strand.ELASTIC], row[first, strand.SLIDES], _fed(work, first)
    slides, back = 0.0, 0.0
    if low == high or pull > high * (1.0 + AT_BOUND) or (was > 0.0 and fed > 0.0):
        slides = 1.0
    elif not held and (pull < low * (1.0 - AT_BOUND) or (was < 0.0 and fed < 0.0)):
        slides = -1.0
    elif moves and not held and fed != 0.0:
        row[first, strand.REST] -= fed
        back = abs(fed)
    row[first, strand.SLIDES] = slides
    before, p = first, int(row[first, strand.NEXT])
    while row[p, strand.NEXT] >= 0.0:
        one, two, ratio = row[before, strand.ELASTIC], row[p, strand.ELASTIC], row[p, strand.RATIO] * (1.0 + AT_BOUND)
        was, fed, slides = row[p, strand.SLIDES], _fed(work, p), 0.0
        if two > ratio * one + LEAST or (was > 0.0 and fed > 0.0):
            slides = 1.0
        elif one > ratio * two + LEAST or (was < 0.0 and fed < 0.0):
            slides = -1.0
        elif moves and fed != 0.0:
            row[before, strand.REST] += fed
            row[p, strand.REST] -= fed
            back = max(back, abs(fed))
        row[p, strand.SLIDES] = slides
        before, p = p, int(row[p, strand.NEXT])
    return back


@inner
def _begin_to_slip(work, first, low, high):
    """Mark waypoints at their bound that the present rates take beyond it; return whether there are any [-].

    Webbing that slips is at its bound at the end of every step. Its derivatives there are those of slip, as in
    plasticity: with those of stick the next substep would push with forces that the webbing never reaches.
    """
    row, found = work.strand, False
    rate, pull = _by_rate(work, first, first), row[first, strand.ELASTIC]
    if row[first, strand.SLIDES] == 0.0 and pull > 0.0:
        if pull >= high * (1.0 - NEAR) and rate > 0.0:
            row[first, strand.SLIDES], found = 1.0, True
        elif low < high and pull <= low * (1.0 + NEAR) and rate < 0.0:
            row[first, strand.SLIDES], found = -1.0, True
    one, p = pull, int(row[first, strand.NEXT])
    while row[p, strand.NEXT] >= 0.0:
        two, next_rate, ratio = row[p, strand.ELASTIC], _by_rate(work, first, p), row[p, strand.RATIO]
        if row[p, strand.SLIDES] == 0.0 and one > 0.0 and two > 0.0:
            if two >= ratio * one * (1.0 - NEAR) and next_rate > ratio * rate:
                row[p, strand.SLIDES], found = 1.0, True
            elif one >= ratio * two * (1.0 - NEAR) and rate > ratio * next_rate:
                row[p, strand.SLIDES], found = -1.0, True
        one, rate, p = two, next_rate, int(row[p, strand.NEXT])
    return found


@inner
def _slip(work, first, low, high, rise, moves):
    """Let the marked waypoints slip to their bounds, to first order, and leave the derivatives of all tensions by all
    lengths [N/m] in `work.stiff`; return the largest slip [m].

    moves  whether webbing slips; otherwise only the derivatives are found
    Column j of `work.give` has the change of tensions by slip at waypoint j, that of `work.feed` the change of the
    lengths without force. Each marked waypoint is eliminated in turn, from these columns too.
    """
    row, stiff, give, feed = work.strand, work.stiff, work.give, work.feed
    before, j = -1, first
    while row[j, strand.NEXT] >= 0.0:
        p = first
        while row[p, strand.NEXT] >= 0.0:
            stiff[p, j], give[p, j], feed[p, j] = 0.0, 0.0, 0.0
            p = int(row[p, strand.NEXT])
        stiff[j, j] = row[j, strand.STIFFNESS]
        give[j, j], feed[j, j] = -_by_rest(row, j), 1.0
        if before >= 0:
            give[before, j], feed[before, j] = _by_rest(row, before), -1.0
        before, j = j, int(row[j, strand.NEXT])
    moved, before, j = 0.0, -1, first
    while row[j, strand.NEXT] >= 0.0:
        if row[j, strand.SLIDES] != 0.0:
            moved = max(moved, _eliminate(work, first, before, j, low, high, rise, moves))
        before, j = j, int(row[j, strand.NEXT])
    return moved


@inner
def _by_rest(row, p):
    """Return how tension falls with the length without force [N/m]."""
    return row[p, strand.STIFFNESS] * row[p, strand.LENGTH] / row[p, strand.REST]


@inner
def _eliminate(work, first, before, j, low, high, rise, moves):
    """Take the slip at waypoint j out of the derivatives, and let it slip to its bound; how far [m]."""
    row, stiff, give, feed = work.strand, work.stiff, work.give, work.feed
    # the bound: tension a of one section less c times that b of the other is `level`
    a, b, c, level = j, before, row[j, strand.RATIO], 0.0
    if before < 0:
        b, c = j, 0.0
        level = high if row[j, strand.SLIDES] > 0.0 else low
    elif row[j, strand.SLIDES] < 0.0:
        a, b = before, j
    extra = rise if before < 0 and row[j, strand.SLIDES] > 0.0 and high < inf else 0.0
    pivot = give[a, j] - c * give[b, j] - extra
    if abs(pivot) < 1e-6:
        return 0.0
    amount = -(row[a, strand.ELASTIC] - c * row[b, strand.ELASTIC] - level) / pivot if moves else 0.0
    r = first
    while row[r, strand.NEXT] >= 0.0:
        share, other = (stiff[a, r] - c * stiff[b, r]) / pivot, (give[a, r] - c * give[b, r]) / pivot
        p = first
        while row[p, strand.NEXT] >= 0.0:
            stiff[p, r] -= share * give[p, j]
            if r != j:
                give[p, r] -= other * give[p, j]
                feed[p, r] -= other * feed[p, j]
            p = int(row[p, strand.NEXT])
        r = int(row[r, strand.NEXT])
    moved, p = 0.0, first
    while row[p, strand.NEXT] >= 0.0:
        change = max(-0.5 * row[p, strand.REST], amount * feed[p, j])
        row[p, strand.REST] += change
        row[p, strand.ELASTIC] += amount * give[p, j]
        moved = max(moved, abs(change))
        p = int(row[p, strand.NEXT])
    return moved


@inner
def _damp(model, work, b):
    """Viscous tension [N], the same in all sections of belt b and at most their smallest tension: it never pushes.

    It is the relaxation time of the webbing times its stiffness times the rate of the whole length: webbing that only
    passes waypoints is not damped, and stick and slip do not change it. It fades out towards the force of a limiter,
    and with the elastic tension it never exceeds that.
    """
    first = model.belt_kind[b, belt.FIRST]
    row, p, soft, least, rate = work.strand, first, 0.0, inf, 0.0
    while row[p, strand.NEXT] >= 0.0:
        row[p, strand.ELASTIC] = max(0.0, row[p, strand.ELASTIC])
        least = min(least, row[p, strand.ELASTIC])
        soft += 1.0 / row[p, strand.STIFFNESS] if row[p, strand.STIFFNESS] > 0.0 else inf
        rate += row[p, strand.RATE]
        p = int(row[p, strand.NEXT])
    drag = model.belt[b, belt.DAMPING] / soft if least > 0.0 else 0.0
    most = least
    if model.belt_kind[b, belt.REEL] == 1:
        limit = model.belt[b, belt.LIMIT] if work.web[first, web.LOCKED] > 0.0 else 0.0
        fade = 1.0 if limit > 0.0 else 0.0
        if 0.0 < limit < inf:
            left = max(0.0, limit - row[first, strand.ELASTIC])
            fade, most = min(1.0, left / (FADE * limit)), min(least, left)
        drag *= fade
    viscous = max(-least, min(most, drag * rate))
    p = first
    while row[p, strand.NEXT] >= 0.0:
        row[p, strand.VISCOUS], row[p, strand.DRAG] = viscous, drag if -least < viscous < most else 0.0
        p = int(row[p, strand.NEXT])


@inner
def _by_rate(work, first, p):
    """Rate of the tension of section p by the rates of all sections of its belt [N/s]."""
    row, total, r = work.strand, 0.0, first
    while row[r, strand.NEXT] >= 0.0:
        total += work.stiff[p, r] * row[r, strand.RATE]
        r = int(row[r, strand.NEXT])
    return total


# --- in the step


@inner
def taut(work, p):
    """Return whether section p exists and pulls [-]."""
    return work.strand[p, strand.NEXT] >= 0.0 and work.strand[p, strand.ELASTIC] > 0.0


@inner
def count(work):
    """Return the number of sections that pull [-]."""
    n = 0
    for p in range(work.strand.shape[0]):
        n += 1 if taut(work, p) else 0
    return n


@inner
def _first(model, p):
    return model.belt_kind[model.waypoint_kind[p, waypoint.BELT], belt.FIRST]


@inner
def gather(model, work, h):
    """Put the tensions [N] of a substep h [s] on the bodies, as known from its start."""
    row = work.strand
    for p in range(row.shape[0]):
        row[p, strand.MORE], row[p, strand.PULL] = 0.0, 0.0
        if taut(work, p):
            pull = row[p, strand.ELASTIC] + row[p, strand.VISCOUS] + h * _by_rate(work, _first(model, p), p)
            row[p, strand.PULL] = max(0.0, pull)
            for side in range(2):
                i, lever, way = _end(model, work, p, side)
                force = scale(row[p, strand.PULL], way)
                vec3.increase(work.body, i, body.FORCE_BIAS, scale(-1.0, force))
                vec3.increase(work.body, i, body.MOMENT_BIAS, scale(-1.0, cross(lever, force)))


@inner
def _end(model, work, p, side):
    """Body, lever from its joint point [m] and direction of the pull [-] at the start (0) or end (1) of section p."""
    q = p if side == 0 else int(work.strand[p, strand.NEXT])
    i, way = model.waypoint_kind[q, waypoint.BODY], vec3.load(work.strand, p, strand.WAY)
    point = vec3.load(work.strand, q, strand.EXIT if side == 0 else strand.ENTRY)
    return i, sub(point, vec3.load(work.body, i, body.JOINT_POINT)), way if side == 0 else scale(-1.0, way)


@inner
def press(model, work, p, load):
    """Add a tension [N] to section p, as a bias of the response."""
    for side in range(2):
        i, lever, way = _end(model, work, p, side)
        push(work.body, i, lever, scale(load, way))


@inner
def parting(model, work, p):
    """Return the acceleration [m/s2] at which the ends of section p part, by the sweep."""
    total = 0.0
    for side in range(2):
        i, lever, way = _end(model, work, p, side)
        total -= dot(way, point_acceleration(work.body, i, lever))
    return total


@inner
def answer(model, work):
    """Find the accelerations [m/s2] at which the ends of all sections that pull part by the added forces."""
    for p in range(work.strand.shape[0]):
        if taut(work, p):
            total = 0.0
            for side in range(2):
                i, lever, way = _end(model, work, p, side)
                total -= dot(way, added_acceleration(work.body, i, lever))
            work.strand[p, strand.ANSWER] = total


@inner
def implicit(model, work, p, h):
    """Return what the accelerations in ANSWER add to the tension of section p in a substep h [s] [N]."""
    row, r, total = work.strand, _first(model, p), 0.0
    while row[r, strand.NEXT] >= 0.0:
        if taut(work, r):
            total += h * (h * work.stiff[p, r] + row[p, strand.DRAG]) * row[r, strand.ANSWER]
        r = int(row[r, strand.NEXT])
    return total


@inner
def result(model, work, h):
    """Write tension [N], elongation [m], payout [m], nodes [m] and power [W] of all webbing into `work.out`."""
    row, out = work.strand, work.out
    at = place_in_out(model)
    total = 0.0
    for p in range(row.shape[0]):
        first = at + out_row.STRAND * p
        pull, longer = 0.0, 0.0
        if row[p, strand.NEXT] >= 0.0:
            longer = row[p, strand.LENGTH] - row[p, strand.REST] * work.web[p, web.RATIO]
            if taut(work, p):
                pull = row[p, strand.PULL] + row[p, strand.MORE]
                total -= pull * (row[p, strand.RATE] + 0.5 * h * parting(model, work, p))
        out[first], out[first + 1], out[first + 2] = pull, longer, row[p, strand.PAYOUT]
        for k in range(out_row.NODES):
            point = belt_path.node(model, work, p, k)
            vec3.store_at(out, first + out_row.STRAND_NODE + 3 * k, point)
    out[out.shape[0] - work_class.COUNT + work_class.BELT_DISSIPATED] += total


@inner
def place_in_out(model):
    """Return the first place of webbing in `work.out` [-]."""
    bodies = model.joint.shape[0] * (out_row.BODY + out_row.JOINT)
    return bodies + out_row.PAIR * model.candidate.shape[0]


@inner
def misbehaved(model, work):
    """Return whether webbing pushed in the mean over a step, by more than rounding, or became taut too deep in a step
    in which it hardly pulled [-]."""
    at = place_in_out(model)
    for b in range(model.belt.shape[0]):
        p, mean, most = model.belt_kind[b, belt.FIRST], 0.0, 0.0
        for k in range(p, p + model.belt_kind[b, belt.POINTS]):
            mean = max(mean, abs(work.mean[at + out_row.STRAND * k]))
            if work.mean[at + out_row.STRAND * k] < -PUSH:
                return True
        while work.strand[p, strand.NEXT] >= 0.0:
            most = max(most, work.strand[p, strand.ELASTIC])
            p = int(work.strand[p, strand.NEXT])
        if most > CATCH and mean < 0.05 * most:
            return True
    return False


@inner
def time_to_pull(model, work):
    """Return the shortest time [s] in which a slack belt becomes taut at its present rate; infinite if none does."""
    soonest, row = inf, work.strand
    for b in range(model.belt.shape[0]):
        p, slack, rate, pulls = model.belt_kind[b, belt.FIRST], 0.0, 0.0, False
        while row[p, strand.NEXT] >= 0.0:
            slack += row[p, strand.REST] - row[p, strand.LENGTH]
            rate += row[p, strand.RATE]
            pulls = pulls or taut(work, p)
            p = int(row[p, strand.NEXT])
        if rate > 0.0 and not pulls:
            soonest = min(soonest, max(0.0, slack) / rate)
    return soonest
