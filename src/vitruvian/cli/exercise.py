"""`vitruvian exercise`: run exercises of the lower limb and rank them by the load on the shank."""

from __future__ import annotations

from pathlib import Path

import typer

JOINTS = ("hip", "knee", "ankle")


def command(
    names: list[str] = typer.Argument(help="Ready scenarios, TOML files, or CSV files of joint angles or excitations."),
    out: Path | None = typer.Option(
        None, "--out", help="Folder for result.nc, scenario.toml and motion.png of every exercise."
    ),
    rigid: bool = typer.Option(False, "--rigid", help="Keep the shank rigid, and rank by its bending moment."),
    json: bool = typer.Option(False, "--json", help="Print one JSON object instead of the table."),
) -> None:
    """Run exercises of the lower limb and rank them by peak strain, or by the bending moment of a rigid shank."""
    from dataclasses import asdict

    from ..study.exercise import exercise, loads
    from . import folder, screen

    found = []
    for name in names:
        scenario = exercise(name, rigid=rigid)
        result = scenario.run()
        if result.recording.status != "finished":
            screen.complain(f"{name}: {result.recording.message}")
        found.append(loads(result.recording, scenario.build()[0], Path(name).stem))
        if out is not None:
            place, failures = out / Path(name).stem, list[str]()
            with folder.reserved(place, scenario.to_toml()):
                folder.save(result, place)
                folder.write_rest(result, place, failures, report=False)
            for failure in failures:
                screen.complain(failure)
    found.sort(key=lambda load: load.rank, reverse=True)
    if json:
        screen.print_json({"exercises": [asdict(load) for load in found]})
        return
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, title="Load on the shank, highest first", title_justify="left")
    forces = tuple(f"{joint} [N]" for joint in JOINTS)
    headings = ("exercise", "strain [1e-6]", "bending [N m]", "at [s]", "compression [N]", "ground [weights]", *forces)
    for heading in headings:
        table.add_column(heading, justify="left" if heading == "exercise" else "right", overflow="fold")
    for load in found:
        strain = "-" if load.strain is None else f"{1e6 * load.strain:.0f}"
        peaks = (f"{load.joints[joint]:.0f}" if joint in load.joints else "-" for joint in JOINTS)
        numbers = (f"{load.bending:.1f}", f"{load.time:.3f}", f"{load.axial:.0f}", f"{load.ground:.2f}")
        table.add_row(load.name, strain, *numbers, *peaks)
    screen.show(table)
    if all(load.strain is None for load in found):
        screen.say("Strain needs a flexible bone; these are rigid, so the bending moment at mid-shank ranks them.")
