"""Normal force of a contact from its depth and closing speed. SI units. Sources: hunt1975, spicka2020 (chapter 5).

A law is an elastic force, which may remember the largest depth, and a damping:

    elastic   POWER      k d^n                            the way down is the way up
              PERMANENT  k d^n; from the peak d_m on      F_m ((d - d_p)/(d_m - d_p))^n (thesis eq. 5.16)
              TABULATED  a table of force over depth, down a line of its own to a second table or to zero
    damping   BY_NUMBER  F = elastic (1 + number d'/v_ref)
              BY_RATE    F = elastic + D s(d) d'          s a smooth step from 0 to 1 over a ramp depth (or 1)
              BY_POWERS  F = elastic + chi d^p |d'|^q sign(d')

A linear tissue may act in series with a POWER or PERMANENT surface. Both carry the same force, so their depths add:
d = y + c F(y) with y the depth of the surface and c the flexibility of the tissue, solved for y; a table of forces has
it in its depths already. Dashpots of the surface move with y, as fast as in a slow contact. With a tissue that hardens
force and damping number are tables of the depth (`model.tissue`).

The force never pulls, unless the law says that it may. What is recoverable is the energy that the way down from the
largest depth gives back; its slope by depth is the elastic part of the force. With a damping that opposes the rate,
(force - elastic part) x rate is never negative: no law makes energy.
"""

from math import sqrt

from .._jit import inlined, inner, kernel
from . import table as curve
from .layout import damping_law, elastic_law, law, law_kind, speed_reference

SERIES_LIMIT, SERIES_CLOSE = 60, 1e-14  # iterations and last step for the depth of a surface under a tissue


@inlined
def normal_force(law_kinds, laws, l, table_start, table, depth, rate, onset_speed, impact_speed, peak_depth):
    """Normal force [N], its elastic part [N], its slopes by depth [N/m] and by rate [N s/m], neither negative.

    law_kind, law, l    tables of laws and the row
    table_start, table  the curves
    depth               [m], positive
    rate                closing speed [m/s]
    onset_speed         closing speed when the contact began [m/s]; 0 before it is known
    impact_speed        largest closing speed since then [m/s]
    peak_depth          largest depth of all times up to now [m]
    """
    if law_kinds[l, law_kind.ELASTIC] == elastic_law.POWER:
        exponent, tissue = laws[l, law.EXPONENT], laws[l, law.TISSUE]
        surface = depth if tissue == 0.0 else _surface_depth(depth, tissue * laws[l, law.STIFFNESS], exponent)
        if exponent == 1.0:
            power = 1.0
        elif exponent == 1.5:
            power = sqrt(surface)
        else:
            power = surface ** (exponent - 1.0)
        slope = exponent * laws[l, law.STIFFNESS] * power
        spring = laws[l, law.STIFFNESS] * power * surface
        slope /= 1.0 + tissue * slope
        elastic, start = spring, 0.0
    else:
        spring, slope, elastic, start = _with_memory(law_kinds, laws, l, table_start, table, depth, rate, peak_depth)

    force, by_depth, by_rate = spring, slope, 0.0
    by_number, numbers = law_kinds[l, law_kind.DAMPING] == damping_law.BY_NUMBER, law_kinds[l, law_kind.NUMBER_CURVE]
    if by_number or numbers >= 0:
        v_ref = max(onset_speed, impact_speed, rate, laws[l, law.VISCOUS_BELOW])
        if law_kinds[l, law_kind.REFERENCE] == speed_reference.ONSET and onset_speed > 0.0:
            v_ref = max(onset_speed, laws[l, law.VISCOUS_BELOW])
        number, change = laws[l, law.NUMBER], 0.0
        if numbers >= 0:
            number, change, _ = curve.cubic(table_start, table, numbers, depth)
        chi = number / v_ref
        factor = 1.0 + chi * rate
        force, by_depth, by_rate = spring * factor, slope * factor + spring * change * rate / v_ref, spring * chi
    if not by_number:
        # a dashpot of the surface moves as fast as the surface, not as the tissue on it: dy/dd = 1 - c dF/dd
        share = min(1.0, max(0.0, 1.0 - laws[l, law.TISSUE] * slope))
        viscous, more, drag = _viscous(law_kinds, laws, l, share * (depth - start), share * rate)
        force, by_depth, by_rate = force + viscous, by_depth + share * more, by_rate + share * drag

    if force <= 0.0 and (law_kinds[l, law_kind.PULLS] == 0 or depth <= start):
        return 0.0, elastic, 0.0, 0.0
    return force, elastic, max(0.0, by_depth), by_rate


