"""Printed cases of section 3.4 of the thesis, and their runs: a pendulum and a double pendulum. SI units."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ...model import Body, Configuration, Joint, System, ellipsoid_inertia
from ..formulations import Run, Stabilisation, simulate

AXES = (0.6, 0.4, 0.2)  # semi-axes [m]; the thesis does not state whether it means them or full axes (ERRATA E023)
DURATION = 5.0  # [s]
UNSTABLE = 0.5  # violation beyond which we call a run not stable [m]: nearly half a body
ACTING = 1e-5  # tolerance at which the correction acts in Tables 3.5 and 3.9: the coarse end of Yu's range (3.3.2)


@dataclass(frozen=True)
class Case:
    """A row of the thesis: alpha [1/s], tolerance of the correction, printed results, speeds of the bodies [m/s]."""

    alpha: float
    tolerance: float | None
    stable: str
    violation: float | None
    cpu: float | None
    speed: tuple[float, ...] = (0.0,)


ALPHAS = (0.0, 1.0, 5.0, 10.0, 50.0, 100.0, 1000.0)


def _cases(alphas: Any, tolerances: Any, stable: str, violations: Any, times: Any) -> tuple[Case, ...]:
    words = [("no" if mark == "n" else "yes") for mark in stable]
    return tuple(Case(*row) for row in zip(alphas, tolerances, words, violations, times, strict=True))


TOLERANCES = (1e-3, 1e-2, 1e-1, 5e-1, 1.0)
TABLES: dict[str, tuple[int, tuple[Case, ...]]] = {
    "3.3": (1, _cases(ALPHAS, (None,) * 7, "y" * 7, (0.03, 6e-4, 1.2e-4, 6e-5, 7e-5, 8e-6, 5e-6),
                      (0.157, 0.149, 0.164, 0.155, 0.297, 0.450, 2.2))),
    "3.4": (1, _cases((0.0,) * 5, TOLERANCES, "yynnn", (0.07, 0.015, 0.08, 0.03, 0.03),
                      (0.179, 0.164, 0.154, 0.141, 0.134))),
    "3.5": (1, _cases(ALPHAS[1:], (1e-2,) * 6, "y" * 6, (1.5e-3, 5e-3, 1.2e-4, 1.5e-5, 7e-6, 3e-4),
                      (0.169, 0.191, 0.231, 0.436, 0.804, 8.789))),
    "3.7": (2, _cases(ALPHAS, (None,) * 7, "y" * 7, (1.6e-3, 7e-5, 7e-5, 2.4e-5, 1e-5, 9e-6, 8e-6),
                      (0.31, 0.319, 0.322, 0.317, 0.587, 0.956, 5.12))),
    "3.8": (2, _cases((0.0,) * 5, TOLERANCES, "y" * 5, (4e-4, 2e-4, 4e-4, 1.6e-3, 1.6e-3),
                      (0.481, 0.419, 0.361, 0.342, 0.316))),
    "3.9": (2, _cases(ALPHAS[1:], (1e-1,) * 6, "y" * 6, (1e-3, 6e-4, 1.2e-5, 6e-6, 3e-6, 1.2e-6),
                      (0.331, 0.337, 0.401, 0.743, 1.091, 5.124))),
}  # fmt: skip
#: Table 3.10: speed of both bodies, alpha, tolerance, stable, violation
MOVING = tuple(
    Case(alpha, tolerance, stable, violation, None, speed)
    for speed, alpha, tolerance, stable, violation in (
        ((0.1, 0.0), 0.0, None, "no", None), ((0.1, 0.0), 1.0, None, "yes", 3e-2),
        ((0.5, 0.0), 1.0, None, "yes", 1.6e-1), ((1.0, 0.0), 1.0, None, "no", None),
        ((0.1, 0.0), 0.0, 1e-1, "no", None), ((0.1, 0.0), 1.0, 1e-1, "no", None),
        ((0.5, 0.0), 1.0, 1e-1, "no", None), ((1.0, 0.0), 1.0, 1e-1, "no", None), ((0.0, 0.1), 0.0, None, "yes", 2e-3),
        ((0.0, 0.1), 1.0, None, "yes", 7e-5), ((0.0, 0.5), 1.0, None, "yes", 1.2e-4),
        ((0.0, 1.0), 1.0, None, "yes", 1.4e-4), ((0.0, 0.1), 0.0, 1e-1, "yes", 1.4e-3),
        ((0.0, 0.1), 1.0, 1e-1, "yes", 3e-4), ((0.0, 0.5), 1.0, 1e-1, "yes", 4.5e-2),
        ((0.0, 1.0), 1.0, 1e-1, "yes", 2e-2), ((0.1, 0.0), 5.0, None, "yes", 7e-3),
        ((0.1, 0.0), 10.0, None, "yes", 3.2e-3), ((0.1, 0.0), 50.0, None, "yes", 2e-3),
        ((0.0, 0.1), 5.0, None, "yes", 2e-5), ((0.0, 0.1), 10.0, None, "yes", 8e-6),
        ((0.0, 0.1), 50.0, None, "yes", 4e-6),
    )
)  # fmt: skip


def pendulum(bodies: int) -> System:
    """Return one or two ellipsoids of 1 kg, horizontal along x, suspended at the ends of their main axes."""
    inertia = ellipsoid_inertia(1.0, AXES)
    names = [f"body{k + 1}" for k in range(bodies)]
    a = AXES[0]
    return System(
        tuple(Body(name, 1.0, inertia) for name in names),
        tuple(
            Joint(
                f"joint{k + 1}", "spherical", names[k - 1] if k else None, name, (a if k else 0.0, 0.0, 0.0), (-a, 0, 0)
            )
            for k, name in enumerate(names)
        ),
    )


def ode45(system: System) -> dict[str, Any]:
    """Return MATLAB's default tolerances for SciPy's error norm, and its longest step, a tenth of the duration."""
    states = 14 * len(system.bodies)
    return {"tolerance": 1e-3 / np.sqrt(states), "absolute": 1e-6 / np.sqrt(states), "max_step": 0.1 * DURATION}


def treatment(case: Case) -> Stabilisation:
    """Return the stabilisation of a case: Baumgarte, direct correction as printed (one linear step), both, or none."""
    parts = (["baumgarte"] if case.alpha else []) + (["direct"] if case.tolerance else [])
    return Stabilisation(
        "+".join(parts) or "none", alpha=case.alpha or 1.0, tolerance=case.tolerance or 1e-8, iterate=False, norm=False
    )


def run_case(system: System, case: Case, *, project: bool = False, duration: float = DURATION) -> Run:
    """Run a case as in the thesis: ode45 with its default tolerances."""
    speed = {f"body{k + 1}": (v, v, v) for k, v in enumerate(case.speed) if v}
    return simulate(
        system, Configuration(), duration=duration, formulation="euler-parameters-1",
        stabilisation=treatment(case), solver="ode45", **ode45(system), samples=1, project=project,
        velocity=speed or None, history=True,
    )  # fmt: skip


def largest(run: Run, joints: int = 1) -> float:
    """Return the largest |C| of the first joints as a distance after any step [m]; infinite if the run broke off.

    The first joint is the one with the frame, which the thesis plots.
    """
    if not run.finished or not len(run.history):
        return float("inf")
    distance = np.linalg.norm(run.history.reshape(len(run.history), -1, 3), axis=2)
    return float(distance[:, :joints].max())


def stable(run: Run) -> str:
    """Return "yes" if the run ended and the joint with the frame held, otherwise "no"."""
    return "yes" if largest(run) < UNSTABLE else "no"


def text(value: float | None) -> str:
    """Return a violation [m] as text; "broke off" if infinite."""
    return "-" if value is None else "broke off" if not np.isfinite(value) else f"{value:.1e}"


def corrected(run: Run) -> str:
    """Return the number of corrected steps as text."""
    return f"{run.corrections} of {run.steps}"
