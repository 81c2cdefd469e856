"""Sentences on a run that a reader must know: changed pushes, how a settled person starts to move, other rebounds."""

from __future__ import annotations

import numpy as np

from .. import model
from ..human import stature, stature_percentile
from ..model import System
from ..model.fracture import DISTAL, is_piece
from ..sim.bone_load import SHARES, bones, resultant
from ..sim.recording import Recording
from . import cabin
from .build import Built, Standing, ground_of
from .definition import Row

_RARE, _ADULT = 3.0, 18.0  # percentile of stature; [years]


def notes(table: Row, built: Built, recording: Recording | None = None) -> tuple[str, ...]:
    """Return what a reader must know of a run: changed pushes, how a settled person starts to move, other rebounds.

    recording  of the run; without it only what is known before
    """
    own = {row.name for row in table.surface}
    laws = {surface.name: surface.contact for surface in built.system.surfaces if surface.name in own}
    cautions = ((name, law.caution(0.0)) for name, law in laws.items() if isinstance(law, model.Contact))
    found = (
        *_unusual_sizes(built.system),
        *(one.placement.note for one in built.people if one.row.start.push),
        *(_settled_note(built.system, one) for one in built.people if one.row.start.settle),
        *_not_at_rest(table.solver.stop, recording),
        *(f"surface {name}: {caution}" for name, caution in cautions if caution),
        *(
            f"Vehicle {row.front}: shape and force-penetration curves of its front are estimates, not measured."
            for row in table.vehicle
            if isinstance(row.front, str)
        ),
        *(_belt_notes(built.system, recording)),
        *([] if recording is None else bone_notes(built.system, recording)),
        *(
            f"Airbag {row.name}: size, inflator and vent of the type {row.type} are estimates."
            for row in table.airbag
            if row.type is not None
        ),
        *(
            [f"solver.tolerance is not used: {table.solver.method} has fixed steps here."]
            if table.solver.tolerance is not None and not _adaptive(table.solver)
            else []
        ),
    )
    return tuple(note for note in found if note)


def _unusual_sizes(system: System) -> list[str]:
    """Return which statures are rare at the age given, because a ready scenario keeps its own stature."""
    found = []
    for person in system.roster.people:
        if person.age is None or person.by_percentile or person.preset:
            continue
        share = stature_percentile(person.height, person.sex, person.age)
        if _RARE < share < 100.0 - _RARE:
            continue
        more = "taller" if share > 50.0 else "shorter"
        who = {"male": ("men", "boys"), "female": ("women", "girls")}[person.sex][person.age < _ADULT]
        found.append(
            f"{person.height:.2f} m is {more} than about {max(share, 100.0 - share):.0f} of 100 {who} of "
            f"{person.age:g} years; the median is {stature(person.sex, person.age):.2f} m. human.percentile = 50 "
            "instead of height and mass gives the median person."
        )
    return found


def _belt_notes(system: System, recording: Recording | None) -> list[str]:
    """Return which belts have estimated webbing, and where they left a segment."""
    found = []
    linear = [belt.name for belt in system.belts if belt.loading == model.belt.WEBBING]
    if linear:
        found.append(f"Belts {', '.join(linear)}: the linear force-elongation curve of the webbing is an estimate.")
    for event in [] if recording is None else recording.events:
        if event.kind == "submarining":
            found.append(
                f"Submarining: at {event.time:.3f} s the {_webbing(event.surface)} slid up over the iliac spines of "
                f"{event.body}. From there on nothing holds the pelvis; a real belt would load the abdomen."
            )
        if event.kind == "lift":
            found.append(f"The {_webbing(event.surface)} slid off {event.body} at {event.time:.3f} s.")
    return found


def _webbing(name: str) -> str:
    return name if name == "belt" else f"belt {name}"


_END = {  # of the note on a bone whose moment reached its limit
    False: "fracture: from there on the run shows a bone that did not break (human.failure or tube.fall lets it).",
    True: "fracture: a hinge from there on.",
}