@inner
def _viscous(law_kinds, laws, l, depth, rate):
    """Damping force [N] that the elastic force does not scale, and its slopes, at a depth since the force began [m]."""
    chi = laws[l, law.CHI]
    if depth <= 0.0:
        return 0.0, 0.0, 0.0
    if law_kinds[l, law_kind.DAMPING] == damping_law.BY_RATE:
        ramp = laws[l, law.RAMP]
        if depth >= ramp:
            return chi * rate, 0.0, chi
        x = depth / ramp
        share = x * x * (3.0 - 2.0 * x)
        return chi * share * rate, chi * rate * 6.0 * x * (1.0 - x) / ramp, chi * share
    p, q = laws[l, law.DEPTH_POWER], laws[l, law.RATE_POWER]
    speed = abs(rate)
    by_rate = chi * depth**p * q * (speed ** (q - 1.0) if q != 1.0 else 1.0)
    force = by_rate * rate / q
    # below p = 1 the slope has no bound at touch: no part of the implicit step
    return force, p * force / depth if p >= 1.0 else 0.0, by_rate


@inner
def _with_memory(law_kinds, laws, l, table_start, table, depth, rate, peak_depth):
    """Force [N] without damping, its slope [N/m], its recoverable part [N], and the depth where it begins [m].

    Memory is updated after each step, so the largest depth is the present one until then; a contact that is at its
    largest depth and opens is already on the way down.
    """
    if law_kinds[l, law_kind.ELASTIC] == elastic_law.PERMANENT:
        return _permanent(laws, l, depth, rate, peak_depth)
    loading, stiffness = law_kinds[l, law_kind.CURVE], laws[l, law.UNLOADING_STIFFNESS]
    if stiffness == 0.0:
        force, slope, _ = curve.cubic(table_start, table, loading, depth)
        return force, slope, force, 0.0
    # from the peak down a line, until it meets the unloading curve
    peak = max(depth, peak_depth)
    highest, slope, _ = curve.cubic(table_start, table, loading, peak)
    foot, unloading = peak - highest / stiffness, law_kinds[l, law_kind.UNLOADING]
    start = foot if unloading < 0 else 0.0
    if depth >= peak_depth and rate >= 0.0:
        meeting = _meeting(table_start, table, unloading, stiffness, peak, foot)
        return highest, slope, highest - (stiffness - slope) * (peak - meeting), start
    line = stiffness * (depth - foot)
    if unloading >= 0:
        force, slope, _ = curve.cubic(table_start, table, unloading, depth)
        if force > line:
            return force, slope, force, start
    if line <= 0.0:
        return 0.0, 0.0, 0.0, start
    return line, stiffness, line, start


@inner
def _meeting(table_start, table, k, stiffness, peak, foot):
    """Depth [m] at which the line down from the peak to its foot meets the straight pieces of unloading curve k."""
    if k < 0:
        return foot
    # the last knot at which the line is not above the curve
    low, high = table_start[k], table_start[k + 1]
    while high - low > 1:
        middle = (low + high) // 2
        if stiffness * (table[middle, 0] - foot) <= table[middle, 1]:
            low = middle
        else:
            high = middle
    x, force, slope = table[low, 0], table[low, 1], table[low, 2]
    return min(peak, (stiffness * foot + force - slope * x) / (stiffness - slope))


