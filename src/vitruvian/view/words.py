"""Names and numbers as a reader says them, who knows neither the scenario language nor the channels."""

from __future__ import annotations

from ..sim.audit import sentence, spoken

__all__ = ["capital", "percent", "quantity", "sentence", "spoken"]

_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def capital(text: str) -> str:
    """With a capital letter in front; the rest stays as it is."""
    return text[:1].upper() + text[1:]


def quantity(value: float, unit: str) -> str:
    """Four digits at most, with its unit."""
    if abs(value) >= 1e5:
        digits, _, power = f"{value:.3g}".partition("e")
        text = (
            f"{digits} · 10{str(int(power)).translate(_RAISED)}" if power else f"{float(digits):,.0f}".replace(",", " ")
        )
    else:
        text = f"{value:,.0f}".replace(",", " ") if abs(value) >= 100.0 else f"{value:.3g}"
    return text if unit == "-" else f"{text} {unit}"


def percent(share: float) -> str:
    """A share in words."""
    if not share < 1.0:
        return "more than 100 %"
    return f"{100.0 * share:.2g} %" if share > 1e-5 else "0.001 %"
