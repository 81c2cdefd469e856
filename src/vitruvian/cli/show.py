"""`vitruvian show`: a scenario as text, or a person with every number and its source."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import typer

from .describe import described


def command(
    context: typer.Context,
    name: str = typer.Argument(help="Name of a ready scenario or study, or a TOML file; or human, for a person."),
    resolved: bool = typer.Option(False, "--resolved", help="Include every default, in SI units."),
    csv: Path | None = typer.Option(None, "--csv", help="Write the numbers to this file; it reads back as measured."),
) -> None:
    """Print a scenario or study as TOML, or `show human`: every number of a person with its source."""
    given = described(context)
    if name == "human":
        _human(given, csv)
        return
    from ..errors import InputError
    from ..scenario import Scenario
    from ..scenario.reader import find
    from ..study import study_file

    asked = [f"--{key}" for key in given] + ["--csv"] * bool(csv)
    if asked:
        raise InputError(f"{', '.join(asked)} describe a person; write: vitruvian show human {' '.join(asked)} ...")
    if name in study_file.studies():
        if resolved:
            raise InputError(f"{name} is a study, which has no --resolved; leave it out.")
        print(study_file.source_of(name)[0].rstrip())
        return
    print((Scenario.load(name).to_toml() if resolved else find(name).text).rstrip())


def _human(given: dict[str, Any], csv: Path | None) -> None:
    from .._files import refuse_inputs, writing
    from ..human import human, load_measured, sheet, write_sheet
    from .person import print_person

    if "measured" in given:
        source = Path(given["measured"])
        if csv is not None:
            refuse_inputs(csv, [source])
        given["measured"] = load_measured(source)
    person = human(**given)
    print_person(person)
    if csv is not None:
        with writing(csv, new_folder=False) as temporary, temporary.open("w", encoding="utf-8", newline="") as file:
            write_sheet(sheet(person), file)
        print(f"Written: {csv}")
