"""How a surface pushes back and rubs: the description, checked, and its row of the kernels' tables. SI units."""

from __future__ import annotations

from dataclasses import MISSING, dataclass, fields
from functools import lru_cache
from math import inf, isfinite, sqrt
from typing import Any

import numpy as np

from ..errors import InputError, nearest
from ..kernels import layout
from .contact_curve import Rows, check_hysteresis, curve_pieces, curve_rows
from .contact_law import LAWS, LEAST_RESTITUTION, Law, hertz_stiffness, returned_restitution
from .field import field_of
from .tissue import Soft, depth_of, piece_value, series_pieces, stiffness_at, viscous_speed
from .validation import not_negative, positive
from .value import Choice, Depends, Flag
from .value import Rows as RowsOf

LARGEST_PERMANENT_SHARE = 0.99  # of the peak depth that a given permanent indentation may be
STICK_TIME = 1e-3  # damping of sticking over its stiffness [s], unless given
RESTITUTION = 0.1  # unless given
TRUSTED = 0.05  # difference between given and returned restitution above which a law is outside its range
REFERENCES = {"largest": layout.speed_reference.LARGEST, "onset": layout.speed_reference.ONSET}
FRICTION_LAWS = {
    "coulomb": layout.friction_law.COULOMB,
    "bristle": layout.friction_law.BRISTLE,
    "stronge": layout.friction_law.STRONGE,
    "spring-damper": layout.friction_law.SPRING_DAMPER,
    "viscous": layout.friction_law.VISCOUS,
}

_CURVE = RowsOf(("length", "force"), "rows of depth and force: [[0, 0], [0.01, 500]]")


