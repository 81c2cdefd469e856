"""The arrays that the kernels work on. Only `model.compile` and `sim` make them: C-contiguous float64 and int64.

A table has a row for each body (joint, pair ...) and named columns (`kernels.layout`): few arrays with many columns
compile and run many times faster than many arrays. Bodies are numbered parents first; number n_body is the world, a
row of its own in `work.body`, so that roots need no special case.
"""

from typing import NamedTuple

import numpy as np


class Model(NamedTuple):
    """A compiled system; constant during a run."""

    joint: np.ndarray  # (n, joint.COUNT) int
    link: np.ndarray  # (n, link.COUNT)
    gravity: np.ndarray  # (3,) [m/s2]
    resistance_joint: np.ndarray  # (k, 2) int: child body, law; any number of rows per joint
    resistance: np.ndarray  # (k, resistance.COUNT)
    tone_joint: np.ndarray  # (h, 2) int: child body of a joint that muscles hold, person
    tone: np.ndarray  # (h, tone.COUNT)
    tone_person: np.ndarray  # (p, tone.PERSON_COUNT)
    alarm: np.ndarray  # (c, 2) int: people whose muscles let go when the pair touches, or -1
    curve: np.ndarray  # (rows, curve.COUNT) torque over angle, one curve after the other
    tendon_joint: np.ndarray  # (t, 2) int: child bodies of the joints that a passive muscle crosses; -1 for no second
    tendon: np.ndarray  # (t, tendon.COUNT)
    candidate: np.ndarray  # (c, candidate.COUNT) int
    candidate_offset: np.ndarray  # (c,) added to the depth [m]: contact thickness, less the overlap at rest
    common_pair: np.ndarray  # (e, common.COUNT) int: neighbours that meet one surface
    common: np.ndarray  # (e,) share of their tissue that they have in common [-]
    bone: np.ndarray  # (b, bone.COUNT) bones that break under a contact
    shape_kind: np.ndarray  # (s, shape_kind.COUNT) int
    shape: np.ndarray  # (s, shape.COUNT)
    facet: np.ndarray  # (f, facet.COUNT) surfaces of facets
    facet_link: np.ndarray  # (f, facet.LINK_COUNT) int
    law_kind: np.ndarray  # (l, law_kind.COUNT) int
    law: np.ndarray  # (l, law.COUNT)
    spring_body: np.ndarray  # (f, 3) int: both bodies, table of the actuator or -1
    spring: np.ndarray  # (f, spring.COUNT)
    load_body: np.ndarray  # (l, 6) int: body, moment?, body axes?, three tables
    load_point: np.ndarray  # (l, 3) [m]
    sensor_body: np.ndarray  # (m, 2) int: body, whether the sensor's axes are the body's
    sensor: np.ndarray  # (m, 12): point [m], rotation
    table_start: np.ndarray  # (tables + 1,) int, first row of each function of time
    table: (
        np.ndarray
    )  # (rows, 6): time [s] or depth [m], cubic polynomial from there on, integral up to there; the first
    # row holds before the first knot
    closure_body: np.ndarray  # (L, closure.BODY_COUNT) int: joints that close loops
    closure: np.ndarray  # (L, closure.COUNT)
    equation: np.ndarray  # (r, equation.INT_COUNT) int: their constraint equations
    belt_kind: np.ndarray  # (b, belt.KIND_COUNT) int: pieces of webbing
    belt: np.ndarray  # (b, belt.COUNT)
    waypoint_kind: np.ndarray  # (w, waypoint.KIND_COUNT) int: their places, one belt after the other
    waypoint: np.ndarray  # (w, waypoint.COUNT)
    muscle_kind: np.ndarray  # (m, muscle.KIND_COUNT) int
    muscle: np.ndarray  # (m, muscle.COUNT)
    via_kind: np.ndarray  # (p, via.KIND_COUNT) int: the points of their paths, one muscle after the other
    via: np.ndarray  # (p, via.COUNT)
    airbag_kind: np.ndarray  # (g, airbag.KIND_COUNT) int: airbags
    airbag: np.ndarray  # (g, airbag.COUNT)
    dip_kind: np.ndarray  # (d, dip.KIND_COUNT) int: segments that may dip into them
    dip: np.ndarray  # (d, dip.COUNT)
    path: (
        np.ndarray
    )  # (k,) int: bodies of coupled contacts, loops, webbing and muscles, all to the world, parents first
    schedule: np.ndarray  # (k,) times at which a step must end, increasing [s]
    flexible: np.ndarray  # (f, flexible.COUNT) int: bodies that bend; their modes are the last coordinates
    mode_stiffness: np.ndarray  # (N, m) a row for each mode, a column for each mode of the same body
    mode_damping: np.ndarray  # (N, m)
    mode_mass: np.ndarray  # (N, m) inertia of the stations that are alone by their displacement, which is constant
    mode_stiffening: np.ndarray  # (N, m, 6) stiffness by the products of the angular velocity, body axes
    station: np.ndarray  # (s, m, 6) of each modal joint: rotation vector and displacement of the child by each mode
    ride: np.ndarray  # (r, 3) int: station that goes where it is touched, its first row along the body, their number
    ride_line: np.ndarray  # (r, 9) start and end of that line, and where the station is [m], frame of the parent


