"""A person: 17 segments, 16 joints, masses, sizes, inertia and joint resistance. SI units."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from ..errors import InputError
from ..model import System
from . import segment_size as size
from .added import Added, loaded
from .anthropometry import checked_word
from .axial import AXIAL, compliant
from .bone_strength import breaking
from .dimensions import Dimensions, dimensions
from .individual import Individual
from .joint_tree import JointOptions, assembled
from .mass import BY_AGE, MASS_LAWS, SegmentMass
from .measured import Measured
from .options import BODIES, FLEXIBILITIES, HINGES, Options, of_body
from .participant import enrolled, participant
from .person import Person, described
from .proportion import ADULT_AGE
from .resistance import JOINT_SETS, SCALED_SETS
from .shared_load import sharing
from .tissue import own_tissue, tissues
from .wobble import wobbling

REGRESSION_HEIGHT = (1.60, 1.95)  # [m], where the inertia regression holds
REGRESSION_MASS = (60.0, 100.0)  # [kg]

DEFAULT_NAME = "human"  # of the only person: names of bodies and joints have no prefix


@dataclass(frozen=True)
class Human:
    """A person, ready to be placed in a scene.

    system          bodies, joints and sensors; the root joint is free and carries the pelvis
    person          height, mass, sex, age, and their origin
    dimensions      masses, sizes, positions and inertia of the segments, without carried masses
    added           masses that the person carries
    measured        dimensions that were measured on the person
    individual      tables of an occupant12 at the size of the person; None for the other models
    flexibility     joint limits as in the "reference" or by "age"
    """

    name: str
    person: Person
    dimensions: Dimensions = field(repr=False)
    hinges: str
    joints: str | None
    flexibility: str
    system: System = field(repr=False)
    added: tuple[Added, ...] = ()
    measured: Measured | None = field(default=None, repr=False)
    individual: Individual | None = field(default=None, repr=False)

    @property
    def height(self) -> float:
        """Stature [m]."""
        return self.person.height

    @property
    def mass(self) -> float:
        """Mass of the body without carried masses [kg]."""
        return self.person.mass

    @property
    def sex(self) -> str:
        """The sex, "male" or "female"."""
        return self.person.sex

    @property
    def age(self) -> float | None:
        """Age [years]; None is an adult of unspecified age."""
        return self.person.age

    @property
    def mass_remainder(self) -> float:
        """Mass of the body minus the sum of the segment masses of the law [kg].

        It is distributed over the segments in proportion to their masses.
        """
        return self.dimensions.mass_remainder

    @property
    def prefix(self) -> str:
        """Prefix of the names of this person's bodies, joints and sensors: "" or "anna."."""
        return name_prefix(self.name)

    @property
    def segments(self) -> tuple[str, ...]:
        """Names of the segments without prefix, in the order of the bodies."""
        (entry,) = self.system.roster.people
        return tuple(entry.segments)

    def mass_table(self) -> tuple[SegmentMass, ...]:
        """Return segment, count, mass by the law and mass in the model [kg]; paired segments share a row."""
        return self.dimensions.mass_table()


