"""`vitruvian verify`: check the solution of the equations against known answers."""

from __future__ import annotations

import typer


def command(
    names: list[str] = typer.Argument(None, help="Only these claims; all unless given."),
    listed: bool = typer.Option(False, "--list", help="List the claims without running them."),
    json: bool = typer.Option(False, "--json", help="Print one JSON object."),
) -> None:
    """Compare with known answers: closed forms, conservation, convergence, other engines."""
    from dataclasses import asdict

    from ..lab import verify
    from . import screen

    if listed:
        screen.listed((name, verify.claim(name)) for name in verify.CHECKS)
        return
    with screen.busy() as progress:
        rows = verify.run(names or None, progress)
    passed = not any(row.failed for row in rows)
    if json:
        screen.print_json({"passed": passed, "checks": [asdict(row) | {"verdict": row.verdict} for row in rows]})
    else:
        screen.print_checks(rows)
    if not passed:
        raise typer.Exit(1)
