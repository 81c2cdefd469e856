"""Repeated evaluations in one compiled loop, for bench and verify, so that calls cost no time."""

from ..._jit import kernel
from ...kernels import contact_geometry, dynamics, integrate, kinematics, mat3, nearest, patch, vec3
from ...kernels.contact_law import normal_force


@kernel
def forward_dynamics(model, work, memory, q, v, times):
    """Evaluate kinematics and accelerations many times; return the sum of the first acceleration [m/s2 or rad/s2]."""
    total = 0.0
    for _ in range(times):
        kinematics.forward(model, work.body, q, v, 0.0)
        dynamics.solve(model, work, memory, v, 0.0)
        total += work.vdot[0]
    return total


@kernel
def right_hand_side(model, work, memory, q, v, step, times):
    """Evaluate joint torques, contact and the accelerations of a step [s] many times; return a sum as a check."""
    total = 0.0
    for _ in range(times):
        integrate.begin(model, work, q, v, 0.0)
        dynamics.accelerations(model, work, memory, v, step)
        total += work.vdot[0]
    return total


@kernel
def normal_forces(law_kind, law, l, table_start, table, states, forces):
    """Evaluate the normal force law at many states.

    states  (n, 5): depth [m], rate, speed at onset, largest speed [m/s], largest depth [m]
    forces  (n, 4): force [N], its elastic part [N], its slopes by depth [N/m] and by rate [N s/m]
    """
    for k in range(states.shape[0]):
        depth, rate, onset, impact, peak = states[k, 0], states[k, 1], states[k, 2], states[k, 3], states[k, 4]
        force, elastic, by_depth, by_rate = normal_force(
            law_kind, law, l, table_start, table, depth, rate, onset, impact, peak
        )
        forces[k, 0], forces[k, 1], forces[k, 2], forces[k, 3] = force, elastic, by_depth, by_rate


@kernel
def ellipsoid_depths(pairs, guess, found):
    """Compute the depth of many pairs of ellipsoids.

    pairs  (n, 27): semi-axes [m] and rotation of a, of b, and from the centre of b to that of a [m]
    guess  (n, 3): normals to start from, or zeros
    found  (n, 5): depth [m], normal, evaluations
    """
    for k in range(pairs.shape[0]):
        depth, normal, count = nearest.ellipsoids(
            vec3.load(pairs, k, 0),
            mat3.load(pairs, k, 3),
            vec3.load(pairs, k, 12),
            mat3.load(pairs, k, 15),
            vec3.load(pairs, k, 24),
            vec3.load(guess, k, 0),
        )
        found[k, 0], found[k, 4] = depth, count
        vec3.store(found, k, 1, normal)


@kernel
def convex_depths(shape_kind, shape, a, b, poses, guess, found):
    """Compute the depth of shapes a and b in many poses.

    poses  (n, 21): rotation of a, of b, and from the centre of b to that of a [m]
    guess  (n, 3): normals to start from, or zeros
    found  (n, 8): depth [m], normal, evaluations, and the middle between the nearest points from the centre of b [m]
    """
    for k in range(poses.shape[0]):
        rotation_b = mat3.load(poses, k, 9)
        depth, normal, count = nearest.convex(
            shape_kind,
            shape,
            a,
            b,
            mat3.load(poses, k, 0),
            rotation_b,
            vec3.load(poses, k, 18),
            vec3.load(guess, k, 0),
        )
        found[k, 0], found[k, 4] = depth, count
        vec3.store(found, k, 1, normal)
        vec3.store(found, k, 5, nearest.middle(shape_kind, shape, b, rotation_b, (0.0, 0.0, 0.0), depth, normal))


@kernel
def patch_depths(facet, link, shape_kind, shape, roots, poses, margin, place, found):
    """Compute the depth of shapes in patches: every shape against every root.

    roots   (r,) int: rows of the patches' roots
    poses   (n, 12): rotation and centre [m] of shape k modulo the number of shapes, in the frame of the surface
    margin  gap beyond which a bound is enough [m]
    place   (n, r) int: nearest pieces to start from, or -1; those found
    found   (n, r, 7): depth [m], normal, point [m]
    """
    for k in range(poses.shape[0]):
        for r in range(roots.shape[0]):
            depth, normal, point, place[k, r] = patch.touch(
                facet,
                link,
                shape_kind,
                shape,
                k % shape.shape[0],
                roots[r],
                mat3.load(poses, k, 0),
                vec3.load(poses, k, 9),
                margin,
                place[k, r],
            )
            found[k, r, 0] = depth
            found[k, r, 1], found[k, r, 2], found[k, r, 3] = normal
            found[k, r, 4], found[k, r, 5], found[k, r, 6] = point


@kernel
def pair_geometry(model, body, pair, times):
    """Compute depth, normal, point and velocity of all pairs many times; return the sum of the first depth [m]."""
    total = 0.0
    for _ in range(times):
        contact_geometry.geometry(model, body, pair, contact_geometry.EVER)
        total += pair[0, 0]
    return total
