"""The options that describe a person, defined once: for `human`, scenarios, the command line and grids."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from .. import data
from ..model.field import field_of, keys_of
from ..model.value import Choice, File, Flag, Name, Of, ReadBy
from .added import Added
from .anthropometry import AGES, PERCENTILES, POPULATIONS, SEXES, checked_percentile
from .axial import AXIAL
from .mass import MASS_LAWS
from .measured import Measured
from .resistance import JOINT_SETS, TABLES
from .segment_size import GEOMETRY_LAWS, INERTIA_LAWS
from .tissue import TISSUES, OwnTissue

#: body -> what it is made of unless given
BODIES = {
    "measured": {
        "joints": "recommended-2",
        "tissue": "layered",
        "axial": "compliant",
        "mass_law": "by-age-heads",
    },
    "previous": {"joints": "recommended-1", "tissue": "linear-1", "axial": "rigid", "mass_law": "by-age"},
}
HINGES = ("spherical", "revolute")
FLEXIBILITIES = ("reference", "age")


def presets() -> tuple[str, ...]:
    """Return the names of the presets."""
    return tuple({row.item: None for row in data.table("preset")})


@dataclass(frozen=True)
class Who:
    """Who a person is: height and mass, or sex, age and percentile, or a preset, or measured."""

    height: float | str | None = field_of(
        "length", 'standing; text may carry a unit, as in "165 cm"', default=None, drag=("cm", 80, 210, 1)
    )
    mass: float | str | None = field_of("mass", "of the body", default=None, drag=("kg", 10, 160, 1))
    sex: str | None = field_of(Choice(SEXES), "male unless given", default=None)
    age: float | str | None = field_of(
        "age",
        "2 to 90; without one an adult",
        default=None,
        drag=("years", *AGES, 1),
    )
    percentile: float | str | None = field_of(
        ReadBy(lambda value, where, _: checked_percentile(value, where), ("number", "string")),
        "1 to 99, of stature and of mass where they are not given; needs an age, which alone means 50",
        default=None,
        drag=("", *PERCENTILES, 1),
    )
    population: str | None = field_of(Choice(POPULATIONS), "of the percentile; us unless given", default=None)
    preset: str | None = field_of(
        Choice(presets), "size of a crash-test dummy; others by sex, age, percentile", default=None
    )
    measured: Measured | None = field_of(
        File(), "own lengths, masses, inertia and joint ranges: a TOML or CSV file, or a table", default=None
    )
    added: Sequence[Added] = field_of(
        Of(Added, several=True), "what the person carries: helmet, backpack, shoes", default=()
    )


@dataclass(frozen=True)
class Options(Who):
    """A person: height and mass, or sex, age and percentile, or a preset, or measured; and how the body is made."""

    body: str = field_of(
        Choice(tuple(BODIES)),
        "what joints = recommended, tissue, axial and mass_law are unless given: measured (recommended-2, layered, "
        "compliant, by-age-heads) or previous (recommended-1, linear-1, rigid, by-age; the body of earlier versions)",
        default="measured",
    )
    mass_law: str | None = field_of(
        Choice(MASS_LAWS),
        "of the segments, that of the body unless given: by-age (men the regression, women fractions, children and the "
        "elderly their own), "
        "by-age-heads (the same with measured heads of women and children), zatsiorsky "
        "(regression on height and mass; men) or fractions (of the mass; adults)",
        default=None,
    )
    geometry: str = field_of(
        Choice(GEOMETRY_LAWS),
        "build (cross-sections follow the mass) or height-only (every dimension follows the height)",
        default="build",
    )
    inertia: str = field_of(
        Choice(INERTIA_LAWS),
        "of the segments: ellipsoid (solid, of even density), zatsiorsky (regression; men of 1.60-1.95 m, 60-100 kg) "
        "or deleva (radii of gyration; adults)",
        default="ellipsoid",
    )
    hinges: str = field_of(
        Choice(HINGES), "elbow, knee, ankle: spherical (narrow limits) or revolute", default="spherical"
    )
    joints: str | None = field_of(
        Choice((*JOINT_SETS, "none")),
        "resistance of the joints: a set of `human.resistance`, or none: they turn freely; recommended is that of the "
        "body",
        default="recommended",
    )
    tissue: str | OwnTissue | None = field_of(
        Of(OwnTissue, word=Choice(TISSUES)),
        "what gives way under the skin, that of the body unless given: layered (hardens towards its thickness, over "
        "bone; for feet with axial compliant), linear-1 (one stiffness for each segment, as in earlier versions), or "
        "own values by segment, the others layered; pedestrian11 and occupant12 have linear-1",
        default=None,
    )
    axial: str | None = field_of(
        Choice(AXIAL),
        "whether spine and legs give way along their axes, as in the body unless given: rigid or compliant (springs "
        "and dampers in the lumbar joint and the knees); rigid with joints of another source or none, and in "
        "pedestrian11 and occupant12",
        default=None,
    )
    flexibility: str | None = field_of(
        Choice((*FLEXIBILITIES, "flexindex")),
        "limits of the joints: reference (men of 20-44 years), or by age and sex; by age where an age is given or sex "
        "is female, and the joints can be scaled; pedestrian11 also flexindex",
        default=None,
    )
    share_load: bool = field_of(
        Flag(),
        "neighbouring segments that press on the same surface share the load: tissue that they have in common counts "
        "once (human17 only)",
        default=False,
    )
    wobble: bool = field_of(
        Flag(),
        "whether the soft mass of trunk and limbs moves on the bone (wobbling masses, human17 only)",
        default=False,
    )
    failure: bool = field_of(
        Flag(),
        "ligaments tear and bones break beyond their limits: joints and flesh resist less from then on, and long bones "
        "become hinges; with the joints recommended-2",
        default=False,
    )
    breaks_at: float = field_of(
        "dimensionless",
        "with failure, share of the length of thighs, shanks, upper arms and forearms at which they break, from the "
        "inner joint",
        default=0.5,
        above=0.1,
        at_most=0.9,
    )
    name: str = field_of(
        Name(), "stands before the names of the segments, as in anna.left_thigh, unless it is human", default="human"
    )


def of_body(body: str, joints: str | None, tissue: Any, axial: str | None, mass_law: str | None) -> dict[str, Any]:
    """Return joints, tissue, axial and mass law of a person, those of the body where they are not given."""
    own = BODIES[body]
    joints = own["joints"] if joints == "recommended" else joints
    return {
        "joints": joints,
        "tissue": own["tissue"] if tissue is None else tissue,
        "axial": axial or (own["axial"] if joints in TABLES else "rigid"),
        "mass_law": mass_law or own["mass_law"],
    }


#: the options that say who a person is
WHO = tuple(keys_of(Who))
