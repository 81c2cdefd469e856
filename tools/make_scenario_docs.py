"""Writes docs/reference/scenario.md and docs/reference/channels.md from the schema and the channel table.

python tools/make_scenario_docs.py           write both pages
python tools/make_scenario_docs.py --check   fail if one is not up to date
"""

from __future__ import annotations

import math
import re
import sys
from pathlib import Path
from typing import Any

from pydantic_core import PydanticUndefined

from vitruvian.data import surfaces
from vitruvian.human import postures
from vitruvian.injury.section import CUTS
from vitruvian.scenario import mechanism, schema, surroundings
from vitruvian.sim.channel import CHANNELS, WORK_CLASSES
from vitruvian.sim.load_cell import CELLS, OTHER
from vitruvian.sim.simulate import METHODS, Solver

REFERENCE = Path(__file__).parents[1] / "docs" / "reference"

#: heading in the file -> class of the schema, in the order of the page
TABLES = {
    "": schema.ScenarioTable,
    "[human]": schema.Human,
    "[human.start]": schema.Start,
    "[[human.start.push]]": schema.Push,
    "[vehicle]": surroundings.Vehicle,
    "brake": surroundings.Brake,
    "[[human.added]]": schema.Added,
    "[[surface]]": surroundings.Surface,
    "[[contact]]": surroundings.BodyContact,
    "contact": surroundings.Contact,
    "[[body]]": mechanism.Body,
    "shapes": surroundings.Shape,
    "start of a body": mechanism.BodyStart,
    "[[joint]]": mechanism.Joint,
    "start of a joint": mechanism.JointStart,
    "resistance": mechanism.Resistance,
    "torque curve": mechanism.Curve,
    "[[spring]]": mechanism.Spring,
    "[[torsion_spring]]": mechanism.TorsionSpring,
    "[[load]]": mechanism.Load,
    "[[sensor]]": mechanism.Sensor,
    "function of time": mechanism.TimeTable,
    "[solver]": schema.Solver,
    "[output]": schema.Output,
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

`tests/unit/test_injury_section.py` shows each sign on a statically loaded body. `left_femur_lower`, the load of the
knee in the axes of the thigh, is a section of the injury assessment only. The assessment filters these loads by the
class of each criterion ([theory](../theory/injury.md)); the channels are raw.

## Filter classes of sensors

The channels `sensor_*` are raw. A sensor with `filter = "CFC180"` in the scenario has that class in the table of a run,
in `Result.accelerometer` and `Result.resultant_g`, in criteria and in ISO-MME files.

Classes of `work`: {classes}.

Beside the channels a file holds `balance_error` (a number) and the events: `event_time`, `event_kind` (touch or
separation), `event_body`, `event_surface`, `event_value` (closing or opening speed in m/s).
"""


def scenario_page() -> str:
    """The page of all keys in Markdown."""
    parts = [SCENARIO]
    for heading, table in TABLES.items():
        about = " ".join((table.__doc__ or "").split())
        title = f"`{heading}`" if heading.startswith("[") else (heading or "the file").capitalize()
        parts.append(f"\n## {title}\n\n{about}\n\n| key | value | default | meaning |\n|---|---|---|---|\n")
        parts.extend(_row(name, field, table) for name, field in table.model_fields.items())
        if table is schema.Solver:
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
    """What the solver takes where the scenario is silent."""
    rows = "".join(
        f"| `{name}` | {'adaptive' if adaptive else 'fixed'} | {tolerance or ''} | {step:g} s |\n"
        for name, (_, adaptive, tolerance, step) in METHODS.items()
    )
    limits = ", ".join(f"`{name}` {getattr(Solver, name):g} s" for name in ("max_step", "contact_step", "min_step"))
    return (
        f"\nWhat is not given: {limits}, `max_steps` {Solver.max_steps:,}, and by method:\n\n"
        f"| method | steps | tolerance | step |\n|---|---|---|---|\n{rows}"
    )


def _row(name: str, field: Any, table: type) -> str:
    key = field.alias or name
    shape = table.model_json_schema()["properties"][key]
    kind = _kind(shape)
    if kind == "quantity" and table in (mechanism.Resistance, mechanism.JointStart):
        kind = "quantity or list"
    about = (field.description or "").replace("|", "\\|").replace("<", "&lt;")
    return f"| `{key}` | {kind} | {_default(field)} | {about} |\n"


def _kind(shape: dict[str, Any]) -> str:
    """What may be written, in words."""
    if "$ref" in shape:
        return _link(shape["$ref"].rpartition("/")[2])
    if "enum" in shape:
        return ", ".join(f"`{word}`" for word in shape["enum"])
    if "const" in shape:
        return f"`{shape['const']}`"
    for union in ("anyOf", "oneOf"):
        if union in shape:
            kinds = [_kind(option) for option in shape[union] if option.get("type") != "null"]
            return "quantity" if set(kinds) == {"number", "text"} else " or ".join(dict.fromkeys(kinds))
    kind = shape.get("type")
    if kind == "array":
        inner = _kind(shape["items"]) if isinstance(shape.get("items"), dict) else "number"
        if inner.startswith("[table]"):
            return inner.replace("[table]", "[tables]")
        return "list of numbers" if inner in ("quantity", "number") else f"list of {inner}"
    words = {"number": "number", "integer": "whole number", "string": "text", "boolean": "true, false"}
    return words.get(str(kind), "table" if kind == "object" else "quantity")


def _link(name: str) -> str:
    """The section of a table of the schema."""
    heading = next(heading for heading, table in TABLES.items() if table.__name__ == name)
    return f"[table](#{re.sub(r'[^a-z_ -]', '', heading.lower()).replace(' ', '-')})"


def _default(field: Any) -> str:
    if field.is_required():
        return "**required**"
    if field.default_factory is not None or field.default is PydanticUndefined:
        return ""
    if field.default is None or field.default in ((), ""):
        return ""
    return f"`{_toml(field.default)}`"


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
