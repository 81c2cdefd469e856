"""Write docs/validate/sensitivity.md: the ten inputs that move HIC15 and chest acceleration most, one at a time.

python tools/make_sensitivity_docs.py          all scenarios, about ten minutes
python tools/make_sensitivity_docs.py fall-4m  some of them; the others keep their part of the page

Every input is a value of the tissue table or a group of values of the joint table (all axes of a joint together). It is
set to the lower and to the upper end of its range, all else unchanged. The range is that of the table; where a joint
row has none it is half to twice the value, which is an assumption of this tool.
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from vitruvian import data
from vitruvian.errors import VitruvianError
from vitruvian.lab.validate import body
from vitruvian.scenario import Scenario

PAGE = Path(__file__).parents[1] / "docs" / "validate" / "sensitivity.md"
SCENARIOS = (
    "fall-4m", "fall-standing-backward", "fall-standing-forward", "fall-standing-sideways", "pedestrian-side-left",
)  # fmt: skip
CRITERIA = {"HIC15": "HIC15 of the head [-]", "chest 3ms": "chest acceleration, 3 ms [g]"}
JOINTS = "joint_resistance_2"
TISSUE = ("layer_stiffness", "thickness", "hardening", "core_stiffness", "rebound")
MOST = 10
HEAD = """# Which estimate decides?

<!-- made by tools/make_sensitivity_docs.py; do not edit -->

The ten inputs that move HIC15 and the chest acceleration most, one at a time over their ranges, all else as in the
ready scenario, with the body of `vitruvian validate`. Ranges are those of the
[data tables](../reference/data/index.md); where a joint value has none, half to twice the value was taken. Swing is the
largest difference between the two ends and the value in use, relative to the value in use. One input at a time shows no
interaction: together they may do more or less.
"""


class Input(NamedTuple):
    """A value, or a group of values that are changed together, as factors on the table."""

    name: str
    table: str
    keys: tuple[tuple[str, str], ...]  # item and quantity
    low: float
    high: float
    words: str  # range


def inputs() -> list[Input]:
    """Return tissue values, and for each joint its stiffness inside and beyond the range and its damping."""
    found = []
    for row in data.table("tissue"):
        if row.quantity in TISSUE and row.low is not None and row.high is not None and row.sex in ("", "male"):
            words = f"{row.low:g} to {row.high:g} {row.unit}"
            name = f"{row.item}: {row.quantity.replace('_', ' ')} of the tissue"
            key = ((row.item, row.quantity),)
            found.append(Input(name, "tissue", key, row.low / row.value, row.high / row.value, words))
    groups = {
        "stiffness inside the range": ("stiffness_x", "stiffness_y", "stiffness_z"),
        "stiffness beyond the range": tuple(f"stiffness_{end}_{axis}" for end in ("plus", "minus") for axis in "xyz"),
        "damping": ("damping_x", "damping_y", "damping_z"),
        "damping gained beyond the range": tuple(f"limit_damping_{axis}" for axis in "xyz"),
    }
    for joint, values in data.values(JOINTS).items():
        for words, quantities in groups.items():
            keys = tuple((joint, quantity) for quantity in quantities if quantity in values)
            if keys:
                found.append(Input(f"{joint.replace('_', ' ')}: {words}", JOINTS, keys, 0.5, 2.0, "half to twice"))
    return found


@contextmanager
def scaled(item: Input | None, factor: float) -> Iterator[None]:
    """Multiply an input by a factor in everything that reads the tables."""
    original = data.values

    def values(name: str, sex: str = "male") -> Mapping[str, Mapping[str, float]]:
        table = original(name, sex)
        if item is None or name != item.table:
            return table
        changed = {key: dict(row) for key, row in table.items()}
        for where, quantity in item.keys:
            if where in changed and quantity in changed[where]:
                changed[where][quantity] *= factor
        return changed

    data.values = values  # type: ignore[assignment]
    _forget()
    try:
        yield
    finally:
        data.values = original
        _forget()


def _forget() -> None:
    """Clear what the modules of people remember of the tables."""
    for name, module in list(sys.modules.items()):
        if name.startswith(("vitruvian.human", "vitruvian.scenario")):
            for held in vars(module).values():
                if isinstance(held, functools._lru_cache_wrapper):
                    held.cache_clear()


def outcome(scenario: str) -> dict[str, float]:
    """Return criterion -> value of a run."""
    try:
        found = Scenario.load(scenario, body.changes()).run().injury()
    except VitruvianError:
        return dict.fromkeys(CRITERIA, float("nan"))
    largest: dict[str, float] = {}
    for finding in found.findings:
        largest[finding.criterion] = max(finding.value, largest.get(finding.criterion, 0.0))
    return {name: largest.get(name, float("nan")) for name in CRITERIA}


def section(scenario: str) -> str:
    """Return the part of the page for one scenario."""
    with scaled(None, 1.0):
        usual = outcome(scenario)
    rows: list[dict[str, Any]] = []
    for item in inputs():
        ends = []
        for factor in (item.low, item.high):
            with scaled(item, factor):
                ends.append(outcome(scenario))
        rows.append({"input": item, "ends": ends})
    text = f"\n## {scenario}\n"
    for name, title in CRITERIA.items():
        held = usual[name]

        def swing(row: dict[str, Any], name: str = name, held: float = held) -> float:
            moved = [abs(end[name] - held) / held for end in row["ends"]]
            return max((value for value in moved if value == value), default=0.0)

        text += f"\n{title}: {held:.4g} in use.\n\n| input | range | at the lower end | at the upper end | swing |\n"
        text += "|---|---|---:|---:|---:|\n"
        for row in sorted(rows, key=swing, reverse=True)[:MOST]:
            low, high = (f"{end[name]:.4g}" for end in row["ends"])
            text += f"| {row['input'].name} | {row['input'].words} | {low} | {high} | {100.0 * swing(row):.0f} % |\n"
    return text


def main(names: list[str]) -> int:
    for name in names:
        if name not in SCENARIOS:
            print(f'there is no "{name}"; accepted: {", ".join(SCENARIOS)}')
            return 2
    kept: dict[str, str] = {}
    if PAGE.exists():
        for part in PAGE.read_text(encoding="utf-8").split("\n## ")[1:]:
            kept[part.partition("\n")[0]] = f"\n## {part}"
    for name in names or SCENARIOS:
        print(name, flush=True)
        kept[name] = section(name)
        PAGE.write_text(HEAD + "".join(kept[name] for name in SCENARIOS if name in kept), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
