"""Writes docs/reference/scenario.md and docs/reference/channels.md from the schema and the channel table.

python tools/make_scenario_docs.py           write both pages
python tools/make_scenario_docs.py --check   fail if one is not up to date
"""

from __future__ import annotations

import math
import re
import sys
from dataclasses import MISSING
from pathlib import Path
from typing import Any

from vitruvian.data import surfaces
from vitruvian.human import postures
from vitruvian.injury.section import CUTS
from vitruvian.model.value import Count
from vitruvian.scenario import schema
from vitruvian.scenario.definition import Entry, Row
from vitruvian.sim.channel import CHANNELS, WORK_CLASSES
from vitruvian.sim.load_cell import CELLS, OTHER
from vitruvian.sim.solver import METHODS, Solver

REFERENCE = Path(__file__).parents[1] / "docs" / "reference"

#: heading in the file -> table of the schema, in the order of the page
TABLES = {
    "": "Scenario",
    "[human]": "Human",
    "[human.start]": "Start",
    "[[human.start.push]]": "Push",
    "[[human.added]]": "Added",
    "[human.tissue]": "OwnTissue",
    "tissue of a segment": "Tissue",
    "[vehicle]": "Vehicle",
    "brake": "Brake",
    "[sled]": "Sled",
    "pulse of a sled": "Pulse",
    "barrier of a free sled": "Barrier",
    "[[seat]]": "Seat",
    "recliner of a seat": "Recliner",
    "head restraint of a seat": "HeadRestraint",
    "[bicycle]": "Bicycle",
    "[[surface]]": "Surface",
    "[[contact]]": "BodyContact",
    "contact": "Contact",
    "[[body]]": "Body",
    "shapes": "Shape",
    "start of a body": "BodyStart",
    "tube of a body": "Tube",
    "[[joint]]": "Joint",
    "start of a joint": "JointStart",
    "resistance": "Resistance",
    "torque curve": "Curve",
    "[[loop]]": "Loop",
    "release of a loop": "Release",
    "[[muscle]]": "Muscle",
    "place of a muscle": "MusclePoint",
    "[[airbag]]": "Airbag",
    "inflator of an airbag": "Inflator",
    "fire of an airbag": "Firing",
    "[[belt]]": "Belt",
    "waypoint of a belt": "Waypoint",
    "retractor of a belt": "Retractor",
    "pretensioner of a retractor": "Pretensioner",
    "[[spring]]": "Spring",
    "[[torsion_spring]]": "TorsionSpring",
    "[[load]]": "Load",
    "[[sensor]]": "Sensor",
    "function of time": "Function",
    "[solver]": "Solver",
    "[output]": "Output",
}

MADE = "<!-- made by tools/make_scenario_docs.py; do not edit -->"

SCENARIO = f"""# Scenario keys

{MADE}

A scenario is a TOML file. How to write one is [here](../how-to/scenario.md); this page lists every key.

- A bare number is in SI. Text may carry a unit: `"180 cm"`, `"40 km/h"`, `"20 deg"`.
- An unknown key is an error that names the nearest known one.
- `[human]` is short for a single `[[human]]`; the same goes for every table of which there may be several.
- A rotation is a rotation vector (3 angles) or a unit quaternion (4 numbers, scalar first).
- Joint coordinates are those of the joint's type: see [the sweep](../theory/sweep.md#joints-own-their-coordinates).
- The same dotted path works in the file, in `--set` and in `Scenario.replace`: `human.start.clearance`,
  `surface.ground.contact.friction`, `joint.hinge.start`.
"""

CHANNELS_HEAD = f"""# Channels

{MADE}

What a result offers, by name: `result["kinetic"]`, or of one item with its name before it:
`result["head.acceleration"]`, `result["left_knee.joint_torque"]`, `result["head.ground.contact_force"]`.
How to read them is [here](../how-to/results.md).

World axes (x forward, y left, z up) and centres of mass unless the name says otherwise; `_local` means the axes of the
body, the sensor or the load cell. Accelerations are those of the motion, as a camera would see them: 1 g downwards in
free flight, zero at rest. "Stored" channels are in the file; the others are computed from them when asked for.

| channel | unit | dimensions | stored | meaning |
|---|---|---|---|---|
"""

