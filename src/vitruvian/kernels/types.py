"""The arrays that the kernels work on. Only `model.compile` and `sim` make them: C-contiguous float64 and int64.

A table has a row for each body (joint, pair ...) and named columns: few arrays with many columns compile and run many
times faster than many arrays. Bodies are numbered parents first; number n_body is the world, a row of its own in
`work.body`, so that roots need no special case. Symmetric matrices are kept as xx, xy, xz, yy, yz, zz.
"""

from itertools import accumulate
from typing import NamedTuple, cast

import numpy as np


def _columns(*sizes: int) -> tuple[int, ...]:
    """First column of each quantity, and the number of all columns.

    As numpy integers: numba would compile a kernel anew for every plain constant that it is called with.
    """
    return tuple(cast(int, np.int64(k)) for k in (0, *accumulate(sizes)))


# --- codes

# axes
X, Y, Z, _ = _columns(1, 1, 1)
# joint types
FREE, SPHERICAL, REVOLUTE, UNIVERSAL, CYLINDRICAL, PRISMATIC, PLANAR, RIGID = range(8)
# shapes
ELLIPSOID, SUM, SUPERELLIPSOID, PLANE, PATCH, STRIP = range(6)
# laws of joint resistance
ROTATION_VECTOR, SWING_TWIST, COORDINATE, CONE, CARDAN_YXZ, CARDAN_XYZ = range(6)
# classes of the energy audit
(
    GRAVITY,
    CONTACT_ELASTIC,
    CONTACT_DISSIPATED,
    FRICTION,
    JOINT_ELASTIC,
    JOINT_DISSIPATED,
    SPRING_ELASTIC,
    SPRING_DISSIPATED,
    EXTERNAL,
    PRESCRIBED,
) = range(10)
N_WORK = 10
# status of a run, see sim.status
(
    RUNNING,
    FINISHED,
    AT_REST,
    CONTACT_STOP,
    CANCELLED,
    STEP_TOO_SMALL,
    DIVERGED,
    TOO_MANY_STEPS,
    PASSED_THROUGH,
    NEARLY_AT_REST,
) = range(10)
# methods
IMPLICIT, SEMI_IMPLICIT_EULER, RK4, DORMAND_PRINCE = range(4)
# events
TOUCH, SEPARATION = range(2)
# contact laws: how the elastic force follows the depth, how it is damped, what the damping number is divided by
POWER, PERMANENT, TABULATED = range(3)
BY_NUMBER, BY_RATE, BY_POWERS = range(3)
LARGEST_SPEED, SPEED_AT_ONSET = range(2)
# friction laws
COULOMB, BRISTLE, STRONGE, SPRING_DAMPER, VISCOUS = range(5)

# --- columns of the model

