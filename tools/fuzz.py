"""Feeds Vitruvian wrong input: mutated scenarios, short runs, edited results, measured files and command lines.

python tools/fuzz.py scenarios --count 20000    check mutants of the ready scenarios and of a workshop full of parts
python tools/fuzz.py runs --count 2000          run the mutants that are accepted, for 10 ms
python tools/fuzz.py results --count 1000       read edited result files
python tools/fuzz.py measured --count 500       assess edited CSV and ISO-MME files
python tools/fuzz.py options --count 500        command lines
python tools/fuzz.py all                        all of them, with these numbers

A case is fine if the input is accepted or refused with a sentence. A finding is a crash, a hang (over 10 s of CPU
time), an error that leaks the inside of the program or names no path, or an input that is accepted and ignored. The
summary lists every finding with the command that repeats it; the exit code is then 1.

Every case follows from the seed and its number alone. Progress is kept in .fuzz/, and the same command continues there.
Cases run in a process of their own, so that a hang or a segmentation fault costs one case only.
"""

from __future__ import annotations

import argparse
import contextlib
import copy
import datetime
import io
import json
import os
import queue
import random
import re
import subprocess
import sys
import tempfile
import threading
import time
import tomllib
import traceback
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

COUNTS = {"scenarios": 20_000, "runs": 2_000, "results": 1_000, "measured": 500, "options": 500}
CPU_LIMIT = 10.0  # of a case [s]
WALL_LIMIT = 60.0  # without an answer, after which the process is ended [s]; other programs share the machine
WARM_UP = 600.0  # for imports and kernels [s]
RUN_TIME = 0.01  # simulated [s]
RUN_STEPS = 2_000
UNBALANCED = 0.05  # energy balance error of a run that must not be called fine [-]

#: words of Python, pydantic and numpy that no user should have to read
LEAK = re.compile(
    r"Input should|valid tuple|valid dict|math domain|[\x00-\x09\x0b-\x1f\x7f]|Traceback|pydantic|has no attribute|"
    r"unhashable|NoneType|<class|keyword argument|not supported between|dtype|could not convert|object is not|"
    r"not subscriptable|invalid literal|too many values|list index|KeyError|unexpected|MappingProxy|array\(|\bNone\b|"
    r"Any\b",
)


class Finding(Exception):
    """Something that must not happen."""


# --- what is mutated

