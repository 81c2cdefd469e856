"""The contact laws of the thesis, section 5.2: what each really returns, jumps, loops. Source: spicka2020."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...model.contact import Contact
from ...model.contact_law import LAWS
from ..single_impact import BUCKLING, WAY_OUT, Impact, impact
from ..verdict import Progress, Report, Reproduced, Table
from ..verify.restitution import GIVEN, LISTED, NOMINAL, kelvin_voigt_restitution, measured

if TYPE_CHECKING:
    import numpy as np
    from matplotlib.figure import Figure

SOURCE = (
    "spicka2020, section 5.2.2, eq. 5.13 to 5.27 and Fig. 5.6; it prints no rebound, so ours are compared with those "
    "of the list of its misprints (E046 to E048, E073)"
)
SPEED = 2.0  # [m/s]


def laws(progress: Progress) -> Report:
    """Compare the restitution of the laws with the given one, the jump of Kelvin-Voigt, and the hysteresis loops."""
    progress("bouncing ball under every law", 0, 2)
    found = measured()
    rows = []
    for law, listed in LISTED.items():
        got = found[law]
        for given, value in zip(GIVEN, listed, strict=True):
            ours = float(got[NOMINAL.index(given)])
            rows.append(Reproduced.close(f"{law}, Cr {given:g}", value, ours, 0.01, origin="list of the errata"))
    default = float(abs(found["hunt-crossley"] - NOMINAL).max())
    rows.append(Reproduced.at_most("hunt-crossley, solved: largest difference from Cr", 1e-4, default))

    progress("Kelvin-Voigt", 1, 2)
    sudden = {name: impact(contact, SPEED) for name, contact in kelvin_voigt().items()}
    jump = sudden["Kelvin-Voigt"].force[0]
    rows += [
        Reproduced.same("Kelvin-Voigt: force at touch, in words", "jumps", "jumps" if jump > 1.0 else "begins at zero"),
        Reproduced.close(
            "Kelvin-Voigt: force at touch", 200.0 * SPEED, float(jump), 1e-6, "N", origin="closed form", note="D v"
        ),
        Reproduced.same(
            "Kelvin-Voigt that may pull: force at the end",
            "pulls",
            "pulls" if sudden["Kelvin-Voigt, may pull"].force.min() < -1.0 else "never pulls",
        ),
    ]
    for name, pull in (("Kelvin-Voigt", False), ("Kelvin-Voigt, may pull", True)):
        exact = kelvin_voigt_restitution(1e5, 200.0, 1.0, pull=pull)
        rows.append(Reproduced.close(f"{name}: rebound", exact, sudden[name].restitution, 1e-6, origin="closed form"))
    cells = [(law, LAWS[law].formula, *(f"{value:.3f}" for value in found[law])) for law in found]
    table = Table(
        "restitution",
        "Rebound over impact speed, for the Cr put into the formula (exponent 1.5)",
        ("law", "formula", *(f"{given:g}" for given in NOMINAL)),
        tuple(cells),
    )
    figures = {
        "restitution": lambda: restitution_figure(found),
        "kelvin-voigt": lambda: history_figure(sudden),
        "hysteresis": loop_figure,
    }
    notes = (
        "A ball of 1 kg at 3 m/s in the engine. What a law returns depends on its damping number alone, not on "
        "stiffness, exponent, mass or speed.",
        "A printed formula that returns something else than Cr is not therefore a misprint: most are series at Cr = 1.",
    )
    return Report("What the contact laws return", SOURCE, tuple(rows), (table,), figures, notes)


def kelvin_voigt() -> dict[str, Contact]:
    """Return the spring-dashpot with and without the cut, and two laws that begin at zero."""
    voigt = Contact(1e5, law="kelvin-voigt", damping=200.0)
    return {
        "Kelvin-Voigt": voigt,
        "Kelvin-Voigt, may pull": voigt.replace(pull=True),
        "Kelvin-Voigt, ramped over 1 mm": voigt.replace(ramp=1e-3),
        "Hunt-Crossley, solved for the same rebound": Contact(
            1e5, restitution=kelvin_voigt_restitution(1e5, 200.0, 1.0, pull=False)
        ),
    }


def loops() -> dict[str, Contact]:
    """Return contacts whose unloading differs from their loading."""
    return {
        "hunt-crossley, Cr 0.4": Contact(1e6, 1.5, 0.4),
        "hertz-permanent, Cr 0.4": Contact(1e6, law="hertz-permanent", restitution=0.4),
        "kelvin-voigt": Contact(1e5, law="kelvin-voigt", damping=200.0),
        "impact, ramp 1 mm": Contact(2e7, law="impact", damping=200.0, ramp=1e-3),
        "curve that buckles, down a line": Contact(law="curve", curve=BUCKLING, unloading_stiffness=1e6),
        "curve that buckles, down a curve": Contact(law="curve", curve=BUCKLING, unloading=WAY_OUT),
    }


def restitution_figure(found: dict[str, np.ndarray]) -> Figure:
    """Draw rebound over impact speed against the given restitution."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7.5, 6.0))
    axes = figure.add_subplot()
    axes.plot([0.0, 1.0], [0.0, 1.0], color="0.8", linewidth=6.0, label="as asked")
    colours = {
        law: "black" if law == "hunt-crossley" else f"C{number % 10}" for number, law in enumerate(found, start=-1)
    }
    for law, values in found.items():
        style = "--" if law.endswith("-thesis") else "-"
        axes.plot(NOMINAL, values, style, color=colours[law], linewidth=1.4, label=law)
    for law, listed in LISTED.items():
        axes.plot(GIVEN, listed, ".", color=colours[law], markersize=6.0)
    axes.set(xlabel="restitution put in [-]", ylabel="rebound over impact speed [-]", xlim=(0, 1), ylim=(0, 1))
    axes.set_title("Lines: ours; dots: listed with the misprints", fontsize=10)
    axes.legend(fontsize=7, ncols=2)
    return figure


def history_figure(impacts: dict[str, Impact]) -> Figure:
    """Draw force over time."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7.5, 4.5))
    axes = figure.add_subplot()
    axes.axhline(0.0, color="0.8", linewidth=1.0)
    for name, hit in impacts.items():
        axes.plot(1e3 * hit.time, hit.force, label=name, linewidth=1.4)
    axes.set(xlabel="time [ms]", ylabel="normal force [N]", title="1 kg at 2 m/s, k = 100 kN/m, D = 200 N s/m")
    axes.legend(fontsize=8)
    return figure


def loop_figure() -> Figure:
    """Draw force over depth for two impacts on the same place, the second one faster."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(10.0, 6.0))
    for place, (name, contact) in enumerate(loops().items()):
        axes = figure.add_subplot(2, 3, place + 1)
        peak = 0.0
        for speed in (2.0, 4.0):
            hit = impact(contact, speed, peak=peak)
            axes.plot(1e3 * hit.depth, 1e-3 * hit.force, label=f"{speed:g} m/s", linewidth=1.3)
            peak = max(peak, float(hit.depth.max()))
        axes.set(xlabel="depth [mm]", ylabel="force [kN]")
        axes.set_title(name, fontsize=9)
        axes.legend(fontsize=7)
    figure.tight_layout()
    return figure
