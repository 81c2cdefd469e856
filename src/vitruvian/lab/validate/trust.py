"""How far a criterion was checked, derived from the verdicts of `validate` on the rows on which it rests."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ...injury.finding import criteria
from ..verdict import INSIDE, stored_verdicts
from .target import targets

VALIDATED, COMPARED, UNCHECKED = "validated", "compared", "unchecked"


def trust(evidence: Sequence[str], verdicts: Mapping[str, Mapping[str, str]]) -> str:
    """Return the trust word of rows, each "case: row", from case -> row -> verdict.

    Validated needs a countable target among the rows, measured on people or cadavers, and all rows inside.
    """
    if not evidence:
        return UNCHECKED
    found = {}
    for key in evidence:
        case, _, row = key.partition(": ")
        found[row] = verdicts[case][row]
    counted = any(row.partition(" ")[0] in targets() for row in found)
    return VALIDATED if counted and all(verdict == INSIDE for verdict in found.values()) else COMPARED


def trusts() -> dict[str, str]:
    """Return criterion -> trust word that the stored verdicts support."""
    stored = stored_verdicts()
    return {name: trust(about.get("evidence", ()), stored) for name, about in criteria().items()}
