"""Any valid scenario reads back to itself; any key that is not known is named in the error."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from vitruvian.errors import InputError
from vitruvian.scenario import Scenario
from vitruvian.scenario.definition import Table
from vitruvian.scenario.mechanism import COORDINATES
from vitruvian.scenario.schema import tables

NUMBER = st.floats(-1e3, 1e3, allow_nan=False)
POSITIVE = st.floats(1e-3, 1e3)
NAME = st.text("abcdefghijklmnopqrstuvwxyz_-0123456789äß", min_size=1, max_size=8)
TEXT = st.text(st.characters(exclude_categories=["Cs", "Cc"]) | st.just("\n"), max_size=40)
VECTOR = st.lists(NUMBER, min_size=3, max_size=3)


def of(units: list[str], numbers: st.SearchStrategy[float] = POSITIVE) -> st.SearchStrategy[Any]:
    """A number, or text with a unit."""
    return numbers | st.builds(lambda number, unit: f"{number!r} {unit}", numbers, st.sampled_from(units))


LENGTH = of(["m", "cm", "mm", "ft"])
HUMAN = st.fixed_dictionaries(
    {"height": of(["m"], st.floats(1.5, 2.0)), "mass": of(["kg"], st.floats(50.0, 90.0))},
    optional={
        "posture": st.sampled_from(["standing", "seated", {"base": "walking", "joints": {"left_knee": [0, 0.1, 0]}}]),
        "hinges": st.sampled_from(["spherical", "revolute"]),
        "joints": st.sampled_from(["recommended", "none"]),
        "start": st.fixed_dictionaries(
            {},
            optional={
                "clearance": LENGTH,
                "heading": of(["deg", "rad"]),
                "velocity": st.lists(of(["km/h"]), min_size=3, max_size=3),
            },
        ),
    },
)
CONTACT = st.sampled_from(["concrete", "gym-mat"]) | st.fixed_dictionaries(
    {},
    optional={
        "base": st.just("asphalt"),
        "stiffness": of(["N/m", "kN/m"]) | st.just(float("inf")),
        "friction": st.floats(0.0, 1.0),
    },
)
SURFACE = st.fixed_dictionaries(
    {"name": NAME}, optional={"contact": CONTACT, "point": VECTOR, "incline": of(["deg"], st.floats(0, 30))}
)
FUNCTION = NUMBER | st.builds(
    lambda values: {"times": list(range(len(values))), "values": values}, st.lists(NUMBER, min_size=1, max_size=4)
)


@st.composite
def chain(draw: st.DrawFn) -> dict[str, Any]:
    """Bodies in a chain, with joints of any type; the last one may fly."""
    names = draw(st.lists(NAME, min_size=1, max_size=4, unique=True))
    bodies = [{"name": name, "mass": draw(of(["kg", "g"])), "inertia": [draw(POSITIVE)] * 3} for name in names]
    joints = []
    for parent, child in zip([None, *names], names, strict=False):
        if child == names[-1] and draw(st.booleans()):
            break
        kinds = sorted(COORDINATES) if parent is None else sorted(set(COORDINATES) - {"free"})
        kind = draw(st.sampled_from(kinds))
        joint: dict[str, Any] = {"name": child, "type": kind, "child": child, "point_child": draw(VECTOR)}
        if parent is not None:
            joint["parent"] = parent
        if draw(st.booleans()):
            joint["motion"] = [draw(FUNCTION) for _ in COORDINATES[kind]]
        elif kind not in ("free", "spherical", "rigid"):
            joint["start"] = {"coordinates": [draw(NUMBER) for _ in COORDINATES[kind]]}
            joint["resistance"] = {"stiffness": [draw(POSITIVE) for _ in COORDINATES[kind]]}
        joints.append(joint)
    return {"body": bodies, "joint": joints}


@st.composite
def scenarios(draw: st.DrawFn) -> dict[str, Any]:
    people = draw(HUMAN | st.none())
    moving = draw(chain()) if people is None or draw(st.booleans()) else {}
    if people is not None:
        moving["human"] = people
    surfaces = draw(st.lists(SURFACE, max_size=2, unique_by=lambda surface: surface["name"]))
    solver = draw(st.fixed_dictionaries({"duration": of(["s", "ms"])}, optional={"tolerance": st.floats(1e-9, 1e-2)}))
    return {
        "schema": 1,
        "title": draw(TEXT),
        "description": draw(TEXT),
        "surface": surfaces,
        "solver": solver,
        **moving,
    }


@given(scenarios())
def test_any_scenario_reads_back_to_itself(data: dict[str, Any]) -> None:
    scenario = Scenario(data, name="any")
    again = Scenario.from_toml(scenario.to_toml())
    assert again == scenario
    assert again.to_toml() == scenario.to_toml()


@given(scenarios())
def test_any_scenario_builds_the_same_after_a_round_trip(data: dict[str, Any]) -> None:
    scenario = Scenario(data, name="any")
    try:
        system, start = scenario.build()
    except InputError as error:
        assert str(error).startswith("any: ")
        return
    again, start_again = Scenario.from_toml(scenario.to_toml()).build()
    assert start_again == start
    assert [body.name for body in again.bodies] == [body.name for body in system.bodies]
    assert all((a.inertia == b.inertia).all() for a, b in zip(again.bodies, system.bodies, strict=True))
    assert (again.joints, again.surfaces, again.gravity) == (system.joints, system.surfaces, system.gravity)


TABLES = {table.name: table for table in tables()}
PATHS = {"": "Scenario", "human": "Human", "surface.ground": "Surface", "solver": "Solver"}


@pytest.mark.parametrize(("path", "table"), [(path, TABLES[name]) for path, name in PATHS.items()])
@given(st.text("abcdefghijklmnopqrstuvwxyz_", min_size=1, max_size=12), NUMBER)
def test_any_unknown_key_is_named(path: str, table: Table, key: str, value: float) -> None:
    assume(key not in table.keys)
    dotted = f"{path}.{key}" if path else key
    with pytest.raises(InputError, match="is not known") as caught:
        Scenario.load("fall-4m", {dotted: value})
    assert f"fall-4m: {dotted} is not known." in str(caught.value)


@given(st.floats(1.45, 2.10))
def test_units_do_not_change_the_meaning(height: float) -> None:
    metres = Scenario.load("fall-4m", {"human.height": height})
    centimetres = Scenario.load("fall-4m", {"human.height": f"{height * 100!r} cm"})
    assert centimetres.table.human[0].height == pytest.approx(metres.table.human[0].height, rel=1e-15)
