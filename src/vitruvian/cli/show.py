"""`vitruvian show`: a scenario as text, or a person with every number and its source."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import typer


def command(
    name: str = typer.Argument(help="Name of a ready scenario, or a TOML file; or human, for a person."),
    resolved: bool = typer.Option(False, "--resolved", help="With every default, in SI units."),
    sex: str | None = typer.Option(None, help="Of a person: male or female."),
    age: float | None = typer.Option(None, help="[years], 2 to 90."),
    percentile: float | None = typer.Option(
        None, help="Of stature and mass, 1 to 99; needs an age, which alone means 50."
    ),
    population: str | None = typer.Option(None, help="Of the percentile: us or cz."),
    preset: str | None = typer.Option(None, help="50M, 5F, 95M or 6YO."),
    height: str | None = typer.Option(None, help='As in "165 cm"; a number alone is in m.'),
    mass: str | None = typer.Option(None, help="[kg]"),
    measured: Path | None = typer.Option(None, help="TOML or CSV file of a measured person."),
    csv: Path | None = typer.Option(None, "--csv", help="Write the numbers to this file; it reads back as measured."),
) -> None:
    """Print a scenario as TOML, or `show human`: every dimension, mass and joint range of a person with its source."""
    who = {
        "height": height,
        "mass": mass,
        "sex": sex,
        "age": age,
        "percentile": percentile,
        "population": population,
        "preset": preset,
    }
    given = {key: value for key, value in who.items() if value is not None}
    if name == "human":
        _human(given, measured, csv)
        return
    from ..errors import InputError
    from ..scenario import Scenario
    from ..scenario.reader import find

    asked = [f"--{key}" for key in given] + ["--measured"] * bool(measured) + ["--csv"] * bool(csv)
    if asked:
        raise InputError(f"{', '.join(asked)} describe a person; write: vitruvian show human {' '.join(asked)} ...")
    print((Scenario.load(name).to_toml() if resolved else find(name).text).rstrip())


def _human(given: Mapping[str, Any], measured: Path | None, csv: Path | None) -> None:
    from .._files import refuse_inputs, writing
    from ..human import human, load_measured, sheet, write_sheet
    from .person import print_person

    if csv is not None and measured is not None:
        refuse_inputs(csv, [measured])
    person = human(measured=None if measured is None else load_measured(measured), **given)
    print_person(person)
    if csv is not None:
        with writing(csv, new_folder=False) as temporary, temporary.open("w", encoding="utf-8", newline="") as file:
            write_sheet(sheet(person), file)
        print(f"Written: {csv}")
