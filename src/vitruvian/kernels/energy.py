"""Energies and momenta of the bodies, from the body table. SI units."""

from .._jit import inner, kernel
from . import mat3, vec3
from .layout import body, link
from .vec3 import axpy, dot, scale


@kernel
def kinetic(model, bodies):
    """Kinetic energy [J]."""
    total = 0.0
    for i in range(model.joint.shape[0]):
        total += of_body(model, bodies, i)
    return total


@inner
def of_body(model, bodies, i):
    """Return the kinetic energy [J] of body i."""
    velocity, spin = vec3.load(bodies, i, body.VELOCITY), vec3.load(bodies, i, body.SPIN)
    return 0.5 * model.link[i, link.MASS] * dot(velocity, velocity) + 0.5 * dot(
        spin, body_spin_momentum(model, bodies, i)
    )


@kernel
def potential(model, bodies):
    """Potential energy of gravity [J], zero at the origin."""
    total = 0.0
    gravity = (model.gravity[0], model.gravity[1], model.gravity[2])
    for i in range(model.joint.shape[0]):
        total -= model.link[i, link.MASS] * dot(gravity, vec3.load(bodies, i, body.POSITION))
    return total


@inner
def body_spin_momentum(model, bodies, i):
    """Angular momentum of body i about its own centre of mass [kg m2/s]."""
    rotation = mat3.load(bodies, i, body.ROTATION)
    local = mat3.transposed_dot(rotation, vec3.load(bodies, i, body.SPIN))
    return mat3.dot(rotation, mat3.sym_dot(mat3.load_sym(model.link, i, link.INERTIA), local))


@kernel
def centre(model, bodies):
    """Total mass [kg], centre of mass [m] and its velocity [m/s]."""
    mass, position, velocity = 0.0, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    for i in range(model.joint.shape[0]):
        m = model.link[i, link.MASS]
        mass += m
        position = axpy(m, vec3.load(bodies, i, body.POSITION), position)
        velocity = axpy(m, vec3.load(bodies, i, body.VELOCITY), velocity)
    return mass, scale(1.0 / mass, position), scale(1.0 / mass, velocity)