# model.joint (int): parent body, type, first motion table or -1, first coordinate and velocity and their numbers,
# whether the inertia is diagonal, the joint frames are the body frames, how the joint resists (0: it
# does not; SOFT: its torque is explicit; STIFF: damping and stiffness are implicit; STIFF_BEYOND: only while a limit is
# passed), whether the motion of the body is given (all joints from the world to it are rigid or prescribed)
PARENT, KIND, MOVED, FIRST_Q, FIRST_V, NQ, NV, DIAGONAL, ALIGNED, RESISTS, DRIVEN = range(11)
N_JOINT = 11
SOFT, STIFF, STIFF_BEYOND = 1, 2, 3
# model.link: mass [kg], inertia in the body frame [kg m2], joint point in parent and child [m], joint frame in both
LINK_MASS, LINK_INERTIA, POINT_PARENT, POINT_CHILD, FRAME_PARENT, FRAME_CHILD, N_LINK = _columns(1, 6, 3, 3, 4, 4)
# model.resistance, three components each: limits [rad or m], stiffness inside and beyond them, damping, rest; for a
# swing the rotation to the middle of its range; where each angle wraps round (its seam), the energy there and the width
# of the blend; growth of damping beyond a limit [s/rad], first row of a torque curve or -1; dry torque, its slip speed,
# the angle over which it fades (0: never) and the position from which; first rows of the rim of the swing and of its
# stiffness (-1: a cone), cosine of the least rim; width and torque of a cone; the angle from which the energy blends
# into its value at the singular point of the measure, and that value
(
    LIMIT_MINUS,
    LIMIT_PLUS,
    STIFFNESS_IN,
    STIFFNESS_MINUS,
    STIFFNESS_PLUS,
    VISCOSITY,
    REST,
    CENTRE,
    SEAM,
    SEAM_TOP,
    SEAM_WIDTH,
    LIMIT_DAMPING,
    CURVE,
    DRY,
    DRY_SPEED,
    DRY_FADE,
    DRY_FROM,
    RIM,
    RIM_STIFFNESS,
    RIM_COSINE,
    CONE_WIDTH,
    CONE_TORQUE,
    FENCE,
    FENCE_TOP,
    N_RESISTANCE,
) = _columns(3, 3, 3, 3, 3, 3, 3, 4, 3, 3, 3, 3, 3, 1, 1, 1, 4, 1, 1, 1, 1, 1, 1, 1)
FADE_COSINE = -0.7071067811865476  # of a swing of 135 degrees, from which on the potential of the twist fades
# model.curve, one after the other. The first row of a curve: number of its pieces. A piece: angle from which it holds
# (the first one below it too), energy there, and the cubic polynomial of the torque. A curve without pieces is a sum of
# exponentials: its first row has 0, number of terms, angles beyond which it goes on straight, energy to take off; a
# term A exp(B (a - C)) has A, B, C
CURVE_ANGLE, CURVE_ENERGY, CURVE_TORQUE, N_CURVE = _columns(1, 1, 4)
# model.candidate (int): the shape that touches, the shape that it meets, their law, and whether both bodies answer
# (COUPLED: neither is the world nor driven), and the first row of its group: the patches of one surface against one
# shape are consecutive rows, those of a region too; they share the load, and the memory of the impact speed. Last the
# end of the rows of its region
SHAPE_A, SHAPE_B, PAIR_LAW, COUPLED, GROUP, REGION_END = range(6)
N_CANDIDATE = 6
# columns of model.law_kind (int): codes of the elastic force, of the damping and of the friction; the loading and the
# unloading curve, tables of depth, or -1; whether the force may pull; the speed that divides the damping number
LAW_ELASTIC, LAW_DAMPING, LAW_FRICTION, LAW_CURVE, LAW_UNLOADING, LAW_PULLS, LAW_REFERENCE, N_LAW_KIND = _columns(
    1, 1, 1, 1, 1, 1, 1
)
# columns of model.law
(
    LAW_STIFFNESS,  # k [N/m^n]
    LAW_TISSUE,  # flexibility of a linear tissue in series [m/N]; 0: none, or nothing else gives way
    LAW_EXPONENT,  # n [-]
    LAW_NUMBER,  # damping number chi v_ref [-]
    LAW_CHI,  # damping itself: [N s/m], or chi of chi d^p d'^q [N s^q/m^(p+q)]
    LAW_DEPTH_POWER,  # p [-]
    LAW_RATE_POWER,  # q [-]
    LAW_RAMP,  # depth over which the damping grows to its full size [m]
    LAW_PERMANENT,  # permanent indentation [m], and
    LAW_PERMANENT_SHARE,  # the largest share of the peak depth that it may be [-]
    LAW_UNLOADING_STIFFNESS,  # slope of the way down from the peak of a curve [N/m]; 0: down the way it came up
    LAW_THICKNESS,  # gap at which the force begins [m]
    LAW_MU,  # coefficient of friction [-]
    LAW_SLIP_SPEED,  # below which Coulomb's friction is viscous [m/s]
    LAW_TANGENT_STIFFNESS,  # [N/m]
    LAW_TANGENT_DAMPING,  # [N s/m]
    N_LAW,
) = _columns(1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1)
# columns of model.shape_kind and model.shape; see kernels.support
# model.shape_kind (int): code, body that carries it, whether it is neither moved nor turned in that body; of a patch
# the rows of its root and of the root of its region in model.facet; of a strip FIRST says whether the nearer tangent
# counts
SHAPE, CARRIER, SHAPE_ALIGNED, FIRST, REGION = range(5)
N_SHAPE_KIND = 5
# model.shape: centre in the body frame [m], rotation matrix in it, radius of the bounding sphere about the centre [m],
# radius added all round [m], three triples of semi-axes [m], exponents of the superellipsoid's dual norm and the share
# by which its edges are blended [-]. A plane: PLACE is a point of it, its normal the third column of TURN. A strip:
# PLACE is the start of its line, TURN has the directions along, across and out of it, TERM its length [m]
PLACE, TURN, BOUND, ROUND, TERM, EXPONENT_1, EXPONENT_2, BLEND, N_SHAPE = _columns(3, 9, 1, 1, 9, 1, 1, 1)
# columns of model.facet and model.facet_link, two tables with rows of four kinds; see kernels.patch. A patch is a tree
# of boxes about convex pieces, in depth-first order, and is known by the row of its root
# node: box [m], radius by which the surface is rounded [m], depth to which it is solid [m]; of a root also the mean
# normal of the patch (zero if it closes on itself), and the cosines of the angles between the mean normals of two
# patches of a valley from which on they share no load, and up to which they share all of it
BOX_LOW, BOX_HIGH, ROUNDING, BACKING, MEAN_NORMAL, APART_COSINE, SHARED_COSINE, _ = _columns(3, 3, 1, 1, 3, 1, 1)
# node (int): the next node if this one is skipped; of a leaf the first facet, the first arc and the end of the arcs of
# its piece, else -1; which of -x, x, -y, y, -z, z are normals of all pieces below it, a bit each
SKIP, FACETS, ARCS, ARCS_END, SIDES = range(5)
N_FACET_LINK = 5
# facet: unit normal, n.x of the plane [m]
FACET_NORMAL, FACET_LEVEL, _ = _columns(3, 1)
# arc, an edge and the normals it can have, cos(t) U + sin(t) W: first end [m], U, W, cosine and sine of the largest t,
# number of steps in which it is searched and cosine and sine of one, length along U x W [m]
(
    ARC_POINT,
    ARC_U,
    ARC_W,
    ARC_COS,
    ARC_SIN,
    ARC_STEPS,
    ARC_STEP_COS,
    ARC_STEP_SIN,
    ARC_LENGTH,
    N_FACET,
) = _columns(3, 3, 3, 1, 1, 1, 1, 1, 1)
# arc (int): the corners at both ends or -1
ARC_FIRST, ARC_LAST = range(2)
# corner: its point [m]; the rows that follow have the directions e of its edges: its normals have n.e <= 0
# corner (int): end of these rows
CORNER_END = 0
# model.spring: points on both bodies [m], stiffness [N/m], rest length [m], damping [N s/m], tension only
SPRING_A, SPRING_B, SPRING_STIFFNESS, SPRING_LENGTH, SPRING_DAMPING, SPRING_ROPE, N_SPRING = _columns(3, 3, 1, 1, 1, 1)

