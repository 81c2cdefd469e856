"""Contact of ellipsoids with half-spaces: geometry, force law, friction. SI units, world frame.

The normal force is F = k d^n (1 + chi d'), never pulling (hunt1975), with chi = number / v_ref. The damping number is
solved once from the restitution Cr, (1 + number)/(1 - Cr number) = exp(number (1 + Cr)), which returns Cr exactly for
any n. v_ref is the largest closing speed since onset (at least 0.05 m/s), so the force is never more than (1 + number)
times the elastic one.
Friction is Coulomb's, regularised below a slip speed, and taken by its secant.
"""

from math import sqrt

from .._jit import inlined, inner
from . import mat3, vec3
from .law import LEAST_IMPACT_SPEED
from .types import (
    AXES,
    DAMPING_NUMBER,
    DEPTH,
    EXPONENT,
    FRICTION_LAW,
    JOINT_POINT,
    LEVEL,
    NORMAL,
    PAIR_ELASTIC,
    PAIR_FORCE,
    PAIR_MATRIX,
    POINT,
    POINT_VELOCITY,
    POSITION,
    RATE,
    ROTATION,
    SHAPE_OFFSET,
    SHAPE_ROTATION,
    SLIP_SPEED,
    SPIN,
    STIFFNESS_LAW,
    VELOCITY,
)
from .vec3 import add, axpy, cross, dot, scale, sub


@inner
def geometry(model, body, pair):
    """Depth, closing speed, point and its velocity for every pair; a far pair gets a lower bound of its gap."""
    for c in range(pair.shape[0]):
        i = model.candidate_body[c, 0]
        normal = vec3.load(model.candidate, c, NORMAL)
        axes = vec3.load(model.candidate, c, AXES)
        rotation = mat3.load(body, i, ROTATION)
        spin = vec3.load(body, i, SPIN)
        arm = (0.0, 0.0, 0.0)
        if model.candidate_body[c, 1] == 0:
            arm = mat3.dot(rotation, vec3.load(model.candidate, c, SHAPE_OFFSET))
            rotation = mat3.product(rotation, mat3.load(model.candidate, c, SHAPE_ROTATION))
        height = dot(normal, add(vec3.load(body, i, POSITION), arm)) - model.candidate[c, LEVEL]
        longest = max(axes[0], axes[1], axes[2])
        velocity = vec3.load(body, i, VELOCITY)
        if height > longest:
            pair[c, DEPTH] = longest - height
            pair[c, RATE] = vec3.norm(spin) * (longest + vec3.norm(arm)) - dot(normal, velocity)
            continue
        # deepest point of the ellipsoid: its support point against the normal
        local = mat3.transposed_dot(rotation, normal)
        scaled = (axes[0] * local[0], axes[1] * local[1], axes[2] * local[2])
        reach = vec3.norm(scaled)
        support = (axes[0] * scaled[0], axes[1] * scaled[1], axes[2] * scaled[2])
        lever = axpy(-1.0 / reach, mat3.dot(rotation, support), arm)
        point_velocity = add(velocity, cross(spin, lever))
        pair[c, DEPTH] = reach - height
        pair[c, RATE] = -dot(normal, point_velocity)
        vec3.store(pair, c, POINT, add(vec3.load(body, i, POSITION), lever))
        vec3.store(pair, c, POINT_VELOCITY, point_velocity)


@inlined
def normal_force(depth, rate, stiffness, exponent, number, impact_speed):
    """Normal force [N], its elastic part [N], its slopes by depth [N/m] and by rate [N s/m].

    depth         [m], positive in contact
    rate          closing speed [m/s]
    stiffness     [N/m^exponent]
    number        damping number chi v_ref [-]
    impact_speed  largest closing speed since onset [m/s]
    """
    power = depth ** (exponent - 1.0) if exponent != 1.0 else 1.0
    elastic = stiffness * power * depth
    chi = number / max(impact_speed, rate, LEAST_IMPACT_SPEED)
    factor = 1.0 + chi * rate
    if factor <= 0.0:
        return 0.0, 0.0, 0.0, 0.0
    return elastic * factor, elastic, exponent * stiffness * power * factor, elastic * chi


@inlined
def pair_load(model, work, impact_speed, c, h):
    """Force on the body at the start of a step h [s] and the matrix of the implicit step: force - matrix a.

    With K and C the slopes of the normal force by depth and rate, and D = mu N / |v| the secant of friction:
    force = (N + h K d') n - D v_t,   matrix = h (C + h K) n n' + h D (1 - n n')
    """
    normal = vec3.load(model.candidate, c, NORMAL)
    rate = work.pair[c, RATE]
    stiffness, exponent = model.candidate[c, STIFFNESS_LAW], model.candidate[c, EXPONENT]
    number = model.candidate[c, DAMPING_NUMBER]
    force, elastic, by_depth, by_rate = normal_force(
        work.pair[c, DEPTH], rate, stiffness, exponent, number, impact_speed[c]
    )
    slip = axpy(rate, normal, vec3.load(work.pair, c, POINT_VELOCITY))
    speed = vec3.norm(slip)
    drag = model.candidate[c, FRICTION_LAW] * force / max(speed, model.candidate[c, SLIP_SPEED])
    push = max(0.0, force + h * by_depth * rate)
    along, across = h * (by_rate + h * by_depth), h * drag
    x, y, z = normal
    more = along - across
    matrix = (
        across + more * x * x,
        more * x * y,
        more * x * z,
        across + more * y * y,
        more * y * z,
        across + more * z * z,
    )
    work.pair[c, PAIR_ELASTIC] = elastic
    vec3.store(work.pair, c, PAIR_FORCE, axpy(push, normal, scale(-drag, slip)))
    mat3.store_sym(work.pair, c, PAIR_MATRIX, matrix)


@inner
def remember(work, touching, impact_speed):
    """Update the memory at an accepted state: the largest closing speed of every pair in contact."""
    for c in range(touching.shape[0]):
        if work.pair[c, DEPTH] > 0.0:
            touching[c] = 1
            impact_speed[c] = max(impact_speed[c], work.pair[c, RATE])
        else:
            touching[c] = 0
            impact_speed[c] = 0.0


@inner
def time_to_touch(model, work, touching):
    """Shortest time [s] in which an open pair can close, at the present closing speed and with gravity's help."""
    shortest = 1e300
    g = sqrt(model.gravity[0] ** 2 + model.gravity[1] ** 2 + model.gravity[2] ** 2)
    for c in range(touching.shape[0]):
        gap = -work.pair[c, DEPTH]
        if gap >= 0.0:
            # gap = rate t + g t^2 / 2
            rate = work.pair[c, RATE]
            root = sqrt(rate * rate + 2.0 * g * gap) if g > 0.0 else abs(rate)
            if rate + root > 0.0:
                shortest = min(shortest, 2.0 * gap / (rate + root))
    return shortest


@inlined
def slip_power(normal, force, velocity):
    """Power of the normal part and of the tangential part of a contact force [W]."""
    along = dot(normal, force) * dot(normal, velocity)
    return along, dot(force, velocity) - along


@inlined
def pair_lever(model, work, c):
    """Body of a pair and the vector from its joint point to the contact point [m]."""
    i = model.candidate_body[c, 0]
    return i, sub(vec3.load(work.pair, c, POINT), vec3.load(work.body, i, JOINT_POINT))
