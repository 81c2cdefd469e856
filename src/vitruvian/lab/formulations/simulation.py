"""Run a mechanism in one formulation, with one stabilisation and one solver. SI units."""

from __future__ import annotations

import time as clock
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np

from ...errors import InputError, SimulationError
from ...model import Configuration, System
from . import kkt
from .catalogue import make
from .formulation import Formulation, Singular
from .mechanism import Mechanism, Motion
from .orientation import Array
from .problem import Dependent, Embedded, Problem
from .solvers import FIXED, integrate, known
from .stabilise import Solution, Stabilisation
from .start import Consistency, consistent
from .task import Tally


@dataclass
class Run:
    """Samples and cost of a run. Rows of bodies are in the order of `bodies`; world axes, SI units.

    status      "finished", "singular" (the coordinates reached a singular position) or "failed"
    violation   largest |C| [m, -] and rate_violation: largest |dC/dt| over the samples
    joint_force, joint_moment   of each joint on its child at the joint point: the multipliers, resistance left out
    """

    bodies: tuple[str, ...]
    joints: tuple[str, ...]
    time: Array  # (P,) [s]
    position: Array  # (P, n, 3) centre of mass [m]
    orientation: Array  # (P, n, 4)
    velocity: Array  # (P, n, 3) [m/s]
    spin: Array  # (P, n, 3) [rad/s]
    joint_force: Array  # (P, joints, 3) [N]
    joint_moment: Array  # (P, joints, 3) [N m]
    violations: Array  # (P, m) C of every joint row
    rate_violations: Array  # (P, m) dC/dt
    energy: Array  # (P,) kinetic energy and potential energy of gravity [J]
    start: Consistency
    status: str
    message: str
    notes: list[str]
    evaluations: int
    steps: int
    corrections: int  # steps after which the stabilisation moved q or v
    jacobians: int
    wall_time: float  # [s]
    formulation: str
    stabilisation: str
    solver: str
    history_time: Array  # (K,) of every step, if requested [s]
    history: Array  # (K, m) C after every step, before its correction

    @property
    def violation(self) -> float:
        """Largest |C| at a sample."""
        return float(abs(self.violations).max()) if self.violations.size else 0.0

    @property
    def rate_violation(self) -> float:
        """Largest |dC/dt| at a sample."""
        return float(abs(self.rate_violations).max()) if self.rate_violations.size else 0.0

    @property
    def finished(self) -> bool:
        """Whether the run reached its end."""
        return self.status == "finished"


@dataclass(frozen=True)
class Options:
    """How a system is run in one of the laboratory's formulations.

    formulation    a name of FORMULATIONS, or a Formulation
    stabilisation  a name (see `stabilise`), or a Stabilisation with its parameters
    linear         linear solver: "sparse", "dense" or "elimination" (eqs 3.80-3.85)
    solver         a name of `solvers`, MATLAB's included
    tolerance      relative [-]; absolute: absolute, a tenth of it unless given
    step           of the fixed-step solvers [s]; max_step: of the others [s]
    samples        number of equal intervals after which poses, reactions and violations are stored, or the times [s] of
                   the samples after the start, the last of which is the duration
    project        whether an inconsistent start is projected
    velocity       body -> velocity of its centre of mass at the start, even if the joints forbid it [m/s]
    history        store the violation after every step, too
    """

    formulation: str | Formulation = "euler-parameters-1"
    stabilisation: str | Stabilisation = "projection"
    linear: str = "sparse"
    solver: str = "DOP853"
    tolerance: float = 1e-10
    absolute: float | None = None
    step: float | None = None
    max_step: float = np.inf
    samples: int | Sequence[float] = 10
    project: bool = True
    velocity: Mapping[str, tuple[float, float, float]] | None = None
    history: bool = False

    def times(self, duration: float) -> Array:
        """Return the times of all samples from zero to the duration [s]."""
        if not 0.0 < duration < np.inf:
            raise InputError(f"duration is {duration} s; it must be greater than zero.")
        equal = isinstance(self.samples, int)
        times = np.linspace(0.0, duration, self.samples + 1) if equal else np.array([0.0, *self.samples])  # type: ignore
        if not ((np.diff(times) > 0.0).all() and times[-1] == duration):
            raise InputError(f"samples must be times that rise from above zero to the duration, {duration} s.")
        return times


_OPTIONS = tuple(item.name for item in fields(Options))


def simulate(
    system: System | Mechanism, start: Configuration | Motion | None = None, *, duration: float, **options: Any
) -> Run:
    """Run a system for a duration [s] in one of the laboratory's formulations.

    options  the fields of `Options`, and those of the formulation: reference="joint", offset="none"
    """
    of_formulation = {name: options.pop(name) for name in list(options) if name not in _OPTIONS}
    chosen = Options(**options)
    times = chosen.times(duration)
    mechanism = system if isinstance(system, Mechanism) else Mechanism(system)
    formulation, treatment = chosen.formulation, chosen.stabilisation
    if not isinstance(formulation, Formulation):
        formulation = make(mechanism, formulation, **of_formulation)
    if not isinstance(treatment, Stabilisation):
        treatment = Stabilisation(treatment)
    motion = start if isinstance(start, Motion) else mechanism.at(start)
    motion = _moved(mechanism, motion, chosen.velocity or {})
    motion, found = consistent(formulation.constraints, motion, project=chosen.project)
    notes = [found.sentence] if max(found.position, found.velocity) > 1e-9 else []
    return _integrated(formulation, treatment, motion, times, chosen, found, notes)


