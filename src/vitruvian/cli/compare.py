"""`vitruvian compare`: runs and measured data channel by channel, with ISO 18571 scores."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

if TYPE_CHECKING:
    from ..injury.match import Match


def command(
    files: list[Path] = typer.Argument(
        help="Two or more of: result.nc or its folder; a CSV file; a folder (or .mme file) of ISO-MME data. The first "
        "is the reference.",
        metavar="FILES",
    ),
    only: list[str] = typer.Option(
        [], "--only", help='Only this channel, as in "head.acceleration". May be given several times.'
    ),
    out: Path | None = typer.Option(None, "--out", help="Also write a page with all curves: FILE.html."),
    assume_units: bool = typer.Option(False, "--assume-units", help="Accept numbers that look like another unit."),
    json: bool = typer.Option(False, "--json", help="Print one JSON object instead of the table."),
) -> None:
    """Compare runs and measured curves channel by channel, with scores by ISO/TS 18571.

    Channels are those of injury criteria, in the axes of SAE J211. Formulations of one model are compared by
    vitruvian formulations.
    """
    from .._files import refuse_inputs
    from ..errors import InputError
    from ..injury.match import matches, overall
    from ..view.match_page import write_match_page
    from . import screen
    from .reading import channels_of

    if len(files) < 2:
        raise InputError("give at least two files, the reference first: vitruvian compare test.csv out/fall-4m")
    if out is not None:
        refuse_inputs(out, [file for path in files for file in screen.files_of(path)])
        if out.suffix.lower() not in (".html", ".htm"):
            raise InputError(f"--out {out}: the page ends in .html.")
    reference = channels_of(files[0], assume_units=assume_units)
    found: dict[str, list[Match]] = {}
    with screen.counted("compare") as progress:
        for number, path in enumerate(files[1:]):
            progress(str(path), number, len(files) - 1)
            found[str(path)] = matches(reference, channels_of(path, assume_units=assume_units), tuple(only))
    if out is not None:
        write_match_page(str(files[0]), found, out)
    if json:
        screen.print_json({name: [_plain(match) for match in some] for name, some in found.items()})
        return
    for name, some in found.items():
        mean = f"mean rating {overall(some):.2f} of {len(some)} channels (ISO/TS 18571)"
        screen.wrapped(f"{name} against {files[0]}: {mean}")
        headings = ("channel", "reference", "other", "rating", "grade", "shift")
        screen.print_table(headings, (_cells(match) for match in some))
    if out is not None:
        print(f"Written: {out}")


def _plain(match: Match) -> dict[str, Any]:
    rating = None if match.rating is None else match.rating._asdict()
    return {"channel": match.name, "peaks": list(match.peaks), "rating": rating, "reason": match.reason}


def _cells(match: Match) -> tuple[str, ...]:
    from ..injury.channels import QUANTITIES

    unit = QUANTITIES[match.name.split(".")[-2] if "." in match.name else match.name][0]
    peaks = tuple(f"{peak:.3g} {unit}" for peak in match.peaks)
    if match.rating is None:
        return (match.name, *peaks, "-", match.reason, "")
    return (match.name, *peaks, f"{match.rating.value:.2f}", match.rating.grade, f"{1e3 * match.rating.shift:+.1f} ms")
