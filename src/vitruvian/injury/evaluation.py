"""Evaluation of criteria: find the channels of a rule, derive those that are missing, and compute the value."""

from __future__ import annotations

from ..errors import InputError
from .channels import Channels, Record, simultaneous
from .finding import Found, criteria
from .limits import UnknownSizeError
from .neck import load_cell_lever, moment_occipital
from .rule import Rule
from .subject import Subject

#: how the reason starts if a place has no channel at all
NO_CHANNEL = "there is no channel "


def evaluate(
    rule: Rule, name: str, channels: Channels, person: str, subject: Subject
) -> tuple[list[Found], dict[str, str]]:
    """Compute a criterion of a person where the channels allow it; return the values, and place -> reason of others."""
    found, reasons = [], {}
    for place in rule.places:
        try:
            found.append(_computed(rule, name, place, channels, person, subject))
        except UnknownSizeError:
            reasons[place] = f"no constants known for {subject.words}"
        except InputError as error:
            reasons[place] = str(error)
    return found, reasons


def _computed(rule: Rule, name: str, place: str, channels: Channels, person: str, subject: Subject) -> Found:
    """Compute a criterion of a person at one place, or refuse it with the reason."""
    wanted = float(criteria()[name]["filter"])
    records, words = [], []
    for quantity in rule.quantities:
        full = f"{place}.{quantity}" if "@" not in quantity else quantity.replace("@", ".")
        got = _record(channels, person + full, wanted, subject)
        if got is None:
            axes = [axis for axis in "xyz" if f"{person}{full}.{axis}" in channels.records]
            only = f"{full} has {' and '.join(axes)} only; give x, y and z, or the resultant r"
            raise InputError(only if axes else f"{NO_CHANNEL}{full}")
        if len(got[0].time) < 2:
            raise InputError(f"{got[0].name} has a single sample")
        records.append(got[0])
        words.append(got[1])
    records, note = simultaneous(records)
    value = rule.compute(name, records[0].time, *[record.samples for record in records], subject.size)
    if note:
        channels.notes.append(note)
    return Found(person + place, *value, "; ".join(dict.fromkeys(words)))


def list_missing(missing: dict[str, str], name: str, person: str, reasons: dict[str, str], *, anywhere: bool) -> None:
    """List why a criterion of a person could not be computed.

    reasons   by place; one that a user can act on goes before a place without any channel
    anywhere  the criterion was computed at another place, so that the place belongs to the label
    """
    useful = {place: reason for place, reason in reasons.items() if not reason.startswith(NO_CHANNEL)}
    if anywhere:
        missing.update({f"{name}, {person}{place}": reason for place, reason in useful.items()})
    elif useful:
        missing[f"{name}, {person.removesuffix('.')}" if person else name] = next(iter(useful.values()))
    elif reasons:
        missing.setdefault(name, next(iter(reasons.values())))


def _record(channels: Channels, name: str, wanted: float, subject: Subject) -> tuple[Record, str] | None:
    """Return a record, or one that can be made from others; None if it cannot.

    Made are one axis out of three, angular acceleration out of velocity, and the moment at the occipital condyles out
    of that of the load cell.
    """
    got = channels.get(name, wanted)
    if got is not None:
        return got
    whole, _, axis = name.rpartition(".")
    if name.endswith("occipital_condyles.moment.y") and channels.get(whole, wanted) is None:
        return _at_condyles(channels, name, wanted, subject)
    if axis in ("x", "y", "z"):
        got = channels.get(whole, wanted)
        if got is not None and got[0].samples.ndim == 2:
            return Record(name, got[0].time, got[0].samples[:, "xyz".index(axis)]), got[1]
    elif axis == "angular_acceleration":
        got = channels.get(f"{whole}.angular_velocity", wanted)
        if got is not None and len(got[0].time) > 2:
            from ..signals import differentiate

            samples = differentiate(got[0].time, got[0].samples, assume_units=True)
            return Record(name, got[0].time, samples), f"{got[1]}, from the angular velocity"
    elif axis == "acceleration":
        return channels.get(f"{name}.r", wanted)  # a resultant alone
    return None


def _at_condyles(channels: Channels, name: str, wanted: float, subject: Subject) -> tuple[Record, str] | None:
    """Return My - lever Fx of the upper neck load cell, or None without a moment; refuse it without the force."""
    cell = name.removesuffix("occipital_condyles.moment.y") + "upper_neck"
    moment = _record(channels, f"{cell}.moment.y", wanted, subject)
    if moment is None:
        return None
    force = _record(channels, f"{cell}.force.x", wanted, subject)
    if force is None:
        raise InputError(
            f"{cell}.force.x is missing, without which the moment of the load cell cannot be moved to the occipital "
            "condyles; give it, or the moment there as occipital_condyles.moment.y"
        )
    try:
        lever = load_cell_lever(subject.size)
    except UnknownSizeError as error:
        raise InputError(
            f"no lever of the upper neck load cell known for {subject.words}; give the moment at the condyles as "
            "occipital_condyles.moment.y"
        ) from error
    (my, fx), note = simultaneous([moment[0], force[0]])
    if note:
        channels.notes.append(note)
    samples = moment_occipital(my.samples, fx.samples, lever)
    return Record(name, my.time, samples), f"{moment[1]}, moved {1e3 * lever:g} mm from the load cell to the condyles"
