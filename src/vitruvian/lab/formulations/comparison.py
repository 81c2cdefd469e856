"""Compare every formulation of the laboratory with the engine on one model. SI units."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from ...errors import InputError
from ...model import Configuration, System
from ...model.compile import compile_system
from ...scenario import Scenario
from ..example_system import ends, evaluate
from . import FORMULATIONS, Mechanism, Stabilisation, simulate
from .catalogue import applies
from .orientation import angle_between

AGREEMENT = 1e-8  # relative difference of what keeps the constraints, at tolerance 1e-10 [-]
TOLERANCE = 1e-10
#: of penalty rows at the tightest: in free-flight-17 1e-10 takes 57282 evaluations, 1e-7 1026, and both are 6e-8 off
PENALTY_TOLERANCE = 1e-7
#: duration of the comparison of ready scenarios [s]: the double pendulum is chaotic
DURATION = {"pendulum": 2.5, "double-pendulum": 1.0}
LONGEST = 0.5  # of other scenarios [s]
#: time after the first contact up to which formulations are judged [s]. The friction memory is updated once a step, at
#: any order of the integrator: with steps of 6 us in fall-4m formulation 3 is off by 8e-9 rad after 0.5 ms and by 8e-8
#: rad after 1.1 ms
AFTER_CONTACT = 0.25e-3
SAMPLES, CONTACT_STEP = 5, 1e-5  # samples up to the end or the first touch and as many after it; longest step there [s]
#: stabilisations that are shown with the first formulation; those that keep the constraints to rounding must agree
EXACT = ("projection", "augmented-lagrangian", "partitioning")
OTHERS = ("augmented-lagrangian", "partitioning", "direct", "baumgarte", "penalty", "none")

Progress = Callable[[str, int, int], None]


@dataclass(frozen=True)
class Row:
    """One run compared with the engine.

    position      largest difference of a centre of mass over the size of the motion [-]
    orientation   largest angle between the orientations of a body [rad]
    reaction      largest difference of a joint force at the start over the largest joint force [-]
    violation     largest |C| [m, -]
    must_agree    whether a difference beyond AGREEMENT is a failure
    """

    formulation: str
    stabilisation: str
    solver: str
    linear: str
    position: float
    orientation: float
    reaction: float
    violation: float
    evaluations: int
    wall_time: float
    status: str
    note: str
    must_agree: bool

    @property
    def failed(self) -> bool:
        """Whether the run must agree with the engine and does not."""
        return self.must_agree and not max(self.position, self.orientation) <= AGREEMENT


@dataclass(frozen=True)
class Reference:
    """Answer of the engine: poses at the sampled times, and joint forces at the start."""

    time: np.ndarray
    position: np.ndarray  # (P, n, 3)
    orientation: np.ndarray  # (P, n, 4)
    joint_force: dict[str, np.ndarray]
    wall_time: float
    evaluations: int
    touch: float | None = None  # first touch of a shape and a surface [s]

    @property
    def size(self) -> float:
        """Largest distance between two places of centres of mass in the motion [m]."""
        flat = self.position.reshape(-1, 3)
        return max(float(np.linalg.norm(flat.max(axis=0) - flat.min(axis=0))), 1e-3)

    @property
    def steps(self) -> np.ndarray:
        """Times at which formulations end a step [s]: the samples, and in contact every CONTACT_STEP between them."""
        free = np.inf if self.touch is None else self.touch
        counts = [
            1 if begin < free else int(np.ceil((end - begin) / CONTACT_STEP)) for begin, end in pairwise(self.time)
        ]
        spans = zip(pairwise(self.time), counts, strict=True)
        return np.concatenate([np.linspace(begin, end, count + 1)[1:] for (begin, end), count in spans])

    def apart(self, sample: int, position: np.ndarray, orientation: np.ndarray) -> tuple[float, float]:
        """Return how far poses are from those of a sample: positions over the size [-], and the largest angle [rad]."""
        off = np.linalg.norm(position - self.position[sample], axis=-1).max()
        return float(off / self.size), float(angle_between(orientation, self.orientation[sample]).max())


def reference(system: System, start: Configuration, duration: float, samples: int = SAMPLES) -> Reference:
    """Return the engine's answer with very small steps, each sample at the end of a run of its own.

    The samples end AFTER_CONTACT after the first touch, however long the duration [s].
    """
    compiled = compile_system(system)
    touching = bool(len(compiled.pairs))
    options: dict[str, Any] = {"method": "dormand-prince", "tolerance": 1e-11 if touching else 1e-13}
    options |= {"max_step": 0.01, "contact_step": CONTACT_STEP}
    whole = ends(compiled, start, duration, **options)
    touch = next((event.time for event in whole.events if event.kind == "touch"), None)
    times = np.linspace(0.0, duration, samples + 1)
    if touch is not None:
        last = np.linspace(touch, min(duration, touch + AFTER_CONTACT), samples + 1)
        times = np.unique(np.append(np.linspace(0.0, touch, samples + 1), last))
    runs = [ends(compiled, start, float(end), **options) for end in times[1:]]
    bad = [run for run in runs if run.status != "finished"]
    if bad:
        raise InputError(f"the engine itself does not reach {bad[0].end_time:.4g} s: {bad[0].message}")
    first, last_run = runs[0], runs[-1]
    return Reference(
        times,
        np.array([first.position[0], *(run.position[-1] for run in runs)]),
        np.array([first.orientation[0], *(run.orientation[-1] for run in runs)]),
        dict(zip(compiled.joints, evaluate(compiled, start).joint_force, strict=True)),
        last_run.wall_time,
        last_run.evaluations,
        touch,
    )


def scene(name: str, duration: float | None = None) -> tuple[System, Configuration, float]:
    """Return system, start and the time over which formulations are compared [s]."""
    scenario = Scenario.load(name)
    system, start = scenario.build()
    length = duration or min(DURATION.get(scenario.name, LONGEST), scenario.table.solver.duration or LONGEST)
    if duration is None and system.surfaces:
        run = ends(system, start, min(5.0, scenario.table.solver.duration or 5.0), stop=None)
        touches = [event.time for event in run.events if event.kind == "touch"]
        if touches:
            length = touches[0] + AFTER_CONTACT
    return system, start, float(length)


@dataclass(frozen=True)
class Options:
    """Options of a comparison of formulations.

    tolerance       relative, of the integrator [-]
    solver          its name, MATLAB's included
    formulations    only these; None: all that apply
    stabilisations  only these; None: projection with all formulations, all others with the first formulation
    linear          linear solver: "sparse", "dense" or "elimination"
    project         whether an inconsistent start is made consistent
    progress        called before each run with its name, the number of finished runs and the number of all runs
    """

    tolerance: float = TOLERANCE
    solver: str = "DOP853"
    formulations: list[str] | None = None
    stabilisations: list[str] | None = None
    linear: str = "sparse"
    project: bool = True
    progress: Progress | None = None


def run(name: str, *, duration: float | None = None, **options: Any) -> tuple[Reference, list[Row]]:
    """Return the engine's answer and a row for every run of a scenario.

    duration  [s]; None: that of `scene`
    options   the fields of `Options`
    """
    return of_system(*scene(name, duration), **options)


def of_system(system: System, start: Configuration, duration: float, **options: Any) -> tuple[Reference, list[Row]]:
    """Return the engine's answer and a row for every run of a system over a duration [s].

    options  the fields of `Options`
    """
    chosen = Options(**options)
    mechanism = Mechanism(system)
    wanted = list(_pairs(mechanism, chosen.formulations, chosen.stabilisations))
    known = reference(system, start, duration)
    rows = []
    for number, (formulation, stabilisation) in enumerate(wanted):
        if chosen.progress is not None:
            chosen.progress(f"{formulation}, {stabilisation}", number, len(wanted))
        rows.append(_row(mechanism, start, known, formulation, stabilisation, chosen))
    return known, rows


def _pairs(
    mechanism: Mechanism, formulations: list[str] | None, stabilisations: list[str] | None
) -> Iterator[tuple[str, str]]:
    """Yield formulation and stabilisation of every run: all formulations with projection, the first with all others."""
    names = formulations or [name for name in FORMULATIONS if not applies(mechanism, name)]
    for name in names:
        for stabilisation in stabilisations or ["projection"]:
            yield name, stabilisation
    if formulations is None and stabilisations is None:
        for stabilisation in OTHERS:
            yield names[0], stabilisation


def _row(
    mechanism: Mechanism, start: Configuration, known: Reference, formulation: str, stabilisation: str, options: Options
) -> Row:
    treatment = Stabilisation(stabilisation)
    loosened = "penalty" in treatment.parts and options.tolerance < PENALTY_TOLERANCE
    found = simulate(
        mechanism, start, duration=float(known.time[-1]), formulation=formulation, stabilisation=treatment,
        solver=options.solver, tolerance=PENALTY_TOLERANCE if loosened else options.tolerance,
        linear=options.linear, project=options.project, samples=known.steps.tolist(),
    )  # fmt: skip
    count = len(found.time)
    position = orientation = reaction = float("nan")
    if count > 1:
        rows = np.searchsorted(found.time, known.time[known.time <= found.time[-1]])
        each = [known.apart(k, found.position[row], found.orientation[row]) for k, row in enumerate(rows)]
        position, orientation = (max(pair) for pair in zip(*each, strict=True))
    if count and found.joints:
        forces = np.array([known.joint_force[name] for name in found.joints])
        scale = max(float(abs(forces).max()), 1e-9)
        reaction = float(abs(found.joint_force[0] - forces).max() / scale)
    notes = [found.message, *found.notes]
    if loosened:
        notes.append(f"run at the tolerance {PENALTY_TOLERANCE:g}.")
    exact = any(part in EXACT for part in treatment.parts) and found.status != "singular"
    return Row(
        found.formulation, stabilisation, found.solver, options.linear, position, orientation, reaction,
        found.violation, found.evaluations, found.wall_time, found.status, " ".join(notes).strip(),
        exact and options.tolerance <= TOLERANCE and options.project,
    )  # fmt: skip