@dataclass(frozen=True)
class Contact:
    """How a surface pushes back and rubs; what a law does not take is refused. `LAWS` lists the laws."""

    stiffness: float = field_of(
        Depends("N/m^n"), "in series with the tissue of the body that touches it; inf is rigid", default=inf
    )
    exponent: float = field_of(  # always a number after construction
        "dimensionless", "n, 1 to 4; that of the law unless given", default=None, implied=True
    )
    restitution: float = field_of(  # a number wherever the law takes one
        "dimensionless",
        "rebound over impact speed, 0 to 1, from 0.01 on where the law divides by it; 0.1 unless given. Some laws have "
        "none",
        default=None,
        implied=True,
    )
    friction: float = field_of("dimensionless", "coefficient", default=0.6, drag=("", 0.0, 1.5, 0.01))
    slip_speed: float = field_of("velocity", "below which friction is viscous (regularisation)", default=0.05)
    law: str = field_of(Choice(tuple(LAWS)), "normal force law", default="hunt-crossley")
    damping: float = field_of(
        Depends("N s/m"), "of the law general in its own unit, N s^q/m^(p+q)", default=0.0, implied=True
    )
    depth_power: float | None = field_of("dimensionless", "p of the law general; n unless given", default=None)
    rate_power: float = field_of("dimensionless", "q of the law general, at least 1", default=1.0, implied=True)
    ramp: float = field_of("length", "depth over which the damping grows to its full size", default=0.0, implied=True)
    permanent: float | None = field_of(
        "length", "permanent indentation of hertz-permanent; (1 - Cr^2) of the peak depth unless given", default=None
    )
    curve: Rows = field_of(
        _CURVE,
        "rows of depth [m] and force [N] on the way in, from (0, 0) on, straight in between",
        default=(),
        implied=True,
    )
    unloading: Rows = field_of(_CURVE, "rows of depth [m] and force [N] on the way out", default=(), implied=True)
    unloading_stiffness: float = field_of(
        "stiffness",
        "slope of the way down from the peak; without it and without unloading the curve is elastic. An unloading "
        "curve is reached down this slope, four times the steepest piece unless given",
        default=0.0,
        implied=True,
    )
    tissue_restitution: float = field_of(
        "dimensionless",
        "rebound of the tissue in series with a curve that has an unloading_stiffness: its way down has the slope "
        "k/e^2; 1 is elastic",
        default=1.0,
        implied=True,
    )
    young: float | None = field_of(
        "pressure", "of the surface: the Hertz stiffness instead of stiffness", default=None, infinite=True
    )
    poisson: float = field_of("dimensionless", "of the surface", default=0.3, implied=True)
    body_young: float = field_of(
        "pressure", "of the body that touches it; rigid unless given", default=inf, implied=True, infinite=True
    )
    body_poisson: float = field_of("dimensionless", "of the body that touches it", default=0.3, implied=True)
    radius: float | None = field_of(
        "length", "of the body at the contact; that of the shape unless given", default=None
    )
    density: float | None = field_of(
        "density", "of the surface, for the speed up to which Hertz's theory holds", default=None
    )
    thickness: float = field_of("length", "gap at which the force begins", default=0.0, implied=True)
    pull: bool = field_of(Flag(), "whether the force may pull", default=False, implied=True)
    reference: str = field_of(
        Choice(tuple(REFERENCES)),
        "closing speed that divides the damping number: the largest since onset, or that at onset",
        default="largest",
        implied=True,
    )
    friction_law: str = field_of(
        Choice(tuple(FRICTION_LAWS)), "how it sticks and slides", default="coulomb", implied=True
    )
    tangent_stiffness: float = field_of(
        Depends("N/m"),
        "of sticking; of the law stronge over the normal one [-], 2(1 - nu)/(2 - nu) unless given",
        default=0.0,
        implied=True,
    )
    tangent_damping: float | None = field_of(
        Depends("N s/m"),
        "of sticking; of the law stronge over its stiffness [s]. 1 ms of the stiffness unless given",
        default=None,
    )

    def __post_init__(self) -> None:
        law = _known(self.law, LAWS, "contact law")
        if self.exponent is None:
            object.__setattr__(self, "exponent", law.exponent)
        self._check_fields(law)
        if self.restitution is None and "restitution" in law.takes:
            object.__setattr__(self, "restitution", RESTITUTION)
        self._check_numbers(law)
        for name in ("curve", "unloading"):
            object.__setattr__(self, name, curve_rows(getattr(self, name), f"contact {name}"))
        if self.curve:
            check_hysteresis(self)

    def _check_fields(self, law: Law) -> None:
        """Refuse what the law does not take and miss what it needs."""
        known = {name for entry in LAWS.values() for name in (*entry.needs, *entry.takes)}
        given = {f.name for f in fields(self) if f.name in known and getattr(self, f.name) != f.default}
        for name in law.needs:
            if name not in given:
                raise InputError(f"contact law {law.name!r} needs {name}: {law.formula}.")
        for name in sorted(given - {*law.needs, *law.takes}):
            takers = [entry.name for entry in LAWS.values() if name in (*entry.needs, *entry.takes)]
            raise InputError(
                f"contact law {law.name!r} does not take {name}: {law.formula}. Laws that do: {', '.join(takers)}."
            )

    def _check_numbers(self, law: Law) -> None:
        positive(self.stiffness, "contact stiffness", "N/m^n")
        if law.elastic == layout.elastic_law.TABULATED and isfinite(self.stiffness):
            raise InputError(
                f"contact stiffness is {self.stiffness:g} N/m; the law {law.name!r} takes its curve alone."
            )
        positive(self.slip_speed, "contact slip_speed", "m/s")
        for name in ("friction", "damping", "ramp", "thickness", "unloading_stiffness"):
            not_negative(getattr(self, name), f"contact {name}")
        not_negative(self.tangent_stiffness, "contact tangent_stiffness")
        not_negative(self.tangent_damping or 0.0, "contact tangent_damping")
        if self.friction_law in ("bristle", "spring-damper") and not self.tangent_stiffness:
            raise InputError(
                f"contact friction_law {self.friction_law!r} needs a tangent_stiffness [N/m]: the friction force over "
                "the deflection at which it slips, 1e5 to 1e7 N/m for people and vehicles."
            )
        if self.friction_law == "viscous" and not self.tangent_damping:
            raise InputError("contact friction_law 'viscous' needs a tangent_damping [N s/m].")
        fixed = law.name in ("linear", "kelvin-voigt", "curve", "spring-dashpot")
        if fixed and self.exponent != 1.0:
            raise InputError(f"contact exponent is {self.exponent}; the law {law.name!r} has none but 1.")
        if not 1.0 <= self.exponent <= 4.0:
            raise InputError(f"contact exponent is {self.exponent}; accepted 1 to 4.")
        if self.restitution is not None and not 0.0 <= self.restitution <= 1.0:
            raise InputError(f"contact restitution is {self.restitution}; accepted 0 to 1.")
        if law.divides and self.restitution < LEAST_RESTITUTION:
            raise InputError(
                f"contact restitution is {self.restitution}; accepted {LEAST_RESTITUTION} to 1 with the law "
                f"{law.name!r}: its damping would be infinite at 0."
            )
        if not 0.0 < self.tissue_restitution <= 1.0:
            raise InputError(f"contact tissue_restitution is {self.tissue_restitution}; accepted above 0 up to 1.")
        if self.rate_power < 1.0 or not isfinite(self.rate_power):
            raise InputError(f"contact rate_power is {self.rate_power}; accepted from 1 on.")
        if self.depth_power is not None:
            not_negative(self.depth_power, "contact depth_power")
        if self.permanent is not None:
            not_negative(self.permanent, "contact permanent", "m")
        if self.young is not None:
            if isfinite(self.stiffness):
                raise InputError("contact has both stiffness and young; give one of them.")
            if self.exponent != 1.5:
                raise InputError(f"contact exponent is {self.exponent}; with young it is 1.5 (Hertz).")
            hertz_stiffness(self.radius or 1.0, self.young, self.poisson, inf, self.body_young, self.body_poisson)
        if self.density is not None:
            positive(self.density, "contact density", "kg/m3")
        _known(self.reference, REFERENCES, "contact reference")
        _known(self.friction_law, FRICTION_LAWS, "contact friction_law")

    @property
    def number(self) -> float:
        """Damping number [-] of the laws that have one; 0 of the others."""
        number = LAWS[self.law].number
        return 0.0 if number is None else number(self.restitution)

    @property
    def words(self) -> str:
        """Return the main properties in words: "stiffness 5e+04 N/m, restitution 0.3, friction 0.7"."""
        unit = "N/m" if self.exponent == 1.0 else f"N/m^{self.exponent:g}"
        if self.curve:
            found = [f"curve up to {max(force for _, force in self.curve):.3g} N"]
        elif self.young is not None:
            found = [f"Young's modulus {self.young:.3g} Pa"]
        else:
            found = ["rigid" if self.stiffness == inf else f"stiffness {self.stiffness:.3g} {unit}"]
        found += [] if self.restitution is None else [f"restitution {self.restitution:g}"]
        return ", ".join([*found, f"friction {self.friction:g}"])

    def replace(self, **changes: Any) -> Contact:
        """Return a copy with some fields changed, checked again.

        A new law has its own exponent unless one is given, and drops a restitution that it does not take.
        """
        given = {f.name: getattr(self, f.name) for f in fields(self) if getattr(self, f.name) != _default(f)}
        if "law" in changes and self.exponent == LAWS[self.law].exponent:
            given.pop("exponent", None)
        if changes.get("law") in LAWS and "restitution" not in LAWS[changes["law"]].takes:
            given.pop("restitution", None)
        return Contact(**(given | changes))

    def caution(self, impact_speed: float) -> str:
        """Why the law may not be trusted at an impact speed [m/s], in a sentence; "" if nothing speaks against it."""
        law, notes = LAWS[self.law], []
        if law.number is not None:
            returned = returned_restitution(self.number)
            if abs(returned - self.restitution) > TRUSTED:
                notes.append(f"{law.name} returns {returned:.2f} for the restitution {self.restitution:g} it was given")
        limit = self.speed_limit
        if impact_speed > limit:
            notes.append(
                f"impact at {impact_speed:.3g} m/s is above {limit:.2g} m/s = 1e-5 sqrt(E/density), where Hertz's "
                "theory ends (E072): the law is a penalty"
            )
        return "; ".join(notes)

    @property
    def speed_limit(self) -> float:
        """Impact speed up to which Hertz's theory holds, 1e-5 sqrt(E/density) [m/s] (E072); inf without both."""
        return inf if self.young is None or self.density is None else 1e-5 * sqrt(self.young / self.density)