class Smooth(NamedTuple):
    """The smooth part of the state."""

    q: np.ndarray  # coordinates of the joints, then lengths of fibres along elastic tendons
    v: np.ndarray  # velocities
    work: (
        np.ndarray
    )  # (work_class.COUNT + n,) work done so far by each class of load, then energy lost in each joint [J]


class State(NamedTuple):
    """Smooth part, memory and clock."""

    now: Smooth
    touching: np.ndarray  # (c,) int, 1 while a pair is in contact
    memory: np.ndarray  # (c, history.COUNT) of the contacts; constant during a step
    clock: np.ndarray  # (clock.COUNT,)
    tally: np.ndarray  # (tally.COUNT,) int
    tone: np.ndarray  # (p,) when the muscles of each person let go [s]
    closed: np.ndarray  # (r,) int: state of each constraint equation of the loops (`layout.equation`)
    sound: np.ndarray  # (k, 6) share of each joint resistance that has not failed: minus x, y, z, plus x, y, z [-]
    web: np.ndarray  # (w, web.COUNT) memory of webbing; constant during a step
    bone: np.ndarray  # (b, bone.MEMORY_COUNT) state of the bones; constant during a step
    gas: np.ndarray  # (g, gas.COUNT) memory of airbags; constant during a step
    shaft: np.ndarray  # (f, shaft.MEMORY_COUNT) memory of bodies that bend; constant during a step


