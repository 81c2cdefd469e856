"""Energies and momenta of the bodies, from the body table. SI units."""

from .._jit import inner, kernel
from . import mat3, vec3
from .types import LINK_INERTIA, LINK_MASS, POSITION, ROTATION, SPIN, VELOCITY
from .vec3 import axpy, dot, scale


@kernel
def kinetic(model, body):
    """Kinetic energy [J]."""
    total = 0.0
    for i in range(model.joint.shape[0]):
        total += of_body(model, body, i)
    return total


@inner
def of_body(model, body, i):
    """Return the kinetic energy [J] of body i."""
    velocity, spin = vec3.load(body, i, VELOCITY), vec3.load(body, i, SPIN)
    return 0.5 * model.link[i, LINK_MASS] * dot(velocity, velocity) + 0.5 * dot(
        spin, body_spin_momentum(model, body, i)
    )


@kernel
def potential(model, body):
    """Potential energy of gravity [J], zero at the origin."""
    total = 0.0
    gravity = (model.gravity[0], model.gravity[1], model.gravity[2])
    for i in range(model.joint.shape[0]):
        total -= model.link[i, LINK_MASS] * dot(gravity, vec3.load(body, i, POSITION))
    return total


@inner
def body_spin_momentum(model, body, i):
    """Angular momentum of body i about its own centre of mass [kg m2/s]."""
    rotation = mat3.load(body, i, ROTATION)
    local = mat3.transposed_dot(rotation, vec3.load(body, i, SPIN))
    return mat3.dot(rotation, mat3.sym_dot(mat3.load_sym(model.link, i, LINK_INERTIA), local))


@kernel
def centre(model, body):
    """Total mass [kg], centre of mass [m] and its velocity [m/s]."""
    mass, position, velocity = 0.0, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    for i in range(model.joint.shape[0]):
        m = model.link[i, LINK_MASS]
        mass += m
        position = axpy(m, vec3.load(body, i, POSITION), position)
        velocity = axpy(m, vec3.load(body, i, VELOCITY), velocity)
    return mass, scale(1.0 / mass, position), scale(1.0 / mass, velocity)
