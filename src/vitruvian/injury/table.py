"""The constants and limits of the criteria, out of the data tables."""

from __future__ import annotations

from functools import cache

from .. import data
from ..errors import InputError, nearest


@cache
def constants(criterion: str) -> dict[str, float]:
    """Quantity -> value in SI of one criterion."""
    known = data.values("criterion_constant")
    if criterion not in known:
        raise InputError(f"there are no constants of {criterion!r}.{nearest(criterion, known)}")
    return dict(known[criterion])


def by_size(criterion: str, size: str) -> dict[str, float]:
    """The constants of a criterion for a size of dummy: by_size("TI", "50M")."""
    sizes = [
        item.removeprefix(f"{criterion} ")
        for item in data.values("criterion_constant")
        if item.startswith(f"{criterion} ")
    ]
    if size not in sizes:
        raise InputError(f"{criterion}: the size is {size!r}; accepted: {', '.join(sizes)}.{nearest(size, sizes)}")
    return constants(f"{criterion} {size}")


@cache
def intercepts(size: str) -> dict[str, float]:
    """Tension and compression [N], flexion and extension [N m] at which Nij is one."""
    known = data.values("neck_intercept")
    if size not in known:
        raise InputError(f"nij: the size is {size!r}; accepted: {', '.join(known)}.{nearest(size, known)}")
    return dict(known[size])


@cache
def limit(criterion: str, size: str = "50M") -> data.Row | None:
    """The limit of a criterion with its source; that of the size of dummy if it has one of its own. None: no limit."""
    rows = {row.quantity: row for row in data.table("criterion_limit") if row.item == criterion}
    return rows.get(f"limit_{size.lower()}", rows.get("limit"))
