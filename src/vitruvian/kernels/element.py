"""Springs between two points and external loads: explicit forces on bodies."""

from .._jit import inner
from . import mat3, table, vec3
from .layout import body, spring, work_class
from .vec3 import add, cross, dot, scale, sub


@inner
def point_motion(work, i, local):
    """Position [m] and velocity [m/s] of a point of body i given in its frame."""
    lever = mat3.dot(mat3.load(work.body, i, body.ROTATION), local)
    return (
        add(vec3.load(work.body, i, body.POSITION), lever),
        add(vec3.load(work.body, i, body.VELOCITY), cross(vec3.load(work.body, i, body.SPIN), lever)),
    )


@inner
def apply(work, i, point, force):
    """Add a force [N] at a world point [m] to body i."""
    vec3.increase(work.body, i, body.FORCE, force)
    vec3.increase(work.body, i, body.MOMENT, cross(sub(point, vec3.load(work.body, i, body.JOINT_POINT)), force))


@inner
def loads(model, work, time):
    """Forces of all springs and external loads at a time [s], and their power [W]."""
    power = work.load_power
    for k in range(power.shape[0]):
        power[k] = 0.0
    for i in range(work.body.shape[0]):
        for k in range(3):
            work.body[i, body.FORCE + k] = 0.0
            work.body[i, body.MOMENT + k] = 0.0
    for s in range(model.spring.shape[0]):
        _spring(model, work, power, s, time)
    for e in range(model.load_body.shape[0]):
        _external(model, work, power, e, time)


@inner
def _spring(model, work, power, s, time):
    """Spring, damper and actuator along the line between two points; the tension pulls them together."""
    a, b = model.spring_body[s, 0], model.spring_body[s, 1]
    point_a, velocity_a = point_motion(work, a, vec3.load(model.spring, s, spring.POINT_A))
    point_b, velocity_b = point_motion(work, b, vec3.load(model.spring, s, spring.POINT_B))
    line = sub(point_b, point_a)
    length = vec3.norm(line)
    direction = scale(1.0 / length, line) if length > 1e-12 else (0.0, 0.0, 0.0)
    stretch_rate = dot(direction, sub(velocity_b, velocity_a))
    elastic = model.spring[s, spring.STIFFNESS] * (length - model.spring[s, spring.LENGTH])
    viscous = model.spring[s, spring.DAMPING] * stretch_rate
    pull = 0.0
    if model.spring_body[s, 2] >= 0:
        pull, _, _ = table.value(model, model.spring_body[s, 2], time)
    if model.spring[s, spring.ROPE] > 0.0:
        elastic = max(0.0, elastic)
        viscous = max(-elastic, viscous) if elastic > 0.0 else 0.0
    force = scale(elastic + viscous + pull, direction)
    apply(work, a, point_a, force)
    apply(work, b, point_b, scale(-1.0, force))
    power[work_class.SPRING_ELASTIC] -= elastic * stretch_rate
    power[work_class.SPRING_DISSIPATED] -= viscous * stretch_rate
    power[work_class.EXTERNAL] -= pull * stretch_rate


@inner
def _external(model, work, power, e, time):
    """A force or moment given by tables, in world or body axes."""
    i = model.load_body[e, 0]
    x, _, _ = table.value(model, model.load_body[e, 3], time)
    y, _, _ = table.value(model, model.load_body[e, 4], time)
    z, _, _ = table.value(model, model.load_body[e, 5], time)
    vector = (x, y, z)
    if model.load_body[e, 2] == 1:
        vector = mat3.dot(mat3.load(work.body, i, body.ROTATION), vector)
    if model.load_body[e, 1] == 1:
        vec3.increase(work.body, i, body.MOMENT, vector)
        power[work_class.EXTERNAL] += dot(vector, vec3.load(work.body, i, body.SPIN))
    else:
        point, velocity = point_motion(work, i, vec3.load(model.load_point, e, 0))
        apply(work, i, point, vector)
        power[work_class.EXTERNAL] += dot(vector, velocity)
