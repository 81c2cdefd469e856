"""Keys of a scenario are fields of dataclasses: a new table needs nothing else, and every use agrees with it."""

from __future__ import annotations

import inspect
import json
import tomllib
from dataclasses import dataclass, fields
from importlib.resources import files
from typing import Any

import pytest

from vitruvian import human, model
from vitruvian.errors import InputError
from vitruvian.human.options import Options
from vitruvian.model.field import field_of, help_of, keys_of
from vitruvian.model.value import Choice, Components, Count, Kind, ListOf, Of, Quantity
from vitruvian.scenario import Scenario, json_schema, library
from vitruvian.scenario.definition import Row, Table, Variants, table_of
from vitruvian.scenario.schema import SCENARIO, tables
from vitruvian.units import UNITS, parse_unit
from vitruvian.world import vehicle
from vitruvian.world.vehicle import Drive

BY_TABLE = pytest.mark.parametrize("table", tables(), ids=lambda table: table.name)


def message(make: Any) -> str:
    with pytest.raises(InputError) as caught:
        make()
    return str(caught.value)


# a new table


@dataclass(frozen=True)
class Buckle:
    """What holds a belt."""

    force: float = field_of("force", "at which it opens", default=5000.0, above=0.0)


@dataclass(frozen=True)
class Belt:
    """A belt that no version has yet."""

    name: str = field_of(Choice(("lap", "shoulder")), "which part")
    slack: float = field_of("length", "at the start", default=0.0)
    rings: tuple[Any, ...] = field_of(ListOf(Components("length")), "where it runs through", default=())
    buckle: Buckle = field_of(Of(Buckle), "what holds it", factory=Buckle)
    model_only: int = 3


def test_a_dataclass_alone_makes_a_table() -> None:
    """Values, units, defaults, nested tables, errors by path and the JSON schema follow from its fields."""
    belt = table_of(Belt)
    row = belt.read({"name": "lap", "slack": "3 cm", "rings": [[0, "1 m", 0]]}, "belt")
    assert (row.slack, row.rings, row.buckle.force) == (0.03, ((0.0, 1.0, 0.0),), 5000.0)
    assert row.written() == {"name": "lap", "slack": 0.03, "rings": ((0.0, 1.0, 0.0),), "buckle": {"force": 5000.0}}
    assert Belt(**row.given("buckle"), buckle=Buckle(**row.buckle.given())).buckle == Buckle()
    assert belt.keys == ("name", "slack", "rings", "buckle")
    text = message(lambda: belt.read({"name": "lip", "slack": "3 kg", "buckle": {"force": 0}}, "belt"))
    assert text.splitlines() == [
        'belt.name is "lip"; accepted: lap, shoulder. Did you mean "lap"?',
        'belt.slack is "3 kg"; expected a length: m, cm, mm, ft, in',
        "belt.buckle.force is 0; it must be greater than 0.",
    ]
    assert message(lambda: belt.read({}, "belt")) == "belt.name is missing."
    assert "belt.model_only is not known." in message(lambda: belt.read({"name": "lap", "model_only": 1}, "belt"))
    definition = belt.definition()
    assert definition["required"] == ["name"] and definition["properties"]["slack"]["x-unit"] == "m"
    assert definition["properties"]["slack"]["description"] == "at the start [m]"


def test_a_row_cannot_be_changed_and_compares_by_value() -> None:
    row = table_of(Buckle).read({}, "buckle")
    with pytest.raises(AttributeError, match="use replace"):
        row.force = 1.0
    with pytest.raises(AttributeError, match="has no 'strength'"):
        _ = row.strength
    other = row.replace(force=1.0)
    assert (other.force, row.force) == (1.0, 5000.0) and other != row == table_of(Buckle).read({}, "elsewhere")
    assert repr(row) == "Buckle(force=5000.0)"


# the definitions


@BY_TABLE
def test_every_key_has_a_meaning_and_a_default_that_it_accepts(table: Table) -> None:
    for entry in table.entries:
        assert entry.doc and not entry.doc.endswith("."), entry.name
        if entry.default and not entry.required and not isinstance(entry.default, Row):
            written = json.loads(json.dumps(entry.default))
            assert entry.kind.read(written, entry.name) == entry.default
        if isinstance(entry.kind, Quantity | Components):
            unit = next(iter(UNITS[entry.kind.dimension]))
            assert f"[{unit}]" not in entry.doc, f"{entry.name}: the unit follows from the dimension"


