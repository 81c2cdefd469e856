"""Figures of the heel raise over time, in the order of alnazer2006, Figs 4.6 to 4.18. SI units."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..flexible.lower_limb import FOOT, SHANK
from ..verify.flexible_beam import BONE

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from .heel_raise import Cycle

MICRO = 1e6
#: panels of the components and their figures in the source; X is forward, Y up
COMPONENTS = {
    "normal X": (7, 8),
    "normal Y": (9, 10),
    "shear XY": (11, 12),
    "maximum principal": (13, 15),
    "minimum principal": (14, 16),
    "von Mises": (17, 18),
}


def reaction_figure(done: Cycle, lift: float, printed: float) -> Figure:
    """Draw ground reaction and muscle force [N] over time, with the printed reaction at rest [N]."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7.5, 4.5))
    axes = figure.add_subplot()
    time, force = done.motion.time, done.limb.exercise(lift)
    axes.plot(time, done.heel, label="heel", linewidth=1.2)
    axes.plot(time, done.toe[:, 1], label="toe hinge, up", linewidth=1.2)
    axes.plot(time, done.toe[:, 0], label="toe hinge, forward", linewidth=1.2)
    axes.plot(time, [force(t) for t in time], "--", color="0.5", label="both muscles", linewidth=1.2)
    axes.axhline(printed, color="0.8", label="printed, standing")
    axes.set(
        xlabel="time [s]",
        ylabel="force [N]",
        ylim=(-500.0, 1500.0),
        title="Heel raise (Fig. 4.6); the landing peak is cut",
    )
    axes.legend(fontsize=8)
    return figure


def components_figure(done: Cycle) -> Figure:
    """Draw strain and stress at both nodes over time: along the global axes, principal and von Mises values."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9.0, 14.0), layout="constrained")
    first = done.limb.bodies[FOOT].coordinates + 3
    body = done.limb.bodies[SHANK].body
    modal, angle = done.motion.q[:, first : first + body.count], done.motion.q[:, first - 1]
    panels = figure.subplots(len(COMPONENTS), 2, sharex=True)
    for name, point in body.gauges.items():
        state = point.state(modal)
        strain = (
            *state.turned_strain(angle), state.principal_strain_max, state.principal_strain_min,
            state.von_mises / BONE.young,
        )  # fmt: skip
        stress = (*state.turned(angle), state.principal_stress_max, state.principal_stress_min, state.von_mises)
        for row, (title, numbers) in enumerate(COMPONENTS.items()):
            for column, (values, factor, unit) in enumerate(((strain, MICRO, "µstrain"), (stress, 1e-6, "MPa"))):
                axes = panels[row, column]
                axes.plot(done.motion.time, factor * values[row], label=name, linewidth=1.0)
                word = "strain" if column == 0 else "stress"
                axes.set_title(f"{title} {word} (Fig. 4.{numbers[column]})", fontsize=9)
                axes.set_ylabel(unit, fontsize=8)
    panels[0, 0].legend(fontsize=8)
    for axes in panels[-1]:
        axes.set_xlabel("time [s]")
    return figure
