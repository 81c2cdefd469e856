"""Stabilisation of the 17-segment body in flight: the study that section 6.5 of the thesis calls for. SI units."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from ...scenario import Scenario
from ..example_system import ends
from ..formulations import Run, Stabilisation, simulate
from ..verdict import Cause, Reproduced, Table
from .stability_cases import ACTING, corrected, largest, text

#: methods that keep the constraints
METHODS: dict[str, Stabilisation] = {
    "none": Stabilisation("none"),
    **{f"Baumgarte, alpha {alpha:g}": Stabilisation("baumgarte", alpha=alpha) for alpha in (1.0, 10.0, 100.0, 1000.0)},
    **{
        f"direct as printed, beyond {tolerance:g}": Stabilisation(
            "direct", tolerance=tolerance, iterate=False, norm=False
        )
        for tolerance in (1e-3, ACTING)
    },
    "direct, repeated and with |p| = 1 (E020)": Stabilisation("direct"),
    f"Baumgarte, alpha 10, and direct as printed, beyond {ACTING:g}": Stabilisation(
        "baumgarte+direct", alpha=10.0, tolerance=ACTING, iterate=False, norm=False
    ),
    "projection": Stabilisation("projection"),
    "Baumgarte, alpha 10, and projection": Stabilisation("baumgarte+projection", alpha=10.0),
    "penalty": Stabilisation("penalty"),
    "augmented Lagrangian": Stabilisation("augmented-lagrangian"),
    "partitioning": Stabilisation("partitioning"),
}
#: steps and tolerances at which the violation matters: without correction the joints come apart by millimetres or more
STUDY: dict[str, dict[str, Any]] = {
    "ode45, tolerances 0.1 and 0.01": {"solver": "ode45", "tolerance": 0.1, "absolute": 0.01},
    "ode1, steps of 1 ms": {"solver": "ode1", "step": 1e-3},
}
KEEPING = ("direct, repeated and with |p| = 1 (E020)", "projection", "partitioning")
FLIGHT, MATTERS, KEPT = 1.0, 1e-3, 1e-8  # duration [s]; violations that matter, and that projections leave [m]


def person_study(study: dict[str, dict[str, Any]], tick: Any, rows: list[Reproduced]) -> list[Table]:
    """Return a table for each integrator: remaining violation and cost of every correction."""
    system, start = Scenario.load("free-flight-17", {"human.body": "previous"}).build()
    known = ends(system, start, FLIGHT, method="dormand-prince", tolerance=1e-12).position[-1]
    tables: list[Table] = []
    run_with = partial(
        simulate, system, start, duration=FLIGHT, formulation="euler-parameters-1", samples=10, history=True
    )
    for words, options in study.items():
        found: dict[str, Run] = {}
        for name, method in METHODS.items():
            tick(f"17 segments, {words}")
            found[name] = run_with(stabilisation=method, **options)
        headings = ("kept by", "ended", "violation after a step [m]", "violation at the samples [m]",
                    "steps corrected", "off the engine [m]", "evaluations", "relative time")  # fmt: skip
        lines = tuple(
            (
                name, "yes" if run.finished else run.status,
                "-" if method == "partitioning" else text(largest(run, len(run.joints))), text(_left(run)),
                corrected(run), text(float(np.linalg.norm(run.position[-1] - known, axis=1).max())),
                f"{run.evaluations}", f"{run.wall_time / found['none'].wall_time:.2f}",
            )
            for name, run in found.items() for method in [METHODS[name].method]
        )  # fmt: skip
        title = f"The 17-segment body in flight, {FLIGHT:g} s, {words}"
        tables.append(Table(f"person-{len(tables) + 1}", title, headings, lines))
        free = _left(found["none"])
        worst = max((name for name in found if name != "none"), key=lambda name: _left(found[name]))
        kept = max(KEEPING, key=lambda name: _left(found[name]))
        title = f"17 segments, {words}"
        rows += [
            Reproduced.same(
                f"{title}: without correction the violation matters", "yes", "yes" if free > MATTERS else "no",
                origin="aim", note=f"{text(free)} m, over {text(MATTERS)} m",
            ),
            Reproduced.same(
                f"{title}: every correction leaves less than none does", "yes",
                "yes" if _left(found[worst]) < free else "no", origin="aim",
                cause=None if _left(found[worst]) < free else _finer(worst, options, run_with, free),
                note=f"most is left by {worst}: {text(_left(found[worst]))} m",
            ),
            Reproduced.at_most(
                f"{title}: violation left by repeated correction, projection and partitioning", KEPT,
                _left(found[kept]), "m", note=f"most by {kept}",
            ),
        ]  # fmt: skip
    return tables


def _finer(name: str, options: dict[str, Any], run_with: Callable[..., Run], free: float) -> Cause:
    """Return what a correction leaves at half the step or tolerances, compared with `free` [m] without correction."""
    finer = {key: 0.5 * value if isinstance(value, float) else value for key, value in options.items()}
    run = run_with(stabilisation=METHODS[name], **finer)
    said = f"it leaves {text(_left(run))} m" if run.finished else "it breaks off, too"
    return Cause.computed(f"with half the step or tolerances {said}", _left(run) < free)


def _left(run: Run) -> float:
    """Return the largest |C| at the samples after the correction [m]; infinite if the run broke off."""
    return run.violation if run.finished else float("inf")