@BY_TABLE
def test_sliders_are_in_a_unit_of_their_key(table: Table) -> None:
    for entry in table.entries:
        if entry.drag is not None:
            unit, low, high, step = entry.drag
            assert low < high and 0 < step <= high - low
            if isinstance(entry.kind, Quantity | Components):
                assert parse_unit(unit, entry.kind.dimension)[0] > 0.0


@pytest.mark.parametrize("name", library())
def test_what_is_not_written_out_is_the_default(name: str) -> None:
    """A scenario that is written out and read again has the same values, whatever it leaves out."""
    scenario = Scenario.load(name)
    again = Scenario.from_toml(scenario.to_toml())
    assert again.table.replace(name=None) == scenario.table.replace(name=None)


def test_the_variants_of_a_table_take_the_fields_of_their_classes() -> None:
    """Every choice takes what its dataclass has, and no other field of the table."""
    for table in tables():
        if not isinstance(table, Variants):
            continue
        for choice, described in table.variants.items():
            own = {name for one in described for name in keys_of(one)}
            taken = {entry.name for entry in table.entries if choice in entry.fits}
            assert taken <= own and own - taken <= {entry.name for entry in table.entries if not entry.fits}


def test_functions_take_the_options_that_are_defined() -> None:
    """`human` by its options; the defaults of `vehicle` are those of the table."""
    assert human.human(1.8, 80, joints="none").joints is None
    with pytest.raises(TypeError, match="hieght"):
        human.human(hieght=1.8)
    assert {field.name for field in fields(Options)} == set(keys_of(Options))
    defaults = {name: default for name, (_, default) in keys_of(Drive).items()}
    for name, parameter in inspect.signature(vehicle).parameters.items():
        if parameter.default is not parameter.empty:
            assert parameter.default == defaults[name], name


def test_help_texts_say_what_is_accepted() -> None:
    assert help_of(human.Who, "sex") == "Male unless given: male, female."
    assert help_of(human.Who, "mass") == "Of the body [kg]."
    assert "50M, 5F" in help_of(human.Who, "preset")


# JSON schema


def schema_of(name: str) -> dict[str, Any]:
    return tomllib.loads(files("vitruvian.scenario").joinpath("library", f"{name}.toml").read_text(encoding="utf-8"))


def test_ready_scenarios_fit_the_json_schema() -> None:
    jsonschema = pytest.importorskip("jsonschema")
    schema = json.loads(json.dumps(json_schema()))
    checker = jsonschema.Draft202012Validator
    checker.check_schema(schema)
    for name in library():
        assert [error.message for error in checker(schema).iter_errors(schema_of(name))] == [], name
        resolved = tomllib.loads(Scenario.load(name).to_toml())
        assert [error.message for error in checker(schema).iter_errors(resolved)] == [], name


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("human.hieght", 1.8),
        ("human.sex", "femal"),
        ("human.start.velocity", [0, 0]),
        ("solver.method", "implcit"),
        ("solver.duration", 0),
        ("surface.ground.contact", "concret"),
        ("output.criteria", "HIC15"),
    ],
)
def test_the_json_schema_refuses_what_the_reader_refuses(path: str, value: Any) -> None:
    jsonschema = pytest.importorskip("jsonschema")
    from vitruvian.scenario.path import assign

    data = schema_of("fall-4m")
    assign(data, path, value)
    with pytest.raises(InputError):
        Scenario(data)
    assert list(jsonschema.Draft202012Validator(json_schema()).iter_errors(data))


def test_every_table_of_the_file_is_in_the_json_schema() -> None:
    schema = json_schema()
    assert tuple(schema["properties"]) == SCENARIO.keys
    assert set(schema["$defs"]) == {table.name for table in tables()} - {"Scenario"}
    text = json.dumps(schema)
    assert all(f'"#/$defs/{name}"' in text for name in schema["$defs"])


def test_a_kind_says_what_it_accepts() -> None:
    """Kinds are abstract; counts start at one."""
    with pytest.raises(NotImplementedError):
        Kind().read(1, "x")
    with pytest.raises(NotImplementedError):
        Kind().schema()
    assert "1 to 1e+15" in message(lambda: Count().read(0, "x"))
    assert keys_of(model.Body)["inertia"][0].implied
