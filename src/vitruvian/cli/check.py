"""`vitruvian check`: check a scenario without running it."""

from __future__ import annotations

import typer


def command(
    name: str = typer.Argument(help="Name of a ready scenario, or a TOML file."),
    changes: list[str] = typer.Option(
        [], "--set", metavar="PATH=VALUE", help='Change a value, as in human.height="165 cm".'
    ),
) -> None:
    """Check a scenario: keys, units, ranges, and that everything it refers to exists."""
    from ..scenario import Scenario, read_changes

    scenario = Scenario.load(name, read_changes(changes))
    system = scenario.check()
    counts = [
        f"{len(items)} {word if len(items) == 1 else words}"
        for items, word, words in (
            (scenario.table.human, "person", "people"),
            (system.bodies, "body", "bodies"),
            (system.joints, "joint", "joints"),
            (system.surfaces, "surface", "surfaces"),
            (system.springs, "spring", "springs"),
            (system.loads, "load", "loads"),
            (system.sensors, "sensor", "sensors"),
        )
        if items
    ]
    print(f"{scenario.label} is fine: {', '.join(counts)}; {system.mass:g} kg; {scenario.table.solver.duration:g} s.")