WORKSHOP = """
schema = 1
title = "workshop"
gravity = [0, 0, "-9.81 m/s2"]

[[human]]
name = "anna"
measured = "person.toml"
posture = "posture.toml"
hinges = "revolute"
axial = "compliant"
tissue = { head = { stiffness = "300 kN/m", thickness = "5 mm", exponent = 1.2, core = 1e6, restitution = 0.2 } }
self_contact = { friction = 0.3 }
added = [{ name = "bag", segment = "hand", mass = "2 kg", offset = [0, 0, "-20 cm"], semi_axes = [0.1, 0.1, 0.2] }]
start = { position = ["3 m", 0], heading = "90 deg", velocity = [0, 1, 0], angular_velocity = [0, 0, "10 deg/s"] }

[[human]]
name = "bob"
measured = { sex = "male", age = 40, height = "180 cm", mass = 80, range = { knee = { flexion = "128 deg" } } }
posture = { base = "walking", mirror = true, joints = { knee = { flexion = 0.3 }, shoulder = { abduction = 0.6 } } }
start = { clearance = "1 cm", position = [6, 0], push = [{ segments = ["head", "hand"], velocity = [1, 0, 0] }] }

[[human]]
name = "cleo"
preset = "5F"
posture = "cycling"
start = { position = [20, 20], clearance = "12 cm", heading = "90 deg", velocity = [0, "15 km/h", 0] }

[[bicycle]]
rider = "cleo"
mass = "12 kg"

[[vehicle]]
name = "car"
front = "front.toml"
speed = "40 km/h"
position = "-2 m"
grades = { bonnet = "soft" }
brake = { deceleration = "0.7 g", from = "0.1 s", pitch = "1 deg" }

[[vehicle]]
name = "truck"
speed = 3
heading = "90 deg"
lateral = 40
position = "-60 m"
mass = "8 t"
[vehicle.front]
base = "bus"
width = "2.4 m"
friction = 0.4
[vehicle.front.contacts.bumper]
stiffness = "200 kN/m"
law = "hunt-crossley"
exponent = 1

[sled]
position = [60, 0, 0]
velocity = ["2 m/s", 0, 0]
pulse = { unit = "g", times = [0, "20 ms", 0.05], values = [0, -5, 0] }
yaw = { shape = "half-sine", peak = "50 deg/s2", duration = "40 ms" }
pivot = [0, 0.5, 0]

[[seat]]
occupant = ""
place = [0, 0, "0.4 m"]
cushion = "cushion"
pan_angle = "10 deg"
recliner = { moment = "1 kN m", mass = 10 }
head_restraint = { height = "0.7 m" }

[[surface]]
name = "ground"
point = [0, 0, 0]
normal = [0, 0, 1]
contact = { base = "asphalt", friction = 0.5 }

[[surface]]
name = "slab"
shape = "facet"
corners = [[20, 0, 1], [21, 0, 1], [21, 1, 1], [20, 1, 1]]
rounding = "1 cm"
contact = "gym-mat"
only = ["ball"]

[[surface]]
name = "kerb"
shape = "profile"
profile = [[0, 0], [0, "12 cm"], ["-30 cm", "12 cm"]]
width = "5 m"
place = [-20, 0, 0]
segments = ["face", "top"]
contacts = { face = "concrete", top = { stiffness = 50000, exponent = 1 } }

[[surface]]
name = "box"
shape = "mesh"
file = "box.obj"
unit = "cm"
contact = "concrete"
place = [-30, 0, 0]
rotation = [0, 0, "45 deg"]

[[contact]]
name = "ball on arm"
between = ["ball", ["arm", "rod"]]
contact = { law = "curve", curve = [[0, 0], ["1 cm", "500 N"], [0.02, 2000]], unloading_stiffness = "400 kN/m" }

[[body]]
name = "arm"
mass = "3 kg"
inertia = [0.1, 0.1, "0.02 kg m2"]
shapes = [{ kind = "capsule", radius = "4 cm", length = "30 cm" }, { semi_axes = [0.1, 0.1, 0.1], offset = [0, 0, 1] }]

[[body]]
name = "rod"
mass = 1
shapes = [{ kind = "box", size = [0.1, 0.1, 0.5] }]

[[body]]
name = "slider"
mass = 2
inertia = [[0.1, 0, 0], [0, 0.1, 0], [0, 0, 0.1]]

[[body]]
name = "ball"
mass = "500 g"
shapes = [{ kind = "sphere", radius = "10 cm", stiffness = "20 kN/m" }]
start = { position = [20.5, 0.5, 2], velocity = [0, 0, "-1 m/s"], orientation = [0, 0, "30 deg"] }

[[joint]]
name = "shoulder"
type = "spherical"
child = "arm"
point_parent = [10, 0, 2]
point_child = [0, 0, 0.2]
resistance = { law = "swing_twist", limit_plus = ["60 deg", 1, 1], stiffness_plus = [9, 9, 9], damping = [1, 1, 1] }
start = { orientation = [0, "20 deg", 0], angular_velocity = [0, 0, 1] }

[[joint]]
name = "elbow"
type = "revolute"
parent = "arm"
child = "rod"
axis = [0, 1, 0]
point_child = [0, 0, 0.25]
start = { coordinates = ["10 deg"], rates = [0.5] }
[joint.resistance]
stiffness = "10 N m/rad"
rest = "5 deg"
friction = 0.1
friction_fade = "10 deg"
curve = [{ angles = [-1, 0, 1], torques = [-5, 0, 5], kind = "cubic" }]

[[joint]]
name = "rail"
type = "prismatic"
child = "slider"
axis = [1, 0, 0]
point_parent = [15, 0, 1]
motion = [{ times = [0, "100 ms", 0.2], values = [0, 5, 0], unit = "cm", kind = "position" }]

[[body]]
name = "crank"
mass = 1
inertia = [0.01, 0.01, 0.01]

[[body]]
name = "coupler"
mass = 1
inertia = [0.01, 0.01, 0.01]

[[body]]
name = "rocker"
mass = 1
inertia = [0.01, 0.01, 0.01]

[[joint]]
name = "crank pin"
type = "revolute"
child = "crank"
axis = [0, 1, 0]
point_parent = [40, 0, 1]
point_child = [0, 0, -0.1]

[[joint]]
name = "coupler pin"
type = "revolute"
parent = "crank"
child = "coupler"
axis = [0, 1, 0]
point_parent = [0, 0, 0.1]
point_child = [-0.2, 0, 0]

[[joint]]
name = "rocker pin"
type = "revolute"
child = "rocker"
axis = [0, 1, 0]
point_parent = [40.4, 0, 1]
point_child = [0, 0, -0.1]

[[loop]]
name = "closing pin"
type = "revolute"
parent = "coupler"
child = "rocker"
axis = [0, 1, 0]
point_parent = ["20 cm", 0, 0]
point_child = [0, 0, 0.1]
release = { force = "5 kN" }

[[spring]]
name = "rope"
body_a = "slider"
body_b = "rod"
stiffness = "1 kN/m"
rest_length = 6
damping = "5 N s/m"
actuator = { times = [0, 1], values = [0, "10 N"] }
tension_only = true

[[belt]]
name = "strap"
slack = "5 mm"
damping = "1 ms"
loading = [[0, 0], [0.05, "6 kN"], [0.1, "14 kN"]]
unloading = [[0, 0], [0.05, "14 kN"]]
path = [
    { anchor = [20.2, 0.9, 2.05] },
    { over = "ball", friction = 0.1, grip = 0.5, side = [1, 0, 0] },
    { ring = [20.3, 0.1, "195 cm"], friction = 0.2 },
    { anchor = [0, 0, 0.1], body = "slider" },
]
[belt.retractor]
lock_time = "10 ms"
lock_acceleration = "0.7 g"
lock_payout = "1 m/s"
spring = "10 N"
limit = "4 kN"
film = "1 cm"
film_force = "800 N"
pretensioner = { time = "20 ms", pull_in = "5 cm", force = "1.5 kN", duration = "6 ms" }

[[belt]]
name = "harness"
type = "lap"
person = "bob"
carrier = "slider"

[[airbag]]
name = "bag"
carrier = "slider"
place = [0, 0, "50 cm"]
axis = [0, 0, 1]
size = ["20 cm", 0.2, 0.2]
segments = ["ball"]
vent = "10 cm2"
inflator = { flow = [[0, 0], ["20 ms", "1 kg/s"], [0.04, 0]], temperature = 500 }
fire = { time = "10 ms" }

[[muscle]]
name = "biceps"
path = [{ body = "arm", point = [0.05, 0, "10 cm"] }, { body = "rod", point = [0.06, 0, 0.1] }]
max_force = "500 N"
fibre_length = "12 cm"
tendon_length = "5 cm"
excitation = { times = [0, 0.05], values = [0, 1] }

[[torsion_spring]]
name = "twister"
joint = "elbow"
resistance = { stiffness = 2, damping = 0.1 }

[[load]]
name = "push"
body = "ball"
components = [0, { times = [0, 0.05], values = [0, 3], unit = "N" }, "1 N"]
point = [0, 0, 0.05]

[[sensor]]
name = "ball_top"
body = "ball"
point = [0, 0, "10 cm"]
rotation = [1, 0, 0, 0]

[solver]
duration = "50 ms"
stop = "ball contact"
method = "implicit"
tolerance = 1e-4
max_step = "5 ms"

[output]
rate = "10 kHz"
pose_rate = 1000
criteria = ["HIC15"]
"""

