"""`vitruvian assess`: injury criteria of measured data or of an earlier run."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from ..injury.assessment import Assessment


def command(
    file: Path = typer.Argument(
        help="result.nc of a run, or its folder; a CSV file; or a folder (or .mme file) of ISO-MME data.",
        metavar="FILE",
    ),
    size: str | None = typer.Option(
        None,
        "--size",
        help="Dummy whose limits are used, as 5F or 6YO. Unless given: by the person of a run, 50M for other data.",
    ),
    age: float | None = typer.Option(None, "--age", metavar="YEARS", help="Age, for risk curves that depend on it."),
    only: list[str] = typer.Option(
        [], "--only", help='Only this criterion, as in "HIC15". May be given several times.'
    ),
    filters: bool = typer.Option(True, "--filter/--no-filter", help="Apply the channel filter classes (ISO 6487)."),
    assume_units: bool = typer.Option(False, "--assume-units", help="Accept numbers that look like another unit."),
    json: bool = typer.Option(False, "--json", help="Print one JSON object instead of the table."),
    csv: Path | None = typer.Option(None, "--csv", help="Write the table to this CSV file too."),
) -> None:
    """Compute every injury criterion that the channels allow, with limits, risk and a verdict."""
    from .._files import refuse_inputs
    from . import screen

    if csv is not None:
        refuse_inputs(csv, screen.files_of(file))
    assessment = _assessed(file, size, age, tuple(only), filters, assume_units)
    if csv is not None:
        assessment.to_csv(csv)
    if json:
        screen.print_json(assessment.to_dict())
    else:
        _print(assessment)


def _assessed(
    file: Path, size: str | None, age: float | None, only: tuple[str, ...], filters: bool, assume_units: bool
) -> Assessment:
    """Assess a run or measured data, by the kind of the file."""
    from ..injury.assessment import assess
    from . import screen
    from .reading import is_run, measured_channels

    if is_run(file):
        return screen.loaded(file).injury(size=size, age=age, filters=filters, only=only)
    channels = measured_channels(file, assume_units=assume_units)
    channels.filters = filters
    return assess(channels, title=file.name, size=size, age=age, only=only)


def _print(assessment: Assessment) -> None:
    from rich.measure import Measurement

    from . import screen

    console = screen.console(140)
    wide = assessment.table()
    fits = Measurement.get(console, console.options.update(max_width=1000), wide).maximum <= console.width
    console.print(wide if fits else assessment.table(wide=False))
    for words in (assessment.verdict, *assessment.remarks):
        screen.wrapped(words, width=console.width)
    weak = {f.criterion: f for f in assessment.findings if not f.recommended}
    for finding in weak.values():
        screen.wrapped(f"* {finding.criterion}: {finding.verdict.partition('; ')[2]}", width=console.width)