class Work(NamedTuple):
    """Scratch, filled anew at every evaluation."""

    body: np.ndarray  # (n + 1, body.COUNT)
    pair: np.ndarray  # (c, pair.COUNT)
    load_power: np.ndarray  # (work_class.COUNT,) power of springs and external loads [W]
    vdot: np.ndarray  # (nv,) accelerations of the velocities
    out: np.ndarray  # what one evaluation gives, as one flat row
    mean: np.ndarray  # the same, averaged over the step
    error: np.ndarray  # (6 n,) difference of body accelerations between two orders, over the step
    stage_q: np.ndarray  # (9, nq) buffers of the integrators
    stage_v: np.ndarray  # (9, nv)
    coupled: np.ndarray  # (k,) int: the coupled pairs in contact
    schur: (
        np.ndarray
    )  # (n, n + 1), n = 3 k + r + w + m: accelerations at them, at loops, webbing, muscles by loads there; right side
    reply: np.ndarray  # (r, n + 1, reply.COUNT) what a unit load along each equation of the loops makes at every joint
    tone: np.ndarray  # (p,): as in State
    closed: np.ndarray  # (r,) int: as in State
    sound: np.ndarray  # (k, 6): as in State
    bone: np.ndarray  # (b,) share of the resistance of each bone that is left [-]
    equation: np.ndarray  # (r, equation.COUNT) constraint equations of the loops in this state
    web: np.ndarray  # (w, web.COUNT) as in State
    strand: np.ndarray  # (w, strand.COUNT) webbing in this state
    stiff: np.ndarray  # (w, w) derivatives of its tensions by its lengths [N/m]
    give: np.ndarray  # (w, w) and by slip at its waypoints [N/m]
    feed: np.ndarray  # (w, w) derivatives of its lengths without force by slip [-]
    pull: np.ndarray  # (m, pull.COUNT) muscles in this state
    course: np.ndarray  # (p, course.COUNT) their paths
    mode: np.ndarray  # (N, mode.COUNT) modes of bodies that bend
    mode_stiffness: np.ndarray  # (N, m) with what turning adds
    mode_matrix: np.ndarray  # (N, m) the matrix of their second rates, then its factor
    mode_mass: np.ndarray  # (N, m) the part of it that no step changes
    station: np.ndarray  # (s, m, 6) directions of the stations by mode, world axes
    gas: np.ndarray  # (g, gas.COUNT) as in State
    bag: np.ndarray  # (g, bag.COUNT) airbags in this state
    dip: np.ndarray  # (d, dip.WORK_COUNT) segments in them


class Output(NamedTuple):
    """Samples, and the one step that waits to be sampled until the next is known."""

    pose_time: np.ndarray  # (P,) [s]
    pose: np.ndarray  # (P, n, pose.COUNT)
    loads: np.ndarray  # (P, len(out)) accelerations, joint loads, contact forces, powers
    depth: np.ndarray  # (P, c) [m]
    joint_energy: np.ndarray  # (P, n, 2) stored and lost in each joint [J]
    point: np.ndarray  # (P, c, 3) contact point [m], nan where there is a gap
    scalar: np.ndarray  # (P, scalar.COUNT)
    time: np.ndarray  # (N,) [s]
    sensor: np.ndarray  # (N, m, 12): acceleration world; acceleration, angular velocity and acceleration in sensor axes
    load_cell: np.ndarray  # (N, 6 l) float32: force and moment of joints on their children, world axes
    attitude: np.ndarray  # (N, n, 4) float32: orientation of every body
    event: np.ndarray  # (E, 4): time, kind, pair, speed
    cursor: np.ndarray  # (cursor.COUNT,) int
    column: np.ndarray  # (6 m + 6 l,) int: the columns of the means that sensors and load cells integrate
    level: np.ndarray  # (6 m + 6 l,) their means over the waiting step, and
    slope: np.ndarray  # (6 m + 6 l,) their slopes inside it
    sum: np.ndarray  # (6 m + 6 l,) their integrals since the last edge
    sample: np.ndarray  # (6 m + 6 l,) their means over the sampling interval
    edge: np.ndarray  # (1,) end of the last sampling interval of the sensors [s]
    body: np.ndarray  # (n + 1, body.COUNT) table for the poses that are sampled
    row_q: np.ndarray  # (3, nq) and
    row_v: np.ndarray  # (nv,): buffers for interpolation
    wait_q: np.ndarray  # (2, nq) at the start and the end of the waiting step
    wait_v: np.ndarray  # (2, nv)
    wait_pair: np.ndarray  # (2, c, 5) depth [m], closing speed [m/s] and point [m] of every pair
    wait_scalar: np.ndarray  # (2, scalar.WAIT_COUNT)
    wait_loss: np.ndarray  # (2, n) energy lost in each joint [J]
    wait_sound: np.ndarray  # (3, r, 6) sound shares of the resistances at both ends, and at a sample between them [-]
    wait_sensor: np.ndarray  # (3, n, 7) orientation and angular velocity of all bodies; the third: end of the next step
    wait_mean: np.ndarray  # (2, len(out)) of the step before the waiting one, and of the waiting one


class Settings(NamedTuple):
    """Settings of the solver."""

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
