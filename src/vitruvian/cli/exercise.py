"""`vitruvian exercise`: run exercises of the lower limb and rank them by the load on the shank."""

from __future__ import annotations

from pathlib import Path

import typer

JOINTS = ("hip", "knee", "ankle")


def command(
    names: list[str] | None = typer.Argument(
        None, help="Ready scenarios, TOML files, or files of joint angles or excitations (CSV, MOT, STO)."
    ),
    out: Path | None = typer.Option(
        None, "--out", help="Folder for result.nc, scenario.toml, motion.png and strain.csv of every exercise."
    ),
    filter: str = typer.Option(
        "none", "--filter", help="Low pass of measured angles and forces, without delay: '6 Hz', or none."
    ),
    side: str = typer.Option("right", "--side", help="Leg of a MOT or STO file: right or left."),
    optimize: str | None = typer.Option(
        None, "--optimize", help="Search the exercise of a TOML file, or a ready goal, with the wanted strain."
    ),
    rigid: bool = typer.Option(False, "--rigid", help="Keep the shank rigid, and rank by its bending moment."),
    json: bool = typer.Option(False, "--json", help="Print one JSON object instead of the table."),
) -> None:
    """Run exercises of the lower limb and rank them by peak strain, or by the bending moment of a rigid shank."""
    from dataclasses import asdict

    from ..errors import InputError
    from ..human.anthropometry import checked_word
    from ..study.exercise import exercise, loads, write_loads
    from ..study.measured_motion import frequency_of
    from . import folder, screen

    if optimize is not None:
        _optimized(optimize, names, out, json)
        return
    if not names:
        raise InputError("vitruvian exercise needs an exercise, as in vitruvian exercise squat hop, or --optimize.")
    checked_word(side, ("right", "left"), "--side")
    frequency = frequency_of(filter)

    found = []
    for name in names:
        scenario = exercise(name, rigid=rigid, frequency=frequency, side=side)
        result = scenario.run()
        if result.recording.status != "finished":
            screen.complain(f"{name}: {result.recording.message}")
        found.append(loads(result.recording, scenario.build()[0], Path(name).stem))
        if out is not None:
            place, failures = out / Path(name).stem, list[str]()
            with folder.reserved(place, scenario.to_toml()):
                folder.save(result, place)
                folder.write_rest(result, place, failures, report=False)
                if result.recording.points:
                    write_loads(result.recording, place / "strain.csv")
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


def _optimized(file: str, names: list[str] | None, out: Path | None, json: bool) -> None:
    """Search the exercise with the wanted strain, and print and write it."""
    from json import dumps

    from .._files import MARK, write_text
    from ..errors import InputError
    from ..study.exercise_optimum import exercise_of, optimize_exercise, read_plan
    from . import screen
    from .study import bar

    if names:
        raise InputError("--optimize takes its exercise from the file; leave the names of exercises out.")
    plan = read_plan(file)
    if out is not None:
        screen.refuse_unwritable(out)
    with bar(Path(file).stem, quiet=json) as progress:
        best = optimize_exercise(plan, progress)
    if json:
        screen.print_json(best.to_dict())
    else:
        screen.say(str(best))
    if out is not None:
        write_text(out / "optimum.json", dumps({"generator": MARK, **best.to_dict()}, indent=2) + "\n")
        write_text(out / "scenario.toml", exercise_of(plan.exercise, best.best.values).to_toml())
        if not json:
            screen.say(f"Files in {out}: optimum.json, scenario.toml (the exercise)")
