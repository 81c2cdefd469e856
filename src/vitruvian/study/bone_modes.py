"""The modes of a bone of a scenario, under a force on its middle or the loads of a run. SI units."""

from __future__ import annotations

import numpy as np

from ..errors import InputError, nearest
from ..flex import Structure, bone
from ..flex.mode_report import ModeReport, mode_report
from ..model import System
from ..model.fracture import is_piece
from ..model.mode_choice import Modes, read_modes
from ..scenario import Scenario
from ..sim import bone_load

MIDDLE = "a force on the middle, with both ends on supports"


def bone_modes(
    scenario: Scenario,
    name: str = "",
    *,
    modes: Modes | None = None,
    without: tuple[int, ...] = (),
    shown: int = 10,
    run: bool = False,
) -> ModeReport:
    """Return the modes of a bone of a scenario, and what each does for the deflection under a static load.

    name     body that bends; the first one unless given
    modes    that are on, as human.modes; those of the scenario unless given
    without  numbers of modes that are switched off
    shown    modes of the report at least
    run      simulate, and take the loads on the bone when its bending moment is largest; else a force on its middle
    """
    system = scenario.build()[0]
    name = _named(system, name)
    bend = system.body(name).bend
    assert bend is not None and bend.tube is not None
    structure, choice = bone.beam_of(system, name), bend.tube.modes if modes is None else read_modes(modes, "modes")
    pool, on = bone.choosing(structure, choice, piece=is_piece(system, name))
    unknown = [k for k in without if k not in on]
    if unknown:
        raise InputError(f"modes {unknown} of {name!r} are not in use, so they cannot be switched off; on are {on}.")
    on = [k for k in on if k not in without]
    if not on:
        raise InputError(f"all modes of {name!r} are switched off; leave at least one on.")
    load, words = _at_peak(scenario, system, name, structure) if run else (bone.middle_load(structure), MIDDLE)
    seen = pool.only(slice(min(pool.count, max(shown, on[-1]))))
    return mode_report(name, structure, seen, on, load, words)


def _named(system: System, name: str) -> str:
    """Return the body that is meant: a bone that bends; the first one without a name."""
    known = list(bone_load.bones(system))
    if not known:
        raise InputError('no bone of this scenario bends; add one, as in --set human.flexible=["shank"].')
    if name and name not in known:
        raise InputError(f"no bone {name!r} bends here; those that do: {', '.join(known)}.{nearest(name, known)}")
    return name or known[0]


def _at_peak(scenario: Scenario, system: System, name: str, structure: Structure) -> tuple[np.ndarray, str]:
    """Return the loads (N,) on a bone in a run when its bending moment is largest, inertia included."""
    recording = scenario.run().recording
    bend = bone_load.bones(system)[name]
    own = [k for k, label in enumerate(recording.points) if label.startswith(f"{name}.")]
    moment = bone_load.resultant(recording.bending_moment[:, own]).max(axis=1)
    at = int(np.nanargmax(moment))
    force, torque, height = bone_load.station_loads(system, recording, name, at)
    line = np.subtract(bend.line[1], bend.line[0])
    axes = bone.Shaft(bend.tube, *map(np.array, bend.line)).axes if bend.tube else np.eye(3)
    load = np.zeros(structure.size)
    for push, turn, place in zip(force @ axes, torque @ axes, height / float(np.linalg.norm(line)), strict=True):
        number = min(int(place * bone.ELEMENTS), bone.ELEMENTS - 1)
        value, _ = structure.elements[number].interpolation(place * bone.ELEMENTS - number)
        load[structure.dofs[number : number + 2].ravel()] += value.T @ np.concatenate([push, turn])
    words = f"the loads of the run at {1e3 * recording.time[at]:.1f} ms, bending moment {moment[at]:.0f} N m"
    return load, words