OVER = 1.1  # moment of a section that cannot break over that of failure, from which on it is mentioned [-]


def bone_notes(system: System, recording: Recording) -> list[str]:
    """Return the peaks of each bone that bends, over the bending moment at which such bones broke in tests."""
    found = []
    for name, bend in bones(system).items():
        own = [k for k, label in enumerate(recording.points) if label.startswith(f"{name}.")]
        strain, moment = recording.strain[:, own], resultant(recording.bending_moment[:, own])
        if not strain.size or bend.tube is None:
            continue
        row, column = np.unravel_index(int(np.nanargmax(abs(strain))), strain.shape)
        when, where = np.unravel_index(int(np.nanargmax(moment)), moment.shape)
        limit = bend.tube.failure
        whole, pieces = name.removesuffix(DISTAL), is_piece(system, name)
        broken = any(event.kind == "fracture" and event.body == whole for event in recording.events)
        end = _END[pieces] if broken else "it holds."
        if pieces and moment[when, where] > OVER * limit:
            end += (
                " That is more than it would bear, but it breaks at one section only (human.breaks_at, tube.section)."
            )
        found.append(
            f"Bone of {name}: largest strain {1e6 * strain[row, column]:.0f} microstrain at "
            f"{1e3 * recording.time[row]:.1f} ms ({recording.points[own[column]].rpartition('.')[2]}), largest bending "
            f"moment {moment[when, where]:.0f} N m at {1e3 * recording.time[when]:.1f} ms and "
            f"{100 * SHARES[where]:.0f} % of its length, {moment[when, where] / limit:.2f} of the {limit:.0f} "
            f"(standard deviation {bend.tube.spread:.0f}) N m at which such bones broke in tests: {end}"
        )
    return found


def _adaptive(solver: Row) -> bool:
    """Whether the steps of a run follow from the tolerance."""
    from ..sim.solver import METHODS

    return METHODS[solver.method][1] if solver.adaptive is None else solver.adaptive


def _not_at_rest(stop: str | None, recording: Recording | None) -> tuple[str, ...]:
    """Return how fast a run that was to stop at rest still moves, if it does."""
    if recording is None or stop != "at rest" or recording.status == "at_rest":
        return ()
    return (recording.message,)


LIMP = "Its joints are limp from 0 s on: only their passive resistance holds the posture."
FIRST_MOTION = 0.01  # [s]: the interval over which a settled person is watched


def _settled_note(system: System, one: Standing) -> str:
    """Return how a settled person stands, and how it moves in the first milliseconds before anything strikes it.

    The person is simulated on the ground alone, because a vehicle often touches within the first millisecond. The
    acceleration is the mean vertical one of the centre of mass.
    """
    from ..sim.simulate import simulate

    ground, start, balance = ground_of(system.surfaces), one.start, one.balance
    if isinstance(balance, cabin.Seated):
        return balance.note
    assert balance is not None and ground is not None  # a settled person stands on a ground
    tones = () if one.tone is None else (one.tone,)
    alone = one.person.system.replace(surfaces=(ground,), gravity=system.gravity, tones=tones)
    rate = 1.0 / FIRST_MOTION
    run = simulate(model.held_at(alone, start), start, duration=FIRST_MOTION, rate=rate, pose_rate=rate)
    mass = np.array([alone.body(name).mass for name in run.bodies])
    gain = float(mass @ (run.velocity[-1, :, 2] - run.velocity[0, :, 2]) / mass.sum())
    return (
        f"{balance.note} {LIMP if one.tone is None else one.tone.note} In the first {1e3 * FIRST_MOTION:g} ms, "
        f"unless something strikes it, the centre of mass accelerates {'downwards' if gain < 0.0 else 'upwards'} with "
        f"{abs(gain) / FIRST_MOTION:.2g} m/s2."
    )
