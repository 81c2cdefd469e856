"""Tissue that two neighbouring bodies have in common. SI units."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ..errors import InputError

MOST = 1.0 + 1e-9  # sum of the shares of one body [-]


@dataclass(frozen=True)
class CommonTissue:
    """Tissue that counts once where two bodies press on the same surface.

    one, other  names of the bodies
    share       of the tissue of the less loaded body that belongs to both [-]: 0 none, 1 all
    first       whether it is that of their first shapes; otherwise each may have only one that meets a surface
    """

    name: str
    one: str
    other: str
    share: float
    first: bool = False

    def __post_init__(self) -> None:
        if not 0.0 < self.share <= 1.0:
            raise InputError(
                f"common tissue {self.name!r}: its share is {self.share}; expected more than 0 and at most 1."
            )
        if self.one == self.other:
            raise InputError(f"common tissue {self.name!r}: both bodies are {self.one!r}; give two different ones.")


def check_shares(tissues: Iterable[CommonTissue]) -> None:
    """Raise InputError if the shares of a body exceed 1: it would be pulled to the surface."""
    sums: dict[str, float] = {}
    for tissue in tissues:
        for body in (tissue.one, tissue.other):
            sums[body] = sums.get(body, 0.0) + tissue.share
    for body, total in sums.items():
        if total > MOST:
            raise InputError(
                f"common tissue: the shares of body {body!r} are {total:.4g} in all; expected at most 1, because a "
                "body cannot give away more tissue than it has."
            )