FILES = {
    "workshop.toml": WORKSHOP,
    "person.toml": """
sex = "female"
age = 35
height = "168 cm"
mass = 61.5
[length]
thigh = "41 cm"
[mass_of]
thigh = "8.6 kg"
[semi_axes]
head = ["96 mm", "75 mm", "113 mm"]
[inertia]
head = [0.016, 0.019, 0.012]
[range.knee]
flexion = "128 deg"
""",
    "person.csv": """item,quantity,value,unit
person,sex,female,-
person,height,168,cm
person,mass,61.5,kg
thigh,length,41,cm
thigh,mass,8.6,kg
head,semi_axis_x,96,mm
head,semi_axis_y,75,mm
head,semi_axis_z,113,mm
knee,flexion,128,deg
""",
    "posture.toml": """
schema = 1
name = "crouched"
description = "low"
base = "standing"
mirror = false
orientation = { roll = 0, pitch = "10 deg", yaw = 0 }
[joints]
hip = { flexion = "30 deg", abduction = "5 deg" }
left_knee = { flexion = "60 deg" }
upper_neck = [0, 0.1, 0]
""",
    "front.toml": """
name = "mycar"
title = "a car"
source = "not measured"
profile = [[-0.05, 0.2], [0, 0.5], [-0.1, 0.75], ["-90 cm", 1.0], [-1.6, 1.5]]
parts = ["bumper", "leading_edge", "bonnet", "windscreen"]
width = "1.7 m"
plan = [[-0.85, -0.2], [0, 0], [0.85, -0.2]]
friction = 0.3
[grades]
bonnet = "medium"
[contacts.windscreen]
law = "curve"
curve = [[0, 0], [0.02, 2000], [0.1, 4000]]
unloading_stiffness = 400000.0
""",
    "box.obj": "\n".join(
        [f"v {x} {y} {z}" for x in (0, 20) for y in (0, 20) for z in (0, 20)]
        + [
            f"f {a} {b} {c}"
            for a, b, c in (
                (1, 2, 4), (1, 4, 3), (5, 7, 8), (5, 8, 6), (1, 5, 6), (1, 6, 2),
                (3, 4, 8), (3, 8, 7), (1, 3, 7), (1, 7, 5), (2, 6, 8), (2, 8, 4),
            )
        ]
    )
    + "\n",
}  # fmt: skip


