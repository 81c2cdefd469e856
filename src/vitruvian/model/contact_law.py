"""The contact laws: a catalogue by name, what each takes and where it holds. SI units.

The dissipative laws of one family, F = k d^n (1 + number d'/v_ref), differ only in the damping number [-] that they
make from the restitution Cr. What a number really returns follows from it alone, for any k, n, mass and speed:
(1 + number)/(1 - Cr number) = exp(number (1 + Cr)). The default `hunt-crossley` solves that for the number, so it
returns the Cr that it is given; the published formulas are approximations to it, most of them good near Cr = 1 only.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from math import exp, inf, isfinite, log1p, sqrt

from ..errors import InputError
from ..kernels import layout
from .validation import positive

LEAST_RESTITUTION = 0.01  # of laws that divide by it


@cache
def damping_number(restitution: float) -> float:
    """The number chi v_ref [-] that returns the restitution: (1 + d)/(1 - Cr d) = exp(d (1 + Cr)), 0 < d < 1/Cr.

    By bisection: a root finder of scipy would add a third of a second to the start of every run.
    """
    first = 1.5 * (1.0 - restitution**2) / (1.0 + restitution**3)  # the first term of its series at Cr = 1
    if restitution > 0.9999:
        return first
    low, high = 0.5 * first, 1.0 / restitution
    for _ in range(100):
        d = 0.5 * (low + high)
        # negative below the root, positive above it
        gap = log1p(d) - log1p(-restitution * d) - d * (1.0 + restitution) if restitution * d < 1.0 else 1.0
        low, high = (d, high) if gap < 0.0 else (low, d)
    return low


def returned_restitution(number: float) -> float:
    """The restitution [-] that a damping number [-] returns: the inverse of `damping_number`."""
    if number <= 0.0:
        return 1.0
    low, high = 0.0, min(1.0, 1.0 / number)
    for _ in range(100):
        e = 0.5 * (low + high)
        gap = log1p(number) - log1p(-e * number) - number * (1.0 + e) if e * number < 1.0 else 1.0
        low, high = (e, high) if gap < 0.0 else (low, e)
    return low


def hertz_stiffness(
    radius: float,
    young: float,
    poisson: float,
    other_radius: float = inf,
    other_young: float = inf,
    other_poisson: float = 0.0,
) -> float:
    """Stiffness of two elastic spheres, or of one on a plane [N/m^1.5].

    k = 4/(3 (s_i + s_j)) sqrt(R_i R_j/(R_i + R_j)),  s = (1 - nu^2)/E

    (thesis eq. 5.14 and 5.15, with the square root that is missing there, E044.)

    radius, other_radius    [m]; inf is flat
    young, other_young      [Pa]; inf is rigid
    poisson, other_poisson  [-]
    """
    for value, what, unit in ((radius, "radius", "m"), (other_radius, "other_radius", "m")):
        positive(value, f"hertz stiffness: {what}", unit)
    for value, what in ((young, "young"), (other_young, "other_young")):
        positive(value, f"hertz stiffness: {what}", "Pa")
    for value, what in ((poisson, "poisson"), (other_poisson, "other_poisson")):
        if not -1.0 < value <= 0.5:
            raise InputError(f"hertz stiffness: {what} is {value}; accepted above -1 up to 0.5.")
    if not isfinite(radius) and not isfinite(other_radius):
        raise InputError("hertz stiffness: both bodies are flat; give one of them a finite radius [m].")
    compliance = (1.0 - poisson**2) / young + (1.0 - other_poisson**2) / other_young
    if compliance == 0.0:
        raise InputError("hertz stiffness: both bodies are rigid; give one of them a finite young [Pa].")
    return 4.0 / (3.0 * compliance) / sqrt(1.0 / radius + 1.0 / other_radius)


# --- the catalogue


@dataclass(frozen=True)
class Law:
    """A normal force law.

    formula    of the force
    source     key of references.bib, equation
    exponent   n unless given [-]
    elastic    code of the elastic force
    damping    code of the damping
    needs      fields of Contact that must be given
    takes      fields that may be given in addition to those that every law takes
    number     damping number from the restitution, of laws that have one
    divides    the number grows without bound as the restitution goes to zero
    valid      where the law may be trusted, in words
    """

    name: str
    formula: str
    source: str
    exponent: float = 1.5
    elastic: int = layout.elastic_law.POWER
    damping: int = layout.damping_law.BY_NUMBER
    needs: tuple[str, ...] = ()
    takes: tuple[str, ...] = ()
    number: Callable[[float], float] | None = None
    divides: bool = False
    valid: str = ""


ELASTIC_RANGE = "elastic impact below 1e-5 sqrt(E/density): 0.03 m/s for bone (E072); above it a penalty law"
HERTZ_FIELDS = ("young", "poisson", "body_young", "body_poisson", "radius", "density")


def _family(
    name: str,
    factor: str,
    source: str,
    number: Callable[[float], float],
    *,
    exponent: float = 1.5,
    divides: bool = False,
    valid: str = "",
) -> Law:
    formula = f"k d^n [1 + {factor} d'/v_ref]"
    takes = ("restitution", "reference", *HERTZ_FIELDS)
    return Law(name, formula, source, exponent, takes=takes, number=number, divides=divides, valid=valid)


LAWS: dict[str, Law] = {
    law.name: law
    for law in (
        _family(
            "hunt-crossley",
            "number(Cr)",
            "gonthier2004, its equation solved",
            damping_number,
            exponent=1.0,
            divides=True,
            valid="returns Cr exactly, 0.01 to 1, for any n",
        ),
        Law("linear", "k d", "elastic spring", 1.0, valid="no loss"),
        Law("hertz", "k d^n", "thesis eq. 5.13 to 5.15", takes=HERTZ_FIELDS, valid=ELASTIC_RANGE),
        Law(
            "hertz-permanent",
            "k d^n up, F_m ((d - d_p)/(d_m - d_p))^n down",
            "thesis eq. 5.16",
            elastic=layout.elastic_law.PERMANENT,
            takes=("restitution", "permanent", *HERTZ_FIELDS),
            valid="the dent stays: a second impact at the same place finds it",
        ),
        Law(
            "kelvin-voigt",
            "k d + D d'",
            "thesis eq. 5.17",
            1.0,
            damping=layout.damping_law.BY_RATE,
            needs=("damping",),
            takes=("ramp",),
            valid="the force jumps to D v at touch (Fig. 5.6); with pull it sticks at the end",
        ),
        Law(
            "general",
            "k d^n + chi d^p |d'|^q sign(d')",
            "thesis eq. 5.18",
            damping=layout.damping_law.BY_POWERS,
            needs=("damping",),
            takes=("depth_power", "rate_power", *HERTZ_FIELDS),
            valid="chi is given, not made from a restitution",
        ),
        Law(
            "damped-power",
            "k d^n + D d'",
            "silva1997, eq. 17 (E071)",
            damping=layout.damping_law.BY_RATE,
            needs=("damping",),
            takes=("ramp", *HERTZ_FIELDS),
            valid="the force jumps to D v at touch unless ramped",
        ),
        Law(
            "impact",
            "k d^n + D step(d/ramp) d'",
            "ADAMS impact function; limb thesis Table 4.2",
            2.2,
            damping=layout.damping_law.BY_RATE,
            needs=("damping", "ramp"),
            takes=HERTZ_FIELDS,
            valid="continuous at touch; the loss depends on mass and speed",
        ),
        Law(
            "spring-dashpot",
            "F(d) + D d'",
            "2D paper eq. 26, the sign right (E114)",
            1.0,
            elastic=layout.elastic_law.TABULATED,
            damping=layout.damping_law.BY_RATE,
            needs=("curve", "damping"),
            takes=("ramp",),
            valid="the force jumps to D v at touch unless ramped",
        ),
        Law(
            "curve",
            "F(d) from a table, down its own way",
            "tabulated",
            1.0,
            elastic=layout.elastic_law.TABULATED,
            damping=layout.damping_law.BY_RATE,
            needs=("curve",),
            takes=("unloading", "unloading_stiffness", "tissue_restitution", "damping", "ramp"),
            valid="up to the last row; beyond it the last slope continues",
        ),
        _family(
            "hunt-crossley-published",
            "3(1 - Cr)/2",
            "hunt1975; thesis eq. 5.20",
            lambda e: 1.5 * (1.0 - e),
            valid="Cr near 1; never returns less than 0.488",
        ),
        _family(
            "lee-wang",
            "3(1 - Cr)/4",
            "lee1983; thesis eq. 5.21",
            lambda e: 0.75 * (1.0 - e),
            valid="Cr near 1; never returns less than 0.66",
        ),
        _family(
            "herbert-mcwhannell",
            "6(1 - Cr)/((2 Cr - 1)^2 + 3)",
            "herbert1977; thesis eq. 5.22",
            lambda e: 6.0 * (1.0 - e) / ((2.0 * e - 1.0) ** 2 + 3.0),
            valid="Cr near 1; never returns less than 0.488",
        ),
        _family(
            "lankarani-nikravesh",
            "3(1 - Cr^2)/4",
            "lankarani1990; thesis eq. 5.23, silva1997 eq. 18",
            lambda e: 0.75 * (1.0 - e * e),
            valid="Cr above 0.9 (E073); never returns less than 0.66",
        ),
        _family(
            "gonthier",
            "(1 - Cr^2)/Cr",
            "gonthier2004; thesis eq. 5.24",
            lambda e: (1.0 - e * e) / e,
            divides=True,
            valid="the whole range, within 0.033",
        ),
        _family(
            "zhiying-qishao",
            "3(1 - Cr^2) exp(2(1 - Cr))/4",
            "zhiying2006; thesis eq. 5.25 with the bracket right (E046)",
            lambda e: 0.75 * (1.0 - e * e) * exp(2.0 * (1.0 - e)),
            valid="Cr above 0.3; never returns less than 0.18",
        ),
        _family(
            "zhiying-qishao-thesis",
            "3(1 - Cr^2 exp(2(1 - Cr)))/4",
            "thesis eq. 5.25 as printed (E046)",
            lambda e: 0.75 * (1.0 - e * e * exp(2.0 * (1.0 - e))),
            valid="a misprint, kept for comparison",
        ),
        _family(
            "flores",
            "8(1 - Cr)/(5 Cr)",
            "flores2011; thesis eq. 5.26 without the square (E047)",
            lambda e: 1.6 * (1.0 - e) / e,
            divides=True,
            valid="the whole range, within 0.05",
        ),
        _family(
            "flores-thesis",
            "8(1 - Cr^2)/(5 Cr)",
            "thesis eq. 5.26 as printed (E047)",
            lambda e: 1.6 * (1.0 - e * e) / e,
            divides=True,
            valid="a misprint, kept for comparison",
        ),
        _family(
            "gharib-hurmuzlu",
            "1/Cr",
            "gharib2012",
            lambda e: 1.0 / e,
            divides=True,
            valid="Cr below 0.3; not elastic at Cr = 1 (E048)",
        ),
        _family(
            "gharib-hurmuzlu-thesis",
            "(1 - Cr)/Cr",
            "thesis eq. 5.27 as printed (E048)",
            lambda e: (1.0 - e) / e,
            divides=True,
            valid="returns up to 0.1 too much",
        ),
    )
}

#: the laws whose loss follows from the restitution through a damping number
FAMILY = tuple(name for name, law in LAWS.items() if law.number is not None)