def human(height: float | str | None = None, mass: float | str | None = None, **options: Any) -> Human:
    """Return a person: human(1.80, 80), human(sex="female", age=35, percentile=5) or human(preset="5F").

    height   stature [m], or text with a unit: "180 cm"
    mass     [kg]
    options  fields of `vitruvian.human.Options`: sex, age, percentile, population, preset, measured, added, body,
             mass_law, geometry, inertia, hinges, joints, tissue, axial, flexibility, name. Joints of the set None turn
             freely, as with "none"
    """
    given = Options(height, mass, **options)
    name, measured = given.name, given.measured
    where = place_of(name)
    checked_word(given.body, tuple(BODIES), f"{where}body")
    made = of_body(given.body, given.joints, given.tissue, given.axial, given.mass_law)
    given, mass_law = replace(given, **made), str(made["mass_law"])
    if not name or "." in name:
        raise InputError(f"human.name is {name!r}; expected a word without a dot.")
    who = described(given, where)
    checked_word(mass_law, MASS_LAWS, f"{where}mass_law")
    checked_word(given.geometry, size.GEOMETRY_LAWS, f"{where}geometry")
    checked_word(given.inertia, size.INERTIA_LAWS, f"{where}inertia")
    _check_laws(who, mass_law, given.inertia, where)
    joints = None if given.joints == "none" else given.joints
    ranges = None if measured is None else measured.ranges
    chosen = _joint_options(
        who, JointOptions(given.hinges, joints, given.flexibility or "", ranges, given.failure), where
    )
    laws = {"mass_law": mass_law, "geometry": given.geometry, "inertia": given.inertia}
    sized = dimensions(who.height, who.mass, who.sex, who.age, measured=measured, **laws)
    tissue = tissues(own_tissue(given.tissue, f"{where}tissue"), sized, f"{where}tissue")
    system = assembled(sized, chosen, name_prefix(name), tissue)
    if given.failure:
        system = breaking(system, sized, name_prefix(name))
    if given.share_load:
        system = sharing(system, name_prefix(name))
    segments = system
    if checked_word(given.axial, AXIAL, f"{where}axial") == "compliant":
        system = compliant(system, sized, name_prefix(name), fails=given.failure)
    system = loaded(system, given.added, name_prefix(name), f"{where}added")
    if given.wobble:
        system = wobbling(system, name_prefix(name))
    system = enrolled(system, participant(name, who, mass_law, joints, chosen.flexibility), segments)
    return Human(name, who, sized, given.hinges, joints, chosen.flexibility, system, tuple(given.added), measured)


def name_prefix(name: str) -> str:
    """Return the prefix of the names of a person's bodies and joints: "" or "anna."."""
    return "" if name == DEFAULT_NAME else f"{name}."


def place_of(name: str) -> str:
    """Return the prefix of option names in messages about a person: "human." or "human 'anna': "."""
    return "human." if name == DEFAULT_NAME else f"human {name!r}: "


def _check_laws(who: Person, mass_law: str, inertia: str, where: str) -> None:
    """Raise InputError if a law does not apply to people of this sex, age and size."""
    child = who.age is not None and who.age < ADULT_AGE
    if child and mass_law not in BY_AGE:
        raise InputError(
            f'{where}mass_law is "{mass_law}", a law of adults, and the person is {who.age:g} years old; use "by-age".'
        )
    if who.sex == "female" and mass_law == "zatsiorsky":
        raise InputError(
            f'{where}mass_law is "zatsiorsky", the regression of men; that of women rests on 15 people and gives '
            'negative feet. Use "by-age" or "fractions".'
        )
    if child and inertia == "deleva":
        raise InputError(
            f'{where}inertia is "deleva", radii of gyration of adults, and the person is {who.age:g} years old; use '
            '"ellipsoid".'
        )
    if inertia != "zatsiorsky":
        return
    (short, tall), (light, heavy) = REGRESSION_HEIGHT, REGRESSION_MASS
    if child or who.sex == "female" or not (short <= who.height <= tall and light <= who.mass <= heavy):
        whom = "a child" if child else "a woman" if who.sex == "female" else "this body"
        raise InputError(
            f'{where}inertia is "zatsiorsky", a regression that holds for men from {short:.2f} m to {tall:.2f} m '
            f"and {light:g} kg to {heavy:g} kg; "
            f'{whom} has {who.height:.4g} m and {who.mass:.4g} kg. Use inertia = "ellipsoid".'
        )


def _joint_options(who: Person, given: JointOptions, where: str) -> JointOptions:
    """Return checked joint options; an empty flexibility becomes "reference" or "age"."""
    checked_word(given.hinges, HINGES, f"{where}hinges")
    if given.joints is not None:
        checked_word(given.joints, JOINT_SETS, f"{where}joints")
    scaled = given.joints in SCALED_SETS
    if given.ranges and not scaled:
        raise InputError(
            f"{where}measured has joint ranges; they need the joints recommended or thesis-corrected, "
            f"not {given.joints!r}."
        )
    if not given.flexibility:
        by_age = scaled and (who.age is not None or who.sex == "female")
        return replace(given, flexibility="age" if by_age else "reference")
    checked_word(given.flexibility, FLEXIBILITIES, f"{where}flexibility")
    if given.flexibility == "age" and (who.age is None or not scaled):
        raise InputError(
            f'{where}flexibility is "age"; it needs an age and the joints recommended or thesis-corrected, '
            f"not age {who.age} and joints {given.joints!r}."
        )
    return given