def _integrated(
    formulation: Formulation,
    treatment: Stabilisation,
    motion: Motion,
    times: Array,
    options: Options,
    found: Consistency,
    notes: list[str],
) -> Run:
    """Return the run from a motion through all times [s]; a failure is its status."""
    record, name = _Record(formulation), known(options.solver)
    started, status, message = clock.perf_counter(), "finished", ""
    problem: Problem | None = None
    tally = Tally()
    try:
        q, v = formulation.coordinates(motion)
        rows = _independent(formulation, q, v, notes)
        step = options.step if name in FIXED else None
        solution = Solution(formulation, treatment, kkt.solver(options.linear), rows, step)
        kind = Embedded if "partitioning" in treatment.parts else Dependent
        problem = kind(formulation, solution, q, v)
        if options.history and isinstance(problem, Dependent):
            problem.history = []
        formulation.loads.accept(motion, 0.0)
        tally = integrate(
            problem, name, times, record.keeper(problem), tolerance=options.tolerance, absolute=options.absolute,
            step=options.step, max_step=options.max_step,
        )  # fmt: skip
    except Singular as stop:
        status, message = "singular", stop.reason
    except (SimulationError, np.linalg.LinAlgError, FloatingPointError) as stop:
        status, message = "failed", str(stop)
    past = getattr(problem, "history", None) or []
    return Run(
        bodies=formulation.mechanism.bodies,
        joints=tuple(joint.name for joint in formulation.mechanism.joints),
        time=times[: record.count],
        **record.arrays(),
        start=found,
        status=status,
        message=message,
        notes=notes,
        evaluations=problem.evaluations if problem is not None else 0,
        steps=tally.steps,
        corrections=problem.solution.corrections if problem is not None else 0,
        jacobians=tally.jacobians,
        wall_time=clock.perf_counter() - started,
        formulation=formulation.name,
        stabilisation=treatment.method,
        solver=name,
        history_time=np.array([time for time, _ in past]),
        history=np.array([value for _, value in past]),
    )


def _moved(mechanism: Mechanism, motion: Motion, velocity: Mapping[str, tuple[float, float, float]]) -> Motion:
    """Return a motion in which some bodies have other velocities [m/s]."""
    moved = motion.velocity.copy()
    for body, value in velocity.items():
        moved[mechanism.row(body)] = value
    return replace(motion, velocity=moved)


def _independent(formulation: Formulation, q: Array, v: Array, notes: list[str]) -> Array | None:
    """Return the independent constraint rows, or None if all rows are independent."""
    jacobian = formulation.independent_jacobian(0.0, q, v)
    rows = kkt.independent_rows(jacobian)
    if len(rows) == len(jacobian):
        return None
    left = [formulation.row_label(int(row)) for row in np.setdiff1d(np.arange(len(jacobian)), rows)]
    notes.append(
        f"{len(left)} of {len(jacobian)} constraint rows follow from the others and were left out ({', '.join(left)}); "
        "the motion is the same, but how redundant joints share a load is not determined."
    )
    return rows


class _Record:
    """Samples of a run under way."""

    def __init__(self, formulation: Formulation) -> None:
        self.formulation = formulation
        self.rows: list[tuple[Any, ...]] = []

    @property
    def count(self) -> int:
        return len(self.rows)

    def keeper(self, problem: Problem) -> Any:
        """Return the function that the integrator calls at every sample."""
        formulation, mechanism = self.formulation, self.formulation.mechanism

        def keep(_: int, time: float, y: Array) -> None:
            q, v = problem.full(time, y)
            motion = formulation.motion(q, v)
            joint_rows = formulation.constraints.rows(motion, time)
            multiplier = problem.solution(time, q, v)[1]
            force, moment = formulation.reactions(time, q, v, multiplier)
            energy = mechanism.kinetic(motion) + mechanism.potential(motion)
            pose = (motion.position, motion.orientation, motion.velocity, motion.spin)
            self.rows.append((*pose, force, moment, joint_rows.value, joint_rows.rate, energy))

        return keep

    def arrays(self) -> dict[str, Array]:
        """Return the samples by name."""
        names = (
            "position", "orientation", "velocity", "spin", "joint_force", "joint_moment", "violations",
            "rate_violations", "energy",
        )  # fmt: skip
        if not self.rows:
            return {name: np.zeros((0,)) for name in names}
        return {name: np.array([row[k] for row in self.rows]) for k, name in enumerate(names)}