CHANNELS_FOOT = """
`pose_time` has the rate `output.pose_rate` (1 kHz unless set), `time` the rate `output.rate` (10 kHz). A pair is a body
and a surface that may touch: `head.ground`. Forces and moments of a joint act on its child, except `_local` ones.

## Load cells

A load cell is a joint whose force and moment are sampled at `time`: every joint except free ones. A sample is the mean
over its sampling interval, like that of a sensor, so the impulse is exact whatever the steps. `joint_force` and
`joint_moment` are the same loads at `pose_time`. They miss what happens between two poses: do not take peaks from them.
Load cells and `attitude` are stored as float32 to keep files small.

`joint_force_local` and `joint_moment_local` are what a load cell in a segment reads. The axes are those of SAE J211 (x
forward, y to the right, z down) and turn with the segment. The signs are those of SAE J1733: a load is what the lower
(distal) part does to the upper (proximal) part. The table shows how they follow from the load on the child in the axes
of the segment (x forward, y left, z up):

| joint | axes of | section | Fx, Mx | Fy, My, Fz, Mz |
|---|---|---|---|---|
{cells}

| positive | means | shown by |
|---|---|---|
| Fx | the lower part is pushed forward, the upper one rearward | a head pushed rearward, a foot pushed forward |
| Fy | the lower part is pushed to the right, the upper one to the left | a head pushed left, a foot pushed right |
| Fz | tension | a hanging head, a hanging leg; a standing leg is negative |
| Mx | left ear towards the left shoulder | a head whose mass is to the left |
| My | flexion: chin towards the sternum | a head whose mass is in front; a foot pushed forward, the knee held |
| Mz | chin towards the left shoulder | a head that is twisted to the left |

`tests/unit/injury/test_section.py` shows each sign on a statically loaded body. `left_femur_lower`, the load of the
knee in the axes of the thigh, is a section of the injury assessment only. The assessment filters these loads by the
class of each criterion ([theory](../theory/injury.md)); the channels are raw.

## Filter classes of sensors

The channels `sensor_*` are raw. A sensor with `filter = "CFC180"` in the scenario has that class in the table of a run,
in `Result.accelerometer` and `Result.resultant_g`, in criteria and in ISO-MME files.

Classes of `work`: {classes}.

In addition to the channels a file holds `balance_error` (a number) and the events: `event_time`, `event_kind` (touch or
separation), `event_body`, `event_surface`, `event_value` (closing or opening speed in m/s).
"""


def scenario_page() -> str:
    """The page of all keys in Markdown."""
    parts, known = [SCENARIO], {table.name: table for table in schema.tables()}
    assert set(known) == set(TABLES.values()), "a table of the schema has no heading in TABLES"
    for heading, name in TABLES.items():
        title = f"`{heading}`" if heading.startswith("[") else (heading or "the file").capitalize()
        parts.append(f"\n## {title}\n\n{known[name].doc}\n\n| key | value | default | meaning |\n|---|---|---|---|\n")
        parts.extend(_row(entry) for entry in known[name].entries)
        if name == "Solver":
            parts.append(_solver_defaults())
    parts.append(f"\n## Ready words\n\nPostures: {_words(postures())}.\n\nSurfaces: {_words(surfaces())}.\n")
    return "".join(parts)


def channels_page() -> str:
    """The page of all channels in Markdown."""
    rows = []
    for channel in CHANNELS.values():
        name = f"<{channel.of}>.{channel.name}" if channel.of else channel.name
        dims, stored = ", ".join(channel.dims), "" if channel.derived else "yes"
        rows.append(f"| `{name}` | {channel.units} | {dims} | {stored} | {channel.long_name} |\n")
    return CHANNELS_HEAD + "".join(rows) + CHANNELS_FOOT.format(classes=_words(WORK_CLASSES), cells=_cells())


def _cells() -> str:
    """Return the rows of the table of load cells."""
    sections = {cut.joint.removeprefix("left_"): name for name, cut in CUTS.items() if cut.cell is None}
    rows = []
    for joint, (sign, axes) in {**CELLS, "others": OTHER}.items():
        name = f"`{joint}`" if joint in CELLS else "all others"
        section = f"`{sections[joint]}`".replace("right_", "left_") if joint in sections else ""
        signs = ("as it is", "opposite")
        rows.append(f"| {name} | the {axes} | {section} | {signs[sign < 0]} | {signs[sign > 0]} |")
    return "\n".join(rows)


