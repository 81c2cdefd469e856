"""`vitruvian optimize`: the design with the smallest criterion or population risk."""

from __future__ import annotations

from pathlib import Path

import typer

from .study import bar


def command(
    file: Path = typer.Argument(help="Study file with a table [optimum], or the name of a ready one."),
    designs: int | None = typer.Option(None, "--designs", min=4, help="Designs that are tried, about."),
    cases: int | None = typer.Option(None, "--cases", min=1, help="Cases of the study for every design."),
    search: str | None = typer.Option(None, "--search", help="cma, differential-evolution or nelder-mead."),
    seed: int | None = typer.Option(None, "--seed", min=0, help="Seed of all draws."),
    threads: int | None = typer.Option(None, "--threads", min=1, help="Threads; all processors unless given."),
    out: Path | None = typer.Option(None, "--out", help="Folder for optimum.json and scenario.toml of the design."),
    json: bool = typer.Option(False, "--json", help="Print one JSON object instead of text."),
) -> None:
    """Minimise a criterion or the risk of a population over any paths, under bounds and constraints."""
    from json import dumps

    from .._files import MARK, write_text
    from ..study import load_study, optimize
    from ..study.study_file import load_optimum
    from . import screen

    name = file if file.suffix == ".toml" else str(file)
    study = load_study(name, **{k: v for k, v in (("cases", cases), ("seed", seed)) if v is not None})
    given = load_optimum(name)
    changes = {key: value for key, value in (("designs", designs), ("search", search)) if value is not None}
    if out is not None:
        screen.refuse_unwritable(out)
    with bar(file.stem, quiet=json) as progress:
        best = optimize(study, **given | changes, threads=threads, progress=progress)
    if json:
        screen.print_json(best.to_dict())
    else:
        screen.say(str(best))
    if out is not None:
        plain = {path: value for path, value in best.best.values.items() if not path.startswith("factor.")}
        write_text(out / "optimum.json", dumps({"generator": MARK, **best.to_dict()}, indent=2) + "\n")
        write_text(out / "scenario.toml", study.scenario_of({**plain}).to_toml())
        if not json:
            print(f"Files in {out}: optimum.json, scenario.toml (the scenario of the study with the best design)")