# --- columns of the work tables

# work.body, world frame
(
    ROTATION,  # body to world
    ORIENTATION,  # the same as a quaternion
    POSITION,  # of the centre of mass [m]
    VELOCITY,  # [m/s]
    SPIN,  # angular velocity [rad/s]
    JOINT_POINT,  # [m]
    ARM,  # from the joint point to the centre of mass [m]
    OFFSET,  # from the parent's joint point to this one [m]
    BIAS,  # acceleration of the joint point that no unknown makes [m/s2]
    BIAS_SPIN,  # angular acceleration of the same kind, relative to the parent [rad/s2]
    AXIS,  # three directions of freedom: angular part, linear part
    SLIDE,  # relative velocity of the joint point [m/s]
    OWN_INERTIA,  # of the body alone about the joint point [kg m2]
    OWN_FORCE,  # bias wrench of the body alone, weight included [N]
    OWN_MOMENT,  # [N m]
    ELASTIC,  # elastic torque on the child; by coordinate where the joint is not spherical [N m, N]
    DAMPING,  # by axis of the joint frame, or by coordinate [N m s/rad, N s/m]
    STIFFNESS,  # tangent, likewise, for the implicit step
    ENERGY,  # stored in the joint [J]
    FAST,  # 1 where the implicit step takes the joint implicitly in this state
    FORCE,  # explicit applied force (springs, loads) [N]
    MOMENT,  # and its moment about the joint point [N m]
    ANGULAR,  # articulated inertia about the joint point: A
    COUPLING,  # B
    MASS,  # M
    MOMENT_BIAS,  # p_n
    FORCE_BIAS,  # p_f
    GAIN,  # A^-1 B
    PUSH,  # A^-1 (torque - p_n)
    SPREAD,  # A^-1 D of implicit joint damping D
    LEVER,  # I S of joints with axes
    PIVOT,  # (S' I S)^-1 of joints with axes; D of spherical ones
    DRIVE,  # torque - S' p of joints with axes; torque of spherical ones
    ACCEL,  # acceleration of the joint point [m/s2]
    ALPHA,  # angular acceleration [rad/s2]
    INVERSE,  # A^-1 of free and spherical joints, for the response to more forces
    INVERSE_MASS,  # M*^-1 of free ones
    MORE_MOMENT,  # those forces as bias: about the joint point,
    MORE_FORCE,
    MORE_PUSH,  # what they make of PUSH or DRIVE,
    MORE_ACCEL,  # and of the accelerations
    MORE_ALPHA,
    N_BODY,
) = _columns(
    9, 4, 3, 3, 3, 3, 3, 3, 3, 3, 18, 3, 6, 3, 3, 3, 3, 3, 1, 1, 3, 3, 6, 9, 6, 3, 3, 9, 3, 9, 18, 6, 3, 3, 3,
    6, 6, 3, 3, 3, 3, 3
)  # fmt: skip
# work.pair: depth [m], closing speed [m/s], normal out of shape b, contact point [m] and the velocity of body a
# against body b there [m/s], force on body a at the start of the step [N], matrix of the implicit step (force - matrix
# a); normal force of the law, its elastic part [N], its slopes by depth and rate, the energy stored [J]; the share of
# the load [-] and the force along the normal by which shares of regions shift [N]; depth [m] and normal before the
# step, one more than the row of the nearest piece of a region (0: none), 1 where depth and closing speed are bounds
# only, 1 while the pair is in contact since it came in from outside. Of a part of a region: depth [m], normal and
# contact point [m] of the part alone, share in its region [-], the force along that normal by which shares of parts
# shift [N]
(
    DEPTH,
    RATE,
    NORMAL,
    POINT,
    POINT_VELOCITY,
    PAIR_FORCE,
    PAIR_MATRIX,
    PAIR_NORMAL,
    PAIR_ELASTIC,
    BY_DEPTH,
    BY_CLOSING,
    PAIR_STORED,
    LOAD_SHARE,
    REGION_SHIFT,
    DEPTH_BEFORE,
    NORMAL_BEFORE,
    NEAREST,
    FAR,
    ENTERED,
    PART_DEPTH,
    PART_NORMAL,
    PART_POINT,
    PART_SHARE,
    PART_SHIFT,
    N_PAIR,
) = _columns(1, 1, 3, 3, 3, 3, 6, 1, 1, 1, 1, 1, 1, 1, 1, 3, 1, 1, 1, 1, 3, 3, 1, 1)

