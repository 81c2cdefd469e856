"""Write docs/validate/reconstruction.md: does a reconstruction find a start that is known?

    python tools/make_reconstruction_docs.py                      all studies, 20 repetitions of each
    python tools/make_reconstruction_docs.py reconstruct-wad    some of them; the others keep their part of the page
    python tools/make_reconstruction_docs.py --repetitions 5

A start is drawn from the ranges of a ready study and simulated. Its outcomes become the evidence: numbers with a normal
error of the standard deviation in the study, words as they are, injuries by chance from their risk. Then the start is
reconstructed, which does not know it.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import Any

import numpy as np

from vitruvian.study import reconstruct
from vitruvian.study.design import values_at
from vitruvian.study.reconstruction import Reconstruction
from vitruvian.study.study import Study
from vitruvian.study.study_file import load_evidence, load_study
from vitruvian.study.variable import dimensions

PAGE = Path(__file__).parents[1] / "docs" / "validate" / "reconstruction.md"
STUDIES = ("reconstruct-wad", "reconstruct-throw")
CASES, GENERATIONS, REPETITIONS = 120, 4, 20
HEAD = """# Does a reconstruction find the start?

<!-- made by tools/make_reconstruction_docs.py; do not edit -->

Starts are drawn from the ranges of a study and simulated. Their outcomes are the evidence: numbers with a normal error
of the standard deviation in the study, words as they are, injuries by chance from their risk. `vitruvian reconstruct`
then gets the evidence without the start. If its probabilities are right, nine of ten starts lie inside the 90 % region,
and nine of ten values inside their 90 % interval. The region is the ellipse about the mean that holds 90 % of the cases
of the last generation. Model and truth are the same program here, so the errors of the model have no part in this.
"""


def observed(row: dict[str, Any], evidence: dict[str, Any], random: np.random.Generator) -> dict[str, Any]:
    """Return the outcomes of a row as evidence of the kinds in a study."""
    found: dict[str, Any] = {}
    for name, given in evidence.items():
        value = row[name]
        if isinstance(given, bool):
            found[name] = bool(random.random() < (0.0 if value is None else value))
        elif isinstance(given, list) and value is not None:
            found[name] = (value + given[1] * random.normal(), given[1])
        else:
            found[name] = value
    return found


def inside(unit: np.ndarray, found: Reconstruction, study: Study) -> bool:
    """Return True if a start, as numbers from 0 to 1, lies in the 90 % region of a reconstruction."""
    ends = values_at(study.variables, np.array([np.zeros(len(unit)), np.ones(len(unit))]))
    paths = [path for path, column in found.cases.items() if not isinstance(column[0], str)]
    cases = np.array([[value for value in found.cases[path]] for path in paths], float).T
    truth = np.array([values_at(study.variables, unit[None])[path][0] for path in paths], float)
    width = np.array([float(ends[path][1]) - float(ends[path][0]) for path in paths])
    cases, truth = cases / width, truth / width
    centre = found.weight @ cases
    off = cases - centre
    inverse = np.linalg.pinv((found.weight[:, None] * off).T @ off)
    distance = np.einsum("ij,jk,ik->i", off, inverse, off)
    order = np.argsort(distance)
    limit = float(np.interp(0.9, np.cumsum(found.weight[order]), distance[order]))
    return float((truth - centre) @ inverse @ (truth - centre)) <= limit


def section(name: str, repetitions: int) -> str:
    """Return the part of the page for one study."""
    study, evidence = load_study(name), load_evidence(name)
    random = np.random.default_rng(0)
    paths = study.paths_of_variables
    lines, hits, within, runs = [], 0, dict.fromkeys(paths, 0), 0
    begun = time.perf_counter()
    for number in range(1, repetitions + 1):
        while True:  # a start that does not run to its end leaves no evidence
            unit = random.random(dimensions(study.variables))
            truth = {path: column[0] for path, column in values_at(study.variables, unit[None]).items()}
            row = study.evaluate([truth])[0]
            if not row["reason"]:
                break
        known = observed(row, evidence, random)
        found = reconstruct(study, known, cases=CASES, generations=GENERATIONS)
        cells = []
        for one in found.estimates:
            hit = one.low <= truth[one.path] <= one.high
            within[one.path] += hit
            cells.append(f"{truth[one.path]:.3g}: {one.low:.3g} to {one.high:.3g}{'' if hit else ' (outside)'}")
        hit = inside(unit, found, study)
        hits, runs = hits + hit, runs + found.runs
        worth = f"{found.effective:.0f}" + (f" (tolerance {found.tolerance:.2g})" if found.tolerance > 1.0 else "")
        lines.append(f"| {number} | {' | '.join(cells)} | {'inside' if hit else 'outside'} | {worth} |")
        print(f"{name} {lines[-1]} {time.perf_counter() - begun:.0f} s", flush=True)
    share = ", ".join(f"`{path}` {count} of {repetitions}" for path, count in within.items())
    return (
        f"\n## {name}\n\n{hits} of {repetitions} starts lie inside the 90 % region "
        f"({100.0 * hits / repetitions:.0f} %; at least 80 % wanted). Inside their own 90 % intervals: {share}. "
        f"{runs} runs in all, {CASES} a generation, at most {GENERATIONS} generations.\n\n"
        f"| | {' | '.join(f'`{path}`' for path in paths)} | region | worth |\n"
        f"|---:|{'---|' * len(paths)}---|---|\n" + "\n".join(lines) + "\n\n"
        "Cells: the true value (SI), then the 90 % interval. Worth: independent cases of the last generation.\n"
    )


def main(words: list[str]) -> int:
    """Write the page."""
    repetitions = REPETITIONS
    if "--repetitions" in words:
        at = words.index("--repetitions")
        repetitions = int(words[at + 1])
        words = words[:at] + words[at + 2 :]
    for name in words:
        if name not in STUDIES:
            print(f'there is no "{name}"; accepted: {", ".join(STUDIES)}')
            return 2
    kept: dict[str, str] = {}
    if PAGE.exists():
        for part in PAGE.read_text(encoding="utf-8").split("\n## ")[1:]:
            kept[part.partition("\n")[0]] = f"\n## {part.rstrip()}\n"
    for name in words or STUDIES:
        kept[name] = section(name, repetitions)
        PAGE.write_text(HEAD + "".join(kept[name] for name in STUDIES if name in kept), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
