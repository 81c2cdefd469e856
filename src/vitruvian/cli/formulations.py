"""`vitruvian formulations`: one model in all formulations of the lab, compared with the engine."""

from __future__ import annotations

import typer


def command(
    name: str = typer.Argument(help="Name of a ready scenario, or a TOML file."),
    formulation: list[str] = typer.Option(
        None, "--formulation", help="Only these formulations; all that apply unless given."
    ),
    stabilisation: list[str] = typer.Option(
        None, "--stabilisation", help="Stabilisations; unless given, all for projection and one for the others."
    ),
    solver: str = typer.Option("DOP853", "--solver", help="Integrator, also by MATLAB's name: ode45, ode15s, ode4 ..."),
    linear: str = typer.Option("sparse", "--linear", help="Solution of the equations: sparse, dense or elimination."),
    tolerance: float = typer.Option(1e-10, "--tolerance", help="Relative tolerance of the integrator."),
    duration: str | None = typer.Option(
        None, "--duration", help='Duration, as in "20 ms"; a bare number is in s. Unless given, that of the scenario.'
    ),
    project: bool = typer.Option(True, "--project/--no-project", help="Make an inconsistent start consistent."),
    json: bool = typer.Option(False, "--json", help="Print one JSON object."),
) -> None:
    """Run a model in every formulation; print the difference from the engine, and the cost."""
    from dataclasses import asdict

    from ..lab.formulations import comparison
    from ..units import quantity
    from . import screen

    span = None if duration is None else quantity(duration, "time", "--duration")
    with screen.busy() as progress:
        reference, rows = comparison.run(
            name, duration=span, tolerance=tolerance, solver=solver, formulations=formulation or None,
            stabilisations=stabilisation or None, linear=linear, project=project, progress=progress,
        )  # fmt: skip
    failed = any(row.failed for row in rows)
    if json:
        screen.print_json(
            {
                "passed": not failed,
                "duration": float(reference.time[-1]),
                "engine": {"evaluations": reference.evaluations, "wall_time": reference.wall_time},
                "rows": [asdict(row) | {"failed": row.failed} for row in rows],
            }
        )
    else:
        screen.print_comparison(reference, rows)
    if failed:
        raise typer.Exit(1)
