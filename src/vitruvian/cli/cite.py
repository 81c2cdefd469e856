"""`vitruvian cite`: what to cite for a result or a scenario, as text or as BibTeX."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from ..view.sources import Source


def command(
    name: str = typer.Argument(
        help="result.nc of a run, or its folder; the name of a ready scenario; or a scenario as a TOML file.",
        metavar="RESULT_OR_SCENARIO",
    ),
    bibtex: bool = typer.Option(False, "--bibtex", help="Print BibTeX entries."),
) -> None:
    """Print what to cite: the software, and the sources of the models, laws and data that were used.

    For a result this includes the limits and risk curves of its injury criteria.
    """
    from ..view.sources import software

    used = _used(name)
    if bibtex:
        print("\n\n".join([_software_entry(), *(_entry(source.key) for source in used)]))
        return
    print(software())
    for source in used:
        print(f"\n[{source.key}] {source.text}\n    used for: {', '.join(source.uses)}")


def _used(name: str) -> list[Source]:
    """Return the references behind the result or the scenario of this name."""
    from ..scenario import Scenario
    from ..view.sources import sources, sources_of
    from . import screen

    path = Path(name)
    if path.suffix.lower() == ".nc" or (path / "result.nc").exists():
        result = screen.loaded(path)
        return sources(result, result.injury())
    scenario = Scenario.load(name)
    system, _ = scenario.build()
    return sources_of(system.roster, scenario.table.solver.method)


def _software_entry() -> str:
    """Return the BibTeX entry of this version of the program."""
    from .. import __version__

    return (
        "@software{vitruvian,\n  author = {{Vitruvian developers}},\n"
        "  title = {Vitruvian: fast, scalable multibody models of the human body in impact},\n"
        f"  version = {{{__version__}}},\n}}"
    )


def _entry(key: str) -> str:
    """Return a reference of references.bib as BibTeX."""
    from .. import data

    fields = dict(data.references()[key])
    kind = fields.pop("type")
    return "\n".join([f"@{kind}{{{key},", *(f"  {name} = {{{text}}}," for name, text in fields.items()), "}"])