@cache
def seeds() -> list[str]:
    """The texts that are mutated: the ready scenarios, and the workshop for every second of them."""
    from vitruvian.scenario.reader import find, library

    ready = [find(name).text for name in library()]
    return ready + [WORKSHOP] * (len(ready) // 2)


# --- mutations of a tree

Path_ = tuple[Any, ...]
DEEP = 1_000
NUMBERS = (0, -1, 1e300, -1e300, 1e-300, 1e160, float("inf"), float("-inf"), float("nan"), 2**63, 10**400, 1e9, 0.5, 7)
TEXTS = (
    "", " ", "5", "-1 m", "1e400 m", "10 parsec", "1,5 m", "inf", "nan", "true", "no", "\n", "a\nb", "\x00",
    "\x1b[31mred", "../../x", "/etc/passwd", "[bold]x[/bold]", "[/x]", "acc[/x]", "x" * 10_000, " " * 3_000,
    "9" * 5_000,
    "naïve ☃ 𝕏", "<script>", "{0}", "%s", "world", "head", "sedan", "standing", "none", "1 kg", "3 deg", "1 s",
    "missing.toml", "a.obj",
)  # fmt: skip
OTHERS = (
    True, False, 5, -2.5, "text", [], {}, [1], [1, 2, 3], [[1, 2]], {"a": 1}, {"name": 5}, [{}], [True],
    ["x", "y", "z"], datetime.date(2026, 1, 1), datetime.time(1, 2), 10**4_299,
)  # fmt: skip


def places(node: Any, path: Path_ = ()) -> Iterator[Path_]:
    """Every place of a tree but its root."""
    items = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
    for key, value in items:
        yield (*path, key)
        yield from places(value, (*path, key))


def at(node: Any, path: Path_) -> Any:
    """The value at a place."""
    for key in path:
        node = node[key]
    return node


def put(node: Any, path: Path_, value: Any) -> None:
    """Set the value at a place."""
    at(node, path[:-1])[path[-1]] = value


def kind_of(value: Any) -> str:
    """Type of a value in TOML; whole numbers are numbers."""
    names = ((bool, "flag"), ((int, float), "number"), (str, "text"), (list, "list"), (dict, "table"))
    return next((name for types, name in names if isinstance(value, types)), "date")


CHANGES = ("type", "type", "number", "number", "text", "unknown", "delete", "longer", "empty", "swap", "deep")


def mutated(
    rng: random.Random, data: dict[str, Any], kinds: tuple[str, ...] = CHANGES
) -> tuple[dict[str, Any], str, Path_, str]:
    """A tree with one change: tree, kind of change, its place, and the change in words."""
    tree = copy.deepcopy(data)
    found = list(places(tree))
    path = rng.choice(found)
    old = at(tree, path)
    kind = rng.choice(kinds)
    value: Any = None
    if kind == "number":
        path = rng.choice([p for p in found if kind_of(at(tree, p)) == "number"] or found)
        value = rng.choice(NUMBERS)
        if rng.random() < 0.3:
            value = rng.uniform(-1, 1) * 10 ** rng.uniform(-12, 12)
    elif kind == "text":
        path = rng.choice([p for p in found if kind_of(at(tree, p)) == "text"] or found)
        value = rng.choice(TEXTS)
    elif kind == "type":
        value = copy.deepcopy(rng.choice([other for other in OTHERS if kind_of(other) != kind_of(old)]))
    elif kind == "unknown":
        path = (
            *rng.choice([(), *(p for p in found if kind_of(at(tree, p)) == "table")]),
            rng.choice(("zzz", "x y", "5", "é")),
        )
        value = rng.choice(OTHERS)
    elif kind == "delete":
        del at(tree, path[:-1])[path[-1]]
        return tree, kind, path, f"delete {path}"
    elif kind == "longer":
        path = rng.choice([p for p in found if kind_of(at(tree, p)) == "list" and at(tree, p)] or found)
        old = at(tree, path)
        value = [*old, copy.deepcopy(old[-1])] if isinstance(old, list) and old else [old, old]
    elif kind == "empty":
        value = {"list": [], "table": {}, "text": "", "number": 0}.get(kind_of(old), False)
    elif kind == "swap":
        value = copy.deepcopy(at(data, rng.choice(found)))
    else:
        value = rng.choice(OTHERS)
        for _ in range(DEEP):
            value = [value] if rng.random() < 0.5 else {"a": value}
    put(tree, path, value)
    shown = (
        "nested"
        if kind == "deep"
        else repr(value)
        if not isinstance(value, int)
        else f"{value:.3e}"
        if abs(value) < 1e300
        else "a huge int"
    )
    return tree, kind, path, f"{kind} {path} = {shown[:80]}"


def mutated_text(rng: random.Random, text: str) -> tuple[str, str]:
    """A text with a few changes, and what they are."""
    what = []
    for _ in range(rng.choice((1, 1, 2, 5))):
        lines = text.splitlines() or [""]
        i, place = rng.randrange(len(lines)), rng.randrange(len(text) + 1)
        kind = rng.randrange(9)
        if kind == 0:
            text = text[:place] + rng.choice('"[]{}=.,\\#\n\x00\x7fé9 -') + text[place:]
        elif kind == 1:
            text = text[:place] + text[place + rng.choice((1, 1, 5, 100)) :]
        elif kind == 2:
            text = "\n".join([*lines[: i + 1], lines[i], *lines[i + 1 :]]) + "\n"
        elif kind == 3:
            text = "\n".join(lines[:i] + lines[i + 1 :]) + "\n"
        elif kind == 4:
            text = re.sub(
                r"\d+", lambda m: m[0] if rng.random() < 0.8 else rng.choice(("9" * 5_000, "", "-3", "1e308")), text
            )
        elif kind == 5:
            text = (
                text[:place]
                + rng.choice(("[" * 5_000, "{a=" * 1_500, '"""', "a." * 2_000 + "a = 1\n", " " * 20_000))
                + text[place:]
            )
        elif kind == 6:
            text = text[:place]
        elif kind == 7:
            other = rng.randrange(len(lines))
            lines[i], lines[other] = lines[other], lines[i]
            text = "\n".join(lines) + "\n"
        else:
            text = text.replace(" = ", rng.choice(("=", " = [", ' = "', " == ")), 1)
        what.append(
            ("insert", "cut", "double a line", "drop a line", "digits", "long", "end early", "swap lines", "equals")[
                kind
            ]
        )
    return text, "text: " + ", ".join(what)


# --- what must hold of a refusal and of an acceptance


def readable(message: str, begins: str = "") -> None:
    """Refuse a message that a user cannot use."""
    leak = LEAK.search(message)
    if leak is not None:
        raise Finding(f"leaks {leak[0]!r}: {message[:300]}")
    if not message.startswith(begins):
        raise Finding(f"does not begin with {begins!r}: {message[:300]}")
    if max(map(len, message.splitlines() or [""])) > 1_500:
        raise Finding(f"is {len(message)} characters long: {message[:300]}")


def load_and_build(data: dict[str, Any] | Path, folder: Path) -> Any:
    """A scenario that is accepted, or None; what is written must read back to the same."""
    from vitruvian.errors import VitruvianError
    from vitruvian.scenario import Scenario

    label = data.name if isinstance(data, Path) else "mutant"
    try:
        scenario = Scenario.load(data) if isinstance(data, Path) else Scenario(data, name="mutant", folder=folder)
        scenario.check()
    except VitruvianError as error:
        readable(str(error), label)
        return str(error)
    if Scenario.from_toml(scenario.to_toml(), name=scenario.name) != scenario:
        raise Finding("does not read back to itself")
    return scenario


def write_files(folder: Path) -> None:
    """The files of the workshop."""
    for name, text in FILES.items():
        (folder / name).write_text(text, encoding="utf-8")


def scenarios(rng: random.Random, folder: Path) -> str:
    """One mutant of a scenario, as a tree, as text, or of a file that it mentions."""
    from vitruvian.scenario.path import dotted

    write_files(folder)
    sort = rng.random()
    if sort < 0.6:
        data = tomllib.loads(rng.choice(seeds()))
        tree, kind, path, what = mutated(rng, data)
        with told(what):
            found = load_and_build(tree, folder)
            if isinstance(found, str):
                wrong = kind in ("unknown", "deep") or (
                    kind == "type" and kind_of(at(tree, path)) not in ("number", "text")
                )
                if wrong and not names(path, tree, found):
                    raise Finding(f"does not name {dotted(path, tree)}: {found[:300]}")
                return "refused"
            if kind == "unknown":
                raise Finding("accepts an unknown key")
            if kind == "type" and unchanged(data, found, folder):
                raise Finding("is accepted and ignored")
            return "accepted"
    name = rng.choice(list(FILES))
    text, what = FILES[name], ""
    if sort < 0.8 and name.endswith(".toml"):
        tree, kind, path, what = mutated(rng, tomllib.loads(text))
        try:
            text = toml(tree)
        except (ValueError, TypeError, RecursionError, OverflowError):
            return "not TOML"
    else:
        kind, path = "text", ()
        text, what = mutated_text(rng, text)
    (folder / name).write_text(text, encoding="utf-8", errors="surrogatepass")
    with told(f"{name}: {what}"):
        if name == "person.csv":
            (folder / "workshop.toml").write_text(WORKSHOP.replace("person.toml", name), encoding="utf-8")
        found = load_and_build(folder / "workshop.toml", folder)
        if isinstance(found, str):
            if kind in ("type", "unknown") and path[-1] not in (found if isinstance(path[-1], str) else (path[-1],)):
                raise Finding(f"does not name {path}: {found[:300]}")
            if name != "workshop.toml" and not any(word in found for word in (name, "anna", "car")):
                raise Finding(f"does not name the file {name}: {found[:300]}")
            return "refused"
        if kind == "unknown":
            raise Finding("accepts an unknown key")
    return "accepted"


def names(path: Path_, tree: dict[str, Any], message: str) -> bool:
    """Whether an error names the place: its path, its key in a table that is named, or the item that it belongs to."""
    from vitruvian.scenario.path import dotted

    if dotted(path, tree) in message or (dotted(path[:-1], tree) in message and str(path[-1]) in message and path[1:]):
        return True
    items = [at(tree, path[:end]) for end in range(1, len(path))]
    called = [item["name"] for item in items if isinstance(item, dict) and isinstance(item.get("name"), str)]
    return any(f"{name!r}" in message or f".{name}" in message for name in called)


def toml(tree: dict[str, Any]) -> str:
    """TOML text of a tree."""
    import tomli_w

    return tomli_w.dumps(tree)


def unchanged(data: dict[str, Any], found: Any, folder: Path) -> bool:
    """Whether a mutant that is accepted means the same as what it was made from."""
    from vitruvian.scenario import Scenario

    return Scenario(data, name="mutant", folder=folder) == found


@contextlib.contextmanager
def told(what: str) -> Iterator[None]:
    """Put the mutation before whatever is found."""
    try:
        yield
    except Finding as error:
        raise Finding(f"{what}: {error}") from error
    except Exception as error:
        error.add_note(what)
        raise


# --- runs


def runs(rng: random.Random, folder: Path) -> str:
    """A short run of a mutant that is accepted: ends in order, and is fine only if its numbers are."""
    import numpy as np

    from vitruvian.errors import InputError, VitruvianError
    from vitruvian.scenario import Scenario

    write_files(folder)
    short = {"solver.duration": RUN_TIME, "solver.max_steps": RUN_STEPS}
    for _ in range(50):
        kinds = ("number", "number", "number", "type", "delete", "empty", "swap", "longer", "text")
        tree, _, _, what = mutated(rng, tomllib.loads(rng.choice(seeds())), kinds)
        if rng.random() < 0.5:
            tree, _, _, more = mutated(rng, tree, kinds)
            what += f"; {more}"
        try:
            scenario = Scenario(tree, name="mutant", folder=folder)
            scenario = scenario.replace(
                short if scenario.table.solver.duration > RUN_TIME else {"solver.max_steps": RUN_STEPS}
            )
            scenario.check()
            break
        except VitruvianError:
            continue
        except Exception:  # found by `scenarios`
            continue
    else:
        return "nothing accepted"
    started = time.perf_counter()
    with told(what):
        try:
            result = scenario.run(lambda now, end: time.perf_counter() - started > 0.5 * CPU_LIMIT, check=False)
            result.raise_if_empty()
        except InputError as error:
            raise Finding(f"check accepts what run refuses: {error}") from error
        except VitruvianError as error:
            readable(str(error))
            return "failed in order"
        result.summary()
        result.injury()
        recording = result.recording
        if result.fine:
            for name in ("position", "velocity", "kinetic", "potential", "joint_force", "contact_force"):
                if not np.isfinite(getattr(recording, name)).all():
                    raise Finding(f"is fine, but {name} is not finite")
            if not recording.balance_error <= UNBALANCED:
                raise Finding(f"is fine, but the energy balance error is {recording.balance_error:.3g}")
        else:
            readable(result.message)
    return result.status


# --- results


def base_result(folder: Path) -> Path:
    """A result that is edited, made once."""
    from vitruvian.scenario import Scenario

    path = folder / "base.nc"
    if not path.exists():
        Scenario.load("fall-1cm", {"solver.duration": 0.02}).run(check=False).save(path)
    return path


def results(rng: random.Random, folder: Path) -> str:
    """Read an edited result, and everything that is computed from one."""
    import h5py
    import numpy as np

    from vitruvian.cli.screen import loaded
    from vitruvian.errors import VitruvianError

    path = folder / "edited.nc"
    path.write_bytes(base_result(folder).read_bytes())
    kind = rng.choice(
        ("bytes", "bytes", "cut", "drop", "drop", "rename", "shape", "type", "attribute", "attribute", "values")
    )
    what = kind
    if kind in ("bytes", "cut"):
        content = bytearray(path.read_bytes())
        if kind == "cut":
            content = content[: rng.randrange(len(content))]
        for _ in range(rng.choice((1, 10, 1_000)) if kind == "bytes" else 0):
            content[rng.randrange(len(content))] = rng.randrange(256)
        path.write_bytes(bytes(content))
    else:
        with h5py.File(path, "r+") as file:
            # a dimension without values may be missing
            bare = "This is a netCDF dimension but not a netCDF variable"
            name = rng.choice(sorted(key for key in file if bare not in str(file[key].attrs.get("NAME", ""))))
            what = f"{kind} {name}"
            if kind == "drop":
                del file[name]
            elif kind == "rename":
                file.move(name, rng.choice(("zzz", f"{name}_", "../x")))
            elif kind in ("shape", "type", "values"):
                array = file[name][()]
                if kind == "shape":
                    array = (
                        rng.choice((array[..., :1], array[:1], array.reshape(-1), np.stack([array, array])))
                        if array.ndim
                        else array
                    )
                elif kind == "type":
                    array = (
                        np.arange(array.size).reshape(array.shape) if array.dtype.kind == "O" else array.astype("S8")
                    )
                elif array.dtype.kind == "f" and array.size:
                    array.flat[rng.randrange(array.size)] = rng.choice((np.nan, np.inf, 1e300))
                del file[name]
                file[name] = array
            else:
                name = rng.choice(sorted(file.attrs))
                value = rng.choice(
                    (
                        "",
                        "x",
                        "../../x",
                        -1,
                        1e300,
                        float("nan"),
                        "[",
                        "{}",
                        "null",
                        '{"a": 1}',
                        "\x1b[31m",
                        [1, 2],
                        None,
                    )
                )
                what = f"attribute {name} = {value!r}"
                if value is None:
                    del file.attrs[name]
                else:
                    file.attrs[name] = value
    with told(what):
        try:
            result = loaded(path)
            result.summary()
            result.injury()
            result.contacts()
        except VitruvianError as error:
            readable(str(error))
            return "refused"
        if kind in ("drop", "rename"):
            raise Finding("a missing variable is accepted")
    return "accepted"


# --- measured data


def pulse(n: int = 200, step: float = 1e-4) -> list[tuple[float, ...]]:
    """Rows of time [s] and three axes [g] of a short pulse."""
    from math import pi, sin

    return [(k * step, *(part * sin(pi * k / (n - 1)) ** 2 for part in (50.0, 10.0, -20.0))) for k in range(n)]


HEADINGS = ["time [s]", "head.acceleration.x [g]", "head.acceleration.y [g]", "head.acceleration.z [g]"]


def measured(rng: random.Random, folder: Path) -> str:
    """Assess an edited CSV file or ISO-MME folder."""
    return (_csv if rng.random() < 0.5 else _mme)(rng, folder)


def _csv(rng: random.Random, folder: Path) -> str:
    rows, head = [list(map(repr, row)) for row in pulse()], list(HEADINGS)
    kind = rng.choice(
        ("double", "gap", "short", "long field", "slow", "text", "cell", "ragged", "unit", "jump", "bytes", "none")
    )
    refused = noted = False
    if kind == "double":
        head.append(head[2])
        rows = [[*row, row[1]] for row in rows]
        noted = True
    elif kind == "gap":
        for row in rows[50 : 50 + rng.choice((1, 5, 100))]:
            row[2] = ""
        noted = True
    elif kind == "short":
        rows = rows[: rng.choice((0, 1, 2, 3))]
        noted = True
    elif kind == "jump":
        del rows[60 : 60 + rng.choice((30, 100))]
        noted = True
    elif kind == "long field":
        rows[rng.randrange(len(rows))][rng.randrange(4)] = rng.choice("1x, ") * rng.choice((1_000, 200_000, 2_000_000))
    elif kind == "slow":
        sign = rng.choice((" ", "[", "(", "[ ", "a ", ".", "-", "/ ", "\t"))
        head[rng.randrange(4)] = (
            rng.choice(("x", "", "time"))
            + sign * rng.choice((1_600, 20_000, 100_000))
            + rng.choice(("", "x", "]", "!"))
        )
    elif kind == "cell":
        rows[rng.randrange(len(rows))][rng.randrange(4)] = rng.choice(
            ("x", "nan", "inf", "1e400", "1,5", "--1", "9" * 5_000, "\x00")
        )
    elif kind == "ragged":
        rows[rng.randrange(len(rows))].append("1")
        refused = True
    elif kind == "unit":
        at_ = rng.randrange(4)
        head[at_] = head[at_].partition(" [")[0] + rng.choice(
            ("", " [kg]", " []", " [", " [g]]", " [m/s^2", " [" + " " * 5_000 + "]")
        )
    separator = rng.choice(",;\t")
    text = "\n".join(separator.join(row) for row in [head, *rows]) + "\n"
    if kind == "text":
        text, _ = mutated_text(rng, text)
    path = folder / "data.csv"
    content = text.encode("utf-8", "surrogatepass")
    if kind == "bytes":
        content = bytes(b if rng.random() > 0.01 else rng.randrange(256) for b in content)
    path.write_bytes(content)
    return _assessed(path, f"csv {kind}", refused, noted)


def _mme(rng: random.Random, folder: Path) -> str:
    import numpy as np

    from vitruvian.export import isomme
    from vitruvian.injury.channels import Channels, Record

    rows = np.array(pulse())
    record = Record("head.acceleration", rows[:, 0], 9.80665 * rows[:, 1:])
    for old in (folder / "mme" / "Channel").glob("*"):
        old.unlink()
    isomme.write(Channels({record.name: record}), folder / "mme", test="t")
    file = folder / "mme" / "Channel" / f"t.00{rng.choice((1, 2, 3))}"
    lines = file.read_text(encoding="utf-8").splitlines()
    head = next(i for i, line in enumerate(lines) if ":" not in line)
    kind = rng.choice(("count", "cut", "gap", "field", "spaces", "text", "listing", "gone", "none"))
    refused = noted = False
    if kind == "count":
        at_ = next(i for i, line in enumerate(lines) if line.startswith("Number of samples"))
        lines[at_] = "Number of samples            :" + rng.choice(("199", "201", "0", "-1", "x", "1e9"))
        noted = True
    elif kind == "cut":
        lines = lines[: head + rng.choice((0, 1, 2, 50))]
        noted = True
    elif kind == "gap":
        lines[head + 40] = rng.choice(("NOVALUE", "", "nan"))
        noted = True
    elif kind == "field":
        at_ = rng.randrange(head)
        lines[at_] = (
            lines[at_].partition(":")[0]
            + ":"
            + rng.choice(("", "x", "-1", "0", "nan", "1e400", "x" * 1_000_000, "NOVALUE"))
        )
    elif kind == "spaces":
        lines[rng.randrange(head)] = (
            "a" + rng.choice((" ", "\t", ": ", " x")) * rng.choice((1_600, 50_000)) + rng.choice(("", ":", "b"))
        )
    elif kind == "gone":
        file.unlink()
        noted = True
    if kind != "gone":
        file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    if kind in ("text", "listing"):
        file = file if kind == "text" else folder / "mme" / "Channel" / "t.chn"
        file.write_text(
            mutated_text(rng, file.read_text(encoding="utf-8"))[0], encoding="utf-8", errors="surrogatepass"
        )
    return _assessed(folder / "mme", f"mme {kind}", refused, noted)


def _assessed(path: Path, what: str, refused: bool, noted: bool) -> str:
    """Assess a file that must be refused, or noted at least."""
    from vitruvian.cli.assess import _assessed as assessed
    from vitruvian.errors import VitruvianError

    with told(what):
        try:
            found = assessed(path, None, None, (), True, False)
        except VitruvianError as error:
            readable(str(error))
            return "refused"
        if refused or (noted and not found.notes):
            raise Finding("is accepted without a note")
    return "accepted"


# --- command lines


def options(rng: random.Random, folder: Path) -> str:
    """A command line with words in the wrong places."""
    from vitruvian.cli import main

    write_files(folder)
    base = str(base_result(folder))
    (folder / "d.csv").write_text("\n".join(",".join(map(str, row)) for row in [HEADINGS, *pulse()]), encoding="utf-8")
    values = [
        "",
        "x",
        "-1",
        "1e400",
        "nan",
        "../x",
        "\x1b",
        "é",
        base,
        "d.csv",
        "workshop.toml",
        "fall-4m",
        ".",
        "human",
        *TEXTS[:8],
    ]
    plain: dict[str, list[str]] = {
        "list": ["--json", "x"],
        "show": [
            "fall-4m",
            "human",
            "--resolved",
            "--sex",
            "--age",
            "--percentile",
            "--preset",
            "--height",
            "--mass",
            "--measured",
        ],
        "check": ["fall-4m", "workshop.toml", "--set", "--json"],
        "contacts": [base, "--json", "x"],
        "assess": ["d.csv", base, "--size", "--age", "--only", "--no-filter", "--json", "--assume-units"],
        "convert": [base, "--to", "csv", "tidy", "glb", "isomme", "--out", "here"],
        "run": ["pendulum", "--no-files", "--json", "--set", "solver.duration=1e-3", "--continue"],
    }
    sets = [
        "human.height=",
        "solver.duration=",
        "human..x=1",
        "a=b",
        "human.start=",
        "=",
        "surface.ground.contact.base=",
        "[0]=1",
    ]
    command = rng.choice(list(plain))
    first = plain[command][:1] if rng.random() < 0.7 else []  # what it works on
    words = [
        command,
        *first,
        *rng.choices(plain[command][1:] + values[: rng.choice((0, 5, 22))], k=rng.randrange(0, 5)),
    ]
    words = [
        w for word in words for w in ([word, rng.choice(sets) + rng.choice(values)] if word == "--set" else [word])
    ]
    if command == "run" and "--no-files" not in words:
        words.append("--no-files")
    if command == "run":
        words += ["--set", "solver.max_steps=100", "--set", "solver.duration=1e-3"]
    output, errors = io.StringIO(), io.StringIO()
    before = os.getcwd()
    os.chdir(folder)
    try:
        with told(repr(words)[:400]), contextlib.redirect_stdout(output), contextlib.redirect_stderr(errors):
            try:
                main(words)
                code: Any = 0
            except SystemExit as leaving:
                code = leaving.code
            said = errors.getvalue()
            if "inside Vitruvian" in said or "Traceback" in said:
                raise Finding(said[:400])
            if code not in (0, 1, 2, None):
                raise Finding(f"exit code {code}")
            if code == 2 and not (said.strip() or output.getvalue().strip()):
                raise Finding("exit code 2 without a word")
    finally:
        os.chdir(before)
    return f"exit {code}"


# --- cases, the process that runs them, and the one that watches

KINDS: dict[str, Callable[[random.Random, Path], str]] = {
    "scenarios": scenarios,
    "runs": runs,
    "results": results,
    "measured": measured,
    "options": options,
}


def case(kind: str, seed: int, number: int, folder: Path) -> dict[str, Any]:
    """Run one case: its verdict, what was found ("" if nothing), and the CPU time [s].

    A slow case is run twice, because the first run may have compiled kernels; a hang is slow both times.
    """
    answer = _case(kind, seed, number, folder)
    if not answer["found"] and answer["seconds"] > CPU_LIMIT:
        answer = _case(kind, seed, number, folder)
        if not answer["found"] and answer["seconds"] > CPU_LIMIT:
            answer |= {"verdict": "finding", "found": f"takes {answer['seconds']:.1f} s"}
    return answer


def _case(kind: str, seed: int, number: int, folder: Path) -> dict[str, Any]:
    """Run one case once, whatever time it takes."""
    rng = random.Random(f"{kind} {seed} {number}")
    started = time.process_time()
    verdict, found = "finding", ""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            verdict = KINDS[kind](rng, folder)
    except Finding as error:
        found = str(error)
    except (Exception, SystemExit) as error:
        frames = [f for f in traceback.extract_tb(error.__traceback__) if "vitruvian" in f.filename]
        place = f"{Path(frames[-1].filename).name}:{frames[-1].lineno}" if frames else "?"
        notes = "; ".join(getattr(error, "__notes__", ()))
        found = f"crash {type(error).__name__} at {place}: {str(error)[:200]} [{notes}]"
    spent = time.process_time() - started
    return {"case": number, "verdict": verdict, "found": found, "seconds": round(spent, 3)}


def work(kind: str, seed: int, first: int, last: int) -> None:
    """Run cases and print a line of JSON after each."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # whatever is printed on the way is no answer
    with tempfile.TemporaryDirectory() as folder:
        if kind in ("runs", "results", "options"):
            base_result(Path(folder))
        print(json.dumps({"ready": True}), file=answers, flush=True)
        for number in range(first, last):
            print(json.dumps(case(kind, seed, number, Path(folder))), file=answers, flush=True)


def watched(kind: str, seed: int, first: int, last: int) -> Iterator[dict[str, Any]]:
    """Run cases in another process, which is started again after a hang or a crash of the interpreter."""
    while first < last:
        words = [sys.executable, __file__, kind, "--seed", str(seed), "--work", f"{first}:{last}"]
        process = subprocess.Popen(
            words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, encoding="utf-8"
        )
        lines: queue.Queue[str] = queue.Queue()

        def listen(stream: Any = process.stdout, heard: queue.Queue[str] = lines) -> None:
            for line in stream:
                heard.put(line)
            heard.put("")

        threading.Thread(target=listen, daemon=True).start()
        limit, ready = WARM_UP, False
        while True:
            try:
                line = lines.get(timeout=limit)
                what = f"the process ended with code {process.wait() if not line else 0}"
            except queue.Empty:
                line, what = "", f"no answer in {limit:g} s"
            if not line:
                process.kill()
                process.wait()
                if not ready:
                    raise SystemExit(f"{kind}: the process did not start ({what}); run with --case {first} to see why.")
                if first < last:
                    yield {"case": first, "verdict": "finding", "found": what, "seconds": limit}
                    first += 1
                break
            answer = json.loads(line)
            limit = WALL_LIMIT
            if "ready" in answer:
                ready = True
                continue
            yield answer
            first = answer["case"] + 1
            if first == last:
                process.wait()
                return


def campaign(kind: str, seed: int, count: int, journal: Path) -> int:
    """Run or continue the cases of one kind, print a summary, and return the number of findings."""
    journal.mkdir(parents=True, exist_ok=True)
    file = journal / f"{kind}-{seed}.jsonl"
    done = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()] if file.exists() else []
    done = done[:count]
    started = time.perf_counter()
    with file.open("a", encoding="utf-8") as out:
        for answer in watched(kind, seed, len(done), count):
            print(json.dumps(answer), file=out, flush=True)
            done.append(answer)
            if sys.stderr.isatty():
                print(f"\r{kind} {len(done)} of {count}", end="", file=sys.stderr, flush=True)
    verdicts = Counter(answer["verdict"] for answer in done)
    slowest = max(done, key=lambda answer: answer["seconds"], default={"seconds": 0.0, "case": 0})
    print(f"{kind}: {len(done)} cases, seed {seed}, {time.perf_counter() - started:.0f} s in this session")
    print("  " + ", ".join(f"{number} {word}" for word, number in verdicts.most_common()))
    print(f"  slowest: case {slowest['case']}, {slowest['seconds']:.2f} s of CPU time")
    findings = [answer for answer in done if answer["found"]]
    for answer in findings:
        print(f"  python tools/fuzz.py {kind} --seed {seed} --case {answer['case']}\n    {answer['found']}")
    return len(findings)


def main() -> int:
    """Read the command line and run."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kind", choices=[*KINDS, "all"])
    parser.add_argument("--count", type=int, help="cases; of all: per cent of the usual numbers")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--journal", type=Path, default=Path(".fuzz"), help="folder for the progress")
    parser.add_argument("--case", type=int, help="run this case alone, in this process, with its traceback")
    parser.add_argument("--work", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.work:
        work(given.kind, given.seed, *map(int, given.work.split(":")))
        return 0
    if given.case is not None:
        with tempfile.TemporaryDirectory() as folder:
            print(KINDS[given.kind](random.Random(f"{given.kind} {given.seed} {given.case}"), Path(folder)))
        return 0
    kinds = list(KINDS) if given.kind == "all" else [given.kind]
    share = (given.count or 100) / 100 if given.kind == "all" else 1.0
    counts = {kind: int(share * COUNTS[kind]) if given.kind == "all" else given.count or COUNTS[kind] for kind in kinds}
    return int(sum(campaign(kind, given.seed, counts[kind], given.journal) for kind in kinds) > 0)


if __name__ == "__main__":
    sys.exit(main())
