"""Who a person is: height, mass, sex and age, said outright, by percentile, by preset or as measured. SI units.

percentile  of the stature and of the mass, both at that percentile of all people of that sex and age, as crash-test
            dummies are named; a height or mass that is given goes before it, not both; the median where nothing but
            an age (and a sex) is said
preset      the size of a crash-test dummy: 50M, 5F, 95M, 6YO (hybrid3)
measured    own numbers of one person (human.measured)
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from .. import data
from ..errors import InputError
from ..units import quantity
from .anthropometry import (
    POPULATIONS,
    SEXES,
    body_mass,
    checked_age,
    checked_percentile,
    checked_word,
    deviation,
    stature,
)
from .individual import default_individual, individual, own_size
from .measured import Measured
from .measured import measured as read_measured
from .options import WHO, presets
from .proportion import ADULT_AGE

#: accepted of adults [m], [kg]; the mass regression of men is not to be used below
HEIGHTS = {"male": (1.45, 2.10), "female": (1.35, 2.00)}
MASSES = {"male": (40.0, 160.0), "female": (32.0, 160.0)}
BMI = (15.0, 45.0)  # [kg/m2]
BMI_CHILD = (11.0, 40.0)  # [kg/m2]
#: accepted of children: standard deviations of the growth charts from the median
DEVIATIONS = {"stature": (-4.0, 4.0), "mass": (-4.0, 3.0)}


@dataclass(frozen=True)
class Person:
    """Height [m], mass [kg], sex, age [years] (None is an adult), and where height and mass come from.

    percentile, preset  that were given, or None
    """

    height: float
    mass: float
    sex: str
    age: float | None
    height_from: str
    mass_from: str
    percentile: float | None = None
    preset: str | None = None


def person_of(row: Mapping[str, Any]) -> Person:
    """Return the person of a table [human] of a scenario in SI."""
    said: dict[str, Any] = {key: row.get(key) for key in WHO if key not in ("measured", "added")}
    if row.get("measured") is not None:
        said["measured"] = read_measured(row["measured"], "human.measured")
    if row.get("model") == "occupant12":
        given = row.get("individual")
        own = individual(default_individual(row.get("joints")) if given is None else given, "human.individual")
        said = own_size(said, own)
    return person(**said)


def person(
    height: float | str | None = None,
    mass: float | str | None = None,
    *,
    sex: str | None = None,
    age: float | None = None,
    percentile: float | None = None,
    population: str | None = None,
    preset: str | None = None,
    measured: Measured | None = None,
    where: str = "human.",
) -> Person:
    """The person that is meant; contradictions are refused.

    where  stands before the names in errors
    """
    if preset is not None:
        _alone(preset, sex, age, percentile, population, measured, where)
    known = measured or Measured()
    said = {} if preset is None else data.values("preset", _sex_of(preset))[preset]
    if sex is not None and known.sex is not None and sex != known.sex:
        raise InputError(f"{where}sex is {sex!r}, but the person measured is {known.sex!r}; leave one of them out.")
    sex = checked_word(sex or known.sex or (_sex_of(preset) if preset else "male"), SEXES, f"{where}sex")
    years = age if age is not None else known.age if known.age is not None else said.get("age")
    if years is not None:
        years = checked_age(years, f"{where}age")
    if percentile is None and years is not None and all(size is None for size in (height, mass, preset, measured)):
        percentile = 50.0
    if percentile is None and population is not None:
        raise InputError(
            f"{where}population is {population!r}, but nothing is taken from a population; give a percentile too, or "
            "leave it out."
        )
    if percentile is not None:
        percentile = checked_percentile(percentile, f"{where}percentile")
        population = checked_word(population or "us", POPULATIONS, f"{where}population")
        if years is None:
            raise InputError(f"{where}percentile is {percentile:g}; it needs an age as well: human.age, 2 to 90 years.")

    # each of them: said outright, measured, of the preset, of the percentile
    metres, metres_from = _first(height, known.whole_height, said.get("height"), "length", f"{where}height", preset)
    kilograms, kilograms_from = _first(mass, known.whole_mass, said.get("mass"), "mass", f"{where}mass", preset)
    if metres_from and kilograms_from and {metres_from, kilograms_from} <= {"given", "measured"}:
        for name, value in (("percentile", percentile and f"{percentile:g}"), ("preset", preset)):
            if value is not None:
                raise InputError(
                    f"{where}{name} is {value}, but height and mass are both given and nothing is left for it; leave "
                    f"the {name} out, or one of them."
                )
    drawn = []
    if percentile is not None and years is not None and population is not None:
        chosen = f"percentile {percentile:g} of {sex}s of {years:g} years ({population}; {_source(years, population)})"
        if metres is None:
            metres, metres_from = stature(sex, years, percentile, population), chosen
            drawn.append("height")
        if kilograms is None:
            kilograms, kilograms_from = body_mass(sex, years, percentile, population), chosen
            drawn.append("mass")
    for value, name in ((metres, "height"), (kilograms, "mass")):
        if value is None:
            raise InputError(
                f"{where}{name} is missing. Give height and mass; or sex and age, with a percentile if not the median; "
                f"or a preset: {', '.join(presets())}."
            )
    assert metres is not None and kilograms is not None
    if len(drawn) < 2:
        _check_size(metres, kilograms, sex, years, where, given=(height, mass))
    return Person(metres, kilograms, sex, years, metres_from, kilograms_from, percentile, preset)


def _first(
    given: float | str | None,
    measured: float | None,
    said: float | None,
    dimension: str,
    where: str,
    preset: str | None,
) -> tuple[float | None, str]:
    """The first value there is, in SI, and where it comes from."""
    if given is not None:
        return quantity(given, dimension, where), "given"
    if measured is not None:
        return measured, "measured"
    return said, f"preset {preset} ({_preset_source(preset)})" if preset else ""


def _source(age: float, population: str) -> str:
    """The keys of references.bib of a stature or mass at that age [years]."""
    adults = {"us": "nhanes2012", "cz": "kopecky2016, nhanes2012"}[population]
    if age <= 20.0:
        return "kuczmarski2002"
    return adults if age >= 25.0 else f"kuczmarski2002, {adults}"


# presets


def _sex_of(preset: str | None) -> str:
    return next(row.sex for row in data.table("preset") if row.item == preset)


def _preset_source(preset: str | None) -> str:
    return next(row.source for row in data.table("preset") if row.item == preset)


def _alone(
    preset: str,
    sex: str | None,
    age: float | None,
    percentile: float | None,
    population: str | None,
    measured: Measured | None,
    where: str,
) -> None:
    """Refuses what contradicts a preset."""
    checked_word(preset, presets(), f"{where}preset")
    own = _sex_of(preset)
    for name, value in (("percentile", percentile), ("population", population), ("measured", measured)):
        if value is not None:
            raise InputError(
                f"{where}preset is {preset!r} and {where}{name} is given too; a preset has its own size. Leave one of "
                "them out (height and mass may be given beside a preset)."
            )
    if sex is not None and sex != own:
        raise InputError(f"{where}sex is {sex!r}, but the preset {preset} is {own}; leave one of them out.")
    born = data.values("preset", own)[preset].get("age")
    if age is not None and (age != born if born is not None else checked_age(age, f"{where}age") < ADULT_AGE):
        whose = f"of {born:g} years" if born is not None else "an adult"
        raise InputError(
            f"{where}age is {age:g}, but the preset {preset} is {whose}; leave the preset out and give sex, age and "
            "percentile, or height and mass."
        )


# sizes


def _check_size(
    height: float,
    mass: float,
    sex: str,
    age: float | None,
    where: str,
    given: tuple[float | str | None, float | str | None],
) -> None:
    """Refuses a height [m] and mass [kg] that are not those of a person of that sex and age."""
    child = age is not None and age < ADULT_AGE
    if child and age is not None:
        heights, masses = (
            (deviation(what, low, sex, age), deviation(what, high, sex, age))
            for what, (low, high) in DEVIATIONS.items()
        )
        whom, bmi = f"at {age:g} years", BMI_CHILD
    else:
        heights, masses, bmi = HEIGHTS[sex], MASSES[sex], BMI
        whom = "for adults" if sex == "male" else "for women"
    low, high = heights
    if not low <= height <= high:
        hint = "" if child or height >= low else " For a child, give its age."
        for unit, factor in (("cm", 100.0), ("mm", 1000.0)):
            if not isinstance(given[0], str) and low <= height / factor <= high:
                hint = f' Did you mean "{height:g} {unit}"?'
        raise InputError(f"{where}height is {height:g} m; accepted {low:.2f} m to {high:.2f} m {whom}.{hint}")
    low, high = masses
    if not low <= mass <= high:
        pounds = high < mass <= high / 0.45359237 and not isinstance(given[1], str)
        hint = f' Did you mean "{mass:g} lb"?' if pounds else ""
        raise InputError(f"{where}mass is {mass:g} kg; accepted {low:.3g} kg to {high:.3g} kg {whom}.{hint}")
    index = mass / height**2
    low, high = bmi
    if not low <= index <= high:
        raise InputError(
            f"{where}mass is {mass:g} kg at a height of {height:g} m, a body mass index of {index:.1f} kg/m2; "
            f"accepted {low:g} to {high:g}, at this height {low * height**2:.1f} kg to {high * height**2:.1f} kg."
        )