@lru_cache(maxsize=4096)  # the layers of a segment meet many surfaces of one law
def law_row(
    contact: Contact, tissue: Soft = inf, radius: float | None = None
) -> tuple[tuple[int, ...], tuple[float, ...], list[np.ndarray]]:
    """The row of a contact in `model.law_kind` and in `model.law`, and its curves as pieces of `model.table`.

    tissue  of the body that touches, in series with the surface: a stiffness [N/m], inf is rigid; or layers
    radius  of its shape [m], for the Hertz stiffness

    The curves are counted from 0 in the row: the caller adds the number of the first table.
    """
    law = LAWS[contact.law]
    kind, value = np.zeros(layout.law_kind.COUNT, np.int64), np.zeros(layout.law.COUNT)
    kind[layout.law_kind.ELASTIC], kind[layout.law_kind.DAMPING] = law.elastic, law.damping
    kind[layout.law_kind.FRICTION] = FRICTION_LAWS[contact.friction_law]
    kind[layout.law_kind.CURVE] = kind[layout.law_kind.UNLOADING] = kind[layout.law_kind.NUMBER_CURVE] = -1
    kind[layout.law_kind.PULLS] = contact.pull
    kind[layout.law_kind.REFERENCE] = REFERENCES[contact.reference]

    value[layout.law.VISCOUS_BELOW] = layout.speed_reference.LEAST
    numbers, curves = tissue_part(contact, tissue, radius)
    value[list(numbers)] = list(numbers.values())
    if law.elastic == layout.elastic_law.TABULATED:
        kind[layout.law_kind.CURVE] = 0
        kind[layout.law_kind.UNLOADING] = 1 if len(curves) > 1 else -1
    elif curves:
        kind[layout.law_kind.ELASTIC] = layout.elastic_law.TABULATED
        kind[layout.law_kind.CURVE], kind[layout.law_kind.NUMBER_CURVE] = 0, 1

    value[layout.law.NUMBER] = contact.number
    value[layout.law.CHI] = contact.damping
    value[layout.law.DEPTH_POWER] = contact.exponent if contact.depth_power is None else contact.depth_power
    value[layout.law.RATE_POWER] = contact.rate_power
    value[layout.law.RAMP] = contact.ramp
    # E_back/E_in = 1 - d_p/d_m = Cr^2
    given = contact.permanent is not None
    value[layout.law.PERMANENT] = contact.permanent if given else inf
    rebound = 0.0 if given or contact.restitution is None else contact.restitution
    value[layout.law.PERMANENT_SHARE] = min(1.0 - rebound**2, LARGEST_PERMANENT_SHARE)
    value[layout.law.THICKNESS] = contact.thickness
    value[layout.law.MU], value[layout.law.SLIP_SPEED] = contact.friction, contact.slip_speed
    stiffness, damping, stronge = contact.tangent_stiffness, contact.tangent_damping, contact.friction_law == "stronge"
    if stronge and not stiffness:
        stiffness = 2.0 * (1.0 - contact.poisson) / (2.0 - contact.poisson)
    value[layout.law.TANGENT_STIFFNESS] = stiffness
    value[layout.law.TANGENT_DAMPING] = (
        (STICK_TIME if stronge else STICK_TIME * stiffness) if damping is None else damping
    )
    for pieces in curves:
        pieces.setflags(write=False)
    return tuple(kind.tolist()), tuple(value.tolist()), curves