# layout of `work.out` and `work.mean`: bodies, joints, pairs, powers
OUT_BODY = 6  # acceleration of the centre of mass, angular acceleration
OUT_JOINT = 10  # torque of the resistance, reaction force, whole moment; power lost in the resistance
JOINT_REACTION = 3  # place of force and moment among them
JOINT_LOSS = 9  # place of the last among them
OUT_PAIR = 6  # force on body a; elastic, dissipated and frictional power

# --- columns of the state

# state.memory, one row for each candidate
(
    ONSET_SPEED,  # closing speed at onset, and
    IMPACT_SPEED,  # the largest since [m/s]
    PEAK_DEPTH,  # the largest depth of all [m]
    HELD,  # whether the bristle is measured:
    DEFLECTION,  # its deflection, frame of body b [m], and
    ANCHOR_A,  # the contact point when it was measured, frame of body a and
    ANCHOR_B,  # of body b [m]
    TOUCHES,  # how often it has touched, for the audit:
    FIRST_TIME,  # when first [s], and
    FIRST_SPEED,  # how fast [m/s]
    IMPULSE,  # on body a [N s]
    PEAK_FORCE,  # largest force [N], and
    PEAK_TIME,  # when [s]
    PAIR_WORK,  # done on the bodies so far: elastic, dissipated, friction [J]
    PEAK_STORED,  # largest energy stored in the contact [J]
    FIRST_FORCE,  # largest force of a step in which a contact began [N]
    PULL,  # largest pull of a step, against the normal [N]
    EXCESS_RUB,  # largest friction beyond mu N of a step [N]
    N_MEMORY,
) = _columns(1, 1, 1, 1, 3, 3, 3, 1, 1, 1, 3, 1, 1, 3, 1, 1, 1, 1)
# state.clock
TIME, BEFORE, NEXT_STEP, LAST_STEP, LAST_ERROR, KINETIC_START, REST_SINCE, BALANCE, SLOW_SINCE, SLOWEST = range(10)
N_CLOCK = 10
# state.tally
STEPS, REJECTED, EVALUATIONS, STATUS, CULPRIT, FRESH, PHASE = range(7)
N_TALLY = 7
# state.tally[PHASE]: before the first step, at an accepted state, at the end of a step on trial
NEW_RUN, SETTLED, ON_TRIAL = range(3)

