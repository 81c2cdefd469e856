"""`vitruvian reconstruct`: the unknown start of an accident from its evidence."""

from __future__ import annotations

from pathlib import Path

import typer

from .study import bar


def command(
    files: list[Path] = typer.Argument(
        help="Study files with a table [evidence], or the name of a ready one; several are compared as hypotheses."
    ),
    cases: int = typer.Option(200, "--cases", min=20, help="Cases of one generation."),
    generations: int = typer.Option(5, "--generations", min=1, help="Generations at most."),
    seed: int = typer.Option(0, "--seed", min=0, help="Seed of all draws."),
    threads: int | None = typer.Option(None, "--threads", min=1, help="Threads; all processors unless given."),
    json: bool = typer.Option(False, "--json", help="Print one JSON object instead of text."),
) -> None:
    """Estimate the unknown start of an accident from its evidence, with intervals, and the odds of hypotheses."""
    from dataclasses import asdict

    from ..study import load_study, odds, reconstruct
    from ..study.study_file import load_evidence
    from . import screen

    found = {}
    for file in files:
        name = file if file.suffix == ".toml" else str(file)
        study, evidence = load_study(name, seed=seed), load_evidence(name)
        with bar(file.stem, quiet=json) as progress:
            found[file.stem] = reconstruct(
                study, evidence, cases=cases, generations=generations, threads=threads, progress=progress
            )
    chances = odds(found) if len(found) > 1 else {}
    if json:
        rows = {
            name: {"estimates": [asdict(e) for e in one.estimates], "shares": one.shares, "runs": one.runs,
                   "effective": one.effective, "tolerance": one.tolerance}
            for name, one in found.items()
        }  # fmt: skip
        screen.print_json({"reconstructions": rows, "odds": chances})
        return
    for name, one in found.items():
        screen.say(f"{name}: {one}")
    for name, share in chances.items():
        screen.say(f"{name}: {100.0 * share:.3g} % (all hypotheses equally likely before the evidence)")
