"""Height, mass, sex and age of a person: given, by percentile, by preset or measured. SI units.

percentile  of stature and mass, both at the percentile of all people of that sex and age, as crash-test dummies are
            named. A given height or mass has priority; both must not be given. If only age and sex are given, height
            and mass are the population medians
preset      the size of a crash-test dummy: 50M, 5F, 95M, 6YO (hybrid3)
measured    dimensions of one person (human.measured)
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
from .measured import Measured
from .measured import measured as read_measured
from .options import WHO, Who, presets
from .proportion import ADULT_AGE

#: accepted for adults [m], [kg]; the mass regression of men does not hold below
HEIGHTS = {"male": (1.45, 2.10), "female": (1.35, 2.00)}
MASSES = {"male": (40.0, 160.0), "female": (32.0, 160.0)}
BMI = (15.0, 45.0)  # [kg/m2]
BMI_CHILD = (11.0, 40.0)  # [kg/m2]
#: accepted for children: standard deviations of the growth charts from the median
DEVIATIONS = {"stature": (-4.0, 4.0), "mass": (-4.0, 3.0)}


@dataclass(frozen=True)
class Person:
    """Height [m], mass [kg], sex, age [years] (None is an adult), and the origin of height and mass.

    percentile, preset  as given, or None
    """

    height: float
    mass: float
    sex: str
    age: float | None
    height_from: str
    mass_from: str
    percentile: float | None = None
    preset: str | None = None


def described(given: Who, where: str = "human.") -> Person:
    """Return the person described; raise InputError for contradictions. `where` precedes the names in errors."""
    if given.preset is not None:
        _check_preset(given, given.preset, where)
    known = given.measured or Measured()
    preset = {} if given.preset is None else data.values("preset", _sex_of(given.preset))[given.preset]
    sex = _sex(given, known.sex, where)
    age = next((years for years in (given.age, known.age, preset.get("age")) if years is not None), None)
    if age is not None:
        age = checked_age(age, f"{where}age")
    percentile, population = _percentile(given, age, where)
    # in this order: given, measured, of the preset, of the percentile
    origin = f"preset {given.preset} ({_preset_source(given.preset)})" if given.preset else ""
    height, height_from = _first(given.height, known.whole_height, "length", f"{where}height") or (
        preset.get("height"), origin)  # fmt: skip
    mass, mass_from = _first(given.mass, known.whole_mass, "mass", f"{where}mass") or (preset.get("mass"), origin)
    _check_unused(given.preset, percentile, {height_from, mass_from}, where)
    drawn = height is None and mass is None
    if percentile is not None and age is not None:
        chosen = f"percentile {percentile:g} of {sex}s of {age:g} years ({population}; {_source(age, population)})"
        if height is None:
            height, height_from = stature(sex, age, percentile, population), chosen
        if mass is None:
            mass, mass_from = body_mass(sex, age, percentile, population), chosen
    if height is None or mass is None:
        raise InputError(
            f"{where}{'height' if height is None else 'mass'} is missing. Give height and mass; or sex and age, "
            f"with a percentile if not the median; or a preset: {', '.join(presets())}."
        )
    found = Person(height, mass, sex, age, height_from, mass_from, percentile, given.preset)
    if not drawn:
        _check_size(found, where, given=(given.height, given.mass))
    return found


def _sex(given: Who, measured: str | None, where: str) -> str:
    if given.sex is not None and measured is not None and given.sex != measured:
        raise InputError(
            f"{where}sex is {given.sex!r}, but the person measured is {measured!r}; leave one of them out."
        )
    own = _sex_of(given.preset) if given.preset else "male"
    return checked_word(given.sex or measured or own, SEXES, f"{where}sex")


def _percentile(given: Who, age: float | None, where: str) -> tuple[float | None, str]:
    """Return the checked percentile and population; the median if only age and sex are given, None if not used."""
    percentile = given.percentile
    sized = any(size is not None for size in (given.height, given.mass, given.preset, given.measured))
    if percentile is None and age is not None and not sized:
        percentile = 50.0
    if percentile is None:
        if given.population is not None:
            raise InputError(
                f"{where}population is {given.population!r}, but nothing is taken from a population; give a "
                "percentile too, or leave it out."
            )
        return None, ""
    percentile = checked_percentile(percentile, f"{where}percentile")
    population = checked_word(given.population or "us", POPULATIONS, f"{where}population")
    if age is None:
        raise InputError(f"{where}percentile is {percentile:g}; it needs an age as well: human.age, 2 to 90 years.")
    return percentile, population


def _check_unused(preset: str | None, percentile: float | None, origins: set[str], where: str) -> None:
    """Raise InputError if height and mass leave nothing for a percentile or preset."""
    if not origins <= {"given", "measured"}:
        return
    for name, value in (("percentile", percentile and f"{percentile:g}"), ("preset", preset)):
        if value is not None:
            raise InputError(
                f"{where}{name} is {value}, but height and mass are both given and nothing is left for it; leave "
                f"the {name} out, or one of them."
            )


def _check_preset(given: Who, preset: str, where: str) -> None:
    """Raise InputError for an option that contradicts a preset."""
    checked_word(preset, presets(), f"{where}preset")
    own = _sex_of(preset)
    for name in ("percentile", "population", "measured"):
        if getattr(given, name) is not None:
            raise InputError(
                f"{where}preset is {preset!r} and {where}{name} is given too; a preset has its own size. Leave one "
                "of them out (height and mass may be given with a preset)."
            )
    if given.sex is not None and given.sex != own:
        raise InputError(f"{where}sex is {given.sex!r}, but the preset {preset} is {own}; leave one of them out.")
    if given.age is None:
        return
    age, born = checked_age(given.age, f"{where}age"), data.values("preset", own)[preset].get("age")
    if age != born if born is not None else age < ADULT_AGE:
        whose = f"of {born:g} years" if born is not None else "an adult"
        raise InputError(
            f"{where}age is {age:g}, but the preset {preset} is {whose}; leave the preset out and give sex, "
            "age and percentile, or height and mass."
        )


def person_of(row: Mapping[str, Any]) -> Person:
    """Return the person of a table [human] of a scenario in SI."""
    given: dict[str, Any] = {key: row.get(key) for key in WHO if key != "added"}
    if given["measured"] is not None:
        given["measured"] = read_measured(given["measured"], "human.measured")
    return described(Who(**given))


def person(height: float | str | None = None, mass: float | str | None = None, **options: Any) -> Person:
    """Return the person described by the fields of `Who`; raise InputError for contradictions."""
    return described(Who(height, mass, **options))


def _first(
    given: float | str | None, measured: float | None, dimension: str, where: str
) -> tuple[float | None, str] | None:
    """Return a given or measured value in SI with its origin, or None."""
    if given is not None:
        return quantity(given, dimension, where), "given"
    return None if measured is None else (measured, "measured")


def _source(age: float, population: str) -> str:
    """Return the keys in references.bib of stature and mass at an age [years]."""
    adults = {"us": "nhanes2012", "cz": "kopecky2016, nhanes2012"}[population]
    if age <= 20.0:
        return "kuczmarski2002"
    return adults if age >= 25.0 else f"kuczmarski2002, {adults}"


def _sex_of(preset: str | None) -> str:
    return next(row.sex for row in data.table("preset") if row.item == preset)


def _preset_source(preset: str | None) -> str:
    return next(row.source for row in data.table("preset") if row.item == preset)


def _check_size(who: Person, where: str, given: tuple[float | str | None, float | str | None]) -> None:
    """Raise InputError for a height or mass that no person of that sex and age has; `given` as the user wrote them."""
    height, mass, sex, age = who.height, who.mass, who.sex, who.age
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