# --- columns of the output

# output.pose: position, orientation, velocity, angular velocity, joint coordinates
POSE_POSITION, POSE_ORIENTATION, POSE_VELOCITY, POSE_SPIN, POSE_JOINT, N_POSE = _columns(3, 4, 3, 3, 3)
# output.scalar and output.wait_scalar: works, then
KINETIC, POTENTIAL, IMBALANCE, N_SCALAR = N_WORK, N_WORK + 1, N_WORK + 2, N_WORK + 3
END, SPAN, N_WAIT = N_SCALAR, N_SCALAR + 1, N_SCALAR + 2
# output.cursor: next pose, next sensor sample, whether a step waits, events so far, next attitude
NEXT_POSE, NEXT_SENSOR, WAITING, EVENTS, NEXT_ATTITUDE = range(5)
N_CURSOR = 5


class Model(NamedTuple):
    """A compiled system; constant during a run."""

    joint: np.ndarray  # (n, N_JOINT) int
    link: np.ndarray  # (n, N_LINK)
    gravity: np.ndarray  # (3,) [m/s2]
    resistance_joint: np.ndarray  # (k, 2) int: child body, law; any number of rows per joint
    resistance: np.ndarray  # (k, N_RESISTANCE)
    curve: np.ndarray  # (rows, N_CURVE) torque over angle, one curve after the other
    candidate: np.ndarray  # (c, N_CANDIDATE) int
    candidate_offset: np.ndarray  # (c,) added to the depth [m]: contact thickness, less the overlap at rest
    shape_kind: np.ndarray  # (s, N_SHAPE_KIND) int
    shape: np.ndarray  # (s, N_SHAPE)
    facet: np.ndarray  # (f, N_FACET) surfaces of facets
    facet_link: np.ndarray  # (f, N_FACET_LINK) int
    law_kind: np.ndarray  # (l, N_LAW_KIND) int
    law: np.ndarray  # (l, N_LAW)
    spring_body: np.ndarray  # (f, 3) int: both bodies, table of the actuator or -1
    spring: np.ndarray  # (f, N_SPRING)
    load_body: np.ndarray  # (l, 6) int: body, moment?, body axes?, three tables
    load_point: np.ndarray  # (l, 3) [m]
    sensor_body: np.ndarray  # (m, 2) int: body, whether the sensor's axes are the body's
    sensor: np.ndarray  # (m, 12): point [m], rotation
    table_start: np.ndarray  # (tables + 1,) int, first row of each function of time
    table: (
        np.ndarray
    )  # (rows, 6): time [s] or depth [m], cubic polynomial from there on, integral up to there; the first
    # row holds before the first knot
    schedule: np.ndarray  # (k,) times at which a step must end, increasing [s]


class Smooth(NamedTuple):
    """The smooth part of the state."""

    q: np.ndarray  # coordinates
    v: np.ndarray  # velocities
    work: np.ndarray  # (N_WORK + n,) work done so far by each class of load, then energy lost in each joint [J]


