"""How a run ended: one table turns the kernels' code into a sentence with a next action."""

from __future__ import annotations

from typing import NamedTuple


class Status(NamedTuple):
    """A way to end. `fine` is False where the numbers must not be used past the end."""

    name: str
    fine: bool
    sentence: str


STATUS: dict[int, Status] = {
    0: Status("running", True, "The run has not ended yet."),
    1: Status("finished", True, "The run reached its end time."),
    2: Status("at_rest", True, "Everything has come to rest."),
    3: Status("contact_stop", True, "The contact that was to end the run has happened."),
    4: Status("cancelled", False, "The run was cancelled."),
    5: Status(
        "step_too_small",
        False,
        "The step fell below its lower limit. Loosen solver.tolerance, or look at what happens there: two stiff "
        "contacts against each other, or a joint pressed far beyond its range.",
    ),
    6: Status(
        "diverged",
        False,
        'A number is no longer finite. Reduce the step or take method = "implicit"; check stiffnesses and masses.',
    ),
    7: Status("too_many_steps", False, "The run used up solver.max_steps. Raise it, or loosen solver.tolerance."),
    8: Status(
        "passed_through",
        False,
        "The body went through a surface: it is deeper in it than the surface is solid, and what follows is not an "
        "impact. Take a lower speed, or a stiffer contact.",
    ),
    9: Status("nearly_at_rest", True, "Nearly at rest."),
}

#: statuses of a run that reached its end but failed a check of sim.conservation; their sentences are made there
ASTRAY = ("joint_energy_jumped", "energy_unbalanced")


def fine(name: str) -> bool:
    """Return whether a run with this status ended as it should."""
    return any(status.fine for status in STATUS.values() if status.name == name)