def tissue_part(contact: Contact, tissue: Soft, radius: float | None) -> tuple[dict[int, float], list[np.ndarray]]:
    """Return what tissue changes in the row of a contact: column of `model.law` -> number, and its curves.

    The arguments are those of `law_row`.
    """
    elastic, at = LAWS[contact.law].elastic, layout.law
    if elastic == layout.elastic_law.TABULATED:
        curves, unloading = curve_pieces(contact, tissue)
        numbers = {at.UNLOADING_STIFFNESS: unloading, at.EXPONENT: 1.0, at.TISSUE: 1.0 / float(stiffness_at(tissue))}
        return numbers, curves
    if isinstance(tissue, tuple) and elastic == layout.elastic_law.POWER:
        surface = _surface_stiffness(contact, radius), contact.exponent, contact.number
        numbers = {at.VISCOUS_BELOW: viscous_speed(tissue, *surface), at.EXPONENT: 1.0}
        return numbers | {at.TISSUE: 1.0 / float(stiffness_at(tissue))}, list(series_pieces(tissue, *surface))
    stiffness, exponent, flexibility = _in_series(contact, float(stiffness_at(tissue)), radius)
    return {at.STIFFNESS: stiffness, at.EXPONENT: exponent, at.TISSUE: flexibility}, []


