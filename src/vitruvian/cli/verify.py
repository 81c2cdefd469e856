"""`vitruvian verify`: are the equations solved right?"""

from __future__ import annotations

import typer


def command(json: bool = typer.Option(False, "--json", help="Print one JSON object.")) -> None:
    """Compare with known answers: closed forms, conservation, convergence, other engines."""
    from dataclasses import asdict

    from ..evidence import verify
    from . import screen

    if json:
        rows = list(verify.run())
        passed = not any(row.failed for row in rows)
        screen.print_json({"passed": passed, "checks": [asdict(row) for row in rows]})
    else:
        passed = screen.print_checks(verify.run(), "Are the equations solved right?")
    if not passed:
        raise typer.Exit(1)
