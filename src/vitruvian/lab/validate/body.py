"""The body that the cases of `validate` run: the one fitted to measurements, or that of earlier versions.

One body per process: results of tests are remembered. Stored verdicts are those of the body "measured".
"""

from __future__ import annotations

from ...errors import InputError, nearest
from ...human.options import BODIES

MEASURED = "measured"
_chosen = [MEASURED]


def choose(name: str) -> None:
    """Choose the body of all cases that run from now on."""
    if name not in BODIES:
        raise InputError(f'there is no body "{name}"; accepted: {", ".join(BODIES)}.{nearest(name, BODIES)}')
    _chosen[0] = name


def chosen() -> str:
    """Return the name of the chosen body."""
    return _chosen[0]


def options() -> dict[str, str]:
    """Return the options of `vitruvian.human.human` for the chosen body."""
    return dict(BODIES[chosen()])


def changes() -> dict[str, object]:
    """Return the changes of a scenario whose person has the chosen body."""
    return {f"human.{key}": value for key, value in options().items()}


def joints() -> str:
    """Return the joint set of the chosen body."""
    return BODIES[chosen()]["joints"]


def fails() -> bool:
    """Return whether joints of the chosen body can fail."""
    return joints() == "recommended-2"