# --- parts


def _known(name: str, choices: Any, what: str) -> Any:
    if name not in choices:
        raise InputError(f"{what} {name!r} is unknown; accepted: {', '.join(choices)}.{nearest(str(name), choices)}")
    return choices[name]


def _default(field: Any) -> Any:
    return None if field.default is MISSING else field.default


def _surface_stiffness(contact: Contact, radius: float | None) -> float:
    """Stiffness of the surface alone [N/m^n]; inf is rigid."""
    if contact.young is None:
        return contact.stiffness
    bend = contact.radius or radius
    if bend is None:
        raise InputError("a contact with young needs the radius [m] of the body that touches it.")
    return hertz_stiffness(bend, contact.young, contact.poisson, inf, contact.body_young, contact.body_poisson)


def _in_series(contact: Contact, tissue_stiffness: float, radius: float | None) -> tuple[float, float, float]:
    """Stiffness [N/m^n], exponent [-] and flexibility of the tissue [m/N] of a surface under a linear tissue.

    Both carry the same force, so their depths add: d = F/k_tissue + (F/k)^(1/n). On a rigid surface the tissue alone
    gives way, linearly, and a damping acts on it.
    """
    surface, flexibility = _surface_stiffness(contact, radius), 1.0 / tissue_stiffness
    if flexibility == 0.0 and not isfinite(surface):
        raise InputError("a rigid body meets a rigid surface; give one of them a finite stiffness.")
    if not isfinite(surface):
        if LAWS[contact.law].elastic == layout.elastic_law.PERMANENT:
            raise InputError(
                f"contact law {contact.law!r} leaves a dent in the surface, which is rigid here; give it a stiffness "
                "[N/m^n] or young [Pa]."
            )
        return tissue_stiffness, 1.0, 0.0
    return surface, contact.exponent, flexibility


def tissue_share(contact: Contact, tissue: Soft, depth: np.ndarray) -> np.ndarray:
    """Share of the depths [m] of a contact by which the tissue is compressed, not the surface [-].

    The share of the tissue on a surface with a curve is taken as 1, its upper bound.
    """
    from ..kernels.contact_law import series_depth

    if isinstance(tissue, tuple) and LAWS[contact.law].elastic == layout.elastic_law.POWER:
        pieces = law_row(contact, tissue, contact.radius or 1.0)[2][0]
        return np.minimum(1.0, depth_of(tissue)(piece_value(pieces, depth)) / depth)
    tissue_stiffness = float(stiffness_at(tissue))
    surface = inf if contact.curve else _surface_stiffness(contact, contact.radius or 1.0)
    if not isfinite(surface) or not isfinite(tissue_stiffness):
        rigid = not isfinite(tissue_stiffness) and (bool(contact.curve) or isfinite(surface))
        return np.full_like(depth, 0.0 if rigid else 1.0)
    alone = [series_depth(d, surface / tissue_stiffness, contact.exponent) for d in depth.tolist()]
    return 1.0 - np.array(alone) / depth
