"""Section 3.4 of the thesis: Baumgarte's numbers and direct correction on a pendulum and a double pendulum.

The same bodies, formulation 1, Dormand-Prince with ode45's default tolerances (1e-3, 1e-6), 5 s. MATLAB holds the
largest component of the error against them, SciPy the root mean square: so they are divided by the root of the number
of states. Feedback and correction act on the joints alone, as printed. Violation is the largest |C| of the joint with
the frame after any step, before it is corrected [m]: the joint that the thesis plots. By it "stable" is judged, too.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ...model import Body, Configuration, Joint, System, ellipsoid_inertia
from ...scenario import Scenario
from ..example_system import ends
from ..formulations import Run, Stabilisation, simulate
from ..verdict import Cause, Drawing, Progress, Report, Reproduced, Table

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SOURCE = "spicka2020, section 3.4, Tables 3.3 to 3.10 and Figs 3.5 and 3.7"
AXES = (0.6, 0.4, 0.2)  # semi-axes [m]; the thesis does not say whether it means them or full axes (ERRATA E023)
DURATION = 5.0  # [s]
UNSTABLE = 0.5  # violation beyond which we call a run not stable [m]: nearly half a body
FACTOR = 10.0  # an order of magnitude
ACTING = 1e-5  # tolerance at which the correction acts in Tables 3.5 and 3.9: the coarse end of Yu's range (3.3.2)


@dataclass(frozen=True)
class Case:
    """A row of the thesis: speeds of the bodies [m/s], alpha [1/s], tolerance of the correction, and what it prints."""

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
    """One or two ellipsoids of 1 kg, level along x, hung at the ends of their main axes."""
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
    """MATLAB's default tolerances for SciPy's error norm, and its longest step, a tenth of the time."""
    states = 14 * len(system.bodies)
    return {"tolerance": 1e-3 / np.sqrt(states), "absolute": 1e-6 / np.sqrt(states), "max_step": 0.1 * DURATION}


def treatment(case: Case) -> Stabilisation:
    """Baumgarte, direct correction as printed (one linear step), both, or none."""
    parts = (["baumgarte"] if case.alpha else []) + (["direct"] if case.tolerance else [])
    return Stabilisation(
        "+".join(parts) or "none", alpha=case.alpha or 1.0, tolerance=case.tolerance or 1e-8, iterate=False, norm=False
    )


def run_case(system: System, case: Case, *, project: bool = False, duration: float = DURATION) -> Run:
    """One row, as the thesis ran it: ode45 with its default tolerances."""
    speed = {f"body{k + 1}": (v, v, v) for k, v in enumerate(case.speed) if v}
    return simulate(
        system, Configuration(), duration=duration, formulation="euler-parameters-1",
        stabilisation=treatment(case), solver="ode45", **ode45(system), samples=1, project=project,
        velocity=speed or None, history=True,
    )  # fmt: skip


def largest(run: Run, joints: int = 1) -> float:
    """Largest |C| as a distance after any step [m], of the first joints; infinite if the run broke off.

    The first is the joint with the frame, the one that the thesis plots.
    """
    if not run.finished or not len(run.history):
        return float("inf")
    distance = np.linalg.norm(run.history.reshape(len(run.history), -1, 3), axis=2)
    return float(distance[:, :joints].max())


def stable(run: Run) -> str:
    """Return "yes" if the run ended and the joint with the frame held, otherwise "no"."""
    return "yes" if largest(run) < UNSTABLE else "no"


def stability(progress: Progress | None = None, stiffest: float = ALPHAS[-1]) -> Report:
    """Compare all tables and the inconsistent starts with ours, and study the 17-segment body.

    stiffest  rows with a larger alpha [1/s] are left out; at 1000 each takes ten seconds
    """
    tables = {number: (n, [case for case in cases if case.alpha <= stiffest]) for number, (n, cases) in TABLES.items()}
    acting = sum(len(tables[number][1]) for number in ("3.5", "3.9"))
    total = sum(len(cases) for _, cases in tables.values()) + acting + 2 * len(MOVING) + 9 + len(STUDY) * len(METHODS)
    done = 0
    rows: list[Reproduced] = []
    written: list[Table] = []
    runs: dict[str, list[Run]] = {}

    def tick(what: str) -> None:
        nonlocal done
        if progress is not None:
            progress(what, done, total)
        done += 1

    for number, (bodies, cases) in tables.items():
        system = pendulum(bodies)
        runs[number] = []
        for case in cases:
            tick(f"Table {number}")
            runs[number].append(run_case(system, case))
        both = zip(cases, runs[number], strict=True)
        rows += [row for case, run in both for row in _rows(f"Table {number}", case, run)]
        if number in ("3.5", "3.9"):
            written.append(_acting(number, system, cases, runs[number], tick, rows))
        else:
            lines = [_line(case, run, cases[0], runs[number][0]) for case, run in zip(cases, runs[number], strict=True)]
            written.append(Table(f"table-{number}", f"Table {number}", HEADINGS, tuple(lines)))
        if number in ("3.3", "3.7"):
            rows += _trends(number, {case.alpha: run for case, run in zip(cases, runs[number], strict=True)})
    written += [_single(tick, rows), _moving(tick, rows), *_person(tick, rows)]
    shown = {n: dict(zip(ALPHAS, runs[number], strict=False)) for n, number in ((1, "3.3"), (2, "3.7"))}
    return Report(
        title="Stabilisation of a pendulum and a double pendulum",
        source=SOURCE,
        rows=tuple(rows),
        tables=tuple(written),
        figures={"fig-3.5": _figure(shown[1], "pendulum"), "fig-3.7": _figure(shown[2], "double pendulum")},
        notes=(
            f"A violation agrees within a factor of {FACTOR:g}. The thesis does not print the tolerances of ode45 nor "
            f"define the word stable; here a run is stable if it ends and its joint with the frame violates less than "
            f"{UNSTABLE:g} m. Relative times are against the first row of each table.",
            "The feedback of eq. 3.87 and the correction of eqs 3.93 and 3.98 have rows for the joints only; |p| = 1 "
            "drifts by some hundredths, which changes no motion, because spin and rotation matrix belong together.",
            "The thesis prints alpha and beta = sqrt(2) alpha; so do we. Its rows with speeds give bodies a velocity "
            "that their joints forbid (E021): unprojected they drift by C = speed times time unless Baumgarte pulls "
            "them back. From a consistent start every one is stable. Rows 1, 1.0 are read as 0, 1.0 (E022).",
            f"Tables 3.5 and 3.9 are not Tables 3.3 and 3.7, so the correction acted in the thesis. With ours neither "
            "C nor dC/dt reaches the printed tolerances, so nothing is corrected. Both tables are therefore also run "
            f"with the tolerance {ACTING:g}, at which the correction acts: section 3.3.2 quotes 1e-5 to 1e-8 from Yu.",
            "The last six rows of Table 3.10 are marked in the thesis as stable until its integrator failed.",
        ),
    )


HEADINGS = ("alpha [1/s]", "correction beyond", "steps corrected", "stable (thesis)", "stable",
            "violation (thesis) [m]", "violation [m]", "relative time (thesis)", "relative time")  # fmt: skip


def _text(value: float | None) -> str:
    return "-" if value is None else "broke off" if not np.isfinite(value) else f"{value:.1e}"


def _corrected(run: Run) -> str:
    return f"{run.corrections} of {run.steps}"


def _line(case: Case, run: Run, first: Case, first_run: Run) -> tuple[str, ...]:
    thesis = "-" if not case.cpu or not first.cpu else f"{case.cpu / first.cpu:.2f}"
    return (
        f"{case.alpha:g}", "-" if case.tolerance is None else f"{case.tolerance:g}",
        "-" if case.tolerance is None else _corrected(run), case.stable, stable(run),
        _text(case.violation), _text(largest(run)), thesis, f"{run.wall_time / first_run.wall_time:.2f}",
    )  # fmt: skip


def _rows(number: str, case: Case, run: Run, words: str = "") -> list[Reproduced]:
    """Return stability and violation of one printed row; the violation only where one is printed."""
    what = f"alpha {case.alpha:g}" + ("" if case.tolerance is None else f", correction beyond {case.tolerance:g}")
    title = f"{number}, {words}{what}"
    rows = [Reproduced.same(f"{title}: stable", case.stable, stable(run), cause=_never_corrected(number, case, run))]
    if case.violation is not None:
        rows.append(Reproduced.factor(f"{title}: largest violation", case.violation, largest(run), FACTOR, "m"))
    return rows


def _never_corrected(number: str, case: Case, run: Run) -> Cause | None:
    """Return the cause of a row that corrects nothing, so that it is the first one of Table 3.3 under another name."""
    plain = TABLES["3.3"][1][0]
    if number != "Table 3.4" or case.violation != plain.violation:
        return None
    return Cause.computed(
        f"{run.corrections} steps were corrected, so this is the run of Table 3.3, alpha 0, for which the thesis "
        f"prints the same {plain.violation:g} m and stable",
        run.corrections == 0 and plain.stable == "yes",
    )


def _trends(number: str, runs: dict[float, Run]) -> list[Reproduced]:
    """What the thesis concludes from Tables 3.3 and 3.7 (section 3.4.3)."""
    falls = largest(runs[100.0]) < largest(runs[1.0]) < largest(runs[0.0])
    rises = runs[100.0].evaluations > 2 * runs[1.0].evaluations
    return [
        Reproduced.same(
            f"Table {number}: violation falls with alpha, from 0 to 100", "yes", "yes" if falls else "no"
        ),
        Reproduced.same(f"Table {number}: cost rises with alpha, from 1 to 100", "yes", "yes" if rises else "no"),
    ]  # fmt: skip


def _acting(
    number: str, system: System, cases: list[Case], runs: list[Run], tick: Any, rows: list[Reproduced]
) -> Table:
    """Tables 3.5 and 3.9 at the printed tolerance and at one at which the correction acts."""
    lines, fired = [], []
    for case, printed in zip(cases, runs, strict=True):
        tick(f"Table {number}, correction beyond {ACTING:g}")
        run = run_case(system, replace(case, tolerance=ACTING))
        fired.append(run.corrections > 0)
        rows.append(
            Reproduced.factor(
                f"Table {number}, alpha {case.alpha:g}, correction beyond {ACTING:g}: largest violation",
                float(case.violation or 0.0), largest(run), FACTOR, "m",
                note=f"{_corrected(run)} steps corrected",
            )
        )  # fmt: skip
        lines.append(
            (
                f"{case.alpha:g}", f"{case.tolerance:g}", case.stable, stable(printed), stable(run),
                _text(case.violation), _text(largest(printed)), _corrected(printed), _text(largest(run)),
                _corrected(run),
            )
        )  # fmt: skip
    rows += [
        Reproduced.same(
            f"Table {number}: the correction acts in every row at the printed tolerance", "yes",
            "yes" if all(run.corrections for run in runs) else "no",
            origin="read off the violations, which are not those without it",
        ),
        Reproduced.same(
            f"Table {number}: the correction acts in every row at {ACTING:g}", "yes", "yes" if all(fired) else "no",
            origin="aim",
        ),
    ]  # fmt: skip
    headings = ("alpha [1/s]", "correction beyond (thesis)", "stable (thesis)", "stable", f"stable, beyond {ACTING:g}",
                "violation (thesis) [m]", "violation [m]", "steps corrected", f"violation, beyond {ACTING:g} [m]",
                "steps corrected then")  # fmt: skip
    return Table(f"table-{number}", f"Table {number}", headings, tuple(lines))


def _single(tick: Any, rows: list[Reproduced]) -> Table:
    """Section 3.4.1 says that one body is not stable for any speed at the start; it prints no table of it."""
    system, lines, kept = pendulum(1), [], []
    for speed in (0.1, 0.5, 1.0):
        for alpha in (0.0, 1.0, 10.0):
            tick("pendulum with a speed")
            case = Case(alpha, None, "no", None, None, (speed,))
            wrong, right = run_case(system, case), run_case(system, case, project=True)
            rows += _rows("Section 3.4.1", case, wrong, f"speed {speed:g} m/s, ")
            if alpha:
                kept.append(largest(right))
            lines.append(
                (f"{speed:g}", f"{alpha:g}", case.stable, stable(wrong), stable(right), _text(largest(wrong)),
                 _text(largest(right)))
            )  # fmt: skip
    rows.append(
        Reproduced.at_most("pendulum from consistent starts, alpha 1 and 10: violation", UNSTABLE, max(kept), "m")
    )
    headings = (
        "speed [m/s]",
        "alpha",
        "stable (thesis)",
        "stable",
        "stable, projected",
        "violation [m]",
        "projected [m]",
    )
    return Table("single", "One body with a speed that its joint forbids (section 3.4.1)", headings, tuple(lines))


def _moving(tick: Any, rows: list[Reproduced]) -> Table:
    """Table 3.10, as it stands and with a consistent start."""
    system, lines, kept = pendulum(2), [], []
    for case in MOVING:
        tick("Table 3.10")
        wrong = run_case(system, case)
        tick("Table 3.10, projected")
        right = run_case(system, case, project=True)
        kept.append(largest(right))
        speeds = "{:g} and {:g}".format(*case.speed)
        rows += _rows("Table 3.10", case, wrong, f"speeds {speeds} m/s, ")
        lines.append(
            (
                speeds, f"{case.alpha:g}", "-" if case.tolerance is None else f"{case.tolerance:g}",
                "-" if case.tolerance is None else _corrected(wrong), case.stable, stable(wrong), stable(right),
                _text(case.violation), _text(largest(wrong)), _text(largest(wrong, 2)), _text(kept[-1]),
                f"{wrong.start.velocity:.2g}",
            )
        )  # fmt: skip
    rows.append(Reproduced.at_most("Table 3.10 from consistent starts: largest violation", UNSTABLE, max(kept), "m"))
    headings = ("speeds [m/s]", "alpha", "correction", "steps corrected", "stable (thesis)", "stable",
                "stable, projected", "violation (thesis)", "violation [m]", "of both joints [m]", "projected [m]",
                "start off by [m/s]")  # fmt: skip
    return Table("table-3.10", "Table 3.10: speeds that the joints forbid", headings, tuple(lines))


# --- the study that the thesis calls for (section 6.5): 17 segments

#: every way to keep the constraints
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


def _person(tick: Any, rows: list[Reproduced]) -> list[Table]:
    """Return a table for each integrator: what every correction leaves of the violation, and what it costs."""
    system, start = Scenario.load("free-flight-17").build()
    known = ends(system, start, FLIGHT, method="dormand-prince", tolerance=1e-12).position[-1]
    tables: list[Table] = []
    for words, options in STUDY.items():
        found: dict[str, Run] = {}
        for name, method in METHODS.items():
            tick(f"17 segments, {words}")
            found[name] = simulate(
                system, start, duration=FLIGHT, formulation="euler-parameters-1", stabilisation=method, samples=10,
                history=True, **options,
            )  # fmt: skip
        headings = ("kept by", "ended", "violation after a step [m]", "violation at the samples [m]",
                    "steps corrected", "off the engine [m]", "evaluations", "relative time")  # fmt: skip
        lines = tuple(
            (
                name, "yes" if run.finished else run.status,
                "-" if method == "partitioning" else _text(largest(run, len(run.joints))), _text(_left(run)),
                _corrected(run), _text(float(np.linalg.norm(run.position[-1] - known, axis=1).max())),
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
                origin="aim", note=f"{_text(free)} m, over {_text(MATTERS)} m",
            ),
            Reproduced.same(
                f"{title}: every correction leaves less than none does", "yes",
                "yes" if _left(found[worst]) < free else "no", origin="aim",
                note=f"most is left by {worst}: {_text(_left(found[worst]))} m",
            ),
            Reproduced.at_most(
                f"{title}: violation left by repeated correction, projection and partitioning", KEPT,
                _left(found[kept]), "m", note=f"most by {kept}",
            ),
        ]  # fmt: skip
    return tables


def _left(run: Run) -> float:
    """Largest |C| at the samples, after the correction [m]; infinite if the run broke off."""
    return run.violation if run.finished else float("inf")


def _figure(runs: dict[float, Run], what: str) -> Drawing:
    """Violation of the joint with the frame along x, y, z over time, for some alpha."""

    def draw() -> Figure:
        from matplotlib.figure import Figure

        figure = Figure(figsize=(9.0, 6.0), dpi=100, layout="constrained")
        axes = figure.subplots(3, 1, sharex=True)
        for alpha in (0.0, 1.0, 10.0, 100.0):
            run = runs[alpha]
            for axis, (panel, name) in enumerate(zip(axes, "xyz", strict=True)):
                panel.plot(run.history_time, run.history[:, axis], label=f"alpha = {alpha:g} 1/s", linewidth=1.0)
                panel.set_ylabel(f"{name} [m]")
        axes[0].set_title(f"Violation of the joint with the frame, {what}")
        axes[0].legend(loc="upper left", fontsize=8)
        axes[-1].set_xlabel("time [s]")
        return figure

    return draw
