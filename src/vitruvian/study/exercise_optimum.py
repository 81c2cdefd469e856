"""An exercise whose strain in the shank is as large as possible, or a given one, under bounds and limits. SI units.

    exercise = "squat"
    [goal]
    strain = "largest"            # or a number: 400e-6
    [over]
    depth = ["40 deg", "90 deg"]  # [lowest, highest] of what is varied
    [limits]
    ground = { most = 2.5 }

The exercises are those of `EXERCISES`: the driven leg of `squat` and `hop`, whose angles follow from the flexion of the
knee with the foot flat below the hip. Parameters that are not varied keep the value of the ready scenario.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib import resources
from math import sin
from pathlib import Path
from typing import Any

import numpy as np

from ..data.file import read_text
from ..errors import InputError, nearest, shown
from ..model.value import Quantity
from ..scenario import Scenario
from .exercise import exercise, loads
from .optimum import EDGE, FEWEST, HARD, SEARCH, SEARCHES, Limit, read_limits
from .variable import refuse_unknown_word

LARGEST = "largest"
READY = "exercise_goals"  # folder of ready files
THIGH, SHANK = 0.464, 0.421  # lengths of the leg of alnazer2006 [m]
PREPARE, TURN, AFTER = 0.3, 0.4, 0.3  # of a squat: before, at the bottom, after [s]


@dataclass(frozen=True)
class Parameter:
    """A quantity of an exercise that may be varied: dimension, meaning, ready value, ends of what is accepted."""

    dimension: str
    meaning: str
    ready: float
    lowest: float
    highest: float


DEPTH = Parameter("angle", "largest flexion of the knee", np.radians(70.0), np.radians(5.0), np.radians(110.0))
LOAD = Parameter("mass", "carried by the upper body, on this leg", 0.0, 0.0, 60.0)
EXERCISES: dict[str, dict[str, Parameter]] = {
    "squat": {
        "depth": DEPTH,
        "time": Parameter("time", "down, and as long up again", 1.0, 0.15, 5.0),
        "load": LOAD,
    },
    "hop": {
        "depth": Parameter("angle", "flexion of the knee before it", np.radians(60.0), DEPTH.lowest, DEPTH.highest),
        "time": Parameter("time", "of the extension, which sets the height of the hop", 0.2, 0.1, 1.0),
        "landing": Parameter("angle", "flexion of the knee after it", np.radians(50.0), DEPTH.lowest, DEPTH.highest),
        "load": LOAD,
    },
}  # fmt: skip
OUTCOMES = {"ground": "weights", "hip": "N", "knee": "N", "ankle": "N", "bending": "N m"}


@dataclass(frozen=True)
class Plan:
    """A search: exercise, ranges of its parameters, strain (None: the largest), limits of other outcomes."""

    exercise: str
    over: dict[str, tuple[float, float]]
    strain: float | None = None
    limits: tuple[Limit, ...] = ()
    designs: int = 40
    search: str = "differential-evolution"
    seed: int = 0


@dataclass(frozen=True)
class Trial:
    """An exercise that was tried: its parameters, strain [-] and other outcomes; `reason` why it failed."""

    values: dict[str, float]
    strain: float = float("nan")
    outcomes: dict[str, float] = field(default_factory=dict)
    reason: str = ""


@dataclass(frozen=True)
class ExerciseOptimum:
    """The best exercise, the one in the middle of the ranges, and all that were tried."""

    plan: Plan
    best: Trial
    start: Trial
    trials: tuple[Trial, ...]

    @property
    def satisfied(self) -> bool:
        """Whether all limits hold."""
        return violation(self.plan, self.best) == 0.0

    @property
    def at_bound(self) -> tuple[str, ...]:
        """Return the parameters whose best value is at an end of its range."""
        return tuple(
            name
            for name, (low, high) in self.plan.over.items()
            if min(self.best.values[name] - low, high - self.best.values[name]) < EDGE * (high - low)
        )

    def __str__(self) -> str:
        known, shown_as = EXERCISES[self.plan.exercise], {"angle": (180.0 / np.pi, "deg"), "mass": (1.0, "kg")}
        wanted = "largest strain" if self.plan.strain is None else f"strain of {1e6 * self.plan.strain:.0f} microstrain"
        lines = [f"{self.plan.exercise} with the {wanted}, {len(self.trials)} exercises tried"]
        for name, value in self.best.values.items():
            factor, unit = shown_as.get(known[name].dimension, (1.0, "s"))
            lines.append(f"  {name} {factor * value:.4g} {unit} ({known[name].meaning})")
        lines.append(f"  strain {1e6 * self.best.strain:.0f} microstrain; in the middle {1e6 * self.start.strain:.0f}")
        lines += [f"  {name} {value:.4g} {OUTCOMES[name]}" for name, value in self.best.outcomes.items()]
        failed = [trial for trial in self.trials if trial.reason]
        if failed:
            lines.append(f"{len(failed)} exercises could not be run, for example: {failed[0].reason}")
        if not self.satisfied:
            lines.append("No exercise that was tried keeps the limits; this one exceeds them least.")
        if self.at_bound:
            lines.append(
                f"At an end of its range: {', '.join(self.at_bound)}. A wider range may give a better exercise."
            )
        return "\n".join(lines)

    def to_dict(self) -> dict[str, Any]:
        """Return plain values that JSON can hold, in SI."""
        return {
            "exercise": self.plan.exercise, "wanted": LARGEST if self.plan.strain is None else self.plan.strain,
            "values": self.best.values, "strain": self.best.strain, "start": self.start.strain,
            "outcomes": self.best.outcomes, "satisfied": self.satisfied, "at_bound": list(self.at_bound),
            "designs": len(self.trials),
        }  # fmt: skip


def read_plan(file: str | Path) -> Plan:
    """Return the plan of a TOML file, or of a ready one by its name."""
    path = Path(file)
    if path.suffix == ".toml":
        text = read_text(path)
    else:
        ready = {item.name[:-5]: item for item in (resources.files("vitruvian.study") / READY).iterdir()}
        if str(file) not in ready:
            raise InputError(
                f"there is no ready exercise goal {str(file)!r}; there are {', '.join(sorted(ready))}, or give a TOML "
                f"file.{nearest(str(file), sorted(ready))}"
            )
        text = ready[str(file)].read_text(encoding="utf-8")
    try:
        given = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"{file}: {error}") from None
    return _plan(given, str(file))


def _plan(given: Mapping[str, Any], label: str) -> Plan:
    accepted = ("schema", "title", "description", "exercise", "goal", "over", "limits", "designs", "search", "seed")
    if odd := [key for key in given if key not in accepted]:
        raise InputError(f"{label}: there is no key {odd[0]!r}; accepted: {', '.join(accepted)}.")
    name = refuse_unknown_word(given.get("exercise", ""), tuple(EXERCISES), f"{label}: exercise")
    known, goal, over = EXERCISES[name], given.get("goal", {}), given.get("over", {})
    if not isinstance(goal, Mapping) or set(goal) != {"strain"}:
        raise InputError(f'{label}: goal is {shown(goal)}; expected strain = "largest", or a number as 400e-6.')
    wanted = goal["strain"]
    if wanted != LARGEST and not (isinstance(wanted, int | float) and 0.0 < wanted < 0.05):
        raise InputError(
            f'{label}: goal.strain is {shown(wanted)}; accepted: "largest", or a number above 0 below 0.05.'
        )
    if not isinstance(over, Mapping) or not over:
        raise InputError(f"{label}: over is empty; give ranges of {', '.join(known)}, as depth = ['40 deg', '90 deg'].")
    limits = read_limits(given.get("limits", {}), f"{label}: limits")
    for limit in limits:
        refuse_unknown_word(limit.outcome, tuple(OUTCOMES), f"{label}: limits")
    designs = given.get("designs", Plan.designs)
    if not isinstance(designs, int) or designs < FEWEST:
        raise InputError(f"{label}: designs is {shown(designs)}; expected a whole number of at least {FEWEST}.")
    return Plan(
        name,
        {key: _range(known, key, ends, label) for key, ends in over.items()},
        None if wanted == LARGEST else float(wanted),
        tuple(limits),
        designs,
        refuse_unknown_word(given.get("search", Plan.search), SEARCHES, f"{label}: search"),
        int(given.get("seed", 0)),
    )


def _range(known: Mapping[str, Parameter], key: str, ends: Any, label: str) -> tuple[float, float]:
    where = f"{label}: over.{key}"
    refuse_unknown_word(key, tuple(known), f"{label}: over")
    if not isinstance(ends, list) or len(ends) != 2:
        raise InputError(f"{where} is {shown(ends)}; expected [lowest, highest].")
    kind = Quantity(known[key].dimension)
    low, high = (kind.read(end, f"{where}[{k}]") for k, end in enumerate(ends))
    if not known[key].lowest <= low < high <= known[key].highest:
        raise InputError(
            f"{where} is {shown(ends)}; expected a range within {known[key].lowest:.4g} and {known[key].highest:.4g} "
            f"(SI), the lower end first."
        )
    return low, high


def exercise_of(name: str, values: Mapping[str, float]) -> Scenario:
    """Return an exercise with some parameters changed; its shank bends."""
    given = {key: one.ready for key, one in EXERCISES[name].items()} | dict(values)
    base = exercise(name)
    motions, duration = (_squat if name == "squat" else _hop)(given)
    bodies = [dict(body) for body in base.data["body"]]
    for body in bodies:
        if body["name"] == "upper_body":
            body["mass"] = f"{30.0 + given['load']} kg"
    joints = [joint | ({"motion": [motions[joint["name"]]]} if joint["name"] in motions else {})
              for joint in base.data["joint"]]  # fmt: skip
    solver = base.data["solver"] | {"duration": duration}
    words = ", ".join(f"{key} {value:.4g}" for key, value in given.items())
    changed = base.data | {"body": bodies, "joint": joints, "solver": solver, "title": f"{name}: {words} (SI)"}
    return Scenario(changed, name=base.name, label=base.label, folder=base.folder)


def _leg(flexion: float) -> tuple[float, float, float]:
    """Return flexion of hip and knee and dorsiflexion of the ankle [rad] with the foot flat below the hip."""
    low, high = 0.0, flexion
    for _ in range(60):
        hip = 0.5 * (low + high)
        low, high = (hip, high) if THIGH * sin(hip) < SHANK * sin(flexion - hip) else (low, hip)
    return hip, flexion, flexion - hip


def _motions(times: list[float], postures: list[tuple[float, float, float]]) -> dict[str, dict[str, Any]]:
    return {
        joint: {"times": times, "values": [posture[k] for posture in postures], "unit": "rad", "kind": "smooth"}
        for k, joint in enumerate(("hip", "knee", "ankle"))
    }


def _squat(given: Mapping[str, float]) -> tuple[dict[str, dict[str, Any]], float]:
    down, straight, low = given["time"], (0.0, 0.0, 0.0), _leg(given["depth"])
    times = list(np.cumsum([PREPARE, down, TURN, down]).tolist())
    return _motions(times, [straight, low, low, straight]), times[-1] + AFTER


def _hop(given: Mapping[str, float]) -> tuple[dict[str, dict[str, Any]], float]:
    toes = (0.0, 0.0, -np.radians(25.0))
    times = list(np.cumsum([0.1, 0.3, given["time"], 0.04, 0.36, 0.6]).tolist())
    postures = [(0.0, 0.0, 0.0), _leg(given["depth"]), toes, toes, _leg(given["landing"]), (0.0, 0.0, 0.0)]
    return _motions(times, postures), times[-1] + 0.4


def tried(plan: Plan, values: Mapping[str, float]) -> Trial:
    """Run an exercise and return its outcomes; one that cannot be run has a reason."""
    try:
        scenario = exercise_of(plan.exercise, values)
        system = scenario.build()[0]
        result = scenario.run()
    except InputError as error:
        return Trial(dict(values), reason=str(error))
    if result.recording.status != "finished":
        return Trial(dict(values), reason=result.recording.message)
    load = loads(result.recording, system, plan.exercise)
    outcomes = {"ground": load.ground, "bending": load.bending} | {name: load.joints[name] for name in load.joints}
    return Trial(dict(values), load.strain or float("nan"), outcomes)


def violation(plan: Plan, trial: Trial) -> float:
    """Return by how much a trial violates the limits [-]."""
    return sum(limit.violation(trial.outcomes.get(limit.outcome, float("nan"))) for limit in plan.limits)


def optimize_exercise(plan: Plan, progress: Callable[[int, int, int], None] | None = None) -> ExerciseOptimum:
    """Return the exercise with the strain that is looked for."""
    names, trials = list(plan.over), list[Trial]()

    def run(unit: np.ndarray) -> Trial:
        ends = np.array([plan.over[name] for name in names])
        values = ends[:, 0] + np.clip(unit, 0.0, 1.0) * (ends[:, 1] - ends[:, 0])
        trials.append(tried(plan, dict(zip(names, values.tolist(), strict=True))))
        if progress is not None:
            progress(min(len(trials), plan.designs), plan.designs, sum(bool(trial.reason) for trial in trials))
        return trials[-1]

    start = run(np.full(len(names), 0.5))
    size = start.strain if np.isfinite(start.strain) else 1e-4

    def cost(trial: Trial) -> float:
        if not np.isfinite(trial.strain):
            return 2.0 * HARD
        own = -trial.strain / size if plan.strain is None else abs(trial.strain - plan.strain) / plan.strain
        return own + HARD * violation(plan, trial)

    SEARCH[plan.search](
        lambda units: np.array([cost(run(unit)) for unit in np.atleast_2d(units)]), len(names), plan.designs, plan.seed
    )
    best = min(trials, key=cost)
    if not np.isfinite(best.strain):
        raise InputError(f"no {plan.exercise} of these ranges could be run: {best.reason}")
    return ExerciseOptimum(plan, best, start, tuple(trials))
