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
    out: Path | None = typer.Option(None, "--out", help="Folder for reconstruction.html and its numbers as JSON."),
    json: bool = typer.Option(False, "--json", help="Print one JSON object instead of text."),
) -> None:
    """Estimate the unknown start of an accident from its evidence, with intervals, and the odds of hypotheses."""
    from json import dumps

    from .._files import MARK, write_text
    from ..study import odds, reconstruct
    from ..study.study_file import load_evidence, load_hypotheses
    from ..view.reconstruction_page import reconstruction_page
    from . import screen

    if out is not None:
        screen.refuse_unwritable(out)
    found, known = {}, {}
    for file in files:
        name = file if file.suffix == ".toml" else str(file)
        evidence = load_evidence(name)
        for hypothesis, study in load_hypotheses(name, seed=seed).items():
            with bar(hypothesis, quiet=json) as progress:
                found[hypothesis] = reconstruct(
                    study, evidence, cases=cases, generations=generations, threads=threads, progress=progress
                )
            known[hypothesis] = evidence
    chances = odds(found) if len(found) > 1 else {}
    answer = {"reconstructions": {name: one.to_dict() for name, one in found.items()}, "odds": chances}
    if out is not None:
        title = ", ".join(file.stem for file in files)
        write_text(out / "reconstruction.json", dumps({"generator": MARK, **answer}, indent=2) + "\n")
        write_text(out / "reconstruction.html", reconstruction_page(title, answer, known))
    if json:
        screen.print_json(answer)
        return
    for name, one in found.items():
        screen.say(f"{name}: {one}")
    for name, share in chances.items():
        screen.say(f"{name}: {100.0 * share:.3g} % (all hypotheses equally likely before the evidence)")
    weak = [name for name, one in found.items() if not one.reliable]
    if chances and weak:
        screen.say(f"The odds are not reliable yet ({', '.join(weak)}): run more with --cases and --generations.")
    if out is not None:
        print(f"Files in {out}: reconstruction.html, reconstruction.json")