class State(NamedTuple):
    """Smooth part, memory and clock."""

    now: Smooth
    touching: np.ndarray  # (c,) int, 1 while a pair is in contact
    memory: np.ndarray  # (c, N_MEMORY) of the contacts; constant during a step
    clock: np.ndarray  # (N_CLOCK,)
    tally: np.ndarray  # (N_TALLY,) int


class Work(NamedTuple):
    """Scratch, filled anew at every evaluation."""

    body: np.ndarray  # (n + 1, N_BODY)
    pair: np.ndarray  # (c, N_PAIR)
    load_power: np.ndarray  # (N_WORK,) power of springs and external loads [W]
    vdot: np.ndarray  # (nv,) accelerations of the velocities
    out: np.ndarray  # what one evaluation gives, as one flat row
    mean: np.ndarray  # the same, averaged over the step
    error: np.ndarray  # (6 n,) difference of body accelerations between two orders, over the step
    stage_q: np.ndarray  # (9, nq) room for the integrators
    stage_v: np.ndarray  # (9, nv)
    coupled: np.ndarray  # (k,) int: the coupled pairs in contact
    schur: np.ndarray  # (3 k, 3 k + 1) accelerations at them by forces at them; the last column: the right-hand side


class Output(NamedTuple):
    """Samples, and the one step that waits to be sampled until the next is known."""

    pose_time: np.ndarray  # (P,) [s]
    pose: np.ndarray  # (P, n, N_POSE)
    loads: np.ndarray  # (P, len(out)) accelerations, joint loads, contact forces, powers
    depth: np.ndarray  # (P, c) [m]
    joint_energy: np.ndarray  # (P, n, 2) stored and lost in each joint [J]
    point: np.ndarray  # (P, c, 3) contact point [m], nan where there is a gap
    scalar: np.ndarray  # (P, N_SCALAR)
    time: np.ndarray  # (N,) [s]
    sensor: np.ndarray  # (N, m, 12): acceleration world; acceleration, angular velocity and acceleration in sensor axes
    load_cell: np.ndarray  # (N, 6 l) float32: force and moment of joints on their children, world axes
    attitude: np.ndarray  # (N, n, 4) float32: orientation of every body
    event: np.ndarray  # (E, 4): time, kind, pair, speed
    cursor: np.ndarray  # (N_CURSOR,) int
    column: np.ndarray  # (6 m + 6 l,) int: the columns of the means that sensors and load cells integrate
    level: np.ndarray  # (6 m + 6 l,) their means over the waiting step, and
    slope: np.ndarray  # (6 m + 6 l,) their slopes inside it
    sum: np.ndarray  # (6 m + 6 l,) their integrals since the last edge
    sample: np.ndarray  # (6 m + 6 l,) their means over the sampling interval
    edge: np.ndarray  # (1,) end of the last sampling interval of the sensors [s]
    body: np.ndarray  # (n + 1, N_BODY) table for the poses that are sampled
    row_q: np.ndarray  # (3, nq) and
    row_v: np.ndarray  # (nv,): room for interpolation
    wait_q: np.ndarray  # (2, nq) at the start and the end of the waiting step
    wait_v: np.ndarray  # (2, nv)
    wait_pair: np.ndarray  # (2, c, 5) depth [m], closing speed [m/s] and point [m] of every pair
    wait_scalar: np.ndarray  # (2, N_WAIT)
    wait_loss: np.ndarray  # (2, n) energy lost in each joint [J]
    wait_sensor: np.ndarray  # (3, n, 7) orientation and angular velocity of all bodies; the third: end of the next step
    wait_mean: np.ndarray  # (2, len(out)) of the step before the waiting one, and of the waiting one


class Settings(NamedTuple):
    """What the user chose."""

    method: int
    adaptive: int
    end: float  # [s]
    tolerance: float  # [-]
    step: float  # first step, or the fixed one [s]
    min_step: float  # [s]
    max_step: float  # [s]
    contact_step: float  # longest step while anything touches [s]
    max_steps: int
    stop_at_rest: int
    stop_pair_body: int  # body whose first contact ends the run, or -1
    reject_every: int  # for testing: reject every k-th step once; 0 for none