def _solver_defaults() -> str:
    """Return the solver defaults, as Markdown."""
    rows = "".join(
        f"| `{name}` | {'adaptive' if adaptive else 'fixed'} | {tolerance or ''} | {step:g} s |\n"
        for name, (_, adaptive, tolerance, step) in METHODS.items()
    )
    limits = ", ".join(f"`{name}` {getattr(Solver, name):g} s" for name in ("max_step", "contact_step", "min_step"))
    return (
        f"\nWhat is not given: {limits}, `max_steps` {Solver.max_steps:,}, and by method:\n\n"
        f"| method | steps | tolerance | step |\n|---|---|---|---|\n{rows}"
    )


def _row(entry: Entry) -> str:
    about = entry.doc.replace("|", "\\|").replace("<", "&lt;")
    fits = f"{', '.join(entry.fits)}: " if entry.fits else ""
    return f"| `{entry.key}` | {_kind(entry.kind.schema())} | {_default(entry)} | {fits}{about} |\n"


def _kind(shape: dict[str, Any]) -> str:
    """Describe in words what a field accepts."""
    if "x-words" in shape:
        return str(shape["x-words"])
    if "$ref" in shape:
        return _link(shape["$ref"].rpartition("/")[2])
    if "enum" in shape:
        words = shape["enum"]
        return "row of the surface table" if words == list(surfaces()) else ", ".join(f"`{word}`" for word in words)
    if "x-unit" in shape:
        name, unit = shape.get("x-dimension", "quantity"), shape["x-unit"]
        several = any(option.get("type") == "array" for option in shape["anyOf"])
        words = "number" if name == "dimensionless" else f"{name} [{unit}]"
        return f"{words} or list" if several else words
    if "anyOf" in shape:
        if shape.get("x-several"):
            return _kind(shape["anyOf"][0]).replace("[table]", "[tables]")
        return " or ".join(dict.fromkeys(map(_kind, shape["anyOf"])))
    kind = shape.get("type")
    if isinstance(kind, list):
        return " or ".join(_NOUNS[name] for name in kind)
    if kind == "array":
        inner = _kind(shape["items"]) if "items" in shape else ", ".join(map(_kind, shape["prefixItems"]))
        return f"{shape['minItems']} x {inner}" if "minItems" in shape and "items" in shape else f"list of {inner}"
    if kind == "object" and "additionalProperties" in shape:
        return f"table of {_kind(shape['additionalProperties'])}"
    return _NOUNS[str(kind)]


_NOUNS = {
    "number": "number",
    "integer": "whole number",
    "string": "text",
    "boolean": "true, false",
    "object": "table",
    "array": "list",
}


def _link(name: str) -> str:
    """The section of a table of the schema."""
    heading = next(heading for heading, table in TABLES.items() if table == name)
    return f"[table](#{re.sub(r'[^a-z_ -]', '', heading.lower()).replace(' ', '-')})"


def _default(entry: Entry) -> str:
    if entry.required or (entry.fits and entry.falls_to is MISSING):
        return "**required**"
    default = entry.falls_to
    plain = default is not None and default is not MISSING and not isinstance(entry.default, Row)
    return (
        f"`{_toml(default)}`"
        if plain
        and default not in ((), "", {}, (None, None, None))
        and not (isinstance(entry.kind, Count) and default == 0)
        else ""
    )


def _toml(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return f'"{value}"'
    if isinstance(value, tuple):
        return "[" + ", ".join(_toml(item) for item in value) + "]"
    if isinstance(value, float) and math.isfinite(value):
        return f"{value:g}" if float(f"{value:g}") == value else repr(value)
    return str(value)


def _words(words: Any) -> str:
    return ", ".join(f"`{word}`" for word in words)


PAGES = {"scenario.md": scenario_page, "channels.md": channels_page}


def main() -> int:
    stale = []
    for name, page in PAGES.items():
        path = REFERENCE / name
        if "--check" in sys.argv[1:]:
            if not path.exists() or path.read_text(encoding="utf-8") != page():
                stale.append(name)
        else:
            path.write_text(page(), encoding="utf-8")
    if stale:
        print(f"{', '.join(stale)} not up to date; run python tools/make_scenario_docs.py")
    return len(stale)


if __name__ == "__main__":
    sys.exit(main())