@inner
def _permanent(laws, l, depth, rate, peak_depth):
    """Hertz with permanent indentation: force [N], slope [N/m], recoverable part [N], depth where it begins [m].

    Loading k y^n. The way down from the peak, and up again to it, is F_m ((y - y_p)/(y_m - y_p))^n, eq. 5.16, with the
    permanent indentation y_p = min(given, share y_m). It gives back E = F_m (y_m - y_p)/(n + 1), and what the tissue
    stores, c F^2/2.
    """
    k, n, tissue = laws[l, law.STIFFNESS], laws[l, law.EXPONENT], laws[l, law.TISSUE]
    given, share = laws[l, law.PERMANENT], laws[l, law.PERMANENT_SHARE]
    peak = max(depth, peak_depth)
    surface = series_depth(peak, tissue * k, n) if tissue > 0.0 else peak
    highest, residual = k * surface**n, min(given, share * surface)
    if depth >= peak_depth and rate >= 0.0:
        slope = n * highest / surface
        # dE/dy, of a permanent indentation that grows with the peak or stays
        growing = share * surface < given
        elastic = highest * (1.0 - share) if growing else highest * (1.0 - n / (n + 1.0) * given / surface)
        elastic = (elastic + tissue * highest * slope) / (1.0 + tissue * slope)
        return highest, slope / (1.0 + tissue * slope), elastic, residual
    if depth <= residual:
        return 0.0, 0.0, 0.0, residual
    # the share z of the way: depth - y_p = (y_m - y_p) z + c F_m z^n
    z = (depth - residual) / (surface - residual)
    if tissue > 0.0:
        z = series_depth(z, tissue * highest / (surface - residual), n)
    force = highest * z**n
    slope = n * force / (z * (surface - residual))
    return force, slope / (1.0 + tissue * slope), force, residual


# --- tissue in series, and what is stored


@inlined
def _surface_depth(depth, ratio, exponent):
    """Return the depth [m] of the surface alone: in closed form for exponent 1, otherwise by `series_depth`."""
    return depth / (1.0 + ratio) if exponent == 1.0 else series_depth(depth, ratio, exponent)


@kernel
def series_depth(depth, ratio, exponent):
    """Return y >= 0 [m] with y + ratio y^exponent = depth [m], for an exponent of at least 1.

    Newton's method from above, because the function is convex.
    """
    y = depth
    if ratio > 0.0:
        y = min(depth, (depth / ratio) ** (1.0 / exponent))
    for _ in range(SERIES_LIMIT):
        power = ratio * y ** (exponent - 1.0)
        step = (y + power * y - depth) / (1.0 + exponent * power)
        y -= step
        if step <= SERIES_CLOSE * y:
            break
    return y


@kernel
def stored(law_kinds, laws, l, table_start, table, depth, peak_depth):
    """Energy [J] that a contact at a depth [m] gives back on its way out; `elastic` is its slope by depth."""
    if law_kinds[l, law_kind.ELASTIC] == elastic_law.TABULATED:
        return _stored_in_curve(law_kinds, laws, l, table_start, table, depth, peak_depth)
    k, n, tissue = laws[l, law.STIFFNESS], laws[l, law.EXPONENT], laws[l, law.TISSUE]
    if law_kinds[l, law_kind.ELASTIC] == elastic_law.POWER:
        surface = depth if tissue == 0.0 else _surface_depth(depth, tissue * k, n)
        force = k * surface**n
        return force * (surface / (n + 1.0) + 0.5 * tissue * force)
    force, _, _, residual = _permanent(laws, l, depth, -1.0, peak_depth)
    return force * ((depth - residual - tissue * force) / (n + 1.0) + 0.5 * tissue * force) if force > 0.0 else 0.0


@inner
def _stored_in_curve(law_kinds, laws, l, table_start, table, depth, peak_depth):
    """Return the stored energy [J] of a force table: the area under its unloading path, down to zero force."""
    loading, stiffness = law_kinds[l, law_kind.CURVE], laws[l, law.UNLOADING_STIFFNESS]
    if stiffness == 0.0:
        return curve.area(table_start, table, loading, depth)
    peak = max(depth, peak_depth)
    highest, _, _ = curve.cubic(table_start, table, loading, peak)
    foot, unloading = peak - highest / stiffness, law_kinds[l, law_kind.UNLOADING]
    line = stiffness * (depth - foot)
    if unloading < 0:
        return 0.5 * line * line / stiffness if line > 0.0 else 0.0
    meeting = _meeting(table_start, table, unloading, stiffness, peak, foot)
    if depth <= meeting:
        return curve.area(table_start, table, unloading, depth)
    low = stiffness * (meeting - foot)
    return curve.area(table_start, table, unloading, meeting) + 0.5 * (line + low) * (depth - meeting)
