"""The ellipsoid on a slope of 45 degrees of the thesis, section 6.3. Source: spicka2020."""

from __future__ import annotations

from dataclasses import dataclass
from math import cos, pi, sin, sqrt
from typing import TYPE_CHECKING

import numpy as np

from ...model import Body, Configuration, Ellipsoid, Joint, Plane, System, ellipsoid_inertia
from ...model.contact import Contact
from ...model.pose import rotation_matrix
from ...model.system import GRAVITY
from ...sim.recording import Recording
from ...sim.simulate import simulate
from ..verdict import Progress, Report, Reproduced

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SOURCE = (
    "spicka2020, section 6.3, Fig. 6.4 and 6.5: pictures without numbers, so ours is compared with closed forms; "
    "height, posture and stiffness are not printed"
)
#: the two readings of "length of the main principal axis 1.0 m, two remaining 0.4 m": semi-axes [m]
READINGS = {"full axes": (0.5, 0.2, 0.2), "semi-axes": (1.0, 0.4, 0.4)}
MASS, SLOPE, GAP, DURATION = 1.0, pi / 4.0, 0.5, 1.0  # [kg], [rad], of free fall [m], [s]
STIFFNESS = 3e6  # [N/m^1.5]
NORMAL = np.array([sin(SLOPE), 0.0, cos(SLOPE)])
G = -GRAVITY[2]


@dataclass(frozen=True)
class Slide:
    """A run and what it is compared with."""

    semi_axes: tuple[float, float, float]
    run: Recording

    @property
    def energy(self) -> np.ndarray:
        """Kinetic and potential energy at every pose, zero at the start [J]."""
        run = self.run
        turn = np.array([rotation_matrix(q) for q in run.orientation[:, 0]])
        spin = np.einsum("kji,kj->ki", turn, run.angular_velocity[:, 0])
        kinetic = 0.5 * MASS * (run.velocity[:, 0] ** 2).sum(1)
        kinetic += 0.5 * (ellipsoid_inertia(MASS, self.semi_axes) * spin**2).sum(1)
        return kinetic + MASS * G * (run.position[:, 0, 2] - run.position[0, 0, 2])

    @property
    def energy_change(self) -> float:
        """Largest change of the energy in flight over the energy of the whole drop [-]."""
        flight = self.run.contact_depth[:, 0] <= 0.0
        drop = MASS * G * (self.run.position[0, 0, 2] - self.run.position[:, 0, 2].min())
        return float(abs(self.energy[flight]).max() / drop)

    def first_spin(self) -> float:
        """Return the angular velocity about y [rad/s] between the first and the second contact."""
        apart = [e.time for e in self.run.events if e.kind == "separation"]
        return float(self.run.angular_velocity[np.searchsorted(self.run.pose_time, apart[0]), 0, 1])

    def impulse_spin(self) -> float:
        """Return the spin after an instantaneous elastic impact: P = 2 v_n/(1/m + (r x n)^2/I), w = P (r x n)/I."""
        axes = np.array(self.semi_axes)
        support = -(axes**2 * NORMAL) / np.linalg.norm(axes * NORMAL)
        about_y = float(np.cross(support, NORMAL)[1])
        inertia = ellipsoid_inertia(MASS, self.semi_axes)[1]
        closing = sqrt(2.0 * G * GAP) * NORMAL[2]
        return float(2.0 * closing / (1.0 / MASS + about_y**2 / inertia) * about_y / inertia)


def slide(semi_axes: tuple[float, float, float], stiffness: float = STIFFNESS) -> Slide:
    """Return the run of the ellipsoid, its long axis level and along the slope, released 0.5 m above it."""
    body = Body("ellipsoid", MASS, ellipsoid_inertia(MASS, semi_axes), (Ellipsoid(semi_axes),))
    contact = Contact(stiffness, law="hertz", friction=0.0)
    plane = Plane("slope", normal=tuple(NORMAL.tolist()), contact=contact)
    system = System((body,), (Joint("root", "free", None, "ellipsoid"),), (plane,))
    height = GAP + float(np.linalg.norm(np.array(semi_axes) * NORMAL)) / NORMAL[2]
    start = Configuration({"root": (0.0, 0.0, height, 1.0, 0.0, 0.0, 0.0)})
    run = simulate(system, start, duration=DURATION, pose_rate=1e3, tolerance=1e-9, contact_step=1e-5, max_step=1e-3)
    return Slide(semi_axes, run)


def incline(progress: Progress) -> Report:
    """Compare both readings of the axes: energy, spin by the eccentric contact, frames."""
    rows, found = [], {}
    for number, (name, semi_axes) in enumerate(READINGS.items()):
        progress(name, number, len(READINGS))
        found[name] = case = slide(semi_axes)
        touches = [e.time for e in case.run.events if e.kind == "touch"]
        hard = slide(semi_axes, 100.0 * STIFFNESS)
        exact = case.impulse_spin()
        rows += [
            Reproduced.at_most(
                f"{name}: change of energy over all contacts", 1e-6, case.energy_change, note=f"{len(touches)} contacts"
            ),
            Reproduced.close(
                f"{name}: first touch",
                sqrt(2.0 * G * GAP) / G,
                touches[0],
                1e-6,
                "s",
                origin="closed form",
                note="free fall of 0.5 m",
            ),
            Reproduced.close(
                f"{name}: spin after the first contact",
                exact,
                hard.first_spin(),
                0.01 * abs(exact),
                "rad/s",
                origin="closed form",
                note=f"an impact of no duration, ours with 100 times the stiffness; {case.first_spin():.4f} rad/s with "
                "the one of the figure",
            ),
        ]
    notes = (
        "The text gives lengths of axes without saying whether they are semi-axes (E023); both are shown.",
        "Assumed: long axis level and along the fall of the slope, 0.5 m of free fall, 3e6 N/m^1.5, no friction.",
        "The force acts at the point of contact, so the body turns; eq. 5.34 leaves the moment out (E052).",
    )
    return Report("The ellipsoid on a slope", SOURCE, tuple(rows), (), {"frames": lambda: frames_figure(found)}, notes)


def frames_figure(found: dict[str, Slide], frames: int = 12) -> Figure:
    """Draw outlines in the plane of the motion at equal times."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(11.0, 5.5))
    angle = np.linspace(0.0, 2.0 * pi, 120)
    for place, (name, case) in enumerate(found.items()):
        axes = figure.add_subplot(1, 2, place + 1)
        run = case.run
        outline = np.array([np.cos(angle) * case.semi_axes[0], 0.0 * angle, np.sin(angle) * case.semi_axes[2]])
        samples = np.linspace(0, len(run.pose_time) - 1, frames).astype(int)
        for sample in samples:
            centre = run.position[sample, 0]
            points = centre[:, None] + rotation_matrix(run.orientation[sample, 0]) @ outline
            shade = 0.85 - 0.7 * sample / samples[-1]
            axes.plot(points[0], points[2], color=str(shade), linewidth=1.2)
        axes.plot(run.position[:, 0, 0], run.position[:, 0, 2], color="C3", linewidth=1.0)
        ends = np.array([run.position[:, 0, 0].min() - 1.0, run.position[:, 0, 0].max() + 1.0])
        axes.plot(ends, -ends * NORMAL[0] / NORMAL[2], color="black", linewidth=1.5)
        axes.set(xlabel="x [m]", ylabel="z [m]", aspect="equal")
        axes.set_title(f"1.0, 0.4, 0.4 m read as {name}; every {run.pose_time[samples[1]]:.2f} s", fontsize=10)
    figure.tight_layout()
    return figure
